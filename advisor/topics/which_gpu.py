"""Which card? Minimum and comfortable size, the seed's ranking with a verdict each, the delta to a card already
owned.

Needs a model or a size; without one the table of sizes and the question for it.
Facts: minimum_gb, comfortable_gb, floor {gb, tokens} (a size below the minimum that holds it at a shorter length),
longer {seq_len, adds}, budget, currency, pick (role of the recommended option), cards_80, look_for (cards for the
budget that have no dated price), rollouts (bytes at the leanest and the plainest with vLLM beside it; None without).
"""

from typing import Any

from advisor.advice import Advice, CardOption, Need, Verdict
from advisor.asked import FAILURES, ROLLOUTS
from advisor.case import Case
from advisor.changes import make_it_fit
from advisor.options import ranked, rentals, workstations
from advisor.query import Kind, Query
from advisor.sold import as_sold, told_of
from advisor.stacks import ALONE, FOUR_BIT, GOOD, LARGEST_AT_HOME, Stack, fit_of
from advisor.tiers import (
    COUNTS,
    cards_that_hold,
    comfortable,
    others,
    roomy,
    smallest,
    split,
    window,
)
from advisor.topics import topic
from advisor.topics.sizes import sizes_table, to_look_for, trains
from advisor.topics.sizes_beside import entry, floor, longer
from advisor.topics.unsaid import other_ways

MOST_SHOWN = 4
SHOWN_BESIDE_A_FIGURE = 2
"""Cards named where the question is whether somebody's figure is right, or where little is needed."""
LITTLE = 0.4
"""Share of the recommended card up to which the need is little: what is larger and dearer is no advice then."""
SPEED = ("best_single", "if_priced_right", "power_user", "entry_only", "best_value")
"""The ranking's picks, the fastest first."""
EASE = 0.15
"""Share of a card that stays free where the best value is enough."""
ONE_CARD_GB = 96
"""GB of the largest card that is sold for a desk; above it the answer is several cards or a data centre."""
SMALL_GB = 16
AT_HOME_GB = 48
"""The seed's power user: two cards of 24 GB (S13)."""


def answer(case: Case) -> Advice:
    """Advice on which card to get."""
    if (sold := as_sold(case)) is not None:
        return told_of(answer(sold), case)
    if not case.sized:
        return sizes_table(case, Kind.WHICH_GPU)
    if "asks_cheapest" in case.symptoms and case.cards and not case.gpus:
        return _of_a_size(case)
    if case.symptoms & FAILURES and case.card is not None and case.plain.fit in GOOD:
        return topic(Kind.OOM_HELP)(case)  # the card is large enough: no other one helps
    needs = case.needs(**ALONE)
    planned = _planned(case, needs)
    minimum, comfort = _sizes(case, needs, planned)
    if minimum is None:
        return _several(case, needs, window(case, needs))
    tiers = window(case, planned, comfort or minimum)
    needs = case.needs(tiers, **ALONE)
    if case.query.algorithm in ROLLOUTS:
        needs = tuple(with_rollouts(case, need) for need in needs)
    options = ranked(case, needs[0])
    pick = recommend(options, comfort or minimum, rollouts=case.query.algorithm in ROLLOUTS)
    code = _code(case, needs[0], options)
    beyond = () if any(o.fit in GOOD and not o.offload for o in options) else workstations(case, needs[0])
    rent = rentals(case, needs[0]) if beyond or code == "budget_short" or (comfort or ONE_CARD_GB) > AT_HOME_GB else ()
    shown = _shown(options, comfort or minimum, pick, case.query, needs[-1].device)
    facts = _facts(case, needs, code, minimum) | {
        "comfortable_gb": comfort,
        "spare": comfort is not None and case.card is not None and comfort < case.card.vram_gb and not case.one_memory,
        "pick": pick.gpu if pick else None,
        "pick_count": pick.count if pick else 1,
    }
    return Advice(
        kind=Kind.WHICH_GPU,
        query=case.query,
        verdict=Verdict(code=code, facts=facts),
        setup=case.setup,
        needs=needs,
        tiers=tiers,
        changes=make_it_fit(case, case.stacks[-1]) if case.symptoms & FAILURES and code.startswith("owned") else (),
        options=(*shown, *beyond, *rent)[: MOST_SHOWN + 1],
        offers=offers(case),
    )


def _of_a_size(case: Case) -> Advice:
    """A size is wanted, and no card is at hand."""
    bare = answer(Case(case.query.model_copy(update={"gpus": (), "n_gpus": None}), case.catalog))
    return bare.model_copy(update={"query": case.query})


