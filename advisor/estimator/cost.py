"""Money: what a card costs to buy and to rent, power, and after how many hours buying has paid. Only dated prices.

No price is made up: without a quote there is no answer. The price of electricity is the one thing that nobody quotes;
it is an argument, and its default is said in the result.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from advisor.estimator.speed.rate import Range
from knowledge.catalog import Catalog
from knowledge.schemas import Gpu, Price

USD_PER_KWH = 0.30
"""Between US (about 0.17) and German (about 0.40) households; an assumption that every result carries with it."""
BOARD_SHARE = 0.9
"""Share of its power limit that a card draws while it trains."""
REST_OF_THE_PC_W = 120
"""CPU, memory, fans and losses of the power supply."""
RECENT_MONTHS = 6
"""Quotes that much older than the newest are left out: prices age in weeks."""
NOT_FOR_A_RUN = ("serverless", "interruptible", "spot", "hyperscaler")
"""Tiers that a person does not rent for one training run, or that can be taken away in the middle of it."""
TRUST = {"low": 0, "medium": 1, "high": 2}


@dataclass(frozen=True, slots=True)
class PriceRange:
    """Quotes of one kind for one card: USD per card, or USD per hour and card. `date` and `source` are mid's."""

    low: float
    mid: float
    high: float
    kind: str
    date: str
    source: tuple[str, ...]
    provider: str
    trust: str
    quotes: int


@dataclass(frozen=True, slots=True)
class BuyOrRent:
    """Buying against renting the same card. Money in USD, times in hours of training."""

    buy: PriceRange
    rent: PriceRange
    count: int
    power_usd_per_hour: float
    usd_per_kwh: float
    break_even_hours: Range | None
    """Hours after which buying is cheaper; None when renting costs no more than the electricity at home."""


def month_of(date: str) -> int:
    """Months since year 0 of 2026, 2026-05 or 2026-05-07; a bare year counts from its January."""
    year, _, rest = date.partition("-")
    return int(year) * 12 + (int(rest[:2]) if rest else 1)


def _usable(prices: Iterable[Price], kinds: Sequence[str]) -> list[Price]:
    found = [price for price in prices if price.kind in kinds]
    fitting = [price for price in found if not any(word in (price.tier or "").lower() for word in NOT_FOR_A_RUN)]
    return fitting or found


def price_range(prices: Iterable[Price], kinds: Sequence[str]) -> PriceRange | None:
    """The range of the newest quotes of these kinds (cloud; retail, used), the middle one with its date and source.

    Quotes of low trust count only where there is no other. None without a quote.
    """
    found = _usable(prices, kinds)
    if not found:
        return None
    trusted = [price for price in found if price.trust != "low"] or found
    newest = max(month_of(price.date) for price in trusted)
    recent = [price for price in trusted if newest - month_of(price.date) <= RECENT_MONTHS]
    middle = median(price.price for price in recent)
    best = min(recent, key=lambda price: (abs(price.price - middle), -TRUST[price.trust], -month_of(price.date)))
    return PriceRange(
        low=min(price.low or price.price for price in recent),
        mid=best.price,
        high=max(price.high or price.price for price in recent),
        kind=best.kind,
        date=best.date,
        source=tuple(best.source),
        provider=best.provider,
        trust=best.trust,
        quotes=len(recent),
    )


def price_of(catalog: Catalog, gpu_id: str, *kinds: str) -> PriceRange | None:
    """`price_range` of a card by id; kinds default to everything that buys it: used and retail."""
    return price_range(catalog.prices_of(gpu_id), kinds or ("used", "retail"))


def power_kw(gpu: Gpu, count: int = 1) -> float | None:
    """Kilowatts at the wall while training, the PC included; None where no power limit is known."""
    if gpu.tdp_w is None:
        return None
    return (count * gpu.tdp_w * BOARD_SHARE + REST_OF_THE_PC_W) / 1000


def power_usd_per_hour(gpu: Gpu, count: int = 1, usd_per_kwh: float = USD_PER_KWH) -> float | None:
    """USD per hour of training at home; None where no power limit is known."""
    kw = power_kw(gpu, count)
    return None if kw is None else kw * usd_per_kwh


def break_even_hours(
    buy: PriceRange, rent: PriceRange, power_usd: float, *, count: int = 1, resale_share: float = 0.0
) -> Range | None:
    """Hours h with count x buy x (1 - resale) = h x (count x rent - power).

    None when even the dearest rent saves nothing; the upper bound is infinite where the cheapest rent is below power.
    """

    def hours(price: float, per_hour: float) -> float:
        saved = count * per_hour - power_usd
        return count * price * (1 - resale_share) / saved if saved > 0 else float("inf")

    found = Range(hours(buy.low, rent.high), hours(buy.mid, rent.mid), hours(buy.high, rent.low))
    return None if found.low == float("inf") else found


def buy_or_rent(
    catalog: Catalog,
    gpu_id: str,
    *,
    count: int = 1,
    usd_per_kwh: float = USD_PER_KWH,
    resale_share: float = 0.0,
    used: bool | None = None,
) -> BuyOrRent | None:
    """Both ways for a card by id; `used` picks second-hand or new prices. None unless both prices are known."""
    gpu = catalog.gpus.get(gpu_id)
    kinds = ("used", "retail") if used is None else ("used",) if used else ("retail",)
    buy, rent = price_of(catalog, gpu_id, *kinds), price_of(catalog, gpu_id, "cloud")
    if gpu is None or buy is None or rent is None:
        return None
    power = power_usd_per_hour(gpu, count, usd_per_kwh) or 0.0
    even = break_even_hours(buy, rent, power, count=count, resale_share=resale_share)
    return BuyOrRent(buy, rent, count, power, usd_per_kwh, even)


def job_usd(hours: Range, rent: PriceRange, n_gpus: int = 1) -> Range:
    """USD of a job in the cloud that takes `hours` on `n_gpus` cards."""
    return Range(hours.low * rent.low * n_gpus, hours.mid * rent.mid * n_gpus, hours.high * rent.high * n_gpus)


def job_usd_at_home(hours: Range, gpu: Gpu, n_gpus: int = 1, usd_per_kwh: float = USD_PER_KWH) -> Range | None:
    """USD of electricity for the same job at home; None where no power limit is known."""
    power = power_usd_per_hour(gpu, n_gpus, usd_per_kwh)
    return None if power is None else hours.scaled(power)
