"""Trainers: the first choice by card and system, and a word about the one that was named."""

from typing import Any

import pytest

from advisor.advice import Advice
from advisor.advisor import advise
from advisor.query import CardCount, Kind, Query
from advisor.topics.trainer_choice import TELL
from bot.renderer import render, words_of
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import card, stated


def trainer(**slots: Any) -> Advice:
    query = stated(Kind.TRAINER_CHOICE, **slots)
    return advise(query, load_catalog())


@pytest.mark.parametrize(
    ("slots", "pick"),
    [
        ({}, "unsloth"),
        ({"gpus": (card("rtx-3090", 2),)}, "axolotl"),
        ({"gpus": (card("apple-m3-max"),)}, "mlx-lm"),
        ({"gpus": (card("arc-b580"),)}, "unsloth"),
        ({"gpus": (card("rx-7900-xtx", 2),)}, "axolotl"),
    ],
)
def test_the_first_choice(slots: dict[str, Any], pick: str) -> None:
    assert trainer(**slots).verdict.facts["pick"] == pick


@pytest.mark.parametrize(
    ("asked", "slots", "code", "axis"),
    [
        ("unsloth", {"gpus": (card("t4"),)}, "asked_best", None),
        ("axolotl", {"gpus": (card("rtx-4090"),)}, "asked_works", None),
        ("axolotl", {"gpus": (card("t4"),)}, "asked_works", "ampere"),
        ("axolotl", {"gpus": (card("rtx-4090"),), "os": "windows"}, "asked_not", "windows"),
        ("axolotl", {"gpus": (card("arc-b580"),)}, "asked_not", "intel"),
        ("mlx-lm", {"gpus": (card("rtx-4090"),)}, "asked_not", "nvidia"),
        ("unsloth", {"gpus": (card("rx-7900-xtx"),), "os": "windows"}, "asked_best", "amd_windows"),
        ("unsloth", {"vendor": "amd"}, "asked_best", None),
        ("axolotl", {"vendor": "amd"}, "asked_works", None),
        ("axolotl", {"vendor": "intel"}, "asked_not", "intel"),
        ("llama-factory", {"vendor": "intel"}, "asked_not", "intel"),
        ("axolotl", {"os": "macos"}, "asked_works", "apple"),
        ("axolotl", {"vendor": "none", "gpus": (card("rtx-4090"),)}, "asked_works", None),
    ],
)
def test_the_trainer_that_was_named_is_judged(asked: str, slots: dict[str, Any], code: str, axis: str | None) -> None:
    advice = trainer(trainer=asked, **slots)
    assert advice.verdict.code == code
    assert (axis in advice.verdict.facts["limits"]) if axis else not advice.verdict.facts["limits"]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("asked", sorted(TELL))
def test_every_trainer_has_its_own_answer(language: str, asked: str) -> None:
    """A press on another trainer never gives the same text again."""
    reply = render(trainer(trainer=asked, gpus=(card("rtx-3090"),)), language)
    assert words_of(language)["about"][asked] in reply.text
    assert len(reply.title) <= 150
    assert len(reply.text) <= 900


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("vendor", ["amd", "intel", "apple"])
@pytest.mark.parametrize("asked", ["unsloth", "axolotl", "llama-factory", "trl", "ms-swift", "litgpt"])
def test_other_makers_get_a_verdict_with_its_day(language: str, vendor: str, asked: str) -> None:
    reply = render(trainer(trainer=asked, vendor=vendor), language)
    assert words_of(language)["maker"][vendor] in reply.title
    assert "2026" in reply.text
    assert len(reply.text) <= 900


def test_a_trainer_and_a_maker_without_a_model_ask_for_no_size() -> None:
    query = Query(kind=Kind.WHICH_GPU, trainer="unsloth", vendor="amd", sources={"trainer": "stated"})
    assert advise(query, load_catalog()).kind is Kind.TRAINER_CHOICE


def test_memory_with_and_without_fused_kernels() -> None:
    facts = trainer(model="meta-llama/Llama-2-7b-hf", method="qlora", trainer="axolotl").verdict.facts
    assert facts["lean"] < facts["stock"]
    assert facts["lean"] < facts["asked_need"]


def test_one_card_with_unsloth_does_not_make_up_for_four() -> None:
    advice = trainer(trainer="unsloth", gpus=(CardCount(count=4),), n_gpus=4)
    facts = advice.verdict.facts
    assert 1.0 < facts["faster"] < 2.5 < facts["together"]
    text = render(advice, "en").text
    assert text.startswith("**4 cards without Unsloth beat one with it")
    assert "releases before 2026 use one card, whatever number is set" in text
    assert text.count("GPU 0") == 1


@pytest.mark.parametrize(
    ("slots", "named", "pick"),
    [
        ({}, ("axolotl", "unsloth"), "unsloth"),
        ({"gpus": (card("rtx-4090", 2),)}, ("unsloth", "axolotl"), "axolotl"),
        ({}, ("torchtune", "trl"), "trl"),
        (
            {"gpus": (card("rtx-4090", 2),), "model": "Qwen/Qwen3-VL-8B-Instruct"},
            ("trl", "ms-swift"),
            "ms-swift",
        ),
        ({"gpus": (card("apple-m3-max"),)}, ("axolotl", "mlx-lm"), "mlx-lm"),
    ],
)
@pytest.mark.parametrize("language", ["en", "de"])
def test_of_named_trainers_the_better_one_here(
    slots: dict[str, Any], named: tuple[str, ...], pick: str, language: str
) -> None:
    advice = trainer(named={"trainer": named}, **slots)
    assert (advice.verdict.code, advice.verdict.facts["pick"]) == ("between", pick)
    names = words_of(language)["trainer"]
    title = render(advice, language).title
    assert all(names[name] in title for name in named)


