"""Without FlashAttention PyTorch's own attention does: what eager attention costs more, where it is what is counted.

Source: PyTorch, scaled_dot_product_attention (memory-efficient kernel from compute capability 5.0; the default of
transformers); estimator.
"""

from advisor.advice import Finding, correct
from advisor.case import Case
from advisor.query import Kind

ON = ("attention",)
KINDS = frozenset({Kind.FITS_CHECK, Kind.WHICH_GPU, Kind.CONTEXT_LENGTH, Kind.MULTI_GPU})
WORTH = 0.02
"""Share of the need from which the difference is worth a figure."""


def check(case: Case) -> Finding | None:
    """Say that no FlashAttention is no obstacle, and what eager attention would cost."""
    if case.query.attention != "eager" or case.advice is None or case.advice.kind not in KINDS or not case.sized:
        return None
    eager, own = (case.need(case.stacks[0], attention=how).device for how in ("eager", "sdpa"))
    more = eager - own
    return correct(more=more if more > WORTH * own else None, tokens=case.seq_len)
