"""A model name that fits several: which one was taken.

Source: facts/ambiguous.
"""

from advisor.advice import Finding, note
from advisor.case import Case

ON = ("ambiguous",)


def check(case: Case) -> Finding | None:
    """A model name that fits several: which one was taken."""
    ids = case.query.ambiguous.get("model", ())
    others = [i.split("/")[-1] for i in ids if i != case.query.model]
    return note(taken=case.model_name, others=others[:3]) if others and case.sized else None
