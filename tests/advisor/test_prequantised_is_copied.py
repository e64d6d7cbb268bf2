"""Weights that come quantised cannot be split: where nobody says how, every card holds a copy."""

from advisor.case import Case
from advisor.query import CardCount, Kind, Query
from knowledge.catalog import load_catalog


def test_every_card_holds_a_copy() -> None:
    slots = {
        "model": "meta-llama/Llama-3.3-70B-Instruct",
        "method": "qlora",
        "quant": "awq",
        "gpus": (CardCount(gpu="l40s", name="L40S", count=2, vram_gb=48),),
    }
    query = Query(kind=Kind.OOM_HELP, sources=dict.fromkeys(slots, "stated"), **slots)  # type: ignore[arg-type]
    assert Case(query, load_catalog()).sharding == "ddp"
