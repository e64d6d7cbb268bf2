"""The rule fp16_halves_all."""

from advisor.rules import fp16_halves_all
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = fp16_halves_all.check(
        case(model="meta-llama/Llama-3.1-8B", kind="method_choice", claims=("fp16_halves_all",))
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert (
        fp16_halves_all.check(case(model="meta-llama/Llama-3.1-8B", kind="method_choice", compute_dtype="fp16")) is None
    )
