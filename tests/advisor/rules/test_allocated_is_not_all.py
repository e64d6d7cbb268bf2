"""The rule allocated_is_not_all."""

from advisor.rules import allocated_is_not_all
from advisor.stacks import GIB
from tests.advisor.rules.ask import cards, case

LLAMA = {"kind": "oom_help", "params_b": 8.0, "method": "qlora", "seq_len": 8192, "gpus": cards("rtx-3090")}


def test_speaks_with_what_was_seen_and_what_is_counted() -> None:
    found = allocated_is_not_all.check(case(**LLAMA, seen_gib=17.0, symptoms=("oom_step", "allocated_only")))
    assert found is not None
    assert found.facts["seen"] == 17 * GIB < found.facts["need"]


def test_silent_where_nothing_failed() -> None:
    assert allocated_is_not_all.check(case(**LLAMA, symptoms=("allocated_only",))) is None


def test_silent_unasked() -> None:
    assert allocated_is_not_all.check(case(**LLAMA, symptoms=("oom_step",))) is None
