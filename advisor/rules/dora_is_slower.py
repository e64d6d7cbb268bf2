"""DoRA adds a norm per weight matrix and step: slower, a little more memory, a small gain.

Source: DoRA, arXiv:2402.09353; PEFT documentation.
"""

from advisor.advice import Finding, note
from advisor.case import Case


def check(case: Case) -> Finding | None:
    """DoRA adds a norm per weight matrix and step: slower, a little more memory, a small gain."""
    return note() if case.query.method in ("dora", "qdora") else None
