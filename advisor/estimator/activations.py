"""What the forward pass keeps for the backward pass, in bytes per token. FORMULAS.md, section S.

One function per part of a layer; `layer_bytes` is S, `kept_bytes` is c_L. Symbols: h hidden, q = a d, k = g d, i the
width of the MLP that one token goes through, r rank, e bytes of the residual stream, m bytes of an MLP activation.
"""

from dataclasses import replace

from advisor.estimator import dora, experts
from advisor.estimator.architectures import SCALED_IN_FP32
from advisor.estimator.dora import INSIDE
from advisor.estimator.older import NO_ROTARY, activation_bytes, dropout_bytes, layer_norm_bytes
from advisor.estimator.plan import Plan, of_set_up, unless_eager

SHARED_INPUTS = (("q", "k", "v", "qkv"), ("gate", "up", "gate_up"))
"""Targets that read one and the same tensor."""

LATE = {"adapter": 2, "adaption_prompt": 2}
"""Methods that start at this layer; nothing below needs a gradient (litgpt's adapter_start_layer, LLaMA-Adapter)."""
SELECTIVE = 0.4
"""Share of a layer that selective checkpointing keeps: attention and every other matrix product (torchtitan, "op"). A
stand-in until knowledge/measured/ has rows of it."""


@of_set_up
def norm_bytes(plan: Plan) -> float:
    """Both norms (four in Gemma-2 and later), and the norms of q and k heads.

    An RMSNorm keeps an fp32 copy of its input and an fp32 rsqrt; when its weight is trained also the normalised value.
    A fused kernel (Liger, Triton) keeps its input, in the residual's own type, and the rsqrt. LayerNorm: `older.py`.
    """
    s, e = plan.shape, plan.residual_bytes
    if s.layer_norm:
        return layer_norm_bytes(plan)
    own = 4 * s.hidden if s.model_type.startswith(SCALED_IN_FP32) else e * s.hidden
    if plan.fused_kernels:
        return s.norms * (e * s.hidden + 4)
    per_norm = 4 * s.hidden + 4 + (own if plan.method == "full" else 0)
    return s.norms * per_norm + head_norm_bytes(plan)


def head_norm_bytes(plan: Plan) -> float:
    """Norms of the q and k heads: an fp32 copy and the rsqrt; when trained the normalised value, 16 bit as q and k
    unless the weight is multiplied in fp32."""
    s = plan.shape
    if not s.qk_norm:
        return 0.0
    width = s.q + s.k
    own = width * (4 if s.model_type.startswith(SCALED_IN_FP32) else 2)
    return 4 * width + 4 * (s.heads + s.kv_heads) + (own if plan.method == "full" else 0)


def attention_bytes(plan: Plan) -> float:
    """q, k, v, the output and the log-sum-exp of one attention layer.

    flash: 4q + 4k + 4a. efficient (memory-efficient kernel): k and v repeated to all heads; repeating one head makes a
    view. eager: fp32 softmax and its 16-bit copy, 6 a s; the output is no part of it, so o_proj's input comes on top
    where o_proj keeps it.
    """
    s = plan.shape
    wide = 2 if plan.kbit and not plan.autocast else 1
    extra = _fused_view(plan) + (wide * 2 * s.q if _output_is_a_copy(plan) and _keeps_output(plan) else 0)
    if plan.attention == "efficient":
        repeated = s.q if s.kv_heads > 1 else s.k
        return wide * 4 * (s.q + repeated) + 4 * s.heads + extra
    if plan.attention == "eager":
        scores = ((4 if wide == 2 else 6) + (2 if s.softcap_attention else 0)) * s.heads * plan.seq_len
        return wide * (2 * s.q + eager_repeats(plan)) + scores + extra
    return wide * (4 * s.q + 4 * s.k) + 4 * s.heads + extra


def eager_repeats(plan: Plan) -> float:
    """k and v as the eager products keep them, in bytes of a 16-bit copy: every head, except that a single head of one
    sequence stays a view of itself unless autocast casts it."""
    s = plan.shape
    if s.kv_heads > 1 or plan.micro_batch * plan.sequences > 1 or (plan.kbit and plan.autocast):
        return 4.0 * s.q
    return 2.0 * (s.q if plan.autocast and plan.residual_bytes == 4 else s.k) + 2.0 * s.k


def _keeps_output(plan: Plan) -> bool:
    """o_proj keeps the attention's output itself, not a cast or a dropped-out copy of it."""
    if plan.method == "full":
        return True
    if "o" not in plan.targets or plan.dropout > 0:
        return False
    if plan.kbit and not plan.autocast:
        return plan.adapter_bytes == 4
    return plan.adapter_bytes == 2 or (plan.method == "qlora" and plan.autocast)


