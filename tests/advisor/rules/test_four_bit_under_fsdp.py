"""Under FSDP 4-bit weights lie on the first card unless they are stored in the dtype of the other layers."""

from advisor.rules import four_bit_under_fsdp as rule
from tests.advisor.rules.ask import card, case

ASKED = {
    "params_b": 7.0, "method": "qlora", "sharding": "fsdp", "trainer": "trl", "gpus": (card("rtx-3080-10gb", 8),),
}  # fmt: skip


def test_says_why_only_the_first_card_fills_and_what_a_copy_takes() -> None:
    found = rule.check(case(**ASKED, symptoms=("one_card_used",)))
    assert found is not None
    assert found.gravity == "stop"
    assert found.facts["dtype"] == "bfloat16"
    assert found.facts["copied"] < found.facts["usable"]


def test_names_fp16_for_cards_without_bf16() -> None:
    found = rule.check(case(**{**ASKED, "gpus": (card("t4", 2),)}, symptoms=("one_card_used",)))
    assert found is not None
    assert found.facts["dtype"] == "float16"


def test_silent_where_the_cards_fill_evenly_or_the_weights_are_whole() -> None:
    assert rule.check(case(**ASKED, symptoms=("oom_step",))) is None
    assert rule.check(case(**{**ASKED, "method": "lora"}, symptoms=("one_card_used",))) is None
    assert rule.check(case(**{**ASKED, "sharding": "ddp"}, symptoms=("one_card_used",))) is None
