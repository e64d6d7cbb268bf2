"""The rule own_data_is_longer."""

from advisor.rules import own_data_is_longer
from tests.advisor.rules.ask import case

GIVEN = {"kind": "oom_help", "params_b": 7.0, "claims": ("own_data_is_longer",)}


def test_speaks() -> None:
    assert own_data_is_longer.check(case(**GIVEN, symptoms=("oom_step",))) is not None


def test_silent() -> None:
    assert own_data_is_longer.check(case(**GIVEN)) is None
    assert own_data_is_longer.check(case(kind="oom_help", params_b=7.0, symptoms=("oom_step",))) is None
