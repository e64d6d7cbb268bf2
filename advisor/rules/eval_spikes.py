"""A run that fits tightly fails at its first evaluation, whose batch is larger.

Source: transformers TrainingArguments.
"""

from advisor.advice import Finding, note
from advisor.case import Case


def check(case: Case) -> Finding | None:
    """A run that fits tightly fails at its first evaluation, whose batch is larger."""
    advice = case.advice
    if advice is None or advice.verdict.code != "tight" or case.symptoms or case.apple:
        return None
    return note()
