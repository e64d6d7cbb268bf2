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
