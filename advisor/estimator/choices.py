"""What a set-up's words and a trainer's defaults come to: one function per choice."""

import re
from collections.abc import Sequence

from advisor.estimator import experts, names
from advisor.estimator.algorithm import ALGORITHMS
from advisor.estimator.loss import OTHER_PATHS
from advisor.estimator.profile import Profile
from advisor.estimator.shape import Shape
from advisor.estimator.targets import role_of
from advisor.estimator.usable import usable_bytes
from advisor.query import SetUp
from knowledge.schemas import Gpu

LOSSES = ("hf", "hf_old", "inplace", "fused", *OTHER_PATHS)
"""Every loss path that the terms know."""
EAGER = re.compile(r"chatglm[23]?-6b|baichuan2?-13b|gemma-?2(?![\dbn.])")
"""Models trained with eager attention when nothing is said: remote code of 2023 without FlashAttention, and soft caps,
which SDPA cannot do (`_supports_sdpa = False` in transformers 5.24; without flash-attn Unsloth's own kernel, too)."""
SINKS = re.compile(r"gpt[-_]?oss")
"""Attention sinks: eager in transformers (`_supports_sdpa = False`), flex attention where a stack has it."""
NO_SDPA = re.compile(r"gemma-?3(?![\dbn.])")
"""SDPA in transformers, but stacks of flex attention forbid that (unsloth 2026.10: DISABLE_SDPA_MODEL_NAMES)."""
BOX = re.compile(r"(\d{1,4}(?:\.\d+)?)\s*(gib|gb)", re.IGNORECASE)


def checkpointing_of(value: bool | str | None, profile: Profile, assumed: list[str]) -> str:
    """none, layer, selective or offload, from true, false or a trainer's word for it."""
    if value is None:
        assumed.append("grad_checkpointing")
        return profile.checkpointing
    text = str(value).strip().lower()
    if text in ("false", "no", "none", "off", "0"):
        return "none"
    if text in ("unsloth", "offload", "offloaded"):
        return "offload"
    return "selective" if "selective" in text else "layer"


def loss_of(setup: SetUp, profile: Profile, algorithm: str, assumed: list[str]) -> str:
    """The loss path: stated, told by the kernels, or the trainer's. `fused_loss` false makes a fused default stock."""
    if setup.loss is not None and setup.loss.lower() in LOSSES:
        return setup.loss.lower()
    found, learnt = _trainers_loss(setup, profile, assumed), ALGORITHMS[algorithm]
    if profile.pair_loss and (learnt.looks or learnt.sequences > 1):
        return profile.pair_loss
    return "hf" if found == "fused" and learnt.whole_logits else found


def _trainers_loss(setup: SetUp, profile: Profile, assumed: list[str]) -> str:
    fp16 = (setup.compute_dtype or "").lower() == "fp16"
    default = profile.loss_fp16 if fp16 and profile.loss_fp16 else profile.loss
    kernels = (setup.kernels or "").lower()
    if "liger" in kernels or "cut cross" in kernels or "cce" in kernels:
        return "fused"
    if "chunked" in kernels:
        return "chunked_compiled" if setup.compile else "chunked"
    if setup.fused_loss is None:
        assumed.append("fused_loss")
        return "chunked_compiled" if default == "chunked" and setup.compile else default
    if setup.fused_loss:
        return "fused"
    if "cross-entropy" in kernels:
        return "triton"
    if default in ("fused", "chunked"):
        return "hf"
    return default


HALF = re.compile(r"\b(fp16|float16|half)\b")
SINGLE = re.compile(r"\b(fp32|float32|tf32|fp32-true|32-true)\b")
MIXED = re.compile(r"autocast|amp|mixed")


def autocast_and_bits(setup: SetUp, profile: Profile, full: bool) -> tuple[bool, float]:
    """(autocast, bits of the weights in full fine-tuning).

    "Mixed" means fp32 weights under autocast. fp16 does, too: torch's GradScaler refuses fp16 gradients
    (torch/amp/grad_scaler.py, "Attempting to unscale FP16 gradients").
    """
    text = (setup.compute_dtype or "").lower()
    mixed = MIXED.search(text) is not None
    single = SINGLE.search(text) is not None and not mixed
    autocast = first_stated(setup.autocast, mixed or (profile.autocast and not single))
    scaled = profile.hf_trainer and HALF.search(text) is not None and autocast
    wide = mixed or single or scaled or bool(setup.autocast)
    bits = setup.weight_bits or (32.0 if profile.full_dtype == "fp32" or (wide and full) else 16.0)
    return autocast, bits


