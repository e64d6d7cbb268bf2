"""A run that dies at the same steps each time meets the same long batch there: no leak.

Source: transformers, Trainer: the sampler is seeded (`seed`, `data_seed`), so the order of batches repeats; data
collators pad to the longest example of a batch.
"""

from advisor.advice import Finding, stop
from advisor.asked import FAILURES
from advisor.case import Case

ON = ("same_steps",)


def check(case: Case) -> Finding | None:
    """A run that dies at the same steps each time meets the same long batch there."""
    if "same_steps" not in case.symptoms or not case.symptoms & FAILURES:
        return None
    batch, tokens = case.query.micro_batch or 1, case.query.seq_len
    return stop(
        batch=batch,
        tokens=batch * tokens if tokens and batch > 1 else None,
        accum=batch * (case.query.grad_accum or 1) if batch > 1 else None,
    )
