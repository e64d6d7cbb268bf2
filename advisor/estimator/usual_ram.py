"""System RAM that a machine with such cards usually has, for runs that need RAM where nobody says how much there is.

Rented cards: the middle of the machines that carry them (facts/instances.yaml); cards at home: facts/machines.yaml.
Where a card is in neither, machines with cards of its segment and memory, then of its segment, tell.
"""

from collections.abc import Iterable
from functools import lru_cache
from statistics import median

from knowledge.catalog import Catalog
from knowledge.schemas import Gpu, Instance

GIB = 2**30
FREE = 0.9
"""Share of the RAM that a run may take; the rest is the kernel's and the file cache's."""


def usual_ram_bytes(gpu: Gpu | None, count: int, catalog: Catalog) -> int | None:
    """Usual RAM of the machine or machines that hold so many of a card; None where the card has no RAM beside it."""
    if gpu is None or gpu.unified_memory:
        return None
    usual_gb = _usual_gb(gpu.id, count, catalog)
    return int(usual_gb * GIB) if usual_gb else None


@lru_cache(maxsize=1024)
def _usual_gb(gpu_id: str, count: int, catalog: Catalog) -> float | None:
    gpu = catalog.gpus[gpu_id]
    rented = [machine for machine in catalog.instances.values() if machine.ram_gb]
    same = [machine for machine in rented if machine.gpu == gpu_id]
    if alike := [machine.ram_gb for machine in same if machine.count == count and machine.ram_gb]:
        return median(alike)
    if same:
        return count * _per_card_gb(same)
    if owned := catalog.machines.get(gpu.segment):
        return count * owned.ram_per_card_gb
    kin = [machine for machine in rented if catalog.gpus[machine.gpu].segment == gpu.segment]
    near = [machine for machine in kin if catalog.gpus[machine.gpu].vram_gb == gpu.vram_gb]
    return count * _per_card_gb(near or kin) if kin else None


def _per_card_gb(machines: Iterable[Instance]) -> float:
    return median((machine.ram_gb or 0) / machine.count for machine in machines)


def too_little(needed: int, ram: int | None, *, stated: bool) -> bool:
    """Whether a run does not find its RAM; a usual amount must leave some free, a stated one is taken at its word."""
    return ram is not None and needed > (ram if stated else FREE * ram)
