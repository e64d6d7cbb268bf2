"""Values of slots from what was found: numbers and words of the grammar, bare lengths, money, the model that is meant."""

from collections.abc import Mapping
from typing import Any

from bot.parser.grammar import Findings, Found, Grammar
from bot.parser.models import Mention, models
from bot.parser.numbers import PLAIN, SIZE, Number
from bot.parser.text import COMMA, GLUED, JOINED, STOP, Message

LENGTHS = frozenset({256, 384, 512, 640, 768, 1024, 1280, 1536, 2048, 3072, 4096, 6144, 8192, 10240, 12288, 16384, 24576, 32768, 65536, 131072})
"""Bare numbers that people only write for a length."""
SHORTEST, LONGEST = 16, 20_000_000
LONGEST_SEQUENCE = 12_000_000
WHOLE = {"seq_len": (SHORTEST, LONGEST), "micro_batch": (1, 4096), "grad_accum": (1, 8192), "lora_rank": (1, 4096), "dataset_examples": (1, 10**10), "dataset_tokens": (1, 10**15)}
OTHER = {"epochs": (0.001, 10_000.0), "ram_gb": (0.5, 100_000.0), "max_hours": (0.01, 100_000.0)}
CURRENCY_MARKS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "CNY", "₹": "INR", "₽": "RUB"}
ONLY_USED_UP = frozenset({"not_tokens", "ignored_memory"})
"""Numbers that phrases name so that nothing else takes them."""
TRUE = {"true": True, "false": False}
MORE_THAN_TWO = 3


class Slots:
    """Slots being gathered: value and source of each."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.sources: dict[str, str] = {}

    def state(self, slot: str, value: Any) -> None:
        """The text says so. The first statement stays."""
        if slot not in self.values or self.sources.get(slot) != "stated":
            self.values[slot], self.sources[slot] = value, "stated"

    def assume(self, slot: str, value: Any) -> None:
        """The text does not say so; it is what is usually meant."""
        if slot not in self.values:
            self.values[slot], self.sources[slot] = value, "assumed"


class Clauses:
    """Which part of a message went wrong: what the asker wants is there, not where it worked."""

    def __init__(self, message: Message, findings: Findings) -> None:
        self.starts = [0]
        for place in range(1, len(message.tokens)):
            if message.parts[place] >= COMMA or message.tokens[place] in ("but", "aber", "while", "whereas", "und", "and", "sondern", "jedoch", "beim", "yet"):
                self.starts.append(place)
        self.bad = {self.of(place) for place in findings.marks.get("oom", ())}
        self.good = {self.of(place) for place in findings.marks.get("works", [])} - self.bad
        self.theirs = findings.marks.get("not_ours", [])
        self.message = message

    def of(self, place: int) -> int:
        """The clause of a token."""
        low, high = 0, len(self.starts)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.starts[middle] <= place else (low, middle)
        return low

    def choose(self, places: list[int]) -> int:
        """Which of several places is meant: one that went wrong, when the first one worked; else the first."""
        own = [number for number, place in enumerate(places) if not self.hearsay(place)] or list(range(len(places)))
        first = own[0]
        if len(own) > 1 and self.of(places[first]) not in self.bad:
            for number in own[1:]:
                if self.of(places[number]) in self.bad and (self.of(places[first]) in self.good or self.good):
                    return number
        return first

    def hearsay(self, place: int) -> bool:
        """Whether somebody else's case is told there."""
        return any(p < place <= p + 10 and all(self.message.parts[q] < STOP for q in range(p + 1, place + 1)) for p in self.theirs)


def from_phrases(slots: Slots, message: Message, findings: Findings, grammar: Grammar, clauses: Clauses, numbers_at: Mapping[int, Number]) -> None:
    """Slots that phrases with a number or a value name."""
    numbers: dict[str, list[Found]] = {}
    values: dict[str, list[Found]] = {}
    for found in findings.slots:
        if found.target.section == "numbers":
            numbers.setdefault(found.target.name, []).append(found)
        elif found.target.section == "values":
            values.setdefault(found.target.name, []).append(found)
    for slot, all_found in numbers.items():
        if slot in ONLY_USED_UP:
            continue
        read = [(found, _value(slot, found, message, grammar)) for found in all_found]
        good = [(found, value) for found, value in read if value is not None and not (slot == "ram_gb" and clauses.hearsay(found.start))]
        if not good:
            continue
        if slot == "seq_len":
            told = [(found.start, value) for found, value in good if _names_a_limit(found, message)] or [(found.start, value) for found, value in good]
            _length(slots, told, message, findings, clauses, numbers_at)
            continue
        chosen = _explicit(slot, good, message, clauses)
        slots.state(slot, good[chosen][1])
    _all_tokens(slots)
    if "lora_rank" not in slots.values:
        _glued_rank(slots, message)
    for slot, all_found in values.items():
        _words(slots, slot, all_found, message, findings)


