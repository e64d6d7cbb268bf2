"""SetUp → Plan: what is not stated takes the trainer's default and is listed in `assumed`."""

import re
from typing import Any, TypeVar

from advisor.estimator import names
from advisor.estimator.adapters import lora_params
from advisor.estimator.loss import OTHER_PATHS
from advisor.estimator.limits import check_rank, check_values
from advisor.estimator.models import shape_for
from advisor.estimator.plan import Plan
from advisor.estimator.profile import Profile, Profiles
from advisor.estimator.shape import Shape, untied
from advisor.estimator.sharding import SHARDED
from advisor.estimator.speed.cards import gpu_of
from advisor.estimator.usable import usable_bytes
from advisor.query import SetUp
from knowledge.catalog import Catalog

T = TypeVar("T")

LOSSES = ("hf", "hf_old", "inplace", "fused", *OTHER_PATHS)
"""Every loss path that the terms know."""

_PROFILES: dict[int, tuple[Catalog, Profiles]] = {}


def profiles_of(catalog: Catalog) -> Profiles:
    """The trainers of a catalog by every name, made once."""
    kept = _PROFILES.get(id(catalog))
    if kept is None or kept[0] is not catalog:
        _PROFILES.clear()
        _PROFILES[id(catalog)] = kept = (catalog, Profiles(catalog.trainers))
    return kept[1]


class _Slots:
    """Takes stated values, or defaults that it remembers as assumed."""

    def __init__(self, setup: SetUp) -> None:
        self.setup = setup
        self.assumed: list[str] = []

    def take(self, field: str, default: T) -> T:
        value = getattr(self.setup, field)
        if value is None:
            self.assumed.append(field)
            return default
        return value  # type: ignore[no-any-return]


def _trainer(slots: _Slots, catalog: Catalog) -> tuple[Profile, dict[str, tuple[str, tuple[str, ...]]]]:
    """The trainer's profile; an unknown one is named with the nearest, and the plain stack stands in."""
    profiles = profiles_of(catalog)
    name = slots.setup.trainer
    if name is None:
        slots.assumed.append("trainer")
        return profiles.plain, {}
    found = profiles.find(name)
    if found is not None:
        return found, {}
    slots.assumed.append("trainer")
    return profiles.plain, {"trainer": (name[:80], names.nearest(name, profiles.names()))}


def _checkpointing(value: bool | str | None, profile: Profile, slots: _Slots) -> str:
    if value is None:
        slots.assumed.append("grad_checkpointing")
        return profile.checkpointing
    text = str(value).strip().lower()
    if text in ("false", "no", "none", "off", "0"):
        return "none"
    if text in ("unsloth", "offload", "offloaded"):
        return "offload"
    return "layer"


def _loss(setup: SetUp, profile: Profile, slots: _Slots) -> str:
    if setup.loss is not None and setup.loss.lower() in LOSSES:
        return setup.loss.lower()
    fp16 = (setup.compute_dtype or "").lower() == "fp16"
    default = profile.loss_fp16 if fp16 and profile.loss_fp16 else profile.loss
    kernels = (setup.kernels or "").lower()
    if "liger" in kernels or "cut cross" in kernels or "cce" in kernels:
        return "fused"
    if "chunked" in kernels:
        return "chunked_compiled" if setup.compile else "chunked"
    if setup.fused_loss is None:
        slots.assumed.append("fused_loss")
        return default
    if setup.fused_loss:
        return "fused"
    if "cross-entropy" in kernels:
        return "triton"
    if default in ("fused", "chunked"):
        return "triton" if setup.compile else "hf"
    return default


def _targets(setup: SetUp, shape: Shape, profile: Profile, slots: _Slots) -> frozenset[str]:
    value: Any = slots.take("lora_targets", profile.targets)
    return names.roles_of(
        value, gated=shape.mlp_matrices == 3, fused_qkv=shape.fused_qkv, fused_gate_up=shape.fused_gate_up
    )


def _dtype(setup: SetUp, profile: Profile, full: bool) -> tuple[bool, float]:
    """(autocast, bits of the weights in full fine-tuning)."""
    text = (setup.compute_dtype or "").lower()
    if setup.autocast is not None:
        autocast = setup.autocast
    elif "autocast" in text or "amp" in text or "mixed" in text:
        autocast = True
    else:
        autocast = profile.autocast
    bits = setup.weight_bits or (32.0 if profile.full_dtype == "fp32" or (setup.autocast and full) else 16.0)
    return autocast, bits


def _method(setup: SetUp, slots: _Slots, profile: Profile) -> tuple[str, str, float]:
    name = setup.method
    if name is None:
        slots.assumed.append("method")
        name = profile.method if setup.weight_bits is None or setup.weight_bits < 16 else "lora"
    method, variant = names.method_of(name, setup.weight_bits)
    bits = setup.weight_bits
    if bits is None:
        bits = 4.0 if method == "qlora" else 16.0
    if method == "lora" and bits < 16:
        method = "qlora"
    if method == "qlora" and bits >= 16:
        bits = 4.0
    return method, variant, bits


