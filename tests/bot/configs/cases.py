"""Advices to write configurations for, and the schemas to hold them against."""

from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import yaml

from advisor.advice import Advice, Setup, Verdict
from advisor.query import CardCount, Kind, Query

SCHEMAS = Path(__file__).parent / "schemas"


def advice(
    gpu: str | None = None, *, trainer: str | None = None, query: dict[str, Any] | None = None, **facts: Any
) -> Advice:
    """An advice on Qwen3-8B by QLoRA; `facts` change its set-up."""
    base = {
        "model": "Qwen3-8B",
        "model_id": "Qwen/Qwen3-8B",
        "params": 8_190_735_360,
        "vocab": 151_936,
        "hidden": 4096,
        "layers": 36,
        "method": "qlora",
        "weight_bits": 4,
        "seq_len": 2048,
        "micro_batch": 1,
        "lora_rank": 16,
        "lora_targets": "all-linear",
    }
    setup = Setup(**{**base, **facts})
    cards = (CardCount(gpu=gpu, name=gpu, count=setup.n_gpus),) if gpu else ()
    slots = {"model": setup.model_id, "sources": {"model": "stated"}, "gpus": cards, "trainer": trainer}
    return Advice(
        kind=Kind.FITS_CHECK, query=Query(**{**slots, **(query or {})}), verdict=Verdict(code="fits"), setup=setup
    )


def taught(case: Advice, algorithm: str) -> Advice:
    """The same advice, asked for another algorithm."""
    return case.model_copy(update={"query": case.query.model_copy(update={"algorithm": algorithm})})


def many() -> list[Advice]:
    """Set-ups that differ in everything a template looks at."""
    methods = [("qlora", 4), ("lora", 16), ("lora", 8), ("dora", 16), ("qdora", 4), ("full", 16)]
    cards = [
        ("rtx-3090", 1, "none", "none"),
        ("t4", 1, "none", "none"),
        ("rtx-3090", 2, "ddp", "none"),
        ("rtx-3090", 2, "fsdp", "params"),
        (None, 4, "zero3", "none"),
    ]
    found = [
        advice(gpu, method=method, weight_bits=bits, n_gpus=n, sharding=sharding, offload=offload, lora_targets=targets)
        for (method, bits), (gpu, n, sharding, offload), targets in product(
            methods, cards, ("all", "qv", ("q_proj", "o_proj"))
        )
    ]
    found += [
        advice(model_id="meta-llama/Llama-3.1-8B", model="Llama-3.1-8B"),
        advice(query={"packing": True, "grad_accum": 4, "epochs": 3, "dataset_examples": 5000}),
        advice(optimizer="paged_adamw_8bit", grad_checkpointing=False, micro_batch=4, seq_len=8192, lora_rank=64),
        advice("apple-m4-max"),
        advice(model_id=None, generic=True, query={"model": None}),
    ]
    return found


@cache
def schema(trainer: str) -> dict[str, Any]:
    """What a trainer accepts: callable or file → name → kinds of value."""
    loaded = yaml.safe_load((SCHEMAS / f"{trainer}.yaml").read_text("utf-8"))
    assert isinstance(loaded, dict)
    return loaded


def misfit(value: object, kinds: str) -> bool:
    """Whether a value is none of the kinds that a schema names."""
    allowed = kinds.split(" | ")
    if "any" in allowed or str(value) in [kind.strip('"') for kind in allowed if kind.startswith('"')]:
        return False
    names = {bool: ("bool",), int: ("int", "float"), float: ("float",), str: ("str",), list: ("list",), dict: ("dict",)}
    return value is not None and not set(names[type(value)]) & set(allowed)
