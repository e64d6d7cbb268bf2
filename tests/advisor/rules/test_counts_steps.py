"""The rule counts_steps."""

from advisor.rules import counts_steps
from tests.advisor.rules.ask import cards, case

SLOTS = {"model": "meta-llama/Llama-3.1-8B", "kind": "time_estimate", "gpus": cards("rtx-4090", 2)}


def test_speaks_with_the_batch_that_is_told() -> None:
    found = counts_steps.check(case(**SLOTS, n_gpus=2, micro_batch=4, grad_accum=8, symptoms=("asks_what_counts",)))
    assert found is not None
    assert found.facts["batch"] == 64


def test_speaks_without_one() -> None:
    found = counts_steps.check(case(**SLOTS, symptoms=("asks_what_counts",)))
    assert found is not None
    assert found.facts["batch"] is None


def test_silent_without_the_question() -> None:
    assert counts_steps.check(case(**SLOTS)) is None
