"""Tokenising fills system RAM where the whole set is held at once: map writes to disk in batches if it is let.

Source: torchtune#1097 and #1109 (a mask for every pack took 0.8 MB an example); Training_PRO#20 (lists);
datasets, Dataset.map: num_proc, writer_batch_size, keep_in_memory
(https://huggingface.co/docs/datasets/process, 2026-11).
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("tokenising_ram",)


def check(case: Case) -> Finding | None:
    """Tokenising fills system RAM where the whole set is held at once."""
    if "tokenising_ram" not in case.symptoms:
        return None
    return stop(leak="leak_after_steps" in case.claims, packing=bool(case.query.packing))
