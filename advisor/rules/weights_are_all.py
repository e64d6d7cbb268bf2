"""Training holds more than the weights file.

Source: S01; estimator terms.
"""

from advisor.advice import Finding, correct
from advisor.case import Case


def check(case: Case) -> Finding | None:
    """Training holds more than the weights file."""
    if "weights_are_all" not in case.claims or not case.sized:
        return None
    lean = case.lean
    weights = lean.components.get("weights", 0)
    if not weights:
        return None  # offloaded: nothing of them is on the card
    return correct(weights=weights, rest=max(0, lean.device - weights))
