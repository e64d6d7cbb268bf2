"""What the asker saw running: it is granted, whatever the estimate says.

Source: measured beats estimated; activations and logits grow with length times batch.
"""

from advisor.asked import FAILURES
from advisor.case import Case
from advisor.stacks import GOOD

LENGTHS = (4096, 2048, 1024, 512, 256, 128)


def seen_running(case: Case) -> bool:
    """A reading that the card holds, and no failure beside it."""
    return 0 < case.seen <= (case.usable or 0) and not case.symptoms & FAILURES


def runs(case: Case) -> bool:
    """The asker says that it works, and of nothing that fails; or names a reading, and no length, without a belief."""
    if "it_works" in case.symptoms:
        return not case.symptoms & FAILURES
    return seen_running(case) and case.query.seq_len is None and not case.claims


def runs_to(case: Case) -> int | None:
    """The longest usual length that the card holds on the leanest stack, where nobody stated one."""
    if case.query.seq_len is not None:
        return None
    return next((n for n in LENGTHS if case.need(case.stacks[0], seq_len=n).fit in GOOD), None)
