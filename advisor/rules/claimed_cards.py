"""Cards that somebody says a run needs, held against the smallest that holds it.

Source: estimator.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import short_name
from advisor.tiers import smallest

ON = ("named",)
SAID = 2
KINDS = frozenset({Kind.FITS_CHECK, Kind.WHICH_GPU, Kind.CONTEXT_LENGTH, Kind.MULTI_GPU, Kind.METHOD_CHOICE})


def check(case: Case) -> Finding | None:
    """Whether it takes those cards, and what does."""
    said = case.query.named.get("claimed_cards", ())
    if len(said) != SAID or not case.sized or case.query.kind not in KINDS or said[0] not in case.catalog.gpus:
        return None
    gpu, count = case.catalog.gpus[said[0]], int(said[1])
    least = smallest(case, case.lean)
    if least is None:
        return None
    return stop(
        card=short_name(gpu),
        count=count,
        least=least,
        need=case.lean.device,
        stack=case.lean.stack,
        method=case.method,
        tokens=case.seq_len,
        needless=least < gpu.vram_gb or count > 1,
    )
