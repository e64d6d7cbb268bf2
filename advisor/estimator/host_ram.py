"""System RAM of a run: three moments (loading, training, merging), each the sum of its parts; bytes.

What people reported in issue trackers: 7B full with ZeRO-3 offload 100 GB on one card, 160 on four, 178 on eight; 33B
not in 600, in 775; 32B not in 744; 70B not in 1,024; 70B FSDP-QLoRA on two cards 107 to 138, killed at 125.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from advisor.estimator.algorithm import ALGORITHMS
from advisor.estimator.plan import Plan, of_set_up

GB = 10**9
SYSTEM = 4 * GB
"""Operating system, desktop and what else runs."""
PER_PROCESS = 3 * GB
"""Python, PyTorch and CUDA libraries of one rank (CUDA's host side alone takes 1 to 2 GB)."""
PER_LOADER = 1 * GB
"""Tokenised examples and the workers that feed one rank; data sets themselves are memory-mapped (datasets, Arrow)."""
SHARD = 5 * GB
"""Largest file of a checkpoint: save_pretrained's default max_shard_size, read through a memory map."""
MASTER_AND_MOMENTS = 12
"""Bytes per trained parameter of an offloaded AdamW: fp32 weight, two moments (ZeRO-Offload, arXiv:2101.06840)."""
OFFLOADED_GRADIENT = 4
"""Bytes per trained parameter: gradients arrive in fp32 buffers."""
PINNED_FACTOR = 2.0
"""Pinned buffers are rounded up to a power of two by PyTorch's host allocator: at worst twice their content."""
DISK_BUFFERS = 5 * 2 * 10**8 + 4 * 4 * 10**8
"""Pinned buffers of a rank that offloads to NVMe: five of 1e8 elements in 16 bit for parameters, four of the largest
tensors in fp32 for states (DeepSpeed docs, "offload_param" and "offload_optimizer": buffer_count, buffer_size)."""
MERGE_OVERHEAD = 1.03
SIZES_GB = (8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192)
"""RAM as it is sold."""
HEADROOM = 1.15
"""File cache and fluctuations; without it the kernel's out-of-memory killer is near."""


@dataclass(frozen=True, slots=True)
class HostRam:
    """System RAM of one machine that holds all ranks, bytes.

    `total` is what the run needs at its worst moment, made of `parts`; `recommended` is a size as sold, at least the
    VRAM of all cards (seed, S66); `to_merge` is what merging adapters into 16-bit weights on the CPU takes;
    `every_rank_loads` is the spike when each process reads the whole checkpoint into RAM (no zero.Init, no
    cpu_ram_efficient_loading).
    """

    total: int
    low: int
    """What a lean set-up gets by with: 16-bit gradients passed on at once, no rounding of pinned buffers, no copy."""
    moment: str
    """loading or training."""
    parts: Mapping[str, int]
    recommended: int
    to_merge: int
    every_rank_loads: int


def _processes(plan: Plan) -> int:
    """Ranks on the machine: one per GPU, but one in all where layers are split by device_map."""
    return 1 if plan.sharding in ("none", "pipeline", "device_map") else plan.n_gpus


def _checkpoint_bytes(plan: Plan) -> int:
    """The files on disk: 16 bit, or quantised beforehand (GPTQ, AWQ)."""
    bits = plan.weight_bits if plan.quant in ("gptq", "awq") else 16
    return int(plan.shape.params * bits / 8)


def _loading(plan: Plan, processes: int) -> int:
    """Weights in RAM while they are read: shard by shard, but whole on rank 0 before FSDP splits them."""
    whole = _checkpoint_bytes(plan)
    if plan.sharding in ("fsdp", "fsdp2"):
        return whole
    return min(whole, SHARD) * processes


def _offloaded(plan: Plan) -> dict[str, int]:
    """What CPU offload keeps in RAM during training, all ranks together."""
    trained = plan.shape.text_params if plan.method == "full" else plan.adapters
    parts: dict[str, int] = {}
    if plan.on_disk:
        return {"disk_buffers": _processes(plan) * DISK_BUFFERS}
    if plan.offload in ("params", "optimizer"):
        parts["optimizer"] = trained * MASTER_AND_MOMENTS
        parts["gradients"] = trained * OFFLOADED_GRADIENT
    if plan.offload == "params":
        parts["weights"] = int(plan.shape.params * min(plan.weight_bits, 16) / 8 * PINNED_FACTOR)
        if plan.method == "full":
            parts["load_copy"] = _checkpoint_bytes(plan)
    if (copies := ALGORITHMS[plan.algorithm].copies) and plan.method == "full" and plan.offload == "params":
        parts["reference"] = copies * _checkpoint_bytes(plan)
    if plan.activation_offload or plan.checkpointing == "offload":
        per_rank = plan.shape.layers * plan.shape.hidden * plan.residual_bytes * plan.tokens
        parts["activations"] = int(per_rank * plan.n_gpus * PINNED_FACTOR)
    return parts


def _lean(plan: Plan, base: int) -> int:
    if plan.offload not in ("params", "optimizer") or plan.on_disk:
        return base
    trained = plan.shape.text_params if plan.method == "full" else plan.adapters
    weights = int(plan.shape.params * min(plan.weight_bits, 16) / 8) if plan.offload == "params" else 0
    return base + trained * MASTER_AND_MOMENTS + weights


def _spilled(plan: Plan, gpu_bytes: int, allocated: int) -> int:
    """Optimizer pages that do not find room on the GPU (paged optimizers keep their states in managed memory)."""
    if "paged" not in plan.optimizer or not gpu_bytes:
        return 0
    trained = plan.shape.text_params if plan.method == "full" else plan.adapters
    states = trained * (2 if "8bit" in plan.optimizer else 8)
    return max(0, min(states, allocated + states - gpu_bytes)) * _processes(plan)


def as_sold(size: float) -> int:
    """The next size of RAM that is sold, in bytes (GiB, as modules are)."""
    return next((gb * 2**30 for gb in SIZES_GB if gb * 2**30 >= size), int(size))


def _parts(plan: Plan, processes: int) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
    """What is always there, with what loading adds, with what training adds."""
    base = {"system": SYSTEM, "processes": processes * PER_PROCESS, "data": processes * PER_LOADER}
    return base, base | {"load": _loading(plan, processes)}, base | _offloaded(plan)


def host_ram(plan: Plan, *, vram_bytes: int = 0, gpu_bytes: int = 0, allocated: int = 0) -> HostRam:
    """System RAM that a plan needs and the size to plan for.

    vram_bytes: memory of all cards together, for the rule of thumb. gpu_bytes and allocated: one card's usable memory
    and the plan's peak on it, for what a paged optimizer spills.
    """
    processes = _processes(plan)
    base, loading, training = _parts(plan, processes)
    if spilled := _spilled(plan, gpu_bytes, allocated):
        training["paged"] = spilled
    moment, parts = max((("loading", loading), ("training", training)), key=lambda pair: sum(pair[1].values()))
    total = sum(parts.values())
    whole = int(plan.shape.params * 2)
    return HostRam(
        total=total,
        low=min(total, max(sum(loading.values()), _lean(plan, sum(base.values())))),
        moment=moment,
        parts=parts,
        recommended=as_sold(max(total * HEADROOM, vram_bytes)),
        to_merge=SYSTEM + PER_PROCESS + int(whole * MERGE_OVERHEAD),
        every_rank_loads=SYSTEM + processes * (PER_PROCESS + whole),
    )


def host_ram_bytes(plan: Plan) -> int:
    """`host_ram(plan).total`."""
    grows = plan.activation_offload or plan.checkpointing == "offload"
    return _total_bytes(plan) if grows else _still_bytes(plan)


def _total_bytes(plan: Plan) -> int:
    _, loading, training = _parts(plan, _processes(plan))
    return max(sum(loading.values()), sum(training.values()))


_still_bytes = of_set_up(_total_bytes)
"""Where no activations lie in RAM."""
