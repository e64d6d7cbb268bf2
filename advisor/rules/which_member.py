"""A family named without a size, and a card: what each of its sizes takes there.

Source: estimator, facts/models.
"""

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.members import WHICH, family_of, fits_of, is_about_fit

ON = ("named",)
COSTLY = True
BELOW, ABOVE = 2, 3
"""Members that are told on either side of the one that was taken."""


def check(case: Case) -> Finding | None:
    """The sizes around the one that was taken, with their verdicts."""
    if WHICH not in case.query.named or not is_about_fit(case) or case.model is None or case.usable is None:
        return None
    members = family_of(case)
    at = next((place for place, member in enumerate(members) if member.id == case.model.id), None)
    if at is None or len(members) == 1:
        return None
    rows = [
        {"name": member.id.split("/")[-1], "need": told[0], "fit": told[1]}
        for member in members[max(0, at - BELOW) : at + ABOVE + 1]
        if (told := fits_of(case, member)) is not None
    ]
    return warn(rows=rows, method=case.method, tokens=case.seq_len, stack=case.lean.stack)
