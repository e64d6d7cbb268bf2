"""Attention masks in bytes, where a kernel is given one: eager's numbers, SDPA's for sliding windows."""

from advisor.estimator.architectures import LOCAL_SHARE, TWO_MASKS
from advisor.estimator.plan import Plan
from advisor.estimator.shape import Shape


def mask_bytes(plan: Plan) -> float:
    """The causal mask that eager attention adds: B s s numbers of the embedding's type, and as many again where layers
    with a sliding window have a mask of their own; SDPA's mask of a window: s s booleans, whatever the batch. Whole
    model, not per token."""
    if plan.attention != "eager":
        return float(plan.seq_len**2) if sees_masks(plan) else 0.0
    kinds = 2 if plan.shape.model_type in TWO_MASKS else 1
    return float(kinds * plan.tokens * plan.seq_len * plan.residual_bytes)


def sees_masks(plan: Plan) -> bool:
    """A text is as long as the window, which SDPA then takes as a mask."""
    return plan.masks_windows and plan.attention != "eager" and plan.seq_len >= plan.shape.window


def layer_mask_bytes(plan: Plan) -> float:
    """What a layer with a window keeps: its mask as 16-bit numbers, B s s (ATen's convert_boolean_attn_mask)."""
    return 2.0 * plan.tokens * plan.seq_len if sees_masks(plan) else 0.0


def local_share(shape: Shape) -> float:
    """Layers with a sliding window among all."""
    return LOCAL_SHARE.get(shape.model_type, 1.0)
