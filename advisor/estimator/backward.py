"""X: temporaries above the kept activations in the layer that is being differentiated. FORMULAS.md, section X."""

from advisor.estimator.activations import head_norm_bytes, mlp_bytes, mlp_input_bytes, norm_bytes, output_input_bytes
from advisor.estimator.plan import Plan
from advisor.estimator.weights import dequantised_bytes


def _touches_mlp(plan: Plan) -> bool:
    return not plan.targets.isdisjoint(("gate", "up", "down", "gate_up"))


def _full_or_lora(plan: Plan) -> float:
    h, i = plan.shape.hidden, plan.shape.active_width
    if plan.method == "full":
        return 6 * i + (4 if plan.autocast else 2) * h
    if not _touches_mlp(plan):
        return 6 * i + 2 * h
    if plan.fused_kernels:
        return 3 * i + 2 * h
    if plan.adapter_bytes == 2:
        return 4 * i + 2 * h + (i if plan.dropout > 0 and plan.autocast else 0)
    if plan.autocast:
        if plan.checkpointing == "none":
            return 3.45 * i + 4 * h + (4 * i if plan.dropout > 0 else 0)
        return 6 * i + 10 * h + (4 * i if plan.dropout > 0 else 0)
    if plan.checkpointing == "none":
        return 4 * i + 4.5 * h
    return 7.3 * i + 10.5 * h if plan.dropout > 0 else 4 * i + 12 * h


def _qlora(plan: Plan) -> float:
    """Fused LoRA kernels (Unsloth) write the derivatives of gate and up in place: one I-wide tensor less."""
    h, i, t = plan.shape.hidden, plan.shape.active_width, plan.tokens
    d = dequantised_bytes(plan)
    mlp = _touches_mlp(plan)
    if plan.kbit and plan.autocast:
        return max(t * (10 * i + h / 4 if mlp else 12 * i), d + t * (4 * i + 8 * h))
    if plan.kbit:
        return max(t * (8 * i if mlp else 12 * i), d + t * 4 * i)
    wide = 3 if mlp and plan.fused_kernels else 4 if mlp else 6
    return max(t * (wide * i + 2 * h), d + t * (2 * i + 2 * h))


def _eager(plan: Plan) -> float:
    """At the softmax: its gradient and its input's, both fp32, and the residual's; the 16-bit scores, the MLP, the norm
    before it and what o_proj kept are free again, and v has made room for its gradient."""
    s = plan.shape
    scores = 8 if plan.kbit and not plan.autocast else 6
    norm = (norm_bytes(plan) - head_norm_bytes(plan)) / 2
    freed = mlp_bytes(plan) + mlp_input_bytes(plan) + norm + output_input_bytes(plan)
    return scores * s.heads * plan.seq_len + plan.residual_bytes * s.hidden - freed


def layer_temporary_bytes(plan: Plan) -> float:
    """X in bytes for all T tokens."""
    x = _qlora(plan) if plan.method == "qlora" else plan.tokens * _full_or_lora(plan)
    if plan.attention == "eager":
        x = max(x, plan.tokens * _eager(plan))
    return x
