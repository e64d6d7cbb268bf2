"""context_length: what the first line says of a length that ran out, or that only a change makes fit."""

from collections.abc import Mapping
from typing import Any

import pytest

from advisor.advisor import advise
from advisor.query import CardCount
from advisor.rules import moe_experts_stay_16_bit, seen_against_estimate
from advisor.stacks import GIB
from bot.messages import Question
from bot.parser import read
from bot.renderer import render
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import cards, case

TORCHTUNE = {
    "kind": "context_length",
    "model": "meta-llama/Meta-Llama-3-8B",
    "method": "lora",
    "trainer": "torchtune",
    "seq_len": 8192,
    "gpus": cards("rtx-4090"),
}
GPT_OSS = {"kind": "context_length", "model": "openai/gpt-oss-20b", "gpus": cards("a100-80gb-sxm")}


def test_a_length_that_one_change_makes_fit_is_no_plain_no() -> None:
    advice = case(**TORCHTUNE, symptoms=("oom_step",)).advice
    assert advice is not None
    assert advice.verdict.code == "asked_fits_with"
    assert not advice.verdict.facts["expected"]


def test_whether_it_is_expected_is_answered() -> None:
    advice = case(**TORCHTUNE, symptoms=("oom_step", "asks_normal")).advice
    assert advice is not None
    assert advice.verdict.facts["expected"]


def test_one_huge_block_is_not_to_be_expected_and_no_fault_of_the_experts() -> None:
    made = case(**GPT_OSS, seq_len=512_000, tried_allocate_gib=182.28, symptoms=("oom_step", "asks_normal"))
    assert made.advice is not None
    assert not made.advice.verdict.facts["expected"]
    found = moe_experts_stay_16_bit.check(made)
    assert found is None or found.gravity != "stop"


def test_where_it_died_a_card_that_is_nearly_full_is_tight_in_the_table_too() -> None:
    slots = {"model": "google/gemma-3-27b-it", "method": "qlora", "lora_rank": 256, "gpus": cards("h200-sxm")}
    died = case(kind="context_length", seq_len=17_500, symptoms=("oom_step",), **slots).advice
    assert died is not None
    assert died.verdict.code == "asked_tight"
    row = next(rung for rung in died.rungs if rung.value == 17_500)
    assert row.fits[-1] == "tight"


def test_a_length_that_may_have_run_is_not_said_to_have_run_out() -> None:
    slots = {"kind": "context_length", "params_b": 7.0, "method": "full", "trainer": "deepspeed"}
    told = seen_against_estimate.check(
        case(**slots, seq_len=65_536, offload="params", gpus=cards("a100-80gb-sxm", 8), symptoms=("oom_step",))
    )
    assert told is not None
    assert (told.gravity, told.facts["told"]) == ("warn", True)


def test_without_a_card_each_model_gets_its_need_at_the_asked_length() -> None:
    advice = case(kind="context_length", params_b=70.0, models=("13B",), seq_len=32_768).advice
    assert advice is not None
    other = advice.verdict.facts["others"][0]
    assert (other["name"], other["minimum_gb"]) == ("13B", 48)  # 30.2 GiB fill a card with 32 GB


def _facts(**slots: Any) -> Mapping[str, Any]:
    advice = case(kind="context_length", **slots).advice
    assert advice is not None
    return advice.verdict.facts


def test_how_far_a_fused_loss_and_offloaded_checkpoints_stretch_it() -> None:
    facts = _facts(model="Qwen/Qwen2-72B", method="qlora", sharding="pipeline", gpus=cards("rtx-3090", 2))
    assert facts["lean_longest"] < 2048 <= facts["stretched"]
    assert _facts(params_b=8.0, method="qlora", gpus=cards("apple-m3-max"))["stretched"] is None
    assert _facts(params_b=8.0, method="qlora")["stretched"] is None


def test_other_models_are_stretched_too() -> None:
    slots = {"model": "Qwen/Qwen2.5-72B", "method": "qlora", "trainer": "unsloth", "gpus": cards("a800-80gb-sxm")}
    facts = _facts(**slots, models=("meta-llama/Llama-3.3-70B-Instruct",), seq_len=32768)
    assert facts["stretching"]
    assert facts["others"][0]["stretched"] > 2 * facts["others"][0]["lean"]


def test_who_failed_with_unsloth_hears_where_the_stock_loss_ends() -> None:
    slots = {"model": "meta-llama/Meta-Llama-3-8B", "method": "qlora", "gpus": cards("a100-80gb-sxm")}
    failed = _facts(**slots, trainer="unsloth", seq_len=102_400, symptoms=("oom_step",))
    assert failed["unfused"] < 51_200
    assert _facts(**slots, trainer="unsloth", seq_len=102_400)["unfused"] is None
    assert _facts(**slots, seq_len=102_400, symptoms=("oom_step",))["unfused"] is None


