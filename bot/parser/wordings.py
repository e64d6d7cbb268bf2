"""Slots that are words: what phrases state, which of several is meant, and what follows from them."""

from collections import Counter
from itertools import pairwise

from bot.parser.clauses import Clauses, is_denied
from bot.parser.findings import Findings, Found
from bot.parser.slots import Slots
from bot.parser.text import COMMA, Message
from bot.parser.unchosen import NOT_CHOSEN, SWITCHES, without_unchosen
from bot.parser.words import words

LATER_REACH = 8
"""Tokens after "later" that belong to it."""
NEAR, FAR = 3, 8
"""Tokens between two sides of a choice, and when "or" stands right before the second."""
TRUTH = {"true": True, "false": False}
MORE_THAN_TWO = 3
FEWEST_WEIGHED = 4
"""Two methods, each named twice."""
BITS = frozenset({"3", "4", "8", "16"})
"""Bits of a weight that stand in a list without the word."""
NAMED_APART = frozenset({"method", "optimizer", "sharding", "weight_bits", "algorithm"})
"""Slots whose several values may be what is asked about."""
OF_THE_FAILURE = frozenset({"trainer", "compute_dtype", "sharding", "attention"})
"""Slots of which the value that failed is meant, when another one worked."""
LIBRARIES = frozenset({"peft", "hf"})
"""Libraries that every trainer needs."""
NO_TRAINER_ALONE = LIBRARIES | {"trl"}
"""Libraries under the other trainers: named beside one of those, they are not the choice."""


def state_words(
    slots: Slots, slot: str, all_found: list[Found], message: Message, findings: Findings, clauses: Clauses
) -> None:
    """A slot whose values are words: the first one, with what is special about some."""
    if clauses.turned:
        all_found = _unturned(slots, slot, all_found, message, clauses)
        if not all_found:
            return
    if not NOT_CHOSEN.isdisjoint(message.said):
        all_found = without_unchosen(slots, slot, all_found, message)
        if not all_found:
            return
    if slot == "weight_bits" and all_found and (listed := _listed(all_found[0], message)):
        slots.named[slot] = tuple(dict.fromkeys((*listed, *_values(all_found))))
        return
    if len(all_found) > 1 and slot in NAMED_APART and len(named := _values(all_found)) > 1:
        slots.named[slot] = tuple(named)
    all_found = _meant(slots, slot, all_found, message, clauses)
    values = _values(all_found)
    compared = len(values) > 1 and _compared(all_found, message, findings)
    if slot == "method":
        _method(slots, values, compared or _weighed(all_found))
        chosen = len(all_found) == 1 and _of_a_choice(all_found[0], findings)
        if slots.states("method") and (chosen or [found for found in all_found if _is_result(found, message)]):
            slots.sources["method"] = "assumed"
    elif slot == "trainer":
        if all_found:
            _trainer(slots, values, compared, all_found, message)
    elif slot == "weight_bits":
        if not compared:
            _bits(slots, values, any(_wondered(found, message) for found in all_found))
    elif slot == "algorithm":
        failed = next((found for found in all_found if clauses.of(found.start) in clauses.bad), all_found[0])
        slots.state(slot, str(failed.target.value))
    else:
        _by_rank(slots, slot, values)


def _values(all_found: list[Found]) -> list[str]:
    """The values, each once."""
    return list(dict.fromkeys([str(target.value) for _, _, target, _ in all_found]))


def _listed(found: Found, message: Message) -> list[str]:
    """The bits of a list before the last of them: 4 and 8 of "4, 8 or 16 bit"."""
    joins = words("joining_choices")
    bits: list[str] = []
    at = found.start - 1
    while (token := message.token(at)) in BITS or (token in joins and message.token(at - 1) in BITS):
        bits[:0] = [token] if token in BITS else []
        at -= 1
    return bits


def _bits(slots: Slots, values: list[str], wondered: bool) -> None:
    """The first that is leaner than 16 bits. `wondered`: they are only asked about."""
    lean = next((float(value) for value in values if value != "16"), None)
    if lean is not None:
        (slots.assume if wondered else slots.state)("weight_bits", lean)


def _by_rank(slots: Slots, slot: str, values: list[str]) -> None:
    """The value that says most, else the first; of three optimizers none, of two ways to shard the first is likely."""
    if slot in SWITCHES:
        slots.state(slot, "unsloth" if "unsloth" in values else TRUTH.get(values[-1], True))
    elif slot == "sharding" and len(values) > 1:
        slots.assume(slot, values[0])
    elif slot != "optimizer" or len(values) < MORE_THAN_TWO:
        slots.state(slot, next((value for value in RANKED.get(slot, ()) if value in values), values[0]))


