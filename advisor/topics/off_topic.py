"""Not a question about fine-tuning language models: a short pointer, nothing computed."""

from advisor.advice import Advice, Verdict
from advisor.case import Case
from advisor.query import Kind


def answer(case: Case) -> Advice:
    """A pointer. `unsized` where the text names hardware, so that it may still want a training answer."""
    return Advice(
        kind=Kind.OFF_TOPIC, query=case.query, verdict=Verdict(code="hardware" if case.query.gpus else "elsewhere")
    )