def test_a_fused_loss_beside_offloaded_checkpoints_is_told_where_it_saves_more() -> None:
    slots = {"params_b": 7.0, "method": "full", "offload": "optimizer", "gpus": cards("a100-80gb-sxm", 8)}
    facts = _facts(**slots, seq_len=131_072, grad_checkpointing=True, symptoms=("oom_step",))
    assert facts["with_both"] < 60 * GIB
    assert _facts(**{n: v for n, v in TORCHTUNE.items() if n != "kind"})["with_both"] is None


def test_half_a_million_tokens_on_one_card_are_unsloths_notebook() -> None:
    advice = case(**GPT_OSS, seq_len=512_000).advice
    assert advice is not None
    assert advice.verdict.code == "asked_fits_with"
    assert {change.slot for change in advice.changes} == {"experts", "activation_offload", "kernels"}


def test_where_nothing_fits_the_shortest_lengths_are_shown() -> None:
    advice = case(
        kind="context_length", params_b=8.0, method="full", seq_len=131_072, gpus=(CardCount(vram_gb=4.0),)
    ).advice
    assert advice is not None
    assert [rung.value for rung in advice.rungs] == [512, 2048, 131_072]


def test_the_models_own_limit_is_named_as_such() -> None:
    many = {"model": "meta-llama/Meta-Llama-3-8B", "gpus": cards("a100-80gb-sxm", 8)}
    facts = _facts(**many)
    assert facts["at_limit"]
    assert [row["code"] for row in facts["ways"]] == ["lora", "full_8bit"]
    advice = case(kind="context_length", **many).advice
    assert advice is not None
    assert "all 8k tokens that it was made for" in render(advice, "en").title
    assert not _facts(model="meta-llama/Llama-3.1-8B", gpus=cards("rtx-4090"))["at_limit"]


def test_the_lengths_around_the_asked_one_are_shown_each_once() -> None:
    advice = case(kind="context_length", params_b=8.0, method="qlora", seq_len=500, gpus=cards("l4")).advice
    assert advice is not None
    assert [rung.value for rung in advice.rungs] == [500, 2048, 4096, 8192, 16384]


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_failed_run_with_unsloth_learns_what_its_checkpointing_should_have_done(language: str) -> None:
    long = {"kind": "context_length", "model": "Qwen/Qwen2.5-72B", "method": "qlora", "seq_len": 32_768}
    failed = {"gpus": cards("a800-80gb-sxm"), "symptoms": ("oom_step",)}
    with_unsloth = case(**long, **failed, trainer="unsloth").advice
    asked = case(**long, gpus=cards("a800-80gb-sxm"), trainer="unsloth").advice
    assert with_unsloth is not None
    assert asked is not None
    setting = 'use_gradient_checkpointing="unsloth"'
    assert setting in render(with_unsloth, language).text
    assert setting not in render(asked, language).text


@pytest.mark.parametrize(("language", "words"), [("en", "tokens then"), ("de", "dann etwa")])
def test_where_another_method_makes_it_fit_its_length_is_told(language: str, words: str) -> None:
    advice = case(kind="context_length", params_b=7.0, method="lora", gpus=cards("rtx-3060-12gb")).advice
    assert advice is not None
    assert advice.verdict.code == "none"
    assert advice.verdict.facts["then"] > 8192
    assert words in render(advice, language).title


@pytest.mark.parametrize(("language", "words"), [("en", "mostly logits"), ("de", "meist Logits")])
def test_what_makes_a_small_model_large_is_in_the_first_line(language: str, words: str) -> None:
    small = case(kind="context_length", model="meta-llama/Llama-3.2-1B", method="qlora", seq_len=32_768).advice
    large = case(kind="context_length", model="meta-llama/Llama-2-70b-hf", method="qlora", seq_len=32_768).advice
    assert small is not None
    assert large is not None
    assert words in render(small, language).title
    assert words not in render(large, language).title


def test_cards_that_share_a_model_do_not_share_its_tokens() -> None:
    slots = {"params_b": 70.0, "method": "qlora", "sharding": "fsdp", "gpus": cards("a100-80gb-sxm", 8)}
    assert _facts(**slots, seq_len=32768, symptoms=("oom_step",))["own_tokens"]
    assert not _facts(**slots, seq_len=8192)["own_tokens"]  # it fits
    assert not _facts(**slots, seq_len=2048, symptoms=("oom_step",))["own_tokens"]


