"""The rule zero3_with_4_bit."""

import pytest

from advisor.rules import zero3_with_4_bit
from bot.renderer import finding
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = zero3_with_4_bit.check(
        case(params_b=70.0, kind="multi_gpu", gpus=cards("t4", 8), sharding="zero3", method="qlora")
    )
    assert found is not None


def test_silent_with_16_bit_weights() -> None:
    assert (
        zero3_with_4_bit.check(
            case(params_b=70.0, kind="multi_gpu", gpus=cards("t4", 8), sharding="zero3", method="lora")
        )
        is None
    )


def test_silent_where_a_card_was_seen_to_hold_less_than_all_weights() -> None:
    asked = {"params_b": 46.7, "kind": "oom_help", "gpus": cards("a100-80gb-sxm", 8), "sharding": "zero3"}
    assert zero3_with_4_bit.check(case(**asked, method="qlora", seen_gib=24.0)) is None
    assert zero3_with_4_bit.check(case(**asked, method="qlora", seen_gib=40.0)) is not None


def test_speaks_where_zero3_was_one_of_the_ways_that_failed() -> None:
    tried = {"params_b": 46.7, "method": "qlora", "kind": "multi_gpu", "named": {"sharding": ("zero2", "zero3")}}
    cards = ({"gpu": "titan-rtx", "name": "TITAN RTX", "count": 2, "vram_gb": 24.0},)
    assert zero3_with_4_bit.check(case(**tried, gpus=cards, sharding="zero2", symptoms=("oom_step",))) is not None
    assert zero3_with_4_bit.check(case(**tried, gpus=cards, sharding="zero2")) is None


def test_says_whether_the_tried_way_fits() -> None:
    """405B in 4 bit on eight H100: about 68 GiB a card; on eight T4 a 70B is too much even so."""
    asked = {"kind": "multi_gpu", "sharding": "zero3", "method": "qlora"}
    large = zero3_with_4_bit.check(
        case(**asked, model="meta-llama/Llama-3.1-405B", gpus=cards("h100-sxm", 8), symptoms=("oom_load",))
    )
    assert large is not None
    assert 50 * 2**30 < large.facts["fsdp"] < large.facts["usable"]
    small = zero3_with_4_bit.check(case(**asked, params_b=70.0, gpus=cards("t4", 8)))
    assert small is not None
    assert small.facts["fsdp"] is None


@pytest.mark.parametrize(("language", "first"), [("en", "**Possible, but not with ZeRO-3"), ("de", "**Möglich ist es")])
def test_a_run_that_failed_is_told_first_that_it_can_be_done(language: str, first: str) -> None:
    asked = {"kind": "oom_help", "sharding": "zero3", "method": "qlora", "symptoms": ("oom_step",), "ram_gb": 1800.0}
    made = case(**asked, model="meta-llama/Llama-3.1-405B", gpus=cards("h100-sxm", 8))
    found = zero3_with_4_bit.check(made)
    assert found is not None
    assert found.facts["through"]["ram_gb"] == 1800.0
    assert finding(found.model_copy(update={"code": "zero3_with_4_bit"}), language).startswith(first)
    short = zero3_with_4_bit.check(case(**asked, params_b=70.0, gpus=cards("t4", 8)))
    assert short is not None
    assert not finding(short.model_copy(update={"code": "zero3_with_4_bit"}), language).startswith(first)
