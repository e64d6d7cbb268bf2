"""What a progress bar counts are optimizer steps, not epochs.

Source: transformers, Trainer (max_steps = examples / global batch * epochs), 2026-11.
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("asks_what_counts",)


def check(case: Case) -> Finding | None:
    """Say what the number is, with the batch where it is known."""
    if "asks_what_counts" not in case.symptoms:
        return None
    query = case.query
    stated = query.micro_batch is not None and query.grad_accum is not None
    return stop(batch=case.micro_batch * (query.grad_accum or 1) * case.n_cards if stated else None)
