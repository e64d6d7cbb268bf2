"""fits_check: the verdict where the method is open, where experts decide, and where the run also generates."""

from typing import Any

from advisor.advice import Advice
from advisor.stacks import GIB
from tests.advisor.rules.ask import cards, case


def _advice(**slots: Any) -> Advice:
    advice = case(kind="fits_check", **slots).advice
    assert advice is not None
    return advice


def test_a_card_that_holds_every_weight_in_training_is_told_all_methods() -> None:
    advice = _advice(model="meta-llama/Llama-2-7b-hf", gpus=cards("a100-80gb-sxm"))
    assert advice.verdict.code == "open"
    assert [row["fit"] for row in advice.verdict.facts["rows"]] == ["yes", "yes", "yes", "no"]


def test_several_cards_hold_every_weight_when_it_is_split() -> None:
    advice = _advice(params_b=7.0, gpus=cards("a100-80gb-sxm", 8))
    assert advice.verdict.code == "open"
    plain = advice.verdict.facts["rows"][3]
    assert plain["fit"] == "yes"
    assert plain["split"] < plain["device"]
    assert _advice(model="mosaicml/mpt-7b", gpus=cards("rtx-3090", 2)).verdict.code == "yes"


def test_a_method_that_is_named_or_a_card_that_holds_only_adapters_is_not_open() -> None:
    assert _advice(model="meta-llama/Llama-2-7b-hf", gpus=cards("a100-80gb-sxm"), method="qlora").verdict.code == "yes"
    assert _advice(model="meta-llama/Llama-2-7b-hf", gpus=cards("rtx-3090")).verdict.code == "yes"
    assert _advice(model="meta-llama/Llama-2-7b-hf", gpus=cards("jetson-agx-orin-64gb")).verdict.code == "yes"


def test_where_experts_decide_the_safe_ways_are_named() -> None:
    facts = _advice(model="Qwen/Qwen3-30B-A3B", gpus=cards("rtx-3090")).verdict.facts
    assert (facts["safe_size"], facts["safe_gb"]) == ("14B", 80)
    assert facts["safe_need"] < facts["usable"]


def test_without_room_to_generate_a_smaller_model_and_a_larger_card_are_named() -> None:
    advice = _advice(model="Qwen/QwQ-32B", algorithm="grpo", seq_len=256, gpus=cards("rtx-3090"))
    assert advice.verdict.code == "no_rollouts"
    assert (advice.verdict.facts["safe_size"], advice.verdict.facts["safe_gb"]) == ("14B", 48)
    assert {need.fit for need in advice.needs} <= {"no", "unlikely"}
    assert advice.needs[0].device < 23 * GIB
