"""Few tokens teach a tone at most, whatever the card.

Source: S53; LIMA, arXiv:2305.11206 (1,000 long examples are about 0.75 million tokens).
"""

from advisor.advice import Finding, warn
from advisor.case import Case

FEW = 100_000

ON = ("dataset_tokens",)


def check(case: Case) -> Finding | None:
    """Few tokens teach a tone at most, whatever the card."""
    tokens = case.query.dataset_tokens
    if case.advice and case.advice.verdict.facts.get("implied"):
        return None
    return warn(tokens=tokens) if tokens is not None and tokens < FEW else None
