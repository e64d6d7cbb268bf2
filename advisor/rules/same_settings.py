"""The same settings give the same result in every trainer, if template, masking and batch are the same.

Source: Axolotl and LLaMA-Factory both run the Hugging Face Trainer; QUESTIONS.
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("same_settings",)


def check(case: Case) -> Finding | None:
    """The same settings give the same result in every trainer, if template, masking and batch are the same."""
    return stop() if "same_settings" in case.symptoms else None
