"""The rule memory_is_a_line."""

from advisor.rules import memory_is_a_line
from tests.advisor.rules.ask import case


def test_tells_the_slope_of_both_stacks() -> None:
    found = memory_is_a_line.check(case(kind="context_length", params_b=13.0, method="qlora", symptoms=("asks_line",)))
    assert found is not None
    assert 0 < found.facts["lean"][1] < found.facts["stock"][1]


def test_silent_unasked() -> None:
    assert memory_is_a_line.check(case(kind="context_length", params_b=13.0)) is None