def _meant(slots: Slots, slot: str, all_found: list[Found], message: Message, clauses: Clauses) -> list[Found]:
    """The asker's own ones; of those of which some worked, the one that failed."""
    if slot == "trainer":
        all_found = _own_trainers(slots, _moved_to(all_found, message), message, clauses)
    elif clauses.theirs:
        all_found = [found for found in all_found if not clauses.hearsay(found.start)] or all_found
    if slot == "method" and len(all_found) > 1 and clauses.good and clauses.bad:
        return _switched_to(all_found, clauses) or all_found
    if len(all_found) > 1 and clauses.good and clauses.bad and slot in OF_THE_FAILURE:
        failed = all_found[clauses.choose([found.start for found in all_found])]
        if clauses.of(failed.start) in clauses.bad:
            all_found = [found for found in all_found if found.target.value == failed.target.value]
    return all_found


def _switched_to(all_found: list[Found], clauses: Clauses) -> list[Found]:
    """ "lora ok on an A800. switch to full -> OOM. does full even fit?": the way that fails after another one ran."""
    good, bad = clauses.sentences_of(clauses.good), clauses.sentences_of(clauses.bad)
    ran = [found for found in all_found if clauses.sentence(found.start) in good - bad]
    failed = [found for found in all_found if clauses.sentence(found.start) in bad]
    values = {found.target.value for found in failed}
    if not ran or len(values) != 1 or ran[0].start > failed[0].start or values & {f.target.value for f in ran}:
        return []
    return [found for found in all_found if found.target.value in values]


RANKED = {"os": ("windows-wsl2",), "offload": ("none", "nvme", "params", "optimizer", "activations")}
"""Where several words fit, the one that says most."""


def _moved_to(all_found: list[Found], message: Message) -> list[Found]:
    """The second of "moved from axolotl to unsloth"."""
    if len(all_found) < 2 or "from_amount" not in message.said:
        return all_found
    for before, found in pairwise(all_found):
        came = not words("from_amount").isdisjoint(message.tokens[before.start - 1 : before.start])
        to = message.tokens[found.start - 1 : found.start]
        if came and found.start - before.end <= NEAR and to and to[0] in words("towards"):
            return [other for other in all_found if other.target.value != before.target.value]
    return all_found


def _own_trainers(slots: Slots, all_found: list[Found], message: Message, clauses: Clauses) -> list[Found]:
    """Without those of a name on the Hub ("unsloth/Qwen3-14B") and of somebody else: they are only likely."""
    inside = [
        found
        for found in all_found
        if _is_joined(found, message) or clauses.hearsay(found.start) or _is_listed(found, message)
    ]
    apart = [found for found in all_found if found not in inside]
    if inside and not apart:
        slots.assume("trainer", str(inside[0].target.value))
    return apart


def _is_joined(found: Found, message: Message) -> bool:
    """Whether the tokens belong to a name, or stand before one as its owner."""
    taken, gaps, start, end = message.taken, message.gaps, found.start, found.end
    owner = gaps[end] == "/" and end < len(taken) and taken[end]
    return owner or (taken[start] and (gaps[start] in ("-", "_", "/") or gaps[end] in ("-", "_", "/")))


def _is_listed(found: Found, message: Message) -> bool:
    """A library with its version, "peft 0.13.0", and the launcher of a script: what is installed, not what trains."""
    if str(found.target.value) not in LIBRARIES or found.end >= len(message.tokens):
        return False
    following = message.tokens[found.end]
    return following.count(".") >= 1 + ("=" not in message.gaps[found.end]) or following in words("launching")


def _unturned(slots: Slots, slot: str, all_found: list[Found], message: Message, clauses: Clauses) -> list[Found]:
    """Without what is denied, put off or only wished for; states what follows from that."""
    denied = [found for found in all_found if is_denied(found, message)]
    kept = [found for found in all_found if found not in denied]
    if denied and not kept:
        if slot in SWITCHES:
            slots.state(slot, False)
        adapters = slot == "method" or (slot == "trainer" and {str(found.target.value) for found in denied} == {"peft"})
        if adapters and "method" not in slots.values:
            (slots.state if not words("whole").isdisjoint(message.tokens) else slots.assume)("method", "full")
        return []
    if slot == "method" and len(kept) == 1 and _is_later(kept[0], message, clauses):
        slots.assume(slot, str(kept[0].target.value))  # "run it now, later maybe a bit of LoRA"
        slots.later = True
        return []
    if slot in NAMED_APART and len(kept) > 1:
        kept = [found for found in kept if not _is_later(found, message, clauses)] or kept
    if slot in ("method", "attention", "optimizer"):
        wishes = [found for found in kept if is_wish(found, message)]
        if wishes and len(wishes) == len(kept):
            slots.assume(slot, str(wishes[0].target.value))
            return []
        kept = [found for found in kept if found not in wishes]
    return kept


