"""Offloading is slow by design: every step moves gradients and weights over PCIe, and Adam runs on the processor.

Source: ZeRO-Offload, arXiv:2101.06840, sec. 4 (for each parameter 2 bytes of gradient down and 2 of weight up);
estimator.
"""

from typing import Any

from advisor.advice import Finding, stop
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import ALL_ON_ONE, GOOD

ON = ("offload",)
AWAY = frozenset({"optimizer", "params", "cpu"})
MOVED = 4
"""Bytes a parameter that cross PCIe in a step."""
KINDS = frozenset({Kind.TIME_ESTIMATE, Kind.OOM_HELP, Kind.FITS_CHECK, Kind.MULTI_GPU})


def check(case: Case) -> Finding | None:
    """Say that it is normal, what moves, and what needs no offload."""
    query = case.query
    told = len(query.named.get("seen_s_per_step", ())) > 1 or "slow" in case.symptoms
    complains = told or bool(query.seen_s_per_step and "asks_normal" in case.symptoms)
    if query.offload not in AWAY or not complains or not case.full or not case.sized:
        return None
    if case.symptoms & FAILURES or query.kind not in KINDS:
        return None
    slots: dict[str, Any] = {"method": "lora", "weight_bits": None, "optimizer": None, **ALL_ON_ONE}
    lora = case.need(case.stacks_of_one[0], **slots)
    return stop(
        moved=MOVED * (case.params or 0) // case.n_cards,
        lora=lora.device,
        fits=lora.fit in GOOD if case.usable is not None else None,
        usable=case.usable,
    )
