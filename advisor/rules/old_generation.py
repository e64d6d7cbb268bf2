"""Pascal cards are at the end of their software support, and slow in fp16.

Source: CUDA 13 release notes (drops Maxwell, Pascal, Volta); Unsloth needs compute capability 7.0.
"""

from advisor.advice import Finding, stop, warn
from advisor.case import Case
from advisor.query import Kind
from advisor.signs import VOLTA
from advisor.stacks import short_name

ON = ("card_before_volta",)


def check(case: Case) -> Finding | None:
    """Warn of cards from before tensor cores."""
    old = [gpu for gpu in case.gpus if gpu.cuda_capability is not None and gpu.cuda_capability < VOLTA]
    if not old:
        return None
    worth_it = case.query.kind in (Kind.WHICH_GPU, Kind.COMPARE_GPUS, Kind.FITS_CHECK) and not case.sized
    return stop(card=short_name(old[0])) if worth_it else warn(card=short_name(old[0]))
