"""Adapters: how many parameters they have and how many bytes they take. LoRA: arXiv:2106.09685."""

from collections.abc import Iterator
from functools import lru_cache

from advisor.estimator.experts import APART, DOUBLED, MLP_ROLES, ROLES
from advisor.estimator.plan import Plan
from advisor.estimator.shape import Experts, Shape

Tensor = tuple[int, int, int]
"""Rows, columns, how many of them."""


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


def _pair(rank: int, x: int, y: int, count: int) -> Iterator[Tensor]:
    """LoRA's A (rank x in) and B (out x rank)."""
    yield rank, x, count
    yield y, rank, count


def lora_tensors(shape: Shape, targets: frozenset[str], rank: int) -> Iterator[Tensor]:
    """Every tensor of the adapters; in a mixture of experts those on the MLP of shared experts and dense layers."""
    widths = target_widths(shape)
    for role in targets & widths.keys():
        x, y = widths[role]
        if role in ("head", "embed"):
            yield from _pair(rank, x, y, 1)
        elif shape.experts is None or role not in MLP_ROLES:
            yield from _pair(rank, x, y, shape.layers)
        else:
            yield from _beside_experts(shape, shape.experts, role, rank)
    if shape.experts is not None and (kind := targets & ROLES):
        yield from _expert_tensors(shape, shape.experts, kind, rank)


def _beside_experts(shape: Shape, x: Experts, role: str, rank: int) -> Iterator[Tensor]:
    h, doubled = shape.hidden, 2 if role == "gate_up" else 1
    for width, count in ((x.shared_width, shape.layers - x.dense_layers), (shape.intermediate, x.dense_layers)):
        if width and count:
            yield from _pair(rank, width, h, count) if role == "down" else _pair(rank, h, doubled * width, count)


def _expert_tensors(shape: Shape, x: Experts, kind: frozenset[str], rank: int) -> Iterator[Tensor]:
    """A stack of adapters for each stack of experts, or a pair for each matrix of each of them."""
    h, sparse = shape.hidden, shape.layers - x.dense_layers
    gates = shape.mlp_matrices - 1
    if APART in kind:
        yield from _pair(rank, h, x.width, sparse * x.count * gates)
        yield from _pair(rank, x.width, h, sparse * x.count)
        return
    joined = rank * (gates if DOUBLED in kind else 1)
    yield from _pair(x.count * joined, h, gates * x.width, sparse)
    yield from _pair(x.count * rank, x.width, h, sparse)


@lru_cache(maxsize=8192)
def lora_params(shape: Shape, targets: frozenset[str], rank: int) -> int:
    """N_ad: r (in + out) for each target, in every layer; every expert that has one carries its own."""
    return sum(rows * cols * count for rows, cols, count in lora_tensors(shape, targets, rank))


VIRTUAL_TOKENS = 20
"""Of prompt, prefix and p-tuning in peft's examples."""


def few_params(variant: str, shape: Shape, targets: frozenset[str], rank: int) -> int | None:
    """Parameters of methods that put vectors beside a model, not pairs of matrices; None for all others.

    IA3 scales keys, values and the MLP's product (arXiv:2205.05638); VeRA trains two vectors per matrix
    (arXiv:2310.11454); prefix tuning keys and values of virtual tokens (arXiv:2101.00190); prompt tuning their
    embeddings; LN tuning the norms.
    """
    s = shape
    if variant == "ia3":
        return s.layers * (2 * s.k + s.intermediate)
    if variant in ("vera", "pvera"):
        widths = target_widths(s)
        return s.layers * sum(widths[role][1] + rank for role in targets & widths.keys())
    if variant == "prefix_tuning":
        return VIRTUAL_TOKENS * s.layers * 2 * s.k
    if variant in ("prompt_tuning", "p_tuning", "ptuning", "multitask_prompt_tuning", "cpt"):
        return VIRTUAL_TOKENS * s.hidden
    return s.norm_params if variant in ("ln_tuning", "layernorm") else None


def copied_params(shape: Shape, targets: frozenset[str]) -> int:
    """Embedding and head that a LoRA run trains as a whole (peft's modules_to_save): a 16-bit copy of each."""
    one = shape.vocab * shape.hidden
    return one * len(targets & {"full_embed", "full_head"})


def adapter_bytes(plan: Plan) -> int:
    """Bytes of the adapters, and of the copies that are trained as a whole."""
    return plan.adapters * plan.adapter_bytes + 2 * copied_params(plan.shape, plan.targets)
