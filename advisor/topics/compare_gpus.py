"""Two or three set-ups side by side: memory, what each trains, speed, power, NVLink, price with date, and a verdict
by goal.

Facts: lead (holds_some, holds_whole, holds_all, holds_none, larger, roomier, level); rows [{name, count, vram_gb,
total_gb, alone, whole, split, offloaded, most (of alone and split), stretch (of all), speed, speed_each, tdp_w, nvlink,
price, rent, run, run_cost}]: `alone`/`split`: largest size (1e9 parameters) with `method` on one card / shared over
all, `whole` with 16-bit LoRA where no method is named, `speed` relative to the slowest, `run` hours and `run_cost` USD
of one rented run of `examples` examples; and the winners: holders, slow_holders, larger, roomier, faster, simpler,
value, safe, rough_faster; runs [{name, cost}]; qlora (holds_none, holds_some: need, holders, all).
"""

from typing import Any

from advisor.advice import Advice, PriceTag, Verdict
from advisor.asked import VOLTA, Card
from advisor.case import Case
from advisor.options import GOOD, YEAR, price_to_buy, price_to_rent
from advisor.query import Kind
from advisor.stacks import FULL_METHODS, UNSLOTH, Stack
from advisor.tiers import split
from advisor.topics.sizes import MODELS, SIZES_B, sizes_table
from advisor.topics.time_estimate import EPOCHS, EXAMPLES, job, tokens_each
from knowledge.schemas import Gpu

MOST = 4
PLAIN: dict[str, Any] = {
    "model": None,
    "arch": None,
    "algorithm": None,
    "offload": None,
    "quant": None,
    "compute_dtype": None,
    "weight_bits": None,
    "n_gpus": 1,
    "sharding": "none",
    "seq_len": 2048,
    "micro_batch": 1,
    "grad_checkpointing": True,
}
"""What a question may state and the table of sizes leaves out."""
ADAPTERS: dict[str, Any] = {"optimizer": "adamw_8bit", "lora_rank": 16, "lora_targets": "all-linear"}
EIGHT_B: dict[str, Any] = PLAIN | ADAPTERS | {"params_b": 8.0, "method": "qlora"}
"""The run by which speeds are compared."""
AHEAD = 1.15
"""How far ahead a set-up must be to be called so."""
ROOMIER = 1.05
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
        row["speed_each"] = row["raw_each"] / slowest if slowest and row["raw_each"] and row["count"] > 1 else None
    smooth = [r for r in rows if not r["rough"]] or rows
    larger = _winner(rows, "most", ahead=1.0)
    offloaded = _winner(rows, "stretch", ahead=1.0) if larger is None else None
    larger, quickest, value = larger or offloaded, _winner(rows, "speed"), _value(smooth)
    faster = _winner(smooth, "speed") if quickest is None or quickest["rough"] else quickest
    simpler = _simpler(rows)
    holders = [_named(r) for r in rows if r.get("fit") in GOOD]
    facts: dict[str, Any] = {
        "rows": rows,
        "method": table_method(case),
        "examples": case.query.dataset_examples or EXAMPLES[1],
        "epochs": case.query.epochs or EPOCHS,
        "larger": larger,
        "keeps_up": _keeps_up(rows, larger, faster),
        "larger_offloaded": offloaded is not None,
        "larger_is_faster": _same(larger, faster),
        "larger_is_value": _same(larger, value),
        "roomier": _winner(smooth, "vram_gb", ahead=ROOMIER),
        "faster": faster,
        "simpler": simpler,
        "simpler_is_faster": _same(simpler, faster),
        "value": value,
        "safe": _safe(rows),
        "rough_faster": quickest if quickest and quickest["rough"] else None,
        "holders": holders,
        "slow_holders": [h for h in holders if h["way"] == "fsdp_offload"],
        "whole": all(h["way"] == "" for h in holders),
        "same_way": holders[0]["way"] if len({h["way"] for h in holders}) == 1 else "",
        "runs": [_named(r) | {"cost": r["run_cost"]} for r in rows if r["run_cost"]],
        "pair": len(rows) == 2,
    }
    facts["lead"] = _lead(facts, rows, sized=case.sized)
    facts["qlora"] = _with_qlora(case, rows) if facts["lead"] in ("holds_none", "holds_some") else None
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
    return list(case.resolve_cards(case.query.gpus))[:MOST]


