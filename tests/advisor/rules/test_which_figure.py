"""The rule which_figure."""

from typing import Any

import pytest

from advisor.rules import which_figure
from bot.messages import Question
from bot.pipeline import answer
from tests.advisor.rules.ask import case

TWO = {"claimed_gib": ("42", "15")}


def asked(**slots: Any) -> Any:
    base = case(**slots)
    base.query = base.query.model_copy(update={"named": TWO, "claimed_gib": 42.0})
    return which_figure.check(base)


def test_speaks() -> None:
    found = asked(kind="fits_check", model="meta-llama/Llama-3.1-8B", method="qlora")
    assert found is not None
    assert not found.facts["too_low"]
    assert found.facts["minimum_gb"] is None


def test_with_rollouts_it_says_what_to_plan() -> None:
    found = asked(kind="fits_check", model="meta-llama/Llama-3.1-8B", method="qlora", algorithm="grpo")
    assert found.facts["minimum_gb"] >= 16


def test_silent_with_one_figure() -> None:
    assert which_figure.check(case(kind="fits_check", params_b=8.0, claimed_gib=42.0)) is None


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("one page wants 42 GB, another says 15 GB for llama 3.1 8b qlora. which is right?", ("42", "15")),
        ("the calculator says 62 GB, my colleague says 24 GB will do. llama 13b lora. who is right?", ("62", "24")),
        ("Auf einer Seite steht 6 GB für 7B QLoRA, auf einer anderen 16 GB. Was stimmt?", ("6", "16")),
        ("Ein Kollege sagt, 12 GB reichen für 7B QLoRA, ein anderer sagt 24 GB. Wer hat recht?", ("12", "24")),
    ],
)
def test_two_quoted_figures_are_nobodys_card(text: str, figures: tuple[str, str]) -> None:
    found = answer(Question(text=text))
    assert found.query.named["claimed_gib"] == figures
    assert found.query.gpus == ()
    assert found.query.seen_gib is None
    assert found.reply.title.startswith(("Both can be right", "Beides kann stimmen", "24.0 GiB are too little"))


@pytest.mark.parametrize(
    ("text", "card_gb"),
    [
        ("LLaMA-Factory table: 7B QLoRA 6GB, 13B 12GB. my card has 8 GB, does 13b work?", 8),
        ("In einer Tabelle steht 13B QLoRA = 12 GB. Meine Karte hat 8 GB, reicht das?", 8),
        ("the model card says 16 GB. i have a 12 GB card, 8b qlora?", 12),
        ("Der Rechner spuckt 19,5 GB für 8B LoRA aus, die Doku 24 GB. Ich hab ne 4080 16 GB. Geht das?", 16),
    ],
)
def test_beside_a_table_the_own_card_is_the_own_one(text: str, card_gb: float) -> None:
    assert [card.vram_gb for card in answer(Question(text=text)).query.gpus] == [card_gb]
