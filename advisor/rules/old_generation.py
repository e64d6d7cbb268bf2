"""Pascal cards are at the end of their software support, and slow in fp16.

Source: CUDA 13 release notes (drops Maxwell, Pascal, Volta); Unsloth needs compute capability 7.0.
"""

from advisor.advice import Finding, warn
from advisor.asked import VOLTA
from advisor.case import Case
from advisor.stacks import short_name


def check(case: Case) -> Finding | None:
    """Warn of cards from before tensor cores."""
    old = [gpu for gpu in case.gpus if gpu.cuda_capability is not None and gpu.cuda_capability < VOLTA]
    return warn(card=short_name(old[0])) if old else None
