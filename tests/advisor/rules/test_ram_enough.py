"""The rule ram_enough."""

from advisor.query import Kind
from advisor.rules import ram_enough
from tests.advisor.rules.ask import cards, case

BOTH = {"params_b": 7.0, "method": "qlora", "kind": "fits_check", "gpus": cards("rtx-3060-12gb")}


def test_ram_that_is_asked_about_beside_the_card_is_judged() -> None:
    found = ram_enough.check(case(**BOTH, also=Kind.SYSTEM_RAM, ram_gb=24.0))
    assert found is not None
    assert found.facts["need"] < 24 * 2**30


def test_silent_where_it_is_not_asked_or_not_enough() -> None:
    assert ram_enough.check(case(**BOTH, ram_gb=24.0)) is None
    assert ram_enough.check(case(**BOTH, also=Kind.SYSTEM_RAM, ram_gb=8.0)) is None
