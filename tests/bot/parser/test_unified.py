"""Memory that processor and card share: a Mac has what its owner says, however they say it."""

import pytest

from advisor.query import Kind, Query
from bot.messages import Question
from bot.parser import read
from bot.pipeline import answer


def query(text: str) -> Query:
    return read(Question(text=text)).query


@pytest.mark.parametrize(
    ("text", "gb"),
    [
        ("M1 macbook pro with just 8gb. can i finetune on it or is 16 really the minimum?", 8),
        ("m2 mac mini with only 8 gb", 8),
        ("my macbook m1 has a measly 8GB, 1b lora?", 8),
        ("M4 mac mini, base model 16gb, 3b qlora", 16),
        ("just 8gb on my M1. 1b lora?", 8),
        ("M3 Pro that only has 18GB", 18),
        ("M4 Pro with a meager 24gb unified memory, 7b", 24),
        ("M2 Max 32GB RAM, 8b qlora?", 32),
        ("M4 Max with 64gb of ram, can i finetune 32b?", 64),
        ("i have an m1. it has 8 gb in total. 3b lora?", 8),
        ("Mein M3 Pro hat nur 18 GB RAM. Reicht das für 7B?", 18),
        ("M1 Macbook mit lediglich 8GB, geht da was?", 8),
        ("ich hab nur 8 GB in meinem M1 Macbook", 8),
        ("M2 Ultra im Büro, es sind die 64 GB, 70b QLoRA?", 64),
        ("M4 Pro, Arbeitsspeicher 24 GB, Mistral 7B LoRA", 24),
    ],
)
def test_the_memory_that_is_told_of_a_mac_is_its_own(text: str, gb: float) -> None:
    assert [card.vram_gb for card in query(text).gpus] == [gb]


@pytest.mark.parametrize(
    ("text", "gb"),
    [
        ("M1 Max, training uses 32 GB. 7b lora", 64),
        ("M1 Pro, 7b qlora peaks at 16GB", 32),
        ("m2 macbook, the dataset is 8 GB, lora", 24),
        ("my M1 Pro, the readme says 16 GB. 7b lora?", 32),
        ("M4 Max, Training belegt 64 GB, 32b qlora", 128),
        ("M2, davon 8 GB auf der Platte frei, 3b lora", 24),
        ("M2 Max, 7b lora, tokens 4096, 20 GB", 96),
    ],
)
def test_amounts_of_a_run_a_disk_or_others_are_no_macs(text: str, gb: float) -> None:
    assert [card.vram_gb for card in query(text).gpus] == [gb]


@pytest.mark.parametrize("text", ["M4 Max with 64gb of ram, can i finetune 32b?", "m1 air 8gb ram"])
def test_a_macs_ram_is_asked_about_as_its_cards_memory(text: str) -> None:
    assert query(text).kind is Kind.FITS_CHECK


def test_ram_that_a_merge_fills_stays_ram() -> None:
    assert query("M2 Pro 16 GB RAM, gets killed while merging 7b lora").kind is Kind.SYSTEM_RAM


def test_ram_beside_a_card_stays_ram() -> None:
    assert [card.vram_gb for card in query("3060 12GB with 32GB RAM, 8b qlora").gpus] == [12]


@pytest.mark.parametrize(
    "text", ["M1 with just 8gb, what can i finetune?", "mein M2 Air hat nur 8 GB, was kann ich trainieren?"]
)
def test_a_small_mac_is_told_of_small_models(text: str) -> None:
    said = answer(Question(text=text)).reply.text
    assert "1B" in said.partition("\n")[0]
    assert "6.5 GiB | " in said.replace(",", ".")
