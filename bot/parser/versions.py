"""Versions of a trainer that compute otherwise than today's: "trl==0.11.0"."""

from bot.parser.slots import Slots
from bot.parser.text import COMMA, Message

FUSES_SINCE = (1, 7)
"""TRL computes the loss in tiles from this version on. Source: trl 1.16, trainer/sft_trainer.py (June 2026)."""
DIGITS = 3


def state_version(slots: Slots, message: Message) -> None:
    """Names the version of TRL, and assumes that an older one builds the logits."""
    if slots.values.get("trainer") != "trl":
        return
    for at, word in enumerate(message.tokens[:-1]):
        if word != "trl" or message.parts[at + 1] >= COMMA:
            continue
        version = message.tokens[at + 1].removeprefix("v")
        major, _, rest = version.partition(".")
        minor = rest.partition(".")[0]
        if not (major.isdecimal() and minor.isdecimal() and max(len(major), len(minor)) <= DIGITS):
            continue
        if (int(major), int(minor)) < FUSES_SINCE:
            slots.named["trl"] = (version,)
            slots.assume("fused_loss", False)
        return
