"""Buy or rent? Break-even hours from dated prices and electricity, what a run costs, and privacy (S40).

The cards are the ones asked about; with several, the one for a desk is bought and the one for a data centre rented.

Verdict: owned_fits (it failed on a card that holds it: nothing to pay yet), job (the data is known: what a run costs),
too_small (the card asked about does not hold it), hours (what so many hours cost), budget (hours that the money buys),
week (years until buying pays off), compare, power_eats_it (rent costs no more than electricity), rent (nothing on
record to buy), no_price.
Facts: buy (a CardOption as a mapping), rent [{name, vram_gb, count, price, provider, run, cost, ratio}] (hours and USD
of one run; `ratio` of speed over the bought card), run_model, run_method, break_even (hours low, high), years,
power_usd (per hour), usd_per_kwh, examples, tokens_each, epochs, budget, currency, budget_hours, enough,
epoch (hours of one), free (hours of the run on Colab's or Kaggle's card), cheaper (a card that
does it for clearly less).
"""

from dataclasses import dataclass
from typing import Any

from advisor.advice import Advice, Need, PriceTag, Verdict
from advisor.asked import VOLTA
from advisor.case import Case
from advisor.estimator import usable_bytes
from advisor.estimator.cost import USD_PER_KWH, power_usd_per_hour
from advisor.options import GOOD, option_of, price_to_buy, price_to_rent, rentals
from advisor.query import Kind
from advisor.stacks import LORA_RANK, LORA_TARGETS, STOCK, UNSLOTH, Stack, short_name
from advisor.tiers import smallest
from advisor.topics.time_estimate import EPOCHS, EXAMPLES, job, tokens_each
from advisor.topics.which_gpu import cards_that_share
from knowledge.schemas import Gpu

BUY_BY_GB = ((24, "rtx-3090"), (32, "rtx-5090"), (96, "rtx-pro-6000-blackwell"))
"""What is bought for a need of so many GB: the seed's best value, its best single card, the largest for a desk."""
SHARED = "a100-80gb-sxm"
"""What is rented several at a time when no single card holds it: the cheapest 80 GB card with NVLink."""
FOREVER = float("inf")
WEEKS = 52
SET_UP_HOURS = 1.0
"""Paid hours beside the training: download of the model, installation, a failed start."""
USUAL: dict[str, Any] = {"model": None, "arch": None, "params_b": 8.0}
"""The run that stands for others where no model is named."""
ALONE: dict[str, Any] = {"n_gpus": 1, "sharding": "none"}
ADAPTERS: dict[str, Any] = {
    "weight_bits": 4.0, "optimizer": "adamw_8bit", "lora_rank": LORA_RANK, "lora_targets": LORA_TARGETS, **ALONE
}  # fmt: skip
FREE = "t4"
"""The card that Colab and Kaggle lend for nothing."""
SESSION_HOURS = 12
"""Hours after which they end a session."""
HALF = 0.5
CLEARLY = 0.7
"""Share of the asked card's cost below which another one is worth a word."""
FAILED = frozenset({"oom_step", "oom_later", "oom_load", "growing"})
MOST = 3
NO_PROVIDERS = ("market range", "street price")
"""What stands for a provider where a source gives a range over several."""


@dataclass(frozen=True, slots=True)
class Rented:
    """A card by the hour, and what one run on so many of them takes (hours, and USD with the set-up)."""

    gpu: Gpu
    count: int
    price: PriceTag
    run: tuple[float, float] | None
    cost: tuple[float, float] | None


def answer(case: Case) -> Advice:
    """Advice on buying or renting."""
    bought, rented = pair(case)
    need = need_of(case)
    buy = option_of(case, bought, role="buy", price=price_to_buy(case.catalog, bought.id)) if bought else None
    offers = rent_offers(case, rented, bought, need)
    first = offers[0] if offers else None
    count = case.n_cards if len(case.gpus) == 1 else 1
    power = power_usd_per_hour(bought, count) if bought else None
    even = break_even(buy.price, first.price, power or 0.0) if buy and buy.price and first else None
    week, budget, took = case.query.hours_per_week, case.query.budget, case.query.took_hours
    fit = case.fit(need, usable_bytes(bought)) if need and bought and case.gpus else None
    facts: dict[str, Any] = {
        "buy": buy.model_dump() if buy else None,
        "rent": [_told(offer, bought) for offer in offers],
        "run_model": case.model_name if case.sized else "8B",
        "run_method": case.method,
        "break_even": even,
        "power_usd": power,
        "usd_per_kwh": USD_PER_KWH,
        "card": short_name(bought) if bought and case.gpus else None,
        "count": case.n_cards,
        "lean": need.device if need else None,
        "fit": fit,
        "usable": usable_bytes(bought) if bought else None,
        "qlora": _qlora(case, bought) if fit not in (*GOOD, None) else None,
        "took": (took, took) if took else None,
        "asked_card": {"name": short_name(bought), "count": count} if bought else None,
        "at_home": (took * power, took * power) if took and power and bought in desk_cards(case) else None,
        "rented_hours": _for_hours(took, first),
        "week": week,
        "years": (even[0] / week / WEEKS, even[1] / week / WEEKS) if even and week else None,
        "examples": case.query.dataset_examples or EXAMPLES[1],
        "examples_assumed": case.query.dataset_examples is None,
        "tokens_each": tokens_each(case),
        "tokens_assumed": case.query.tokens_per_example is None and case.query.dataset_tokens is None,
        "epochs": case.query.epochs or EPOCHS,
        "budget": budget,
        "currency": case.query.currency or "USD",
        "budget_hours": _hours_for(budget, first),
        "rent_which": _which(offers),
        "epoch": epoch_hours(case, first),
        "cheaper": _cheaper(offers),
        "free": free_run(case, need),
        "session": SESSION_HOURS,
        "enough": first.cost[1] < budget if budget and first and first.cost else None,
    }
    return Advice(
        kind=Kind.COST_BUY_VS_RENT,
        query=case.query,
        verdict=Verdict(code=_code(case, facts, even), facts=facts),
        setup=case.setup if case.sized else None,
        asks=None if case.sized else "model",
        offers=("show=prices", "kind=time_estimate", "kind=which_gpu", "method=qlora"),
    )


