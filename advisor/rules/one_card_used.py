"""A plain script uses one card; it takes a launcher to use several.

Source: accelerate and torchrun documentation.
"""

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.rules import uneven_lengths

ON = ("one_card_used", "uneven")


def check(case: Case) -> Finding | None:
    """A plain script uses one card; it takes a launcher to use several."""
    if uneven_lengths.check(case) is not None or case.query.trainer == "unsloth":
        return None  # Unsloth has its own launch, and a rule about it
    return warn() if case.symptoms & {"one_card_used", "uneven"} and case.n_cards > 1 else None
