"""The rule peft_makes_all_small."""

from advisor.rules import peft_makes_all_small
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = peft_makes_all_small.check(
        case(model="meta-llama/Llama-3.1-8B", kind="oom_help", claims=("peft_makes_all_small",))
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert peft_makes_all_small.check(case(model="meta-llama/Llama-3.1-8B", kind="oom_help")) is None
