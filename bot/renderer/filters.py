"""Numbers, dates and foreign text in the words of a language. The only arithmetic between an Advice and its
sentence.

Answers repeat their numbers, so formatted ones are remembered for a while.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from bot.renderer.signs import signs

GIB = 2**30
DASH = "–"

DECIMALS: Mapping[str, tuple[int, int]] = {"#,##0": (0, 0), "#,##0.0": (1, 1), "#,##0.00": (2, 2), "#,##0.##": (0, 2)}
"""Pattern → fewest and most decimals."""


@lru_cache(maxsize=4096)
def number(value: float, language: str, pattern: str = "#,##0") -> str:
    """A number with the language's separators."""
    return signs(language).number(value, *DECIMALS[pattern])


def bare_gib(value: float, language: str) -> str:
    """Bytes as GiB without the unit: one decimal below 100, none above, two below 0.1."""
    gib = value / GIB
    if abs(gib) >= 99.95:
        return number(round(gib), language)
    if 0 < abs(gib) < 0.095:
        return number(round(gib, 2), language, "#,##0.00")
    return number(round(gib, 1), language, "#,##0.0")


def gib(value: float, language: str) -> str:
    """Bytes as "10.1 GiB"; from 2,000 GiB on as TiB, below 0.1 as MiB."""
    if 0 < value < 0.095 * GIB:
        return about(value / 2**20, language) + " MiB"
    if abs(value) >= 1999.5 * GIB:
        return number(round(value / GIB / 1024, 1), language, "#,##0.0") + " TiB"
    return bare_gib(value, language) + " GiB"


def span(pair: Sequence[float], language: str) -> str:
    """Two byte counts as "9.6–11.0"."""
    low, high = bare_gib(pair[0], language), bare_gib(pair[1], language)
    return low if low == high else f"{low}{DASH}{high}"


def gibs(pair: Sequence[float], language: str) -> str:
    """Two byte counts with one unit: "9.6–11.0 GiB"; in TiB where both are large."""
    if pair[0] >= 1000 * GIB:
        ends = [number(round(v / GIB / 1024, 1), language, "#,##0.0") for v in pair]
        return (ends[0] if ends[0] == ends[1] else DASH.join(ends)) + " TiB"
    return span(pair, language) + " GiB"


def gb(value: float, language: str) -> str:
    """Gigabytes as on the box: "24 GB"; from 1,000 on in TB."""
    if value >= 1000:
        return number(round(value / 1024 if value % 512 == 0 else value / 1000, 1), language, "#,##0.##") + " TB"
    return number(round(value, 1), language, "#,##0.##") + " GB"


def count(value: float, language: str) -> str:
    """A plain number: 52,000."""
    return number(round(value, 2) if value < 100 else round(value), language, "#,##0.##")


def about(value: float, language: str) -> str:
    """A number of which two digits are known: 3,200."""
    digits = len(str(int(abs(value)))) - 2
    return number(round(value, -digits) if digits > 0 else round(value), language)


def abouts(pair: Sequence[float], language: str) -> str:
    """A range of such numbers, one figure when both ends read the same; open above when it never ends."""
    low, high = about(pair[0], language), "∞" if pair[1] == float("inf") else about(pair[1], language)
    return low if low == high else f"≥ {low}" if high == "∞" else f"{low}{DASH}{high}"


def brief(value: float, language: str) -> str:
    """A large number as people say it: 3.2k, 1.5M; two digits are enough."""
    for size, letter in ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            short = value / size
            return number(round(short, 1 if short < 10 else 0), language, "#,##0.##") + letter
    return number(round(value), language)


def tokens(value: int, language: str) -> str:
    """A sequence length: 2,048 as it stands, 8192 and more as 8k where that is exact."""
    if value >= 8192 and value % 1024 == 0:
        return f"{value // 1024}k"
    return number(value, language)


