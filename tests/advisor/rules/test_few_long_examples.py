"""The rule few_long_examples."""

from advisor.rules import few_long_examples
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    assert few_long_examples.check(case(kind="context_length", params_b=7.0, symptoms=("few_long",))) is not None


def test_silent_unasked() -> None:
    assert few_long_examples.check(case(kind="context_length", params_b=7.0, seq_len=20_000)) is None


def test_silent_where_hours_are_asked() -> None:
    asked = {"params_b": 8.0, "dataset_examples": 5000, "symptoms": ("few_long",)}
    assert few_long_examples.check(case(kind="time_estimate", **asked)) is None
