"""Every kind of question gets an answer in both languages, from nothing stated to everything stated."""

import itertools

import pytest

from advisor.advisor import advise
from advisor.query import CardCount, Kind, Query
from bot.messages import Reply, Table
from bot.renderer import render
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import card, stated

DISCORD_TEXT = 4000


MODELS: list[dict[str, object]] = [
    {},
    {"params_b": 13.0},
    {"params_b": 0.1},
    {"params_b": 2000.0},
    {"model": "meta-llama/Llama-3.1-8B"},
    {"model": "Qwen/Qwen3-30B-A3B"},
    {"model": "openai-community/gpt2"},
]
CARDS: list[dict[str, object]] = [
    {},
    {"gpus": (card("rtx-3090"),)},
    {"gpus": (card("rtx-3090", 2),)},
    {"gpus": (card("rtx-4090"), card("rtx-3060-12gb"))},
    {"gpus": (CardCount(vram_gb=4),)},
    {"gpus": (card("apple-m3-max"),)},
    {"gpus": (card("rx-7900-xtx"),)},
    {"gpus": (CardCount(count=3),)},
]
MORE: list[dict[str, object]] = [
    {},
    {"method": "full", "seq_len": 131072},
    {"method": "lora", "micro_batch": 8, "trainer": "trl"},
    {
        "dataset_examples": 5000,
        "epochs": 3.0,
        "budget": 900.0,
        "currency": "EUR",
        "ram_gb": 16.0,
        "symptoms": ("oom_step",),
    },
]


@pytest.mark.parametrize("kind", list(Kind))
def test_every_combination_is_answered(kind: Kind) -> None:
    for model, cards, more in itertools.product(MODELS, CARDS, MORE):
        slots = {**model, **cards, **more}
        query = stated(kind, **slots)
        advice = advise(query, load_catalog())
        assert len(advice.findings) <= 3
        reply = render(advice, "en")
        assert 0 < len(reply.text) <= DISCORD_TEXT
        assert reply.title


def tables(reply: Reply) -> list[int]:
    """Rows of every table, those behind "more" too."""
    return [len(block.rows) for block in (*reply.blocks, *reply.more) if isinstance(block, Table)]


@pytest.mark.parametrize("kind", list(Kind))
def test_german_says_the_same(kind: Kind) -> None:
    for model, cards in itertools.product(MODELS[:5], CARDS[:4]):
        slots = {**model, **cards}
        query = stated(kind, **slots)
        advice = advise(query, load_catalog())
        english, german = render(advice, "en"), render(advice, "de")
        assert tables(english) == tables(german)
        assert [b.change for b in english.buttons if b.change != "show=more"] == [
            b.change for b in german.buttons if b.change != "show=more"
        ]


def test_advice_is_pure() -> None:
    query = Query(kind=Kind.WHICH_GPU, params_b=13.0, sources={"params_b": "stated"})
    assert advise(query, load_catalog()) == advise(query, load_catalog())
    assert advise(query, load_catalog()).model_dump_json()