def _is_later(found: Found, message: Message, clauses: Clauses) -> bool:
    """ "8b full, later maybe 32b by lora": what comes after this question."""
    if "later" not in message.said:
        return False
    before = range(max(0, found.start - LATER_REACH), found.start)
    return any(message.tokens[p] in words("later") and clauses.of(p) == clauses.of(found.start) for p in before)


def _compared(all_found: list[Found], message: Message, findings: Findings) -> bool:
    """Whether the first two are the sides of a choice: "a or b", "a vs b", "a & b", "a? b?"."""
    first = all_found[0]
    second = next((found for found in all_found if found.target.value != first.target.value), None)
    if second is None:
        return False
    if second.start - first.end > NEAR:
        # "lora rank 8 vs 64 vs full"
        places = findings.marks.get("alternative", ())  # "... vs full", "... faster than axolotl"
        return second.start - first.end <= FAR and (second.start - 1 in places or second.start - 2 in places)
    if first.target.name == "weight_bits" and second.start - first.end <= 1 and "?" in message.gaps[first.end]:
        return True  # "nf4? 8bit?"
    joins = words("joins") | words("joining_choices")
    if any(message.tokens[place] in joins for place in range(first.end, second.start)):
        return True
    if _measured(first, message) and _measured(second, message):
        return True  # "Unsloth 11 GB, TRL 17 GB"
    between = range(first.end, second.start + 1)
    return any(place in findings.marks.get("alternative", ()) or "&" in message.gaps[place] for place in between)


def _measured(found: Found, message: Message) -> bool:
    """Whether an amount stands right behind."""
    behind = message.tokens[found.end : found.end + 2]
    return len(behind) > 1 and behind[0][0].isdigit() and behind[1] in ("gb", "gib", "g")


def _of_a_choice(found: Found, findings: Findings) -> bool:
    """ "GaLore or LoRA?": a method beside a word for a choice."""
    places = findings.marks.get("alternative", ())
    return found.start - 1 in places or found.end in places


def _is_result(found: Found, message: Message) -> bool:
    """ "full 95% / lora 91%": how well a method did, not the one that is asked about."""
    end = found.end
    return end < len(message.tokens) and message.tokens[end][0].isdigit() and message.gaps[end + 1][:1] == "%"


def _wondered(found: Found, message: Message) -> bool:
    """ "need 4bit?", "soll ich 4bit nehmen?": a way that is asked about, not the one that was taken."""
    tokens, gaps, end = message.tokens, message.gaps, found.end
    asked = any("?" in gaps[place] for place in range(end, min(len(gaps), end + 2)))
    if is_wish(found, message):
        return True
    return asked and any(token in words("wondering") for token in tokens[max(0, found.start - 3) : found.start])


def is_wish(found: Found, message: Message) -> bool:
    """ "QLoRA instead?", "4 bit model instead?": what the asker thinks of doing next."""
    for place in range(found.end, min(len(message.tokens), found.end + 3)):
        if message.parts[place] >= COMMA:
            return False
        if message.tokens[place] in words("instead"):
            return words("of").isdisjoint(message.tokens[place + 1 : place + 2])
    return False


def _weighed(all_found: list[Found]) -> bool:
    """Two methods that are both named again and again: their results are compared."""
    if len(all_found) < FEWEST_WEIGHED:
        return False
    counts = Counter(found.target.value for found in all_found)
    return len(counts) > 1 and min(counts.values()) > 1


def _method(slots: Slots, values: list[str], compared: bool) -> None:
    """One method is stated; of two the leaner one is what the question is about; a choice or three are a question."""
    slots.methods = tuple(values)
    if len(values) < MORE_THAN_TWO and not compared:
        slots.state("method", next(method for method in ("dora", "qlora", "lora", "full") if method in values))


def _trainer(slots: Slots, values: list[str], compared: bool, all_found: list[Found], message: Message) -> None:
    ours = [value for value in values if value not in NO_TRAINER_ALONE] or values
    if "trl" in ours:  # "trl+peft"
        ours = [value for value in ours if value not in LIBRARIES]
    if ours == ["peft"] and not any(
        found.start and message.tokens[found.start - 1] in words("with") for found in all_found
    ):
        slots.assume("trainer", "peft")  # "peft 8bit" names the method, "in peft" the library
        return
    if len(ours) > 1:
        slots.trainers = tuple(ours)
    if compared:
        slots.named["trainer"] = tuple(values)
    if len(ours) == 1 or not compared:
        (slots.assume if compared else slots.state)("trainer", ours[0])
