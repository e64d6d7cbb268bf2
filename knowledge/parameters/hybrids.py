"""Plans of models whose layers differ in kind: Mamba, short convolutions, sliding windows of another head size."""

from knowledge.parameters.blocks import attention, ends, expert_layer, mamba2, mlp, mlp_width, norm
from knowledge.parameters.count import Parameters, ShapeLike


def granite_h(shape: ShapeLike) -> Parameters:
    """Mamba-2 layers with a few attention layers; a shared MLP in each, experts in the larger ones."""
    full = int(shape.arch_args["attn_layers"])
    dense = Parameters(mlp_linear=3 * shape.hidden_size * shape.arch_args["shared"])
    if shape.moe:
        dense = expert_layer(shape)
    total = ends(shape) + attention(shape) * full + mamba2(shape) * (shape.layers - full)
    return total + dense * shape.layers + Parameters(norms=norm(shape) * (2 * shape.layers + 1))


def falcon_h1(shape: ShapeLike) -> Parameters:
    """Attention and Mamba-2 side by side in every layer, then an MLP."""
    layer = attention(shape) + mamba2(shape) + mlp(shape, mlp_width(shape))
    return ends(shape) + layer * shape.layers + Parameters(norms=norm(shape) * (2 * shape.layers + 1))


def nemotron_h(shape: ShapeLike) -> Parameters:
    """A pattern of M (Mamba-2), E (experts), * (attention) and - (plain MLP); one norm each."""
    pattern = str(shape.arch_args["pattern"])
    total = ends(shape) + attention(shape) * pattern.count("*") + mamba2(shape) * pattern.count("M")
    if "E" in pattern:
        total += expert_layer(shape, matrices=2) * pattern.count("E")
    if "-" in pattern:
        total += Parameters(mlp_linear=2 * shape.hidden_size * mlp_width(shape)) * pattern.count("-")
    return total + Parameters(norms=norm(shape) * (len(pattern) + 1))


def lfm2(shape: ShapeLike) -> Parameters:
    """Short convolutions with a few attention layers (their q and k are normalised per head)."""
    hidden, args = shape.hidden_size, shape.arch_args
    normalised = attention(shape) + Parameters(norms=2 * shape.head_dim)
    conv = Parameters(attention_linear=4 * hidden * hidden, other=hidden * args["kernel"])
    full = int(args["attn_layers"])
    total = ends(shape) + normalised * full + conv * (shape.layers - full)
    dense = shape.moe.dense_layers if shape.moe else shape.layers
    total += mlp(shape, mlp_width(shape)) * dense
    if shape.moe:
        total += expert_layer(shape) * (shape.layers - dense)
    return total + Parameters(norms=norm(shape) * (2 * shape.layers + 1))


def jamba(shape: ShapeLike) -> Parameters:
    """Mamba-1 layers [inner, state, rank] and a few of attention; experts in every other layer of the larger ones."""
    args, hidden = shape.arch_args, shape.hidden_size
    inner, state, rank = args["mamba1"]
    weights = 2 * hidden * inner + inner * (rank + 2 * state) + rank * inner + inner * hidden
    mamba = Parameters(attention_linear=weights, other=5 * inner + inner * (state + 2), norms=rank + 2 * state)
    full, sparse = int(args["attn_layers"]), int(args.get("moe_layers", 0))
    total = ends(shape) + attention(shape) * full + mamba * (shape.layers - full)
    total += mlp(shape, mlp_width(shape)) * (shape.layers - sparse)
    if sparse:
        total += expert_layer(shape) * sparse
    return total + Parameters(norms=norm(shape) * (2 * shape.layers + 1))


def gemma3n(shape: ShapeLike) -> Parameters:
    """AltUp streams, Laurel blocks and per-layer embeddings."""
    args, hidden, layers = shape.arch_args, shape.hidden_size, shape.layers
    ple, laurel, streams = args["ple"], args["laurel"], args["altup"]
    layer = attention(shape) + mlp(shape, mlp_width(shape))
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
    return ends(shape) + layer * layers + outside


def gemma4(shape: ShapeLike) -> Parameters:
    """Sliding and full layers of different head sizes; the last ones may share K and V; experts beside the MLP."""
    args, hidden, layers, full = shape.arch_args, shape.hidden_size, shape.layers, shape.arch_args["full_layers"]
    shared_full, shared_local = args.get("shared_full", 0), args.get("shared_local", 0)
    total = ends(shape) + Parameters(norms=hidden * (4 * layers + 1))
    total += _gemma4_attention(shape, shape.head_dim, shape.kv_heads, layers - full, shared_local)
    total += _gemma4_attention(shape, args["ghd"], args.get("gkv", shape.kv_heads), full, shared_full)
    wide = shared_full + shared_local if args.get("wide_shared_mlp") else 0
    total += mlp(shape, mlp_width(shape)) * (layers + wide)
    if ple := args.get("ple"):
        total += Parameters(mlp_linear=2 * hidden * ple, norms=hidden) * layers
        total += Parameters(embedding=shape.vocab_size * layers * ple, mlp_linear=hidden * layers * ple, norms=ple)
    if moe := shape.moe:
        expert = 3 * hidden * moe.moe_intermediate
        total += (
            Parameters(
                expert_linear=moe.experts * expert,
                inactive=(moe.experts - moe.active) * expert,
                router=hidden * moe.experts + hidden + moe.experts,
                norms=3 * hidden,
            )
            * layers
        )
    return total


def _gemma4_attention(shape: ShapeLike, dim: int, kv_heads: int, layers: int, sharing: int) -> Parameters:
    """Layers of one kind; `sharing` of them use the K and V of an earlier layer (and may still store their own)."""
    args, hidden = shape.arch_args, shape.hidden_size
    full = dim == args["ghd"]
    key_value = hidden * kv_heads * dim * (1 if full and args.get("k_eq_v") else 2)
    own = Parameters(attention_linear=2 * hidden * shape.heads * dim, norms=dim) * layers
    own += Parameters(attention_linear=key_value, norms=dim) * (layers - sharing)
    return own + Parameters(unused=(key_value + dim) * sharing if args.get("stored_kv") else 0)
