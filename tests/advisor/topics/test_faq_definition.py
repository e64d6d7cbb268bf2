"""faq_definition: the rule of thumb, and the cards that are thought of next."""

import pytest

from bot.messages import Question
from bot.pipeline import answer
from tests.advisor.rules.ask import cards, case

THE_FORMULA = [
    "gpt2-xl OOMs my 1080 ti at batch 1. is there a formula? next i'd try a 2080 ti with fp16 or a 3090",
    "is there a back-of-envelope formula? gpt2-xl does not train on my 1080ti, would a 2080 ti or a 3090 do",
    "GPT2-xl sprengt meine 1080 Ti. Gibt es eine Faustformel? Als nächstes käme eine 2080 Ti oder eine 3090",
]


@pytest.mark.parametrize("text", THE_FORMULA)
def test_the_cards_that_are_planned_next_get_their_verdict(text: str) -> None:
    said = answer(Question(text=text)).reply.text
    assert "RTX 2080 Ti (10" in said
    assert "RTX 3090 (23" in said


def test_a_planned_card_is_judged_by_the_rows_of_the_table() -> None:
    planned = (cards("rtx-2080-ti"), cards("rtx-5090"))
    advice = case(
        kind="faq_definition", model="openai-community/gpt2-xl", gpus=cards("gtx-1080-ti"), candidates=planned
    )
    assert advice.advice is not None
    facts = advice.advice.verdict.facts["planned"]
    assert [(row["whole"], row["lora"]) for row in facts] == [("no", "yes"), ("tight", "yes")]


def test_without_a_plan_no_card_is_judged_beside() -> None:
    alone = case(kind="faq_definition", model="openai-community/gpt2-xl", gpus=cards("gtx-1080-ti")).advice
    assert alone is not None
    assert alone.verdict.facts["planned"] == []
