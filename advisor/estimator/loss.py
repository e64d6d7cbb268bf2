"""The logits and the loss: usually the largest single block. FORMULAS.md, section Loss. Bytes for all T tokens."""

from math import ceil

from advisor.estimator.algorithm import ALGORITHMS
from advisor.estimator.plan import Plan


def head_copy_bytes(plan: Plan) -> int:
    """H: the 16-bit copy of an fp32 lm_head that autocast makes each step."""
    wide = plan.kbit or (plan.method == "full" and plan.residual_bytes == 4)
    return 2 * plan.shape.vocab * plan.shape.hidden if plan.autocast and wide else 0


def logits_element_bytes(plan: Plan) -> int:
    """u: 2, but 4 when an fp32 lm_head runs without autocast."""
    return 4 if plan.kbit and not plan.autocast else 2


def _mode(plan: Plan) -> str:
    """Which tensors around the head are fp32."""
    if plan.method == "full":
        return "full amp" if plan.autocast and plan.residual_bytes == 4 else "full"
    if plan.kbit:
        return "kbit amp" if plan.autocast else "kbit"
    return "lora"


HIDDEN: dict[str, tuple[float, float, float, float, float, float]] = {
    # h-wide copies beside the logits, in bytes per token and h: hf LF, LB; fused LF, LB; in-place LF, LB
    "full": (0, 0, 2, 16, 0, 2),
    "full amp": (4, 0, 6, 14, 0, 2),
    "lora": (2, 0, 4, 20, 0, 2),
    "kbit": (4, 0, 12, 20, 4, 4),
    "kbit amp": (4, 0, 8, 20, 0, 2),
}
"""Derived from 448 oracle runs (whole multiples of h in every mode); 110 later ones agree."""


def _fused(plan: Plan, backward: bool) -> float:
    """Liger's fused linear cross-entropy: chunks of logits, gradients made in the forward pass.

    Under autocast an fp32 lm_head is cast anew for each chunk.
    """
    s, tokens = plan.shape, plan.tokens
    forward_hidden, backward_hidden = HIDDEN[_mode(plan)][2:4]
    weight = plan.trainable_bytes * s.vocab * s.hidden if plan.trains_head else 0
    if backward:
        return backward_hidden * tokens * s.hidden + weight
    share = ceil(tokens / ceil(s.vocab / s.hidden))
    chunk = 1 << max(0, (share - 1).bit_length())
    made = 6 * s.vocab * s.hidden if weight else 0
    logits = 2 * min(chunk, tokens) * s.vocab
    return forward_hidden * tokens * s.hidden + logits + weight + made + head_copy_bytes(plan)


def _extra_logits(plan: Plan) -> int:
    """Further tensors of the logits' size: Gemma's soft cap keeps one, dividing by a constant makes one."""
    return logits_element_bytes(plan) if plan.shape.softcap_logits else 0


OTHER_PATHS: dict[str, tuple[float, float]] = {
    # bytes per token and vocabulary entry in the forward and the backward pass
    "triton": (8, 8),
    "chunked": (7, 8),
    "chunked_compiled": (2, 2),
    "litgpt": (10, 11),
    "hf_kept": (18, 16),
    "pure16": (6, 8),
    "pairs": (16, 16),
}
"""Further loss paths.

triton: fms' and old Unsloth's cross-entropy kernel on fp32, shifted logits (slope of fms-acceleration's runs: 8.1 V).
chunked: torchtune's CEWithChunkedOutputLoss keeps 16-bit logits, and unless compiled each chunk's fp32 log-softmax;
the head's gradient of one chunk is added to that of the others.
litgpt: chunked_cross_entropy keeps the logits, and fp32 softmax and gradient of all chunks (measured: five models).
hf_kept: transformers up to 4.46 with a loop that holds `outputs`: their fp32 logits live on beside the loss's tensors.
pairs: LLaMA-Factory's preference trainers (train/dpo, train/kto): fp32 logits live on for the metrics beside their
log-softmax, then those of the reference come on top; backward two gradients of that size.
pure16: a model that runs in fp16 without autocast and never widens its logits (remote code of 2023 under DeepSpeed).
"""


def _quantised_head(plan: Plan) -> float:
    return plan.profile.qlora_logits if plan.method == "qlora" and plan.profile.quantises_head else 0.0


def loss_forward_bytes(plan: Plan) -> float:
    """LF."""
    if not ALGORITHMS[plan.algorithm].has_logits:
        return 4.0 * plan.tokens * plan.shape.hidden
    if plan.loss == "fused":
        return _fused(plan, backward=False)
    tv = plan.tokens * plan.shape.vocab
    if plan.loss in OTHER_PATHS:
        return (OTHER_PATHS[plan.loss][0] + _quantised_head(plan)) * tv + head_copy_bytes(plan)
    u = logits_element_bytes(plan)
    column = 4 if plan.loss == "inplace" else 0
    hidden = HIDDEN[_mode(plan)][column] * plan.tokens * plan.shape.hidden
    if column and not plan.autocast:
        hidden += 2 * plan.tokens * plan.shape.hidden
    more = head_copy_bytes(plan) + hidden + _extra_logits(plan) * tv
    if plan.loss == "inplace":
        scaled = u if plan.shape.scaled_logits and not plan.autocast else 0
        return (u + scaled + (4 if plan.autocast else 0)) * tv + more
    shifted = 4 if plan.loss == "hf_old" and plan.micro_batch > 1 else 0
    return (8 + shifted + (u if u == 2 else 0)) * tv + more


def loss_backward_bytes(plan: Plan) -> float:
    """LB; with few tokens the head's own gradient, and under autocast its fp32 copy, is larger than the logits'."""
    if plan.loss == "fused":
        return _fused(plan, backward=True)
    s = plan.shape
    if not ALGORITHMS[plan.algorithm].has_logits:
        return 4.0 * plan.tokens * s.hidden
    if plan.loss in OTHER_PATHS:
        chunks = plan.loss.startswith("chunked") and plan.trains_head
        own = 2.0 * plan.trainable_bytes * s.vocab * s.hidden if chunks else 0.0
        each = OTHER_PATHS[plan.loss][1] + _quantised_head(plan)
        return each * plan.tokens * s.vocab + head_copy_bytes(plan) + own
    tv, vh = plan.tokens * s.vocab, s.vocab * s.hidden
    u = logits_element_bytes(plan)
    cap = _extra_logits(plan) * tv
    if plan.loss == "inplace":
        own = 2 * vh if plan.trains_head and not s.softcap_logits else 0
        hidden = HIDDEN[_mode(plan)][5] * plan.tokens * s.hidden
        logits = (u + (u if s.scaled_logits else 0)) * tv + 2 * cap + head_copy_bytes(plan) + own + hidden
    else:
        logits = 12 * tv + head_copy_bytes(plan) + cap
    if not plan.trains_head:
        return logits
    return max(logits, 6.0 * vh if plan.residual_bytes == 4 else 2.0 * (tv + vh + plan.tokens * s.hidden))
