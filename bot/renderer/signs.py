"""How a language writes numbers and months, as Babel has it, kept between starts.

Babel's data take 5 MiB and 30 ms; what answers need of them fits on a line.
"""

import contextlib
import json
import os
from dataclasses import asdict, dataclass
from decimal import Decimal
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bot.renderer.kept import homes


@dataclass(frozen=True, slots=True)
class Signs:
    """Between whole and fraction, between thousands, before what is negative; the short names of the months."""

    decimal: str
    group: str
    minus: str
    infinity: str
    months: tuple[str, ...]

    def number(self, value: float, least: int, most: int) -> str:
        """A number with so many decimals; ties go to the even digit, as Babel rounds."""
        exact = Decimal(str(value))
        if exact.is_infinite():
            return (self.minus if exact < 0 else "") + self.infinity
        rounded = exact.quantize(Decimal(1).scaleb(-most))
        whole, _, fraction = f"{abs(rounded):,f}".partition(".")
        fraction = fraction[:least] + fraction[least:].rstrip("0")
        return (
            (self.minus if rounded < 0 else "")  # -0.01 without decimals is 0, not -0
            + whole.replace(",", self.group)
            + (self.decimal + fraction if fraction else "")
        )


@cache
def signs(language: str) -> Signs:
    """The signs of a language; Babel is asked once for each of its versions."""
    version = _version()
    for home in homes():
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
            kept = json.loads((home / f"{language}-signs.json").read_text(encoding="utf-8"))
            if isinstance(kept, dict) and kept.pop("babel") == version:
                return Signs(**kept | {"months": tuple(kept["months"])})
    found = from_babel(language)
    _keep(homes()[-1] / f"{language}-signs.json", asdict(found) | {"babel": version})
    return found


def from_babel(language: str) -> Signs:
    """What Babel says."""
    from babel import Locale, numbers

    locale = Locale.parse(language)
    months = locale.months["format"]["abbreviated"]
    return Signs(
        decimal=numbers.get_decimal_symbol(locale),
        group=numbers.get_group_symbol(locale),
        minus=numbers.get_minus_sign_symbol(locale),
        infinity=numbers.get_infinity_symbol(locale),
        months=tuple(str(months[number]) for number in range(1, 13)),
    )


def _version() -> list[Any]:
    """Changes with the installed Babel, and is known without importing it."""
    spec = find_spec("babel")
    if spec is None or spec.origin is None:
        return []
    state = os.stat(spec.origin)
    return [state.st_size, int(state.st_mtime)]


def _keep(path: Path, content: dict[str, Any]) -> None:
    beside = path.with_suffix(f".{os.getpid()}.tmp")
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(json.dumps(content), encoding="utf-8")
        beside.replace(path)
