"""What is stated steers the figures, and the first paragraph says which methods fit."""

from typing import Any

import pytest

from advisor.advisor import advise
from advisor.query import CardCount, Kind, Query
from bot.renderer import render
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import cards


def _rows(**slots: Any) -> list[dict[str, Any]]:
    gpus = load_catalog().gpus
    pair = (("rtx-3090", 2), ("rtx-4090", 1))
    named = tuple(CardCount(gpu=i, name=gpus[i].name, count=n, vram_gb=gpus[i].vram_gb) for i, n in pair)
    slots |= {"gpus": named, "candidates": tuple((card,) for card in named)}
    advice = advise(Query(kind=Kind.COMPARE_GPUS, sources=dict.fromkeys(slots, "stated"), **slots), load_catalog())
    rows: list[dict[str, Any]] = advice.verdict.facts["rows"]
    return rows


def test_sizes_are_told_for_the_trainer_that_is_named() -> None:
    """32B with QLoRA fits 24 GB on Unsloth; Axolotl holds 14B there, and 32B on two cards that share it."""
    assert [row["alone"] for row in _rows(trainer="axolotl")] == [14.0, 14.0]
    assert [row["most"] for row in _rows(trainer="axolotl")] == [32.0, 14.0]
    assert [row["alone"] for row in _rows()] == [32.0, 32.0]


@pytest.mark.parametrize("language", ["en", "de"])
def test_whose_memory_does_not_add_up_hears_at_once_which_methods_fit(language: str) -> None:
    slots: dict[str, Any] = {"model": "mosaicml/mpt-7b", "n_gpus": 2, "claims": ("vram_adds_up",)}
    said = {"en": "all weights do not", "de": "alle Gewichte nicht"}[language]
    small, large = (
        render(advise(Query(kind=Kind.MULTI_GPU, **slots, gpus=cards(card, 2)), load_catalog()), language).text
        for card in ("rtx-3090", "a100-80gb-sxm")
    )
    assert said in small.split("\n\n")[0]
    assert said not in large


@pytest.mark.parametrize("language", ["en", "de"])
def test_where_16_bit_is_too_much_8_bit_is_told_too(language: str) -> None:
    def asked(**slots: Any) -> Any:
        query = Query(kind=Kind.FITS_CHECK, method="lora", gpus=cards("l4"), **slots)
        return advise(query, load_catalog())

    between = render(asked(model="huggyllama/llama-13b"), language)
    assert between.title.startswith({"en": "Not in 16 bit", "de": "Nicht in 16 Bit"}[language])
    assert {"en": "8-bit base takes", "de": "8-Bit-Basis braucht"}[language] in between.text
    for slots in ({"params_b": 13.0, "weight_bits": 16.0}, {"params_b": 70.0}, {"params_b": 7.0}):
        assert asked(**slots).verdict.facts["eight_bit"] is None


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_fits_only_when_split_is_not_just_denied(language: str) -> None:
    """All weights of an 8B with AdamW: too much for one A100 80 GB, two of them share it."""

    def asked(**slots: Any) -> Any:
        slots |= {"method": "full", "gpus": cards("a100-80gb-sxm", 2), "n_gpus": 2}
        return advise(Query(kind=Kind.FITS_CHECK, **slots), load_catalog())

    shared = asked(model="meta-llama/Llama-3.1-8B")
    assert shared.verdict.facts["stock_split"].fit in ("yes", "tight")
    assert {"en": "(split, FSDP or ZeRO-3", "de": "(aufgeteilt, FSDP oder ZeRO-3"}[language] in render(
        shared, language
    ).text
    assert asked(model="meta-llama/Llama-3.1-8B", sharding="ddp").verdict.facts["stock_split"] is None
    assert asked(model="meta-llama/Llama-3.2-1B").verdict.facts["stock_split"] is None
