"""From a Hugging Face `config.json` to the words of Query.arch. Pure; what it reads was written by strangers."""

from collections.abc import Mapping
from typing import Any

from advisor.errors import AdvisorError
from advisor.query import SetUp

NAMES = {
    "hidden_size": ("hidden_size", "n_embd", "d_model"),
    "layers": ("num_hidden_layers", "n_layer", "n_layers", "num_layers"),
    "heads": ("num_attention_heads", "n_head", "n_heads"),
    "kv_heads": ("num_key_value_heads", "num_kv_heads", "n_head_kv", "multi_query_group_num"),
    "head_dim": ("head_dim", "attention_head_dim"),
    "intermediate_size": ("intermediate_size", "ffn_dim", "n_inner", "ffn_hidden_size"),
    "vocab_size": ("vocab_size", "padded_vocab_size"),
    "max_context": ("max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "max_sequence_length"),
}
"""Our word → the words that model authors use, the usual one first."""
EXPERTS = {
    "experts": ("num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts"),
    "active": ("num_experts_per_tok", "num_experts_per_token", "experts_per_token", "moe_topk", "moe_k"),
    "moe_intermediate": ("moe_intermediate_size", "expert_intermediate_size", "intermediate_size"),
    "dense_layers": ("first_k_dense_replace", "num_dense_layers", "moe_layer_start_index"),
}
TIED = ("gemma", "gpt2", "opt", "bloom", "falcon", "cohere", "gpt_neo", "mpt", "phi4_multimodal", "lfm2")
"""Model types that tie the embeddings unless their config says otherwise (it leaves out what is the default)."""
INNER = ("text_config", "llm_config", "language_config")
"""Where multimodal models keep the shape of their decoder."""
MOST = 10**13
FULL_PRECISION = {"BF16", "F16", "F32", "F64"}


def arch_of(config: Mapping[str, Any]) -> dict[str, Any] | None:
    """The shape in the words of Query.arch; None when it is no decoder that can be computed."""
    if config.get("is_encoder_decoder"):
        return None
    inner: Mapping[str, Any] = next((config[key] for key in INNER if isinstance(config.get(key), Mapping)), {})
    flat = {**config, **inner}
    arch: dict[str, Any] = {
        word: number for word, names in NAMES.items() if (number := _number(flat, names)) is not None
    }
    if not {"hidden_size", "layers", "heads", "vocab_size"} <= arch.keys():
        return None
    kind = str(flat.get("model_type") or "llama")[:40].lower()
    tied = flat.get("tie_word_embeddings", config.get("tie_word_embeddings"))
    arch["model_type"] = kind
    arch["tie_embeddings"] = tied if isinstance(tied, bool) else kind.startswith(TIED)
    if flat.get("multi_query") is True and "kv_heads" not in arch:
        arch["kv_heads"] = 1
    window = _number(flat, ("sliding_window",))
    if window and flat.get("use_sliding_window") is not False:
        arch["sliding_window"] = window
    if moe := _experts(flat):
        arch["moe"] = moe
    arch |= _oddities(flat, arch["layers"])
    return arch if _computable(arch) else None


def _computable(arch: Mapping[str, Any]) -> bool:
    """Whether the estimator can make sense of the shape."""
    from advisor.estimator import resolve
    from knowledge.catalog import load_catalog

    try:
        resolve(SetUp(arch=arch, method="qlora"), load_catalog())
    except (AdvisorError, ValueError, TypeError, ZeroDivisionError, OverflowError):
        return False
    return True


def full_precision_params(about: Mapping[str, Any]) -> int | None:
    """Parameters as the Hub counted them; None when some are packed, as in quantised uploads."""
    tensors = about.get("safetensors")
    if not isinstance(tensors, Mapping) or not isinstance(tensors.get("parameters"), Mapping):
        return None
    total = _number(tensors, ("total",))
    return total if total and set(tensors["parameters"]) <= FULL_PRECISION else None


def _number(flat: Mapping[str, Any], names: tuple[str, ...]) -> int | None:
    for name in names:
        value = flat.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and 0 < value < MOST:
            return value
    return None


def _experts(flat: Mapping[str, Any]) -> dict[str, int] | None:
    moe = {word: number for word, names in EXPERTS.items() if (number := _number(flat, names)) is not None}
    if moe.get("experts", 0) < 2 or not {"active", "moe_intermediate"} <= moe.keys():
        return None
    shared = _number(flat, ("shared_expert_intermediate_size",))
    if shared is None and (count := _number(flat, ("n_shared_experts", "num_shared_experts"))):
        shared = count * moe["moe_intermediate"]
    return {**moe, **({"shared": shared} if shared else {})}


def _oddities(flat: Mapping[str, Any], layers: int) -> dict[str, Any]:
    """Biases, and layers that are not softmax attention."""
    args: dict[str, Any] = {}
    if flat.get("attention_bias") is True or flat.get("qkv_bias") is True:
        args["qkv_b"] = 1
    if flat.get("mlp_bias") is True:
        args["mlp_b"] = 1
    found: dict[str, Any] = {}
    types = flat.get("layer_types")
    linear = 0
    if isinstance(types, list) and len(types) == layers:
        linear = sum(
            1 for kind in types if isinstance(kind, str) and "attention" not in kind.replace("linear_attention", "")
        )
    elif every := _number(flat, ("full_attention_interval",)):
        linear = layers - layers // every
    if 0 < linear < layers:
        args["linear_layers"] = linear
        found["attention"] = "hybrid"
    if args:
        found["arch_args"] = args
    return found
