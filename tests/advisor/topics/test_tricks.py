"""One trainer takes half of another: the settings, not the trainer, and what they come to where one is."""

import pytest

from advisor.advice import Advice
from advisor.advisor import advise
from advisor.query import Kind
from bot.renderer import render
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import card, stated

GIB = 2**30
ASKED = {
    "model": "meta-llama/Llama-3.2-3B", "method": "full", "trainer": "torchtune", "gpus": (card("a100-80gb-sxm"),),
    "seen_gib": 35.0, "claims": ("table_covers_me",),
}  # fmt: skip


def ask(kind: Kind = Kind.TRAINER_CHOICE, **slots: object) -> Advice:
    return advise(stated(kind, **{**ASKED, **slots}), load_catalog())


@pytest.mark.parametrize("kind", [Kind.TRAINER_CHOICE, Kind.OOM_HELP, Kind.FITS_CHECK])
def test_the_settings_bring_another_trainer_as_low(kind: Kind) -> None:
    """Reported: a 3B in full takes 35 GB with Hugging Face, under 20 with torchtune."""
    advice = ask(kind)
    assert advice.verdict.code == "tricks"
    facts = advice.verdict.facts
    assert facts["backward"] < 20 * GIB < facts["lean"] < 30 * GIB


@pytest.mark.parametrize("language", ["en", "de"])
def test_whether_to_switch_is_answered_first_and_the_price_is_told(language: str) -> None:
    text = render(ask(), language).text
    assert text.startswith(("**No need to switch", "**Ein Wechsel ist nicht nötig"))
    assert "paged_adamw_8bit" in text
    assert "gradient accumulation" in text or "Gradient Accumulation" in text
    assert len(text) <= 1300


def test_a_run_that_failed_is_helped_and_adapters_are_another_question() -> None:
    assert ask(symptoms=("oom_step",)).verdict.code != "tricks"
    assert ask(method="lora").verdict.code != "tricks"
