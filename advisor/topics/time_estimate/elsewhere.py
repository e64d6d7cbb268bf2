"""A run that took, or is to take, so long on one card: how long on another, by what both do with the same set-up."""

from typing import Any

from advisor.case import Case
from advisor.stacks import UNSLOTH, short_name
from advisor.topics.usual import EIGHT_B
from knowledge.schemas import Gpu

SPREAD = 0.25
"""Share by which the ratio of two cards differs from run to run. Ours."""
PAIR = 2
ONE = 0.8
"""Share of a card below which one of it does more than all of the slower ones."""
JUDGED = frozenset({"slow", "asks_normal", "no_gain"})
"""Who says so asks whether the time is as it should be, and not about another card."""


def elsewhere(case: Case) -> dict[str, Any] | None:
    """Hours on one card for those that a run took on the other; None without two cards, one of which took them."""
    query = case.query
    if not query.took_hours or query.seen_s_per_step or query.seen_tokens_per_s or case.symptoms & JUDGED:
        return None
    gpus = _named(case)
    source = next(iter(query.named.get("took_on", ())), None)
    if len(gpus) != PAIR or source not in gpus or case.n_cards > 1:
        return None
    of, _ = gpus.pop(source)
    ((to, on),) = gpus.values()
    rates = _rate(case, to), _rate(case, of)
    if not rates[0] or not rates[1]:
        return None
    ratio = on * rates[0] / rates[1]
    hours = query.took_hours / ratio
    return {
        "ratio": ratio,
        "hours": (hours * (1 - SPREAD), hours * (1 + SPREAD)),
        "to": f"{on}× {short_name(to)}" if on > 1 else short_name(to),
        "of": short_name(of),
    }


def _named(case: Case) -> dict[str, tuple[Gpu, int]]:
    """The cards of the question and of its alternatives, each with how many there are."""
    options = (case.query.gpus, *case.query.candidates)
    return {c.gpu.id: (c.gpu, c.count) for option in options for c in case.resolve_cards(option) if c.gpu}


def _rate(case: Case, gpu: Gpu) -> float | None:
    return case.need(UNSLOTH, **EIGHT_B, gpu=gpu.name).tokens_per_s


def faster(case: Case) -> dict[str, Any] | None:
    """How many times as fast the faster of two cards is, and the hours on it, where those of a run on the other are
    known, or where that alone is asked: on so many of it as are named, and how many of it are as fast as all of the
    slower ones. None where the question is another.
    """
    query = case.query
    going = query.done_hours / query.done_share if query.done_share and query.done_hours else query.took_hours
    asked = "asks_faster" in case.symptoms
    if case.symptoms & JUDGED or not (asked or (going and case.n_cards > 1) or query.done_share):
        return None
    cards = {
        c.gpu.id: (c.gpu, c.count) for o in (query.gpus, *query.candidates) for c in case.resolve_cards(o) if c.gpu
    }
    rates = sorted((rate, key) for key, (gpu, _) in cards.items() if (rate := _rate(case, gpu)))
    if len(rates) != PAIR or rates[0][0] == rates[1][0]:
        return None
    if not query.done_share and rates[1][1] in query.named.get("took_on", ()):
        return None  # the hours are those of the faster card
    ratio = rates[1][0] / rates[0][0]
    (slower, count), (quicker, on) = (cards[key] for _, key in rates)
    hours = going * count / ratio / on if going else None
    return {
        "ratio": ratio,
        "hours": (hours * (1 - SPREAD), hours * (1 + SPREAD)) if hours else None,
        "to": short_name(quicker),
        "of": short_name(slower),
        "count": count,
        "on": on,
        "as_many": max(1, round(count / ratio)),
        "more": count / ratio < ONE,
        "no_flash": slower.supports.flash_attention_2.startswith("no"),
        "seen": None if query.done_share or not going else (going, going),
    }
