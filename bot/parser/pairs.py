"""A number of cards for each of several sizes: "7b on 1 gpu and 70b on 4 gpus"."""

import re
from functools import cache

from bot.parser.slots import Slots
from bot.parser.text import Message
from bot.parser.words import pattern_of

BARE = re.compile(r"(\d+(?:\.\d+)?)b", re.IGNORECASE)


@cache
def _pair() -> re.Pattern[str]:
    """A size and, before the next size, so many cards."""
    return re.compile(rf"(\d+(?:\.\d+)?) ?b\b(?:(?!\d ?b\b)[^.?!;]){{0,40}}?\b(\d{{1,3}}) ?x? ?{pattern_of('card')}\b")


def state_counts(slots: Slots, message: Message) -> None:
    """Names the counts in the order of the model and the further ones, where each size has its own."""
    if "card" not in message.said or not slots.values.get("models"):
        return
    further = [float(found[1]) for name in slots.values.get("models", ()) if (found := BARE.fullmatch(str(name)))]
    asked = [float(slots.values.get("params_b") or 0.0), *further]
    if len(asked) < 2:
        return
    said = {float(size): count for size, count in _pair().findall(message.text)}
    if len(said) == len(asked) and all(size in said for size in asked):
        slots.named["n_gpus"] = tuple(said[size] for size in asked)
