"""Reserved but unused memory: the allocator's blocks do not fit the next request.

Source: PyTorch documentation, PYTORCH_CUDA_ALLOC_CONF.
"""

from advisor.advice import Finding, warn
from advisor.case import Case

ON = ("fragmented",)


def check(case: Case) -> Finding | None:
    """Reserved but unused memory: the allocator's blocks do not fit the next request."""
    if "fragmented" not in case.symptoms or (case.advice and case.advice.verdict.code == "fragmented"):
        return None
    return None if "segments_on" in case.symptoms else warn()
