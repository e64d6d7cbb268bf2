"""Values that a text names and nobody chose: "tf32 off", "FP32: 19.5 TFLOPS", "data parallel means", "any offload?"."""

from bot.parser.findings import Found
from bot.parser.slots import Slots
from bot.parser.text import STOP, Message
from bot.parser.words import words

NOT_CHOSEN = frozenset({"switched_off", "meaning", "flops", "there_is", "needing_it", "by_itself", "casting"})
"""Lists without a word of which every value that is named is chosen."""
CAN_BE_OFF = frozenset(
    {"grad_checkpointing", "packing", "fused_loss", "compute_dtype", "attention", "offload", "sharding"}
)
DOUBT_REACH = 6
"""Tokens between "or" and what one may need."""
CAST_REACH = 3
"""Tokens before a format in which a tensor is converted to it."""
COLUMN_REACH = 5
"""Tokens between a format and the arithmetic that is counted in it."""
SWITCHES = frozenset({"grad_checkpointing", "packing", "fused_loss"})


def without_unchosen(slots: Slots, slot: str, all_found: list[Found], message: Message) -> list[Found]:
    """Without what is switched off ("tf32 off"), explained ("data parallel means"), a column of a table ("FP32: 19.5
    TFLOPS") or only asked for ("is there some offloading?").
    """
    off = [found for found in all_found if message.token(found.end) in words("switched_off") and slot in CAN_BE_OFF]
    if off and not _is_wondered(off[-1], message) and slot in SWITCHES and off[-1] is all_found[-1]:
        slots.state(slot, False)
    left = [found for found in all_found if found not in off]
    if slot in SWITCHES:
        return [found for found in left if found.target.value != "false" or not _is_wondered(found, message)]
    if slot == "method" and len(left) > 1:
        return [found for found in left if not _is_doubted(found, message)] or left
    if slot == "optimizer":  # "Adam alone is 64 GB" is a part of a sum
        return [found for found in left if message.token(found.end) not in words("by_itself")]
    if slot == "compute_dtype":
        return [found for found in left if not (_is_column(found, message) or _is_cast_to(found, message))]
    if slot in ("sharding", "offload"):
        return [found for found in left if not (_is_explained(found, message) or _is_asked_for(found, message))]
    return left


def _is_wondered(found: Found, message: Message) -> bool:
    """ "does gradient checkpointing off make it faster?"."""
    first = found.start
    while first > 0 and message.parts[first] < STOP:
        first -= 1
    end = next((p for p in range(found.end, len(message.parts)) if message.parts[p] >= STOP), len(message.gaps) - 1)
    return message.token(first) in words("asks_if") and "?" in message.gaps[end]


def _is_column(found: Found, message: Message) -> bool:
    """ "FP32: 19.5 / 82.6 TFLOPS", "125 TFLOPS fp16": a format that arithmetic is counted in."""
    near = message.tokens[max(0, found.start - COLUMN_REACH) : found.end + COLUMN_REACH]
    return not words("flops").isdisjoint(near)


def _is_cast_to(found: Found, message: Message) -> bool:
    """ "dies in _convert_to_fp32", "logits upcast to fp32": what becomes of one tensor."""
    before = message.tokens[max(0, found.start - CAST_REACH) : found.start]
    return before[-1:] != [] and before[-1] in words("into") and not words("casting").isdisjoint(before)


def _is_doubted(found: Found, message: Message) -> bool:
    """The LoRA of "want to full-tune a 3B. enough, or do i need LoRA?"."""
    before = message.tokens[max(0, found.start - DOUBT_REACH) : found.start]
    ors = [place for place, token in enumerate(before) if token in words("joining_choices")]
    return bool(ors) and not words("needing_it").isdisjoint(before[ors[-1] :])


def _is_explained(found: Found, message: Message) -> bool:
    """ "i thought data parallel means ..."."""
    return message.token(found.end) in words("meaning")


def _is_asked_for(found: Found, message: Message) -> bool:
    """ "is there some offloading?", "gibt es ein Offload?"."""
    before = message.tokens[max(0, found.start - COLUMN_REACH) : found.start]
    return not words("there_is").isdisjoint(before) and before[-1] in words("some")
