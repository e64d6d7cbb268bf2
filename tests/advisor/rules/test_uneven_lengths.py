"""The rule uneven_lengths."""

from advisor.advisor import advise
from advisor.rules import one_card_used, uneven_lengths
from bot.renderer import render
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import cards, case

SPLIT = {"kind": "multi_gpu", "params_b": 8.0, "method": "lora", "gpus": cards("rtx-4090", 4)}


def test_speaks_where_the_cards_have_batches_of_their_own() -> None:
    made = case(**SPLIT, sharding="zero3", symptoms=("uneven",))
    assert uneven_lengths.check(made) is not None
    assert one_card_used.check(made) is None


def test_silent_where_layers_are_spread() -> None:
    made = case(**SPLIT, symptoms=("uneven",))
    assert uneven_lengths.check(made) is None
    assert one_card_used.check(made) is not None


def test_a_trainer_that_starts_every_card_has_uneven_batches() -> None:
    made = case(**SPLIT, trainer="deepspeed", algorithm="dpo", symptoms=("uneven",))
    found = uneven_lengths.check(made)
    assert found is not None
    assert found.facts["pairs"]
    assert one_card_used.check(made) is None


def test_whether_it_fits_comes_before_why_one_card_holds_more() -> None:
    """Asked in a tracker: 8k on four 4090, tried on A100 where one card went over 40 GB; can it be got down to 24?"""
    slots = SPLIT | {"kind": "context_length", "seq_len": 8192, "sharding": "zero3", "offload": "params"}
    fits = advise(case(**slots, symptoms=("uneven",)).query, load_catalog())
    assert {f.code: f.gravity for f in fits.findings}["uneven_lengths"] == "warn"
    assert render(fits, "en").title.startswith("Yes, 8k tokens fit")
    died = advise(case(**SPLIT, sharding="zero3", symptoms=("uneven", "oom_step")).query, load_catalog())
    assert {f.code: f.gravity for f in died.findings}["uneven_lengths"] == "stop"