def test_how_many_cards_a_length_takes_and_what_sharing_each_sequence_does() -> None:
    slots = {"params_b": 20.0, "method": "full", "sharding": "zero3", "gpus": cards("a100-80gb-sxm", 8)}
    facts = _facts(**slots, seq_len=32_768)
    assert facts["own_tokens"]
    assert facts["shared"]["tokens"] == 32_768 // 8
    assert facts["more_cards"] > 8
    assert _facts(**slots, seq_len=2048)["shared"] is None


def test_the_way_to_a_longer_length_names_what_is_not_on_yet() -> None:
    slots = {"params_b": 7.0, "method": "full", "offload": "optimizer", "gpus": cards("a100-80gb-sxm", 8)}
    told = slots | {"trainer": "deepspeed", "grad_checkpointing": "unsloth", "symptoms": ("oom_step",)}
    facts = _facts(**told, seq_len=131_072, ran_seq_len=65_536)
    assert facts["next"]["tokens"] == 131_072
    assert facts["next"]["missing"] == ["fused_loss"]
    assert facts["next"]["lean"] < facts["next"]["plain"]
    assert _facts(**told, seq_len=65_536)["next"]["tokens"] == 131_072


def test_where_no_card_is_named_eight_that_share_a_model_stand_beside_one() -> None:
    facts = _facts(model="meta-llama/Llama-2-70b-hf", models=("meta-llama/Llama-2-13b-hf",), seq_len=32768)
    assert [(row["count"], row["stretched"]) for row in facts["cluster"]] == [(8, True), (8, True)]  # alike
    assert facts["cluster"][1]["device"] < facts["cluster"][0]["device"]
    assert [row["gb"] <= gb for row, gb in zip(facts["cluster"], (80, 40), strict=True)] == [True, True]
    assert not _facts(params_b=8.0, seq_len=2048)["cluster"]


@pytest.mark.parametrize(("language", "one"), [("en", "on one card"), ("de", "auf einer Karte")])
def test_where_one_card_is_too_small_and_no_method_is_named_the_machine_comes_first(language: str, one: str) -> None:
    """Reported: 70B at 32k on 8x 80 GB, 13B at 32k on 8x 40 GB, with FlashAttention-2 and ZeRO-3."""
    slots = {"model": "meta-llama/Llama-2-70b-hf", "models": ("meta-llama/Llama-2-13b-hf",), "seq_len": 32768}
    advice = case(kind="context_length", **slots).advice
    assert advice is not None
    title, second = render(advice, language).text.split("\n\n")[:2]
    assert title.count("8×") == 2
    assert one not in title
    assert one in second
    stated = case(kind="context_length", **slots, method="qlora").advice
    assert stated is not None
    assert "8×" not in render(stated, language).title


@pytest.mark.parametrize(("language", "words"), [("en", "with all weights, split"), ("de", "mit allen Gewichten, auf")])
def test_a_cluster_that_holds_all_weights_split_is_said_to_do_so_first(language: str, words: str) -> None:
    """Reported: the authors trained all weights of a 7B at 64k on 8x 80 GB with ZeRO-3 and no fused loss."""
    slots = {"model": "NousResearch/Yarn-Mistral-7b-128k", "seq_len": 65_536, "symptoms": ("oom_step",)}
    advice = case(kind="context_length", **slots, gpus=cards("a100-80gb-sxm", 8)).advice
    assert advice is not None
    assert advice.verdict.facts["in_full"] < advice.verdict.facts["usable"]
    assert words in render(advice, language).title
    small = case(kind="context_length", **slots, gpus=cards("a100-40gb-pcie", 8)).advice
    assert small is not None
    assert small.verdict.facts["in_full"] is None


@pytest.mark.parametrize("language", ["en", "de"])
def test_of_a_larger_model_the_ram_is_told_that_its_states_want(language: str) -> None:
    """70B in full with offload at 128k on one machine: the cards end earlier, and the RAM earlier still."""
    slots = {"params_b": 7.0, "models": ("70B",), "method": "full", "offload": "params"}
    asked = slots | {"seq_len": 131_072, "ran_seq_len": 65_536, "symptoms": ("oom_step",)}
    advice = case(kind="context_length", **asked, gpus=cards("a100-80gb-sxm", 8), grad_checkpointing="unsloth").advice
    assert advice is not None
    (larger,) = advice.verdict.facts["others"]
    assert larger["stretched"] is None
    assert larger["ram"] > 1000 * GIB
    assert ("70B: no," if language == "en" else "70B: nein,") in render(advice, language).text
    ample = case(kind="context_length", **asked, gpus=cards("a100-80gb-sxm", 8), ram_gb=6000.0).advice
    assert ample is not None
    assert ample.verdict.facts["others"][0]["ram"] is None


