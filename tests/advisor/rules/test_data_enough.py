"""Is so much data enough, beside another question."""

import pytest

from advisor.rules import data_enough as rule
from tests.advisor.rules.ask import card, case

ASKED = {"kind": "time_estimate", "params_b": 7.0, "gpus": (card("rtx-3060-12gb"),), "symptoms": ("asks_enough_data",)}


@pytest.mark.parametrize(("examples", "code"), [(30, "tiny"), (500, "small"), (2_000, "enough")])
def test_says_what_so_many_are_worth(examples: int, code: str) -> None:
    found = rule.check(case(**ASKED, dataset_examples=examples))
    assert found is not None
    assert found.facts["code"] == code


def test_silent_without_a_number_and_where_the_topic_says_it() -> None:
    assert rule.check(case(**ASKED)) is None
    assert rule.check(case(**{**ASKED, "kind": "data_size_quality"}, dataset_examples=2_000)) is None
    assert rule.check(case(**{**ASKED, "symptoms": ()}, dataset_examples=2_000)) is None
