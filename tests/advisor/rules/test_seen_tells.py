"""The rule seen_tells."""

from advisor.rules import seen_tells
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    made = case(
        model="meta-llama/Llama-3.1-8B", kind="oom_help", method="lora", gpus=cards("a100-80gb-sxm"), seen_gib=38.0
    )
    assert seen_tells.check(made) is not None


def test_silent() -> None:
    made = case(model="meta-llama/Llama-3.1-8B", kind="oom_help", method="lora", gpus=cards("a100-80gb-sxm"))
    assert seen_tells.check(made) is None
