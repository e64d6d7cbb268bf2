"""The rule full_takes_cards."""

import pytest

from advisor.rules import full_takes_cards
from bot.renderer import finding
from tests.advisor.rules.ask import cards, case

MOE = "Qwen/Qwen3-30B-A3B"


def test_speaks_with_the_number_of_cards_and_the_states() -> None:
    found = full_takes_cards.check(
        case(model=MOE, kind="multi_gpu", method="full", gpus=cards("h800-sxm", 4), n_gpus=4)
    )
    assert found is not None
    assert found.facts["eight"] == 4  # 6 bytes a parameter, 46 GB of states a card
    assert found.facts["adamw"] == 8
    assert 400 < found.facts["states"] / 2**30 < 500


def test_silent_where_they_fit() -> None:
    fits = case(params_b=3.0, kind="multi_gpu", method="full", gpus=cards("h800-sxm", 4), n_gpus=4)
    assert full_takes_cards.check(fits) is None


def test_silent_with_adapters_and_on_one_card() -> None:
    assert full_takes_cards.check(case(model=MOE, kind="multi_gpu", gpus=cards("rtx-3090", 2), n_gpus=2)) is None
    assert full_takes_cards.check(case(model=MOE, kind="fits_check", method="full", gpus=cards("h800-sxm"))) is None


@pytest.mark.parametrize("language", ["en", "de"])
def test_who_fails_with_zero_is_told_that_fsdp_holds_it_on_the_same_cards(language: str) -> None:
    """8x 3090: ZeRO-3 keeps fp32 weights beside the states; FSDP in bf16 with an 8-bit optimizer does not."""
    slots = {"model": "meta-llama/Meta-Llama-3-8B", "method": "full", "seq_len": 1024, "micro_batch": 1}
    failed = case(
        **slots, kind="oom_help", gpus=cards("rtx-3090", 8), n_gpus=8, sharding="zero3", symptoms=("oom_step",)
    )
    found = full_takes_cards.check(failed)
    assert found is not None
    assert found.facts["here"] < 20 * 2**30
    said = finding(found.model_copy(update={"code": "full_takes_cards"}), language)
    assert said.startswith("**FSDP")
    few = case(**slots, kind="oom_help", gpus=cards("rtx-3090", 2), n_gpus=2, sharding="zero3", symptoms=("oom_step",))
    short = full_takes_cards.check(few)
    assert short is not None
    assert short.facts["here"] is None
    assert short.facts["eight"] == 4
