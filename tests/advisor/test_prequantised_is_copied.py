"""Weights that come quantised cannot be split: where nobody says how, every card holds a copy."""

from advisor.case import Case
from advisor.query import CardCount, Kind
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import stated


def test_every_card_holds_a_copy() -> None:
    slots = {
        "model": "meta-llama/Llama-3.3-70B-Instruct",
        "method": "qlora",
        "quant": "awq",
        "gpus": (CardCount(gpu="l40s", name="L40S", count=2, vram_gb=48),),
    }
    query = stated(Kind.OOM_HELP, **slots)
    assert Case(query, load_catalog()).sharding == "ddp"
