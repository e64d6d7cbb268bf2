"""The experts of a layer that transformers 5 keeps as two stacks, (experts, 2 w, h) and (experts, h, w).

Kept per token by `activations.mlp_bytes`; here is what the stacks and their adapters add. Found with the oracle on
Qwen3-MoE (grouped_mm), one width at a time: whole multiples. A stack's bytes D are those of the down matrices; gate and
up together are 2 D. a: experts that a token goes through, w: their width.
"""

from advisor.estimator.plan import Plan, of_set_up

JOINED, DOUBLED, APART = "experts_joined", "experts_doubled", "experts"
"""Roles: one adapter of rank r, or of 2 r, on gate and up together; an adapter for each matrix of each expert."""
ROLES = frozenset((JOINED, DOUBLED, APART))
MLP_ROLES = frozenset(("gate", "up", "down", "gate_up"))
NOT_RENAMED = frozenset(
    {"mixtral", "qwen2_moe", "gpt_oss", "dbrx", "llama4", "granitemoe", "phimoe", "jamba", "qwen3_5_moe"}
    | {"nemotron_h", "lfm2", "gemma4", "granite_h"}
)
"""Architectures whose experts peft 0.21.2 does not find under the names of their matrices (its
utils/transformers_weight_conversion.py; transformers 5.24 conversion_mapping.py): no adapters there."""


def adapted(plan: Plan) -> bool:
    """Routed experts carry adapters."""
    return plan.shape.experts is not None and not plan.targets.isdisjoint(ROLES)


def quantised(plan: Plan) -> bool:
    """The stacks lie in k bits."""
    return plan.weight_bits < 16 and plan.profile.has_quantised_experts(plan.quant)


def stack_bytes(plan: Plan) -> float:
    """D: the down matrices of one layer's experts as they are multiplied with, fp32 after k-bit preparation."""
    x = plan.shape.experts
    if x is None:
        return 0.0
    wide = 4.0 if plan.kbit and not quantised(plan) else float(plan.trainable_bytes if plan.method == "full" else 2)
    return wide * x.count * x.width * plan.shape.hidden


@of_set_up
def held_bytes(plan: Plan) -> float:
    """What one layer keeps of its stacks for the backward pass, beyond the weights.

    peft adds the product of the adapters to every expert and keeps the sum (tuners/lora/layer.py, ParamWrapper); stacks
    that are dequantised on access are kept, too. Unsloth multiplies adapters apart and dequantises once more instead
    (unsloth_zoo/temporary_patches/moe_utils.py, _GroupedMMRecompute).
    """
    if plan.shape.experts is None or plan.profile.own_models or plan.profile.recomputes_experts:
        return 0.0
    return 3 * stack_bytes(plan) if adapted(plan) or (plan.method == "qlora" and quantised(plan)) else 0.0


def input_bytes(plan: Plan) -> float:
    """Per token: what the adapters of experts read, and the r-wide products where those are made apart."""
    x = plan.shape.experts
    if x is None or not adapted(plan):
        return 0.0
    apart = plan.profile.own_models or plan.profile.recomputes_experts
    return 2.0 * x.active * (plan.shape.hidden + x.width + (2 * plan.rank if apart else 0))


@of_set_up
def _per_token(plan: Plan) -> tuple[float, float, float]:
    """X without stacks: at the routing weights or the MLP's product; at down_proj; at gate and up."""
    x, h = plan.shape.experts, plan.shape.hidden
    if x is None:
        return 0.0, 0.0, 0.0
    m, aw, ah = plan.mlp_bytes / 2, x.active * x.width, x.active * h
    again = 1 if plan.checkpointing != "none" else 0
    if plan.method == "full" or adapted(plan):
        loose = max(6 * ah + 2 * h * again, 4 * aw - 4 * ah + 2 * h * again)
        return m * loose, m * (2 * aw + 2 * h * again), m * (2 * h * again - 4 * aw)
    loose = max(6 * ah + 6 * h * again, 6 * aw - 2 * ah + 2 * h * again)
    return m * loose, m * (2 * aw + 2 * h * again), m * (2 * h * again - 2 * aw)


def temporary_bytes(plan: Plan) -> float:
    """X of the experts in bytes, for all tokens: gradients of trained stacks, or stacks that are dequantised."""
    if plan.shape.experts is None:
        return 0.0
    loose, down, gate_up = (plan.tokens * size for size in _per_token(plan))
    d = stack_bytes(plan)
    if plan.method == "full":
        fresh = 3 if plan.grad_accum == 1 and not plan.optimizer_in_backward else 2
        return max(loose, d + down, fresh * d + gate_up)
    if held_bytes(plan):
        return max(loose, d + down) if adapted(plan) else loose
    if quantised(plan) and not (plan.profile.own_models or plan.windowed_experts):
        return max(loose, d + down, 2 * d + gate_up)
    return loose


def forward_bytes(plan: Plan) -> float:
    """What the forward pass of the last layer needs above all that is kept, without checkpoints."""
    x, h = plan.shape.experts, plan.shape.hidden
    if x is None:
        return 0.0
    each = 4 if plan.method == "full" or adapted(plan) else 6
    stack = 2 * stack_bytes(plan) if plan.profile.recomputes_experts and quantised(plan) else 0.0
    return plan.mlp_bytes / 2 * plan.tokens * (each * x.active * h + 2 * h) + stack
