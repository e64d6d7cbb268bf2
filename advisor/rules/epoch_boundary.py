"""A run that dies where an epoch ends has seen all its examples: what is new there is evaluating and saving.

Source: transformers, TrainingArguments: eval_strategy and save_strategy "epoch"
(https://huggingface.co/docs/transformers/main_classes/trainer, 2026-11).
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("oom_at_epoch",)


def check(case: Case) -> Finding | None:
    """A run that dies where an epoch ends has seen all its examples."""
    return stop() if "oom_at_epoch" in case.symptoms else None
