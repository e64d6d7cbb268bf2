"""The rule active_params_only."""

from advisor.rules import active_params_only
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = active_params_only.check(case(model="Qwen/Qwen3-30B-A3B", kind="fits_check", gpus=cards("rtx-4090")))
    assert found is not None


def test_silent_on_a_dense_model() -> None:
    assert (
        active_params_only.check(
            case(
                model="meta-llama/Llama-3.1-8B",
                kind="fits_check",
                gpus=cards("rtx-4090"),
                claims=("active_params_only",),
            )
        )
        is None
    )
