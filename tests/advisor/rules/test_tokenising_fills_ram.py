"""The rule tokenising_fills_ram."""

from advisor.rules import tokenising_fills_ram
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    assert tokenising_fills_ram.check(case(kind="system_ram", symptoms=("tokenising_ram",))) is not None


def test_silent_where_a_run_is_killed() -> None:
    assert tokenising_fills_ram.check(case(kind="system_ram", params_b=7.0, symptoms=("killed",))) is None
