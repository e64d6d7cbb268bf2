"""One row per set-up: what it holds and trains, how fast, its power and prices, and what a rented run on it costs."""

from typing import Any

from advisor.advice import PriceTag
from advisor.asked import Card
from advisor.case import Case
from advisor.options import YEAR, price_to_buy, price_to_rent, quoted
from advisor.query import CardCount, Kind
from advisor.signs import VOLTA
from advisor.stacks import FULL_METHODS, GOOD, NO_TRAINERS, UNSLOTH, Stack
from advisor.tiers import split
from advisor.topics.sizes import MODELS, SIZES_B
from advisor.topics.time_estimate import job, run_of
from advisor.topics.usual import ADAPTERS, EIGHT_B, PLAIN
from knowledge.schemas import Gpu

MOST = 4
PAIR = 2
SCALING = 0.9
"""Share of the ideal speed-up that a copy per card reaches with gradient accumulation."""


def rows_of(case: Case) -> list[dict[str, Any]]:
    """The set-ups with their speeds relative to the slowest; at least two, else none."""
    choices = set_ups(case)
    if len(choices) < 2:
        return []
    rows = [_row(case, card) for card in choices]
    slowest = min((r["raw_speed"] for r in rows if r["raw_speed"]), default=None)
    for row in rows:
        row["speed"] = row["raw_speed"] / slowest if slowest and row["raw_speed"] else None
        row["speed_each"] = row["raw_each"] / slowest if slowest and row["raw_each"] and row["count"] > 1 else None
    return rows


def set_ups(case: Case) -> list[Card]:
    """What is to be compared: the named alternatives, else every kind of card in the question."""
    if case.query.candidates:
        found = [case.resolve_cards(option) or _nearest(case, option) for option in case.query.candidates]
        return [cards[0] for cards in found if cards][:MOST]
    return list(case.resolve_cards(case.query.gpus))[:MOST]


def _nearest(case: Case, option: tuple[CardCount, ...]) -> tuple[Card, ...]:
    """What a name that stands for several cards ("mac studio") means at the least, so that the others have a rival."""
    near = case.query.nearest.get("gpus", ())
    known = next((name for name in near if name in case.catalog.gpus), None)
    if known is None or case.catalog.gpus[known].vendor != "apple" or not any(count.name for count in option):
        return ()
    return case.resolve_cards((CardCount(gpu=known, name=case.catalog.gpus[known].name, count=option[0].count),))


def table_method(case: Case) -> str:
    """The method of the table of sizes: the stated one where it is one of the three, else QLoRA."""
    return case.method if case.query.method and case.method in ("lora", "qlora", "full") else "qlora"


def _row(case: Case, card: Card) -> dict[str, Any]:
    row = _named(card) | _sizes(case, card) | _prices(case, card)
    row |= {"raw_speed": _speed(case, card, card.count), "raw_each": _speed(case, card, 1)}
    return row | (_asked(case, card) if case.sized else {})


def _named(card: Card) -> dict[str, Any]:
    """The set-up as the catalog has it."""
    gpu = card.gpu
    return {
        "name": card.name,
        "count": card.count,
        "vram_gb": card.vram_gb,
        "usable": card.usable,
        "tdp_w": gpu.tdp_w * card.count if gpu and gpu.tdp_w else None,
        "nvlink": bool(gpu.nvlink) if gpu else False,
        "bf16": gpu.supports.bf16 if gpu else True,
        "vendor": gpu.vendor if gpu else "nvidia",
        "rough": gpu is not None and (gpu.vendor != "nvidia" or (gpu.cuda_capability or VOLTA) < VOLTA),
    }


