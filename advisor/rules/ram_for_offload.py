"""What does not fit the cards, and the stated RAM would hold: offload is the way, at a price in speed.

Source: ZeRO-Offload, arXiv:2101.06840; estimator.
"""

from typing import Any

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.stacks import FULL_ADAMW, GIB, GOOD
from advisor.tiers import split

SHORT_OF = frozenset({"no", "unlikely", "too_big", "none_fits", "several", "owned_short"})
FREE = 0.9
"""Share of the RAM that a run may take."""
ON = ("ram_gb",)


def check(case: Case) -> Finding | None:
    """What does not fit the cards, and the stated RAM would hold: offload is the way, at a price in speed."""
    ram_gb = case.query.ram_gb
    if ram_gb is None or not case.full or not case.sized or case.usable is None or case.apple:
        return None
    if case.query.offload not in (None, "none") or case.advice is None or case.advice.verdict.code not in SHORT_OF:
        return None
    stack = split(FULL_ADAMW) if case.n_cards > 1 else FULL_ADAMW
    sharding = "zero3" if case.n_cards > 1 else "zero2"
    for offload in ("optimizer", "params"):
        away: dict[str, Any] = {"sharding": sharding, "offload": offload, "autocast": None, "compute_dtype": "bf16"}
        need = case.need(stack, optimizer="adamw", **away)
        if need.fit in GOOD and need.host_ram <= FREE * ram_gb * GIB:
            return stop(device=need.device, ram=need.host_ram, ram_gb=ram_gb, params=offload == "params")
    return None
