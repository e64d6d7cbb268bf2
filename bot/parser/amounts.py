"""Slots that are numbers: what phrases state, and which of several values is meant."""

from collections.abc import Mapping
from typing import Any

from bot.parser.changes import state_changes
from bot.parser.clauses import Clauses
from bot.parser.contrasts import contrast
from bot.parser.examples import assume_room
from bot.parser.findings import Findings, Found
from bot.parser.grammar import Grammar
from bot.parser.lengths import state_length
from bot.parser.meant import WITHOUT_UNIT, are_sides, meant, of_a_choice, said_again
from bot.parser.numbers import CURRENCY_MARKS, PLAIN, Number, read_number
from bot.parser.progress import fractions
from bot.parser.ranks import glued_rank, raised_rank, rank_with_alpha, ranks_beside
from bot.parser.refused import COUNTING_UNITS, FEWEST_OF_AN_EPOCH, REFUSED, are_long_things
from bot.parser.rows import rows_ahead, rows_owned
from bot.parser.slots import Slots
from bot.parser.text import JOINED, Message
from bot.parser.wordings import state_words
from bot.parser.words import words

WHOLE = {
    "seq_len": (16, 20_000_000),
    "micro_batch": (1, 100_000),
    "grad_accum": (1, 8192),
    "n_gpus": (1, 4096),
    "lora_rank": (1, 100_000),
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
    "hours_per_month": (0.1, 744.0),
    "runs_per_month": (1, 1000),
    "runs_per_week": (1, 200),
    "supply_w": (100.0, 5_000.0),
    "rollout_tp": (1, 1024),
    "rollout_share": (0.01, 100.0),
}
WEEKS_OF_A_MONTH = 52 / 12
IN_WORDS = frozenset({"epochs", "runs_per_month", "runs_per_week"})
"""Slots whose number may be a word: "one epoch", "two runs a month"."""
ONLY_USED_UP = frozenset({"not_tokens"})
"""Numbers that phrases name so that nothing else takes them."""
DATA_PHRASES = frozenset({"{n} tokens", "{n} token", "{n} tok", "{n} toks"})
PREQUANTISED = frozenset({"gptq", "awq"})
"""In a model's name: its weights come quantised, and not by bitsandbytes."""
LONGEST_BATCH = 4
"""Digits."""
LONGEST_SEQUENCE = 12_000_000
"""Tokens; more than this is a data set."""


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
    if named:
        _data_sets(slots, named, message)
    for slot, all_found in named.items():
        good = [(found, value) for found in all_found if (value := _value(slot, found, message, grammar)) is not None]
        if slot == "seq_len":
            good = _without_data_sets(slots, good)
        elif slot == "ram_gb":
            good = [(found, value) for found, value in good if not clauses.hearsay(found.start)]
        if good and slot == "seq_len":
            partly = all("prompt" in found.target.phrase for found, _ in good)  # the answer comes on top
            (slots.assume if partly else slots.state)(slot, state_length(good, message, findings, clauses, numbers))
        elif good:
            _state(slots, slot, good, message, findings, clauses, numbers)
    _from_others(slots, message, findings, numbers)
    bare = valued.keys().isdisjoint(("method", "weight_bits"))
    if bare and any("lora" in found.target.phrase.split() for found in named.get("lora_rank", ())):
        slots.state("method", "lora")  # "LoRA r=16"
    for slot, all_found in valued.items():
        state_words(slots, slot, all_found, message, findings, clauses)
    contrast(slots, valued, findings)
    if not PREQUANTISED.isdisjoint(message.tokens):
        slots.assume("quant", next(token for token in message.tokens if token in PREQUANTISED))


def _data_sets(slots: Slots, named: Mapping[str, list[Found]], message: Message) -> None:
    """What is too much for an epoch or no length: "an epoch of 50k", "200M tokens of legal text", "10k long texts"."""
    for found in named.get("epochs", ()):
        number = found.number
        if number is not None and (number.unit in COUNTING_UNITS or number.value >= FEWEST_OF_AN_EPOCH):
            slots.state("dataset_examples", round(number.things))
    for found in named.get("seq_len", ()):
        number = found.number
        if number is not None and number.length > WHOLE["seq_len"][1] and found.target.phrase in DATA_PHRASES:
            slots.state("dataset_tokens", round(number.things))
        elif number is not None and are_long_things(found, number, message):
            slots.state("dataset_examples", round(number.things))


def _state(
    slots: Slots,
    slot: str,
    good: list[tuple[Found, Any]],
    message: Message,
    findings: Findings,
    clauses: Clauses,
    numbers: Mapping[int, Number],
) -> None:
    """The value that is meant of a slot; one of several to choose from is only assumed."""
    found, value = good[meant(slot, good, message, clauses)]
    if slot not in WITHOUT_UNIT:
        slots.state(slot, value)
        return
    again = said_again(found, message, clauses, numbers)
    others = {other.start for other, _ in good}
    of_choice = again is None and of_a_choice(found, message, findings, numbers, others)
    of_choice = of_choice or (again is None and are_sides(good, findings))
    (slots.assume if of_choice else slots.state)(slot, value if again is None else again)


