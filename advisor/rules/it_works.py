"""What the asker saw running is not called impossible: a shorter length explains it.

Source: activations and logits grow with length times batch.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.changes import GOOD

LENGTHS = (4096, 2048, 1024, 512, 256, 128)
REFUSED = frozenset({"no", "unlikely", "too_big", "asked_too_long", "asked_fits_with"})
COSTLY = True

ON = ("it_works",)


def check(case: Case) -> Finding | None:
    """What the asker saw running is not called impossible: a shorter length explains it."""
    advice = case.advice
    if "it_works" not in case.symptoms or advice is None or advice.verdict.code not in REFUSED or case.usable is None:
        return None
    length = next((n for n in LENGTHS if case.need(case.stacks[0], seq_len=n).fit in GOOD), None)
    return stop(tokens=length, seq_len=case.seq_len, device=case.lean.device) if length else None
