"""The rule seen_against_estimate."""

from advisor.rules import seen_against_estimate
from tests.advisor.rules.ask import cards, case

LONG = {"model": "meta-llama/Llama-3.1-8B", "kind": "context_length", "seq_len": 4096, "method": "qlora"}


def test_speaks_when_a_fitting_run_failed() -> None:
    asked = case(**LONG, gpus=cards("rtx-4090"), symptoms=("oom_step",))
    assert seen_against_estimate.check(asked) is not None


def test_silent_where_one_trainer_does_not_hold_it() -> None:
    """Gemma 3 12B at 4,096 tokens on a 3090: the answer's own table says that the stock loss does not fit."""
    slots = {"model": "google/gemma-3-12b-it", "method": "qlora", "seq_len": 4096, "gpus": cards("rtx-3090")}
    asked = case(kind="context_length", **slots, symptoms=("oom_step",))
    assert asked.lean.fit == "yes"
    assert seen_against_estimate.check(asked) is None


def test_a_stated_fused_loss_is_no_suspect() -> None:
    asked = case(**LONG, fused_loss=True, gpus=cards("a100-80gb-sxm"), symptoms=("oom_step",))
    found = seen_against_estimate.check(asked)
    assert found is not None
    assert found.facts["fused"] is False


def test_silent_without_a_failure() -> None:
    assert seen_against_estimate.check(case(**LONG, gpus=cards("rtx-4090"))) is None


def test_silent_where_the_estimate_agrees() -> None:
    asked = case(params_b=70.0, kind="fits_check", gpus=cards("rtx-4090"), method="lora", symptoms=("oom_step",))
    assert seen_against_estimate.check(asked) is None


def test_silent_where_even_the_leanest_way_does_not_fit() -> None:
    asked = case(
        model="meta-llama/Llama-3.1-8B", kind="context_length", gpus=cards("rtx-3060-12gb"), method="lora",
        seq_len=65_536, symptoms=("oom_step",),
    )  # fmt: skip
    assert asked.lean.fit not in ("yes", "tight")
    assert seen_against_estimate.check(asked) is None


def test_silent_where_the_vocabulary_is_the_reason() -> None:
    slots = {"model": "meta-llama/Meta-Llama-3-8B", "method": "qlora", "seq_len": 16384, "gpus": cards("rtx-4090")}
    asked = case(kind="context_length", **slots, symptoms=("oom_step",), claims=("smaller_model_less_memory",))
    assert seen_against_estimate.check(asked) is None


def test_silent_where_a_shorter_length_ran() -> None:
    asked = {"kind": "context_length", "params_b": 8.0, "method": "qlora", "gpus": cards("a100-80gb-sxm")}
    long = asked | {"seq_len": 32768, "trainer": "unsloth", "symptoms": ("oom_step",)}
    assert seen_against_estimate.check(case(**long, ran_seq_len=24576)) is None
