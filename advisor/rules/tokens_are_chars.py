"""Tokens are not characters, words, rows or examples.

Source: byte-pair tokenisers give about 4 characters a token in English, 3 in German.
"""

from advisor.advice import Finding, correct
from advisor.case import Case

ON = ("tokens_are_chars",)


def check(case: Case) -> Finding | None:
    """Tokens are not characters, words, rows or examples."""
    return correct(tokens=case.query.dataset_tokens) if "tokens_are_chars" in case.claims else None