def _compared(all_found: list[Found], message: Message, findings: Findings) -> bool:
    """Whether the first two are the sides of a choice: "a or b", "a vs b", "a & b"."""
    first = all_found[0]
    second = next((found for found in all_found if found.target.value != first.target.value), None)
    if second is None:
        return False
    between = range(first.end, second.start + 1)
    if second.start - first.end > 3:
        return False
    if second.start - first.end <= 1 and "?" in message.gaps[first.end]:
        return True
    joined = any(message.tokens[place] in ("and", "und", "or", "oder") for place in between if place < second.start)
    return joined or any(place in findings.marks.get("alternative", ()) or "&" in message.gaps[place] for place in between)


LIMIT_WORDS = frozenset("max maximum cutoff cut ctx context contexts kontext kontextlänge seq seqlen sequence length len länge laenge block maxlen sequenzlänge 长度 上".split())


def _names_a_limit(found: Found, message: Message) -> bool:
    """ "120k max", "cutoff 400": the length that is set, not how long the texts are."""
    return any(token in LIMIT_WORDS for token in message.tokens[found.start : found.end])


def _all_tokens(slots: Slots) -> None:
    """So many tokens are a data set, not one sequence."""
    if slots.values.get("seq_len", 0) > LONGEST_SEQUENCE and slots.sources.get("seq_len") == "stated":
        slots.state("dataset_tokens", slots.values.pop("seq_len"))
        del slots.sources["seq_len"]


def _length(slots: Slots, told: list[tuple[int, int]], message: Message, findings: Findings, clauses: Clauses, numbers: Mapping[int, Number]) -> None:
    """A named length; when it worked and a bare one in another part of the message did not, the bare one."""
    place, value = told[clauses.choose([start for start, _ in told])]
    if clauses.of(place) not in clauses.bad:
        used = {found.number.start for found in findings.slots if found.number is not None}
        for number in numbers.values():
            bare = number.unit == "k" and number.start not in used and not message.taken[number.start] and _alone(message, number)
            if bare and clauses.of(number.start) in clauses.bad and not clauses.hearsay(number.start):
                value = number.length
                break
    slots.state("seq_len", value)


def _glued_rank(slots: Slots, message: Message) -> None:
    """ "r8", "r16": a rank; r5, r7 and r9 are processors and r1 is a model."""
    for place, token in enumerate(message.tokens):
        if token[0] == "r" and token[1:].isdigit() and not message.taken[place] and len(token) <= 5:
            rank = int(token[1:])
            if rank in (2, 4) or (rank and rank % 8 == 0 and rank <= 2048):
                slots.state("lora_rank", rank)
                return


def _explicit(slot: str, good: list[tuple[Found, Any]], message: Message, clauses: Clauses) -> int:
    """For the batch: "micro batch" says more than "batch"; else what went wrong says more than what worked."""
    if slot == "micro_batch":
        for place, (found, _) in enumerate(good):
            if any(word in ("micro", "mbs", "device", "microbatch") for word in message.tokens[found.start : found.end]):
                return place
    if slot in ("micro_batch", "grad_accum", "lora_rank"):
        return clauses.choose([found.start for found, _ in good])
    return 0


def _value(slot: str, found: Found, message: Message, grammar: Grammar) -> Any:
    number = found.number
    if number is None:
        counts = grammar.lists["count"]
        word = next((token for token in message.tokens[found.start : found.end] if token in counts), None)
        return float(counts[word]) if slot == "epochs" and word else None
    if slot in ("micro_batch", "grad_accum", "lora_rank") and (number.unit != PLAIN or message.gaps[number.start].strip() == "-" and message.gaps[number.start] == "-" and slot == "micro_batch"):
        return None
    if slot == "epochs" and message.tokens[found.start] in ("epoch", "epoche") and number.start > found.start and not set(message.gaps[number.start]) & set("=:"):
        return None
    if slot in OTHER:
        low, high = OTHER[slot]
        return number.value if low <= number.value <= high else None
    low, high = WHOLE.get(slot, (1, 10**12))
    value = number.length if slot == "seq_len" else round(number.count)
    if slot not in ("seq_len", "dataset_examples", "dataset_tokens") and number.value != int(number.value):
        return None
    return value if low <= value <= high else None


