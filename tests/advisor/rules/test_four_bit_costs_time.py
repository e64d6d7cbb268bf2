"""The rule four_bit_costs_time."""

from advisor.rules import four_bit_costs_time
from tests.advisor.rules.ask import cards, case

SLOWER = {"params_b": 8.0, "method": "qlora", "kind": "time_estimate", "symptoms": ("qlora_slower",)}


def test_says_how_much_and_whether_16_bit_fits() -> None:
    found = four_bit_costs_time.check(case(**SLOWER, gpus=cards("rtx-4090")))
    assert found is not None
    assert found.facts["times"] > 1
    assert found.facts["fits"]


def test_16_bit_may_not_fit() -> None:
    found = four_bit_costs_time.check(case(**SLOWER, gpus=cards("rtx-3060-12gb")))
    assert found is not None
    assert found.facts["fits"] is False


def test_silent_without_the_complaint() -> None:
    assert four_bit_costs_time.check(case(**SLOWER | {"symptoms": ()}, gpus=cards("rtx-4090"))) is None


def test_silent_of_a_mixture_of_experts_which_is_slow_for_another_reason() -> None:
    mixture = SLOWER | {"model": "Qwen/Qwen3-30B-A3B", "params_b": 30.0, "symptoms": ("qlora_slower", "slow")}
    assert four_bit_costs_time.check(case(**mixture)) is None


def test_a_bug_is_denied_and_8_bit_named() -> None:
    asked = SLOWER | {"symptoms": ("qlora_slower", "asks_bug")}
    found = four_bit_costs_time.check(case(**asked, gpus=cards("rtx-4090"), named={"weight_bits": ("8", "4")}))
    assert found is not None
    assert (found.facts["bug"], found.facts["eight"]) == (True, True)
