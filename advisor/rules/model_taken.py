"""A model name that fits several: which one was taken, and that the largest of that name is more than the cards hold.

Source: facts/ambiguous.
"""

from advisor.advice import Finding, note
from advisor.case import Case

ON = ("ambiguous",)
MOST_OTHERS = 3
MUCH_LARGER = 2
"""Times the model that was taken from which on the one that the name means is another size, no other release."""


def check(case: Case) -> Finding | None:
    """A model name that fits several: which one was taken."""
    ids = case.query.ambiguous.get("model", ())
    others = [i for i in ids if i != case.query.model]
    if not others or not case.sized:
        return None
    sizes = {i: model.params_total for i in others if (model := case.catalog.models.get(i)) is not None}
    first = others[0] if ids[0] == others[0] and sizes.get(others[0], 0) > MUCH_LARGER * (case.params or 0) else None
    if first:  # the name alone means one that the cards do not hold: what is smaller is left
        others = [i for i in others if sizes.get(i, 0) < (case.params or 0)]
    return note(
        taken=case.model_name,
        others=[i.split("/")[-1] for i in others[:MOST_OTHERS]],
        too_large=first.split("/")[-1] if first else None,
        too_large_params=sizes[first] if first else None,
    )
