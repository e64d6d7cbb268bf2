"""The rule unsloth_on_several_cards."""

from advisor.rules import unsloth_on_several_cards
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