def _output_is_a_copy(plan: Plan) -> bool:
    """o_proj's input is another tensor than the one that the attention keeps: eager keeps none; flash lays its output
    out like q, which a fused qkv makes head by head."""
    s = plan.shape
    return plan.attention == "eager" or (plan.attention == "flash" and s.fused_qkv and s.model_type not in NO_ROTARY)


def _fused_view(plan: Plan) -> float:
    """A fused qkv matrix: v is a view that keeps q and k before rotation alive, unless a cast or a repeat copies it.

    Eager attention's batched product copies v, too, when there are several sequences.
    """
    s = plan.shape
    if not s.fused_qkv or s.model_type in NO_ROTARY or (plan.kbit and plan.autocast):
        return 0.0
    if plan.attention == "efficient" and s.kv_heads < s.heads:
        return 0.0
    if plan.attention == "eager" and (s.kv_heads < s.heads or plan.micro_batch * plan.sequences > 1):
        return 0.0
    return (2 if plan.kbit else 1) * 2 * (s.q + s.k)


@of_set_up
def mlp_bytes(plan: Plan) -> float:
    """gate, silu(gate) and up; a plain MLP keeps the input of its activation. A fused SwiGLU keeps gate and up only.

    Experts also keep what each of a token's experts puts out (2 h each, for the routing weights), when trained what
    each reads (2 h), the router's fp32 softmax and their places. Checked with the oracle on Qwen3-MoE and Mixtral.
    """
    s = plan.shape
    width, m = s.active_width, plan.mlp_bytes
    kept = activation_bytes(plan) if s.mlp_matrices == 2 else (2 if plan.fused_kernels else 3) * m * width
    if s.experts is not None:
        active = s.experts.active
        kept += (2 if plan.method == "full" else 1) * m * active * s.hidden + 4 * s.experts.count + 38 * active
    return kept


def _full_inputs(plan: Plan) -> float:
    """Inputs of the linears, for their weights' gradients; autocast makes a 16-bit copy for each matrix."""
    s = plan.shape
    h, width = s.hidden, s.active_width
    if plan.autocast and plan.residual_bytes == 4:
        readers = (1 if s.fused_qkv else 3) + (1 if s.fused_gate_up else s.mlp_matrices - 1)
        return 2 * h * readers + 2 * width
    return (2 if s.norms == 1 else 4) * h + 2 * width


def _input_width(plan: Plan, role: str) -> int:
    """Width of what a target reads; of an MLP's in a mixture of experts what is outside of them, on average."""
    s = plan.shape
    return {"o": s.q, "down": s.adapted_width}.get(role, s.hidden)


def adapter_input_bytes(plan: Plan) -> float:
    """IN: what each LoRA target keeps of its input x, and the r-wide product with A. FORMULAS.md, table "mode | IN".

    LoRA on 16-bit weights with fp32 adapters: peft casts x to fp32; without autocast that copy is kept (4x), with
    autocast the 16-bit copy made from it (2x), each target its own. bf16 adapters share the layer's own tensors. Under
    QLoRA peft leaves the cast to autocast; after k-bit preparation x is fp32 and each target gets a 16-bit copy.
    """
    return _plain_input_bytes(plan) + experts.input_bytes(plan)


def _plain_input_bytes(plan: Plan) -> float:
    there = INSIDE if plan.shape.adapted_width else INSIDE - experts.MLP_ROLES
    inside = plan.targets & there
    fp32_input = plan.kbit and not plan.autocast
    if plan.dropout > 0:
        kept = 2 if plan.autocast else plan.adapter_bytes
        return sum((1 + kept) * _input_width(plan, t) + kept * plan.rank for t in inside)
    if fp32_input and plan.adapter_bytes == 2:
        return sum(2 * (_input_width(plan, t) + plan.rank) for t in inside)
    if plan.adapter_bytes == 4 and (plan.method == "lora" or not plan.autocast) and not fp32_input:
        kept = 2 if plan.autocast else 4
        return sum(kept * (_input_width(plan, t) + plan.rank) for t in inside)
    if plan.kbit and plan.autocast:
        return sum(2 * plan.rank + (0 if t == "o" else 2 * _input_width(plan, t)) for t in inside)
    wide = 4 if fp32_input else 2
    shared = sum(wide * plan.shape.hidden for group in SHARED_INPUTS if any(t in inside for t in group))
    down = wide * plan.shape.adapted_width if "down" in inside else 0
    return shared + down + wide * plan.rank * len(inside)


