"""Rent, the machine at hand, or a card at a price that somebody names: the first line says which."""

import pytest

from bot.renderer import render
from tests.advisor.topics.test_cost_buy_vs_rent import card, cost


@pytest.mark.parametrize("language", ["en", "de"])
def test_rent_or_a_mac_gets_a_recommendation_and_the_memory_that_is_counted(language: str) -> None:
    """A small 5B run: hours on a Mac that is sold from 24 GB on, minutes on a rented card."""
    advice = cost(params_b=5.0, dataset_examples=988, gpus=(card("apple-m4-pro"),), providers=("RunPod", "Vast.ai"))
    facts = advice.verdict.facts
    assert facts["take"] == "rent"
    assert facts["own"]["from_gb"] == 24
    shown = render(advice, language)
    assert shown.title.startswith({"en": "Rent it", "de": "Miete"}[language])
    assert "24 GB" in shown.text


def test_a_fast_card_at_home_is_used() -> None:
    run = {"params_b": 7.0, "dataset_examples": 2000, "providers": ("RunPod",)}
    facts = cost(**run, gpus=(card("rtx-4090"),)).verdict.facts
    assert facts["take"] == "own"
    assert facts["own"]["from_gb"] is None
    assert cost(**run, gpus=(card("rtx-4090"), card("a100-80gb-sxm"))).verdict.facts["take"] is None  # owns neither


def test_tries_that_fail_are_counted() -> None:
    facts = cost(params_b=7.0, dataset_examples=2000).verdict.facts
    low, high = facts["rent"][0]["cost"]
    assert facts["tries"] == (2 * low, 3 * high)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_price_that_the_asker_names_is_the_one_that_pays_off(language: str) -> None:
    advice = cost(gpus=(card("a100-80gb-sxm"),), budget=15_000.0)
    facts, rent = advice.verdict.facts, advice.verdict.facts["rent"][0]["price"]
    assert facts["offered"] == 15_000
    assert facts["break_even"][0] == pytest.approx(15_000 / (rent["high"] - facts["power_usd"]))
    assert {"en": "15,000 USD", "de": "15.000 USD"}[language] in render(advice, language).title
    assert cost(gpus=(card("a100-80gb-sxm"),), budget=100.0).verdict.facts["offered"] is None  # money for hours


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_card_whose_price_is_named_is_not_owned_yet(language: str) -> None:
    """A 4090 for 1,800 or rent, for a few small runs: rented, with the hours after which the card pays off."""
    advice = cost(params_b=8.0, dataset_examples=2000, gpus=(card("rtx-4090"),), budget=1800.0, currency="EUR")
    assert advice.verdict.facts["own"] is None
    assert advice.verdict.facts["take"] == "rent"
    shown = render(advice, language)
    assert shown.title.startswith({"en": "Rent it", "de": "Miete"}[language])
    assert {"en": "at 1,800 EUR pays off", "de": "für 1.800 EUR lohnt sich"}[language] in shown.title
    assert {"en": "your own", "de": "deiner eigenen"}[language] not in shown.text


def test_a_price_counts_where_none_is_on_record() -> None:
    asked = {"gpus": (card("h100-sxm"),), "hours_per_week": 20.0}
    assert cost(**asked).verdict.code == "rent"
    offered = cost(**asked, budget=30_000.0)
    assert offered.verdict.code == "week"
    assert "30,000 USD" in render(offered, "en").title
    assert "30.000 USD" in render(offered, "de").title
