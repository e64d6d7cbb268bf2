"""The rule rollouts_need_room."""

from advisor.rules import rollouts_need_room
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = rollouts_need_room.check(case(params_b=1.5, kind="which_gpu", algorithm="grpo"))
    assert found is not None


def test_silent_where_the_answer_says_it() -> None:
    asked = case(params_b=1.5, kind="fits_check", gpus=cards("a100-80gb-sxm"), algorithm="grpo")
    assert rollouts_need_room.check(asked) is None


def test_silent_on_sft() -> None:
    assert rollouts_need_room.check(case(params_b=1.5, kind="fits_check", gpus=cards("a100-80gb-sxm"))) is None
