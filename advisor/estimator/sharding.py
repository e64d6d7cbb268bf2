"""Several GPUs: which share of weights, gradients and states lies on the fullest one.

DDP (torch.nn.parallel), ZeRO 1-3 (arXiv:1910.02054), FSDP (arXiv:2304.11277), layer split (accelerate's device_map).
"""

from dataclasses import dataclass

from advisor.estimator.adapters import adapter_bytes
from advisor.estimator.optimizer import gradient_bytes, state_bytes
from advisor.estimator.plan import Plan
from advisor.estimator.weights import weight_bytes


@dataclass(frozen=True, slots=True)
class Resident:
    """Bytes that stay on the fullest GPU, and the shares that the moments need."""

    weights: float
    adapters: float
    gradients: float
    states: float
    gathered: float
    layers: float
    """Layers whose activations lie on this GPU."""
    weight_share: float = 1.0
    gradient_share: float = 1.0
    state_share: float = 1.0


def resident(plan: Plan) -> Resident:
    """What lies on the fullest GPU throughout a step."""
    n = plan.n_gpus
    weights, adapters = weight_bytes(plan), adapter_bytes(plan)
    gradients, states = gradient_bytes(plan), state_bytes(plan)
    layers = float(plan.shape.layers)
    kind = plan.sharding
    gathered = 0.0
    w = g = o = 1.0
    if kind in ("zero3", "fsdp", "fsdp2"):
        w = g = o = 1 / n
        per_layer = weights * plan.shape.linear_params / plan.shape.params / plan.shape.layers
        ends = weights * (plan.shape.embedding_params + plan.shape.head_params) / plan.shape.params
        gathered = max(2 * per_layer, ends)
    elif kind == "zero2":
        g = o = 1 / n
    elif kind == "zero1":
        o = 1 / n
    elif kind in ("pipeline", "tp"):
        w = g = o = 1 / n
        layers = plan.shape.layers / n if kind == "pipeline" else layers
    if plan.offload in ("params", "optimizer"):
        states = 0.0
        o = 0.0
        if plan.offload == "params" and kind in ("zero3", "fsdp", "fsdp2"):
            w = 0.0
            g = 0.0
    return Resident(
        weights=weights * w,
        adapters=adapters * w,
        gradients=gradients * g,
        states=states * o,
        gathered=gathered,
        layers=layers,
        weight_share=w,
        gradient_share=g,
        state_share=o,
    )
