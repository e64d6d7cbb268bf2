"""The rule inference_is_training."""

import pytest

from advisor.rules import inference_is_training
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = inference_is_training.check(
        case(model="meta-llama/Llama-3.1-8B", kind="oom_help", claims=("inference_is_training",))
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert inference_is_training.check(case(model="meta-llama/Llama-3.1-8B", kind="oom_help")) is None


def test_far_more_than_the_weights_is_not_the_model() -> None:
    small = {"model": "TinyLlama/TinyLlama-1.1B-Chat-v1.0", "kind": "fits_check", "claims": ("inference_is_training",)}
    far = inference_is_training.check(case(**small, seen_gib=13.2))
    near = inference_is_training.check(case(**small, seen_gib=2.5))
    assert far is not None
    assert near is not None
    assert far.facts["weights"] == pytest.approx(2.2e9, rel=0.01)
    assert near.facts["weights"] is None