def _sizes(case: Case, card: Card) -> dict[str, Any]:
    """The largest sizes: on one card, split, split and offloaded; the best without offload, and of all; on one card
    with 16-bit LoRA where no method is named, and with QLoRA where LoRA is.
    """
    query, several = case.query, card.count > 1
    alone = _largest(case, card, 1)
    shared = _most(alone, _largest(case, card, card.count)) if several else None  # sharing holds no less
    offloaded = _largest(case, card, card.count, offload=True) if several else None
    most = shared if several else alone
    unsaid = query.method is None and not query.weight_bits
    plain_lora = query.method == "lora" and not query.weight_bits and len(query.candidates) <= PAIR
    return {
        "alone": alone,
        "split": shared,
        "offloaded": offloaded,
        "most": most,
        "stretch": _most(most, offloaded),
        "whole": _largest(case, card, 1, method="lora") if unsaid else None,
        "four_bit": _largest(case, card, 1, method="qlora") if plain_lora else None,
    }


def _most(*sizes: float | None) -> float | None:
    """The largest of the sizes that there are."""
    return max((size for size in sizes if size), default=None)


def _prices(case: Case, card: Card) -> dict[str, Any]:
    """What the set-up costs to buy and an hour of it to rent; a run comes with the asked model."""
    price = price_to_buy(case.catalog, card.gpu.id) if card.gpu else None
    rent = _rent(case, card.gpu)
    return {
        "price": price.model_dump() if price else None,
        "rent": rent.model_dump() if rent else None,
        "total_price": (price.low * card.count, price.high * card.count) if price else None,
        "run": None,
        "run_cost": None,
    }


def _asked(case: Case, card: Card) -> dict[str, Any]:
    """How the set-up holds the asked model, and what a rented run of it costs."""
    held, rent = _held(case, card), _rent(case, card.gpu)
    took = _run(case, card, held["way"]) if rent and held["fit"] in GOOD else None
    if not rent or not took:
        return held
    return held | {"run": took, "run_cost": (took[0] * rent.low * card.count, took[1] * rent.high * card.count)}


def _rent(case: Case, gpu: Gpu | None) -> PriceTag | None:
    """The price of an hour: as the question quotes it, else a dated one where people rent such a card."""
    if gpu is None:
        return None
    if offer := quoted(case, gpu.id):
        return offer
    rent = price_to_rent(case.catalog, gpu.id)
    return rent if rent and _for_rent(case, gpu) and len(rent.date) > YEAR else None


def _for_rent(case: Case, gpu: Gpu) -> bool:
    """Whether people rent this card rather than buy it, or the question is about a run and its price."""
    query = case.query
    if query.providers or query.dataset_examples or query.also is Kind.COST_BUY_VS_RENT:
        return True
    if gpu.segment == "workstation":
        return price_to_buy(case.catalog, gpu.id) is None
    return gpu.segment == "datacenter"


def _run(case: Case, card: Card, way: str) -> tuple[float, float] | None:
    """Hours (shortest, longest) of one run of the stated, or a usual, amount of data."""
    if card.gpu is None:
        return None
    sharding = "none" if card.count == 1 else "fsdp" if way else "ddp"
    return job(case, card.gpu, *run_of(case), n_gpus=card.count, sharding=sharding)


def _held(case: Case, card: Card) -> dict[str, Any]:
    """The asked model on this set-up, per card: alone, and where that does not fit split, then split and offloaded."""
    alone = case.need(case.stacks[0], n_gpus=1, sharding="none")
    plain = case.need(case.stacks[-1], n_gpus=1, sharding="none")
    held: dict[str, Any] = {"need": alone.device, "fit": case.fit(alone, card.usable), "way": "", "before": None}
    held |= {"stock": plain.device, "stock_fit": case.fit(plain, card.usable)}
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
    stated = case.query.trainer
    leanest = Stack(stated, stated) if stated and stated not in NO_TRAINERS else UNSLOTH
    stack: Stack = case.lean_full if method in FULL_METHODS else leanest
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
    rate = case.tokens_per_s(UNSLOTH, card.gpu.name, **EIGHT_B)
    return rate * (1 + (count - 1) * SCALING) if rate else None
