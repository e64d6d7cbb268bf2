"""Rules: each file is one reason to speak; its name is the code of the finding. Found by listing the folder."""

from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from advisor.advice import Finding

if TYPE_CHECKING:
    from advisor.case import Case

Check = Callable[["Case"], Finding | None]

CHECKS: tuple[tuple[str, Check], ...] = tuple(
    (name, import_module(f"{__name__}.{name}").check) for name in sorted(m.name for m in iter_modules(__path__))
)
"""(code, check) of every rule, by name."""
