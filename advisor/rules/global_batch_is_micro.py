"""Only the micro batch per card is in memory; the global batch is micro x accumulation x cards.

Source: transformers TrainingArguments.
"""

from advisor.advice import Finding, correct
from advisor.case import Case

ON = ("global_batch_is_micro",)


def check(case: Case) -> Finding | None:
    """Only the micro batch per card is in memory; the global batch is micro x accumulation x cards."""
    return correct() if "global_batch_is_micro" in case.claims else None
