"""The rule split_70b_wants_ram."""

from advisor.query import CardCount
from advisor.rules import split_70b_wants_ram
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = split_70b_wants_ram.check(case(params_b=70.0, kind="multi_gpu", gpus=cards("rtx-3090", 2), method="qlora"))
    assert found is not None


def test_silent_for_a_7b() -> None:
    assert (
        split_70b_wants_ram.check(case(params_b=7.0, kind="multi_gpu", gpus=cards("rtx-3090", 2), method="qlora"))
        is None
    )


def test_silent_where_layers_are_spread_over_the_cards() -> None:
    """They load through RAM one by one; FSDP's recipe is another way."""
    asked = {"params_b": 70.0, "method": "qlora", "gpus": cards("rtx-3090", 2), "sharding": "pipeline"}
    assert split_70b_wants_ram.check(case(**asked, kind="context_length")) is None
    spread = case(
        params_b=65.0, method="qlora", kind="oom_help", gpus=(CardCount(count=4, vram_gb=12.0),), symptoms=("oom_step",)
    )
    assert spread.advice is not None
    assert spread.advice.verdict.facts["layered"]
    assert split_70b_wants_ram.check(spread) is None
