"""Tokenising fills system RAM where the whole set is held at once: map writes to disk in batches if it is let.

Source: datasets, Dataset.map: num_proc, writer_batch_size, keep_in_memory
(https://huggingface.co/docs/datasets/process, 2026-11).
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("tokenising_ram",)


def check(case: Case) -> Finding | None:
    """Tokenising fills system RAM where the whole set is held at once."""
    return stop() if "tokenising_ram" in case.symptoms else None
