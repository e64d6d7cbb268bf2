"""The rule after_update."""

from advisor.rules import after_update
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    made = case(
        model="meta-llama/Llama-3.1-8B",
        kind="oom_help",
        gpus=cards("rtx-3060-12gb"),
        symptoms=("oom_step", "after_update"),
    )
    assert after_update.check(made) is not None


def test_silent() -> None:
    made = case(model="meta-llama/Llama-3.1-8B", kind="oom_help", gpus=cards("rtx-3060-12gb"), symptoms=("oom_step",))
    assert after_update.check(made) is None
