"""The trained tensors as numbers: how many elements, how many of them in small tensors, how large the largest is."""

from dataclasses import dataclass
from functools import lru_cache

from advisor.estimator.adapters import lora_tensors, target_widths
from advisor.estimator.shape import Shape

PAGED_FROM = 100_000
"""bitsandbytes pages the states of tensors with at least so many elements (`optim/optimizer.py`)."""
BLOCKWISE_FROM = 4096
"""bitsandbytes keeps 32-bit states for smaller tensors (`min_8bit_size`)."""


@dataclass(frozen=True, slots=True)
class Trained:
    """Sums over all trained tensors, in elements."""

    elements: int
    embedding: int
    """Elements of trained embeddings."""
    below_paged: int
    below_blockwise: int
    largest: int
    edges: int
    """Rows plus columns of every matrix: what factored optimizers keep."""


def _sum_up(tensors: list[tuple[int, int, int]], embedding: int) -> Trained:
    sizes = [(rows * cols, rows * cols * count) for rows, cols, count in tensors]
    return Trained(
        elements=sum(total for _, total in sizes) + embedding,
        embedding=embedding,
        below_paged=sum(total for size, total in sizes if size < PAGED_FROM),
        below_blockwise=sum(total for size, total in sizes if size < BLOCKWISE_FROM),
        largest=max([size for size, _ in sizes] + [embedding]),
        edges=sum((rows + cols) * count if rows > 1 else cols * count for rows, cols, count in tensors),
    )


@lru_cache(maxsize=4096)
def trained_by_adapters(shape: Shape, targets: frozenset[str], rank: int, stated: int) -> Trained:
    """LoRA's A (rank x in) and B (out x rank) for every target; `stated` overrides the number of elements."""
    if not targets or rank <= 0:
        return Trained(stated, 0, stated, 0, stated, stated)
    tensors = list(lora_tensors(shape, targets, rank))
    if not tensors:
        return Trained(stated, 0, stated, 0, stated, stated)
    trained = _sum_up(tensors, 0)
    scale = stated / trained.elements if trained.elements else 1.0
    return Trained(
        stated,
        0,
        int(trained.below_paged * scale),
        int(trained.below_blockwise * scale),
        trained.largest,
        int(trained.edges * scale),
    )


@lru_cache(maxsize=1024)
def trained_by_full(shape: Shape) -> Trained:
    """Every weight of the language model (a tower stays frozen)."""
    h, layers = shape.hidden, shape.layers
    tensors = [(1, h, layers * shape.norms + 1)]
    for role, (x, y) in target_widths(shape).items():
        if role in ("qkv", "gate_up", "head", "embed"):
            continue
        expert = shape.experts is not None and role in ("gate", "up", "down")
        count = layers * (shape.experts.count if expert and shape.experts else 1)
        width = shape.experts.width if expert and shape.experts else 0
        tensors.append((h, width, count) if expert else (y, x, count))
    if shape.head_params:
        tensors.append((shape.vocab, h, 1))
    summed = _sum_up(tensors, shape.embedding_params)
    return Trained(
        shape.text_params,
        shape.embedding_params,
        summed.below_paged,
        summed.below_blockwise,
        summed.largest,
        summed.edges,
    )


@lru_cache(maxsize=1024)
def trained_by_part(shape: Shape, part: int) -> Trained:
    """So many of them, in matrices as large as those of the whole."""
    whole = trained_by_full(shape)
    share = part / max(1, whole.elements)
    return Trained(part, 0, int(whole.below_paged * share), 0, min(whole.largest, part), int(whole.edges * share))
