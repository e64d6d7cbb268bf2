"""Where shapes come from: a raw `arch` mapping, a catalog entry, or only a size."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from advisor.errors import BadValue
from advisor.estimator.architectures import (
    BIASED,
    FAMILY_TYPES,
    FOUR_NORMS,
    FUSED_GATE_UP,
    FUSED_QKV,
    LAYER_NORM,
    LEARNT_POSITIONS,
    MOE_TYPES,
    ONE_NORM,
    QK_NORM,
    QKV_BIASED,
    SOFTCAP_ATTENTION,
    SOFTCAP_LOGITS,
    TWO_MATRICES,
)
from advisor.estimator.shape import Experts, Shape
from knowledge.schemas import Model

RAW_FIELDS = (
    "arch",
    "arch_args",
    "hidden_size",
    "layers",
    "heads",
    "kv_heads",
    "head_dim",
    "intermediate_size",
    "vocab_size",
    "tie_embeddings",
    "max_context",
    "attention",
    "sliding_window",
)
"""Fields that a catalog entry shares with a raw `arch`."""


def _details(arch: Mapping[str, Any]) -> Mapping[str, Any]:
    args = arch.get("arch_args")
    return args if isinstance(args, Mapping) else {}


def _whole(value: Any) -> int:
    """A positive whole number, 0 for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**12 else 0


def _number(arch: Mapping[str, Any], field: str, low: int, high: int, default: int | None = None) -> int:
    value = arch.get(field)
    if value is None and default is not None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value or not low <= value <= high:
        raise BadValue(
            f"arch.{field} is {str(value)[:40]!r}; it must be a number from {low} to {high}",
            f"give arch.{field} as in the model's config.json",
            field=f"arch.{field}",
            value=value,
            low=low,
            high=high,
        )
    return int(value)


def _experts(arch: Mapping[str, Any], layers: int) -> Experts | None:
    moe = arch.get("moe")
    if not isinstance(moe, Mapping):
        return None
    count = _number(moe, "experts", 1, 4096)
    active = _number(moe, "active", 1, count)
    return Experts(
        count=count,
        active=active,
        width=_number(moe, "moe_intermediate", 1, 1_000_000),
        shared_width=_number(moe, "shared", 0, 1_000_000, 0),
        dense_layers=_number(moe, "dense_layers", 0, layers, 0),
    )


def _window(arch: Mapping[str, Any]) -> int:
    window = arch.get("sliding_window")
    return int(window) if isinstance(window, int) and window > 0 else 0


def _attention_share(arch: Mapping[str, Any], layers: int) -> float:
    args = _details(arch)
    text = str(arch.get("attention") or "")
    if "hybrid" not in text:
        return 1.0
    if linear := _whole(args.get("linear_layers")):
        return max(0.0, 1 - linear / layers)
    if attention := _whole(args.get("attn_layers")):
        return min(1.0, attention / layers)
    return 0.25


def _count(shape: Shape, positions: int, biased: tuple[bool, bool]) -> Shape:
    """Fill in the parameter counts of a plain decoder from its widths."""
    h, q, k, layers = shape.hidden, shape.q, shape.k, shape.layers
    matrices, x = shape.mlp_matrices, shape.experts
    attention = layers * h * (2 * q + 2 * k)
    experts = routers = shared = 0
    dense_layers = layers
    if x is not None:
        dense_layers = x.dense_layers
        sparse = layers - dense_layers
        experts = sparse * x.count * matrices * h * x.width
        shared = sparse * matrices * h * x.shared_width
        routers = sparse * h * x.count
    dense = dense_layers * matrices * h * shape.intermediate
    biases = (q + 2 * k if biased[0] else 0) + (2 * h + (matrices - 1) * shape.intermediate if biased[1] else 0)
    norm = h * (2 if shape.layer_norm else 1)
    qk_width = 0 if not shape.qk_norm else q + k if shape.model_type.startswith("olmo") else 2 * shape.head_dim
    return replace(
        shape,
        linear_params=attention + experts + shared + dense,
        expert_params=experts,
        norm_params=(layers * shape.norms + 1) * norm + layers * qk_width,
        other_params=routers + layers * biases,
        embedding_params=(shape.vocab + positions) * h,
        head_params=0 if shape.tied else shape.vocab * h,
    )


