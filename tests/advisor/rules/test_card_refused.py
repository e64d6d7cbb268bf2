"""The rule card_refused, and that no verdict grants what it denies."""

import pytest

from advisor.rules import card_refused
from bot import pipeline
from bot.messages import Question
from tests.advisor.rules.ask import cards, case

REFUSED = [
    ("gtx-1070", {"trainer": "unsloth"}, "old_for_trainer"),
    ("p40", {"trainer": "unsloth", "method": "lora"}, "old_for_trainer"),
    ("k80", {}, "chip"),
    ("k80", {"trainer": "trl", "method": "lora"}, "chip"),
    ("m40-24gb", {"method": "qlora"}, "four_bit"),
    ("mi50-32gb", {"trainer": "unsloth", "method": "qlora"}, "four_bit"),
    ("arc-a770-16gb", {"trainer": "axolotl"}, "maker"),
    ("apple-m3-max", {"trainer": "axolotl"}, "maker"),
    ("rx-7900-xtx", {"trainer": "h2o-llm-studio"}, "maker"),
]
RUNS = [
    ("gtx-1070", {"trainer": "trl", "method": "qlora"}),
    ("t4", {"trainer": "unsloth", "method": "qlora"}),
    ("m40-24gb", {"method": "lora"}),
    ("mi50-32gb", {"method": "lora"}),
    ("arc-a770-16gb", {"trainer": "llama-factory"}),
    ("apple-m3-max", {"trainer": "unsloth"}),
    ("rx-7900-xtx", {"trainer": "axolotl"}),
]


@pytest.mark.parametrize(("gpu", "slots", "why"), REFUSED)
def test_says_what_refuses_the_card(gpu: str, slots: dict[str, str], why: str) -> None:
    found = card_refused.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards(gpu), **slots))
    assert found is not None
    assert (found.gravity, found.facts["why"]) == ("stop", why)


@pytest.mark.parametrize(("gpu", "slots"), RUNS)
def test_silent_where_it_runs(gpu: str, slots: dict[str, str]) -> None:
    made = case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards(gpu), **slots)
    assert card_refused.check(made) is None


def test_silent_between_two_cards() -> None:
    made = case(params_b=7.0, kind="compare_gpus", trainer="unsloth", gpus=cards("gtx-1080-ti") + cards("t4"))
    assert card_refused.check(made) is None


@pytest.mark.parametrize(
    ("text", "first", "then"),
    [
        (
            "qwen2.5 3b with unsloth on a GTX 1070 8GB?",
            "**No setting helps: Unsloth refuses",
            "**Borderline, probably not as it stands",
        ),
        (
            "grpo qwen2.5 3b, unsloth, GTX 1070 8GB, possible?",
            "**No setting helps: Unsloth",
            "**Borderline, probably not as it stands",
        ),
        (
            "Kann ich Qwen2.5 3B mit Unsloth auf einer GTX 1070 trainieren?",
            "**Keine Einstellung",
            "**Grenzfall, so wohl eher nicht",
        ),
        ("context length for llama 3 8b qlora unsloth on a P40?", "**No setting helps: Unsloth", "**By memory alone:"),
        ("does axolotl qlora 8b fit on an Arc A770 16GB?", "**No: Axolotl does not train on", "**By memory alone: Yes"),
        ("16x Tesla K80 12GB for vicuna 7b lora, enough?", "**No, leave the Tesla K80", "**By memory alone:"),
        ("axolotl on windows 11, 3090, qlora 8b, fits?", "**Windows**: Axolotl runs in WSL2 only", "**Yes, 8B"),
    ],
)
def test_a_refusal_comes_before_what_the_memory_would_hold(text: str, first: str, then: str) -> None:
    said = "\n\n".join(getattr(b, "markdown", "") for b in pipeline.answer(Question(text=text)).reply.blocks)
    assert said.startswith(first)
    assert then in said
