"""What is counted, and what a shape must tell for it."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from operator import add, attrgetter
from typing import Any, Protocol


class MoeLike(Protocol):
    """What a mixture of experts must tell."""

    @property
    def experts(self) -> int: ...
    @property
    def active(self) -> int: ...
    @property
    def moe_intermediate(self) -> int: ...
    @property
    def shared(self) -> int | None: ...
    @property
    def dense_layers(self) -> int: ...


class ShapeLike(Protocol):
    """What a shape must tell; `schemas.Shape` does."""

    @property
    def arch(self) -> str: ...
    @property
    def arch_args(self) -> Mapping[str, Any]: ...
    @property
    def hidden_size(self) -> int: ...
    @property
    def layers(self) -> int: ...
    @property
    def heads(self) -> int: ...
    @property
    def kv_heads(self) -> int: ...
    @property
    def head_dim(self) -> int: ...
    @property
    def intermediate_size(self) -> int | None: ...
    @property
    def vocab_size(self) -> int: ...
    @property
    def tie_embeddings(self) -> bool: ...
    @property
    def moe(self) -> MoeLike | None: ...


@dataclass(frozen=True, slots=True)
class Parameters:
    """Counts over all layers. The linears are what QLoRA quantises and LoRA attaches to."""

    embedding: int = 0
    """Token embedding (also position and per-layer embeddings)."""
    lm_head: int = 0
    """0 when tied to the embedding."""
    attention_linear: int = 0
    """q, k, v, o (or MLA, delta-net, mamba and short-conv projections), weights only."""
    mlp_linear: int = 0
    """Dense MLPs and shared experts, weights only."""
    expert_linear: int = 0
    """Routed experts, weights only; stored as one 3-D tensor in recent stacks."""
    router: int = 0
    norms: int = 0
    other: int = 0
    """Biases, convolutions, sinks and the like."""
    vision: int = 0
    """Vision and audio towers with their projectors."""
    unused: int = 0
    """Stored and loaded, but no token passes through (K and V of layers that share them, Gemma 4 E)."""
    inactive: int = 0
    """Part of expert_linear (and its biases) that one token does not pass through."""

    @property
    def text(self) -> int:
        """The language model alone."""
        return (
            self.embedding + self.lm_head + self.attention_linear + self.mlp_linear + self.expert_linear
            + self.router + self.norms + self.other
        )  # fmt: skip

    @property
    def total(self) -> int:
        """Everything that is loaded."""
        return self.text + self.vision + self.unused

    @property
    def active(self) -> int:
        """What one token of text passes through."""
        return self.text - self.inactive

    @property
    def linear(self) -> int:
        """All linear weights inside the layers of the language model."""
        return self.attention_linear + self.mlp_linear + self.expert_linear

    def __add__(self, more: "Parameters") -> "Parameters":
        return Parameters(*map(add, _counts(self), _counts(more)))

    def __mul__(self, times: int) -> "Parameters":
        return Parameters(*(count * times for count in _counts(self)))


_counts = attrgetter(*(f.name for f in fields(Parameters)))
"""All counts in their order. 400 models are counted at a start: asking the dataclass each time took 20 ms."""
