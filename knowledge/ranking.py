"""What the seed article says of VRAM classes and of cards for the home: entries of facts/ that rank others."""

from typing import Literal

from pydantic import Field

from knowledge.entry import Count, Entry, PartialDate, Positive, Sourced, Text, Word


class Tier(Sourced):
    """A VRAM class for QLoRA and what it trains, from the seed article."""

    id: str
    claims: tuple[str, ...]
    vram_gb: Positive | None = None
    cards: Count = 1
    params_b: tuple[Positive, ...]
    """Smallest and largest size (in 1e9 parameters) of the class that this tier is for."""
    comfort: Literal["tight", "comfortable", "sweet_spot", "serious"]
    role: Literal["entry", "floor", "target", "power_user"]
    note: Text | None = None


class PriceRange(Entry):
    """USD, and the day it was said."""

    low: Positive
    high: Positive
    date: PartialDate


class Rank(Sourced):
    """A place in the seed article's ranking of cards for the home."""

    id: str
    claims: tuple[str, ...]
    place: Count
    gpus: tuple[str, ...] = Field(min_length=1)
    count: Count = 1
    condition: Literal["new", "used", "any"] = "any"
    pick: Literal["best_single", "best_value", "if_priced_right", "entry_only", "power_user"]
    price: PriceRange | None = None
    strengths: tuple[Word, ...] = ()
    weaknesses: tuple[Word, ...] = ()
