"""The stated trainer does not load the model, or trains it without what its figures stand for.

Source: knowledge/facts/trainers.yaml, `not_for`, each with its own.
"""

from advisor.advice import Finding, stop, warn
from advisor.case import LOADS, Case
from advisor.query import Kind

ON = ("trainer",)


def check(case: Case) -> Finding | None:
    """Say that the trainer is not for this model, and which is."""
    trainer = case.query.trainer
    if trainer is None or case.query.kind is Kind.TRAINER_CHOICE:
        return None
    gap = case.gap(trainer)
    if gap is None:
        return None
    speak = warn if gap.why in LOADS else stop
    return speak(trainer=trainer, model=case.model_name, why=gap.why)
