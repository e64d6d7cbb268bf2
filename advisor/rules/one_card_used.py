"""A plain script uses one card; it takes a launcher to use several.

Source: accelerate and torchrun documentation.
"""

from advisor.advice import Finding, stop, warn
from advisor.case import Case
from advisor.query import Kind
from advisor.rules import uneven_lengths

ON = ("one_card_used", "uneven")


def check(case: Case) -> Finding | None:
    """A plain script uses one card; it takes a launcher to use several."""
    if uneven_lengths.check(case) is not None or case.query.trainer == "unsloth":
        return None  # Unsloth has its own launch, and a rule about it
    if case.advice is not None and case.advice.verdict.code == "one_of_them":
        return None  # one card is the advice
    if not case.symptoms & {"one_card_used", "uneven"} or case.n_cards < 2:
        return None
    asked = "one_card_used" in case.symptoms and case.advice is not None and case.advice.kind is Kind.MULTI_GPU
    return stop() if asked else warn()
