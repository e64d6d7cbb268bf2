"""The rule merge_wants_ram."""

from advisor.rules import merge_wants_ram
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = merge_wants_ram.check(case(params_b=40.0, kind="fits_check", gpus=cards("rtx-a6000"), ram_gb=64.0))
    assert found is not None


def test_silent_where_it_is_enough() -> None:
    assert merge_wants_ram.check(case(params_b=8.0, kind="fits_check", gpus=cards("rtx-a6000"), ram_gb=64.0)) is None


def test_who_asks_for_the_merge_beside_something_else_reads_what_it_takes() -> None:
    asked = {"params_b": 8.0, "kind": "fits_check", "gpus": cards("l4"), "claims": ("merge_wants_ram",)}
    found = merge_wants_ram.check(case(**asked))
    assert found is not None
    assert 16e9 < found.facts["merge"] < 18e9
    assert not found.facts["short"]
    assert merge_wants_ram.check(case(**asked, method="full")) is None
