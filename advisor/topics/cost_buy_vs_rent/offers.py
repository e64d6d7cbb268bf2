"""What is bought and what is rented, with dated prices: the cards asked about, else the seed's choice for the need."""

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.advice import Need, PriceTag
from advisor.case import Case
from advisor.estimator import usable_bytes
from advisor.options import price_to_rent, quoted, rentals
from advisor.stacks import GOOD
from advisor.tiers import smallest
from advisor.topics.cost_buy_vs_rent.runs import need_of, need_on, run_hours
from advisor.topics.which_gpu import cards_that_share
from knowledge.schemas import Gpu

BUY_BY_GB = ((24, "rtx-3090"), (32, "rtx-5090"), (96, "rtx-pro-6000-blackwell"))
"""What is bought for a need of so many GB: the seed's best value, its best single card, the largest for a desk."""
RIG_BY_GB = dict(BUY_BY_GB)
"""What stands for a card that is named by its size alone: "a dual 24 GB desktop"."""
SHARED = "a100-80gb-sxm"
"""What is rented several at a time when no single card holds it: the cheapest 80 GB card with NVLink."""
SET_UP_HOURS = 1.0
"""Paid hours beside the training: download of the model, installation, a failed start."""
MOST = 3
FEW = 2
ALL = 100


@dataclass(frozen=True, slots=True)
class Rented:
    """A card by the hour, and what one run on so many of them takes (hours, and USD with the set-up)."""

    gpu: Gpu
    count: int
    price: PriceTag
    run: tuple[float, float] | None
    cost: tuple[float, float] | None


def pair(case: Case) -> tuple[Gpu | None, Gpu | None]:
    """(the card to buy, the card to rent): those asked about, else the seed's choice for this need."""
    gpus = case.gpus
    if gpus:
        desk = desk_cards(case)
        others = [gpu for gpu in gpus if gpu not in desk]
        bought = (desk or list(gpus))[0]
        rented = (others or desk[1:] or [bought])[0] if desk else bought
        return bought, rented
    if (rig := _of_a_rig(case)) is not None:
        return rig, rig
    need = need_of(case)
    least = smallest(case, need) if need else 0
    chosen = next((gpu_id for gb, gpu_id in BUY_BY_GB if least is not None and gb >= least), None)
    gpu = case.catalog.gpus.get(chosen) if chosen else None
    return gpu, gpu


def _of_a_rig(case: Case) -> Gpu | None:
    """The usual card of a size, where several of that size and no names are told."""
    card = case.card
    if card is None or case.gpus or case.n_cards < FEW or len(case.cards) > 1:
        return None
    gpu_id = RIG_BY_GB.get(round(card.vram_gb))
    return case.catalog.gpus[gpu_id] if gpu_id else None


def for_home(case: Case, need: Need | None) -> Gpu | None:
    """The usual card to buy for the need, where all that is named stands in a data centre."""
    if need is None or not case.gpus or desk_cards(case):
        return None
    least = smallest(case, need, ("yes",))
    gpu_id = next((gpu_id for gb, gpu_id in BUY_BY_GB if least is not None and gb >= least), None)
    return case.catalog.gpus[gpu_id] if gpu_id else None


def asked_count(case: Case) -> int:
    """How many cards of one kind the question is about."""
    return case.n_cards if len(case.gpus) == 1 or _of_a_rig(case) is not None else 1


def counts(case: Case, gpu: Gpu, need: Need | None) -> tuple[int, ...]:
    """How many are rented: one, and all that were named, where one holds what is trained and the data are known."""
    count, query = asked_count(case), case.query
    known = query.dataset_examples or query.dataset_tokens
    alone = need is not None and not case.full and case.fit(need, usable_bytes(gpu)) in GOOD
    return (1, count) if count > 1 and known and alone and not (query.took_hours or query.budget) else (count,)


def desk_cards(case: Case) -> list[Gpu]:
    """The cards of the question that stand at somebody's desk."""
    return [gpu for gpu in case.gpus if gpu.segment in ("consumer", "laptop", "workstation", "soc")]


