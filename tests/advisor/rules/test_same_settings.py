"""The rule same_settings."""

from advisor.rules import same_settings
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    made = case(model="meta-llama/Llama-3.1-8B", kind="trainer_choice", symptoms=("same_settings",))
    assert same_settings.check(made) is not None


def test_silent() -> None:
    made = case(model="meta-llama/Llama-3.1-8B", kind="trainer_choice")
    assert same_settings.check(made) is None
