"""Attributes that are worked out at first use and kept."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

T = TypeVar("T")

if TYPE_CHECKING:
    from functools import cached_property as lazily
else:

    class lazily(Generic[T]):  # noqa: N801  used as a decorator
        """functools.cached_property without its lock, which costs more than most of ours: a case has one thread."""

        def __init__(self, work: Callable[[Any], T]) -> None:
            self.work = work
            self.name = work.__name__
            self.__doc__ = work.__doc__

        def __get__(self, thing: Any, owner: Any = None) -> T:
            found = thing.__dict__[self.name] = self.work(thing)
            return found


__all__ = ["lazily"]
