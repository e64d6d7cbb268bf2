"""What set-ups are made of: stacks of settings, the defaults of our answers, names."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from advisor.advice import Fit
from advisor.estimator import usable_bytes
from advisor.estimator.resolve import FIELDS
from advisor.query import Query
from knowledge.catalog import Catalog
from knowledge.schemas import Gpu, Model, NotFor

GIB = 2**30
BILLION = 1_000_000_000
PPO_MODELS = 4
"""What PPO loads before it trains: policy, reference, reward and value (TRL, examples/scripts/ppo/ppo.py)."""

SEQ_LEN = 2048
MICRO_BATCH = 1
LORA_RANK = 16
LORA_TARGETS = "all-linear"
AND_EMBEDDINGS = ("all-linear", "embed_tokens (full)", "lm_head (full)")
"""Adapters on all layers, embeddings and head trained in full beside them (PEFT, `modules_to_save`)."""
ASSUMABLE = ("method", "seq_len", "micro_batch", "lora_rank", "trainer")
"""Slots that an answer names as assumed when nobody stated them."""
LARGEST_AT_HOME = 80 * BILLION
"""Parameters up to which offload at home is a known path (70B, Answer.AI's FSDP-QLoRA)."""
SMALL = 2 * BILLION
"""Parameters below which an old model is trained in full as a matter of course."""
UNBOUND = 131_072
"""Context of a model of which only the size is known."""

COMFORT_OF_CARD = 0.95
"""Share of a card above which a need counts as tight, as in ../shared/score: a few per cent go to spikes of long
batches.
"""

USABLE_SHARE = 0.985
"""GiB that CUDA hands out per GB on the box, for a size that no catalogued card has (24 GB cards: 23.5 to 23.7 GiB)."""

STATES = 16
"""Bytes of a trained parameter with AdamW, in fp32 or mixed precision: weight, gradient and two moments (ZeRO,
arXiv:1910.02054, sec. 3).
"""
WIDER = 2
"""Bytes a parameter that weights in fp32 take more than in 16 bit."""
LOGIT_BYTES = 12
"""Bytes per token and vocabulary entry of the stock loss at its peak: fp32 log-softmax and two gradients."""

ALONE: dict[str, Any] = {"n_gpus": 1, "sharding": "none"}
"""One card by itself, whatever a question states."""
ALL_ON_ONE: dict[str, Any] = {**ALONE, "offload": "none"}
"""One card that holds everything."""

SET_UP_FIELDS = FIELDS
NO_TRAINERS = frozenset({"llama-cpp-finetune", "llama.cpp", "ollama"})
"""Named as trainers, but nobody's memory figures stand for them."""
FULL_METHODS = frozenset({"full", "freeze", "galore", "badam", "lomo", "apollo", "lisa"})
FOUR_BIT = frozenset({"qlora", "qdora"})
ADAPTERS = frozenset({"lora", "qlora", "dora", "qdora", "loha", "lokr", "adalora", "rslora", "vera", "oft"})


class Stack(NamedTuple):
    """A trainer with the settings that make its memory what it is. `code` is its name in answers."""

    code: str
    trainer: str
    changes: tuple[tuple[str, Any], ...] = ()


UNSLOTH = Stack("unsloth", "unsloth")
TRL = Stack("trl", "trl")
"""The fused loss for a decoder that Unsloth has no kernels for."""
STOCK = Stack("stock", "hf")
"""Hugging Face's Trainer and PEFT with the library's own loss: what the fused stacks are measured against."""
AXOLOTL = Stack("axolotl", "axolotl")
"""The fused loss where cards share a model."""
FULL_ADAMW = Stack("full_adamw", "hf", (("optimizer", "adamw"), ("autocast", True)))
FULL_8BIT = Stack("full_8bit", "unsloth", (("optimizer", "adamw_8bit"), ("autocast", False), ("compute_dtype", "bf16")))
MASTER_8BIT = Stack("master_8bit", "hf", (("optimizer", "adamw_8bit"), ("autocast", True), ("compute_dtype", "fp16")))
"""Full fine-tuning with an 8-bit optimizer where the card has no bf16: fp32 master weights under fp16 autocast."""
PURE_BF16 = Stack("pure_bf16", "hf", (("autocast", False), ("compute_dtype", "bf16")))
MASTER_FP32 = Stack("master_fp32", "hf", (("autocast", True),))
"""Full fine-tuning with a stated optimizer: bf16 weights, or fp32 master weights under autocast."""
BY_LAYER: tuple[tuple[str, Any], ...] = (
    ("optimizer", "paged_adamw_8bit"), ("optimizer_in_backward", True), ("autocast", False), ("compute_dtype", "bf16"),
)  # fmt: skip
"""Every weight in bf16, each stepped as soon as its gradient is there, 8-bit states that may page out to system RAM.

Source: torchtune, recipes/configs/llama3/8B_full_single_device.yaml (PagedAdamW8bit, `optimizer_in_bwd: True`).
"""
BY_LAYER_OF = Stack("torchtune", "torchtune", BY_LAYER)
"""What torchtune's recipe for one card does unless it is told otherwise."""
BF16_OPTIMIZERS = frozenset({"galore_adamw", "apollo_adamw", "lomo", "badam"})
"""Optimizers made for bf16 weights without an fp32 copy (GaLore, arXiv:2403.03507, sec. 5; APOLLO, arXiv:2412.05270;
LOMO, arXiv:2306.09782; BAdam, arXiv:2404.02827).
"""
GALORE_BY_LAYER = Stack(
    "galore_by_layer", "hf", (("autocast", False), ("compute_dtype", "bf16"), ("optimizer_in_backward", True))
)
"""GaLore with a step for each layer as soon as its gradient is there (arXiv:2403.03507, sec. 4.3)."""
MLX = Stack("mlx-lm", "mlx-lm")


def with_optimizer(optimizer: str, *, one: bool, by_layer: bool) -> tuple[Stack, ...]:
    """All weights trained with a stated optimizer on a card with bf16; GaLore on one card layer by layer as well."""
    if optimizer == "galore_adamw" and one:
        return (GALORE_BY_LAYER,) if by_layer else (GALORE_BY_LAYER, PURE_BF16)
    return (PURE_BF16,) if optimizer in BF16_OPTIMIZERS else (PURE_BF16, MASTER_FP32)


ENCODERS = frozenset({"encoder_decoder", "encoder"})
"""Gaps (facts/trainers.yaml, `not_for`) that every trainer made for decoders has."""


def gap_of(trainer: str, model: Model | None, arch: Mapping[str, Any] | None, catalog: Catalog) -> NotFor | None:
    """Why a trainer does not load a model, or trains it without what its figures stand for; None where it does."""
    entry = catalog.trainers.get(trainer)
    if entry is None or (model is None and not arch):
        return None
    names = {str(arch.get("model_type")), str(arch.get("attention"))} if arch else set()
    return entry.gap(names | ({model.family, model.arch, model.attention} if model is not None else set()))


GOOD: tuple[Fit, ...] = ("yes", "tight")
"""Verdicts under which a set-up runs."""


def split_in_bf16(sharding: Any, autocast: Any, dtype: Any, n_gpus: Any, offload: Any) -> bool:
    """Whether every weight is trained in bf16 on cards that share the model, as FSDP2 keeps it."""
    several = (n_gpus or 1) > 1 and sharding == "fsdp" and offload != "params"
    return several and autocast is False and bool(dtype == "bf16")


def fit_of(device: int, low: int, usable: int) -> Fit:
    """How a need (device bytes, low end of its interval) stands to what a card hands out."""
    if device <= COMFORT_OF_CARD * usable:
        return "yes"
    if device <= usable:
        return "tight"
    return "unlikely" if low <= usable else "no"


def is_some_mac(query: Query) -> bool:
    """A Mac is told of, and no card or chip by name: "a 32GB mac"."""
    return (query.os == "macos" or query.vendor == "apple") and "gpus" not in query.unknown


@lru_cache(maxsize=512)
def usable_of_size(vram_gb: float, catalog: Catalog) -> int:
    same = sorted(
        usable_bytes(g)
        for g in catalog.gpus.values()
        if g.vram_gb == vram_gb and not g.unified_memory and g.vendor == "nvidia"
    )
    return same[len(same) // 2] if same else int(vram_gb * USABLE_SHARE * GIB)


RDNA3 = 1100
"""Consumer chips from RDNA 3 on are on ROCm's official list. Source: ROCm, system requirements."""


def on_rocms_list(gpu: Gpu) -> bool:
    """Whether ROCm lists an AMD card's chip."""
    number = str(gpu.compute_capability).removeprefix("gfx")
    return gpu.segment != "consumer" or (number.isdigit() and int(number) >= RDNA3)


def short_name(gpu: Gpu) -> str:
    """A card's name without the words that nobody says: RTX 3090, not GeForce RTX 3090."""
    name = gpu.name.removeprefix("NVIDIA ").removeprefix("GeForce ").removesuffix(" Workstation Edition")
    return name.removeprefix("Radeon ") if any(figure.isdigit() for figure in name) else name  # Radeon VII


def size_name(params: int) -> str:
    """A parameter count as people write it: 13B, 1.5B, 345M."""
    if params >= BILLION:
        return f"{params / BILLION:.3g}B"
    return f"{params / 1_000_000:.3g}M"
