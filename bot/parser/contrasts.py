"""Values of two different slots as the sides of one choice: "galore vs lora", "4bit instead of fp16"."""

from collections.abc import Mapping, Sequence

from bot.parser.findings import Findings, Found
from bot.parser.slots import Slots

BITS_OF = {"bf16": "16", "fp16": "16", "fp32": "32", "fp8": "8"}
"""Kind of number → bits of a weight."""
NEAR = 3
"""Tokens between the two sides at most."""
METHODS = {"galore_adamw": "galore", "lomo": "lomo", "badam": "badam", "apollo_adamw": "apollo"}
"""Optimizers that are ways to train all weights in little memory."""


def contrast(slots: Slots, valued: Mapping[str, Sequence[Found]], findings: Findings) -> None:
    """Names both sides under the slot that is asked about, and states none of them."""
    places = findings.marks.get("alternative", ())
    if not places:
        return
    bits = _sides(valued.get("weight_bits", ()), valued.get("compute_dtype", ()), places)
    if bits:
        slots.drop("compute_dtype")
        slots.named["weight_bits"] = tuple(BITS_OF.get(value, value) for value in bits)
    ways = [found for found in valued.get("optimizer", ()) if found.target.value in METHODS]
    methods = _sides(ways, valued.get("method", ()), places)
    if methods:
        slots.drop("optimizer")
        slots.named["method"] = tuple(METHODS.get(value, value) for value in methods)


def _sides(some: Sequence[Found], others: Sequence[Found], places: Sequence[int]) -> tuple[str, ...]:
    """The values of two phrases that only a word for a choice parts, in the order said."""
    for one in some:
        for other in others:
            first, second = sorted((one, other), key=lambda found: found.start)
            beside = 0 <= second.start - first.end <= NEAR
            if beside and any(first.end <= place < second.start for place in places):
                return str(first.target.value), str(second.target.value)
    return ()
