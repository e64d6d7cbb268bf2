"""A case in one line, as the advisor hands it to the rules: the topic has answered, the rules come next."""

from typing import Any

from advisor import topics
from advisor.case import Case
from advisor.estimator import estimate
from advisor.query import CardCount, Kind, Query, SetUp
from advisor.stacks import GIB, LORA_RANK
from knowledge.catalog import load_catalog


def cards(gpu: str, count: int = 1) -> tuple[CardCount, ...]:
    """So many catalogued cards."""
    entry = load_catalog().gpus[gpu]
    return (CardCount(gpu=gpu, name=entry.name, count=count, vram_gb=entry.vram_gb),)


def card(gpu: str, count: int = 1) -> CardCount:
    """A catalogued card, as often as said."""
    return cards(gpu, count)[0]


def stated(kind: Kind, *, named: dict[str, tuple[str, ...]] | None = None, **slots: Any) -> Query:
    """A query in which everything counts as stated; `named`: what was named beside it."""
    return Query(kind=kind, sources=dict.fromkeys(slots, "stated"), named=named or {}, **slots)


def case(**slots: Any) -> Case:
    """A case whose topic has spoken; every slot counts as stated."""
    query = Query(sources={name: "stated" for name in slots if name != "kind"}, **slots)
    made = Case(query, load_catalog())
    made.advice = topics.answer(made)
    return made


def tight_gb(**slots: Any) -> float:
    """GB on the box of a card that this set-up fills to the brim."""
    base = {"seq_len": 2048, "micro_batch": 1, "grad_checkpointing": True, "optimizer": "adamw_8bit"}
    set_up = SetUp(**(base | {"lora_rank": LORA_RANK, "lora_targets": "all-linear", "trainer": "unsloth"} | slots))
    return round(estimate(set_up, load_catalog()).device / GIB / 0.985 / 0.98, 2)


TIGHT = tight_gb(params_b=8.0, method="lora")
"""A card that an 8B with 16-bit LoRA fills."""