def _words(slots: Slots, slot: str, all_found: list[Found], message: Message, findings: Findings) -> None:
    values = list(dict.fromkeys(str(found.target.value) for found in all_found))
    if slot == "method":
        _method(slots, values, _compared(all_found, message, findings))
    elif slot == "weight_bits":
        lean = [value for value in values if value != "16"]
        compared = len(values) > 1 and _compared(all_found, message, findings)
        if lean and not compared:
            slots.state(slot, float(lean[0]))
    elif slot == "optimizer":
        if len(values) < MORE_THAN_TWO:
            slots.state(slot, values[0])
    elif slot == "trainer":
        ours = [value for value in values if value not in ("peft", "hf", "trl")] or values
        if ours == ["peft"] and not any(message.tokens[found.start - 1] in ("in", "with", "mit", "using") for found in all_found if found.start):
            slots.assume("trainer", "peft")
            return
        if len(ours) > 1:
            slots.values["_trainers"] = tuple(ours)
        if len(ours) == 1 or not _compared(all_found, message, findings):
            slots.state(slot, ours[0])
    elif slot in ("grad_checkpointing", "packing", "fused_loss"):
        slots.state(slot, TRUE.get(values[-1], True))
    elif slot == "os":
        slots.state(slot, "windows-wsl2" if "windows-wsl2" in values else values[0])
    elif slot == "offload":
        kind = "none" if "none" in values else next((v for v in ("nvme", "params", "optimizer", "activations") if v in values), values[0])
        slots.state(slot, kind)
    elif slot == "sharding" and len(values) > 1:
        slots.assume(slot, values[0])
    elif slot == "lora_targets":
        slots.state(slot, values[0])
    else:
        slots.state(slot, values[0])


def _method(slots: Slots, values: list[str], compared: bool) -> None:
    """One method is stated; of two the leaner one is what the question is about; three are a question which."""
    slots.values["_methods"] = tuple(values)
    if len(values) >= MORE_THAN_TWO or compared:
        return
    slots.state("method", next(method for method in ("qlora", "dora", "lora", "full") if method in values))


def bare_lengths(slots: Slots, message: Message, numbers: Mapping[int, Number], clauses: Clauses, taken: list[bool]) -> None:
    """Numbers that stand alone and are a length: "4k", "32K", 2048."""
    if slots.sources.get("seq_len") == "stated":
        return
    places = []
    for number in numbers.values():
        if taken[number.start] or not _alone(message, number):
            continue
        if number.unit == "k" and 0.25 <= number.value <= 2048 or number.unit == PLAIN and number.value in LENGTHS:
            places.append(number)
    if places:
        slots.state("seq_len", places[clauses.choose([number.start for number in places])].length)


def _alone(message: Message, number: Number) -> bool:
    before = message.gaps[number.start]
    if before[-1:] in CURRENCY_MARKS or (before == "-" and number.start) or before[-1:] in ("#", "@", "%"):
        return False
    if number.start and message.parts[number.start] == GLUED and message.tokens[number.start - 1].isascii():
        return False
    if number.start and message.tokens[number.start - 1] in NOT_A_LENGTH:
        return False
    if "x" in message.tokens[number.end : number.end + 1] or (number.start and message.tokens[number.start - 1] == "x"):
        return False
    if number.end < len(message.tokens):
        after = message.tokens[number.end]
        if message.gaps[number.end][:1] in CURRENCY_MARKS or message.gaps[number.end][:1] == "%":
            return False
        if message.parts[number.end] <= JOINED and after in NOT_AFTER_A_LENGTH:
            return False
    return True


NOT_A_LENGTH = frozenset("step steps shows epoch version build version cuda driver alpha port issue progress usd eur got only earn dataset year seit of in".split())
NOT_AFTER_A_LENGTH = frozenset("usd eur euro euros dollars dollar bucks steps step of rows examples samples people users watts mhz rpm mb kb lines chars characters words monitor gaming video resolution res".split())


def choose_model(slots: Slots, mentions: list[Mention], sizes: list[tuple[int, int, float]], clauses: Clauses, message: Message) -> None:
    """The model or the size that the question is about; further ones are alternatives."""
    book = models()
    named = [mention for mention in mentions if mention.id or mention.size] or mentions
    if named:
        sized = [mention for mention in named if mention.size is not None] or named
        chosen = sized[clauses.choose([mention.start for mention in sized])]
        _named(slots, chosen, [m for m in named if m is not chosen], sizes)
        return
    usable = [(start, end, value) for start, end, value in sizes if not _beside_the_point(message, start, end)]
    if not usable:
        return
    start, _, value = usable[clauses.choose([start for start, _, _ in usable])]
    slots.state("params_b", value)
    others = [f"{v:g}B" for _, _, v in usable if v != value]
    if others:
        slots.state("models", tuple(dict.fromkeys(others))[:8])
    hub_id = book.shapes.get(value)
    if hub_id is not None:
        slots.assume("model", hub_id)


