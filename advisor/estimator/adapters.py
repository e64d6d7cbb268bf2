"""Adapters: how many parameters they have and how many bytes they take. LoRA: arXiv:2106.09685."""

from functools import lru_cache

from advisor.estimator.plan import Plan
from advisor.estimator.shape import Shape


def target_widths(shape: Shape) -> dict[str, tuple[int, int]]:
    """Role → (input width, output width) of the matrix that carries it."""
    h, q, k, i = shape.hidden, shape.q, shape.k, shape.intermediate
    widths = {
        "q": (h, q),
        "k": (h, k),
        "v": (h, k),
        "qkv": (h, q + 2 * k),
        "o": (q, h),
        "up": (h, i),
        "down": (i, h),
        "head": (h, shape.vocab),
        "embed": (shape.vocab, h),
    }
    if shape.mlp_matrices == 3:
        widths["gate"] = (h, i)
        widths["gate_up"] = (h, 2 * i)
    return widths


@lru_cache(maxsize=8192)
def lora_params(shape: Shape, targets: frozenset[str], rank: int) -> int:
    """N_ad: r (in + out) for each target, in every layer; every expert carries its own."""
    widths = target_widths(shape)
    total = 0
    for role in targets:
        if role not in widths:
            continue
        x, y = widths[role]
        if role in ("head", "embed"):
            total += rank * (x + y)
        elif shape.experts is not None and role in ("gate", "up", "down", "gate_up"):
            total += _expert_lora_params(shape, role, rank, "experts" in targets)
        else:
            total += shape.layers * rank * (x + y)
    return total


def _expert_lora_params(shape: Shape, role: str, rank: int, every_expert: bool) -> int:
    x = shape.experts
    assert x is not None
    h = shape.hidden
    doubled = 2 if role == "gate_up" else 1
    sparse = shape.layers - x.dense_layers
    routed = sparse * x.count * (h + doubled * x.width) if every_expert else 0
    shared = sparse * (h + doubled * x.shared_width) if x.shared_width else 0
    return rank * (routed + shared + x.dense_layers * (h + doubled * shape.intermediate))


def copied_params(shape: Shape, targets: frozenset[str]) -> int:
    """Embedding and head that a LoRA run trains as a whole (peft's modules_to_save): a 16-bit copy of each."""
    one = shape.vocab * shape.hidden
    return one * len(targets & {"full_embed", "full_head"})


def adapter_bytes(plan: Plan) -> int:
    """Bytes of the adapters, and of the copies that are trained as a whole."""
    return plan.adapters * plan.adapter_bytes + 2 * copied_params(plan.shape, plan.targets)
