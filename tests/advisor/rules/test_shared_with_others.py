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


def test_what_others_hold_is_taken_from_the_card() -> None:
    asked = {"kind": "oom_help", "params_b": 3.0, "gpus": cards("rtx-3060-12gb"), "seen_gib": 6.0}
    found = shared_with_others.check(case(**asked, symptoms=("oom_step", "taken_by_others")))
    assert found is not None
    assert found.gravity == "stop"
    assert found.facts["left"] == found.facts["usable"] - found.facts["held"]
