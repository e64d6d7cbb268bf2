"""A run that ends sooner than it can: rows were filtered, packed or cut.

Source: transformers Trainer's log: Num examples, Total optimization steps.
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ENOUGH = 0.4
"""Share of our shortest estimate from which on a stated duration is believable."""

ON = ("too_fast",)


def check(case: Case) -> Finding | None:
    """A run that ends sooner than it can: rows were filtered, packed or cut."""
    query = case.query
    if "too_fast" not in case.symptoms or (case.advice and case.advice.verdict.facts.get("judged")):
        return None
    took = case.advice.verdict.facts.get("hours") if case.advice else None
    rows = (query.dataset_examples or 0) * (query.epochs or 1)
    step = case.micro_batch * (query.grad_accum or 1) * case.n_cards
    stated = query.took_hours or query.max_hours
    plausible = bool(took and stated and stated >= ENOUGH * took[0])
    return stop(plausible=plausible, judged=bool(took and stated), steps=int(rows / step) if rows else None, step=step)
