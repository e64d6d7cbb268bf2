"""The rule ppo_loads_four."""

from advisor.rules import ppo_loads_four
from tests.advisor.rules.ask import case


def test_four_models_are_loaded() -> None:
    found = ppo_loads_four.check(
        case(model="Qwen/Qwen2.5-7B-Instruct", kind="system_ram", algorithm="ppo", symptoms=("killed",))
    )
    assert found is not None
    assert 56 < found.facts["load_16"] / 2**30 < 58


def test_silent_without_ppo() -> None:
    assert ppo_loads_four.check(case(params_b=7, kind="system_ram", algorithm="sft", symptoms=("killed",))) is None
