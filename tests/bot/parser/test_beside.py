"""Nameless cards of a told size beside a named one."""

import pytest

from bot.messages import Question
from bot.parser import read
from bot.pipeline import answer

ODD_BOX = (
    "odd box: one 3090 24 gig plus two 16 gig cards, 56 GB all together. can i use fsdp+qlora on it and how big can "
    "the model be?"
)


@pytest.mark.parametrize(
    ("text", "gpus"),
    [
        (ODD_BOX, [("rtx-3090", 1, 24), (None, 2, 16)]),
        ("3090 plus two 16GB cards, qlora", [("rtx-3090", 1, 24), (None, 2, 16)]),
        ("two 16GB cards plus a 3090, qlora", [(None, 2, 16), ("rtx-3090", 1, 24)]),
        ("a 4090 and another 12 gb card, lora", [("rtx-4090", 1, 24), (None, 1, 12)]),
        ("3060 12gb and an old 8gb card in the second slot, lora", [("rtx-3060-12gb", 1, 12), (None, 1, 8)]),
        ("eine 3090 und zwei 16-GB-Karten, zusammen 56 GB, QLoRA", [("rtx-3090", 1, 24), (None, 2, 16)]),
        ("eine 4090 neben einer alten 8-GB-Karte, LoRA", [("rtx-4090", 1, 24), (None, 1, 8)]),
    ],
)
def test_added_cards(text: str, gpus: list[tuple[str | None, int, float]]) -> None:
    query = read(Question(text=text)).query
    assert [(card.gpu, card.count, card.vram_gb) for card in query.gpus] == gpus
    assert "mixed_cards_add_up" in query.claims


@pytest.mark.parametrize(
    "text",
    [
        "RTX 3090, but people do this on a 16GB card, qlora",
        "my 3090 24GB vs a 48GB card, lora",
        "should I swap my 3090 for two 16GB cards? lora",
        "I have a 3090 and want a 48GB card, lora",
        "3090 and a 24 GB card, is that the same? lora",
        "a 3090 and 48GB cards are too expensive, lora",
        "3090 oder eine 16-GB-Karte für LoRA?",
    ],
)
def test_cards_that_are_not_there(text: str) -> None:
    assert [card.gpu for card in read(Question(text=text)).query.gpus] == ["rtx-3090"]


@pytest.mark.parametrize("text", [ODD_BOX, "eine 3090 und zwei 16-GB-Karten mit FSDP und QLoRA, geht das?"])
def test_the_smallest_sets_the_limit(text: str) -> None:
    first = answer(Question(text=text)).reply.text.partition("\n")[0]
    assert first.startswith(("**Yes, RTX 3090 + 2× 16 GB", "**Ja, RTX 3090 + 2× 16 GB"))
    assert "32B" in first
