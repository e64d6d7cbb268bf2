"""Two or three set-ups side by side: memory, what each trains, speed, power, NVLink, price with date, and a verdict
by goal.

Facts: rows [{name, count, vram_gb, total_gb, alone, split, speed, tdp_w, nvlink, price}], memory, speed, value
(names of the winners), `alone`/`split`: largest size (1e9 parameters) with QLoRA on one card / shared over all;
`speed`: relative to the slowest.
"""

from typing import Any

from advisor.advice import Advice, Verdict
from advisor.asked import VOLTA, Card
from advisor.case import Case
from advisor.options import GOOD, price_to_buy, price_to_rent
from advisor.query import Kind
from advisor.stacks import GIB, UNSLOTH
from advisor.tiers import split
from advisor.topics.sizes import SIZES_B, sizes_table

MOST = 4
EIGHT_B: dict[str, Any] = {
    "model": None,
    "arch": None,
    "params_b": 8.0,
    "method": "qlora",
    "weight_bits": None,
    "n_gpus": 1,
    "sharding": "none",
    "seq_len": 2048,
    "micro_batch": 1,
    "optimizer": "adamw_8bit",
    "lora_rank": 16,
    "lora_targets": "all-linear",
}
"""The run by which speeds are compared."""
AHEAD = 1.05
"""How far ahead a set-up must be to be called so."""
SCALING = 0.9
"""Share of the ideal speed-up that a copy per card reaches with gradient accumulation."""


def answer(case: Case) -> Advice:
    """Advice on which of several set-ups."""
    choices = set_ups(case)
    if len(choices) < 2:
        return sizes_table(case, Kind.COMPARE_GPUS)
    rows = [_row(case, card) for card in choices]
    slowest = min((r["raw_speed"] for r in rows if r["raw_speed"]), default=None)
    for row in rows:
        row["speed"] = row["raw_speed"] / slowest if slowest and row["raw_speed"] else None
    facts: dict[str, Any] = {
        "rows": rows,
        "method": "qlora",
        "seq_len": case.seq_len,
        "memory": _winner(rows, "total_gb"),
        "speed": _winner([r for r in rows if not r["rough"]] or rows, "speed"),
        "value": _value([r for r in rows if not r["rough"]] or rows),
        "safe": _safe(rows),
        "alone": _winner(rows, "vram_gb"),
        "sized": case.sized,
    }
    return Advice(
        kind=Kind.COMPARE_GPUS,
        query=case.query,
        verdict=Verdict(code="compare", facts=facts),
        setup=case.setup if case.sized else None,
        offers=("show=prices", "kind=cost_buy_vs_rent", "kind=multi_gpu"),
    )


def set_ups(case: Case) -> list[Card]:
    """What is to be compared: the named alternatives, else every kind of card in the question."""
    if case.query.candidates:
        found = [case.resolve_cards(option) for option in case.query.candidates]
        return [cards[0] for cards in found if cards][:MOST]
    return list(case.cards)[:MOST]


def _row(case: Case, card: Card) -> dict[str, Any]:
    gpu = card.gpu
    price = price_to_buy(case.catalog, gpu.id) if gpu else None
    rent = price_to_rent(case.catalog, gpu.id) if gpu else None
    row: dict[str, Any] = {
        "name": card.name,
        "count": card.count,
        "vram_gb": card.vram_gb,
        "total_gb": card.vram_gb * card.count,
        "usable": card.usable,
        "alone": _largest(case, card, 1),
        "split": _largest(case, card, card.count) if card.count > 1 else None,
        "offloaded": _largest(case, card, card.count, offload=True) if card.count > 1 else None,
        "raw_speed": _speed(case, card),
        "tdp_w": gpu.tdp_w * card.count if gpu and gpu.tdp_w else None,
        "nvlink": bool(gpu.nvlink) if gpu else False,
        "bf16": gpu.supports.bf16 if gpu else True,
        "vendor": gpu.vendor if gpu else "nvidia",
        "rough": gpu is not None and (gpu.vendor != "nvidia" or (gpu.cuda_capability or VOLTA) < VOLTA),
        "price": price.model_dump() if price else None,
        "rent": rent.model_dump() if rent else None,
        "total_price": (price.low * card.count, price.high * card.count) if price else None,
    }
    if case.sized:
        row |= _held(case, card)
    return row


def _held(case: Case, card: Card) -> dict[str, Any]:
    """The asked model on this set-up, per card: alone, and where that does not fit split, then split and offloaded."""
    alone = case.need(case.stacks[0], n_gpus=1, sharding="none")
    held: dict[str, Any] = {"need": alone.device, "fit": case.fit(alone, card.usable), "way": "", "before": None}
    for way in ("fsdp", "fsdp_offload") if card.count > 1 else ():
        if held["fit"] not in GOOD:
            stack = split(case.stacks[0], offload=way == "fsdp_offload")
            need = case.need(stack, n_gpus=card.count, sharding="fsdp")
            before = held["need"] if way == "fsdp_offload" else None
            held = {"need": need.device, "fit": case.fit(need, card.usable), "way": way, "before": before}
    return held


def _largest(case: Case, card: Card, count: int, *, offload: bool = False) -> float | None:
    """The largest common size (1e9 parameters) that trains with QLoRA at 2,048 tokens on so many cards."""
    stack = UNSLOTH if count == 1 else split(UNSLOTH, offload=offload)
    for size in reversed(SIZES_B):
        values = EIGHT_B | {"params_b": float(size), "n_gpus": count, "sharding": "none" if count == 1 else "fsdp"}
        if case.fit(case.need(stack, **values), card.usable) in GOOD:
            return float(size)
    return None


def _speed(case: Case, card: Card) -> float | None:
    """Tokens per second with QLoRA on an 8B, as the estimator has it; several cards with a copy of the model each."""
    if card.gpu is None:
        return None
    rate = case.need(UNSLOTH, **EIGHT_B, gpu=card.gpu.name).tokens_per_s
    return rate * (1 + (card.count - 1) * SCALING) if rate else None


def _winner(rows: list[dict[str, Any]], key: str) -> dict[str, Any] | None:
    """The set-up that is ahead in something; None where they are level."""
    best = max((r for r in rows if r[key]), key=lambda r: r[key], default=None)
    if best is None or all((r[key] or 0) * AHEAD >= best[key] for r in rows):
        return None
    return _named(best)


def _safe(rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Where some set-ups are rough to train on (not NVIDIA, or no tensor cores) and hold no more: the best other."""
    smooth = [r for r in rows if not r["rough"]]
    if not smooth or len(smooth) == len(rows):
        return None
    best = max(smooth, key=lambda r: r["vram_gb"])
    return _named(best) if best["vram_gb"] >= max(r["vram_gb"] for r in rows) else None


def _named(row: dict[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in ("name", "count", "vram_gb")}


def _value(rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Most GB per dollar, where at least two prices are known."""
    priced = [r for r in rows if r["price"]]
    if len(priced) < 2:
        return None
    return _named(max(priced, key=lambda r: r["vram_gb"] / (r["price"]["low"] + r["price"]["high"])))


__all__ = ["GIB", "answer", "set_ups"]
