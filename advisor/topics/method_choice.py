"""Full, LoRA or QLoRA? What each takes for this model, which the card holds, and when each is right.

Facts: rows [{method, device, low, high, fit, smallest_gb}], pick, card, usable, rank, dora (asked about), saved
(bytes QLoRA saves over LoRA).
"""

from typing import Any

from advisor.advice import Advice, Need, Verdict
from advisor.case import Case
from advisor.options import GOOD
from advisor.query import Kind
from advisor.stacks import FULL_8BIT, FULL_ADAMW, Stack
from advisor.tiers import smallest

EIGHT_B = 8.0
"""The size that the table speaks of when nobody names one."""
LOOSE: dict[str, Any] = {"weight_bits": None, "quant": None, "fused_loss": None, "n_gpus": 1, "sharding": "none"}


def answer(case: Case) -> Advice:
    """Advice on the method."""
    stack = case.stacks[0] if case.query.trainer else Stack("unsloth", "unsloth")
    size: dict[str, Any] = {} if case.sized else {"params_b": EIGHT_B}
    adapters: dict[str, Any] = {
        "lora_rank": case.query.lora_rank or 16,
        "lora_targets": case.query.lora_targets or "all-linear",
    }
    adam: dict[str, Any] = {
        "optimizer": case.query.optimizer if not case.full and case.query.optimizer else "adamw_8bit"
    }
    needs = [
        case.need(stack, method="qlora", **LOOSE, **size, **adapters, **adam).model_copy(update={"stack": "qlora"}),
        case.need(stack, method="lora", **LOOSE, **size, **adapters, **adam).model_copy(update={"stack": "lora"}),
        case.need(_full(case, FULL_8BIT), method="full", **LOOSE, **size, optimizer="adamw_8bit"),
        case.need(_full(case, FULL_ADAMW), method="full", **LOOSE, **size, optimizer="adamw", autocast=True),
    ]
    rows = [_row(case, need) for need in needs]
    pick = _pick(needs)
    facts: dict[str, Any] = {
        "rows": rows,
        "pick": pick,
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


def _full(case: Case, stack: Stack) -> Stack:
    return Stack(stack.code, case.query.trainer or stack.trainer)


def _row(case: Case, need: Need) -> dict[str, Any]:
    return {
        "code": need.stack,
        "device": need.device,
        "low": need.low,
        "high": need.high,
        "fit": need.fit,
        "smallest_gb": smallest(case, need),
    }


def _pick(needs: list[Need]) -> str | None:
    """The method with the fewest compromises that the card holds: 16-bit LoRA before 4-bit; full only on request."""
    if needs[0].fit is None:
        return None
    return next((n.stack for n in (needs[1], needs[0]) if n.fit in GOOD), None)
