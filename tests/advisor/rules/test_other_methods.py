"""The rule other_methods."""

import pytest

from advisor.rules import other_methods
from advisor.stacks import GIB
from bot.renderer import render
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = other_methods.check(case(model="meta-llama/Llama-3.1-8B", kind="context_length", gpus=cards("rtx-3090")))
    assert found is not None


def test_silent_where_the_verdict_tells_them() -> None:
    told = case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"))
    assert told.advice is not None
    assert [row["code"] for row in told.advice.verdict.facts["ways"]] == ["lora", "full_8bit"]
    assert other_methods.check(told) is None


def test_silent_when_the_method_was_named() -> None:
    assert (
        other_methods.check(
            case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"), method="qlora")
        )
        is None
    )


def test_several_cards_get_each_methods_share_per_card() -> None:
    found = other_methods.check(case(params_b=7.0, kind="context_length", gpus=cards("rtx-3090", 2)))
    assert found is not None
    assert [(row["code"], row["fit"]) for row in found.facts["ways"]] == [("lora", "yes"), ("full_8bit", "unlikely")]


def test_a_budget_is_answered_by_what_it_buys() -> None:
    asked = {"params_b": 8.0, "kind": "which_gpu"}
    assert other_methods.check(case(**asked)) is not None
    assert other_methods.check(case(**asked, budget=900.0, currency="EUR")) is None


def test_a_method_among_the_changes_gets_no_second_figure() -> None:
    """GPT-2 XL on 11 GB: LoRA is what makes it fit, with its bytes; only QLoRA's are new."""
    asked = case(model="openai-community/gpt2-xl", kind="oom_help", gpus=cards("rtx-2080-ti"), symptoms=("oom_step",))
    assert asked.advice is not None
    assert [change.value for change in asked.advice.changes if change.slot == "method"] == ["lora"]
    found = other_methods.check(asked)
    assert found is not None
    assert found.facts["lora"] is None
    assert found.facts["other"] > 0


def test_silent_where_saving_is_the_peak() -> None:
    asked = {"params_b": 34.0, "kind": "oom_help", "gpus": cards("a100-80gb-sxm")}
    assert other_methods.check(case(**asked, symptoms=("oom_save",))) is None


def test_the_assumed_method_itself_is_no_other_one() -> None:
    """bf16 is named, so LoRA is taken; beside it stand QLoRA and all weights."""
    found = other_methods.check(case(params_b=3.0, kind="oom_help", compute_dtype="bf16", symptoms=("oom_generate",)))
    assert found is not None
    assert found.facts["lora"] is None
    assert found.facts["qlora"] < found.facts["other"]


def test_silent_where_the_card_holds_none_of_them() -> None:
    """32B on 24 GB: neither 16-bit LoRA nor all weights are anything to weigh."""
    asked = {"params_b": 32.0, "kind": "context_length"}
    assert other_methods.check(case(**asked, gpus=cards("rtx-4090"))) is None
    assert other_methods.check(case(**asked)) is not None


def test_where_only_fp32_trains_nothing_in_16_or_4_bit_is_offered() -> None:
    """mt0-xxl, 13B: 4 bytes a weight are 48 GiB, over eight cards 6 each and the gathered layers."""
    asked = {"model": "bigscience/mt0-xxl", "kind": "oom_help", "method": "full", "compute_dtype": "fp32"}
    found = other_methods.check(case(**asked, gpus=cards("rtx-a6000", 8), sharding="zero3", symptoms=("only_fp32",)))
    assert found is not None
    assert 48 < found.facts["fp32"] / GIB < 56
    assert 6 < found.facts["split"] / GIB < 20
    assert 24 < found.facts["states"] / GIB < 27  # 13B x 16 bytes over eight cards
    plain = other_methods.check(case(**asked, gpus=cards("rtx-a6000", 8), sharding="zero3"))
    assert plain is None or "fp32" not in plain.facts


@pytest.mark.parametrize(("language", "words"), [("en", "at batch 1"), ("de", "bei Batch 1")])
def test_a_batch_that_does_not_fit_is_not_held_against_the_other_methods(language: str, words: str) -> None:
    """8B at batch 64 is 265 GiB; LoRA at batch 1 is 17, and that is what another method takes."""
    slots = {"params_b": 8.0, "kind": "fits_check", "seq_len": 2048, "gpus": cards("rtx-4090", 2)}
    large = case(**slots, micro_batch=64).advice
    assert large is not None
    lora = next(row for row in large.verdict.facts["ways"] if row["code"] == "lora")
    assert lora["device"] < 20 * GIB
    assert lora["batch_one"]
    assert words in render(large, language).text
    one = case(**slots, micro_batch=1).advice
    assert one is not None
    assert not any(row["batch_one"] for row in one.verdict.facts["ways"])


def test_a_run_that_failed_at_its_batch_leaves_one_for_the_others() -> None:
    asked = {"params_b": 13.0, "kind": "oom_help", "seq_len": 2048, "micro_batch": 32, "gpus": cards("a100-80gb-sxm")}
    found = other_methods.check(case(**asked, symptoms=("oom_step",)))
    assert found is not None
    assert found.facts["batch_one"]
    assert 20 < found.facts["lora"] / GIB < 35
