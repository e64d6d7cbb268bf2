"""What stands first: the cause or the belief that decides, before figures that are beside the point."""

from typing import Any

import pytest

from advisor.advice import Advice
from advisor.advisor import advise
from advisor.query import Kind, Query
from bot.renderer import render
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import cards


def ask(kind: str, **slots: Any) -> Advice:
    stated = {name: "stated" for name in slots if name not in ("named", "symptoms", "claims", "models", "also")}
    return advise(Query(kind=Kind(kind), sources=stated, **slots), load_catalog())


def test_a_length_that_nearly_fills_the_card_and_failed_is_too_tight() -> None:
    slots = {"model": "Qwen/Qwen2-7B-Instruct", "method": "lora", "trainer": "deepspeed", "sharding": "zero3"}
    advice = ask(
        "context_length", **slots, seq_len=32768, gpus=cards("a800-80gb-sxm"), symptoms=("oom_step",), offload="params"
    )
    assert advice.verdict.code == "asked_tight"
    assert advice.changes
    assert "too tight" in render(advice, "en").title


@pytest.mark.parametrize("kind", ["cost_buy_vs_rent", "which_gpu", "compare_gpus"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_without_a_card_of_ones_own_rented_ones_are_ranked_by_the_run(language: str, kind: str) -> None:
    named = (*cards("rtx-5090"), *cards("h100-sxm"))
    advice = ask(kind, gpus=named, candidates=tuple((card,) for card in named), symptoms=("no_gpu_found",))
    assert advice.verdict.code == "rent_which"
    assert render(advice, language).title.startswith("RTX 5090")


def test_the_price_of_the_card_is_no_budget_for_renting() -> None:
    assert ask("cost_buy_vs_rent", gpus=cards("a100-80gb-sxm"), budget=15_000.0).verdict.code == "compare"
    assert ask("cost_buy_vs_rent", gpus=cards("a100-80gb-sxm"), budget=300.0).verdict.code == "budget"


def test_on_a_mac_images_and_audio_are_said_to_fail_first() -> None:
    slots = {"model": "google/gemma-3n-E2B-it", "gpus": cards("apple-m4-pro")}
    assert "Only for text" in render(ask("fits_check", **slots, symptoms=("with_media",)), "en").title
    assert "Only for text" not in render(ask("fits_check", **slots), "en").title


def test_what_only_runs_still_hears_of_bf16_first() -> None:
    advice = ask("inference_only", gpus=cards("v100-16gb"), compute_dtype="bf16", claims=("bf16_anywhere",))
    assert render(advice, "en").title.startswith("It runs, loaded as fp16")


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_second_need_stands_right_under_the_verdict(language: str) -> None:
    advice = ask("which_gpu", params_b=7.0, method="qlora", algorithm="grpo", also=Kind.DATA_SIZE_QUALITY)
    parts = render(advice, language).text.split("\n\n")
    assert parts[1].startswith(("**How much data**", "**Wie viele Daten**"))


def test_little_ram_leads_where_a_split_model_is_loaded_through_it() -> None:
    advice = ask(
        "oom_help", params_b=8.0, method="qlora", sharding="fsdp", gpus=cards("a40", 4), n_gpus=4, ram_gb=16.0,
        symptoms=("oom_step",),
    )  # fmt: skip
    assert render(advice, "en").title.startswith("System RAM")


def test_a_chip_without_4_bit_is_counted_with_lora() -> None:
    advice = ask("fits_check", gpus=cards("mi50-32gb"))
    assert advice.verdict.facts["method"] == "lora"
    assert ask("fits_check", gpus=cards("rx-7900-xtx")).verdict.facts["method"] == "qlora"


@pytest.mark.parametrize(
    ("method", "card", "count", "said"),
    [("full", "a100-40gb-pcie", 8, True), ("full", "rtx-a5000", 3, True), ("qlora", "rtx-4060-ti-16gb", 2, False)],
)
def test_what_splitting_makes_room_for_is_said_where_it_is_more(method: str, card: str, count: int, said: bool) -> None:
    verdict = ask("multi_gpu", method=method, gpus=cards(card, count)).verdict
    assert verdict.code == "unsized"
    assert (verdict.facts["largest"] is not None) is said