def _code(case: Case, facts: dict[str, Any], even: tuple[float, float] | None) -> str:
    rent, priced = facts["rent"], facts["buy"] is not None and facts["buy"]["price"] is not None
    if case.symptoms & FAILED and facts["fit"] in GOOD:
        return "owned_fits"
    if rent and rent[0]["cost"] and (case.query.dataset_examples or case.query.dataset_tokens) and case.sized:
        return "job"
    if rent and facts["fit"] not in (*GOOD, None):
        return "too_small"
    if facts["took"] and case.gpus and (facts["at_home"] or facts["rented_hours"]):
        return "hours"
    if facts["budget_hours"] and facts["currency"] != "JPY" and not (even and _buys(facts)):
        return "budget"
    if len(rent) > 1 and len(case.gpus) > 1 and facts["rent_which"] and "no_gpu_found" in case.symptoms:
        return "rent_which"
    if even is not None:
        return "week" if facts["years"] else "compare"
    if not rent:
        return "no_price"
    return "power_eats_it" if priced else "rent"


def _which(offers: tuple[Rented, ...]) -> dict[str, Any] | None:
    """Of several cards for rent: the cheapest by the run, and the largest."""
    paid = [offer for offer in offers if offer.cost]
    if len(paid) < 2:
        return None
    cheap, large = min(paid, key=lambda o: sum(o.cost or ())), max(paid, key=lambda o: o.gpu.vram_gb)
    return {
        "cheap": short_name(cheap.gpu), "cheap_gb": cheap.gpu.vram_gb, "cheap_cost": cheap.cost,
        "large": short_name(large.gpu), "large_cost": large.cost, "same": cheap is large,
    }  # fmt: skip


def _cheaper(offers: tuple[Rented, ...]) -> dict[str, Any] | None:
    """A card that does the run of the one asked about for clearly less."""
    paid = [offer for offer in offers if offer.cost]
    least = min(paid, key=lambda offer: sum(offer.cost or ()), default=None)
    if least is None or least is offers[0] or not offers[0].cost or least.cost is None:
        return None
    if sum(least.cost) > CLEARLY * sum(offers[0].cost):
        return None
    return {"name": short_name(least.gpu), "count": least.count, "cost": least.cost, "run": least.run}


def _buys(facts: dict[str, Any]) -> bool:
    """The money named is about what the card costs: the question is whether to buy it."""
    price = facts["buy"]["price"] if facts["buy"] else None
    return bool(facts["card"] and price and facts["budget"] >= HALF * price["low"])


def need_of(case: Case) -> Need | None:
    """What the asked model takes on one card, at the leanest."""
    return case.need(stacks_of(case)[0], **ALONE) if case.sized else None


def stacks_of(case: Case) -> tuple[Stack, ...]:
    """The worlds of a rented card: those of the question, but CUDA's where it is asked from a Mac."""
    return (UNSLOTH, STOCK) if case.apple and not case.full else case.stacks


def pair(case: Case) -> tuple[Gpu | None, Gpu | None]:
    """(the card to buy, the card to rent): those asked about, else the seed's choice for this need."""
    gpus = case.gpus
    if gpus:
        desk = desk_cards(case)
        others = [gpu for gpu in gpus if gpu not in desk]
        bought = (desk or list(gpus))[0]
        rented = (others or desk[1:] or [bought])[0] if desk else bought
        return bought, rented
    need = need_of(case)
    least = smallest(case, need) if need else 0
    chosen = next((gpu_id for gb, gpu_id in BUY_BY_GB if least is not None and gb >= least), None)
    gpu = case.catalog.gpus.get(chosen) if chosen else None
    return gpu, gpu


def desk_cards(case: Case) -> list[Gpu]:
    """The cards of the question that stand at somebody's desk."""
    return [gpu for gpu in case.gpus if gpu.segment in ("consumer", "laptop", "workstation", "soc")]


