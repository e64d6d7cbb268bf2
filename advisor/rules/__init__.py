"""Rules: each file is one reason to speak; its name is the code of the finding. Found by listing the folder.

A rule that needs estimates of its own says `COSTLY = True`: it is asked last, and only while there is room.
"""

from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from advisor.advice import Finding

if TYPE_CHECKING:
    from advisor.case import Case

Check = Callable[["Case"], Finding | None]

_MODULES = {name: import_module(f"{__name__}.{name}") for name in sorted(m.name for m in iter_modules(__path__))}
_COSTLY = {name for name, module in _MODULES.items() if getattr(module, "COSTLY", False)}

CHEAP: tuple[tuple[str, Check], ...] = tuple((n, m.check) for n, m in _MODULES.items() if n not in _COSTLY)
COSTLY: tuple[tuple[str, Check], ...] = tuple((n, m.check) for n, m in _MODULES.items() if n in _COSTLY)
CHECKS: tuple[tuple[str, Check], ...] = CHEAP + COSTLY
"""(code, check) of every rule; by name, the costly ones last."""
