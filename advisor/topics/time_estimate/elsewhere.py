"""A run that took, or is to take, so long on one card: how long on another, by what both do with the same set-up."""

from typing import Any

from advisor.case import Case
from advisor.stacks import UNSLOTH, short_name
from advisor.topics.usual import EIGHT_B
from knowledge.schemas import Gpu

SPREAD = 0.25
"""Share by which the ratio of two cards differs from run to run. Ours."""
PAIR = 2
JUDGED = frozenset({"slow", "asks_normal", "no_gain"})
"""Who says so asks whether the time is as it should be, and not about another card."""


def elsewhere(case: Case) -> dict[str, Any] | None:
    """Hours on one card for those that a run took on the other; None without two cards, one of which took them."""
    query = case.query
    if not query.took_hours or query.seen_s_per_step or query.seen_tokens_per_s or case.symptoms & JUDGED:
        return None
    gpus = {card.gpu.id: card.gpu for card in case.cards if card.gpu}
    gpus |= {card.gpu.id: card.gpu for option in query.candidates for card in case.resolve_cards(option) if card.gpu}
    source = next(iter(query.named.get("took_on", ())), None)
    if len(gpus) != PAIR or source not in gpus or case.n_cards > 1:
        return None
    of = gpus.pop(source)
    (to,) = gpus.values()
    rates = _rate(case, to), _rate(case, of)
    if not rates[0] or not rates[1]:
        return None
    ratio = rates[0] / rates[1]
    hours = query.took_hours / ratio
    return {
        "ratio": ratio,
        "hours": (hours * (1 - SPREAD), hours * (1 + SPREAD)),
        "to": short_name(to),
        "of": short_name(of),
    }


def _rate(case: Case, gpu: Gpu) -> float | None:
    return case.need(UNSLOTH, **EIGHT_B, gpu=gpu.name).tokens_per_s


def faster(case: Case) -> dict[str, Any] | None:
    """How many times as fast the faster of two cards is, where that is asked of a run whose hours are known: the hours
    on one of it, and how many of it are as fast as all of the slower ones. None where it is not asked.
    """
    query = case.query
    going = query.done_hours / query.done_share if query.done_share and query.done_hours else query.took_hours
    if "asks_faster" not in case.symptoms or not going:
        return None
    options = (query.gpus, *query.candidates)
    cards = {c.gpu.id: (c.gpu, c.count) for option in options for c in case.resolve_cards(option) if c.gpu}
    rates = sorted((rate, key) for key, (gpu, _) in cards.items() if (rate := _rate(case, gpu)))
    if len(rates) != PAIR or rates[0][0] == rates[1][0]:
        return None
    ratio = rates[1][0] / rates[0][0]
    (slower, count), (quicker, _) = (cards[key] for _, key in rates)
    hours = going * count / ratio
    return {
        "ratio": ratio,
        "hours": (hours * (1 - SPREAD), hours * (1 + SPREAD)),
        "to": short_name(quicker),
        "of": short_name(slower),
        "count": count,
        "as_many": max(1, round(count / ratio)),
        "no_flash": slower.supports.flash_attention_2.startswith("no"),
        "seen": None if query.done_share else (going, going),
    }
