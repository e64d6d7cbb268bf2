"""X: temporaries above the kept activations in the layer that is being differentiated. FORMULAS.md, section X."""

from advisor.estimator import dora, experts
from advisor.estimator.activations import head_norm_bytes, mlp_bytes, mlp_input_bytes, norm_bytes, output_input_bytes
from advisor.estimator.plan import Plan, of_set_up
from advisor.estimator.weights import dequantised_bytes


def _touches_mlp(plan: Plan) -> bool:
    return plan.shape.plain_width > 0 and not plan.targets.isdisjoint(experts.MLP_ROLES)


def _made(plan: Plan, weights: float) -> float:
    """Gradients of so many weights of this layer; nothing where they were there before."""
    return plan.trainable_bytes * weights if plan.method == "full" and plan.grad_accum == 1 else 0.0


def _full(plan: Plan) -> float:
    """d(act), d(gate) and d(up), less the input of down_proj, which is free again; the gradient of down_proj's weight
    unless it was there before. Under autocast a checkpointed layer casts its weights once more; without checkpoints
    the cast of down_proj is free again. The residual's gradient then takes the place of the first norm's input."""
    s, t = plan.shape, plan.tokens
    h, i = s.hidden, s.plain_width
    if s.experts is not None or s.mlp_matrices == 2:
        return t * (6 * i + (4 if plan.autocast else 2) * h)
    down = h * s.intermediate
    made = _made(plan, down)
    if plan.residual_bytes == 2:
        return t * (4 * i + 2 * h) + made
    if plan.checkpointing == "none":
        return t * (4 * i + 4 * h) + made - 2 * down
    return t * 4 * i + made + 2 * (s.linear_params / s.layers - down)


def _again(plan: Plan) -> bool:
    """The layer is computed a second time, so what its forward pass needs for a moment counts, too."""
    return plan.checkpointing != "none"


@of_set_up
def _adapters_16_bit(plan: Plan) -> float:
    """Adapters on a 16-bit residual, per token. peft casts the input of an fp32 adapter to fp32 (under QLoRA only
    without autocast); the chain of casts in down_proj is wider than the MLP's own derivatives."""
    h, i, drop = plan.shape.hidden, plan.shape.plain_width, plan.dropout > 0
    joined = plan.shape.fused_gate_up
    if not _touches_mlp(plan):
        return (6 if plan.shape.mlp_matrices == 3 else 4) * i + 2 * h
    if plan.fused_kernels:
        return 3 * i + 2 * h
    if plan.adapter_bytes == 2 or (plan.method == "qlora" and plan.autocast):
        alone, again = (3 * i + 2 * h, 2 * i + 10 * h) if drop else (4 * i + 2 * h, 2 * i + 6 * h)
        if joined:
            again = max(again, 3 * i + 8 * h if drop else 4 * i + 6 * h)
        return max(alone, again) if _again(plan) else alone
    if plan.autocast:
        return ((10 if drop else 6) * i + 10 * h) if _again(plan) else ((6 if drop else 4) * i + 2 * h)
    own = 2 * h if plan.method == "lora" else 0
    if joined:
        return (9 if drop else 10) * i + ((14 if drop else 10) * h + own if _again(plan) else 2 * h)
    if not _again(plan):
        return 4 * i + 2 * h + own
    return (6 * i + 12 * h if drop else 4 * i + 10 * h) + own


@of_set_up
def _adapters_kbit(plan: Plan) -> float:
    """Adapters on an fp32 residual, per token. With checkpoints the residual's gradient takes the place of the first
    norm's input, which the checkpoint holds anyway."""
    h, i, drop = plan.shape.hidden, plan.shape.plain_width, plan.dropout > 0
    if not _touches_mlp(plan):
        alone, again = 12 * i, 0
    elif not plan.autocast and plan.adapter_bytes == 4:
        alone, again = (7 * i, 4 * i + 12 * h) if drop else (8 * i, 6 * i + 4 * h)
    elif drop:
        alone, again = 9 * i, (8 if plan.autocast else 6) * i + 10 * h
    else:
        alone, again = 10 * i, 8 * i + 6 * h
    if plan.shape.fused_gate_up and not plan.autocast and _touches_mlp(plan):
        again = alone + (8 if drop else 4 if plan.adapter_bytes == 4 else 6) * h
    return max(alone, again) if _again(plan) else alone + 4 * h


