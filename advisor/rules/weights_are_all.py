"""Training holds more than the weights file.

Source: S01; estimator terms.
"""

from advisor.advice import Finding, correct
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import STATES

ON = ("weights_are_all",)


def check(case: Case) -> Finding | None:
    """Training holds more than the weights file."""
    if "weights_are_all" not in case.claims or not case.sized:
        return None
    shown = case.plain if case.full else case.lean  # every weight: the rule of thumb is AdamW's
    weights = shown.components.get("weights", 0)
    if not weights:
        return None  # offloaded: nothing of them is on the card
    told = case.query.kind is Kind.FAQ_DEFINITION  # the verdict is the rule of thumb
    states_gb = round(STATES * (case.params or 0) / 1e9) if case.full and not told else None
    rest = max(0, shown.device - weights)
    stack = shown.stack if case.full else None
    return correct(weights=weights, rest=rest, stack=stack, states_gb=states_gb, params=case.params)