def shape_of(arch: Mapping[str, Any]) -> Shape:
    """Shape from a raw mapping. Raises BadValue for an impossible width or count."""
    a = {key: value for key, value in arch.items() if value is not None}
    args = _details(a)
    kind = str(a.get("model_type") or a.get("arch") or "llama").lower()
    hidden = _number(a, "hidden_size", 8, 1_000_000)
    layers = _number(a, "layers", 1, 10_000)
    heads = _number(a, "heads", 1, 10_000)
    kv_heads = _number(a, "kv_heads", 1, heads, heads)
    gateless = args.get("mlp", "mlp" if kind in TWO_MATRICES else None) == "mlp"
    shape = Shape(
        hidden=hidden,
        layers=layers,
        heads=heads,
        kv_heads=kv_heads,
        head_dim=_number(a, "head_dim", 1, 8192, max(1, hidden // heads)),
        intermediate=_number(a, "intermediate_size", 1, 4_000_000, 4 * hidden),
        vocab=_number(a, "vocab_size", 2, 10_000_000),
        tied=bool(a.get("tie_embeddings")),
        model_type=kind,
        mlp_matrices=_number(a, "mlp_matrices", 2, 3, 2 if gateless else 3),
        norms=_norms(kind, args),
        layer_norm=kind in LAYER_NORM or bool(args.get("ln_bias")),
        qk_norm=bool(args.get("qk_norm")) or kind in QK_NORM,
        fused_qkv=kind in FUSED_QKV,
        fused_gate_up=kind in FUSED_GATE_UP,
        softcap_attention=kind in SOFTCAP_ATTENTION,
        softcap_logits=kind in SOFTCAP_LOGITS,
        scaled_logits=kind.startswith(("granite", "cohere")),
        window=_window(a),
        full_attention_share=_attention_share(a, layers),
        experts=_experts(a, layers),
    )
    positions = (_whole(a.get("max_context")) or 1024) if kind in LEARNT_POSITIONS else 0
    biased = kind in BIASED or bool(args.get("mlp_b"))
    qkv_biased = biased or kind in QKV_BIASED or bool(args.get("qkv_b"))
    return _explain_total(_count(shape, positions, (qkv_biased, biased)), a)


def _norms(kind: str, args: Mapping[str, Any]) -> int:
    """Norms of a layer: stated, or the architecture's."""
    usual = 4 if kind in FOUR_NORMS else 1 if kind in ONE_NORM else 2
    return _whole(args.get("norms")) or _whole(args.get("lns")) or usual


def _explain_total(shape: Shape, a: Mapping[str, Any]) -> Shape:
    """Put what the published total has beyond the shape where it belongs: a tower, or linears that the shape hides."""
    total = a.get("params_total")
    if not isinstance(total, int | float) or isinstance(total, bool) or not 0 < total < 1e14:
        return shape
    text = a.get("params_text")
    text = int(text) if isinstance(text, int | float) and 0 < text <= total else int(total)
    hidden_params = text - shape.text_params
    if abs(hidden_params) < 0.002 * text or shape.linear_params + hidden_params <= 0:
        hidden_params = 0
    return replace(shape, linear_params=shape.linear_params + hidden_params, tower_params=int(total) - text)


def shape_of_model(model: Model) -> Shape:
    """Shape of a catalog entry; its parameters are counted by knowledge.parameters."""
    n = model.parameters
    moe = None if model.moe is None else model.moe.model_dump()
    raw = {name: getattr(model, name) for name in RAW_FIELDS}
    if model.arch in ("llama", "parallel"):
        raw["model_type"] = FAMILY_TYPES.get(model.family)
    elif model.arch == "moe":
        raw["model_type"] = MOE_TYPES.get(model.family)
    return replace(
        shape_of({**raw, "moe": moe, "params_total": None}),
        linear_params=n.linear,
        expert_params=n.expert_linear,
        norm_params=n.norms,
        other_params=n.router + n.other,
        embedding_params=n.embedding,
        head_params=n.lm_head,
        tower_params=n.vision + n.unused,
    )


@lru_cache(maxsize=512)
def untied(shape: Shape) -> Shape:
    """The same model with an lm_head of its own."""
    return replace(shape, tied=False, head_params=shape.vocab * shape.hidden)


SIZES = (
    # params (1e9), hidden, layers, heads, kv_heads, intermediate, vocab, tied
    (0.135, 576, 30, 9, 3, 1536, 49152, True),
    (0.36, 960, 32, 15, 5, 2560, 49152, True),
    (0.5, 896, 24, 14, 2, 4864, 151936, True),
    (1.2, 2048, 16, 32, 8, 8192, 128256, True),
    (3.2, 3072, 28, 24, 8, 8192, 128256, True),
    (7.0, 4096, 32, 32, 32, 11008, 32000, False),
    (8.0, 4096, 32, 32, 8, 14336, 128256, False),
    (13.0, 5120, 40, 40, 40, 13824, 32000, False),
    (32.0, 5120, 64, 40, 8, 27648, 152064, False),
    (70.0, 8192, 80, 64, 8, 28672, 128256, False),
    (405.0, 16384, 126, 128, 8, 53248, 128256, False),
)
"""Typical models per size: SmolLM2-135M, -360M, Qwen2.5-0.5B, -32B, Llama-3.2-1B, -3B, Llama-2-7B, -13B, Llama-3.1-8B,
-70B, -405B."""


def shape_of_size(params_b: float) -> Shape:
    """A typical dense shape with `params_b` 1e9 parameters; `guessed` is set, so the range gets wider."""
    size, hidden, layers, heads, kv_heads, intermediate, vocab, tied = min(
        SIZES, key=lambda row: abs(row[0] / params_b - 1) if row[0] > params_b else abs(params_b / row[0] - 1)
    )
    head_dim = 64 if size < 2 else 128
    factor = params_b / size
    scale = 1.0 if 0.9 <= factor <= 1.1 else factor ** (1 / 3)
    hidden = max(64, round(hidden * scale / 64) * 64)
    heads = max(1, hidden // head_dim)
    shape = _count(
        Shape(
            hidden,
            max(1, round(layers * scale)),
            heads,
            heads if kv_heads >= heads else min(heads, kv_heads),
            head_dim,
            max(64, round(intermediate * scale / 64) * 64),
            vocab,
            tied,
            guessed=True,
        ),
        0,
        (False, False),
    )
    missing = int(params_b * 1e9) - shape.params
    return replace(shape, linear_params=max(shape.linear_params // 4, shape.linear_params + missing))