def percent(value: float, language: str) -> str:
    """A share as per cent."""
    return number(round(value * 100), language) + (" %" if language == "de" else "%")


def times(value: float, language: str) -> str:
    """A ratio: 1.7×."""
    return number(round(value, 1) if value < 10 else round(value), language, "#,##0.##") + "×"


def _hours(value: float, language: str) -> str:
    return number(round(value, 1) if value < 3 else round(value), language, "#,##0.##")


def duration(pair: Sequence[float], language: str) -> str:
    """A range of hours as minutes, hours or days: "2–4 h"; the unit is the larger end's."""
    low, high = pair[0], pair[-1]
    if high < 1:
        ends, unit = [number(max(1, round(v * 60)), language) for v in (low, high)], "min"
    elif high <= 48:
        ends, unit = [_hours(v, language) for v in (low, high)], "h"
    else:
        ends, unit = [_hours(v / 24, language) for v in (low, high)], "Tage" if language == "de" else "days"
    body = ends[0] if ends[0] == ends[1] else f"{ends[0]}{DASH}{ends[1]}"
    return f"{body} {unit}"


def seconds(pair: Sequence[float], language: str) -> str:
    """A range of seconds: "0.41–1 s", "14 s"."""
    ends = [number(round(v, 2 if v < 1 else 1 if v < 10 else 0), language, "#,##0.##") for v in (pair[0], pair[-1])]
    return f"{ends[0]} s" if ends[0] == ends[1] else f"{ends[0]}{DASH}{ends[1]} s"


def amount(pair: Sequence[float], language: str) -> str:
    """A range of money without its currency: "700–900", "0.34"; cents only where all of it is below 20."""
    pattern = "#,##0.00" if pair[-1] < 20 else "#,##0"
    ends = [number(round(v, 2 if pair[-1] < 20 else 0), language, pattern) for v in (pair[0], pair[-1])]
    return ends[0] if ends[0] == ends[1] else f"{ends[0]}{DASH}{ends[1]}"


@lru_cache(maxsize=1024)
def day(value: str, language: str) -> str:
    """An ISO date, month or year in words: 16 May 2026, May 2026, 2026; anything else as its year, or as it stands."""
    if match := re.fullmatch(r"(\d{4})-(0[1-9]|1[0-2])(?:-(\d\d))?", value):
        words = f"{signs(language).months[int(match[2]) - 1]} {int(match[1])}"
        return words if match[3] is None else f"{int(match[3])}{'.' * (language == 'de')} {words}"
    return value


def month(value: str, language: str) -> str:
    """An ISO date without its day: May 2026. The day stands where prices are listed."""
    return day(value[:7], language)


def site(value: str) -> str:
    """Where a figure was found, short enough for a phone: the host of an address, else the first words."""
    if match := re.search(r"https?://(?:www\.)?([^/\s)]+)", value):
        return match[1]
    name = value.split(" (")[0].split(" @")[0].split(": ")[0]
    return (name.split()[0].split("/")[-1] if "/" in name else name)[:40]


def said(value: str) -> str:
    """What a person wrote, as data: a code span without anything that Markdown, HTML or a mention could start from."""
    text = re.sub(r"[`|<>\\\x00-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2066-\u2069]", " ", str(value))
    text = " ".join(text.replace("@", "@\u200b").split())[:60].rstrip()
    return f"`{text}`" if text else "`?`"


def speaks(function: Any, language: str) -> Any:
    """A filter bound to a language."""
    return partial(function, language=language)


def filters(language: str) -> dict[str, Any]:
    """All filters that a template may use."""
    bound = (
        gib,
        bare_gib,
        span,
        gibs,
        gb,
        count,
        about,
        abouts,
        brief,
        tokens,
        percent,
        times,
        duration,
        seconds,
        amount,
        day,
        month,
    )
    return {f.__name__: speaks(f, language) for f in bound} | {"said": said, "site": site}
