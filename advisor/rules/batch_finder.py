"""Accelerate's batch finder halves the batch at every out-of-memory error: its last word is one in disguise.

Source: accelerate.utils.find_executable_batch_size ("No executable batch size found, reached zero.").
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("no_batch_left",)


def check(case: Case) -> Finding | None:
    """Say that even a batch of one ran out of memory."""
    if "no_batch_left" not in case.symptoms:
        return None
    return stop(full=case.full, images="with_media" in case.symptoms, tokens=case.query.seq_len)
