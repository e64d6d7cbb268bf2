"""How much system RAM (and disk)? What loading, offloading, merging and saving take, by the ranks on one machine.

Verdict: killed, merge, offload, disk, plan, unsized.
Facts: load_16, load_32 (bytes of one copy), ranks, load_all (every rank its own 16-bit copy),
offload_low/offload_high (16 and 18 bytes per parameter), host_ram (the estimate for the stated set-up), merge,
adapter_train, disk, vram_gb, plan_gb, ram_gb, enough.
"""

from typing import Any

from advisor.advice import Advice, Verdict
from advisor.case import Case
from advisor.estimator.host_ram import host_ram
from advisor.query import Kind
from advisor.stacks import GIB
from advisor.tiers import smallest
from advisor.topics.which_gpu import cards_that_share

OFFLOAD_BYTES = (16, 18)
"""Bytes of RAM per parameter when weights, gradients and fp32 Adam states live there: 4 master + 8 Adam + 4
gradient, plus buffers.

ZeRO-Infinity (arXiv:2104.07857), sec. 3; reports of 7B at 100-160 GB and 33B at 750 GB and more agree.
"""
DISK_ADAPTERS, DISK_FULL = 6, 46
"""Bytes of disk per parameter: download, conversion copy, merged model; with all weights also three checkpoints
with states.
"""
LITTLE, EASY = 0.9, 1.5
"""RAM as a multiple of the VRAM: below the first too little, from the second on with ease (S66)."""
AT_HOME_GB = 128
"""Sum of VRAM up to which the rule of thumb "as much RAM as VRAM" is meant; servers are planned by what they load."""
A_MACHINE = 8
"""Cards in one machine."""
PLANS_GB = (16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096)
"""Amounts that a machine can be bought with."""


def answer(case: Case) -> Advice:
    """Advice on system RAM."""
    vram_gb = sum(c.count * c.vram_gb for c in case.cards) or None
    if not case.sized:
        ram_gb = case.query.ram_gb
        judged = None if ram_gb is None or not vram_gb else ram_gb / vram_gb
        facts: dict[str, Any] = {
            "vram_gb": vram_gb,
            "ram_gb": ram_gb,
            "plan_gb": plan_gb(0, vram_gb or 24),
            "judged": judged and ("little" if judged < LITTLE else "just" if judged < EASY else "easy"),
        }
        return Advice(
            kind=Kind.SYSTEM_RAM,
            query=case.query,
            verdict=Verdict(code=_code(case), facts=facts),
            asks="model",
            offers=("params_b=8", "params_b=70", "method=full"),
        )
    params = case.params or 0
    found = case.estimate(case.stacks[-1], **offloaded(case))
    ram = host_ram(
        found.plan,
        vram_bytes=rule_of_thumb(vram_gb or case.lean.device / GIB),
        gpu_bytes=case.usable or 0,
        allocated=found.allocated,
    )
    code = _code(case)
    machines = case.query.nodes or -(-case.n_cards // A_MACHINE)
    crashed = bool(case.symptoms & {"killed", "oom_load", "oom_step", "oom_later", "oom_save", "oom_merge"})
    needed = {"merge": ram.to_merge, "killed": max(ram.total, 2 * params)}.get(code, ram.total)
    given = case.query.ram_gb * 1e9 if case.query.ram_gb is not None else None
    needed //= machines
    plan = plan_gb(needed, 0) if needed != ram.total else -(-ram.recommended // GIB)
    if crashed and case.query.ram_gb is not None:
        plan = next((gb for gb in PLANS_GB if gb >= max(plan, 1.2 * case.query.ram_gb)), PLANS_GB[-1])
    facts = {
        "machines": machines,
        "nvme": case.query.offload == "nvme",
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
        "disk": (DISK_FULL if case.full else DISK_ADAPTERS) * params,
        "ram_gb": case.query.ram_gb,
        "full": case.full,
        "states": case.full or case.query.method is None,
        "plan_gb": plan,
        "enough": None if given is None or (crashed and given >= needed) else given >= needed,
        "lean": case.lean.device,
        "alone_gb": smallest(case, case.lean),
        "cards_80": cards_that_share(case) if "disk_full" not in case.symptoms and code == "disk" else None,
        "usable": case.usable,
        "fit": case.lean.fit,
        "card": case.card.name if case.card else "",
        "card_gb": case.card.vram_gb if case.card else None,
    }
    return Advice(
        kind=Kind.SYSTEM_RAM,
        query=case.query,
        verdict=Verdict(code=code, facts=facts),
        setup=case.setup,
        needs=(case.need(case.stacks[-1]),),
        offers=("method=qlora", "method=lora", "offload=none", "n_gpus=2", "show=why"),
    )


def _code(case: Case) -> str:
    if "disk_full" in case.symptoms:
        return "disk"
    if case.symptoms & {"oom_merge", "oom_save"}:
        return "merge"
    if "killed" in case.symptoms or "killed_is_vram" in case.claims:
        return "killed"
    if "shared_memory_counts" in case.claims or "slow_spill" in case.symptoms:
        return "shared"
    if not case.sized:
        return "unsized"
    away = case.query.offload
    return "offload" if away not in (None, "none") or (case.full and away is None) else "plan"


def offloaded(case: Case) -> dict[str, Any]:
    """What is added where all weights are trained and nobody says how: the states in system RAM, split over ranks."""
    if not case.full or case.query.offload:
        return {}
    return {"offload": "params", "sharding": "zero3" if case.n_cards > 1 else "none"}


def rule_of_thumb(vram_gb: float) -> int:
    """Bytes of the rule "as much RAM as VRAM" (S66), which is meant for the home; nothing for servers."""
    return int(vram_gb * GIB) if vram_gb <= AT_HOME_GB else 0


def plan_gb(ram: int, vram_gb: float) -> int:
    """RAM to buy: what the run takes with a quarter to spare, and at home never less than the cards' memory (S66)."""
    wanted = max(1.25 * ram / GIB, rule_of_thumb(vram_gb) / GIB, 16)
    return next((gb for gb in PLANS_GB if gb >= wanted), PLANS_GB[-1])
