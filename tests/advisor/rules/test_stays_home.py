"""The rule stays_home."""

from advisor.rules import stays_home
from tests.advisor.rules.ask import case


def test_speaks_with_the_nearest_way_at_home() -> None:
    found = stays_home.check(case(params_b=70.0, kind="which_gpu", method="full", symptoms=("stays_home",)))
    assert found is not None
    assert found.facts["gb"] == 48
    assert found.facts["pair"]


def test_nothing_at_home_holds_a_405b() -> None:
    found = stays_home.check(
        case(model="meta-llama/Llama-3.1-405B", kind="which_gpu", method="qlora", symptoms=("stays_home",))
    )
    assert found is not None
    assert found.facts["gb"] is None


def test_silent_where_it_trains_at_home_anyway_and_unasked() -> None:
    home = case(params_b=13.0, kind="which_gpu", method="qlora", symptoms=("stays_home",))
    assert stays_home.check(home) is None
    assert stays_home.check(case(params_b=70.0, kind="which_gpu", method="full")) is None
