"""Two large cards want a large power supply and room to breathe (S31).

Source: facts/gpus: tdp_w; transient peaks about twice the TDP for milliseconds (ATX 3.1).
"""

from advisor.advice import Finding, note, stop
from advisor.case import Case
from advisor.estimator.cost import USD_PER_KWH, power_usd_per_hour
from advisor.query import Kind
from advisor.stacks import short_name

MUCH = 600
"""Watts from which on an ordinary supply gets short."""

REST_WATTS = 300
"""What the rest of the PC draws. Ours."""
PEAKS = 1.15
NEARLY = 1.02
"""What makers of cards recommend is so near to that (RTX 4090: 850 W, RTX 5090: 1,000 W)."""
LIMIT = 0.75
"""A power limit that costs little speed, as a share of the card's own."""
WEEKEND_HOURS = 48
BESIDE_THE_POINT = frozenset({"no_gain", "which_split", "owned_fits"})
"""Verdicts on cards that run already."""
ABOUT_MEMORY = frozenset({Kind.OOM_HELP, Kind.SYSTEM_RAM, Kind.TIME_ESTIMATE})
"""Topics of cards that run already, whatever their number."""
ON = ("gpus", "switches_off", "asks_power")


def check(case: Case) -> Finding | None:
    """Two large cards want a large power supply and room to breathe (S31); a hard switch-off is the supply."""
    off = "switches_off" in case.symptoms
    gpu = case.gpu if len(case.cards) == 1 else None
    if gpu is None or gpu.tdp_w is None or gpu.segment not in ("consumer", "workstation"):
        return stop(card=None, count=0, watts=None, supply=None, have=None, off=True) if off else None
    watts = gpu.tdp_w * case.n_cards
    have, wanted = case.query.supply_w, supply(watts)
    facts = {"card": short_name(gpu), "count": case.n_cards, "watts": watts, "supply": wanted, "have": have}
    if off:
        return stop(**facts, off=True)
    if "parts_list" in case.symptoms:
        return note(**facts, off=False, kwh=None) if will_do(have, watts) in ("limited", "no") else None
    if "asks_power" in case.symptoms:
        usd = power_usd_per_hour(gpu, case.n_cards)
        kwh = usd / USD_PER_KWH if usd else None
        spent = {"kwh": kwh, "usd": usd, "weekend": [kwh * WEEKEND_HOURS, usd * WEEKEND_HOURS] if kwh and usd else None}
        return stop(**facts, off=False, per_kwh=USD_PER_KWH, will_do=will_do(have, watts), **spent)
    if case.advice is not None and case.advice.verdict.code in BESIDE_THE_POINT:
        return None
    if case.advice is not None and case.advice.kind in ABOUT_MEMORY:
        return None
    if case.n_cards < 2 or (case.query.nodes or 1) > 1 or (have is not None and have >= wanted):
        return None  # cards in several machines have several supplies
    return note(**facts, off=False, kwh=None) if watts >= MUCH and case.n_cards <= 4 else None


def asked(case: Case) -> Finding | None:
    """What a supply must give, where that is the question."""
    return check(case) if "asks_power" in case.symptoms else None


def will_do(have: float | None, watts: float) -> str | None:
    """Whether a stated supply does: `yes`, `limited` (with a power limit), `no`; None where none is stated."""
    if have is None:
        return None
    if have * NEARLY >= (watts + REST_WATTS) * PEAKS:
        return "yes"
    return "limited" if have >= LIMIT * watts + REST_WATTS else "no"


def supply(watts: float) -> int:
    """The power supply to buy (W): the cards, the rest, 15 % for peaks; sold in steps of 100 W."""
    return int(-(-(watts + REST_WATTS) * PEAKS // 100) * 100)
