"""The rule packing_fills."""

from advisor.rules import packing_fills
from tests.advisor.rules.ask import cards, case

RUN = {"kind": "oom_help", "params_b": 8.0, "method": "qlora", "gpus": cards("rtx-3090")}


def test_speaks_with_what_a_full_sequence_takes() -> None:
    found = packing_fills.check(case(**RUN, seq_len=8192, symptoms=("oom_step", "packing_ooms")))
    assert found is not None
    assert found.facts["need"] > found.facts["usable"]


def test_counts_nothing_without_a_length() -> None:
    found = packing_fills.check(case(**RUN, symptoms=("oom_step", "packing_ooms")))
    assert found is not None
    assert found.facts["need"] is None


def test_silent_unasked() -> None:
    assert packing_fills.check(case(**RUN, packing=True, symptoms=("oom_step",))) is None