def resolve(setup: SetUp, catalog: Catalog) -> Plan:
    """The plan of a set-up. Raises BadValue, UnknownName, MissingModel."""
    check_values(setup)
    slots = _Slots(setup)
    shape, guessed = shape_for(setup, catalog)
    check_rank(setup.lora_rank, shape)
    slots.assumed += guessed
    profile, unknown = _trainer(slots, catalog)
    if profile.unties_head and shape.tied:
        shape = untied(shape)
    method, variant, bits = _method(setup, slots, profile)
    full = method == "full"
    autocast, full_bits = _dtype(setup, profile, full)
    quant, double = names.quant_of(setup.quant, bits)
    adapter_bytes = _adapter_bytes(setup, profile)
    rank = 0 if full else slots.take("lora_rank", profile.rank)
    targets = frozenset() if full or variant in names.NO_MATRIX else _targets(setup, shape, profile, slots)
    n_gpus = setup.n_gpus or 1
    offload = names.offload_of(setup.offload)
    sharding = names.sharding_of(setup.sharding, n_gpus, offload)
    deepspeed = sharding.startswith("zero") or profile.deepspeed
    if full and sharding == "fsdp" and profile.fsdp_upcasts:
        full_bits = 32.0
    if deepspeed:
        full_bits = 16.0
    trainable = int(full_bits // 8) if full else adapter_bytes
    return Plan(
        shape=shape,
        profile=profile,
        method=method,
        variant=variant,
        seq_len=slots.take("seq_len", profile.seq_len),
        micro_batch=slots.take("micro_batch", profile.micro_batch),
        grad_accum=setup.grad_accum or profile.grad_accum,
        checkpointing=_checkpointing(setup.grad_checkpointing, profile, slots),
        attention=_attention(setup, shape, profile),
        optimizer=_optimizer(slots, profile),
        loss=_loss(setup, profile, slots),
        rank=rank,
        targets=targets,
        dropout=0.0 if full else _given(setup.lora_dropout, profile.dropout),
        weight_bits=(8 * trainable) if full else bits,
        quant=quant,
        double_quant=_first(setup.double_quant, double, profile.double_quant),
        autocast=autocast,
        kbit=method == "qlora" and _first(setup.kbit_prepare, profile.kbit and sharding not in SHARDED),
        adapter_bytes=adapter_bytes,
        trainable_bytes=trainable,
        state_bytes=_state_bytes(setup, trainable),
        n_gpus=n_gpus,
        sharding=sharding,
        deepspeed=deepspeed,
        offload=offload,
        activation_offload=bool(setup.activation_offload) or offload == "activations",
        optimizer_in_backward=bool(setup.optimizer_in_backward),
        compiled=bool(setup.compile),
        fused_kernels=_fused_kernels(setup, profile, full),
        algorithm=(setup.algorithm or "sft").lower(),
        adapters=0 if full else (setup.trainable_params or lora_params(shape, targets, rank)),
        gpu=setup.gpu or "",
        room=_room(setup.gpu, catalog),
        model=setup.model or "",
        kernels=f"{setup.kernels or ''} {setup.trainer or ''}"[:300].lower(),
        assumed=tuple(slots.assumed),
        unknown=unknown,
    )


REMOTE_EAGER = re.compile(r"chatglm[23]?-6b|baichuan2?-13b")
BOX = re.compile(r"(\d{1,4}(?:\.\d+)?)\s*(gib|gb)", re.IGNORECASE)


def _room(gpu: str | None, catalog: Catalog) -> int:
    """Usable bytes of the card that a free text names; a size in it wins over the catalog."""
    if not gpu:
        return 0
    sizes = BOX.findall(gpu[:200])
    if sizes:
        number, unit = sizes[-1]
        return int(float(number) * 2**30 * (1.0 if unit.lower() == "gib" else 0.985))
    found = gpu_of(gpu, catalog)
    return usable_bytes(found) if found is not None else 0


def _given(value: float | None, default: float) -> float:
    return default if value is None else value


def _attention(setup: SetUp, shape: Shape, profile: Profile) -> str:
    """Remote code of 2023 without FlashAttention runs eager attention; a few stacks repeat k and v for any kernel."""
    default = "eager" if REMOTE_EAGER.search(f"{shape.model_type} {setup.model or ''}".lower()) else profile.attention
    found = names.attention_of(setup.attention, default)
    if shape.softcap_attention and "flash" not in (setup.attention or profile.attention):
        return "eager"  # neither SDPA kernel can cap scores
    return "efficient" if found == "flash" and profile.expands_kv else found


def _first(*values: bool | None) -> bool:
    return next((value for value in values if value is not None), False)


def _optimizer(slots: _Slots, profile: Profile) -> str:
    name = names.optimizer_of(slots.take("optimizer", profile.optimizer))
    return "adamw_fused" if name == "adamw" and not profile.foreach else name


def _adapter_bytes(setup: SetUp, profile: Profile) -> int:
    text = (setup.adapter_dtype or "").lower()
    if not text:
        return profile.adapter_bytes
    return 4 if "32" in text else 2


def _state_bytes(setup: SetUp, trainable: int) -> float:
    text = (setup.optimizer_state_dtype or "").lower()
    if not text:
        return float(trainable)
    return 4.0 if "32" in text else 1.0 if "8" in text else 2.0


def _fused_kernels(setup: SetUp, profile: Profile, full: bool) -> bool:
    """Measured: fms' "fused ops" keep less in full fine-tuning only; under LoRA a layer keeps what a plain one keeps.
    torch.compile recomputes what is cheap, as fused kernels do (torchtune's ladder: 51.0 GiB where 60.0 were)."""
    kernels = (setup.kernels or "").lower()
    if setup.compile:
        return True
    return profile.fused_kernels or (full and ("fused ops" in kernels or "liger" in kernels))
