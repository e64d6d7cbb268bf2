"""Facts belong into retrieval; fine-tuning teaches form and tasks.

Source: Fine-Tuning or Retrieval?, arXiv:2312.05934.
"""

from advisor.advice import Finding, correct
from advisor.case import Case
from advisor.query import Kind

ON = ("facts_by_finetuning",)


def check(case: Case) -> Finding | None:
    """Facts belong into retrieval; fine-tuning teaches form and tasks."""
    if "facts_by_finetuning" not in case.claims or (case.advice and case.advice.verdict.code == "rag"):
        return None
    return correct(card=case.query.kind is Kind.WHICH_GPU and not case.sized and case.card is None)
