"""Not a question about fine-tuning language models: a short pointer, nothing computed."""

from advisor.advice import Advice, Verdict
from advisor.case import Case
from advisor.query import Kind
from advisor.rules import power_and_heat


def answer(case: Case) -> Advice:
    """A pointer. `unsized` where the text names hardware, so that it may still want a training answer."""
    code = "hardware" if case.query.gpus else "elsewhere"
    facts = {"answered": power_and_heat.asked(case) is not None}
    return Advice(kind=Kind.OFF_TOPIC, query=case.query, verdict=Verdict(code=code, facts=facts))
