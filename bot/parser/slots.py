"""Values of slots: what phrases state, which of several values is meant, and what follows from them."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from bot.parser.clauses import Clauses
from bot.parser.findings import Findings, Found
from bot.parser.grammar import Grammar
from bot.parser.lengths import state_length
from bot.parser.numbers import PLAIN, Number
from bot.parser.text import Message
from bot.parser.words import words

WHOLE = {
    "seq_len": (16, 20_000_000),
    "micro_batch": (1, 4096),
    "grad_accum": (1, 8192),
    "lora_rank": (1, 4096),
    "dataset_examples": (1, 10**10),
    "dataset_tokens": (1, 10**15),
    "tokens_per_example": (1, 10_000_000),
}
"""Slots that are whole numbers → smallest and largest value that is read."""
OTHER = {
    "epochs": (0.001, 10_000.0),
    "ram_gb": (0.5, 100_000.0),
    "max_hours": (0.01, 100_000.0),
    "hours_per_week": (0.1, 168.0),
    "supply_w": (100.0, 5_000.0),
}
WITHOUT_UNIT = frozenset({"micro_batch", "grad_accum", "lora_rank"})
ONLY_USED_UP = frozenset({"not_tokens"})
"""Numbers that phrases name so that nothing else takes them."""
TRUTH = {"true": True, "false": False}
DATA_PHRASES = frozenset({"{n} tokens", "{n} token", "{n} tok", "{n} toks"})
SMALLEST_RANK_STEP, LARGEST_GLUED_RANK = 8, 2048
MORE_THAN_TWO = 3
LONGEST_SEQUENCE = 12_000_000
"""Tokens; more than this is a data set."""
NAMED_APART = frozenset({"method", "optimizer", "sharding"})
"""Slots whose several values may be what is asked about."""
NO_TRAINER_ALONE = frozenset({"peft", "hf", "trl"})
"""Libraries under the other trainers: named beside one of those, they are not the choice."""


class Slots:
    """Slots being gathered: value and source of each. `named` keeps all values of a slot where several were named."""

    __slots__ = (
        "ambiguous_model",
        "bare_lengths",
        "methods",
        "named",
        "sources",
        "trainers",
        "unknown_model",
        "values",
    )

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.sources: dict[str, str] = {}
        self.methods: tuple[str, ...] = ()
        self.named: dict[str, tuple[str, ...]] = {}
        self.trainers: tuple[str, ...] = ()
        self.bare_lengths: list[Number] = []
        self.unknown_model: str | None = None
        self.ambiguous_model: tuple[str, ...] = ()

    def state(self, slot: str, value: Any) -> None:
        """The text says so. The first statement stays."""
        if self.sources.get(slot) != "stated":
            self.values[slot], self.sources[slot] = value, "stated"

    def assume(self, slot: str, value: Any) -> None:
        """The text does not say so; it is what is usually meant."""
        if slot not in self.values:
            self.values[slot], self.sources[slot] = value, "assumed"

    def states(self, slot: str) -> bool:
        """Whether the text says it."""
        return self.sources.get(slot) == "stated"

    def drop(self, slot: str) -> Any:
        """Takes a slot out again."""
        self.sources.pop(slot, None)
        return self.values.pop(slot, None)


def from_phrases(
    slots: Slots,
    message: Message,
    findings: Findings,
    grammar: Grammar,
    clauses: Clauses,
    numbers: Mapping[int, Number],
) -> None:
    """Slots that phrases with a number or a value name."""
    named: dict[str, list[Found]] = {}
    valued: dict[str, list[Found]] = {}
    for found in findings.slots:
        if found.target.section == "numbers" and found.target.name not in ONLY_USED_UP:
            named.setdefault(found.target.name, []).append(found)
        elif found.target.section == "values":
            valued.setdefault(found.target.name, []).append(found)
    for slot, all_found in named.items():
        good = [(found, value) for found in all_found if (value := _value(slot, found, message, grammar)) is not None]
        if slot == "seq_len":
            good = _without_data_sets(slots, good)
        if slot == "ram_gb":
            good = [(found, value) for found, value in good if not clauses.hearsay(found.start)]
        if good and slot == "seq_len":
            slots.state(slot, state_length(good, message, findings, clauses, numbers))
        elif good:
            slots.state(slot, good[_meant(slot, good, message, clauses)][1])
    if slots.values.get("seq_len", 0) > LONGEST_SEQUENCE:
        slots.state("dataset_tokens", slots.drop("seq_len"))
    if "lora_rank" not in slots.values:
        _glued_rank(slots, message)
    for slot, all_found in valued.items():
        _words(slots, slot, all_found, message, findings, clauses)
    prequantised = next((token for token in message.tokens if token in PREQUANTISED), None)
    if prequantised is not None:
        slots.assume("quant", prequantised)


def _without_data_sets(slots: Slots, good: list[tuple[Found, Any]]) -> list[tuple[Found, Any]]:
    """ "3.2M tokens" are a data set, "1M context" is a length."""
    kept = []
    for found, value in good:
        number = found.number
        if number is not None and number.unit == "m" and number.value > 1 and found.target.phrase in DATA_PHRASES:
            slots.state("dataset_tokens", round(number.things))
        else:
            kept.append((found, value))
    return kept


def _value(slot: str, found: Found, message: Message, grammar: Grammar) -> Any:
    """The value of a number phrase, None when it is none for this slot."""
    number = found.number
    if number is None:  # "one epoch"
        counts = grammar.lists["count"]
        word = next((token for token in message.tokens[found.start : found.end] if token in counts), None)
        return float(counts[word]) if slot == "epochs" and word else None
    gap = message.gaps[number.start]
    if slot in WITHOUT_UNIT and (number.unit != PLAIN or number.value != int(number.value)):
        return None
    if slot == "micro_batch" and gap == "-":  # "batch-1" takes one away
        return None
    if (
        slot == "epochs"
        and message.tokens[found.start] in ("epoch", "epoche")
        and number.start > found.start
        and not set(gap) & set("=:")
    ):
        return None  # "after epoch 3" is a place in the run
    if slot in OTHER:
        low, high = OTHER[slot]
        return number.value if low <= number.value <= high else None
    least, most = WHOLE.get(slot, (1, 10**12))
    whole = number.length if slot in ("seq_len", "tokens_per_example") else round(number.things)
    return whole if least <= whole <= most else None


def _meant(slot: str, good: list[tuple[Found, Any]], message: Message, clauses: Clauses) -> int:
    """Which of several: "micro batch" says more than "batch"; what went wrong says more than what worked."""
    if slot == "micro_batch":
        for place, (found, _) in enumerate(good):
            if any(word in words("finer_batch") for word in message.tokens[found.start : found.end]):
                return place
    return clauses.choose([found.start for found, _ in good]) if slot in WITHOUT_UNIT else 0


def _glued_rank(slots: Slots, message: Message) -> None:
    """ "r8", "r16": a rank; r5, r7 and r9 are processors and r1 is a model."""
    for place, token in enumerate(message.tokens):
        if token[0] == "r" and token[1:].isdigit() and not message.taken[place] and len(token) <= 5:
            rank = int(token[1:])
            if rank in (2, 4) or (rank and rank % SMALLEST_RANK_STEP == 0 and rank <= LARGEST_GLUED_RANK):
                slots.state("lora_rank", rank)
                return


def _words(
    slots: Slots, slot: str, all_found: list[Found], message: Message, findings: Findings, clauses: Clauses
) -> None:
    """A slot whose values are words: the first one, with what is special about some."""
    values = list(dict.fromkeys(str(found.target.value) for found in all_found))
    compared = len(values) > 1 and _compared(all_found, message, findings)
    if len(values) > 1 and slot in NAMED_APART:
        slots.named[slot] = tuple(values)
    if slot == "method":
        _method(slots, values, compared or _weighed(all_found))
    elif slot == "trainer":
        _trainer(slots, values, compared, all_found, message)
    elif slot == "weight_bits":
        lean = [value for value in values if value != "16"]
        if lean and not compared:
            slots.state(slot, float(lean[0]))
    elif slot == "optimizer":
        if len(values) < MORE_THAN_TWO:
            slots.state(slot, values[0])
    elif slot in ("grad_checkpointing", "packing", "fused_loss"):
        slots.state(slot, TRUTH.get(values[-1], True))
    elif slot == "sharding" and len(values) > 1:
        slots.assume(slot, values[0])
    elif slot == "algorithm":
        failed = next((found for found in all_found if clauses.of(found.start) in clauses.bad), all_found[0])
        slots.state(slot, str(failed.target.value))
    elif slot in RANKED:
        slots.state(slot, next((value for value in RANKED[slot] if value in values), values[0]))
    else:
        slots.state(slot, values[0])


PREQUANTISED = frozenset({"gptq", "awq"})
"""In a model's name: its weights come quantised, and not by bitsandbytes."""
RANKED = {"os": ("windows-wsl2",), "offload": ("none", "nvme", "params", "optimizer", "activations")}
"""Where several words fit, the one that says most."""


