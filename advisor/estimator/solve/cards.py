"""The smallest card that holds a set-up."""

from dataclasses import dataclass

from advisor.estimator.estimate import estimate_plan
from advisor.estimator.resolve import resolve
from advisor.estimator.usable import usable_bytes
from advisor.query import SetUp
from knowledge.catalog import Catalog
from knowledge.schemas import Gpu

SIZES_GB = (6, 8, 10, 11, 12, 16, 20, 24, 32, 40, 48, 64, 72, 80, 96, 128, 141, 180, 192, 256, 288)
"""Memory on the box, as sold."""
COUNTS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
"""Cards as they are put into machines."""
SPLIT = ("fsdp", "fsdp2", "zero3", "pipeline")
USABLE_GIB_PER_GB = 0.985
"""What CUDA hands out of a size that no card is named for (24 GB cards: 23.5 to 23.7 GiB)."""


@dataclass(frozen=True, slots=True)
class CardFit:
    """A card that holds a set-up: what it needs per card and what the card hands out, in bytes."""

    gpu: str
    device: int
    usable: int


def smallest_vram_gb(setup: SetUp, catalog: Catalog) -> int | None:
    """The smallest memory size on the box that holds the set-up per card; None when it exceeds every card."""
    device = estimate_plan(resolve(setup, catalog)).device
    return next((gb for gb in SIZES_GB if device <= gb * USABLE_GIB_PER_GB * 2**30), None)


def _speed(gpu: Gpu) -> float:
    return gpu.bf16_dense_tflops or gpu.fp16_dense_tflops or gpu.fp32_tflops or 0.0


def smallest_cards(
    setup: SetUp,
    catalog: Catalog,
    n: int = 5,
    *,
    vendor: str | None = "nvidia",
    segments: tuple[str, ...] | None = None,
) -> tuple[CardFit, ...]:
    """The n cards with the least memory that hold the set-up per card, the fastest of each size first.

    `vendor` None takes every maker; `segments` limits to consumer, workstation, ... Unified memory is left out.
    """
    device = estimate_plan(resolve(setup, catalog)).device
    wanted = [
        gpu
        for gpu in catalog.gpus.values()
        if vendor in (None, gpu.vendor) and (segments is None or gpu.segment in segments) and not gpu.unified_memory
    ]
    holding = [(gpu, usable) for gpu in wanted if device <= (usable := usable_bytes(gpu))]
    holding.sort(key=lambda pair: (pair[0].vram_gb, -_speed(pair[0])))
    return tuple(CardFit(gpu.id, device, usable) for gpu, usable in holding[:n])


def fewest_cards(setup: SetUp, usable_bytes: int, catalog: Catalog) -> int | None:
    """How many equal cards it takes, the model split over them; 1 where one is enough, None where not even 64 are."""
    for count in COUNTS:
        split = setup.sharding if setup.sharding in SPLIT else "fsdp"
        changes = {"n_gpus": count, "sharding": split if count > 1 else "none"}
        if estimate_plan(resolve(setup.model_copy(update=changes), catalog)).device <= usable_bytes:
            return count
    return None
