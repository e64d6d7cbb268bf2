"""Change codes as buttons and selects with labels in a language."""

from functools import lru_cache
from typing import Any

from bot.messages import Button, Option, Select
from bot.renderer.environment import words_of
from bot.renderer.filters import tokens

SELECTS = ("method", "seq_len", "trainer")


@lru_cache(maxsize=4096)
def button(change: str, language: str) -> Button:
    """The button of a change code such as "seq_len=8192" or "show=why"."""
    style = "primary" if change.startswith("show=") else "plain"
    return Button(label=label(change, language)[:80], change=change, style=style)


def label(change: str, language: str) -> str:
    """What a change is called: its own words, or those of its slot with the value set in."""
    slot, _, value = change.partition("=")
    named: Any = words_of(language)["button"][slot]
    pattern = named.get(value) or named["any"]
    shown = tokens(int(value), language) if slot == "seq_len" else words_of(language).get(slot, {}).get(value, value)
    return str(pattern.format(value=shown))


@lru_cache(maxsize=4096)
def option(change: str, language: str, *, chosen: bool) -> Option:
    """What a drop-down offers: the same in every one."""
    return Option(label=label(change, language)[:80], change=change, chosen=chosen)


@lru_cache(maxsize=256)
def select(slot: str, values: tuple[str, ...], chosen: str | None, language: str) -> Select:
    """A drop-down that changes one slot."""
    options = tuple(option(f"{slot}={value}", language, chosen=value == chosen) for value in values)
    return Select(name=slot, placeholder=str(words_of(language)["placeholder"][slot]), options=options)
