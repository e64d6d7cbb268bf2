"""Several models, methods, optimizers or ways to split in one question: each has its row."""

from typing import Any

import pytest

from advisor.advice import Advice
from advisor.advisor import advise
from advisor.query import CardCount, Kind, Query
from bot.renderer import render
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import cards


def ask(kind: str, **slots: Any) -> Advice:
    stated = {name: "stated" for name in slots if name not in ("named", "symptoms", "models")}
    return advise(Query(kind=Kind(kind), sources=stated, **slots), load_catalog())


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_model_has_a_row_with_its_card(language: str) -> None:
    advice = ask("which_gpu", params_b=7.0, method="qlora", models=("13B", "70B"))
    text = render(advice, language).text
    assert all(name in text for name in ("7B", "13B", "70B", "12 GB", "48 GB"))


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_model_is_judged_on_the_card(language: str) -> None:
    advice = ask("fits_check", params_b=8.0, method="qlora", models=("70B",), gpus=cards("rtx-3090"))
    assert [(o["name"], o["fit"]) for o in advice.verdict.facts["others"]] == [("70B", "no")]
    assert "70B" in render(advice, language).text


@pytest.mark.parametrize("language", ["en", "de"])
def test_only_the_named_methods_stand_side_by_side(language: str) -> None:
    advice = ask("fits_check", params_b=7.0, named={"method": ("qlora", "full")}, gpus=cards("rtx-4090"))
    assert advice.kind is Kind.METHOD_CHOICE
    assert advice.verdict.facts["families"] == ("qlora", "full")
    assert "LoRA" not in render(advice, language).title.replace("QLoRA", "")


@pytest.mark.parametrize("language", ["en", "de"])
def test_optimizers_differ_by_their_states(language: str) -> None:
    advice = ask("faq_definition", params_b=0.774, named={"optimizer": ("adam", "adafactor")}, optimizer="adam")
    rows = {row["code"]: row["device"] for row in advice.verdict.facts["rows"]}
    assert rows["adafactor"] < rows["adam"]
    assert "Adafactor" in render(advice, language).title


@pytest.mark.parametrize("language", ["en", "de"])
def test_fsdp_or_zero_is_answered_and_not_sized_alone(language: str) -> None:
    named = {"sharding": ("fsdp", "zero3")}
    advice = ask("method_choice", params_b=7.0, method="full", named=named, gpus=cards("a100-40gb-pcie", 8), n_gpus=8)
    assert advice.verdict.code == "which_split"
    assert "ZeRO-3" in render(advice, language).title


def test_a_named_split_that_ran_out_of_memory_is_still_helped() -> None:
    named = {"sharding": ("fsdp", "zero3")}
    advice = ask(
        "oom_help",
        params_b=70.0,
        method="full",
        named=named,
        symptoms=("oom_step",),
        gpus=cards("rtx-3090", 2),
        n_gpus=2,
    )
    assert advice.kind is Kind.OOM_HELP


def test_long_sequences_are_shared_where_splitting_weights_is_not_enough() -> None:
    advice = ask("multi_gpu", params_b=8.0, method="lora", seq_len=65536, gpus=cards("rtx-4090", 8), n_gpus=8)
    facts = advice.verdict.facts
    assert facts["sequence"] < facts["fsdp"]
    short = ask("multi_gpu", params_b=8.0, method="lora", seq_len=2048, gpus=cards("rtx-4090", 8), n_gpus=8)
    assert "sequence" not in short.verdict.facts


def test_marks_count_the_room_for_rollouts() -> None:
    plain = ask("which_gpu", params_b=7.0, method="qlora", seq_len=2048)
    grpo = ask("which_gpu", params_b=7.0, method="qlora", seq_len=2048, algorithm="grpo")
    fits = {mark.vram_gb: mark.fit for mark in plain.needs[0].marks}
    assert any(fits.get(mark.vram_gb) == "yes" != mark.fit for mark in grpo.needs[0].marks) or grpo.tiers > plain.tiers
    assert grpo.verdict.facts["minimum_gb"] > plain.verdict.facts["minimum_gb"]


def test_machines_apart_are_slowed_by_the_network() -> None:
    advice = ask(
        "multi_gpu",
        params_b=7.0,
        method="lora",
        nodes=2,
        symptoms=("no_gain",),
        gpus=cards("a100-80gb-sxm", 16),
        n_gpus=16,
    )
    assert advice.verdict.facts["nodes"] == 2
    assert "network" in render(advice, "en").title


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    ("slots", "take"),
    [
        ({"params_b": 3.0, "models": ("8B",), "named": {"method": ("full", "lora")}}, ("8B", "lora")),
        ({"params_b": 8.0, "models": ("3B",), "named": {"method": ("qlora", "full")}}, ("8B", "qlora")),
        ({"params_b": 32.0, "models": ("14B",), "named": {"method": ("qlora", "lora")}}, ("32B", "qlora")),
        ({"params_b": 8.0, "models": ("70B",), "named": {"method": ("qlora", "lora")}}, ("8B", "lora")),
    ],
)
def test_of_two_sizes_and_two_methods_the_larger_that_fits(
    slots: dict[str, Any], take: tuple[str, str], language: str
) -> None:
    advice = ask("method_choice", gpus=cards("rtx-3090"), **slots)
    taken = advice.verdict.facts["take"]
    assert (taken["name"], taken["code"]) == take
    text = render(advice, language).text
    assert text.startswith(f"**{take[0]}")
    assert text.count("\n| ") == 4


def test_without_a_card_the_larger_size_by_its_leanest_method() -> None:
    advice = ask("method_choice", params_b=8.0, models=("70B",), named={"method": ("qlora", "full")})
    assert (advice.verdict.facts["take"]["name"], advice.verdict.facts["take"]["code"]) == ("70B", "qlora")


def test_few_examples_speak_for_adapters() -> None:
    named = {"method": ("full", "lora")}
    assert ask("method_choice", named=named, dataset_examples=2000).verdict.facts["few"] == 2000
    assert ask("method_choice", named=named, dataset_examples=500_000).verdict.facts["few"] is None
    assert ask("method_choice", named=named).verdict.facts["few"] is None


def test_beside_somebodys_figure_few_cards_are_named() -> None:
    shown = ask("which_gpu", model="Qwen/Qwen2.5-14B", method="qlora", seq_len=4096)
    figure = ask("which_gpu", model="Qwen/Qwen2.5-14B", method="qlora", seq_len=4096, claimed_gib=14.0)
    assert len(figure.options) < len(shown.options)


def test_the_best_value_is_recommended_where_it_fits_with_ease() -> None:
    assert ask("which_gpu", params_b=24.0, method="qlora").verdict.facts["pick_count"] == 1
    assert ask("which_gpu", params_b=32.0, method="qlora").verdict.facts["pick_count"] == 2


def test_a_failed_run_whose_second_need_is_a_card_is_told_one_that_holds_it() -> None:
    failed = {"also": Kind.WHICH_GPU, "symptoms": ("oom_step",)}
    short = ask("oom_help", params_b=7.0, method="lora", gpus=cards("rtx-3060-12gb"), **failed)
    assert (short.kind, short.verdict.code) == (Kind.WHICH_GPU, "owned_short")
    enough = ask("oom_help", params_b=7.0, method="qlora", gpus=cards("rtx-3090"), **failed)
    assert enough.kind is Kind.OOM_HELP
    lean_only = ask("oom_help", params_b=0.345, method="full", gpus=(CardCount(vram_gb=6.0),), **failed)
    assert lean_only.verdict.code == "owned_failed"
    assert lean_only.verdict.facts["entry"]["vram_gb"] > 6
