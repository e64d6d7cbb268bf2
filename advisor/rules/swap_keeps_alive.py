"""More swap lets what is read once finish; states that are read and written at every step crawl in it.

Source: Linux kernel, pinned (mlocked) pages are never swapped; DeepSpeed, ZeRO-Offload, `pin_memory`.
"""

from advisor.advice import Finding, correct
from advisor.case import Case
from advisor.query import Kind

ON = ("asks_swap",)


def check(case: Case) -> Finding | None:
    """Say what swap does for the run in question."""
    if "asks_swap" not in case.symptoms or case.query.kind not in (Kind.SYSTEM_RAM, Kind.OOM_HELP):
        return None
    states = case.full and (case.query.offload not in (None, "none") or "killed" in case.symptoms)
    return correct(states=states, nvme=case.query.offload == "nvme")
