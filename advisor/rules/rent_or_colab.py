"""Little memory of one's own: a free T4 or a rented 24 GB card does more.

Source: facts/prices; facts/instances (Colab, Kaggle).
"""

from advisor.advice import Finding, note
from advisor.case import Case
from advisor.options import price_to_rent
from advisor.query import Kind
from advisor.stacks import GIB

LITTLE = 8 * GIB

ON = ("gpus", "capacity_gib")


def check(case: Case) -> Finding | None:
    """Little memory of one's own: a free T4 or a rented 24 GB card does more."""
    if (
        case.usable is None
        or case.usable > LITTLE
        or case.query.kind not in (Kind.WHICH_GPU, Kind.FITS_CHECK, Kind.OOM_HELP)
    ):
        return None
    if case.symptoms & {"stays_home", "offline"}:
        return None
    price = price_to_rent(case.catalog, "rtx-3090")
    return note(price=price.model_dump() if price else None)
