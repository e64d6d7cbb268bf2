"""Several GPUs: what lies on the fullest one.

DDP (torch.nn.parallel), ZeRO 1-3 (arXiv:1910.02054), FSDP (arXiv:2304.11277), layer split (accelerate's device_map).
Measured on fms-acceleration's FSDP runs: embedding, lm_head and final norm are one unit, gathered from the forward pass
to the end of the backward pass; one layer is gathered on top of it while it runs.
"""

from dataclasses import dataclass

from advisor.estimator.adapters import adapter_bytes
from advisor.estimator.algorithm import frozen_copy_bytes
from advisor.estimator.optimizer import gradient_bytes, state_bytes
from advisor.estimator.plan import Plan
from advisor.estimator.weights import weight_bytes

SHARDED = ("fsdp", "fsdp2", "zero3")
GIB = 2**30


@dataclass(frozen=True, slots=True)
class Resident:
    """Bytes that stay on the fullest GPU, and the shares that the moments need."""

    weights: float
    adapters: float
    gradients: float
    states: float
    buffers: float = 0.0
    """Communication buckets."""
    ends: float = 0.0
    """Gathered embedding, lm_head and norm."""
    layer: float = 0.0
    """One gathered layer."""
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


def resident(plan: Plan) -> Resident:
    """What lies on the fullest GPU throughout a step."""
    n, kind, s = plan.n_gpus, plan.sharding, plan.shape
    weights, adapters = weight_bytes(plan) + frozen_copy_bytes(plan), adapter_bytes(plan)
    gradients, states = gradient_bytes(plan), state_bytes(plan)
    layers = float(s.layers)
    offload_states = plan.offload in ("params", "optimizer")
    if kind in SHARDED:
        ends, layer = _gathered(plan, weights)
        away = plan.offload == "params"
        return Resident(
            weights=0.0 if away else weights / n,
            adapters=0.0 if away else adapters / n,
            gradients=0.0 if away else gradients / n,
            states=0.0 if offload_states else states / n,
            buffers=_buckets(plan),
            ends=ends,
            layer=layer,
            layers=layers,
            state_share=0.0 if offload_states else 1 / n,
            copy_share=0.0,
        )
    if kind in ("pipeline", "tp"):
        share = 1 / n
        depth = layers * share if kind == "pipeline" else layers
        return Resident(
            weights * share, adapters * share, gradients * share, states * share, layers=depth, state_share=share
        )
    optimizer_share = 1 / n if kind in ("zero1", "zero2") else 1.0
    gradient_share = 1 / n if kind == "zero2" else 1.0
    if offload_states:
        optimizer_share = 0.0
    copies = gradients if kind == "ddp" and n > 1 else 0.0
    return Resident(
        weights=weights,
        adapters=adapters,
        gradients=gradients * gradient_share,
        states=states * optimizer_share,
        buffers=copies + _buckets(plan),
        layers=layers,
        state_share=optimizer_share,
    )


def _buckets(plan: Plan) -> float:
    """DeepSpeed's reduce and all-gather buckets, 16 bit: 5e8 elements by default, never more than there is to reduce.

    With overlap_comm 4.5 of them are in flight (transformers docs, "DeepSpeed": overlap_comm); adapters need two.
    """
    if not plan.deepspeed:
        return 0.0
    if plan.method == "full":
        return 4.5 * 2.0 * min(500_000_000, plan.shape.params)
    return 2.0 * 2.0 * min(500_000_000, max(plan.adapters, 1))
