"""The rule shared_with_others."""

from advisor.rules import shared_with_others
from tests.advisor.rules.ask import cards, case


def test_speaks_with_what_each_card_must_have_free() -> None:
    asked = case(kind="oom_help", params_b=8.0, gpus=cards("a100-80gb-sxm", 4), symptoms=("oom_later", "shared_card"))
    found = shared_with_others.check(asked)
    assert found is not None
    assert found.facts["several"]
    assert 0 < found.facts["need"] < found.facts["usable"]


def test_silent_where_nobody_else_is_told_of() -> None:
    asked = case(kind="oom_help", params_b=8.0, gpus=cards("a100-80gb-sxm", 4), symptoms=("oom_later",))
    assert shared_with_others.check(asked) is None
