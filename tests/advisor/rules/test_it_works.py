"""The rule it_works."""

from advisor.rules import it_works
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    made = case(
        params_b=6.0,
        kind="which_gpu",
        gpus=cards("rtx-3080-10gb"),
        method="lora",
        micro_batch=16,
        weight_bits=8,
        symptoms=("it_works",),
    )
    assert it_works.check(made) is not None


def test_silent() -> None:
    made = case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"), symptoms=("it_works",))
    assert it_works.check(made) is None


RUNS = {"params_b": 13.0, "kind": "which_gpu", "gpus": cards("rtx-3090"), "method": "lora", "micro_batch": 16}


def test_a_reading_that_the_card_holds_counts_as_running() -> None:
    found = it_works.check(case(**RUNS, weight_bits=8.0, seen_gib=22.7))
    assert found is not None
    assert (found.gravity, found.facts["tokens"]) == ("stop", 512)
    beside = it_works.check(case(**RUNS, weight_bits=8.0, seen_gib=22.7, claims=("shared_memory_counts",)))
    assert beside is not None
    assert beside.gravity == "correct"


def test_silent_where_one_of_two_ran_and_the_other_died() -> None:
    named = {"algorithm": ("sft", "orpo")}
    assert it_works.check(case(**RUNS, symptoms=("it_works", "oom_step"), named=named)) is None
    assert it_works.check(case(**RUNS, seen_gib=22.7, symptoms=("oom_step",))) is None
    assert it_works.check(case(**RUNS, seen_gib=40.0)) is None
