"""What the asker saw running is not called impossible: a shorter length explains it.

Source: activations and logits grow with length times batch.
"""

from advisor.advice import Finding, correct, stop
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.topics.running import runs_to, seen_running
from advisor.verdicts import FAILS

COSTLY = True

ON = ("it_works", "seen_gib")
SIDE_BY_SIDE = ("algorithm", "method", "trainer")


def check(case: Case) -> Finding | None:
    """What the asker saw running is not called impossible: a shorter length explains it."""
    advice = case.advice
    if advice is None or advice.verdict.code not in FAILS or case.usable is None or case.query.seq_len:
        return None
    if not ("it_works" in case.symptoms or seen_running(case)):
        return None
    if case.symptoms & FAILURES and any(len(case.query.named.get(slot, ())) > 1 for slot in SIDE_BY_SIDE):
        return None  # one of two ran, the other did not
    length = runs_to(case)
    speak = correct if case.claims else stop  # a wrong belief is what the question is about
    return speak(tokens=length, seq_len=case.seq_len, device=case.lean.device) if length else None
