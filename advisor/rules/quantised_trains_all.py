"""4-bit weights are frozen; only adapters are trained.

Source: QLoRA, arXiv:2305.14314.
"""

from advisor.advice import Finding, correct
from advisor.case import Case

ON = ("quantised_trains_all", "weight_bits")


def check(case: Case) -> Finding | None:
    """4-bit weights are frozen; only adapters are trained."""
    if "quantised_trains_all" not in case.claims and not (
        case.query.method == "full" and case.query.weight_bits in (3, 4)
    ):
        return None
    if case.query.algorithm == "pretrain" and "quantised_trains_all" in case.claims and not case.full:
        return None  # continued pretraining with adapters is what is asked
    return correct()
