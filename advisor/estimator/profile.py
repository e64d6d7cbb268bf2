"""A trainer as data: what it does where a set-up says nothing. The facts: `stack` in knowledge/facts/trainers.yaml."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any


@dataclass(frozen=True, slots=True)
class Profile:
    """Defaults and allocation path of one trainer; every field can stand in a trainer's `stack`."""

    name: str = "hf"
    known: bool = True
    also: tuple[str, ...] = ()
    """Further names by which measured rows and people call it."""
    method: str = "qlora"
    seq_len: int = 2048
    micro_batch: int = 1
    grad_accum: int = 1
    checkpointing: str = "layer"
    attention: str = "flash"
    optimizer: str = "adamw"
    rank: int = 16
    targets: str = "all-linear"
    loss: str = "hf"
    loss_fp16: str = ""
    pair_loss: str = ""
    """Of its preference trainers, where those have another."""
    """Loss path when the run is in fp16; empty: the same."""
    autocast: bool = True
    full_dtype: str = "bf16"
    """Type of the weights in full fine-tuning when nothing is said."""
    mixed_is_fp32: bool = False
    """"Mixed" means fp32 weights under autocast, also the frozen ones (Lightning's bf16-mixed)."""
    master_fp32: bool = False
    """Full fine-tuning keeps fp32 weights whatever type is named: 16 bit there means the computation."""
    deepspeed_fp16: bool = False
    """Its scripts run fp16 under DeepSpeed."""
    kbit: bool = True
    """Runs prepare_model_for_kbit_training."""
    double_quant: bool = True
    adapter_bytes: int = 4
    qlora_adapter_bytes: int = 0
    """The same on quantised weights; 0: no other."""
    fuses_evaluation: bool = False
    """Its fused loss makes no logits when it evaluates, either."""
    evaluates_as_trained: bool = False
    """Its evaluation takes the training batch unless another is set."""
    fused_kernels: bool = False
    quantises_experts: bool = True
    adapts_experts: str = "renamed"
    """Whose experts carry adapters when MLP matrices are named: every (any architecture), renamed (those that peft
    knows), listed (the same, but "all linear" finds only nn.Linear), none."""
    recomputes_experts: bool = False
    """Multiplies adapters of experts apart, and dequantises frozen stacks anew for the backward pass."""
    quantises_tower: bool = True
    triton_dequantises: bool = False
    """GPTQ weights become 16-bit values in one kernel, without integers in between."""
    quantises_head: bool = False
    unties_head: bool = False
    """Keeps an lm_head of its own even where the model ties it to the embedding."""
    own_models: bool = False
    """Has model code of its own, not transformers': one kernel per activation, no dropout by a model's default."""
    flex_attention: bool = False
    """Runs compiled flex attention where transformers falls back to eager; needs compute capability 8.0."""
    masks_windows: bool = False
    """Runs transformers' SDPA by default, which takes a sliding window as a mask of all pairs of tokens."""
    expands_kv: bool = False
    """Repeats k and v to all heads before attention, whatever the kernel."""
    dropout: float = 0.0
    top_layers: int = 0
    """Adapters go into so many of the last layers only; 0: into all."""
    hf_trainer: bool = True
    """Built on the Hugging Face Trainer, with its defaults for evaluation."""
    experts_on_cpu: bool = False
    foreach: bool = True
    """AdamW steps over all tensors at once (torch's default) and allocates a square root of each second moment."""
    fsdp_upcasts: bool = True
    """FSDP keeps trained weights in fp32 whatever type they were loaded in (accelerate's mixed precision)."""
    fsdp2_upcasts: bool = False
    """The same for FSDP-2 under mixed precision."""
    fsdp_retains: bool = True
    fully_shards: bool = False
    """Its FSDP is the second version (torch's fully_shard)."""
    fsdp_prefetches: bool = True
    """FSDP gathers the next layer while it differentiates one (torch's BACKWARD_PRE, always in FSDP2)."""
    shards_ends: bool = False
    """Embedding and head are units of their own, given back after use."""
    gathers_all: bool = False
    """FSDP in which the whole model lies gathered at the peak."""
    varied_lengths: bool = False
    """Batches are not packed: each has its own length, and the allocator keeps blocks of many sizes."""
    qlora_holds: float = 0.0
    """Bytes per quantised weight that its k-bit path holds beyond the weights themselves; measured, not explained."""
    qlora_logits: float = 0.0
    """Bytes per token and vocabulary entry that its loss takes more where the head is quantised, too; measured."""
    deepspeed: bool = False

    def has_quantised_experts(self, quant: str) -> bool:
        """Experts lie in k bits: quantised while loading, or so in the checkpoint."""
        return self.quantises_experts or quant in ("gptq", "awq", "aqlm")

    def __hash__(self) -> int:
        """Cheap: profiles are keys of the terms' caches."""
        return hash((self.name, self.also))


def _clean(stack: Mapping[str, Any]) -> dict[str, Any]:
    known = {field.name for field in fields(Profile)}
    return {key: tuple(value) if isinstance(value, list) else value for key, value in stack.items() if key in known}


def _key(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


@lru_cache(maxsize=8)
def _profiles(stacks: tuple[tuple[str, tuple[str, ...], tuple[tuple[str, Any], ...]], ...]) -> dict[str, Profile]:
    found: dict[str, Profile] = {}
    for name, aliases, stack in stacks:
        raw = dict(stack)
        own = _clean(raw)
        profile = Profile(name=name, **own)
        for alias in (name, *aliases, *profile.also):
            found[_key(alias)] = profile
        for variant in raw.get("variants", ()):
            changed = replace(profile, **_clean(dict(variant)))
            for alias in changed.also:
                found[_key(alias)] = changed
    return found


def _frozen(value: Any) -> Any:
    if isinstance(value, Mapping):
        return tuple((key, _frozen(inner)) for key, inner in value.items())
    return tuple(_frozen(inner) for inner in value) if isinstance(value, list | tuple) else value


class Profiles:
    """All trainers of a catalog by every name."""

    def __init__(self, trainers: Mapping[str, Any]) -> None:
        rows = tuple(
            (name, tuple(trainer.aliases), tuple((key, _frozen(value)) for key, value in trainer.stack.items()))
            for name, trainer in trainers.items()
        )
        self._by_name = _profiles(rows)
        self._longest = sorted(self._by_name, key=len, reverse=True)
        self._find = lru_cache(maxsize=512)(self._look_up)

    def names(self) -> list[str]:
        """Every name that is known."""
        return list(self._by_name)

    def find(self, name: str | None) -> Profile | None:
        """The profile of the longest known name that is in `name` as whole words; None when there is none."""
        return self._find(_key((name or "hf")[:200]))

    def _look_up(self, text: str) -> Profile | None:
        padded = f" {text} "
        return next((self._by_name[known] for known in self._longest if f" {known} " in padded), None)

    @property
    def plain(self) -> Profile:
        """The plain Hugging Face stack, for a trainer that nobody knows."""
        return self.find("hf") or Profile()
