"""The rule gguf_is_not_trainable."""

from advisor.rules import gguf_is_not_trainable
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = gguf_is_not_trainable.check(case(params_b=13.0, kind="method_choice", quant="q4_0"))
    assert found is not None


def test_silent_with_bitsandbytes() -> None:
    assert gguf_is_not_trainable.check(case(params_b=13.0, kind="method_choice", quant="nf4")) is None
