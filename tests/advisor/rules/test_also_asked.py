"""The rule also_asked."""

import pytest

from advisor.advisor import advise
from advisor.rules import also_asked
from bot.messages import Question
from bot.pipeline import answer
from bot.renderer import render
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import cards, case

FITS = {"kind": "fits_check", "params_b": 8.0, "method": "qlora", "gpus": cards("rtx-3090")}


def test_speaks_of_hours_and_speed() -> None:
    for slots in ({"also": "time_estimate"}, {"symptoms": ("asks_speed",)}):
        found = also_asked.check(case(**FITS, **slots))
        assert found is not None
        assert 0 < found.facts["hours"][0] < found.facts["hours"][1]
        assert 100 < found.facts["speed"][0] < found.facts["speed"][1] < 100_000
        assert found.facts["each"] * found.facts["examples"] == found.facts["tokens"]


def test_stated_tokens_are_the_data() -> None:
    found = also_asked.check(case(**FITS, also="time_estimate", dataset_tokens=20_000_000, epochs=1.0))
    assert found is not None
    assert (found.facts["examples"], found.facts["tokens"]) == (None, 20_000_000)


def test_speaks_of_data_and_trainers() -> None:
    data = also_asked.check(case(**FITS, also="data_size_quality", algorithm="grpo"))
    assert data is not None
    assert data.facts["rollouts"]
    trainer = also_asked.check(case(**FITS, also="trainer_choice"))
    assert trainer is not None
    assert trainer.facts["pick"] == "unsloth"


def test_the_largest_batch_is_told_where_it_is_asked() -> None:
    found = also_asked.check(case(**FITS, symptoms=("asks_batch",)))
    assert found is not None
    assert found.facts["lean"] > found.facts["stock"] >= 1
    assert found.facts["lengths"][0] > found.facts["tokens"]
    assert also_asked.check(case(**FITS, symptoms=("asks_batch",), micro_batch=4)) is None


def test_silent_without_a_second_need() -> None:
    assert also_asked.check(case(**FITS)) is None
    assert also_asked.check(case(**FITS, also="system_ram")) is None


def test_running_it_is_told_beside_training_it() -> None:
    slots = {"model": "mistralai/Mixtral-8x7B-v0.1", "kind": "fits_check", "also": "inference_only"}
    found = also_asked.check(case(**slots, gpus=cards("rtx-4090")))
    assert found is not None
    assert (found.facts["what"], found.facts["fit"]) == ("run", "no")
    small = also_asked.check(case(params_b=7.0, kind="fits_check", also="inference_only", gpus=cards("rtx-4090")))
    assert small is not None
    assert small.facts["fit"] == "yes"


def test_silent_where_the_question_is_why_more_cards_gain_nothing() -> None:
    slow = case(params_b=8.0, kind="multi_gpu", gpus=cards("rtx-4090", 2), symptoms=("no_gain", "asks_speed"))
    assert also_asked.check(slow) is None


def test_hours_say_how_long_an_example_is() -> None:
    asked = advise(case(**FITS, also="time_estimate").query, load_catalog())
    assert "10,000 examples of 512 tokens" in render(asked, "en").text
    assert "10.000 Beispiele mit 512 Tokens" in render(asked, "de").text


def test_running_is_told_for_every_model_that_is_asked() -> None:
    finding = also_asked.check(case(kind="fits_check", params_b=7.0, models=("13B",), symptoms=("asks_run",)))
    assert finding is not None
    assert finding.facts["whole"] > 3 * finding.facts["weights"]
    assert [row[0] for row in finding.facts["others"]] == ["13B"]


@pytest.mark.parametrize(
    "text",
    [
        "how much gpu mem for FINETUNING 7B (not just running it)? and 13B?",
        "vram for finetuning a 7b vs inference? and 13b",
        "Wie viel VRAM für das Finetuning von 7B, nicht nur ausführen? Und 13B?",
    ],
)
def test_the_contrast_with_running_gets_its_figure_and_each_size_its_methods(text: str) -> None:
    said = answer(Question(text=text)).reply.text.replace(",", ".")
    assert "3.8 GiB" in said
    assert "7.3 GiB" in said  # 13B in 4 bit
    assert "27.0 GiB" in said  # 13B with 16-bit LoRA
    assert said.count("USD") <= 1
