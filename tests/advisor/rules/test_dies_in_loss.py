"""The rule dies_in_loss."""

from advisor.rules import dies_in_loss
from tests.advisor.rules.ask import case

LLAMA = {"kind": "oom_help", "model": "meta-llama/Meta-Llama-3-8B", "seq_len": 8192}


def test_counts_the_logits() -> None:
    found = dies_in_loss.check(case(**LLAMA, symptoms=("oom_step", "in_the_loss")))
    assert found is not None
    assert found.facts["one"] == 4 * 8192 * 128_256


def test_speaks_without_a_model() -> None:
    assert dies_in_loss.check(case(kind="oom_help", symptoms=("oom_step", "in_the_loss"))) is not None


def test_silent_elsewhere() -> None:
    assert dies_in_loss.check(case(**LLAMA, symptoms=("oom_step",))) is None
