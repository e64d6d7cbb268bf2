"""Cards to buy or rent for a need: the seed's ranking first, then what the catalog can price. Ranked, with dated
prices.
"""

from functools import lru_cache

from advisor.advice import CardOption, Fit, Need, PriceTag
from advisor.case import Case
from advisor.estimator import usable_bytes
from advisor.estimator.cost import TRUST
from advisor.stacks import GOOD, LARGEST_AT_HOME, fit_of, short_name
from advisor.tiers import split
from knowledge.catalog import Catalog
from knowledge.ranking import Rank
from knowledge.schemas import Gpu, Price

NOT_A_POD = ("serverless", "interruptible", "hyperscaler")
"""Offers that one training run cannot use as it is, or that only large customers pay."""
YEAR = len("2026")
"""A price dated by its year alone is listed on request, but recommended to nobody."""
CURRENCIES_NEAR_USD = (None, "USD", "EUR", "GBP", "CHF")
"""Budgets in these are compared with prices in USD as they stand: within the prices' own spread."""


def tag(price: Price, catalog: Catalog) -> PriceTag:
    """A catalogued price as advice carries it, its source spelled out as an address or a title."""
    where = price.source[0]
    if not where.startswith("http") and (source := catalog.sources.get(where.split(":")[0].strip())):
        where = source.url or source.title
    return PriceTag(
        kind=price.kind,
        low=price.low or price.price,
        high=price.high or price.price,
        currency="USD",
        per_hour=price.unit.startswith("USD/h"),
        date=price.date,
        source=where,
        provider=price.provider,
    )


@lru_cache(maxsize=1024)
def price_to_buy(catalog: Catalog, gpu_id: str, *, used: bool | None = None) -> PriceTag | None:
    """The best-attested price of a card: trust first, then the newest; None when nobody wrote one down."""
    found = [p for p in catalog.prices_of(gpu_id) if p.kind != "cloud" and used in (None, p.kind == "used")]
    best = max(found, key=lambda p: (TRUST[p.trust], p.date), default=None)
    if best is None and used is None:
        return _of_a_twin(catalog, gpu_id)
    return tag(best, catalog) if best else None


def _of_a_twin(catalog: Catalog, gpu_id: str) -> PriceTag | None:
    """The price of the same chip and memory in another form (SXM, PCIe)."""
    gpu = catalog.gpus[gpu_id]
    if gpu.segment != "datacenter":
        return None
    twins = [
        other.id
        for other in catalog.gpus.values()
        if other.segment == "datacenter"
        and other.vram_gb == gpu.vram_gb
        and other.id != gpu_id
        and other.name.split()[0] == gpu.name.split()[0]
    ]
    found = [p for twin in twins for p in catalog.prices_of(twin) if p.kind != "cloud"]
    best = max(found, key=lambda p: (TRUST[p.trust], p.date), default=None)
    return tag(best, catalog) if best else None


@lru_cache(maxsize=1024)
def price_to_rent(catalog: Catalog, gpu_id: str, provider: str = "") -> PriceTag | None:
    """What an hour of this card costs (there): the cheapest of the offers that carry a month, else of all."""
    found = [
        p
        for p in catalog.prices_of(gpu_id)
        if p.kind == "cloud" and provider in ("", p.provider) and not any(word in (p.tier or "") for word in NOT_A_POD)
    ]
    dated = [p for p in found if len(p.date) > 4 and p.trust != "low"]
    best = min(dated or found, key=lambda p: p.price, default=None)
    return tag(best, catalog) if best else None


def quoted(case: Case, gpu_id: str) -> PriceTag | None:
    """The hourly price that the asker was offered; it has no date and no source but the asker."""
    usd = case.query.hourly.get(gpu_id)
    where = case.query.providers[0] if len(case.query.providers) == 1 else ""
    tag_ = {"kind": "cloud", "currency": "USD", "per_hour": True, "date": "", "source": "", "provider": where}
    if not usd:
        return None
    low, high = usd if isinstance(usd, tuple) else (usd, usd)
    return PriceTag(low=low, high=high, **tag_)


@lru_cache(maxsize=4)
def _rentals(catalog: Catalog) -> tuple[tuple[Gpu, PriceTag, int], ...]:
    priced = [
        (g, price, usable_bytes(g))
        for g in catalog.gpus.values()
        if (price := price_to_rent(catalog, g.id)) and len(price.date) > YEAR
    ]
    return tuple(sorted(priced, key=lambda entry: entry[1].low))


