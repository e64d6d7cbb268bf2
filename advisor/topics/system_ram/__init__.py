"""How much system RAM (and disk)? What loading, offloading, merging and saving take, by the ranks on one machine.

Verdict: killed, load (one process died reading weights that do not fit the RAM in fp32), merge, nvme, gpu_oom
(offloaded, yet the card ran out), waits (it runs, its cards idle), offload, disk, shared, plan, unsized.
Facts: load_16, load_32 (bytes of one copy), ranks, load_all (every rank its own 16-bit copy), load_4 (the run with a
checkpoint that is in 4 bit already, where that is less), offload_low/offload_high (16 and 18 bytes per parameter), ram
(the estimate for the stated set-up), merge, disk, step_hours (of one step from NVMe), stays (bytes that offloading
leaves on the card), vram_gb, plan_gb, ram_gb, more (the plan where it is above that), heavy (the run takes more than
loading), plan_run (without merging, where that is less), believed (RAM is counted as VRAM), enough (None: it died
although the sum would do), enough_16 (for one 16-bit copy), reference (a frozen copy of all weights beside them),
ample (it died with far more than it needs), big_text (the text is large), wsl_gb (what WSL gives of it), merge_short;
beside.py has what the cards hold.
"""

from typing import Any

from advisor.advice import Advice, Verdict
from advisor.asked import REFERENCED
from advisor.case import Case
from advisor.estimator.host_ram import HostRam, host_ram
from advisor.query import Kind
from advisor.stacks import GIB, GOOD, PPO_MODELS
from advisor.topics.system_ram.beside import beside, copies_run_out, through_ram

OFFLOAD_BYTES = (16, 18)
"""Bytes of RAM per parameter when weights, gradients and fp32 Adam states live there: 4 master + 8 Adam + 4
gradient, plus buffers.

ZeRO-Infinity (arXiv:2104.07857), sec. 3; reports of 7B at 100-160 GB and 33B at 750 GB and more agree.
"""
DISK_ADAPTERS, DISK_FULL = 6, 46
"""Bytes of disk per parameter: download, conversion copy, merged model; with all weights also three checkpoints
with states.
"""
CHECKPOINT_FULL = 14
"""Bytes per parameter of one checkpoint with states: 16-bit weights, fp32 master weights, Adam's two."""
MASTERS = 8
"""Bytes per parameter of fp32 master weights and gradients, kept in RAM whatever the optimizer."""
SMALL_STATES = frozenset({"adamw_4bit", "adamw_8bit", "adamw_fp8", "lion", "lion_8bit", "sgd", "adafactor", "muon"})
"""Optimizers with fewer bytes of states than AdamW."""
LITTLE, EASY = 0.9, 1.5
"""RAM as a multiple of the VRAM: below the first too little, from the second on with ease (S66)."""
AT_HOME_GB = 128
"""Sum of VRAM up to which the rule of thumb "as much RAM as VRAM" is meant; servers are planned by what they load."""
ABOVE_A_CRASH = 1.2
"""Plan at least so many times the RAM that a run died with."""
SYSTEM = 4 * GIB
"""What the operating system and the process take beside the states."""
AMPLE = 2
"""Times what the run needs from which on no lack of RAM ends it."""
WSL_SHARE = 0.5
"""Share of the machine's RAM that WSL 2 gives to Linux by itself (Microsoft Learn, "Advanced settings in WSL")."""
BIG_TEXT = 10**9  # tokens of a text that nobody tokenises in RAM at once
EASY_MERGE = 64 * GIB
"""RAM for merging up to which a plan for training covers it too; above it the merge is told apart."""
A_MACHINE = 8
"""Cards in one machine."""
PLANS_GB = (16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096)
"""Amounts that a machine can be bought with."""
CRASHED = frozenset({"killed", "oom_load", "oom_step", "oom_later", "oom_save", "oom_merge"})
NVME_BYTES_PER_S = 5e9
"""What one PCIe 4.0 x4 NVMe drive moves in a row (5 to 7 GB/s on the box, less when warm)."""
POLICY_AND_REFERENCE = 2
THERE_AND_BACK = 2
"""Every step reads all states and writes them again."""


