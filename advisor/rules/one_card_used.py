"""A plain script uses one card; it takes a launcher to use several.

Source: accelerate and torchrun documentation.
"""

from advisor.advice import Finding, warn
from advisor.case import Case


def check(case: Case) -> Finding | None:
    """A plain script uses one card; it takes a launcher to use several."""
    return warn() if case.symptoms & {"one_card_used", "uneven"} and case.n_cards > 1 else None