@pytest.mark.parametrize("language", ["en", "de"])
def test_one_card_with_unsloth_against_several_is_answered_in_the_first_line(language: str) -> None:
    advice = trainer(trainer="unsloth", gpus=(CardCount(count=4),), n_gpus=4)
    title = render(advice, language).title
    assert title.startswith("4 ")
    assert "×" in title


@pytest.mark.parametrize(("language", "said"), [("en", "better not"), ("de", "lieber nicht")])
def test_a_trainer_that_nobody_develops_is_no_advice(language: str, said: str) -> None:
    advice = trainer(trainer="torchtune", gpus=(card("rtx-3090"),))
    assert advice.verdict.code == "asked_not"
    assert said in render(advice, language).title


@pytest.mark.parametrize("language", ["en", "de"])
def test_unsloth_on_one_of_several_cards_that_hold_the_model(language: str) -> None:
    cards = (CardCount(gpu="rtx-3090", count=2),)
    advice = trainer(model="google/gemma-3-27b-it", method="qlora", trainer="unsloth", gpus=cards, n_gpus=2)
    assert advice.verdict.facts["one_holds"]
    assert "GiB" in render(advice, language).title


def test_mlx_is_mlx_lm() -> None:
    query = Query(kind=Kind.TRAINER_CHOICE, os="macos", named={"trainer": ("unsloth", "mlx")})
    advice = advise(query, load_catalog())
    assert (advice.verdict.code, advice.verdict.facts["pick"]) == ("between", "mlx-lm")


def test_several_cards_and_a_trainer_without_a_model_is_about_the_trainer() -> None:
    slots = {"trainer": "llama-factory", "sharding": "fsdp", "n_gpus": 2}
    query = stated(Kind.MULTI_GPU, also=Kind.TRAINER_CHOICE, **slots)
    assert advise(query, load_catalog()).kind is Kind.TRAINER_CHOICE


@pytest.mark.parametrize(("language", "said"), [("en", "no GRPO"), ("de", "kein GRPO")])
def test_a_trainer_without_the_algorithm_is_not_the_better_one(language: str, said: str) -> None:
    named = {"trainer": ("trl", "llama-factory")}
    advice = trainer(algorithm="grpo", gpus=(card("rtx-3090"),), trainer="llama-factory", named=named)
    assert advice.verdict.facts["pick"] == "trl"
    assert said in render(advice, language).text


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    ("slots", "pick", "code"),
    [
        ({"algorithm": "grpo", "gpus": (card("rtx-3090"),)}, "unsloth", "pick"),
        ({"algorithm": "grpo", "gpus": (card("rtx-4070"),), "os": "windows"}, "unsloth", "pick"),
        ({"algorithm": "ppo", "gpus": (card("rtx-4090", 2),)}, "llama-factory", "asked_not"),
        ({"algorithm": "dpo", "gpus": (card("apple-m3-max"),)}, "mlx-lm", "pick"),
    ],
)
def test_nobody_is_sent_to_a_trainer_without_the_algorithm(
    slots: dict[str, Any], pick: str, code: str, language: str
) -> None:
    advice = trainer(**slots)
    assert (advice.verdict.facts["pick"], advice.verdict.code) == (pick, code)
    first = render(advice, language).text.split("\n")[0]
    assert "LLaMA-Factory" not in first or slots["algorithm"] == "ppo"


@pytest.mark.parametrize("language", ["en", "de"])
def test_of_two_trainers_the_faster_one_says_by_how_much(language: str) -> None:
    named = {"trainer": ("unsloth", "axolotl")}
    advice = trainer(gpus=(card("rtx-4090"),), named=named)
    assert 1 < advice.verdict.facts["ahead"] < 2
    assert "×" in render(advice, language).title
    assert trainer(gpus=(card("rtx-4090", 2),), named=named).verdict.facts["ahead"] is None


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_trainer_that_made_nothing_faster_gets_the_factor_to_expect(language: str) -> None:
    slots = {"params_b": 7.0, "trainer": "unsloth", "gpus": (card("rtx-3090"),), "symptoms": ("no_gain",)}
    advice = advise(stated(Kind.TIME_ESTIMATE, **slots), load_catalog())
    assert advice.kind is Kind.TRAINER_CHOICE
    title = render(advice, language).title
    assert title.startswith(("Expect about 1.", "Rechne hier mit etwa 1,"))
    assert all(found.code != "gain_is_lost" for found in advice.findings)


def test_several_machines_without_a_card_are_several_cards() -> None:
    query = stated(Kind.TRAINER_CHOICE, named={"trainer": ("axolotl", "unsloth")}, also=Kind.MULTI_GPU, params_b=8.0)
    assert advise(query, load_catalog()).verdict.facts["pick"] == "axolotl"


def test_who_begins_gets_the_web_page_before_the_yaml() -> None:
    query = stated(
        Kind.TRAINER_CHOICE,
        named={"trainer": ("axolotl", "llama-factory")},
        symptoms=("beginner",),
        gpus=(card("rtx-4070"),),
    )
    advice = advise(query, load_catalog())
    assert advice.verdict.facts["pick"] == "llama-factory"
    assert "to begin with" in render(advice, "en").title
    assert "für den Anfang" in render(advice, "de").title
