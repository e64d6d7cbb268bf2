"""What phrases seem to tell and the words around them take back: "no OOM shown", "no cuda error", "slow is ok"."""

from bot.parser.findings import Findings, Found
from bot.parser.text import COMMA, Message
from bot.parser.words import words

MEMORY_RAN_OUT, LATER = "oom", "oom_later"
DENYING = frozenset({"no", "denied_by_verb", "does_not"})
"""Lists of words by which something did not happen."""
PASSED = 2
"""Words such as "a CUDA" between "no" and what did not happen."""
ACCEPTED_REACH = 3
"""Tokens behind "slow" in which it may be called fine."""
NOT_SEEN = "no_gpu_found"
NO_MEMORY_ERRORS = frozenset({"illegal_access", "at_import"})
"""Symptoms of errors that are none of memory."""
SAVES, SAVING = "save", "oom_save"
"""The mark and the symptom of what is written: "shouldn't it save memory" writes nothing."""
READS = frozenset({"start_over", "resumed"})
"""Symptoms whose checkpoint is one that is there already: "do I lose the checkpoint"."""
IDLES, STANDS = "low_use", "hangs"
FROM_OUTSIDE = frozenset({"cut_off", "fears_loss"})
"""Symptoms of a run that a person or a power cut ended: "crashed" and "abgebrochen" then tell of no memory."""


def take_back(findings: Findings, message: Message) -> None:
    """Leaves out what is denied. Most messages deny nothing."""
    said = message.said
    if MEMORY_RAN_OUT in findings.marks and not DENYING.isdisjoint(said):
        denied = {place for place in findings.marks[MEMORY_RAN_OUT] if _did_not_happen(message, place)}
        _without(findings, denied)
    told = {found.target.name for found in findings.evidence} if MEMORY_RAN_OUT in findings.marks else set()
    if not NO_MEMORY_ERRORS.isdisjoint(told) or told >= FROM_OUTSIDE:
        _without(findings, {place for place in findings.marks[MEMORY_RAN_OUT] if _is_any_error(message, place)})
    if SAVES in findings.marks and not any(_writes(place, message, findings) for place in findings.marks[SAVES]):
        findings.evidence = [found for found in findings.evidence if found.target.name != SAVING]
    if any(found.target.name == IDLES for found in findings.evidence):
        findings.evidence = [found for found in findings.evidence if not _is_its_load(found, findings)]
    if "error_words" in said or "accepting" in said:
        findings.evidence = [found for found in findings.evidence if not _is_else(found, message)]


def _writes(place: int, message: Message, findings: Findings) -> bool:
    """Whether a word for saving tells that something is written."""
    if message.token(place + 1) in words("saved_space"):
        return False
    return not any(found.target.name in READS and found.start <= place < found.end for found in findings.evidence)


def _is_its_load(found: Found, findings: Findings) -> bool:
    """ "the GPU load hangs below 20 %": nothing stands still."""
    return found.target.name == STANDS and any(
        other.target.name == IDLES and other.start < found.start < other.end for other in findings.evidence
    )


def _without(findings: Findings, places: set[int]) -> None:
    """Drops the marks and symptoms that start at some places."""
    if not places:
        return
    kept = [place for place in findings.marks[MEMORY_RAN_OUT] if place not in places]
    if kept:
        findings.marks[MEMORY_RAN_OUT] = kept
    else:
        del findings.marks[MEMORY_RAN_OUT]
    findings.covered = [(start, end) for start, end in findings.covered if start not in places]
    findings.evidence = [
        found
        for found in findings.evidence
        if found.target.section != "symptoms"
        or not (found.start in places or (not kept and found.target.name == LATER))
        or not found.target.name.startswith(MEMORY_RAN_OUT)
    ]


def _is_any_error(message: Message, place: int) -> bool:
    """The "CUDA error" of "CUDA error: an illegal memory access" tells of no memory, nor does "bricht ab"."""
    return message.token(place) not in words("surely_memory")


def _did_not_happen(message: Message, place: int) -> bool:
    """ "no OOM", "without a CUDA OOM", "it doesn't crash": a "no" right before, with small words between."""
    for before in range(place - 1, max(-1, place - 2 - PASSED), -1):
        if message.parts[before + 1] >= COMMA:
            return False
        word = message.tokens[before]
        if word in words("denied_by_verb") or _is_not_of(message, before):
            return True
        if word in words("denying_a_thing"):
            return message.token(before - 1) not in words("asking_why")
        if word not in words("of_an_error"):
            return False
    return False


def _is_not_of(message: Message, place: int) -> bool:
    """The t of "doesn't crash"."""
    shortened = message.tokens[place] in words("shortened_not")
    return shortened and message.token(place - 1) in words("does_not") | words("do_not")


def _is_else(found: Found, message: Message) -> bool:
    """ "no cuda error" says nothing about a card that is not seen; "slow is ok" is no complaint."""
    target = found.target
    if target.section != "symptoms":
        return False
    if target.name == NOT_SEEN:
        return message.token(found.end) in words("error_words")
    if target.name != "slow":
        return False
    at = found.end
    while (
        at < found.end + ACCEPTED_REACH and message.token(at) in words("before_accepting") and message.parts[at] < COMMA
    ):
        at += 1
    fine = message.token(at) in words("accepting") and message.parts[at] < COMMA
    return fine and at > found.end and "?" not in message.gaps[at + 1]
