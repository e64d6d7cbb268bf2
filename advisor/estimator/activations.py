"""What the forward pass keeps for the backward pass, in bytes per token. FORMULAS.md, section S.

One function per part of a layer; `layer_bytes` is S, `kept_bytes` is c_L. Symbols: h hidden, q = a d, k = g d, i the
width of the MLP that one token goes through, r rank, e bytes of the residual stream, m bytes of an MLP activation.
"""

from advisor.estimator.plan import Plan

SHARED_INPUTS = (("q", "k", "v", "qkv"), ("gate", "up", "gate_up"))
"""Targets that read one and the same tensor."""


def norm_bytes(plan: Plan) -> float:
    """Both norms (four in Gemma-2 and later), and the norms of q and k heads.

    An RMSNorm keeps an fp32 copy of its input and an fp32 rsqrt; when its weight is trained also the normalised value.
    A fused kernel (Liger, Triton) keeps its input, in the residual's own type, and the rsqrt. LayerNorm: input, mean, rstd.
    """
    s, e = plan.shape, plan.residual_bytes
    if s.layer_norm:
        wide = 4 if plan.autocast and e == 2 else e
        return s.norms * (wide * s.hidden + 8)
    own = 4 * s.hidden if s.model_type.startswith("gemma") else e * s.hidden
    if plan.fused_kernels:
        return s.norms * (e * s.hidden + 4)
    per_norm = 4 * s.hidden + 4 + (own if plan.method == "full" else 0)
    heads = 0.0
    if s.qk_norm:
        width = s.q + s.k
        heads = 4 * width + 4 * (s.heads + s.kv_heads) + (2 * width if plan.method == "full" else 0)
    return s.norms * per_norm + heads


def attention_bytes(plan: Plan) -> float:
    """q, k, v, the output and the log-sum-exp of one attention layer.

    flash: 4q + 4k + 4a. efficient (memory-efficient kernel): k and v repeated to all heads. eager: fp32 softmax and its
    16-bit copy, 6 a s.
    """
    s = plan.shape
    wide = 2 if plan.kbit and not plan.autocast else 1
    if plan.attention == "efficient":
        kept = wide * 8 * s.q + 4 * s.heads
    elif plan.attention == "eager":
        input_kept = 2 * s.q if plan.method == "full" or "o" in plan.targets else 0
        scores = (6 + (2 if s.softcap_attention else 0)) * s.heads * plan.seq_len
        kept = wide * 6 * s.q + input_kept + scores
    else:
        kept = wide * (4 * s.q + 4 * s.k) + 4 * s.heads
    if s.fused_qkv:
        kept += wide * 2 * (s.q + s.k)
    return kept


def mlp_bytes(plan: Plan) -> float:
    """gate, silu(gate) and up; a plain MLP keeps the input of its activation. A fused SwiGLU keeps gate and up only."""
    s = plan.shape
    width = s.active_width
    if s.mlp_matrices == 2:
        return plan.mlp_bytes * width
    return (2 if plan.fused_kernels else 3) * plan.mlp_bytes * width


def _full_inputs(plan: Plan) -> float:
    """Inputs of the linears, for their weights' gradients; autocast makes a 16-bit copy for each matrix."""
    s = plan.shape
    h, width = s.hidden, s.active_width
    if plan.autocast and plan.residual_bytes == 4:
        readers = (1 if s.fused_qkv else 3) + (1 if s.fused_gate_up else s.mlp_matrices - 1)
        return 2 * h * readers + 2 * width + (2 * s.q if s.fused_qkv else 0)
    return 4 * h + 2 * width + (2 * s.q if s.fused_qkv else 0)


def _input_width(plan: Plan, role: str) -> int:
    s = plan.shape
    return {"o": s.q, "down": s.active_width}.get(role, s.hidden)


def adapter_input_bytes(plan: Plan) -> float:
    """IN: what each LoRA target keeps of its input x, and the r-wide product with A. FORMULAS.md, table "mode | IN".

    LoRA on 16-bit weights with fp32 adapters: peft casts x to fp32; without autocast that copy is kept (4x), with autocast
    the 16-bit copy made from it (2x), each target its own. bf16 adapters share the layer's own tensors. Under QLoRA peft
    leaves the cast to autocast; after k-bit preparation x is fp32 and each target gets a 16-bit copy.
    """
    inside = [role for role in plan.targets if role not in ("head", "embed", "experts")]
    if plan.dropout > 0:
        kept = 2 if plan.autocast else plan.adapter_bytes
        return sum((1 + kept) * _input_width(plan, t) + kept * plan.rank for t in inside)
    casts = plan.adapter_bytes == 4 and (plan.method == "lora" or not plan.autocast)
    if casts and not (plan.kbit and not plan.autocast):
        kept = 2 if plan.autocast else 4
        return sum(kept * (_input_width(plan, t) + plan.rank) for t in inside)
    wide = 4 if plan.kbit and not plan.autocast else 2
    if plan.kbit and plan.autocast:
        return sum(2 * plan.rank + (0 if t == "o" else 2 * _input_width(plan, t)) for t in inside)
    shared = sum(wide * plan.shape.hidden for group in SHARED_INPUTS if any(t in plan.targets for t in group))
    down = wide * plan.shape.active_width if "down" in plan.targets else 0
    return shared + down + wide * plan.rank * len(inside)


def input_bytes(plan: Plan) -> float:
    """IN of FORMULAS.md for full fine-tuning or adapters."""
    return _full_inputs(plan) if plan.method == "full" else adapter_input_bytes(plan)


def layer_bytes(plan: Plan) -> float:
    """S: bytes per token that one layer keeps when nothing is checkpointed."""
    return norm_bytes(plan) + attention_bytes(plan) + mlp_bytes(plan) + input_bytes(plan)


def checkpoint_bytes(plan: Plan) -> float:
    """Bytes per token and layer that checkpointing keeps: the residual stream."""
    return plan.residual_bytes * plan.shape.hidden


def kept_bytes(plan: Plan) -> float:
    """c_L: bytes per token and layer that are on the GPU when the forward pass has ended."""
    if plan.checkpointing == "none":
        return layer_bytes(plan)
    if plan.checkpointing == "offload" or plan.activation_offload:
        return 0.0
    return checkpoint_bytes(plan)


def rotary_bytes(plan: Plan) -> float:
    """cos and sin, once for the whole model."""
    return 2 * plan.seq_len * plan.shape.head_dim * plan.residual_bytes


def head_input_bytes(plan: Plan) -> float:
    """n_f: final norm and the input of lm_head, per token."""
    h = plan.shape.hidden
    return 4 * h + 4 + ((plan.residual_bytes + 2) * h if plan.method == "full" else 0)