def test_a_further_model_that_stretches_to_the_length_is_no_plain_no() -> None:
    slots = {"params_b": 8.0, "models": ("14B",), "method": "qlora", "seq_len": 32_768}
    advice = case(kind="context_length", **slots, gpus=cards("rtx-4090")).advice
    assert advice is not None
    assert "14B only with checkpoints in system RAM" in render(advice, "en").text
    assert "14B nur mit Checkpoints im Arbeitsspeicher" in render(advice, "de").text


def test_several_models_stand_in_the_order_of_their_size() -> None:
    facts = _facts(params_b=30.0, models=("7B", "13B"), method="qlora", gpus=cards("rtx-4090"))
    assert [row["name"] for row in facts["each"]] == ["7B", "13B", "30B"]
    lean = [row["lean"] for row in facts["each"]]
    assert lean == sorted(lean, reverse=True)


def test_a_card_of_two_sizes_is_told_apart() -> None:
    slots = {"params_b": 7.0, "seq_len": 65_536, "gpus": cards("a100-80gb-sxm", 8)}
    facts = _facts(**slots, ambiguous={"gpus": ("a100-80gb-sxm", "a100-40gb-sxm")})
    assert facts["other_size"] == {"gb": 80, "less": 40, "fits": False}
    assert _facts(**slots)["other_size"] is None


def test_a_copy_on_each_card_may_go_further_than_a_split() -> None:
    slots = {"model": "meta-llama/Llama-3.1-8B", "method": "qlora", "gpus": cards("rtx-4090", 2)}
    facts = _facts(**slots, seq_len=131_072)
    assert facts["copies"]["longest"] > facts["lean_longest"]
    assert _facts(**slots, seq_len=131_072, sharding="fsdp")["copies"] is None
    assert _facts(**slots, seq_len=2048)["copies"] is None


def test_cards_that_are_compared_are_each_told_what_they_hold() -> None:
    slots = {"params_b": 8.0, "method": "qlora", "seq_len": 32_768}
    options = (cards("a100-40gb-pcie"), cards("rtx-a6000"))
    facts = _facts(**slots, candidates=options)
    assert [row["name"] for row in facts["compared"]] == ["A100 40GB PCIe", "RTX A6000"]
    assert {row["lean"] for row in facts["compared"]} == {"yes"}
    assert _facts(**slots)["compared"] == []


@pytest.mark.parametrize(
    ("language", "words"), [("en", "with Unsloth or a fused loss and"), ("de", "mit Unsloth oder")]
)
def test_offloaded_checkpoints_are_no_cure_on_the_stock_loss(language: str, words: str) -> None:
    """gemma-3-12b at 120k: the stock loss alone is far beyond 80 GB, so the fused one comes first in the list."""
    advice = case(
        kind="context_length", model="google/gemma-3-12b-it", method="lora", weight_bits=8.0, seq_len=122_880,
        gpus=cards("h100-sxm"), symptoms=("oom_step",),
    ).advice  # fmt: skip
    assert advice is not None
    assert [change.slot for change in advice.changes] == ["trainer", "activation_offload"]
    assert advice.changes[0].fit == "no" or advice.changes[0].fit == "unlikely"
    assert words in render(advice, language).text


def test_several_models_stand_in_one_table_from_the_smallest_on() -> None:
    query = read(Question(text="4bit lora on one 4090: what's the longest cutoff for 7b / 13b / 30b")).query
    advice = advise(query, load_catalog())
    text = render(advice, "en").text
    places = [text.index(f"| {name} |") for name in ("7B", "13B", "30B")]
    assert places == sorted(places)
    assert all(row["stretched"] > row["lean"] for row in advice.verdict.facts["each"])


@pytest.mark.parametrize(
    ("language", "words"), [("en", "and a fused loss (Liger) it is"), ("de", "und Fused Loss (Liger) sind es")]
)
def test_of_all_weights_it_is_the_fused_loss_that_makes_a_long_sequence_fit(language: str, words: str) -> None:
    """8B in full at 64k on four cards: 34 GB of logits a copy; split in bf16 with a fused loss it fits."""
    slots = {"model": "meta-llama/Meta-Llama-3-8B", "method": "full", "seq_len": 65_536, "symptoms": ("oom_step",)}
    advice = case(kind="context_length", **slots, gpus=cards("a800-80gb-sxm", 4)).advice
    assert advice is not None
    assert advice.verdict.code == "asked_fits_lean"
    assert advice.verdict.facts["lean"] < 65 * GIB
    assert words in render(advice, language).title
    stock = case(kind="context_length", **slots, gpus=cards("a800-80gb-sxm", 4), fused_loss=False).advice
    assert stock is not None
    assert stock.verdict.facts["lean"] > 100 * GIB  # who says that it is off has it off
