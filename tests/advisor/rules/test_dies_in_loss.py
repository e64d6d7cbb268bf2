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


def test_the_block_that_was_asked_for_is_tokens_times_words() -> None:
    """Reported: an 8B in 4 bit at up to 18k tokens asks for 9.47 GiB in `_convert_to_fp32` on a T4."""
    told = LLAMA | {"seq_len": 18_432, "micro_batch": 2, "trainer": "unsloth", "symptoms": ("oom_step", "in_the_loss")}
    found = dies_in_loss.check(case(**told, tried_allocate_gib=9.47))
    assert found is not None
    assert found.facts["rows"] == 19_820
    assert found.facts["block"]
    assert found.facts["fused"]
    for other in (0.1, 60.0):  # far too few tokens, and more than there are
        found = dies_in_loss.check(case(**told, tried_allocate_gib=other))
        assert found is not None
        assert found.facts["block"] is None
