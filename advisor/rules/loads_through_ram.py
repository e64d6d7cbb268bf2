"""The kernel ended a process that reads 16-bit weights through a machine with little RAM, on their way to one card.

Source: transformers, from_pretrained (a shard at a time with low_cpu_mem_usage and a device_map); Colab's free machine
shows 12.7 GB, Kaggle's about 30 (both 2026-11); autotrain-advanced#277.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.stacks import GIB

ON = ("killed",)
LITTLE_GB = 32
"""RAM of machines in which one copy of the weights is what fills it."""
OTHER = frozenset({"oom_merge", "oom_save", "oom_later", "tokenising_ram", "at_the_end", "eval_through"})
FREE = "t4"
"""The card of the free notebooks."""


def check(case: Case) -> Finding | None:
    """Say what passes through the RAM, and what passes less."""
    query = case.query
    if "host_grows" in case.symptoms and "oom_load" not in case.symptoms:
        return None
    if "killed" not in case.symptoms or case.symptoms & OTHER or not case.params or case.full:
        return None
    if case.n_cards > 1 or case.gpu is None or case.one_memory or query.offload not in (None, "none") or query.quant:
        return None
    weights = 2 * case.params
    free = case.gpu.id == FREE
    if weights > LITTLE_GB * GIB or (query.ram_gb or (0 if free else LITTLE_GB + 1)) > LITTLE_GB:
        return None
    four = case.need(case.stacks[0], method="qlora", weight_bits=None, n_gpus=1, sharding="none")
    return stop(
        weights=weights,
        packed=four.components.get("weights", 0),
        ram_gb=query.ram_gb,
        free=free and not query.ram_gb,
        four=four.device,
        fit=four.fit,
        usable=case.usable,
    )
