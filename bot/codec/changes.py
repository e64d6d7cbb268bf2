"""What a button can change: "seq_len=8192", or a few such parts joined by ";". From outside, so bounded and listed."""

from collections.abc import Callable, Mapping
from typing import Any

from advisor.errors import BadValue
from advisor.query import CardCount, Kind, Query, Source
from bot.codec import words
from bot.codec.bits import BrokenError
from bot.codec.short import lengthen
from knowledge.catalog import load_catalog

LONGEST = 100
MOST_PARTS = 6
WEIGHT_BITS = (2, 3, 4, 5, 6, 8, 16, 32)
YES_NO = {"true": True, "false": False}

Reader = Callable[[str], Any]


def apply_change(query: Query, change: str) -> Query:
    """The query after a pressed button: changed slots are stated, the others remembered.

    Raises BadValue for a slot or a value that no button of ours offers.
    """
    parts = change.split(";")
    if len(change) > LONGEST or len(parts) > MOST_PARTS:
        raise _bad(change)
    changed: dict[str, Any] = {}
    for part in parts:
        slot, value = _slot_and_value(part)
        changed |= _one(query.model_copy(update=changed), slot, READERS[slot](value))
    slots = {name: getattr(query, name) for name in query.sources} | changed
    sources: dict[str, Source] = {
        name: "remembered" if source == "stated" else source for name, source in query.sources.items()
    }
    sources |= dict.fromkeys(changed, "stated")
    gone = [name for name in changed if slots[name] in (None, ())]
    for name in gone:
        sources.pop(name)
    kind = changed.pop("kind", query.kind)
    if kind in (Kind.HELP, Kind.FAQ_DEFINITION, Kind.OFF_TOPIC, Kind.INFERENCE_ONLY):
        kind = Kind.FITS_CHECK if slots.get("gpus") else Kind.WHICH_GPU
    sources.pop("kind", None)
    told = {name: kept for name, kept in _told(query).items() if name not in changed}
    return query.model_copy(update={**changed, **told, "kind": kind, "sources": sources})


def _slot_and_value(part: str) -> tuple[str, str]:
    try:
        slot, equals, value = lengthen(part).partition("=")
    except BrokenError as broken:
        raise _bad(part) from broken
    if not equals or slot not in READERS:
        raise _bad(part)
    return slot, value


def _told(query: Query) -> dict[str, Any]:
    """What was said about names (unknown, ambiguous) is said once: a button leaves it behind."""
    return {"unknown": {}, "nearest": {}, "ambiguous": query.ambiguous, "faq": None}


def _one(query: Query, slot: str, value: Any) -> dict[str, Any]:
    """The slots that this change touches: some change with it what no longer holds."""
    if slot in ("n_gpus", "count"):
        return _count(query, value)
    if slot == "gpu":
        return _card(query, value)
    if slot == "vram_gb":
        count = query.gpus[0].count if query.gpus else 1
        return {"gpus": (CardCount(count=count, vram_gb=value),), "candidates": ()}
    if slot == "model":
        return {"model": value, "params_b": None, "arch": None, "models": ()}
    if slot == "params_b":
        return {"params_b": value, "model": None, "arch": None, "models": ()}
    if slot == "method":
        bits = {"weight_bits": None} if query.weight_bits is not None else {}
        return {"method": value, **bits}
    return {slot: value}


def _count(query: Query, count: int) -> dict[str, Any]:
    if not query.gpus:
        return {"n_gpus": count}
    single = {"sharding": None} if count == 1 and query.sharding is not None else {}
    total = {"n_gpus": count} if query.n_gpus is not None else {}
    return {"gpus": (query.gpus[0].model_copy(update={"count": count}),), **single, **total}


def _card(query: Query, gpu: str) -> dict[str, Any]:
    known = load_catalog().gpus[gpu]
    count = query.gpus[0].count if query.gpus else 1
    return {"gpus": (CardCount(gpu=gpu, name=known.name, count=count, vram_gb=known.vram_gb),), "candidates": ()}


def _bad(asked: str) -> BadValue:
    return BadValue("No button offers this change.", "Ask again in words.", field="change", value=asked[:LONGEST])


def _whole(low: int, high: int) -> Reader:
    def read(value: str) -> int:
        if not (value.isascii() and value.isdigit() and len(value) <= 12 and low <= int(value) <= high):
            raise _bad(value)
        return int(value)

    return read


def _number(low: float, high: float) -> Reader:
    def read(value: str) -> float:
        digits = value.replace(".", "", 1)
        if not (digits.isascii() and digits.isdigit() and len(value) <= 12 and low <= float(value) <= high):
            raise _bad(value)
        return float(value)

    return read


def _one_of(values: tuple[str, ...]) -> Reader:
    def read(value: str) -> str:
        if value not in values:
            raise _bad(value)
        return value

    return read


def _yes_no(value: str) -> bool:
    if value not in YES_NO:
        raise _bad(value)
    return YES_NO[value]


def _bits(value: str) -> float:
    if value not in map(str, WEIGHT_BITS):
        raise _bad(value)
    return float(value)


def _checkpointing(value: str) -> bool | str:
    return value if value == "unsloth" else _yes_no(value)


def _known(table: str) -> Reader:
    def read(value: str) -> str:
        if value not in getattr(load_catalog(), table):
            raise _bad(value)
        return value

    return read


def _kind(value: str) -> Kind:
    if value not in words.KINDS:
        raise _bad(value)
    return Kind(value)


READERS: Mapping[str, Reader] = {
    "kind": _kind,
    "model": _known("models"),
    "params_b": _number(0.01, 5_000),
    "method": _one_of(words.METHODS),
    "weight_bits": _bits,
    "seq_len": _whole(1, 10_000_000),
    "micro_batch": _whole(1, 4_096),
    "grad_accum": _whole(1, 65_536),
    "lora_rank": _whole(1, 4_096),
    "trainer": _known("trainers"),
    "optimizer": _one_of(words.OPTIMIZERS),
    "grad_checkpointing": _checkpointing,
    "attention": _one_of(words.ATTENTION),
    "compute_dtype": _one_of(words.DTYPES),
    "fused_loss": _yes_no,
    "packing": _yes_no,
    "algorithm": _one_of(words.ALGORITHMS),
    "gpu": _known("gpus"),
    "n_gpus": _whole(1, 4_096),
    "count": _whole(1, 4_096),
    "vram_gb": _number(1, 4_096),
    "sharding": _one_of(words.SHARDING),
    "offload": _one_of(words.OFFLOAD),
    "ram_gb": _number(1, 100_000),
    "os": _one_of(words.SYSTEMS),
    "dataset_examples": _whole(1, 10**9),
    "epochs": _number(0.01, 10_000),
}
"""Slot → how its value is read. "count" and "n_gpus" both mean so many of the same card."""
