"""The rule which_member."""

from advisor.rules import which_member
from tests.advisor.rules.ask import cards, case

QWEN = {"kind": "fits_check", "model": "Qwen/Qwen3-8B", "gpus": cards("rtx-3060-12gb")}


def test_tells_the_sizes_around_the_one_that_was_taken() -> None:
    found = which_member.check(case(named={"which_member": ("asked",)}, **QWEN))
    assert found is not None
    fits = {row["name"]: row["fit"] for row in found.facts["rows"]}
    assert fits["Qwen3-4B"] == fits["Qwen3-8B"] == "yes"
    assert fits["Qwen3-32B"] == "no"


def test_silent_where_nobody_asks_which_and_without_a_card() -> None:
    assert which_member.check(case(**QWEN)) is None
    assert which_member.check(case(**(QWEN | {"gpus": ()}), named={"which_member": ("asked",)})) is None
