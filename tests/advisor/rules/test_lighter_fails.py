"""The rule lighter_fails."""

from advisor.rules import lighter_fails
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    made = case(
        model="meta-llama/Llama-3.1-8B", kind="oom_help", gpus=cards("rtx-3090"), symptoms=("oom_step", "lighter_fails")
    )
    assert lighter_fails.check(made) is not None


def test_silent() -> None:
    made = case(model="meta-llama/Llama-3.1-8B", kind="oom_help", gpus=cards("rtx-3090"), symptoms=("oom_step",))
    assert lighter_fails.check(made) is None
