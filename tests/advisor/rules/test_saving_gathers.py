"""The rule saving_gathers."""

from advisor.rules import saving_gathers
from tests.advisor.rules.ask import cards, case

SLOTS = {"params_b": 13.0, "kind": "system_ram", "gpus": cards("a100-40gb-sxm", 8)}


def test_a_copy_in_fp32_for_each_rank() -> None:
    found = saving_gathers.check(case(**SLOTS, symptoms=("killed", "at_the_end")))
    assert found is not None
    assert found.facts["copy"] > 4 * 12e9
    assert found.facts["all"] == 8 * found.facts["copy"]


def test_silent_while_it_trains() -> None:
    assert saving_gathers.check(case(**SLOTS, symptoms=("killed",))) is None
    assert saving_gathers.check(case(**SLOTS, symptoms=("oom_step", "at_the_end"))) is None
