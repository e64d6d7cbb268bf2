"""The rule too_fast."""

from advisor.rules import too_fast
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    made = case(
        params_b=13.0, kind="time_estimate", gpus=cards("a100-80gb-sxm"), dataset_examples=10000, symptoms=("too_fast",)
    )
    assert too_fast.check(made) is not None


def test_silent() -> None:
    made = case(params_b=13.0, kind="time_estimate", gpus=cards("a100-80gb-sxm"), dataset_examples=10000)
    assert too_fast.check(made) is None


def test_silent_where_the_answer_judges_the_time_itself() -> None:
    made = case(
        params_b=13.0, kind="time_estimate", gpus=cards("a100-80gb-sxm"), took_hours=0.02, symptoms=("too_fast",)
    )
    assert too_fast.check(made) is None