def _sizes(case: Case, needs: tuple[Need, ...], planned: tuple[Need, ...]) -> tuple[int | None, int | None]:
    """(smallest, comfortable) size of a card; such as leave room to generate where training does that."""
    if case.query.algorithm not in ROLLOUTS:
        return smallest(case, needs[0]), comfortable(case, planned)
    minimum, comfort = room_for_rollouts(case, needs[0])
    plain = needs[-1].model_copy(update={"device": 2 * needs[-1].device})
    return minimum, max(comfort, fits) if comfort and (fits := smallest(case, plain)) else comfort


def _planned(case: Case, needs: tuple[Need, ...]) -> tuple[Need, ...]:
    """What a card is chosen for: every stack; of a mixture in 4 bit only where its experts are, at the high end."""
    if not case.setup.experts_16_bit:
        return needs
    return (needs[0].model_copy(update={"device": needs[0].high}),)


def _facts(case: Case, needs: tuple[Need, ...], code: str, minimum: int) -> dict[str, Any]:
    """What is needed, what the asker has of it, and what else there is."""
    lean, stock = needs[0], needs[-1]
    return {
        **case.where,
        "others": others(case),
        "rollouts": (2 * lean.device, 2 * stock.device) if case.query.algorithm in ROLLOUTS else None,
        "cheapest": "asks_cheapest" in case.symptoms,
        "floor": floor(case, lean, minimum) if case.card is None else None,
        "entry": entry(case, lean, stock, failed=code == "owned_failed") if minimum <= SMALL_GB else None,
        "cards_80": cards_that_share(case) if minimum > ONE_CARD_GB else None,
        "lean": lean.device,
        "stock": stock.device,
        "minimum_gb": minimum,
        "sizes": [roomy(case, lean), roomy(case, stock)],
        "longer": longer(case, lean),
        "budget": case.query.budget,
        "currency": case.query.currency or "USD",
        "look_for": to_look_for(case, minimum) if code == "budget_short" else [],
        "card_fit": lean.fit,
        "only_lean": stock.fit is not None and stock.fit not in GOOD,
        "roomy_gb": smallest(case, stock, ("yes",)),
        "own_largest": trains(case) if code == "owned_short" and case.n_cards == 1 and not case.full else None,
        "shared": shared_way(case) if code == "owned_short" and case.n_cards > 1 else None,
        "tight": case.fit(lean, case.usable_of_size(minimum)) == "tight",
        "ways": other_ways(case) if code.startswith("owned") else [],
    } | (qlora_instead(case) if minimum > AT_HOME_GB else {"smaller": None})


def shared_way(case: Case) -> str | None:
    """How several owned cards hold it together: split, or split and offloaded."""
    for code in ("fsdp", "fsdp_offload"):
        stack = split(case.stacks[0], offload=code == "fsdp_offload")
        if case.need(stack, n_gpus=case.n_cards, sharding="fsdp").fit in GOOD:
            return code
    return None


def room_for_rollouts(case: Case, lean: Need) -> tuple[int | None, int | None]:
    """(smallest, comfortable) size with vLLM beside training: half the card for it; a 16-bit copy and its cache."""
    half = lean.model_copy(update={"device": 2 * lean.device, "low": 2 * lean.low})
    params = case.params or 0
    whole = lean.model_copy(update={"device": 2 * lean.device + 2 * params, "low": 2 * lean.low + 2 * params})
    return smallest(case, half), smallest(case, whole)


def with_rollouts(case: Case, need: Need) -> Need:
    """The need with marks that leave as much again for vLLM."""
    marks = tuple(
        mark.model_copy(update={"fit": fit_of(2 * need.device, 2 * need.low, case.usable_of_size(int(mark.vram_gb)))})
        for mark in need.marks
    )
    return need.model_copy(update={"marks": marks})


def _code(case: Case, lean: Need, options: tuple[CardOption, ...]) -> str:
    if case.card is not None and not case.query.candidates:
        return "owned_short" if lean.fit not in GOOD else "owned_failed" if case.symptoms & FAILURES else "owned_enough"
    if case.query.budget is not None and not any(o.within_budget and o.fit in GOOD for o in options):
        return "budget_short" if any(o.within_budget is False for o in options) else "tiers"
    return "tiers"


