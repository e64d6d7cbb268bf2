"""A name that stands for cards with different memory: which one was taken, where the other changes the answer.

Source: facts/ambiguous.
"""

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.estimator import usable_bytes
from advisor.query import Kind
from advisor.stacks import GOOD, short_name
from knowledge.schemas import Gpu

BESIDE_THE_POINT = frozenset({"no_gain", "offload", "load", "nvme"})
"""Verdicts for which the size of the card decides nothing, or not as the whole run takes it."""
ON = ("ambiguous",)


def check(case: Case) -> Finding | None:
    """Name the twins when one of them would change the verdict."""
    ids = case.query.ambiguous.get("gpus", ())
    if case.advice is not None and case.advice.verdict.code in BESIDE_THE_POINT:
        return None
    if case.query.kind is Kind.COST_BUY_VS_RENT and case.query.budget:
        return None  # the price named says which one is meant
    taken = next((gpu for gpu in case.gpus if gpu.id in ids), None)
    if taken is None:
        return None
    others = [case.catalog.gpus[i] for i in ids if i in case.catalog.gpus]
    others = [gpu for gpu in others if _twin(gpu, taken) and _matters(case, gpu, taken)]
    if not others:
        return None
    names = {gpu.vram_gb: gpu for gpu in others}
    told = [[short_name(gpu), gb, _fits(case, gpu)] for gb, gpu in list(names.items())[:3]]
    return warn(taken=short_name(taken), taken_gb=taken.vram_gb, others=told)


def _twin(gpu: Gpu, taken: Gpu) -> bool:
    """Sold beside it under the same name with another size; conversions and laptop cards do not count."""
    return gpu.vram_gb != taken.vram_gb and gpu.segment == taken.segment and "modified" not in gpu.name


def _fits(case: Case, gpu: Gpu) -> list[str]:
    """The verdict on the twin, of the leanest and of the plainest stack; none without a model."""
    if not case.sized:
        return []
    return list(dict.fromkeys(case.fit(need, usable_bytes(gpu)) for need in (case.lean, case.plain)))


def _matters(case: Case, gpu: Gpu, taken: Gpu) -> bool:
    if not case.sized:
        return True
    fits = [{case.fit(need, usable_bytes(card)) in GOOD for need in case.needs()} for card in (gpu, taken)]
    return fits[0] != fits[1]