def _qlora(plan: Plan) -> float:
    """The widest derivatives, or one dequantised matrix and what is there beside it.

    A joined gate_up is twice as large as down_proj, but most of the MLP is free again by its turn.
    """
    h, i, t = plan.shape.hidden, plan.shape.plain_width, plan.tokens
    d = largest = dequantised_bytes(plan)
    if plan.shape.fused_gate_up:
        d /= 2
        largest -= t * ((8 * i if plan.kbit else 2 * i) + (2 * i if _touches_mlp(plan) else 0) + 2 * h)
    if not plan.kbit:
        return max(t * _adapters_16_bit(plan), d + t * (2 * i + 2 * h), largest)
    beside = 4 * i
    if _touches_mlp(plan):
        drop = plan.dropout > 0
        beside = (3 if drop else 4) * i + (8 if plan.autocast or plan.adapter_bytes == 2 else 4 if drop else 0) * h
    return max(t * _adapters_kbit(plan), d + t * beside, largest)


def _eager(plan: Plan) -> float:
    """At the softmax: its gradient and its input's, both fp32, and the residual's; the 16-bit scores, the MLP, all
    norms but the first and what o_proj kept are free again. v has made room for its gradient, which k-bit preparation
    with autocast widens to fp32; full fine-tuning has most of the layer's gradients, and q, k, v cast once more."""
    s = plan.shape
    own = (8 if plan.kbit and not plan.autocast else 6) * s.heads * plan.seq_len
    if plan.kbit and plan.autocast:
        own += 2 * s.q
    if plan.residual_bytes == 2 or not _again(plan):
        own += plan.residual_bytes * s.hidden
    norms = (norm_bytes(plan) - head_norm_bytes(plan)) * (0.75 if s.norms == 4 else 0.5)
    freed = mlp_bytes(plan) + mlp_input_bytes(plan) + norms + output_input_bytes(plan)
    qkv = s.hidden * (s.q + 2 * s.k)
    cast = 2 * qkv if plan.method == "full" and plan.residual_bytes == 4 and _again(plan) else 0
    return plan.tokens * (own - freed) + _made(plan, s.linear_params / s.layers - qkv) + cast


def forward_temporary_bytes(plan: Plan) -> float:
    """What the last layer's forward pass needs above all that is kept.

    Adapters without checkpoints: the casts and the dropped-out copy of down_proj's adapter; matters when the loss is
    cheap. Full fine-tuning under autocast with checkpoints: the MLP or the eager scores, beside the casts of all
    weights, which are gone when the backward pass starts.
    """
    s, drop = plan.shape, plan.dropout > 0
    if s.experts is not None:
        return 0.0 if _again(plan) else experts.forward_bytes(plan)
    h, i = s.hidden, s.intermediate
    if plan.method == "full" and _again(plan) and plan.residual_bytes == 4:
        scores = 8 * s.heads * plan.seq_len if plan.attention == "eager" else 0
        return max(plan.tokens * (6 * i - 2 * h) - 2 * h * i, plan.tokens * scores, 0.0)
    if dora.is_dora(plan) and not _again(plan):
        return dora.weight_bytes(plan)
    if plan.method == "full" or _again(plan) or not _touches_mlp(plan) or plan.fused_kernels or s.mlp_matrices == 2:
        return 0.0
    if plan.kbit and plan.autocast:
        widths = (8, 8) if drop else (4, 14)
    elif plan.kbit:
        widths = (4 if plan.adapter_bytes == 4 else 6, 16) if drop else (4, 16 if plan.adapter_bytes == 2 else 0)
    elif plan.adapter_bytes == 2 or (plan.method == "qlora" and plan.autocast):
        widths = (2, 10) if drop else (0, 12)
    elif plan.autocast:
        widths = (10, 6) if drop else (6, 10)
    else:
        widths = (6, 14) if drop else (2, 14)
    return float(plan.tokens * (widths[0] * i + widths[1] * h))


def attention_temporary_bytes(plan: Plan) -> float:
    """At the attention, whose turn is over before the MLP's derivatives are wider; alone where the MLP is tiled. The
    gradients of the output, of q (and its fp32 sum), of k and v, which a kernel makes for every head first, and the
    residual's (flash-attention, csrc/flash_attn/flash_api.cpp, mha_bwd: dq_accum, dk_expanded)."""
    s = plan.shape
    expanded = 4 * s.q if s.kv_heads < s.heads else 0
    return plan.tokens * float(8 * s.q + expanded + 4 * s.k + plan.residual_bytes * s.hidden)


def layer_temporary_bytes(plan: Plan) -> float:
    """X in bytes for all T tokens."""
    if plan.method == "full":
        x = _full(plan)
    else:
        x = _qlora(plan) if plan.method == "qlora" else plan.tokens * _adapters_16_bit(plan)
    if dora.is_dora(plan):
        x = dora.temporary_bytes(plan, x)
    if plan.shape.experts is not None:
        x = max(x, experts.temporary_bytes(plan))
    if plan.attention == "eager":
        x = max(x, _eager(plan))
    return x