def _from_others(slots: Slots, message: Message, findings: Findings, numbers: Mapping[int, Number]) -> None:
    """What follows from numbers that phrases named, and what no phrase names."""
    if "hours_per_month" in slots.values:
        slots.assume("hours_per_week", round(slots.drop("hours_per_month") / WEEKS_OF_A_MONTH, 2))
    if "runs_per_week" in slots.values:
        slots.assume("runs_per_month", round(slots.drop("runs_per_week") * WEEKS_OF_A_MONTH))
    if "runs_per_month" in slots.values:
        slots.named["runs_per_month"] = (f"{slots.drop('runs_per_month'):g}",)
    for slot in ("rollout_tp", "rollout_share"):
        if slot in slots.values:  # what is told of the vLLM beside the training
            slots.named[slot] = (f"{slots.drop(slot):g}",)
    state_changes(slots, message, numbers)
    if "micro_batch" not in slots.values:
        _product(slots, message, findings, numbers)
    _accumulates(slots, findings)
    if slots.states("dataset_examples") and (own := rows_owned(message, numbers)) is not None:
        slots.drop("dataset_examples")
        slots.state("dataset_examples", own)
    if (rows := rows_ahead(message, numbers)) is not None:
        slots.state("dataset_examples", rows)
    assume_room(slots)
    if slots.values.get("seq_len", 0) > LONGEST_SEQUENCE:
        slots.state("dataset_tokens", slots.drop("seq_len"))
    ranks_beside(slots, message)
    if "lora_rank" not in slots.values:
        raised_rank(slots, message, numbers)
        glued_rank(slots, message)
        rank_with_alpha(slots, message, numbers)


def _accumulates(slots: Slots, findings: Findings) -> None:
    """ "batch 128, micro 4": 32 micro batches make the batch."""
    if not slots.states("micro_batch") or "grad_accum" in slots.values:
        return
    batches = [f for f in findings.slots if f.target.name == "micro_batch" and f.number is not None]
    finer = [f for f in batches if any(word in words("finer_batch") for word in f.target.phrase.split())]
    whole = [f.number.value for f in batches if f not in finer and f.number is not None]
    micro = slots.values["micro_batch"]
    if finer and len(whole) == 1 and whole[0] > micro and whole[0] % micro == 0:
        slots.assume("grad_accum", int(whole[0] // micro))


def _product(slots: Slots, message: Message, findings: Findings, numbers: Mapping[int, Number]) -> None:
    """ "effective batch 64 (8x8)": the factors of a whole batch are the batch of a card and the accumulation."""
    for found in findings.slots:
        whole = found.number if found.target.section == "ignore" and "batch" in found.target.phrase else None
        first = numbers.get(found.end) if whole is not None else None
        if whole is None or first is None or message.token(first.end) != "x":
            continue
        second = numbers.get(first.end + 1)
        if second is None or first.unit != PLAIN or second.unit != PLAIN:
            continue
        if first.value * second.value == whole.value:
            slots.state("micro_batch", int(first.value))
            slots.state("grad_accum", int(second.value))
            message.take(first.start, second.end)
            return


def _without_data_sets(slots: Slots, good: list[tuple[Found, Any]]) -> list[tuple[Found, Any]]:
    """ "3.2M tokens" and half a million are a data set, "1M context" is a length."""
    kept = []
    for found, value in good:
        number = found.number
        if number is not None and number.unit == "m" and number.value != 1 and found.target.phrase in DATA_PHRASES:
            slots.state("dataset_tokens", round(number.things))
        else:
            kept.append((found, value))
    return kept


def _value(slot: str, found: Found, message: Message, grammar: Grammar) -> Any:
    """The value of a number phrase, None when it is none for this slot."""
    number = found.number
    if number is None and message.token(found.start - 1) in fractions():
        return None  # "ein Drittel einer Epoche"
    if number is None:  # "one epoch"
        counts = grammar.lists["count"]
        word = next((token for token in message.tokens[found.start : found.end] if token in counts), None)
        return float(counts[word]) if slot in IN_WORDS and word else None
    if slot == "lora_rank" and number.start == found.start and own_number(found, message):
        return int(message.tokens[found.end])  # "top_p 0.9 rank 32"
    number = _turned_into(number, message)
    if slot in WITHOUT_UNIT and (number.unit != PLAIN or number.value != int(number.value)):
        return None
    if slot == "micro_batch" and number.start == found.start and own_number(found, message):
        return int(message.tokens[found.end])  # "output 256 batch 8"
    if message.gaps[number.start][-1:] in CURRENCY_MARKS or message.gaps[number.end][:1] in CURRENCY_MARKS:
        return None  # "400€ max"
    if slot in REFUSED and REFUSED[slot](found, number, message):
        return None
    if slot in OTHER:
        low, high = OTHER[slot]
        return number.value if low <= number.value <= high else None
    least, most = WHOLE.get(slot, (1, 10**12))
    whole = number.length if slot in ("seq_len", "tokens_per_example") else round(number.things)
    return whole if least <= whole <= most else None


def _turned_into(number: Number, message: Message) -> Number:
    """The 4096 of "2048 -> 4096", where it is told as the value of a setting."""
    end = number.end
    if end < len(message.tokens) and message.turned_into(end) and message.tokens[end].isdigit():
        after = read_number(message, end)
        if after is not None and (after.unit == number.unit or after.unit in ("", "k")):
            return after
    return number


def own_number(found: Found, message: Message) -> bool:
    """Whether a plain number follows "256 batch" that the batch has for itself."""
    end, tokens = found.end, message.tokens
    if end >= len(tokens) or not tokens[end].isdigit() or message.parts[end] != JOINED or message.taken[end]:
        return False
    after = tokens[end + 1] if end + 1 < len(tokens) else ""
    counts = (message.gaps[end + 1] == "" and after) or after in words("counted_after")
    return not counts and len(tokens[end]) <= LONGEST_BATCH
