"""Evaluation at batch 1 fits and crawls: fewer examples, less often, a batch between.

Source: transformers, TrainingArguments: per_device_eval_batch_size, eval_accumulation_steps, prediction_loss_only
(https://huggingface.co/docs/transformers/main_classes/trainer, 2026-11).
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("eval_takes_long",)


def check(case: Case) -> Finding | None:
    """Evaluation at batch 1 fits and crawls."""
    return stop() if "eval_takes_long" in case.symptoms else None
