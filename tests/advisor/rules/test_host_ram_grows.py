"""The rule host_ram_grows."""

from advisor.rules import host_ram_grows
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = host_ram_grows.check(case(kind="system_ram", params_b=3.0, ram_gb=64.0, symptoms=("killed", "host_grows")))
    assert found is not None


def test_silent_where_it_is_killed_at_once() -> None:
    assert host_ram_grows.check(case(kind="system_ram", params_b=3.0, ram_gb=64.0, symptoms=("killed",))) is None
