"""What the asker saw running is not called impossible: a shorter length explains it.

Source: activations and logits grow with length times batch.
"""

from advisor.advice import Finding, correct, stop
from advisor.case import Case
from advisor.changes import GOOD
from advisor.stacks import GIB
from advisor.topics.oom_help import FAILURES
from advisor.verdicts import FAILS

LENGTHS = (4096, 2048, 1024, 512, 256, 128)
COSTLY = True

ON = ("it_works", "seen_gib")
SIDE_BY_SIDE = ("algorithm", "method", "trainer")


def check(case: Case) -> Finding | None:
    """What the asker saw running is not called impossible: a shorter length explains it."""
    advice = case.advice
    if advice is None or advice.verdict.code not in FAILS or case.usable is None or case.query.seq_len:
        return None
    if not ("it_works" in case.symptoms or _seen_running(case)):
        return None
    if case.symptoms & FAILURES and any(len(case.query.named.get(slot, ())) > 1 for slot in SIDE_BY_SIDE):
        return None  # one of two ran, the other did not
    length = next((n for n in LENGTHS if case.need(case.stacks[0], seq_len=n).fit in GOOD), None)
    speak = correct if case.claims else stop  # a wrong belief is what the question is about
    return speak(tokens=length, seq_len=case.seq_len, device=case.lean.device) if length else None


def _seen_running(case: Case) -> bool:
    """A reading that the card holds, and no failure beside it."""
    seen = int((case.query.seen_gib or 0) * GIB)
    return 0 < seen <= (case.usable or 0) and not case.symptoms & FAILURES