def answer(case: Case) -> Advice:
    """Advice on system RAM."""
    code = _code(case)
    if not case.sized:
        return _unsized(case, code)
    stack, away = case.stacks[-1], offloaded(case)
    plan = case.plan(stack, **away)
    ram = host_ram(
        plan,
        vram_bytes=rule_of_thumb(_vram_gb(case) or case.lean.device / GIB),
        gpu_bytes=case.usable or 0,
        allocated=case.need(stack, **away).allocated,
    )
    facts = _sizes(case, ram) | _judged(case, ram, code)
    facts |= beside(case, plan, code, _machines(case), away)
    return Advice(
        kind=Kind.SYSTEM_RAM,
        query=case.query,
        verdict=Verdict(code=code, facts=facts),
        setup=case.setup.model_copy(update=_shared(case)),
        needs=(case.need(case.stacks[-1]),),
        offers=("method=qlora", "method=lora", "offload=none", "n_gpus=2", "show=why"),
    )


def _shared(case: Case) -> dict[str, str]:
    """How the set-up line says that the offloaded run uses several cards: split, as the figures do."""
    changes = offloaded(case)
    return {"sharding": changes["sharding"]} if changes and case.n_cards > 1 else {}


def _unsized(case: Case, code: str) -> Advice:
    ram_gb, vram_gb = case.query.ram_gb, _vram_gb(case)
    ratio = None if ram_gb is None or not vram_gb else ram_gb / vram_gb
    facts: dict[str, Any] = {
        "vram_gb": vram_gb,
        "ram_gb": ram_gb,
        "plan_gb": plan_gb(0, vram_gb or 24),
        "believed": "shared_memory_counts" in case.claims,
        "big_text": (case.query.dataset_tokens or 0) > BIG_TEXT,
        "judged": ratio and ("little" if ratio < LITTLE else "just" if ratio < EASY else "easy"),
    }
    return Advice(
        kind=Kind.SYSTEM_RAM,
        query=case.query,
        verdict=Verdict(code=code, facts=facts),
        asks="model" if (code == "killed" and not facts["big_text"]) or (code == "unsized" and ratio is None) else None,
        offers=("params_b=8", "params_b=70", "method=full"),
    )


def _vram_gb(case: Case) -> float | None:
    return sum(card.count * card.vram_gb for card in case.cards) or None