def table_method(case: Case) -> str:
    """The method of the table of sizes: the stated one where it is one of the three, else QLoRA."""
    return case.method if case.query.method and case.method in ("lora", "qlora", "full") else "qlora"


def _with_qlora(case: Case, rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Which of them hold it with QLoRA on one card, where none does with the stated method."""
    if case.method == "qlora":
        return None
    slots = ADAPTERS | {"method": "qlora", "weight_bits": None, "quant": None, "n_gpus": 1, "sharding": "none"}
    need = case.need(UNSLOTH, **slots)
    held = [_named(row) for row in rows if not row["rough"] and case.fit(need, row["usable"]) in GOOD]
    return {"need": need.device, "holders": held, "all": len(held) == len(rows)} if held else None


def _lead(facts: dict[str, Any], rows: list[dict[str, Any]], *, sized: bool) -> str:
    """Code of the first line: by the asked model where there is one, else by what trains at most."""
    if sized:
        held, slow = len(facts["holders"]), len(facts["slow_holders"])
        if 0 < slow < held:
            return "holds_whole"
        return "holds_all" if held == len(rows) else "holds_some" if held else "holds_none"
    return "larger" if facts["larger"] else "roomier" if facts["roomier"] else "level"


def _row(case: Case, card: Card) -> dict[str, Any]:
    gpu = card.gpu
    price = price_to_buy(case.catalog, gpu.id) if gpu else None
    rent = price_to_rent(case.catalog, gpu.id) if gpu else None
    several = card.count > 1
    row: dict[str, Any] = {
        "name": card.name,
        "count": card.count,
        "vram_gb": card.vram_gb,
        "total_gb": card.vram_gb * card.count,
        "usable": card.usable,
        "alone": _largest(case, card, 1),
        "split": _largest(case, card, card.count) if several else None,
        "offloaded": _largest(case, card, card.count, offload=True) if several else None,
        "raw_speed": _speed(case, card, card.count),
        "raw_each": _speed(case, card, 1),
        "tdp_w": gpu.tdp_w * card.count if gpu and gpu.tdp_w else None,
        "nvlink": bool(gpu.nvlink) if gpu else False,
        "bf16": gpu.supports.bf16 if gpu else True,
        "vendor": gpu.vendor if gpu else "nvidia",
        "rough": gpu is not None and (gpu.vendor != "nvidia" or (gpu.cuda_capability or VOLTA) < VOLTA),
        "price": price.model_dump() if price else None,
        "rent": rent.model_dump() if rent and _for_rent(case, gpu, price) and len(rent.date) > YEAR else None,
        "total_price": (price.low * card.count, price.high * card.count) if price else None,
        "whole": None,
        "run": None,
        "run_cost": None,
    }
    row["most"] = max((row[way] for way in ("alone", "split") if row[way]), default=None)
    row["stretch"] = max((row[way] for way in ("most", "offloaded") if row[way]), default=None)
    if case.query.method is None and not case.query.weight_bits:
        row["whole"] = _largest(case, card, 1, method="lora")
    if case.sized:
        row |= _held(case, card)
        if row["rent"] and rent and row["fit"] in GOOD and (took := _run(case, card, row["way"])):
            row["run"] = took
            row["run_cost"] = (took[0] * rent.low * card.count, took[1] * rent.high * card.count)
    return row


def _for_rent(case: Case, gpu: Gpu | None, price: PriceTag | None) -> bool:
    """Whether people rent this card rather than buy it, or the question is about a run and its price."""
    query = case.query
    if query.providers or query.dataset_examples or query.also is Kind.COST_BUY_VS_RENT:
        return True
    return gpu is not None and (gpu.segment == "datacenter" or (price is None and gpu.segment == "workstation"))


def _run(case: Case, card: Card, way: str) -> tuple[float, float] | None:
    """Hours (shortest, longest) of one run of the stated, or a usual, amount of data."""
    if card.gpu is None:
        return None
    each = tokens_each(case)
    tokens = case.query.dataset_tokens or (case.query.dataset_examples or EXAMPLES[1]) * each
    sharding = "none" if card.count == 1 else "fsdp" if way else "ddp"
    epochs = case.query.epochs or EPOCHS
    return job(case, card.gpu, tokens, each, epochs, n_gpus=card.count, sharding=sharding)


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


def _largest(case: Case, card: Card, count: int, *, offload: bool = False, method: str | None = None) -> float | None:
    """The largest common size (1e9 parameters) that trains at 2,048 tokens on so many cards."""
    method = method or table_method(case)
    stack: Stack = case.lean_full if method in FULL_METHODS else UNSLOTH
    slots = PLAIN | ({} if method in FULL_METHODS else ADAPTERS) | {"method": method}
    if count > 1:
        stack = split(stack, offload=offload)
        slots = slots | {"n_gpus": count, "sharding": "fsdp"}
    if offload:
        del slots["offload"]
    for size in reversed(SIZES_B):
        if case.fit(case.need(stack, **slots | {"model": MODELS[size], "params_b": None}), card.usable) in GOOD:
            return float(size)
    return None


def _speed(case: Case, card: Card, count: int) -> float | None:
    """Tokens per second with QLoRA on an 8B, as the estimator has it; several cards with a copy of the model each."""
    if card.gpu is None:
        return None
    rate = case.need(UNSLOTH, **EIGHT_B, gpu=card.gpu.name).tokens_per_s
    return rate * (1 + (count - 1) * SCALING) if rate else None


def _winner(rows: list[dict[str, Any]], key: str, ahead: float = AHEAD) -> dict[str, Any] | None:
    """The set-up that is ahead in something, with that figure; None where the best two are level."""
    found = sorted((r for r in rows if r[key]), key=lambda r: -float(r[key]))
    if not found or len(rows) < 2:
        return None
    second = float(found[1][key]) if len(found) > 1 else 0.0
    if float(found[0][key]) <= ahead * second:
        return None
    return _named(found[0]) | {"value": found[0][key], "second": second or None}


def _keeps_up(
    rows: list[dict[str, Any]], larger: dict[str, Any] | None, faster: dict[str, Any] | None
) -> dict[str, Any] | None:
    """The cheaper set-up that is about as fast as the largest one, for what fits both; None where another is faster."""
    if larger is None or faster is not None:
        return None
    whole = next(r for r in rows if _same(r, larger))
    near = [
        r
        for r in rows
        if r is not whole and r["price"] and whole["price"] and r["total_price"][1] < whole["total_price"][0]
        and not r["rough"] and (r["speed"] or 0) * AHEAD >= (whole["speed"] or float("inf"))
    ]  # fmt: skip
    return _named(max(near, key=lambda r: r["speed"])) if near else None


def _simpler(rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The one set-up of a single card among those of several."""
    single = [r for r in rows if r["count"] == 1]
    return _named(single[0]) if len(single) == 1 and len(rows) > 1 else None


def _safe(rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Where some set-ups are rough to train on (not NVIDIA, or no tensor cores) and hold no more: the best other."""
    smooth = [r for r in rows if not r["rough"]]
    if not smooth or len(smooth) == len(rows):
        return None
    best = max(smooth, key=lambda r: (r["most"] or 0, r["vram_gb"]))
    if best["vram_gb"] < max(r["vram_gb"] for r in rows) and (best["most"] or 0) < max(r["most"] or 0 for r in rows):
        return None
    return _named(best)


def _same(one: dict[str, Any] | None, other: dict[str, Any] | None) -> bool:
    return bool(one and other and (one["name"], one["count"]) == (other["name"], other["count"]))


def _named(row: dict[str, Any]) -> dict[str, Any]:
    held = {name: row[name] for name in ("name", "count", "vram_gb", "alone", "split", "offloaded", "most", "rough")}
    return held | {"need": row.get("need"), "way": row.get("way", "")}


def _value(rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Most GB per dollar, where at least two prices are known."""
    priced = [r for r in rows if r["price"]]
    if len(priced) < 2:
        return None
    return _named(max(priced, key=lambda r: r["vram_gb"] / (r["price"]["low"] + r["price"]["high"])))
