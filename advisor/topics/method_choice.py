"""Full, LoRA or QLoRA? What each takes for this model, which the card holds, and when each is right.

Facts: rows [{method, device, low, high, fit, smallest_gb}], pick, card, usable, rank, few (examples: too few for all
weights), saved (bytes QLoRA saves over LoRA). Of two sizes and two methods ("8B with QLoRA or 3B in full"): rows
[{name, cells}], take (what to take), larger (whether that is the larger size).
"""

from typing import Any

from advisor.advice import Advice, Need, Verdict
from advisor.case import Case
from advisor.options import GOOD
from advisor.query import Kind
from advisor.stacks import FULL_ADAMW, Stack
from advisor.tiers import smallest, split

MANY = 2
MUCH = 50_000
"""Examples from which on all weights may learn what adapters no longer hold ("LoRA Without Regret", 2025; S53)."""
METHOD_OF = {"dora": "lora", "qdora": "qlora", "full_8bit": "full", "master_8bit": "full", "full_adamw": "full"}
"""A named method or a row → the method that stands for it."""
EIGHT_B = 8.0
"""The size that the table speaks of when nobody names one."""
ALONE: dict[str, Any] = {"n_gpus": 1, "sharding": "none", "offload": "none"}
LOOSE: dict[str, Any] = {"weight_bits": None, "quant": None, "fused_loss": None, **ALONE}
MOST_OPTIMIZERS = 4


def answer(case: Case) -> Advice:
    """Advice on the method."""
    stack = case.stacks[0] if case.query.trainer else Stack("unsloth", "unsloth")
    size: dict[str, Any] = {} if case.sized else {"params_b": EIGHT_B}
    if case.sized and case.query.method is None and len(case.query.named.get("optimizer", ())) > 1:
        return _optimizers(case)
    methods = {METHOD_OF.get(name, name) for name in case.query.named.get("method", ())}
    if case.sized and len(case.alternatives) == 1 and len(methods) == MANY and methods <= {"lora", "qlora", "full"}:
        return _grid(case, stack)
    adapters: dict[str, Any] = {
        "lora_rank": case.query.lora_rank or 16,
        "lora_targets": case.query.lora_targets or "all-linear",
    }
    adam: dict[str, Any] = {
        "optimizer": case.query.optimizer if not case.full and case.query.optimizer else "adamw_8bit"
    }
    full_adamw: dict[str, Any] = {"optimizer": "adamw", "autocast": True}
    ways: list[tuple[str, Stack, dict[str, Any]]] = [
        ("qlora", stack, {"method": "qlora", **LOOSE, **size, **adapters, **adam}),
        ("lora", stack, {"method": "lora", **LOOSE, **size, **adapters, **adam}),
        (
            case.lean_full.code,
            _full(case, case.lean_full),
            {"method": "full", **LOOSE, **size, "optimizer": "adamw_8bit"},
        ),
        (FULL_ADAMW.code, _full(case, FULL_ADAMW), {"method": "full", **LOOSE, **size, **full_adamw}),
    ]
    needs = [case.need(way, **values).model_copy(update={"stack": code}) for code, way, values in ways]
    rows = [_row(case, need, way, values) for need, (_, way, values) in zip(needs, ways, strict=True)]
    named = {METHOD_OF.get(name, name) for name in case.query.named.get("method", ())}
    shown = [row for row in rows if len(named) < MANY or METHOD_OF.get(row["code"], row["code"]) in named]
    pick = next((row["code"] for row in (rows[1], rows[0], *rows[2:]) if row in shown and row["fit"] in GOOD), None)
    facts: dict[str, Any] = {
        "rows": shown,
        "shown": [name for name in ("qlora", "lora", "full") if name in named or len(named) < MANY],
        "pick": pick,
        "few": few if "full" in named and (few := case.query.dataset_examples or MUCH) < MUCH else None,
        "fits_full": rows[2]["fit"],
        "card": case.card.name if case.card else "",
        "card_gb": case.card.vram_gb if case.card else None,
        "usable": case.usable,
        "count": case.n_cards,
        "rank": case.query.lora_rank,
        "method": case.query.method,
        "saved": needs[1].device - needs[0].device,
        "qlora": needs[0].device,
        "lora": needs[1].device,
        "full_8bit": needs[2].device,
        "full_adamw": needs[3].device,
        "sized": case.sized,
        "params_b": case.query.params_b or EIGHT_B,
        "seq_len": case.seq_len,
    }
    return Advice(
        kind=Kind.METHOD_CHOICE,
        query=case.query,
        verdict=Verdict(code="methods" if case.sized else "methods_8b", facts=facts),
        setup=case.setup if case.sized else None,
        needs=tuple(needs),
        asks=None if case.sized else "model",
        offers=("method=qlora", "method=lora", "method=full", "show=why", "show=config"),
    )


