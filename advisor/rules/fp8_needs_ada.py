"""FP8 tensor cores exist from Ada and Hopper on, and training in FP8 saves little memory.

Source: NVIDIA Transformer Engine documentation.
"""

from advisor.advice import Finding, correct, note
from advisor.case import Case
from advisor.stacks import short_name

ON = ("compute_dtype",)


def check(case: Case) -> Finding | None:
    """FP8 tensor cores exist from Ada and Hopper on, and training in FP8 saves little memory."""
    if case.query.compute_dtype not in ("fp8", "float8"):
        return None
    old = [gpu for gpu in case.gpus if not gpu.supports.fp8]
    return correct(card=short_name(old[0])) if old else note(card="")
