"""Tables, blogs and calculators name one set-up: mostly batch 1, short length, one card.

Source: LLaMA-Factory README ("estimated"), Unsloth requirements ("absolute minimum"); estimator.
"""

from advisor.advice import Finding, correct
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import GIB

FAR = 2
"""Times our estimate from which a table's figure is called wrong."""

TELLS = frozenset({"calculated", "normal"})
"""Answers that set the claimed figure beside what a run takes."""

ON = ("table_covers_me",)


def check(case: Case) -> Finding | None:
    """Tables, blogs and calculators name one set-up: mostly batch 1, short length, one card."""
    if "table_covers_me" not in case.claims or case.query.kind is Kind.SYSTEM_RAM:
        return None
    if case.advice is not None and case.advice.verdict.code in TELLS:
        return None  # the answer says it
    methods = case.advice is not None and case.advice.kind is Kind.METHOD_CHOICE
    if case.query.claimed_gib and case.sized and not methods:
        return None  # claimed_figure holds it against the estimate
    seen = int((case.query.seen_gib or case.query.claimed_gib or 0) * GIB)
    if not seen or not case.sized or case.full:
        return correct(seen=None, estimate=None)
    estimate = case.need(case.stacks[-1], method="lora", weight_bits=None, quant=None).device
    return correct(seen=seen, estimate=estimate) if seen > FAR * estimate else correct(seen=None, estimate=None)
