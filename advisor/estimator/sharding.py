"""Several GPUs: what lies on the fullest one.

DDP (torch.nn.parallel), ZeRO 1-3 (arXiv:1910.02054), FSDP (arXiv:2304.11277), layer split (accelerate's device_map).
Measured on fms-acceleration's FSDP runs: embedding, lm_head and final norm are one unit, gathered from the forward pass
to the end of the backward pass; one layer is gathered on top of it while it runs.
"""

from typing import NamedTuple

from advisor.estimator.adapters import adapter_bytes
from advisor.estimator.algorithm import frozen_copy_bytes
from advisor.estimator.optimizer import gradient_bytes, state_bytes
from advisor.estimator.plan import Plan, of_set_up
from advisor.estimator.weights import constant_bytes, weight_bytes

SHARDED = ("fsdp", "fsdp2", "zero3")
"""Ways to use several GPUs in which each holds a part of the weights."""
LIVE_PARAMETERS = 10**9


class Resident(NamedTuple):
    """Bytes that stay on the fullest GPU, and the shares that the moments need."""

    weights: float
    adapters: float
    gradients: float
    states: float
    buffers: float = 0.0
    """Communication buckets."""
    ends: float = 0.0
    """Gathered embedding, lm_head and norm."""
    ends_behind: float = 0.0
    """What of them is still gathered when layers are differentiated."""
    layer: float = 0.0
    """One gathered layer."""
    alive: float = 0.0
    """Gathered layers in the backward pass."""
    layers: float = 0.0
    """Layers whose activations lie on this GPU."""
    state_share: float = 1.0
    copy_share: float = 1.0
    """Share of autocast's weight copies; sharded stacks cast the gathered layer instead."""


def _gathered(plan: Plan, weights: float) -> tuple[float, float]:
    """(ends, one layer) as gathered, 16 bit unless quantised."""
    s = plan.shape
    ends = 2.0 * (s.embedding_params + s.head_params)
    if plan.profile.gathers_all:
        return ends, weights
    layer_params = s.linear_params / s.layers
    if plan.weight_bits >= 16:
        return ends, 2.0 * layer_params
    return ends, layer_params * weights / max(1, s.params)


@of_set_up
def resident(plan: Plan) -> Resident:
    """What lies on the fullest GPU throughout a step."""
    n, kind = plan.n_gpus, plan.sharding
    whole = Resident(
        weights=weight_bytes(plan) + frozen_copy_bytes(plan),
        adapters=adapter_bytes(plan),
        gradients=gradient_bytes(plan),
        states=state_bytes(plan),
        buffers=_buckets(plan),
        layers=float(plan.shape.layers),
    )
    states_away = plan.offload in ("params", "optimizer")
    if kind in SHARDED:
        return _sharded(plan, whole, states_away)
    if kind in ("pipeline", "tp"):
        return whole._replace(
            weights=whole.weights / n,
            adapters=whole.adapters / n,
            gradients=whole.gradients / n,
            states=whole.states / n,
            layers=whole.layers / n if kind == "pipeline" else whole.layers,
            state_share=1 / n,
        )
    share = 0.0 if states_away else 1 / n if kind in ("zero1", "zero2") else 1.0
    return whole._replace(
        gradients=whole.gradients / n if kind == "zero2" else whole.gradients,
        states=whole.states * share,
        buffers=whole.buffers + (whole.gradients if kind == "ddp" and n > 1 else 0.0),
        state_share=share,
    )


def _sharded(plan: Plan, whole: Resident, states_away: bool) -> Resident:
    ends, layer = _gathered(plan, whole.weights)
    share = 0.0 if plan.offload == "params" else 1 / plan.n_gpus
    apart = plan.offload != "params" and plan.sharding != "fsdp2" and not plan.profile.own_models
    whole_here = constant_bytes(plan) if apart else 0.0
    return whole._replace(
        weights=whole_here + (whole.weights - whole_here) * share,
        adapters=whole.adapters * share,
        gradients=whole.gradients * share,
        states=0.0 if states_away else whole.states / plan.n_gpus,
        ends=ends,
        ends_behind=0.0 if plan.profile.shards_ends else ends,
        layer=layer,
        alive=_alive(plan, whole.weights, layer),
        state_share=0.0 if states_away else 1 / plan.n_gpus,
        copy_share=0.0,
    )


def _alive(plan: Plan, weights: float, layer: float) -> float:
    """Layers that are gathered at one time. FSDP fetches the next one while it differentiates one; ZeRO-3 keeps up to
    stage3_max_live_parameters (1e9 by default; DeepSpeed docs, "ZeRO"), and gathers no less than one module."""
    if plan.sharding == "zero3":
        live = LIVE_PARAMETERS * (2.0 if plan.weight_bits >= 16 else 1.0)
        return max(layer, min(live, weights))
    return layer * (2 if plan.profile.fsdp_prefetches and not plan.profile.gathers_all else 1)


def gathered_layer_bytes(plan: Plan) -> float:
    """One gathered layer; 0 where nothing is sharded."""
    return resident(plan).layer


def _buckets(plan: Plan) -> float:
    """DeepSpeed's reduce and all-gather buckets, 16 bit: 5e8 elements by default, never more than there is to reduce.

    With overlap_comm 4.5 of them are in flight (transformers docs, "DeepSpeed": overlap_comm); adapters need two.
    """
    if not plan.deepspeed:
        return 0.0
    if plan.method == "full":
        return 4.5 * 2.0 * min(500_000_000, plan.shape.params)
    return 2.0 * 2.0 * min(500_000_000, max(plan.adapters, 1))