def attention_of(setup: SetUp, shape: Shape, profile: Profile, old_card: bool) -> str:
    """The kernel. Soft caps allow no other than eager unless FlashAttention is asked for. FlashAttention-2 and flex
    attention need compute capability 8.0. A few stacks repeat k and v for any kernel."""
    stated = setup.attention
    default = _usual_attention(f"{shape.model_type} {setup.model or ''}".lower(), profile, old_card)
    found = names.attention_of(stated, default)
    if shape.softcap_attention and (stated or profile.attention).lower() == "sdpa":
        return "eager"  # neither SDPA kernel can cap scores
    return "efficient" if found == "flash" and (profile.expands_kv or (old_card and stated is None)) else found


def _usual_attention(model: str, profile: Profile, old_card: bool) -> str:
    """What runs when nothing is said: the trainer's, but eager where the model has nothing better there."""
    flex = profile.flex_attention
    if EAGER.search(model):
        return "eager"
    if (not flex or old_card) and (SINKS.search(model) or (flex and NO_SDPA.search(model))):
        return "eager"
    return profile.attention


def masks_windows(setup: SetUp, shape: Shape, profile: Profile) -> bool:
    """transformers hands scaled_dot_product_attention a mask once a text is as long as the window (masking_utils.py,
    sdpa_mask); FlashAttention and flex attention take the window's width."""
    if not shape.window or profile.own_models or profile.flex_attention:
        return False
    return profile.masks_windows if setup.attention is None else "sdpa" in setup.attention.lower()


def expert_roles(roles: frozenset[str], value: str | Sequence[str], shape: Shape, profile: Profile) -> frozenset[str]:
    """The same roles, with that of routed experts where the trainer's names for MLP matrices reach them."""
    if shape.experts is None or not (roles & experts.MLP_ROLES or "experts" in roles):
        return roles - experts.ROLES
    known = shape.model_type not in experts.NOT_RENAMED
    named = [] if isinstance(value, str) else [word for word in value if role_of(str(word)) in experts.MLP_ROLES]
    if named and all("shared" in str(word) for word in named):
        return roles
    everything = isinstance(value, str) and value.strip().lower() in ("all", "all-linear")
    listed = known and (shape.adapted_width > 0 or not everything)
    reach = {"every": True, "renamed": known, "listed": listed}.get(profile.adapts_experts, False)
    if not (reach or "experts" in roles):
        return roles
    kind = experts.APART if profile.own_models else experts.JOINED if profile.recomputes_experts else experts.DOUBLED
    return (roles - experts.ROLES) | {kind}


def windows_experts(shape: Shape, card: Gpu | None) -> bool:
    """gpt-oss in fp16: at most 256 MB of experts are dequantised at a time (unsloth_zoo gpt_oss_grouped_qlora.py)."""
    return shape.model_type == "gpt_oss" and before_ampere(card)


def usual_length(micro_batch: int | None, profile: Profile) -> int:
    """Who runs large batches has short samples: no more than 8,192 tokens a micro batch are assumed."""
    return profile.seq_len if not micro_batch else max(256, min(profile.seq_len, 8192 // micro_batch))


def before_ampere(card: Gpu | None) -> bool:
    """FlashAttention-2 does not run on this card."""
    return card is not None and card.cuda_capability is not None and card.cuda_capability < (8, 0)


def room_bytes(gpu: str | None, card: Gpu | None) -> int:
    """Usable bytes of the card that a free text names; a size in it wins over the catalog."""
    if not gpu:
        return 0
    sizes = BOX.findall(gpu[:200])
    if sizes:
        number, unit = sizes[-1]
        return int(float(number) * 2**30 * (1.0 if unit.lower() == "gib" else 0.985))
    return usable_bytes(card) if card is not None else 0


def given(value: float | None, default: float) -> float:
    """The stated number, zero included, or the default."""
    return default if value is None else value


def first_stated(*values: bool | None) -> bool:
    """The first that is not None."""
    return next((value for value in values if value is not None), False)


def adapter_bytes_of(setup: SetUp, profile: Profile, method: str) -> int:
    """Bytes of an adapter weight."""
    text = (setup.adapter_dtype or "").lower()
    if not text:
        return (method == "qlora" and profile.qlora_adapter_bytes) or profile.adapter_bytes
    return 4 if "32" in text else 2


def state_bytes_of(setup: SetUp, trainable: int) -> float:
    """Bytes of one moment per element: stated, or the type of the trained weight (torch.optim)."""
    text = (setup.optimizer_state_dtype or "").lower()
    if not text:
        return float(trainable)
    return 4.0 if "32" in text else 1.0 if "8" in text else 2.0


def has_fused_kernels(setup: SetUp, profile: Profile, full: bool) -> bool:
    """Measured: fms' "fused ops" keep less in full fine-tuning only; under LoRA a layer keeps what a plain one keeps.
    torch.compile recomputes what is cheap, as fused kernels do (torchtune's ladder: 51.0 GiB where 60.0 were)."""
    kernels = (setup.kernels or "").lower()
    if setup.compile:
        return True
    return profile.fused_kernels or (full and ("fused ops" in kernels or "liger" in kernels))