def _machines(case: Case) -> int:
    return case.query.nodes or -(-case.n_cards // A_MACHINE)


def _sizes(case: Case, ram: HostRam) -> dict[str, Any]:
    """Bytes per machine of the moments of a run."""
    params, machines = case.params or 0, _machines(case)
    return {
        "machines": machines,
        "params": params,
        "load_16": 2 * params,
        "load_32": 4 * params,
        "ranks": -(-case.n_cards // machines),
        "load_all": ram.every_rank_loads // machines,
        "offload_low": OFFLOAD_BYTES[0] * params // machines,
        "offload_high": OFFLOAD_BYTES[1] * params // machines,
        "offload_most": max(OFFLOAD_BYTES[1] * params, ram.total) // machines,
        "ram": ram.total // machines,
        "least": ram.low,
        "merge": ram.to_merge,
        "reference": _has_reference(case),
        "reference_each": 2 * params // case.n_cards,
        "load_fp32": _fp32_copies(case, ram.every_rank_loads // machines),
        "checkpoint": CHECKPOINT_FULL * params,
        "disk": (DISK_FULL if case.full else DISK_ADAPTERS) * params,
        "step_hours": _step_hours(params),
    }


def _fp32_copies(case: Case, every_rank: int) -> int | None:
    """Bytes when each rank loads in fp32, where only that is more than the stated RAM.

    Source: from_pretrained's default dtype was float32 before transformers 5.
    """
    ram_gb = case.query.ram_gb
    copies = every_rank * (POLICY_AND_REFERENCE if _has_reference(case) else 1)
    return 2 * copies if case.n_cards > 1 and ram_gb and every_rank <= ram_gb * 1e9 < 2 * copies else None


def _has_reference(case: Case) -> bool:
    """A second, frozen copy of all weights is loaded beside the trained one."""
    return case.full and case.query.algorithm in REFERENCED


def _step_hours(params: int) -> tuple[float, float]:
    """Hours of one step whose states lie on one NVMe drive."""
    hours = THERE_AND_BACK * OFFLOAD_BYTES[0] * params / NVME_BYTES_PER_S / 3600
    return hours, hours


def _judged(case: Case, ram: HostRam, code: str) -> dict[str, Any]:
    """The size to plan, and whether the RAM in question is enough: never so where the run died of it."""
    ram_gb, machines, load = case.query.ram_gb, _machines(case), 2 * (case.params or 0)
    load *= PPO_MODELS if case.query.algorithm == "ppo" else 1
    crashed = bool(case.symptoms & CRASHED)
    run = ram.total // machines
    through = through_ram(case, code)
    needed = {"merge": ram.to_merge, "killed": max(run, load, through)}.get(code, run)
    given = ram_gb * 1e9 if ram_gb is not None else None
    plan = plan_gb(needed, 0) if needed != ram.total else -(-ram.recommended // GIB)
    copies = ram.every_rank_loads // machines if case.n_cards > 1 else 0
    loads = load if "oom_load" in case.symptoms else 0
    ample = crashed and given is not None and AMPLE * (max(needed, loads) + copies) < given
    if crashed and ram_gb is not None and code != "gpu_oom" and not ample:
        plan = next((gb for gb in PLANS_GB if gb >= max(plan, ABOVE_A_CRASH * ram_gb)), PLANS_GB[-1])
    run_only = plan
    merge_short = not case.full and given is not None and needed <= given < ram.to_merge
    if merge_short or (code == "plan" and ram_gb is None and not case.full and ram.to_merge <= EASY_MERGE):
        plan = max(plan, plan_gb(ram.to_merge, 0))
    return {
        "ram_gb": ram_gb,
        "plan_gb": plan,
        "ample": ample,
        "wsl_gb": ram_gb * WSL_SHARE if crashed and ram_gb and case.query.os == "windows-wsl2" else None,
        "big_text": crashed and (case.query.dataset_tokens or 0) > BIG_TEXT,
        "plan_run": run_only if code == "plan" and ram_gb is None and run_only < plan else None,
        "more": plan if ram_gb is not None and plan > ram_gb else None,
        "heavy": run > load,
        "enough": None if given is None or (crashed and given >= needed) else given >= needed,
        "merge_short": merge_short,
        "copies_over": crashed and given is not None and needed <= given < copies,
        "through": through or None,
        "enough_16": None if given is None else given >= load,
        "crashed": crashed,
        "believed": "shared_memory_counts" in case.claims,
        "card_ran_out": code == "merge" and crashed and given is not None and given >= needed and not _by_kernel(case),
        "moved": case.query.offload not in (None, "none") or bool(offloaded(case)),
        "masters": MASTERS * (case.params or 0) // machines if case.query.optimizer in SMALL_STATES else None,
        **_at_least(case, plan, run, code=code, crashed=crashed),
    }


def _by_kernel(case: Case) -> bool:
    """The kernel ended it, or nobody says how it ended: it may have been the RAM after all."""
    return "killed" in case.symptoms or not case.symptoms & {"oom_step", "oom_gpu"}


def _least_gb(case: Case, machines: int) -> int:
    """The amount that holds the states of all weights and the system, buffers and copies left out."""
    states = OFFLOAD_BYTES[1] * (case.params or 0) // machines + SYSTEM
    return next((gb for gb in PLANS_GB if gb * GIB >= states), PLANS_GB[-1])


def _at_least(case: Case, plan: int, run: int, *, code: str, crashed: bool) -> dict[str, Any]:
    """What would just do when all states are offloaded: as an amount to buy, or as a word for the stated RAM."""
    if code != "offload" or not case.full:
        return {"least_gb": None, "just": False}
    ram_gb, least = case.query.ram_gb or 0, _least_gb(case, _machines(case))
    just = not crashed and least <= ram_gb and ram_gb * 1e9 < run
    return {"least_gb": least if ram_gb < least < plan else None, "just": just}


def _dies_loading(case: Case) -> bool:
    """One process read the weights and died, where the stated RAM does not hold them in fp32."""
    query = case.query
    if "oom_load" not in case.symptoms or not query.ram_gb or not case.sized or case.n_cards > 1 or query.quant:
        return False
    if query.tried_allocate_gib or query.capacity_gib or "oom_gpu" in case.symptoms:
        return False  # CUDA itself said that it was the card
    return 4 * (case.params or 0) > query.ram_gb * 1e9


def _code(case: Case) -> str:
    away = case.query.offload
    if _dies_loading(case):
        return "load"
    if "disk_full" in case.symptoms:
        return "disk"
    if case.symptoms & {"oom_merge", "oom_save"} or ("merge_wants_ram" in case.claims and not case.full):
        return "merge"
    if "killed" in case.symptoms or "killed_is_vram" in case.claims:
        return "killed"
    if copies_run_out(case):
        return "killed"
    if "shared_memory_counts" in case.claims or "slow_spill" in case.symptoms:
        return "shared"
    if not case.sized:
        return "unsized"
    if away == "nvme":
        return "nvme"
    if away not in (None, "none") and "oom_step" in case.symptoms and not ram_ran_out(case):
        return "gpu_oom"
    if away not in (None, "none") and "sees_util" in case.symptoms and not case.symptoms & CRASHED:
        return "waits"
    return "offload" if away not in (None, "none") or (case.full and away is None) else "plan"


def ram_ran_out(case: Case) -> bool:
    """A run that offloads died, the card holds what stays on it, and the stated RAM does not hold the rest."""
    query = case.query
    if query.offload in (None, "none", "nvme") or query.ram_gb is None or not case.symptoms & CRASHED or not case.sized:
        return False
    if query.tried_allocate_gib or query.capacity_gib or case.usable is None or "oom_gpu" in case.symptoms:
        return False  # CUDA itself said that it was the card
    need = case.need(case.stacks[-1], **offloaded(case))
    return need.fit != "no" and need.host_ram // _machines(case) > query.ram_gb * 1e9


def offloaded(case: Case) -> dict[str, Any]:
    """What is added where all weights are trained and nobody says how: the states in system RAM, split over ranks; not
    where the kernel ended a run that the cards hold without it.
    """
    if not case.full or case.query.offload:
        return {}
    if "killed" in case.symptoms and case.usable is not None and case.lean.fit in GOOD:
        return {}
    return {"offload": "params", "sharding": "zero3" if case.n_cards > 1 else "none"}


def rule_of_thumb(vram_gb: float) -> int:
    """Bytes of the rule "as much RAM as VRAM" (S66), which is meant for the home; nothing for servers."""
    return int(vram_gb * GIB) if vram_gb <= AT_HOME_GB else 0


def plan_gb(ram: int, vram_gb: float) -> int:
    """RAM to buy: what the run takes with a quarter to spare, and at home never less than the cards' memory (S66)."""
    wanted = max(1.25 * ram / GIB, rule_of_thumb(vram_gb) / GIB, 16)
    return next((gb for gb in PLANS_GB if gb >= wanted), PLANS_GB[-1])
