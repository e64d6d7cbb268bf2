"""The rule unsloth_on_several_cards."""

import pytest

from advisor.rules import unsloth_on_several_cards
from bot.messages import Question
from bot.pipeline import answer
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = unsloth_on_several_cards.check(
        case(model="meta-llama/Llama-3.1-8B", kind="oom_help", gpus=cards("rtx-4090", 8), trainer="unsloth")
    )
    assert found is not None


def test_silent_on_one_card() -> None:
    assert (
        unsloth_on_several_cards.check(
            case(model="meta-llama/Llama-3.1-8B", kind="oom_help", gpus=cards("rtx-4090"), trainer="unsloth")
        )
        is None
    )


def test_silent_where_the_verdict_says_that_one_is_enough() -> None:
    asked = case(params_b=8.0, kind="multi_gpu", gpus=cards("t4", 2), trainer="unsloth", n_gpus=2)
    assert asked.advice is not None
    assert asked.advice.verdict.code == "one_unsloth"
    assert unsloth_on_several_cards.check(asked) is None


def test_silent_where_it_trains_on_them() -> None:
    trains = {"kind": "oom_help", "model": "openai/gpt-oss-20b", "trainer": "unsloth", "gpus": cards("rtx-3090", 2)}
    assert unsloth_on_several_cards.check(case(**trains, symptoms=("oom_eval",))) is None
    assert unsloth_on_several_cards.check(case(**trains, sharding="pipeline", symptoms=("oom_step",))) is None


@pytest.mark.parametrize(
    "text",
    [
        "can unsloth studio spread one model over two 3060s?",
        "can unsloth split a model across 2 gpus?",
        "does unsloth studio use both my 3090s for one model?",
        "Kann Unsloth Studio ein Modell auf zwei Karten verteilen?",
        "Unsloth: ein Modell auf zwei 3060 aufteilen, geht das?",
    ],
)
def test_one_model_over_several_cards_is_answered_with_yes(text: str) -> None:
    assert answer(Question(text=text)).reply.title.startswith(("Yes, Unsloth lays", "Ja, seit den Versionen von 2026"))


@pytest.mark.parametrize(
    "text",
    [
        "can I split one model over two 3060s with axolotl?",
        "unsloth 8b, split it across my two 3090s?",
        "Unsloth ein 70B auf 2x 3090 aufteilen, geht das?",
        "unsloth on my 2 cards uses only one of them, why",
    ],
)
def test_what_a_named_model_takes_is_the_answer(text: str) -> None:
    advice = answer(Question(text=text)).advice
    assert advice is not None
    found = [finding for finding in advice.findings if finding.code == "unsloth_on_several_cards"]
    assert all(f.facts["beside"] for f in found)


def test_the_verdict_of_layers_says_it_itself() -> None:
    asked = case(params_b=32.0, kind="multi_gpu", gpus=cards("rtx-4080", 2), trainer="unsloth", method="qlora")
    assert asked.advice is not None
    assert asked.advice.verdict.code == "layered"
    assert unsloth_on_several_cards.check(asked) is None
