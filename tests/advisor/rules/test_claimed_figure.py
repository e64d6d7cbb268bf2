"""The rule claimed_figure."""

import pytest

from advisor.advisor import advise
from advisor.query import Kind
from advisor.rules import claimed_figure, table_covers_me
from bot.renderer import render
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import cards, case, stated

FOURTEEN = {"model": "Qwen/Qwen2.5-14B", "kind": "fits_check", "method": "qlora", "seq_len": 4096}


@pytest.mark.parametrize(
    ("claimed", "why"), [(6.0, "low"), (14.0, "lean"), (19.0, "between"), (27.0, "stock"), (60.0, "high")]
)
def test_a_figure_is_held_against_both_stacks(claimed: float, why: str) -> None:
    found = claimed_figure.check(case(**FOURTEEN, claimed_gib=claimed))
    assert found is not None
    assert found.facts["why"] == why
    assert [found.facts["lean"][0], found.facts["stock"][0]] == ["unsloth", "stock"]


def test_it_speaks_in_place_of_what_is_said_of_tables_in_general() -> None:
    asked = case(**FOURTEEN, claimed_gib=14.0, claims=("table_covers_me",))
    assert claimed_figure.check(asked) is not None
    assert table_covers_me.check(asked) is None


def test_silent_without_a_figure_or_where_a_reading_stands_beside_it() -> None:
    assert claimed_figure.check(case(**FOURTEEN)) is None
    assert claimed_figure.check(case(**FOURTEEN, claimed_gib=10.0, seen_gib=22.0)) is None
    assert claimed_figure.check(case(kind="fits_check", claimed_gib=10.0)) is None


def test_where_both_are_near_the_nearer_one_is_meant() -> None:
    found = claimed_figure.check(case(params_b=8.0, kind="fits_check", method="lora", claimed_gib=20.0))
    assert found is not None
    assert found.facts["why"] == "stock"


def test_the_cards_own_size_is_no_figure() -> None:
    assert claimed_figure.check(case(**FOURTEEN, claimed_gib=24.0, gpus=cards("rtx-4090"))) is None


@pytest.mark.parametrize(
    ("claimed", "why"),
    [(300.0, "low"), (400.0, "lean"), (560.0, "bf16"), (800.0, "between"), (1120.0, "stock"), (2000.0, "high")],
)
def test_all_weights_are_held_against_all_ways_to_train_them(claimed: float, why: str) -> None:
    """8 bytes a parameter, 560 GB for a 70B, is the sum where weights, gradients and states are bf16."""
    found = claimed_figure.check(case(params_b=70.0, kind="fits_check", method="full", claimed_gib=claimed))
    assert found is not None
    assert found.facts["why"] == why
    assert found.gravity == "stop"  # a sum of one's own: whether it is right is the question
    said = {"params_b": 70.0, "kind": "fits_check", "method": "full", "claims": ("table_covers_me",)}
    table = claimed_figure.check(case(**said, claimed_gib=claimed))
    assert table is not None
    assert (table.gravity == "stop") == (why == "bf16")


@pytest.mark.parametrize(("language", "words"), [("en", "Your sum is right"), ("de", "Deine Rechnung stimmt")])
def test_a_right_sum_is_said_to_be_right_before_all_else(language: str, words: str) -> None:
    slots = {"params_b": 70.0, "method": "full", "claimed_gib": 560.0, "offload": "optimizer"}
    eight = tuple(card.model_copy(update={"count": 8}) for card in cards("a100-40gb-pcie"))
    advice = advise(stated(Kind.FITS_CHECK, **slots, gpus=eight), load_catalog())
    title, rest = render(advice, language).text.split("\n\n")[:2]
    assert words in title
    assert "280 GB" in title
    assert "RAM" in rest or "Arbeitsspeicher" in rest


def test_silent_where_the_answer_says_what_the_figure_leaves_out() -> None:
    rollouts = {"model": "Qwen/Qwen2.5-VL-3B-Instruct", "algorithm": "grpo", "symptoms": ("oom_step",)}
    asked = case(**rollouts, kind="oom_help", gpus=cards("l20"), claimed_gib=40.0)
    assert asked.advice is not None
    assert asked.advice.verdict.code == "generate"
    assert claimed_figure.check(asked) is None


@pytest.mark.parametrize(("claimed", "of"), [(140.0, "weights"), (1100.0, "full"), (300.0, None)])
def test_a_figure_far_off_is_about_something_else(claimed: float, of: str | None) -> None:
    found = claimed_figure.check(case(params_b=70.0, kind="fits_check", method="qlora", claimed_gib=claimed))
    assert found is not None
    assert found.facts["of"] == of


def test_a_figure_that_does_not_hold_the_run_is_too_little() -> None:
    """8B in bf16 are 15 GiB of weights alone: 16 do not train all of it, whatever the optimizer."""
    slots = {"params_b": 8.0, "kind": "which_gpu", "method": "full", "optimizer": "lomo"}
    found = claimed_figure.check(case(**slots, claimed_gib=16.0))
    assert found is not None
    assert found.facts["why"] == "low"
    assert found.facts["lean"][1] < 25 * 2**30


@pytest.mark.parametrize(
    ("claimed", "of"), [(112.0, "full"), (140.0, "full"), (14.0, "weights"), (60.0, None), (200.0, None)]
)
def test_a_rule_of_thumb_for_all_weights_is_called_one(claimed: float, of: str | None) -> None:
    """16 bytes a parameter, and 20 as in "7 x 20": both are said of training all weights."""
    found = claimed_figure.check(case(params_b=7.0, kind="fits_check", method="qlora", claimed_gib=claimed))
    assert found is not None
    assert found.facts["of"] == of
