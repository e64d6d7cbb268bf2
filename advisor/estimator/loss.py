"""The logits and the loss: usually the largest single block. FORMULAS.md, section Loss. Bytes for all T tokens."""

from math import ceil

from advisor.estimator.plan import Plan


def head_copy_bytes(plan: Plan) -> int:
    """H: the 16-bit copy of an fp32 lm_head that autocast makes each step."""
    wide = plan.kbit or (plan.method == "full" and plan.trainable_bytes == 4)
    return 2 * plan.shape.vocab * plan.shape.hidden if plan.autocast and wide else 0


def logits_element_bytes(plan: Plan) -> int:
    """u: 2, but 4 when an fp32 lm_head runs without autocast."""
    return 4 if plan.kbit and not plan.autocast else 2


def _fused(plan: Plan, backward: bool) -> float:
    """Liger's fused linear cross-entropy: chunks of logits, gradients made in the forward pass.

    Under autocast a frozen fp32 lm_head is cast anew for each chunk.
    """
    s, tokens = plan.shape, plan.tokens
    hidden = plan.residual_bytes * tokens * s.hidden
    weight = plan.trainable_bytes * s.vocab * s.hidden if plan.method == "full" else 0
    if backward:
        return hidden + 14 * tokens * s.hidden + weight
    share = ceil(tokens / ceil(s.vocab / s.hidden))
    chunk = 1 << max(0, (share - 1).bit_length())
    copy = head_copy_bytes(plan) if plan.kbit else 0
    return hidden + 2 * min(chunk, tokens) * s.vocab + weight + (6 * s.vocab * s.hidden if weight else 0) + copy


def loss_forward_bytes(plan: Plan) -> float:
    """LF."""
    tv = plan.tokens * plan.shape.vocab
    u = logits_element_bytes(plan)
    cap = u * tv if plan.shape.softcap_logits else 0
    if plan.loss == "fused":
        return _fused(plan, backward=False)
    if plan.loss == "inplace":
        return (u + (4 if plan.autocast else 0)) * tv + cap + head_copy_bytes(plan)
    if u == 4:
        wider = 4 if plan.loss == "hf_old" and plan.micro_batch > 1 else 0
        return (8 + wider) * tv + 4 * plan.tokens * plan.shape.hidden + cap
    if plan.loss == "hf_old" and plan.micro_batch > 1:
        return (u + 12) * tv + head_copy_bytes(plan) + cap
    return (u + 8) * tv + head_copy_bytes(plan) + cap


def loss_backward_bytes(plan: Plan) -> float:
    """LB."""
    tv = plan.tokens * plan.shape.vocab
    u = logits_element_bytes(plan)
    cap = u * tv if plan.shape.softcap_logits else 0
    if plan.loss == "fused":
        return _fused(plan, backward=True)
    if plan.loss == "inplace":
        return u * tv + 2 * cap + head_copy_bytes(plan)
    return 12 * tv + head_copy_bytes(plan) + cap
