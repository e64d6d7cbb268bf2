"""The rule full_rule_of_thumb."""

from advisor.rules import full_rule_of_thumb
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = full_rule_of_thumb.check(case(kind="oom_help", method="full"))
    assert found is not None


def test_silent_when_the_size_is_known() -> None:
    assert full_rule_of_thumb.check(case(model="meta-llama/Llama-3.1-8B", kind="oom_help", method="full")) is None


def test_silent_where_sft_stands_beside_dpo() -> None:
    named = {"algorithm": ("sft", "dpo")}
    assert full_rule_of_thumb.check(case(kind="method_choice", method="full", named=named)) is None