def _compared(all_found: list[Found], message: Message, findings: Findings) -> bool:
    """Whether the first two are the sides of a choice: "a or b", "a vs b", "a & b", "a? b?"."""
    first = all_found[0]
    second = next((found for found in all_found if found.target.value != first.target.value), None)
    if second is None or second.start - first.end > 3:
        return False
    if first.target.name == "weight_bits" and second.start - first.end <= 1 and "?" in message.gaps[first.end]:
        return True  # "nf4? 8bit?"
    if any(message.tokens[place] in words("joins") for place in range(first.end, second.start)):
        return True
    between = range(first.end, second.start + 1)
    return any(place in findings.marks.get("alternative", ()) or "&" in message.gaps[place] for place in between)


def _weighed(all_found: list[Found]) -> bool:
    """Two methods that are both named again and again: their results are compared."""
    counts = Counter(found.target.value for found in all_found)
    return len(counts) > 1 and min(counts.values()) > 1


def _method(slots: Slots, values: list[str], compared: bool) -> None:
    """One method is stated; of two the leaner one is what the question is about; a choice or three are a question."""
    slots.methods = tuple(values)
    if len(values) < MORE_THAN_TWO and not compared:
        slots.state("method", next(method for method in ("dora", "qlora", "lora", "full") if method in values))


