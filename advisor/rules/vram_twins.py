"""A name that stands for cards with different memory: which one was taken.

Source: facts/ambiguous.
"""

from advisor.advice import Finding, warn
from advisor.case import Case, short_name


def check(case: Case) -> Finding | None:
    """A name that stands for cards with different memory: which one was taken."""
    ids = case.query.ambiguous.get("gpus", ())
    gpus = [case.catalog.gpus[i] for i in ids if i in case.catalog.gpus]
    taken = next((gpu for gpu in case.gpus if gpu.id in ids), None)
    others = [gpu for gpu in gpus if taken is not None and gpu.id != taken.id and gpu.vram_gb != taken.vram_gb]
    if taken is None or not others:
        return None
    return warn(
        taken=short_name(taken), taken_gb=taken.vram_gb, others=[[short_name(gpu), gpu.vram_gb] for gpu in others[:3]]
    )
