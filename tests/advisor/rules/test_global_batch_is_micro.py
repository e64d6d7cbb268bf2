"""The rule global_batch_is_micro."""

from advisor.rules import global_batch_is_micro
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = global_batch_is_micro.check(
        case(model="meta-llama/Llama-3.1-8B", kind="oom_help", claims=("global_batch_is_micro",))
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert global_batch_is_micro.check(case(model="meta-llama/Llama-3.1-8B", kind="oom_help", micro_batch=4)) is None