def _optimizers(case: Case) -> Advice:
    """The named optimizers with all weights trained, and what goes without gradient checkpointing."""
    named = case.query.named["optimizer"][:MOST_OPTIMIZERS]
    values: dict[str, Any] = {"method": "full", **LOOSE, "autocast": True}
    needs = [
        case.need(_full(case, FULL_ADAMW), **values, optimizer=name).model_copy(update={"stack": name})
        for name in named
    ]
    least = min(needs, key=lambda need: need.device)
    open_ = case.need(_full(case, FULL_ADAMW), **values, optimizer=named[0], grad_checkpointing=False)
    facts: dict[str, Any] = {
        "rows": [_row(case, need, FULL_ADAMW, values) for need in needs],
        "least": least.stack,
        "without_checkpointing": max(0, open_.device - needs[0].device),
        "card": case.card.name if case.card else "",
        "card_gb": case.card.vram_gb if case.card else None,
        "usable": case.usable,
    }
    return Advice(
        kind=Kind.METHOD_CHOICE,
        query=case.query,
        verdict=Verdict(code="optimizers", facts=facts),
        setup=case.setup,
        needs=tuple(needs),
        offers=("method=lora", "method=qlora", "show=why"),
    )


def _grid(case: Case, stack: Stack) -> Advice:
    """Two sizes and two methods: each size with each method, the largest that fits first."""
    methods = sorted(case.query.named["method"], key=_worth)
    rows: list[dict[str, Any]] = []
    for name, size in (case.model_name, {}), *case.alternatives:
        cells = [_cell(case, stack, method, size) for method in methods]
        rows.append({"name": name, "params": _params(case, size), "cells": cells})
    rows.sort(key=lambda row: -row["params"])
    open_ = [(row["name"], cell) for row in rows for cell in row["cells"] if case.usable is None or cell["fit"] in GOOD]
    if case.usable is None:
        open_ = sorted(open_[: len(methods)], key=lambda named: named[1]["device"])
    facts: dict[str, Any] = {
        "rows": rows,
        "methods": methods,
        "take": {"name": open_[0][0], **open_[0][1]} if open_ else None,
        "larger": bool(open_) and open_[0][0] == rows[0]["name"],
        "card": case.card.name if case.card else "",
        "card_gb": case.card.vram_gb if case.card else None,
        "usable": case.usable,
        "seq_len": case.seq_len,
    }
    return Advice(
        kind=Kind.METHOD_CHOICE,
        query=case.query,
        verdict=Verdict(code="grid", facts=facts),
        offers=("method=qlora", "method=lora", "method=full", "show=config"),
    )


def _worth(method: str) -> int:
    """16 bit before 4 bit, and all weights last: they pay with much data only."""
    return ("lora", "qlora", "full").index(METHOD_OF.get(method, method))


def _cell(case: Case, stack: Stack, method: str, size: dict[str, Any]) -> dict[str, Any]:
    way = _full(case, case.lean_full) if method == "full" else stack
    values: dict[str, Any] = {"method": method, **LOOSE, **size, "optimizer": "adamw_8bit"}
    return _row(case, case.need(way, **values), way, values) | {"code": method}


def _params(case: Case, size: dict[str, Any]) -> int:
    return int(case.estimate(Stack("unsloth", "unsloth"), **size).plan.shape.params)


def _full(case: Case, stack: Stack) -> Stack:
    return Stack(stack.code, case.query.trainer or stack.trainer)


def _row(case: Case, need: Need, stack: Stack, values: dict[str, Any]) -> dict[str, Any]:
    """One method: its need on one card, and split over the asker's cards where one does not hold it."""
    row: dict[str, Any] = {
        "code": need.stack,
        "device": need.device,
        "low": need.low,
        "high": need.high,
        "fit": need.fit,
        "smallest_gb": smallest(case, need),
        "split": None,
    }
    if case.n_cards > 1 and need.fit not in GOOD and case.usable:
        shared = case.need(split(stack), **values | {"n_gpus": case.n_cards, "sharding": "fsdp"})
        row |= {"split": shared.device, "fit": shared.fit}
    return row
