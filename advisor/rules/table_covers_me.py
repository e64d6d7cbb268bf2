"""Tables, blogs and calculators name one set-up: mostly batch 1, short length, one card.

Source: LLaMA-Factory README ("estimated"), Unsloth requirements ("absolute minimum").
"""

from advisor.advice import Finding, correct
from advisor.case import Case


def check(case: Case) -> Finding | None:
    """Tables, blogs and calculators name one set-up: mostly batch 1, short length, one card."""
    return correct() if "table_covers_me" in case.claims else None
