"""A handful of examples is learnt by heart; no card mends that (S53).

Source: S53.
"""

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.query import Kind

FEW = 200

ON = ("dataset_examples",)


def check(case: Case) -> Finding | None:
    """A handful of examples is learnt by heart; no card mends that (S53)."""
    examples = case.query.dataset_examples
    if examples is None or examples >= FEW or case.query.kind is Kind.DATA_SIZE_QUALITY:
        return None
    return warn(examples=examples)
