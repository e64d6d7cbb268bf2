"""FP8 tensor cores exist from Ada and Hopper on, and training in FP8 saves little memory.

Source: NVIDIA Transformer Engine documentation.
"""

from advisor.advice import Finding, note, stop, warn
from advisor.case import Case
from advisor.stacks import short_name

ON = ("compute_dtype",)


def check(case: Case) -> Finding | None:
    """FP8 tensor cores exist from Ada and Hopper on, and training in FP8 saves little memory."""
    if case.query.compute_dtype not in ("fp8", "float8"):
        return None
    old = [short_name(gpu) for gpu in case.gpus if not gpu.supports.fp8]
    new = [short_name(gpu) for gpu in case.gpus if gpu.supports.fp8]
    if old and not new:
        return stop(card=old[0], has=None)
    return warn(card=old[0], has=new[0]) if old else note(card=None, has=new[0] if new else None)
