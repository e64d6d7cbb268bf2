"""The rule inference_is_training."""

from advisor.rules import inference_is_training
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = inference_is_training.check(
        case(model="meta-llama/Llama-3.1-8B", kind="oom_help", claims=("inference_is_training",))
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert inference_is_training.check(case(model="meta-llama/Llama-3.1-8B", kind="oom_help")) is None
