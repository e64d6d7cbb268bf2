"""What DoRA (arXiv:2402.09353) holds beyond LoRA: the norm of the whole changed weight, and outputs to scale.

peft 0.21.2 tuners/lora/dora.py. Found with the oracle on Llama, adapters in both types: whole multiples.
"""

from advisor.estimator.adapters import target_widths
from advisor.estimator.plan import Plan, of_set_up

INSIDE = frozenset(("q", "k", "v", "qkv", "o", "gate", "up", "gate_up", "down"))
"""Targets inside the layers."""


def is_dora(plan: Plan) -> bool:
    """The magnitude of every adapted weight is trained apart."""
    return plan.variant == "dora"


@of_set_up
def output_bytes(plan: Plan) -> float:
    """Per token: what each target puts out, for its magnitude's gradient: twice, a third time without autocast."""
    widths = target_widths(plan.shape)
    wide = 4
    if plan.adapter_bytes == 4 and not plan.autocast:
        wide = 8 if plan.dropout > 0 else 6
    return float(wide * sum(widths[role][1] for role in plan.targets & INSIDE))


@of_set_up
def held_bytes(plan: Plan) -> float:
    """What one layer keeps of its weights: with dropout the base product is made anew, from a cast of fp32 inputs."""
    if not is_dora(plan) or plan.dropout <= 0 or plan.adapter_bytes == 2:
        return 0.0
    widths = target_widths(plan.shape)
    return (2.0 if plan.autocast else 4.0) * sum(x * y for x, y in (widths[role] for role in plan.targets & INSIDE))


@of_set_up
def weight_bytes(plan: Plan) -> float:
    """The product B A of the widest target, made from a unit matrix as wide as its input, beside weight and sum."""
    ins = [target_widths(plan.shape)[role] for role in plan.targets & INSIDE]
    if not ins:
        return 0.0
    x, y = max(ins)
    cast = 1 if plan.adapter_bytes == 4 and not plan.autocast else 0
    dequantised = 1 if plan.weight_bits < 16 else 0
    return plan.adapter_bytes * (float(x) * x + (2 + cast + dequantised) * float(x) * y)


def temporary_bytes(plan: Plan, x: float) -> float:
    """X where plain LoRA has `x`: down_proj's product stands beside the MLP's derivatives, more of them in fp32."""
    if plan.targets.isdisjoint(("gate", "up", "gate_up", "down")):
        return max(x, weight_bytes(plan))
    beside = 1.0 if plan.adapter_bytes == 4 else 0.36
    return max(x, weight_bytes(plan) + beside * x)
