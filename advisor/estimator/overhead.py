"""What a GPU shows beyond live tensors: workspaces, the caching allocator's spare room, the CUDA context."""

from collections.abc import Mapping
from dataclasses import dataclass

from advisor.estimator.plan import Plan

GIB = 2**30


@dataclass(frozen=True, slots=True)
class Counters:
    """Bytes per counter."""

    reserved: int
    device: int
    low: int
    high: int


def counters(plan: Plan, allocated: int, components: Mapping[str, int]) -> Counters:
    """reserved, device and the 90 % range of reserved."""
    fixed = components.get("weights", 0) + components.get("adapters", 0) + components.get("optimizer", 0)
    moving = max(0, allocated - fixed)
    reserved = round(allocated + 0.1 * moving + 0.15 * GIB)
    spread = 0.12 if not plan.shape.guessed else 0.2
    return Counters(
        reserved=reserved,
        device=round(reserved + 0.5 * GIB),
        low=round(max(allocated * 0.9, reserved * (1 - spread))),
        high=round(reserved * (1 + spread)),
    )
