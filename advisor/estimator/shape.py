"""The shape of a model as the memory terms need it: widths, counts, and what is odd about it.

Widths are in elements, counts in parameters. `shape_of` reads a raw `arch` mapping (keys as in measured rows and in the
catalog), `shape_of_size` makes one up for a model of which only the size is known.
"""

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Experts:
    """A mixture-of-experts MLP: `count` experts of `width`, `active` of them per token."""

    count: int
    active: int
    width: int
    shared_width: int = 0
    dense_layers: int = 0


@dataclass(frozen=True)
class Shape:
    """Symbols of the papers: h hidden, L layers, a heads, g kv_heads, d head_dim, I intermediate, V vocab."""

    hidden: int
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    intermediate: int
    vocab: int
    tied: bool = False
    model_type: str = "llama"
    mlp_matrices: int = 3
    norms: int = 2
    """Norms of width h per layer; Gemma-2 and later have four."""
    layer_norm: bool = False
    qk_norm: bool = False
    fused_qkv: bool = False
    fused_gate_up: bool = False
    softcap_attention: bool = False
    softcap_logits: bool = False
    scaled_logits: bool = False
    """The logits are divided by a constant, which makes a copy of them (Granite, Cohere)."""
    window: int = 0
    """Sliding window in tokens in the local layers; 0: every layer sees everything."""
    full_attention_share: float = 1.0
    """Share of the layers with softmax attention; the rest are linear (delta-net, Mamba, short convolution)."""
    experts: Experts | None = None
    linear_params: int = 0
    """N_lin: parameters of all layers' linears, experts included."""
    expert_params: int = 0
    """Those of them that are routed experts."""
    norm_params: int = 0
    other_params: int = 0
    """Biases, routers, convolutions."""
    embedding_params: int = 0
    """Token embedding; learned positions and per-layer embeddings too."""
    head_params: int = 0
    """lm_head of its own; 0 when tied to the embedding."""
    tower_params: int = 0
    """Vision and audio towers: resident, 16 bit, frozen."""
    guessed: bool = False
    """True when only the size was known and the shape is a typical one."""

    @cached_property
    def _hash(self) -> int:
        return hash((self.hidden, self.layers, self.vocab, self.intermediate, self.linear_params, self.tied))

    def __hash__(self) -> int:
        """Made once: shapes are keys of the terms' caches."""
        return self._hash

    @cached_property
    def q(self) -> int:
        """Width of all query heads."""
        return self.heads * self.head_dim

    @cached_property
    def k(self) -> int:
        """Width of all key (or value) heads."""
        return self.kv_heads * self.head_dim

    @cached_property
    def small_params(self) -> int:
        """What k-bit loaders never quantise inside the layers: norms, biases, routers, convolutions."""
        return self.norm_params + self.other_params

    @cached_property
    def text_params(self) -> int:
        """Parameters of the language model."""
        return self.linear_params + self.small_params + self.embedding_params + self.head_params

    @cached_property
    def params(self) -> int:
        """All parameters that are loaded."""
        return self.text_params + self.tower_params

    @cached_property
    def active_width(self) -> int:
        """MLP width that one token goes through: all active experts side by side, plus the shared one."""
        if self.experts is None:
            return self.intermediate
        x = self.experts
        sparse = x.active * x.width + x.shared_width
        return round((x.dense_layers * self.intermediate + (self.layers - x.dense_layers) * sparse) / self.layers)

    @cached_property
    def plain_width(self) -> int:
        """Width of the widest MLP that is no routed expert; 0 where there is none."""
        x = self.experts
        if x is None:
            return self.intermediate
        return max(x.shared_width, self.intermediate if x.dense_layers else 0)

    @cached_property
    def adapted_width(self) -> int:
        """MLP width outside of routed experts, on average over the layers: where adapters on MLP matrices sit."""
        x = self.experts
        if x is None:
            return self.intermediate
        return round(
            (x.dense_layers * self.intermediate + (self.layers - x.dense_layers) * x.shared_width) / self.layers
        )

    @cached_property
    def largest_linear(self) -> int:
        """Parameters of the largest matrix that a k-bit kernel dequantises at once."""
        width = self.intermediate if self.experts is None else max(self.experts.width, self.experts.shared_width)
        return self.hidden * max(width * (2 if self.fused_gate_up else 1), self.q)