def rentals(case: Case, need: Need, most: int = 2, count: int = 1) -> tuple[CardOption, ...]:
    """The cheapest cards by the hour that hold a need (per card, of `count`) with room to spare."""
    made = []
    for gpu, price, usable in _rentals(case.catalog):
        if fit_of(need.device, need.low, usable) == "yes" and (gpu.cuda_capability or (0, 0)) >= (8, 0):
            made.append(_option(case, gpu, count, "yes", usable - need.device, role="rent", price=price))
            if len(made) == most:
                break
    return tuple(made)


def affordable(case: Case, vendor: str = "nvidia") -> tuple[CardOption, ...]:
    """Cards of a vendor that the budget buys at their lowest price: the ranking's by value, then others by memory."""
    ranked_ids = [gpu_id for rank in case.catalog.ranking if rank.count == 1 for gpu_id in rank.gpus[:1]]
    made = []
    for gpu in case.catalog.gpus.values():
        price = price_to_buy(case.catalog, gpu.id)
        if price is not None and within(case, price, 1) and not gpu.unified_memory and gpu.vendor == vendor:
            made.append(_option(case, gpu, 1, "yes", 0, role="buy", price=price))
    made.sort(key=lambda o: (o.gpu not in ranked_ids, -o.vram_gb, o.price.low if o.price else 0.0))
    return tuple(made)


def workstations(case: Case, need: Need, most: int = 1) -> tuple[CardOption, ...]:
    """The cheapest single cards above the home's ranking that hold it and have a price to buy."""
    made = []
    for gpu, price in _for_sale(case.catalog):
        if fit_of(need.device, need.low, usable_bytes(gpu)) == "yes":
            room = usable_bytes(gpu) - need.device
            made.append(_option(case, gpu, 1, "yes", room, role="workstation", price=price))
    return tuple(made[:most])


@lru_cache(maxsize=4)
def _for_sale(catalog: Catalog) -> tuple[tuple[Gpu, PriceTag], ...]:
    priced = [
        (gpu, price)
        for gpu in catalog.gpus.values()
        if gpu.segment in ("workstation", "datacenter")
        and gpu.vendor == "nvidia"
        and (price := price_to_buy(catalog, gpu.id))
        and len(price.date) > YEAR
    ]
    return tuple(sorted(priced, key=lambda entry: entry[1].low))


def ranked(case: Case, need: Need) -> tuple[CardOption, ...]:
    """The seed's ranking with a verdict for this need each; several cards count as sharded where one is not enough."""
    return tuple(option for rank in case.catalog.ranking if (option := _ranked(case, need, rank)) is not None)


def _ranked(case: Case, need: Need, rank: Rank) -> CardOption | None:
    gpus = [g for gpu_id in rank.gpus if (g := case.catalog.gpus.get(gpu_id))]
    if not gpus:
        return None
    gpu, count = gpus[0], rank.count
    usable = usable_bytes(gpu)
    fit, device, offload, ram = fit_of(need.device, need.low, usable), need.device, False, 0
    ways = (False, True) if (case.params or 0) <= LARGEST_AT_HOME else (False,)
    for away in ways:
        if count > 1 and fit not in GOOD:
            shared = case.need(split(case.stacks[0], offload=away), n_gpus=count, sharding="fsdp")
            fit, device, offload = fit_of(shared.device, shared.low, usable), shared.device, away
            ram = shared.host_ram if away else 0
    used = {"used": True, "new": False}.get(rank.condition)
    return _option(
        case,
        gpu,
        count,
        fit,
        usable - device,
        role=rank.pick,
        claim=rank.claims[0],
        price=price_to_buy(case.catalog, gpu.id, used=used) or price_to_buy(case.catalog, gpu.id),
    ).model_copy(update={"offload": offload, "ram": ram})


def option_of(case: Case, gpu: Gpu, *, role: str, price: PriceTag | None) -> CardOption:
    """A card as an option that no need has been held against."""
    return _option(case, gpu, 1, "yes", 0, role=role, price=price)


def _option(
    case: Case, gpu: Gpu, count: int, fit: Fit, room: int, *, role: str, claim: str = "", price: PriceTag | None = None
) -> CardOption:
    return CardOption(
        gpu=gpu.id,
        name=short_name(gpu),
        count=count,
        vram_gb=gpu.vram_gb,
        usable=usable_bytes(gpu),
        fit=fit,
        room=room,
        role=role,
        claim=claim,
        price=price,
        within_budget=within(case, price, count),
    )


def within(case: Case, price: PriceTag | None, count: int) -> bool | None:
    """Whether the low end of a price stays within the stated budget; None without either, or in a far currency."""
    if price is None or price.per_hour or case.query.budget is None or case.query.currency not in CURRENCIES_NEAR_USD:
        return None
    return price.low * count <= case.query.budget
