"""More cards only help when the work per step outweighs the exchange; s/it is not comparable across card counts.

Source: QUESTIONS: DDP on PCIe without P2P; NCCL documentation.
"""

from advisor.advice import Finding, correct
from advisor.case import Case

ON = ("more_gpus_faster",)


def check(case: Case) -> Finding | None:
    """More cards only help when the work per step outweighs the exchange; s/it is not comparable across card counts."""
    if "more_gpus_faster" not in case.claims or "no_gain" in case.symptoms:
        return None  # a gain that was missed has its own rule
    if case.advice and case.advice.verdict.code == "no_gain":
        return None
    return correct(nvlink=bool(case.gpu.nvlink) if case.gpu else None)