def rent_offers(case: Case, rented: Gpu | None, bought: Gpu | None, need: Need | None) -> tuple[Rented, ...]:
    """The asked cards by the hour where they hold the need, and the cheapest ones that do; several where none does."""
    found: dict[str, Rented] = {}
    for gpu in (rented, bought):
        holds = gpu is not None and (need is None or case.fit(need, usable_bytes(gpu)) in GOOD)
        if gpu is not None and holds and gpu.id not in found and (price := price_to_rent(case.catalog, gpu.id)):
            count = case.n_cards if len(case.gpus) == 1 else 1
            found[gpu.id] = _rented(case, gpu, price, count)
    for option in rentals(case, need) if need is not None else ():
        if option.gpu not in found and option.price is not None and len(found) < 2:
            found[option.gpu] = _rented(case, case.catalog.gpus[option.gpu], option.price, 1)
    shared, price = case.catalog.gpus[SHARED], price_to_rent(case.catalog, SHARED)
    many = cards_that_share(case) if need is not None and not found else None
    if many and price:
        found[SHARED] = _rented(case, shared, price, many)
    return tuple(found.values())[:MOST]


def _rented(case: Case, gpu: Gpu, price: PriceTag, count: int) -> Rented:
    run = run_hours(case, gpu, count)
    paid = [hours + SET_UP_HOURS for hours in run] if run else None
    cost = (paid[0] * price.low * count, paid[1] * price.high * count) if paid else None
    return Rented(gpu, count, price, run, cost)


def run_hours(case: Case, gpu: Gpu, count: int) -> tuple[float, float] | None:
    """Hours of one run of the stated (or a usual) amount of data, of an 8B where no model is named."""
    each = tokens_each(case)
    tokens = case.query.dataset_tokens or (case.query.dataset_examples or EXAMPLES[1]) * each
    need = need_of(case)
    alone = need is None or case.fit(need, usable_bytes(gpu)) in GOOD
    slots = {} if case.sized else USUAL
    sharding = "none" if count == 1 else "ddp" if alone else "fsdp"
    epochs = case.query.epochs or EPOCHS
    return job(case, gpu, tokens, each, epochs, stacks_of(case), n_gpus=count, sharding=sharding, **slots)


def epoch_hours(case: Case, offer: Rented | None) -> tuple[float, float] | None:
    """Hours of one epoch of the run, where it has several."""
    epochs = case.query.epochs or EPOCHS
    if offer is None or offer.run is None or epochs <= 1:
        return None
    return offer.run[0] / epochs, offer.run[1] / epochs


def free_run(case: Case, need: Need | None) -> tuple[float, float] | None:
    """Hours of the run on a free card, where that holds it and no card is named."""
    gpu = case.catalog.gpus[FREE]
    if need is None or case.gpus or case.fit(need, usable_bytes(gpu)) not in GOOD:
        return None
    return run_hours(case, gpu, 1)


def _told(offer: Rented, bought: Gpu | None) -> dict[str, Any]:
    return {
        "name": short_name(offer.gpu),
        "vram_gb": offer.gpu.vram_gb,
        "count": offer.count,
        "price": offer.price.model_dump(),
        "provider": offer.price.provider if offer.price.provider not in NO_PROVIDERS else "",
        "run": offer.run,
        "cost": offer.cost,
        "ratio": _ratio(bought, offer.gpu),
    }


def _qlora(case: Case, gpu: Gpu | None) -> int | None:
    """Bytes of QLoRA where that fits the card though the stated method does not."""
    if gpu is None or case.method == "qlora":
        return None
    lean = gpu.cuda_capability is None or gpu.cuda_capability >= VOLTA
    need = case.need(UNSLOTH if lean else STOCK, method="qlora", **ADAPTERS)
    return need.device if case.fit(need, usable_bytes(gpu)) in GOOD else None


def break_even(buy: PriceTag, rent: PriceTag, power: float) -> tuple[float, float] | None:
    """(fewest, most) hours after which buying is cheaper, electricity (USD per hour) counted; None if never."""
    dear, cheap = rent.high - power, rent.low - power
    if dear <= 0:
        return None
    return buy.low / dear, buy.high / cheap if cheap > 0 else FOREVER


def _hours_for(budget: float | None, offer: Rented | None) -> tuple[float, float] | None:
    """Hours that the money rents."""
    if not budget or offer is None:
        return None
    return budget / offer.price.high / offer.count, budget / offer.price.low / offer.count


def _for_hours(hours: float | None, offer: Rented | None) -> tuple[float, float] | None:
    """USD for so many hours of a rented card."""
    if not hours or offer is None:
        return None
    return hours * offer.price.low * offer.count, hours * offer.price.high * offer.count


def _ratio(bought: Gpu | None, rented: Gpu) -> float | None:
    if bought is None or bought is rented:
        return None
    rates = [gpu.bf16_dense_tflops or gpu.fp16_dense_tflops for gpu in (rented, bought)]
    return rates[0] / rates[1] if rates[0] and rates[1] else None