def _trainer(slots: Slots, values: list[str], compared: bool, all_found: list[Found], message: Message) -> None:
    ours = [value for value in values if value not in NO_TRAINER_ALONE] or values
    if ours == ["peft"] and not any(
        found.start and message.tokens[found.start - 1] in words("with") for found in all_found
    ):
        slots.assume("trainer", "peft")  # "peft 8bit" names the method, "in peft" the library
        return
    if len(ours) > 1:
        slots.trainers = tuple(ours)
    if len(ours) == 1 or not compared:
        slots.state("trainer", ours[0])


def infer(slots: Slots, findings: Findings, apple: bool) -> None:
    """What follows from what is stated: QLoRA is 4-bit, 4-bit training is QLoRA, ZeRO is DeepSpeed."""
    values, methods = slots.values, slots.methods
    bits = values.get("weight_bits")
    if values.get("method") == "qlora":
        slots.assume("weight_bits", 4.0)
    if bits == 4 and values.get("method") == "lora" and len(methods) == 1:
        values["method"] = "qlora"
    if "method" not in values and len(methods) < MORE_THAN_TWO:
        _infer_method(slots, bits == 4)
    if "deepspeed" in findings.marks:
        slots.assume("trainer", "deepspeed")
    if apple:
        slots.assume("os", "macos")


def _infer_method(slots: Slots, four_bit: bool) -> None:
    values = slots.values
    if four_bit:
        slots.assume("method", "qlora")
    elif values.get("lora_rank") or (values.get("trainer") == "peft" and not slots.methods):
        slots.assume("method", "lora")
    elif not slots.methods and (
        values.get("sharding") in ("zero2", "zero3", "fsdp") or values.get("algorithm") == "sft"
    ):
        slots.assume("method", "full")
