"""DoRA adds a norm per weight matrix and step: slower, a little more memory, a small gain.

Source: DoRA, arXiv:2402.09353; PEFT documentation.
"""

from advisor.advice import Finding, note, stop
from advisor.case import Case
from advisor.query import Kind

ON = ("method", "named")
DORA = frozenset({"dora", "qdora"})


def check(case: Case) -> Finding | None:
    """DoRA adds a norm per weight matrix and step: slower, a little more memory, a small gain."""
    if not DORA.intersection((case.query.method, *case.query.named.get("method", ()))):
        return None
    return stop() if case.query.kind is Kind.METHOD_CHOICE else note()
