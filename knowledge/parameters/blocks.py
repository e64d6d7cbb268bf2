"""Layers and parts of layers that several plans share."""

from knowledge.parameters.count import MoeLike, Parameters, ShapeLike


def query_width(shape: ShapeLike) -> int:
    return shape.heads * shape.head_dim


def key_width(shape: ShapeLike) -> int:
    return shape.kv_heads * shape.head_dim


def mlp_width(shape: ShapeLike) -> int:
    if shape.intermediate_size is None:
        raise KeyError("intermediate_size")
    return shape.intermediate_size


def experts_of(shape: ShapeLike) -> MoeLike:
    if shape.moe is None:
        raise KeyError("moe")
    return shape.moe


def ends(shape: ShapeLike) -> Parameters:
    """Embedding and output head."""
    table = shape.vocab_size * shape.hidden_size
    bias = shape.vocab_size if shape.arch_args.get("head_bias") else 0
    return Parameters(embedding=table, lm_head=0 if shape.tie_embeddings else table, other=bias)


def norm(shape: ShapeLike) -> int:
    if shape.arch_args.get("no_norm_params"):
        return 0
    return shape.hidden_size * (2 if shape.arch_args.get("ln_bias") else 1)


def attention(shape: ShapeLike) -> Parameters:
    """Grouped-query attention, or multi-head latent attention with `mla`."""
    args, hidden, q, kv = shape.arch_args, shape.hidden_size, query_width(shape), key_width(shape)
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


def mixers(shape: ShapeLike) -> Parameters:
    """Attention of all layers, some of which may be linear (delta-net)."""
    linear = int(shape.arch_args.get("linear_layers", 0))
    total = attention(shape) * (shape.layers - linear)
    return total + _delta_net(shape) * linear if linear else total


def mlp(shape: ShapeLike, width: int) -> Parameters:
    """Gated (gate, up, down), or plain (up, down) with `mlp: mlp`."""
    args, hidden = shape.arch_args, shape.hidden_size
    matrices = 2 if args.get("mlp") == "mlp" else 3
    biases = ((matrices - 1) * width + hidden if args.get("mlp_b") else 0) + args.get("mlp_extra", 0)
    return Parameters(mlp_linear=matrices * hidden * width, other=biases)


def expert_layer(shape: ShapeLike, matrices: int = 3) -> Parameters:
    """Router, routed experts, shared experts of one layer."""
    moe, args, hidden = experts_of(shape), shape.arch_args, shape.hidden_size
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


def biased_layer(shape: ShapeLike, *, qkv_bias: bool = True, out_bias: bool = True, norms: int = 2) -> Parameters:
    """One layer of the GPT-2 kind: biases everywhere, plain MLP, LayerNorm with bias."""
    hidden, q, kv, width = shape.hidden_size, query_width(shape), key_width(shape), mlp_width(shape)
    biases = (q + 2 * kv if qkv_bias else 0) + (hidden if out_bias else 0) + width + hidden
    return Parameters(
        attention_linear=hidden * (q + 2 * kv) + q * hidden,
        mlp_linear=2 * hidden * width,
        norms=norms * 2 * hidden,
        other=biases,
    )


def final_norm(shape: ShapeLike) -> Parameters:
    return Parameters(norms=2 * shape.hidden_size)


def positions(shape: ShapeLike, places: int) -> Parameters:
    return Parameters(embedding=places * shape.hidden_size)


def mamba2(shape: ShapeLike) -> Parameters:
    """[heads, head dim, state size, groups]."""
    heads, dim, state, groups = shape.arch_args["mamba"]
    inner, conv = heads * dim, heads * dim + 2 * groups * state
    weights = shape.hidden_size * (inner + conv + heads) + inner * shape.hidden_size
    return Parameters(attention_linear=weights, other=conv * 5 + 3 * heads, norms=inner)
