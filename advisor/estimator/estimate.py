"""Plan → Estimate: the three counters, the range, and what they are made of."""

import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from advisor.estimator.coefficients import known_coefficients
from advisor.estimator.host_ram import host_ram_bytes
from advisor.estimator.moments import moments
from advisor.estimator.overhead import Counters, counters
from advisor.estimator.plan import Plan
from advisor.estimator.resolve import resolve
from advisor.estimator.speed import gpu_of, tokens_per_second
from advisor.query import SetUp
from knowledge.catalog import Catalog


class Estimate(NamedTuple):
    """Memory of one training run, bytes on the fullest GPU.

    allocated: peak of live tensors; reserved: the caching allocator's peak; device: what nvidia-smi shows; low to high:
    90 % range of reserved. `components` sum to allocated at `moment`.
    """

    allocated: int
    reserved: int
    device: int
    low: int
    high: int
    components: Mapping[str, int]
    moment: str
    assumed: tuple[str, ...]
    plan: Plan
    needed: int = 0
    """What nvidia-smi shows on a card that is just large enough: spare blocks of the allocator given back."""
    host_ram: int = 0
    tokens_per_s: float | None = None
    tokens_per_s_low: float | None = None
    tokens_per_s_high: float | None = None


class Speed(NamedTuple):
    """Tokens per second and GPU, and their range."""

    mid: float | None = None
    low: float | None = None
    high: float | None = None


NO_SPEED = Speed()


def _rounded(parts: Mapping[str, float]) -> dict[str, int]:
    return {name: round(size) for name, size in parts.items() if size >= 0.5}


def _leanest(plan: Plan) -> int:
    """Low end of the leanest stack (fused loss, offloaded checkpoints, no k-bit preparation) for an open trainer."""
    if "trainer" not in plan.assumed:
        return sys.maxsize
    lean = replace(plan, kbit=False, loss="fused", checkpointing="offload", fused_kernels=True, assumed=())
    return estimate_plan(lean).low


def estimate_plan(plan: Plan) -> Estimate:
    """The memory part alone, for solvers: no look-up, no speed, no host RAM."""
    return _estimate(plan, 0, NO_SPEED)


def _estimate(plan: Plan, host_ram: int, speed: Speed) -> Estimate:
    found = moments(plan)
    sums = {name: sum(parts.values()) for name, parts in found.items()}
    moment = max(sums, key=sums.__getitem__)
    components = _rounded(found[moment])
    allocated = sum(components.values())
    c: Counters = counters(plan, allocated, found, known_coefficients())
    return Estimate(
        allocated=allocated,
        reserved=c.reserved,
        device=c.device,
        low=min(c.low, _leanest(plan)),
        high=c.high,
        needed=c.needed,
        components=components,
        moment=moment,
        assumed=plan.assumed,
        plan=plan,
        host_ram=host_ram,
        tokens_per_s=speed.mid,
        tokens_per_s_low=speed.low,
        tokens_per_s_high=speed.high,
    )


def estimate(setup: SetUp, catalog: Catalog) -> Estimate:
    """Everything about a set-up. Raises BadValue, UnknownName, MissingModel."""
    return estimate_run(resolve(setup, catalog), catalog)


def estimate_run(plan: Plan, catalog: Catalog) -> Estimate:
    """Everything about a plan."""
    return _estimate(plan, host_ram_bytes(plan), tokens_per_s(plan, catalog))


def tokens_per_s(plan: Plan, catalog: Catalog) -> Speed:
    """The speed on the card that a plan names; nothing without one."""
    rate = tokens_per_second(plan, gpu_of(plan.gpu, catalog, plan.n_gpus)) if plan.gpu else None
    return Speed(rate.mid, rate.low, rate.high) if rate else NO_SPEED
