"""Packing fills every sequence: the tokens of a step are batch x length, always.

Source: TRL and Axolotl documentation, sample packing.
"""

from advisor.advice import Finding, note
from advisor.case import Case

ON = ("packing",)


def check(case: Case) -> Finding | None:
    """Packing fills every sequence: the tokens of a step are batch x length, always."""
    if not case.query.packing or case.micro_batch < 2 or not case.sized:
        return None
    return note(tokens=case.micro_batch * case.seq_len, batch=case.micro_batch)