def rent_offers(case: Case, rented: Gpu | None, bought: Gpu | None, need: Need | None) -> tuple[Rented, ...]:
    """The asked cards by the hour where they hold the need, and the cheapest ones that do; several where none does.
    Of named providers their own prices come first.
    """
    found: dict[tuple[str, str, int], Rented] = {}
    for gpu in named_cards(case, rented, bought):
        for count in counts(case, gpu, need):
            if holds(case, gpu, need, count) and (case.gpus or sold_there(case, gpu)):
                found |= {(gpu.id, offer.price.provider, count): offer for offer in at_providers(case, gpu, count)}
    for offer in cheapest(case, need) if need is not None else ():
        known = {gpu_id for gpu_id, *_ in found}
        if len(case.query.providers) > 1 or (offer.gpu.id not in known and len(known) < FEW):
            found[offer.gpu.id, offer.price.provider, offer.count] = offer
    shared, price = case.catalog.gpus[SHARED], price_to_rent(case.catalog, SHARED)
    many = cards_that_share(case) if need is not None and not found else None
    if many and price:
        (found[SHARED, price.provider, many],) = priced(case, shared, [price], many)
    offers = list(found.values())
    if len(case.query.hourly) > 1:  # offers to choose from: what costs least by the run comes first
        offers.sort(key=lambda offer: (offer.gpu.id not in case.query.hourly, sum(offer.cost or ())))
    return tuple(offers)[:MOST]


def sold_there(case: Case, gpu: Gpu) -> bool:
    """No provider is named, or one of them has a price for the card."""
    where = case.query.providers
    return not where or any(price_to_rent(case.catalog, gpu.id, name) for name in where)


def cheapest(case: Case, need: Need) -> list[Rented]:
    """The cheapest cards that hold the need; of each named provider what costs least there by the run."""
    names = case.query.providers
    cards = [case.catalog.gpus[option.gpu] for option in rentals(case, need, ALL if names else FEW)]
    theirs = [
        offer
        for gpu in (cards if names else ())
        if sold_there(case, gpu) or quoted(case, gpu.id)
        for offer in at_providers(case, gpu, 1)
        if offer.price.provider in names and offer.cost
    ]
    theirs.sort(key=lambda o: sum(o.cost or ()))
    if not theirs:
        return [offer for gpu in cards[:FEW] for offer in at_providers(case, gpu, 1)][:FEW]
    if len(names) == 1:
        return theirs
    best = {offer.price.provider: offer for offer in reversed(theirs)}
    return sorted(best.values(), key=theirs.index)


def at_providers(case: Case, gpu: Gpu, count: int) -> list[Rented]:
    """The card at the price that was offered; else at each named provider that has one, or wherever it is cheapest."""
    if offer := quoted(case, gpu.id):
        return priced(case, gpu, [offer], count)
    named = [price_to_rent(case.catalog, gpu.id, provider) for provider in case.query.providers]
    prices = [price for price in named if price] or [price for price in (price_to_rent(case.catalog, gpu.id),) if price]
    return priced(case, gpu, prices, count)


def named_cards(case: Case, rented: Gpu | None, bought: Gpu | None) -> list[Gpu]:
    """The cards that a price is wanted of, each once: the pair, then what else is offered for rent."""
    offered = [card.gpu for option in case.query.candidates for card in case.resolve_cards(option)]
    cards = {gpu.id: gpu for gpu in (rented, bought, *offered) if gpu is not None}
    return list(cards.values())


def holds(case: Case, gpu: Gpu, need: Need | None, count: int = 1) -> bool:
    """Whether so many such cards hold the need: one by itself, or all when it is split."""
    on = need_on(case, gpu, count, need)
    return on is None or case.fit(on, usable_bytes(gpu)) in GOOD


def priced(case: Case, gpu: Gpu, prices: Sequence[PriceTag], count: int) -> list[Rented]:
    """A run on so many cards at each of these prices."""
    run = run_hours(case, gpu, count) if prices else None
    return [Rented(gpu, count, price, run, cost_of(run, price, count)) for price in prices]


def cost_of(run: tuple[float, float] | None, price: PriceTag, count: int) -> tuple[float, float] | None:
    """USD of a run, set-up included."""
    paid = [hours + SET_UP_HOURS for hours in run] if run else None
    return (paid[0] * price.low * count, paid[1] * price.high * count) if paid else None
