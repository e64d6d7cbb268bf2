"""Plans of plain decoders (and of T5 and BERT): the same layer all the way up, or dense layers first."""

from knowledge.parameters.blocks import (
    attention,
    biased_layer,
    ends,
    expert_layer,
    experts_of,
    final_norm,
    key_width,
    mixers,
    mlp,
    mlp_width,
    norm,
    positions,
    query_width,
)
from knowledge.parameters.count import Parameters, ShapeLike


def llama(shape: ShapeLike) -> Parameters:
    norms = norm(shape) * (shape.layers * shape.arch_args.get("norms", 2) + 1)
    layers = mixers(shape) + mlp(shape, mlp_width(shape)) * shape.layers
    return ends(shape) + layers + Parameters(norms=norms, embedding=shape.arch_args.get("extra", 0))


def moe(shape: ShapeLike) -> Parameters:
    dense = experts_of(shape).dense_layers
    total = ends(shape) + mixers(shape) + expert_layer(shape) * (shape.layers - dense)
    if dense:
        total += mlp(shape, mlp_width(shape)) * dense
    return total + Parameters(norms=norm(shape) * (2 * shape.layers + 1))


def llama4(shape: ShapeLike) -> Parameters:
    """Every other layer (Maverick) or every layer (Scout) has experts."""
    sparse = int(shape.arch_args["moe_layers"])
    total = ends(shape) + mixers(shape) + expert_layer(shape) * sparse
    total += mlp(shape, mlp_width(shape)) * (shape.layers - sparse)
    return total + Parameters(norms=norm(shape) * (2 * shape.layers + 1))


def parallel(shape: ShapeLike) -> Parameters:
    """Attention and MLP side by side behind one norm (Phi-1/2, Command-R)."""
    layers = (attention(shape) + mlp(shape, mlp_width(shape))) * shape.layers
    return ends(shape) + layers + Parameters(norms=norm(shape) * (shape.layers + 1))


def neox(shape: ShapeLike) -> Parameters:
    return ends(shape) + biased_layer(shape) * shape.layers + final_norm(shape)


def gpt2(shape: ShapeLike) -> Parameters:
    places = shape.arch_args.get("positions", 1024)
    return ends(shape) + positions(shape, places) + biased_layer(shape) * shape.layers + final_norm(shape)


def gptneo(shape: ShapeLike) -> Parameters:
    layers = biased_layer(shape, qkv_bias=False) * shape.layers
    return ends(shape) + positions(shape, 2048) + layers + final_norm(shape)


def gptj(shape: ShapeLike) -> Parameters:
    layers = biased_layer(shape, qkv_bias=False, out_bias=False, norms=1) * shape.layers
    return ends(shape) + layers + final_norm(shape)


def bloom(shape: ShapeLike) -> Parameters:
    return ends(shape) + biased_layer(shape) * shape.layers + final_norm(shape) * 2


def opt(shape: ShapeLike) -> Parameters:
    """`embed_dim` (OPT-350m): a narrower embedding with projections in and out, and no final norm."""
    narrow = shape.arch_args.get("embed_dim")
    layers = positions(shape, 2050) + biased_layer(shape) * shape.layers
    if narrow is None:
        return ends(shape) + layers + final_norm(shape)
    table = shape.vocab_size * narrow
    narrow_ends = Parameters(embedding=table, lm_head=0 if shape.tie_embeddings else table)
    return narrow_ends + layers + Parameters(other=2 * narrow * shape.hidden_size)


def falcon(shape: ShapeLike) -> Parameters:
    hidden, q, kv = shape.hidden_size, query_width(shape), key_width(shape)
    layer = Parameters(
        attention_linear=hidden * (q + 2 * kv) + q * hidden,
        mlp_linear=2 * hidden * mlp_width(shape),
        norms=shape.arch_args["lns"] * 2 * hidden,
    )
    return ends(shape) + layer * shape.layers + final_norm(shape)


def t5(shape: ShapeLike) -> Parameters:
    """Encoder and decoder; `layers` counts both, `decoder_layers` have cross-attention too. No biases."""
    args, hidden, q = shape.arch_args, shape.hidden_size, query_width(shape)
    decoder = int(args["decoder_layers"])
    block = Parameters(attention_linear=4 * hidden * q, norms=hidden)
    dense = mlp(shape, mlp_width(shape)) + Parameters(norms=hidden)
    buckets = Parameters(other=2 * 32 * shape.heads, norms=2 * hidden)
    return ends(shape) + block * (shape.layers + decoder) + dense * shape.layers + buckets


def bert(shape: ShapeLike) -> Parameters:
    """Encoder with learned positions, segments and a pooler; no language-model head."""
    hidden = shape.hidden_size
    places, segments = shape.arch_args.get("positions", 512), shape.arch_args.get("segments", 2)
    tables = Parameters(embedding=(shape.vocab_size + places + segments) * hidden)
    pooler = Parameters(mlp_linear=hidden * hidden, other=hidden)
    return tables + final_norm(shape) + biased_layer(shape) * shape.layers + pooler


def nas(shape: ShapeLike) -> Parameters:
    """A Llama thinned by architecture search: layers without attention, MLPs of many widths (given as their sum)."""
    args, full = shape.arch_args, int(shape.arch_args["attn_layers"])
    layers = attention(shape) * full + mlp(shape, int(args["mlp_widths"]))
    return ends(shape) + layers + Parameters(norms=norm(shape) * (shape.layers + full + 1))
