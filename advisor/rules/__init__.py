"""Rules: each file is one reason to speak; its name is the code of the finding. Found by listing the folder.

A rule that needs estimates of its own says `COSTLY = True`: it is asked last, and only while there is room. `ON` names
signs (advisor/signs.py) without which a rule has nothing to say: most rules are not even called.
"""

from bisect import bisect_left
from collections.abc import Callable, Collection
from functools import lru_cache
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
ON: dict[str, Collection[str]] = {name: getattr(module, "ON", ()) for name, module in _MODULES.items()}
_ALWAYS = frozenset(place for place, (name, _) in enumerate(CHECKS) if not ON[name])
_BY_SIGN = {
    sign: tuple(place for place, (name, _) in enumerate(CHECKS) if sign in ON[name])
    for sign in {sign for signs in ON.values() for sign in signs}
}


@lru_cache(maxsize=1024)
def awake(signs: frozenset[str]) -> tuple[tuple[tuple[str, Check], ...], tuple[tuple[str, Check], ...]]:
    """The cheap and the costly rules that may have something to say where these signs show, in their order."""
    found = sorted(_ALWAYS.union(*(_BY_SIGN[sign] for sign in signs if sign in _BY_SIGN)))
    cheap = bisect_left(found, len(CHEAP))
    return tuple(CHECKS[place] for place in found[:cheap]), tuple(CHECKS[place] for place in found[cheap:])
