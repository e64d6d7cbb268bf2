"""Many passes over the data overfit.

Source: S53.
"""

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.query import Kind

MOST = 4

ON = ("epochs",)


def check(case: Case) -> Finding | None:
    """Many passes over the data overfit."""
    epochs = case.query.epochs
    if epochs is None or epochs <= MOST or case.query.kind is Kind.DATA_SIZE_QUALITY or epochs > 1000:
        return None
    return warn(epochs=epochs)
