"""ZeRO-3 and bitsandbytes weights go together only in newer versions; FSDP-QLoRA is the tried way.

Source: facts/trainers: deepspeed, methods.
"""

from advisor.advice import Finding, stop, warn
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.stacks import FOUR_BIT, GIB, GOOD
from advisor.tiers import split

ON = ("sharding",)
NF4 = 9 / 16
"""Bytes of a weight in 4 bit with its constants (64 weights share one in fp32)."""


def check(case: Case) -> Finding | None:
    """ZeRO-3 and bitsandbytes weights go together only in newer versions; FSDP-QLoRA is the tried way."""
    tried = case.query.sharding == "zero3" or bool("zero3" in _named(case) and case.symptoms & FAILURES)
    if "fsdp" in _named(case) and "lora" in case.query.named.get("method", ()):
        return None  # "qlora + fsdp, and lora with zero3 too": each with its own
    if not tried or case.method not in FOUR_BIT:
        return None
    if _split(case):
        return None
    speak = stop if case.symptoms & FAILURES else warn  # the likely cause where a run failed
    loading = case.advice is not None and case.advice.verdict.code == "load"  # which tells the need itself
    failed = bool(case.symptoms & FAILURES)
    return speak(
        count=case.n_cards,
        fsdp=_with_fsdp(case),
        usable=case.usable,
        failed=failed,
        bare=loading,
        through=_through_ram(case) if failed else None,
    )


def _through_ram(case: Case) -> dict[str, float] | None:
    """Bytes of the 16-bit weights that rank 0 loads through RAM, and the stated RAM, where that holds them."""
    ram_gb, weights = case.query.ram_gb, 2 * (case.params or 0)
    return {"weights": weights, "ram_gb": ram_gb} if ram_gb and 0 < weights < ram_gb * 1e9 else None


def _with_fsdp(case: Case) -> int | None:
    """Bytes per card as FSDP-QLoRA, where the cards hold that."""
    if not case.sized or case.usable is None or case.n_cards == 1:
        return None
    need = case.need(split(case.stacks[-1]), n_gpus=case.n_cards, sharding="fsdp", offload="none")
    return need.device if case.fit(need, case.usable) in GOOD else None


def _named(case: Case) -> tuple[str, ...]:
    return tuple(case.query.named.get("sharding", ()))


def _split(case: Case) -> bool:
    """What a card was seen to hold in training is less than all the weights: there they are shared out."""
    seen = case.query.seen_gib
    return seen is not None and not case.symptoms & FAILURES and seen * GIB < NF4 * (case.params or 0)
