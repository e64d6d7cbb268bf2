"""The rule second_run."""

from advisor.advisor import advise
from advisor.rules import second_run
from bot.renderer import render
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import cards, case

GIVEN = {"kind": "oom_help", "params_b": 7.0, "method": "qlora", "gpus": cards("rtx-3090")}


def test_speaks() -> None:
    found = second_run.check(case(**GIVEN, symptoms=("oom_step", "second_run")))
    assert found is not None
    assert found.gravity == "stop"


def test_silent_on_a_first_run() -> None:
    assert second_run.check(case(**GIVEN, symptoms=("oom_step",))) is None


def test_it_leads() -> None:
    query = case(**GIVEN, symptoms=("oom_step", "second_run")).query
    assert render(advise(query, load_catalog()), "en").title.startswith("The first run still holds")
    assert render(advise(query, load_catalog()), "de").title.startswith("Der erste Lauf")
