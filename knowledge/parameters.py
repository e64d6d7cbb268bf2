"""Parameters counted from the shape: one small function per layer plan, checked against the published counts.

Buffers (rotary tables, masks) are not counted; neither are multi-token-prediction heads, which training stacks drop.
Source: the layer definitions of transformers 5.24.0; 255 models agree with the published counts to 0.05 %.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Protocol

from knowledge import vision


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
        return Parameters(*(getattr(self, f.name) + getattr(more, f.name) for f in fields(self)))

    def __mul__(self, times: int) -> "Parameters":
        return Parameters(*(getattr(self, f.name) * times for f in fields(self)))


def parameters(shape: ShapeLike) -> Parameters:
    """Count a model. Raises ValueError, with what is wrong, for an unknown `arch` or a missing detail."""
    count = PLANS.get(shape.arch)
    if count is None:
        raise ValueError(f"arch: no layer plan {shape.arch!r}; known: {', '.join(sorted(PLANS))}")
    try:
        tower = vision.parameters(shape.arch_args.get("vision"), shape.hidden_size)
        return count(shape) + Parameters(vision=tower)
    except KeyError as missing:
        raise ValueError(f"arch_args: {missing.args[0]!r} is missing for arch {shape.arch!r}") from None


def _q(shape: ShapeLike) -> int:
    return shape.heads * shape.head_dim


def _kv(shape: ShapeLike) -> int:
    return shape.kv_heads * shape.head_dim


def _width(shape: ShapeLike) -> int:
    if shape.intermediate_size is None:
        raise KeyError("intermediate_size")
    return shape.intermediate_size


def _experts(shape: ShapeLike) -> MoeLike:
    if shape.moe is None:
        raise KeyError("moe")
    return shape.moe


def _ends(shape: ShapeLike) -> Parameters:
    """Embedding and output head."""
    table = shape.vocab_size * shape.hidden_size
    bias = shape.vocab_size if shape.arch_args.get("head_bias") else 0
    return Parameters(embedding=table, lm_head=0 if shape.tie_embeddings else table, other=bias)


def _norm(shape: ShapeLike) -> int:
    if shape.arch_args.get("no_norm_params"):
        return 0
    return shape.hidden_size * (2 if shape.arch_args.get("ln_bias") else 1)


def _attention(shape: ShapeLike) -> Parameters:
    """Grouped-query attention, or multi-head latent attention with `mla`."""
    args, hidden, q, kv = shape.arch_args, shape.hidden_size, _q(shape), _kv(shape)
    if "mla" in args:
        return _latent_attention(shape)
    gated = 2 if args.get("gate") in ("fused", "sep") else 1
    weights = hidden * q * gated + 2 * hidden * kv + q * hidden
    biases = (q + 2 * kv if args.get("qkv_b") else 0) + (hidden if args.get("o_b") else 0)
    if args.get("sinks"):
        biases += shape.heads
    norms = {"head": 2 * shape.head_dim, "full": q + kv}.get(str(args.get("qk_norm")), 0)
    return Parameters(attention_linear=weights, other=biases, norms=norms)


def _latent_attention(shape: ShapeLike) -> Parameters:
    mla, hidden, heads = shape.arch_args["mla"], shape.hidden_size, shape.heads
    query = heads * (mla["nope"] + mla["rope"])
    norms = mla["kvl"]
    if mla.get("ql"):
        weights = hidden * mla["ql"] + mla["ql"] * query
        norms += mla["ql"]
    else:
        weights = hidden * query
    weights += hidden * (mla["kvl"] + mla["rope"])
    weights += mla["kvl"] * heads * (mla["nope"] + mla["v"]) + heads * mla["v"] * hidden
    if "dsa" in mla:  # lightning indexer of sparse attention: [heads, head dim]
        places, dim = mla["dsa"]
        weights += mla["ql"] * places * dim + hidden * dim + hidden * places
        norms += 2 * dim
    return Parameters(attention_linear=weights, norms=norms)


def _delta_net(shape: ShapeLike) -> Parameters:
    """Gated delta-net layer (Qwen3-Next, Qwen3.5): [key heads, key dim, value heads, value dim]."""
    key_heads, key_dim, value_heads, value_dim = shape.arch_args["delta"]
    key, value = key_heads * key_dim, value_heads * value_dim
    weights = shape.hidden_size * (2 * key + 2 * value + 2 * value_heads) + value * shape.hidden_size
    return Parameters(attention_linear=weights, other=(2 * key + value) * 4 + 2 * value_heads, norms=value_dim)


def _mixers(shape: ShapeLike) -> Parameters:
    """Attention of all layers, some of which may be linear (delta-net)."""
    linear = shape.arch_args.get("linear_layers", 0)
    total = _attention(shape) * (shape.layers - linear)
    return total + _delta_net(shape) * linear if linear else total


def _mlp(shape: ShapeLike, width: int) -> Parameters:
    """Gated (gate, up, down), or plain (up, down) with `mlp: mlp`."""
    args, hidden = shape.arch_args, shape.hidden_size
    matrices = 2 if args.get("mlp") == "mlp" else 3
    biases = ((matrices - 1) * width + hidden if args.get("mlp_b") else 0) + args.get("mlp_extra", 0)
    return Parameters(mlp_linear=matrices * hidden * width, other=biases)


def _expert_layer(shape: ShapeLike, matrices: int = 3) -> Parameters:
    """Router, routed experts, shared experts of one layer."""
    moe, args, hidden = _experts(shape), shape.arch_args, shape.hidden_size
    expert = matrices * hidden * moe.moe_intermediate
    bias = 2 * moe.moe_intermediate + hidden if args.get("exp_b") else 0
    router = hidden * moe.experts + (moe.experts if args.get("router_b") else 0)
    return Parameters(
        expert_linear=moe.experts * expert,
        mlp_linear=matrices * hidden * (moe.shared or 0),
        router=router + (hidden if args.get("shared_gate") else 0),
        other=moe.experts * bias,
        inactive=(moe.experts - moe.active) * (expert + bias),
    )


def _llama(shape: ShapeLike) -> Parameters:
    norms = _norm(shape) * (shape.layers * shape.arch_args.get("norms", 2) + 1)
    layers = _mixers(shape) + _mlp(shape, _width(shape)) * shape.layers
    return _ends(shape) + layers + Parameters(norms=norms, embedding=shape.arch_args.get("extra", 0))


def _moe(shape: ShapeLike) -> Parameters:
    dense = _experts(shape).dense_layers
    total = _ends(shape) + _mixers(shape) + _expert_layer(shape) * (shape.layers - dense)
    if dense:
        total += _mlp(shape, _width(shape)) * dense
    return total + Parameters(norms=_norm(shape) * (2 * shape.layers + 1))


def _llama4(shape: ShapeLike) -> Parameters:
    """Every other layer (Maverick) or every layer (Scout) has experts."""
    sparse = shape.arch_args["moe_layers"]
    total = _ends(shape) + _mixers(shape) + _expert_layer(shape) * sparse
    total += _mlp(shape, _width(shape)) * (shape.layers - sparse)
    return total + Parameters(norms=_norm(shape) * (2 * shape.layers + 1))


def _parallel(shape: ShapeLike) -> Parameters:
    """Attention and MLP side by side behind one norm (Phi-1/2, Command-R)."""
    layers = (_attention(shape) + _mlp(shape, _width(shape))) * shape.layers
    return _ends(shape) + layers + Parameters(norms=_norm(shape) * (shape.layers + 1))


def _biased(shape: ShapeLike, *, qkv_bias: bool = True, out_bias: bool = True, norms: int = 2) -> Parameters:
    """One layer of the GPT-2 kind: biases everywhere, plain MLP, LayerNorm with bias."""
    hidden, q, kv, width = shape.hidden_size, _q(shape), _kv(shape), _width(shape)
    biases = (q + 2 * kv if qkv_bias else 0) + (hidden if out_bias else 0) + width + hidden
    return Parameters(
        attention_linear=hidden * (q + 2 * kv) + q * hidden,
        mlp_linear=2 * hidden * width,
        norms=norms * 2 * hidden,
        other=biases,
    )


def _final_norm(shape: ShapeLike) -> Parameters:
    return Parameters(norms=2 * shape.hidden_size)


def _positions(shape: ShapeLike, places: int) -> Parameters:
    return Parameters(embedding=places * shape.hidden_size)


def _neox(shape: ShapeLike) -> Parameters:
    return _ends(shape) + _biased(shape) * shape.layers + _final_norm(shape)


def _gpt2(shape: ShapeLike) -> Parameters:
    places = shape.arch_args.get("positions", 1024)
    return _ends(shape) + _positions(shape, places) + _biased(shape) * shape.layers + _final_norm(shape)


def _gptneo(shape: ShapeLike) -> Parameters:
    layers = _biased(shape, qkv_bias=False) * shape.layers
    return _ends(shape) + _positions(shape, 2048) + layers + _final_norm(shape)


def _gptj(shape: ShapeLike) -> Parameters:
    layers = _biased(shape, qkv_bias=False, out_bias=False, norms=1) * shape.layers
    return _ends(shape) + layers + _final_norm(shape)


def _bloom(shape: ShapeLike) -> Parameters:
    return _ends(shape) + _biased(shape) * shape.layers + _final_norm(shape) * 2


def _opt(shape: ShapeLike) -> Parameters:
    """`embed_dim` (OPT-350m): a narrower embedding with projections in and out, and no final norm."""
    narrow = shape.arch_args.get("embed_dim")
    layers = _positions(shape, 2050) + _biased(shape) * shape.layers
    if narrow is None:
        return _ends(shape) + layers + _final_norm(shape)
    table = shape.vocab_size * narrow
    ends = Parameters(embedding=table, lm_head=0 if shape.tie_embeddings else table)
    return ends + layers + Parameters(other=2 * narrow * shape.hidden_size)


def _falcon(shape: ShapeLike) -> Parameters:
    hidden, q, kv = shape.hidden_size, _q(shape), _kv(shape)
    layer = Parameters(
        attention_linear=hidden * (q + 2 * kv) + q * hidden,
        mlp_linear=2 * hidden * _width(shape),
        norms=shape.arch_args["lns"] * 2 * hidden,
    )
    return _ends(shape) + layer * shape.layers + _final_norm(shape)


def _mamba2(shape: ShapeLike) -> Parameters:
    """[heads, head dim, state size, groups]."""
    heads, dim, state, groups = shape.arch_args["mamba"]
    inner, conv = heads * dim, heads * dim + 2 * groups * state
    weights = shape.hidden_size * (inner + conv + heads) + inner * shape.hidden_size
    return Parameters(attention_linear=weights, other=conv * 5 + 3 * heads, norms=inner)


def _granite_h(shape: ShapeLike) -> Parameters:
    """Mamba-2 layers with a few attention layers; a shared MLP in each, experts in the larger ones."""
    attention = shape.arch_args["attn_layers"]
    mlp = Parameters(mlp_linear=3 * shape.hidden_size * shape.arch_args["shared"])
    if shape.moe:
        mlp = _expert_layer(shape)
    total = _ends(shape) + _attention(shape) * attention + _mamba2(shape) * (shape.layers - attention)
    return total + mlp * shape.layers + Parameters(norms=_norm(shape) * (2 * shape.layers + 1))


def _nemotron_h(shape: ShapeLike) -> Parameters:
    """A pattern of M (Mamba-2), E (experts), * (attention) and - (plain MLP); one norm each."""
    pattern = str(shape.arch_args["pattern"])
    total = _ends(shape) + _attention(shape) * pattern.count("*") + _mamba2(shape) * pattern.count("M")
    if "E" in pattern:
        total += _expert_layer(shape, matrices=2) * pattern.count("E")
    if "-" in pattern:
        total += Parameters(mlp_linear=2 * shape.hidden_size * _width(shape)) * pattern.count("-")
    return total + Parameters(norms=_norm(shape) * (len(pattern) + 1))


def _lfm2(shape: ShapeLike) -> Parameters:
    """Short convolutions with a few attention layers (their q and k are normalised per head)."""
    hidden, args = shape.hidden_size, shape.arch_args
    attention = _attention(shape) + Parameters(norms=2 * shape.head_dim)
    conv = Parameters(attention_linear=4 * hidden * hidden, other=hidden * args["kernel"])
    total = _ends(shape) + attention * args["attn_layers"] + conv * (shape.layers - args["attn_layers"])
    dense = shape.moe.dense_layers if shape.moe else shape.layers
    total += _mlp(shape, _width(shape)) * dense
    if shape.moe:
        total += _expert_layer(shape) * (shape.layers - dense)
    return total + Parameters(norms=_norm(shape) * (2 * shape.layers + 1))


def _gemma3n(shape: ShapeLike) -> Parameters:
    """AltUp streams, Laurel blocks and per-layer embeddings."""
    args, hidden, layers = shape.arch_args, shape.hidden_size, shape.layers
    ple, laurel, streams = args["ple"], args["laurel"], args["altup"]
    layer = _attention(shape) + _mlp(shape, _width(shape))
    layer += Parameters(
        mlp_linear=2 * hidden * ple + 2 * hidden * laurel,
        other=streams**3 + streams**2 + hidden * streams + hidden,
        norms=2 * shape.head_dim + 7 * hidden,
    )
    outside = Parameters(
        embedding=args["ple_vocab"] * layers * ple,
        mlp_linear=2 * (streams - 1) * hidden * hidden + hidden * layers * ple,
        norms=hidden + ple,
    )
    return _ends(shape) + layer * layers + outside


def _gemma4(shape: ShapeLike) -> Parameters:
    """Sliding and full layers of different head sizes; the last ones may share K and V; experts beside the MLP."""
    args, hidden, layers, full = shape.arch_args, shape.hidden_size, shape.layers, shape.arch_args["full_layers"]
    shared_full, shared_local = args.get("shared_full", 0), args.get("shared_local", 0)
    total = _ends(shape) + Parameters(norms=hidden * (4 * layers + 1))
    total += _gemma4_attention(shape, shape.head_dim, shape.kv_heads, layers - full, shared_local)
    total += _gemma4_attention(shape, args["ghd"], args.get("gkv", shape.kv_heads), full, shared_full)
    wide = shared_full + shared_local if args.get("wide_shared_mlp") else 0
    total += _mlp(shape, _width(shape)) * (layers + wide)
    if ple := args.get("ple"):
        total += Parameters(mlp_linear=2 * hidden * ple, norms=hidden) * layers
        total += Parameters(embedding=shape.vocab_size * layers * ple, mlp_linear=hidden * layers * ple, norms=ple)
    if moe := shape.moe:
        expert = 3 * hidden * moe.moe_intermediate
        total += Parameters(
            expert_linear=moe.experts * expert,
            inactive=(moe.experts - moe.active) * expert,
            router=hidden * moe.experts + hidden + moe.experts,
            norms=3 * hidden,
        ) * layers
    return total


def _gemma4_attention(shape: ShapeLike, dim: int, kv_heads: int, layers: int, sharing: int) -> Parameters:
    """Layers of one kind; `sharing` of them use the K and V of an earlier layer (and may still store their own)."""
    args, hidden = shape.arch_args, shape.hidden_size
    full = dim == args["ghd"]
    key_value = hidden * kv_heads * dim * (1 if full and args.get("k_eq_v") else 2)
    own = Parameters(attention_linear=2 * hidden * shape.heads * dim, norms=dim) * layers
    own += Parameters(attention_linear=key_value, norms=dim) * (layers - sharing)
    return own + Parameters(unused=(key_value + dim) * sharing if args.get("stored_kv") else 0)


def _jamba(shape: ShapeLike) -> Parameters:
    """Mamba-1 layers [inner, state, rank] with a few attention layers; experts in every other layer of the larger ones."""
    args, hidden = shape.arch_args, shape.hidden_size
    inner, state, rank = args["mamba1"]
    weights = 2 * hidden * inner + inner * (rank + 2 * state) + rank * inner + inner * hidden
    mamba = Parameters(attention_linear=weights, other=5 * inner + inner * (state + 2), norms=rank + 2 * state)
    attention, sparse = args["attn_layers"], args.get("moe_layers", 0)
    total = _ends(shape) + _attention(shape) * attention + mamba * (shape.layers - attention)
    total += _mlp(shape, _width(shape)) * (shape.layers - sparse)
    if sparse:
        total += _expert_layer(shape) * sparse
    return total + Parameters(norms=_norm(shape) * (2 * shape.layers + 1))


def _t5(shape: ShapeLike) -> Parameters:
    """Encoder and decoder; `layers` counts both, `decoder_layers` have cross-attention too. No biases."""
    args, hidden, q = shape.arch_args, shape.hidden_size, _q(shape)
    decoder = args["decoder_layers"]
    attention = Parameters(attention_linear=4 * hidden * q, norms=hidden)
    mlp = _mlp(shape, _width(shape)) + Parameters(norms=hidden)
    buckets = Parameters(other=2 * 32 * shape.heads, norms=2 * hidden)
    return _ends(shape) + attention * (shape.layers + decoder) + mlp * shape.layers + buckets


def _bert(shape: ShapeLike) -> Parameters:
    """Encoder with learned positions, two segments and a pooler; no language-model head."""
    hidden = shape.hidden_size
    tables = Parameters(embedding=(shape.vocab_size + shape.arch_args.get("positions", 512) + 2) * hidden)
    pooler = Parameters(mlp_linear=hidden * hidden, other=hidden)
    return tables + _final_norm(shape) + _biased(shape) * shape.layers + pooler


PLANS: Mapping[str, Callable[[ShapeLike], Parameters]] = {
    "llama": _llama,
    "moe": _moe,
    "llama4": _llama4,
    "parallel": _parallel,
    "neox": _neox,
    "gpt2": _gpt2,
    "gptneo": _gptneo,
    "gptj": _gptj,
    "bloom": _bloom,
    "opt": _opt,
    "falcon": _falcon,
    "granite_h": _granite_h,
    "nemotron_h": _nemotron_h,
    "lfm2": _lfm2,
    "gemma3n": _gemma3n,
    "gemma4": _gemma4,
    "jamba": _jamba,
    "t5": _t5,
    "bert": _bert,
}
"""Layer plans by the `arch` of a shape."""
