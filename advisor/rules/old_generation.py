"""Pascal and Volta are at the end of their software support.

Source: CUDA 13 release notes (drops Maxwell, Pascal, Volta); Unsloth needs compute capability 7.0.
"""

from advisor.advice import Finding, warn
from advisor.case import Case, short_name

VOLTA, TURING = (7, 0), (7, 5)


def check(case: Case) -> Finding | None:
    """Pascal and Volta are at the end of their software support."""
    old = [gpu for gpu in case.gpus if gpu.cuda_capability is not None and gpu.cuda_capability < TURING]
    if not old:
        return None
    return warn(card=short_name(old[0]), pascal=old[0].cuda_capability < VOLTA)
