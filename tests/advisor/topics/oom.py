"""What the tests of out-of-memory answers ask with."""

from typing import Any

from advisor.advice import Advice
from bot import pipeline
from bot.messages import Question
from tests.advisor.rules.ask import case


def ask(kind: str = "oom_help", **slots: Any) -> Advice:
    """What the topic says of these slots, all stated."""
    made = case(kind=kind, **slots)
    assert made.advice is not None
    return made.advice


def asked(text: str) -> Advice:
    """The advice on a question."""
    advice = pipeline.answer(Question(text=text)).advice
    assert advice is not None
    return advice


def whys(advice: Advice) -> list[str]:
    """The suspects of an answer, in their order."""
    return [suspect["why"] for suspect in advice.verdict.facts["suspects"]]