def _named(slots: Slots, chosen: Mention, others: list[Mention], sizes: list[tuple[int, int, float]]) -> None:
    book = models()
    if chosen.id is not None:
        slots.state("model", chosen.id)
        size = chosen.size
        if size is not None:
            slots.state("params_b", size)
        else:
            slots.assume("params_b", round(book.params[chosen.id], 3))
        if chosen.others:
            slots.values["_ambiguous_model"] = chosen.others
    else:
        slots.values["_unknown_model"] = chosen.written
        if chosen.size is not None:
            slots.state("params_b", chosen.size)
    if chosen.bits is not None:
        slots.state("weight_bits", float(chosen.bits))
    names = [mention.id or mention.written for mention in others if mention.id != chosen.id]
    if names:
        slots.state("models", tuple(dict.fromkeys(names))[:8])


def _beside_the_point(message: Message, start: int, end: int) -> bool:
    """A size that is not the model's: "only 3B active", "1B more params", "2B tokens"."""
    after = message.tokens[end] if end < len(message.tokens) and message.parts[end] <= JOINED else ""
    before = message.tokens[start - 1] if start else ""
    return after in ("active", "aktiv", "aktive", "more", "tokens", "token", "ap") or before in ("active",)


def money(slots: Slots, message: Message, numbers: Mapping[int, Number], grammar: Grammar) -> bool:
    """An amount with a currency, or after "budget". A price per hour is no budget; it only tells the currency.

    Returns whether there is a price per hour.
    """
    hourly = False
    currencies = grammar.lists["currency"]
    for number in numbers.values():
        if number.unit not in (PLAIN, "k", "thousand"):
            continue
        currency = _currency(message, number, currencies)
        if currency is None and number.value != int(number.value) and _per_hour(message, number, grammar):
            currency = "USD"
        budget_word = number.start and any(word in ("budget", "spend", "ausgeben", "under", "unter", "max") for word in message.tokens[max(0, number.start - 4) : number.start])
        if currency is None and not (number.start and any(word == "budget" for word in message.tokens[max(0, number.start - 3) : number.start]) and not message.taken[number.start]):
            continue
        if currency and _per_hour(message, number, grammar):
            slots.assume("currency", currency)
            hourly = True
            continue
        if budget_word or currency:
            slots.state("budget", number.count)
            if currency:
                slots.state("currency", currency)
            message.take(number.start, number.end)
    return hourly


def _currency(message: Message, number: Number, currencies: Mapping[str, str]) -> str | None:
    before = message.gaps[number.start].strip()
    if before[-1:] in CURRENCY_MARKS:
        return CURRENCY_MARKS[before[-1]]
    if number.end < len(message.gaps):
        after = message.gaps[number.end].strip()
        if after[:1] in CURRENCY_MARKS:
            return CURRENCY_MARKS[after[0]]
        if number.end < len(message.tokens) and message.parts[number.end] <= JOINED:
            found = currencies.get(message.tokens[number.end])
            if found:
                return found
    if number.start and message.parts[number.start] <= JOINED:
        return currencies.get(message.tokens[number.start - 1]) if message.tokens[number.start - 1] not in ("rs",) else None
    return None


def _per_hour(message: Message, number: Number, grammar: Grammar) -> bool:
    hours = grammar.lists["per_hour"]
    following = message.tokens[number.end : number.end + 3]
    gaps = message.gaps[number.end : number.end + 3]
    for word, gap in zip(following, gaps, strict=False):
        if word in hours and ("/" in gap or len(following) > 1 and following[0] in ("per", "an", "pro", "die", "a", "usd", "eur", "euro", "dollar", "dollars", "bucks")):
            return True
    return False


def inferred(slots: Slots, findings: Findings, cards_unified: bool) -> None:
    """What follows from what is stated: QLoRA is 4-bit, 4-bit training is QLoRA, ZeRO is DeepSpeed."""
    values = slots.values
    methods = values.get("_methods", ())
    bits = values.get("weight_bits")
    if values.get("method") == "qlora" and slots.sources.get("method") == "stated" and bits is None:
        slots.state("weight_bits", 4.0)
    if bits == 4 and "method" not in values and len(methods) < MORE_THAN_TWO:
        slots.assume("method", "qlora")
    if bits == 4 and values.get("method") == "lora" and len(methods) == 1:
        slots.values["method"] = "qlora"
    if values.get("lora_rank") and "method" not in values:
        slots.assume("method", "lora")
    if "method" not in values and not methods and (values.get("sharding") in ("zero2", "zero3", "fsdp") or values.get("algorithm") == "sft"):
        slots.assume("method", "full")
    if values.get("trainer") == "peft" and "method" not in values and not methods:
        slots.assume("method", "qlora" if bits == 4 else "lora")
    if "deepspeed" in findings.marks and "trainer" not in values:
        slots.assume("trainer", "deepspeed")
    if cards_unified:
        slots.assume("os", "macos")


UNITS_OF_SIZE = (SIZE,)