def _shown(
    options: tuple[CardOption, ...], comfort: int, pick: CardOption | None, query: Query, most: int
) -> tuple[CardOption, ...]:
    """The ranked cards worth a line, the recommended one first; an entry card only where its size is enough;
    `most` bytes are what the plainest stack takes.
    """
    kept = [o for o in options if o.fit in GOOD and (o.role != "entry_only" or comfort <= o.vram_gb)]
    if "asks_cheapest" in query.symptoms:
        return tuple(sorted(kept, key=_cost))[:SHOWN_BESIDE_A_FIGURE]
    kept.sort(key=lambda o: pick is None or (o.gpu, o.count) != (pick.gpu, pick.count))
    if query.show == "cheaper":
        kept.sort(key=_cost)
    if query.show == "faster":
        kept.sort(key=lambda o: SPEED.index(o.role) if o.role in SPEED else len(SPEED))
    if pick is not None and not (query.show or query.models) and most <= LITTLE * pick.usable * pick.count:
        return tuple(kept[:1])
    if query.models and query.kind is Kind.FITS_CHECK and not query.show:
        return tuple(kept[:1])  # what each size takes is asked, not what to buy
    return tuple(kept[: SHOWN_BESIDE_A_FIGURE if query.claimed_gib else MOST_SHOWN])


def _cost(option: CardOption) -> float:
    """USD for all its cards; what has no dated price comes last."""
    return option.price.low * option.count if option.price else float("inf")


def recommend(options: tuple[CardOption, ...], comfort: int, *, rollouts: bool = False) -> CardOption | None:
    """The best value that fits with ease and within the budget, else a comfortable option, else what fits at all."""
    open_ = [o for o in options if o.within_budget is not False and not o.offload]
    easy = [o for o in open_ if o.fit == "yes" and o.vram_gb * o.count >= comfort]
    easy += [o for o in open_ if o.role == "best_value" and o.room >= EASE * o.usable and not rollouts]
    for role in ("best_value", "power_user", "best_single", "if_priced_right", "entry_only"):
        if found := next((o for o in easy if o.role == role), None):
            return found
    return next((o for o in open_ if o.fit in GOOD), None)


def _several(case: Case, needs: tuple[Need, ...], tiers: tuple[int, ...]) -> Advice:
    """More than any single card: how many 80 GB cards share it."""
    count = cards_that_share(case)
    shared = case.need(split(case.stacks[0]), n_gpus=count or COUNTS[-1], sharding="fsdp")
    tight = count is not None and case.fit(shared, case.usable_of_size(80)) == "tight"
    facts = {
        "lean": needs[0].device,
        "stock": needs[-1].device,
        "cards_80": count,
        "per_card": shared.device,
        "cards_easy": next((more for more in COUNTS if more > (count or 0)), None) if tight else None,
        "host_ram": shared.host_ram,
        "pick": None,
        "entry": None,
        "pick_count": 1,
        "longer": None,
        "floor": None,
        "for_home": (case.params or 0) <= LARGEST_AT_HOME or bool(case.query.claimed_gib),
        "rollouts": None,
        "budget": case.query.budget,
        "currency": case.query.currency or "USD",
    } | qlora_instead(case)
    return Advice(
        kind=Kind.WHICH_GPU,
        query=case.query,
        verdict=Verdict(code="several", facts=facts),
        setup=case.setup,
        needs=case.needs(tiers, **ALONE),
        tiers=tiers,
        options=rentals(case, shared, 2, count or 1),
        offers=offers(case),
    )


def qlora_instead(case: Case) -> dict[str, Any]:
    """What QLoRA takes, and its smallest card, where another method is asked for."""
    if case.method in FOUR_BIT:
        return {"smaller": None}
    qlora = case.need(case_stack_for_qlora(case), method="qlora", weight_bits=None, optimizer=None, **ALONE)
    return {"smaller": "qlora", "qlora": qlora.device, "qlora_gb": smallest(case, qlora)}


def cards_that_share(case: Case) -> int | None:
    """How many 80 GB cards hold it when split; None beyond the most."""
    return cards_that_hold(case, split(case.stacks[0]), case.usable_of_size(80), least=2)


def case_stack_for_qlora(case: Case) -> Stack:
    """The stack that QLoRA numbers stand for: the stated trainer, else the leanest."""
    return Stack(case.query.trainer or "unsloth", case.query.trainer or "unsloth")


def offers(case: Case) -> tuple[str, ...]:
    """The taps that people want next."""
    other = "lora" if case.method == "qlora" else "qlora"
    length = 4096 if case.seq_len < 4096 else 8192 if case.seq_len < 8192 else 32768
    return (
        f"seq_len={length}",
        f"method={other}",
        "n_gpus=2",
        "show=why",
        "show=config",
        "show=prices",
        "kind=time_estimate",
    )
