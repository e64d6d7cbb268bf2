"""The rule dora_is_slower."""

from advisor.rules import dora_is_slower
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = dora_is_slower.check(case(model="meta-llama/Llama-3.1-8B", kind="method_choice", method="dora"))
    assert found is not None


def test_speaks_where_dora_is_one_of_two() -> None:
    asked = case(params_b=8.0, kind="method_choice", named={"method": ("dora", "lora")})
    assert dora_is_slower.check(asked) is not None


def test_silent_on_lora() -> None:
    assert dora_is_slower.check(case(model="meta-llama/Llama-3.1-8B", kind="method_choice", method="lora")) is None
