"""Data: what a number of examples, or of tokens, is worth."""

from typing import Any

import pytest

from advisor.advice import Advice
from advisor.advisor import advise
from advisor.query import Kind
from bot.messages import Question
from bot.pipeline import answer
from bot.renderer import render
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import stated


def data(**slots: Any) -> Advice:
    query = stated(Kind.DATA_SIZE_QUALITY, **slots)
    return advise(query, load_catalog())


@pytest.mark.parametrize(
    ("examples", "code"), [(100, "tiny"), (500, "small"), (5_000, "enough"), (200_000, "large"), (None, "general")]
)
def test_a_number_of_examples(examples: int | None, code: str) -> None:
    advice = data(dataset_examples=examples) if examples else data()
    assert advice.verdict.code == code
    assert (advice.asks is None) == (examples is not None)


def test_a_text_counts_by_its_tokens() -> None:
    """44,000 characters are 11,000 tokens: two dozen examples, far too little."""
    advice = data(dataset_tokens=11_000)
    assert advice.verdict.code == "tiny"
    assert advice.verdict.facts["examples"] == 21
    assert "11k tokens (about 21 examples of 512) are too little" in render(advice, "en").title
    assert "little_text" not in {finding.code for finding in advice.findings}


def test_facts_are_for_retrieval() -> None:
    advice = data(dataset_examples=5_000, claims=("facts_by_finetuning",))
    assert advice.verdict.code == "rag"


def test_quotes_that_come_back_word_for_word() -> None:
    """Reported: 1,130 lines copied verbatim."""
    advice = data(dataset_examples=1_130, symptoms=("overfit",))
    assert "1,130 examples" in render(advice, "en").title
    assert "1.130 Beispiele" in render(advice, "de").title


def test_a_weak_language_is_not_asked_for_its_examples() -> None:
    advice = data(params_b=7.0, claims=("language_by_base",))
    assert advice.asks is None
    assert render(advice, "de").title.startswith("Eine Sprache kommt aus dem Pretraining")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    "slots",
    [{}, {"dataset_examples": 500}, {"dataset_tokens": 11_000}, {"dataset_examples": 1_130, "symptoms": ("overfit",)}],
)
def test_the_first_line_is_short(language: str, slots: dict[str, Any]) -> None:
    assert len(render(data(**slots), language).title) <= 140


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    ("tokens", "text"), [(300_000, "few"), (10_000_000, "some"), (80_000_000, "much"), (None, None)]
)
def test_plain_text_is_judged_as_text(tokens: int | None, text: str | None, language: str) -> None:
    slots: dict[str, Any] = {"dataset_tokens": tokens} if tokens else {}
    advice = data(params_b=8.0, algorithm="pretrain", **slots)
    assert advice.verdict.code == "pretrain"
    assert advice.verdict.facts["text"] == text
    assert "SFT" in render(advice, language).text or text == "few"


@pytest.mark.parametrize("language", ["en", "de"])
def test_without_a_number_every_goal_has_its_own(language: str) -> None:
    text = render(data(), language).text
    assert all(number in text for number in ("100–500", "50–200", "RAG"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("how many examples to teach a persona?", "100–500"),
        ("how much data for function calling?", "500–5,000"),
        ("how many examples for a sentiment classifier?", "50–200"),
        ("how many examples do i need?", "About 1,000"),
        ("Wie viele Beispiele brauche ich für einen Chatbot?", "500–5.000"),
        ("Wie viele Daten für eine Klassifikation?", "50–200"),
    ],
)
def test_the_number_goes_by_what_is_to_be_taught(text: str, words: str) -> None:
    assert words in answer(Question(text=text)).reply.title


def test_an_evaluation_loss_that_is_seen_to_rise_is_overfitting_however_usual_the_passes() -> None:
    feared = data(dataset_examples=1_200, epochs=3, symptoms=("overfit",))
    seen = data(dataset_examples=1_200, epochs=3, symptoms=("overfit", "eval_rises"))
    assert (feared.verdict.code, feared.verdict.facts["feared"]) == ("enough", True)
    assert (seen.verdict.code, seen.verdict.facts["feared"]) == ("overfit", False)


@pytest.mark.parametrize(("language", "words"), [("en", "No fixed number is a must"), ("de", "Eine feste Mindestzahl")])
def test_what_a_few_hundred_are_good_for_is_told_where_no_goal_is_named(language: str, words: str) -> None:
    """Asked: are 52k examples a must for a field of my own (chemistry safety), or are 500 enough?"""
    assert words in render(data(dataset_examples=500), language).text
    assert "(RAG)" in render(data(dataset_examples=500), language).text
    assert words not in render(data(dataset_examples=500, symptoms=("goal_task",)), language).text
    assert words not in render(data(dataset_examples=5_000), language).text
