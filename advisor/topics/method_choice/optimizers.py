"""Optimizers side by side with all weights trained, with gradient checkpointing and without.

Verdict paged: the two differ only in that one may page its states out to system RAM (bitsandbytes: managed memory, used
when the card is full); states are the bytes that may go. Fact eager: what older scripts take.
"""

from typing import Any

from advisor.advice import Advice, Verdict
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import BY_LAYER_OF, FULL_ADAMW
from advisor.tiers import roomy, smallest
from advisor.topics.method_choice.ways import LOOSE, PURE, full_stack

TWICE = 2
MOST = 4
"""Optimizers that an answer has room for."""


def optimizers(case: Case) -> Advice:
    """The named optimizers, each with and without checkpointing."""
    stack = full_stack(case, FULL_ADAMW)
    rows: list[dict[str, Any]] = []
    needs = []
    for name in case.query.named["optimizer"][:MOST]:
        values: dict[str, Any] = {"method": "full", **LOOSE, "autocast": True, "optimizer": name}
        need = case.need(stack, **values).model_copy(update={"stack": name})
        open_ = case.need(stack, **values, grad_checkpointing=False)
        needs.append(need)
        row = {"code": name, "device": need.device, "fit": need.fit, "sizes": [smallest(case, need), roomy(case, need)]}
        open_gb = [smallest(case, open_), roomy(case, open_)]
        rows.append(row | {"open": open_.device, "open_fit": open_.fit, "open_sizes": open_gb})
    states = rows[0]["device"] - rows[1]["device"] if _paged(case) else 0
    facts: dict[str, Any] = {
        **case.where,
        "states": abs(states),
        "by_layer": _by_layer(case),
        "eager": _eager(case),
        "rows": rows,
        "pure": case.need(full_stack(case, case.lean_full), **(PURE | dict(case.lean_full.changes))).device,
        "least": min(rows, key=lambda row: row["device"])["code"],
    }
    return Advice(
        kind=Kind.METHOD_CHOICE,
        query=case.query,
        verdict=Verdict(code="paged" if _paged(case) else "optimizers", facts=facts),
        setup=case.setup,
        needs=tuple(needs),
        offers=("method=lora", "method=qlora", "show=why"),
    )


def _paged(case: Case) -> bool:
    """An optimizer stands against itself with pages."""
    names = [name.removeprefix("paged_").removesuffix("_32bit") for name in case.query.named["optimizer"]]
    return len(names) == len({*case.query.named["optimizer"]}) == 2 and len(set(names)) == 1


def _eager(case: Case) -> dict[str, Any] | None:
    """The first optimizer as older scripts run it: eager attention and no checkpointing, at one and at twice the batch;
    None where either is stated.
    """
    if case.query.attention or case.query.grad_checkpointing is not None:
        return None
    name = case.query.named["optimizer"][0]
    values: dict[str, Any] = {"method": "full", **LOOSE, "autocast": True, "optimizer": name, "attention": "eager"}
    batches = (case.micro_batch, TWICE * case.micro_batch)
    stack = full_stack(case, FULL_ADAMW)
    needs = [case.need(stack, **values, grad_checkpointing=False, micro_batch=batch).device for batch in batches]
    return {"code": name, "batches": batches, "needs": needs}


def _by_layer(case: Case) -> int | None:
    """Bytes where each weight is stepped in the backward pass, on one card that has bf16."""
    if case.n_cards > 1 or case.no_bf16:
        return None
    return case.need(BY_LAYER_OF, method="full", **LOOSE, **dict(BY_LAYER_OF.changes)).device
