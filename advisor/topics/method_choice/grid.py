"""Two sizes and two methods ("8B with QLoRA or 3B in full"): each size with each method, the largest that fits."""

from typing import Any

from advisor.advice import Advice, Verdict
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import GOOD, Stack
from advisor.topics.method_choice.ways import LOOSE, METHOD_OF, PURE, Way, full_stack, row


def grid(case: Case, stack: Stack) -> Advice:
    """Each size with each method, and which of them to take."""
    methods = sorted(_methods(case), key=_worth)
    rows: list[dict[str, Any]] = []
    for name, size in (case.model_name, {}), *case.alternatives:
        cells = [_cell(case, stack, method, size) for method in methods]
        rows.append({"name": name, "params": _params(case, size), "cells": cells})
    rows.sort(key=lambda row: -row["params"])
    open_ = [(row["name"], cell) for row in rows for cell in row["cells"] if case.usable is None or cell["fit"] in GOOD]
    if case.usable is None:
        open_ = sorted(open_[: len(methods)], key=lambda named: named[1]["device"])
    facts: dict[str, Any] = {
        **case.where,
        "rows": rows,
        "methods": methods,
        "take": {"name": open_[0][0], **open_[0][1]} if open_ else None,
        "larger": bool(open_) and open_[0][0] == rows[0]["name"],
        "seq_len": case.seq_len,
        "all_weights": case.lean_full.code,
    }
    return Advice(
        kind=Kind.METHOD_CHOICE,
        query=case.query,
        verdict=Verdict(code="grid", facts=facts),
        offers=("method=qlora", "method=lora", "method=full", "show=config"),
    )


def _methods(case: Case) -> set[str]:
    """The named methods; LoRA without a word on its bits may well be QLoRA."""
    named = set(case.query.named["method"])
    open_ = "lora" in named and not (case.query.weight_bits or case.query.named.get("weight_bits"))
    return named | ({"qlora"} if open_ else set())


def _worth(method: str) -> int:
    """16 bit before 4 bit, and all weights last: they pay with much data only."""
    return ("lora", "qlora", "full").index(METHOD_OF.get(method, method))


def _cell(case: Case, stack: Stack, method: str, size: dict[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {**LOOSE, **size, "method": method, "optimizer": "adamw_8bit"}
    if method == "full":
        stack, values = full_stack(case, case.lean_full), {**PURE, **size, **dict(case.lean_full.changes)}
    made = row(case, Way(method, method, stack, values))
    made.pop("need")
    return made


def _params(case: Case, size: dict[str, Any]) -> int:
    return int(case.plan(Stack("unsloth", "unsloth"), **size).shape.params)
