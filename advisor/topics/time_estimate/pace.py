"""A run that is going: how long all of it takes at the pace that its progress shows."""

from typing import Any

from advisor.case import Case
from advisor.topics.time_estimate.jobs import epochs_of

SMALL = 0.1
"""Share below which a tenth of a percent counts."""


def pace(case: Case) -> dict[str, Any] | None:
    """Hours of an epoch and of the whole run, and what is left of it; None where no progress is told.

    `enough` says whether the run ends within the hours that the asker has, None where none are told.
    """
    query = case.query
    share, done = query.done_share, query.done_hours
    if not share or not done:
        return None
    of_epoch = query.done_of == "epoch"
    one = done / share
    whole = one * epochs_of(case) if of_epoch and query.epochs else one
    return {
        "percent": round(share * 100, 0 if share >= SMALL else 1),
        "of_epoch": of_epoch,
        "done": (done, done),
        "one": (one, one),
        "whole": (whole, whole),
        "epochs": query.epochs if of_epoch and query.epochs and query.epochs > 1 else None,
        "left": (whole - done, whole - done),
        "limit": (query.max_hours, query.max_hours) if query.max_hours else None,
        "enough": whole <= query.max_hours if query.max_hours else None,
    }
