"""The many names of ways to train on several GPUs → the one that the terms know."""

import re

SHARDINGS = (
    ("shard_grad_op", "zero2"),
    ("shard grad", "zero2"),
    ("fsdp", "fsdp"),
    ("fully shard", "fsdp"),
    ("fully-shard", "fsdp"),
    ("full_shard", "fsdp"),
    ("hybrid", "fsdp"),
    ("hsdp", "fsdp"),
    ("zero2", "zero2"),
    ("zero-2", "zero2"),
    ("zero 2", "zero2"),
    ("zero1", "zero1"),
    ("zero-1", "zero1"),
    ("zero 1", "zero1"),
    ("stage1", "zero1"),
    ("stage 1", "zero1"),
    ("megatron", "tp"),
    ("3d", "pipeline"),
    ("pipeline", "pipeline"),
    ("device_map", "pipeline"),
    ("model parallel", "pipeline"),
    ("model_parallel", "pipeline"),
    ("balanced", "pipeline"),
    ("layer", "pipeline"),
    ("split", "pipeline"),
    ("pp", "pipeline"),
    ("sequence", "sp"),
    ("context", "sp"),
    ("ulysses", "sp"),
    ("ring att", "sp"),
    ("ring_att", "sp"),
    ("tensor", "tp"),
    ("tp", "tp"),
    ("deepspeed", "zero2"),
    ("ddp", "ddp"),
    ("data", "ddp"),
)
"""A word in the name of a parallel set-up → how it shards; the first one wins."""
ZERO3 = ("zero3", "zero-3", "zero 3", "zero_3", "stage3", "stage 3", "stage_3")
EARLY_ZERO = re.compile(r"(?:zero|stage)[-_ ]?[12](?!\d|\s*/\s*3)")
FSDP2 = ("fsdp2", "fsdp 2", "fsdp v2", "fsdpv2", "fully_shard")


def sharding_of(name: str | None, n_gpus: int, offload: str) -> str:
    """none, ddp, zero1, zero2, zero3, fsdp, fsdp2, pipeline, sp. A plain count of GPUs means DDP."""
    text = (name or "").strip().lower()
    if n_gpus <= 1:
        offloaded = offload != "none" and any(word in text for word in ("zero", "fsdp", "deepspeed"))
        return ("zero3" if "3" in text or "fsdp" in text else "zero2") if offloaded else "none"
    if any(word in text for word in FSDP2):
        return "fsdp2"
    if any(word in text for word in ZERO3):
        return "zero3"
    if text == "deepspeed" and offload == "params":
        return "zero3"  # no other stage offloads parameters
    return next((sharding for word, sharding in SHARDINGS if word in text), "ddp")


def sequence_parallel_of(name: str | None, n_gpus: int) -> int:
    """GPUs that share a sequence: 8 in "sequence_parallel8" and "zero3+sp8"; all of them when no number is said."""
    text = (name or "").strip().lower()
    match = re.search(r"(?:sequence|context|ulysses|ring|\bsp|\bcp)[a-z_ ]{0,12}?(\d{0,4})(?!\d)", text)
    if n_gpus <= 1 or match is None:
        return 1
    return max(1, min(int(match[1]) if match[1] else n_gpus, n_gpus))


def offload_of(name: str | None, sharding: str | None = None) -> str:
    """none, optimizer, params (with the optimizer) or activations.

    Where nothing is said, the sharding's name may: "zero3+cpu_offload". ZeRO-1 and 2 have only states to put aside
    (DeepSpeed docs, "offload_param": stage 3), FSDP puts parameters aside with all that is theirs (torch, CPUOffload).
    """
    how = (sharding or "").strip().lower()
    text = (how if name is None and "offload" in how else name or "none").strip().lower()
    if text in ("none", "no", "false", ""):
        return "none"
    if "activation" in text:
        return "activations"
    if "optim" in text and not any(word in text for word in ("param", "weight")):
        return "params" if "fsdp" in how else "optimizer"
    return "optimizer" if EARLY_ZERO.search(how) else "params"


def on_disk(name: str | None) -> bool:
    """What is offloaded lies on an NVMe drive (ZeRO-Infinity), not in RAM."""
    return name is not None and any(word in name.lower() for word in ("nvme", "ssd", "disk"))