@of_set_up
def input_bytes(plan: Plan) -> float:
    """IN of FORMULAS.md for full fine-tuning or adapters."""
    return _full_inputs(plan) if plan.method == "full" else adapter_input_bytes(plan)


@of_set_up
def mlp_input_bytes(plan: Plan) -> float:
    """The part of IN that belongs to the MLP, free again when the attention is differentiated."""
    if plan.method == "full":
        h, width = plan.shape.hidden, plan.shape.active_width
        copies = plan.shape.mlp_matrices - 1 if plan.residual_bytes == 4 else 1
        return 2 * h * copies + 2 * width
    mlp_only = plan.targets - {"q", "k", "v", "qkv", "o"}
    return adapter_input_bytes(replace(plan, targets=mlp_only)) if mlp_only else 0.0


@of_set_up
def output_input_bytes(plan: Plan) -> float:
    """What o_proj keeps beyond the attention's own tensors; free again when the softmax is differentiated."""
    wide = 2 if plan.kbit and not plan.autocast else 1
    own = wide * 2 * plan.shape.q if _output_is_a_copy(plan) and _keeps_output(plan) else 0
    if plan.method == "full":
        return own
    return own + (adapter_input_bytes(replace(plan, targets=frozenset("o"))) if "o" in plan.targets else 0)


@unless_eager
def layer_bytes(plan: Plan) -> float:
    """S: bytes per token that one layer keeps when nothing is checkpointed."""
    return norm_bytes(plan) + attention_bytes(plan) + mlp_bytes(plan) + input_bytes(plan) + extra_bytes(plan)


def extra_bytes(plan: Plan) -> float:
    """What a trainer, a method or the model's own dropout keeps beyond the formulas.

    adapter_v2 scales and shifts every linear's output (LLaMA-Adapter V2, arXiv:2304.15010) and keeps outputs for it.
    """
    s, extra = plan.shape, dropout_bytes(plan)
    if dora.is_dora(plan):
        extra += dora.output_bytes(plan)
    if plan.variant == "adapter_v2":
        extra += 3.0 * (2 * s.hidden + s.q + 2 * s.k + (s.mlp_matrices - 1) * s.active_width)
    return extra


def checkpoint_bytes(plan: Plan) -> float:
    """Bytes per token and layer that checkpointing keeps: the residual stream."""
    return plan.residual_bytes * plan.shape.hidden


@unless_eager
def kept_bytes(plan: Plan) -> float:
    """c_L: bytes per token and layer that are on the GPU when the forward pass has ended."""
    if plan.checkpointing == "none":
        return layer_bytes(plan)
    if plan.checkpointing == "offload" or plan.activation_offload:
        return 0.0
    if plan.checkpointing == "selective":
        return max(checkpoint_bytes(plan), SELECTIVE * layer_bytes(plan))
    return checkpoint_bytes(plan)


@unless_eager
def first_layer_bytes(plan: Plan) -> float:
    """What the first layer does not keep: under adapters the embedding's output needs no gradient, so neither does
    anything before the first target. With checkpointing whole layers are recomputed and nothing is saved by this."""
    if plan.method == "full" or plan.checkpointing != "none":
        return 0.0
    if plan.variant in LATE:
        return LATE[plan.variant] * layer_bytes(plan)
    s = plan.shape
    if 0 < plan.profile.top_layers < s.layers:
        return (s.layers - plan.profile.top_layers) * layer_bytes(plan)
    heads = head_norm_bytes(plan)
    norm = (norm_bytes(plan) - heads) / s.norms
    reads_input = plan.targets & {"q", "k", "v", "qkv"}
    masks = s.hidden if plan.dropout > 0 else 0
    if reads_input:
        adapted = sum(width for role, width in (("q", s.q), ("k", s.k)) if role in reads_input)
        idle = heads * (1 - adapted / (s.q + s.k))
        return norm + masks * len(reads_input) + idle
    if "o" in plan.targets:
        return norm + heads + attention_bytes(plan)
    late = 3 if s.norms == 4 else 2
    return late * norm + heads + attention_bytes(plan) + masks * len(plan.targets & {"gate", "up", "gate_up"})


def rotary_bytes(plan: Plan) -> float:
    """cos and sin, once for the whole model."""
    return 2 * plan.seq_len * plan.shape.head_dim * plan.residual_bytes


@of_set_up
def head_input_bytes(plan: Plan) -> float:
    """n_f: final norm and the input of lm_head, per token; the loss adds what its path holds of them."""
    h = plan.shape.hidden
    return 4 * h + 4 + ((plan.residual_bytes + 2) * h if plan.method == "full" else 0)
