"""A step is as heavy as the longest example in it: batches are padded to their own longest, not to the maximum.

Source: transformers, DataCollatorWithPadding and DataCollatorForLanguageModeling pad to the longest of a batch unless
`pad_to_max_length` is asked for (https://huggingface.co/docs/transformers/main_classes/data_collator, 2026-11).
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("asks_padding",)


def check(case: Case) -> Finding | None:
    """A step is as heavy as the longest example in it."""
    if "asks_padding" not in case.symptoms or case.query.packing:
        return None
    return stop(tokens=case.query.seq_len)
