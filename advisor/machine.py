"""How a run stands to the machine that it would run on: to the card, and to the system RAM beside it."""

from typing import TYPE_CHECKING, Literal, NamedTuple

from advisor.advice import Fit
from advisor.estimator import Estimate
from advisor.estimator.host_ram import SYSTEM, host_ram
from advisor.estimator.speed import gpu_of
from advisor.estimator.usual_ram import too_little, usual_ram_bytes
from advisor.stacks import GIB, GOOD, fit_of
from knowledge.catalog import Catalog

if TYPE_CHECKING:
    from advisor.case import Case

WHOLE_THROUGH_RAM = frozenset({"fsdp", "fsdp2", "zero3"})
"""Ways to split that read all weights into RAM before they share them out."""


class Standing(NamedTuple):
    """`fit` is None where no card is named; `ram`, in bytes, where nobody states it and no card tells the usual one.

    Where the card holds its part and only the usual RAM is too little, it may still run: the fit is "tight". A stated
    RAM may do for a lean set-up, which takes less than we count ("unlikely"), or not even for that ("no").
    """

    fit: Fit | None
    limited_by: Literal["vram", "host_ram"] | None
    ram: int | None
    ram_assumed: bool


def standing(found: Estimate, catalog: Catalog, ram_gb: float | None = None) -> Standing:
    """How an estimate stands to the card that its set-up names, and to the stated or else the usual RAM."""
    plan = found.plan
    assumed = ram_gb is None
    card = gpu_of(plan.gpu, catalog, plan.n_gpus) if plan.gpu else None
    ram = usual_ram_bytes(card, plan.n_gpus, catalog) if ram_gb is None else int(ram_gb * GIB)
    fit = fit_of(found.device, found.low + found.device - found.reserved, plan.room) if plan.room else None
    if fit not in (None, *GOOD):
        return Standing(fit, "vram", ram, assumed)
    if too_little(found.host_ram, ram, stated=not assumed):
        lean = assumed or host_ram(plan).low <= (ram or 0)
        return Standing("tight" if assumed else "unlikely" if lean else "no", "host_ram", ram, assumed)
    return Standing(fit, "vram" if fit == "tight" else None, ram, assumed)


def too_large_for_one(case: "Case") -> int | None:
    """Bytes of the weights as the method holds them, where no card alone can."""
    if not case.sized or case.usable is None:
        return None
    weights = case.need(case.stacks[0], n_gpus=1, sharding="none", offload="none").components.get("weights", 0)
    return weights if weights > case.usable else None


def loads_beyond_ram(case: "Case") -> int | None:
    """Bytes that loading a model to be split wants of the stated RAM, where there is less; else None."""
    if not case.sized or case.query.sharding not in WHOLE_THROUGH_RAM or case.query.ram_gb is None:
        return None
    loads = 2 * (case.params or 0) + SYSTEM
    return loads if case.query.ram_gb * 1e9 < loads else None
