"""Evaluation, saving and merging have peaks of their own; they say nothing about the training step.

Source: transformers TrainingArguments: per_device_eval_batch_size is 8, logits are gathered unless
prediction_loss_only.
"""

from advisor.advice import Finding, correct
from advisor.case import Case
from advisor.query import Kind

ON = ("eval_oom_means_no_fit", "oom_eval", "oom_save", "oom_merge")


def check(case: Case) -> Finding | None:
    """Evaluation, saving and merging have peaks of their own; they say nothing about the training step."""
    if case.advice and case.advice.verdict.code in ("eval", "save", "merge", "load", "moe_load", "killed"):
        return None
    if "eval_oom_means_no_fit" not in case.claims and not case.symptoms & {"oom_eval", "oom_save", "oom_merge"}:
        return None
    return correct(asked=case.query.kind is Kind.FAQ_DEFINITION)
