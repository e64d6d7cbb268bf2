"""Several cards: what each holds when the model is copied, split, or split and offloaded; what adds up and what does
not.

Facts: count, card, card_gb, usable (the smallest card's), sum_gb, best (code of the best way that fits), ddp, fsdp,
fsdp_offload (device bytes per card), host_ram, mixed (kinds of card), adds_up (the
asker sums the cards up), cards_80 (80 GB cards it would take), nodes (machines), crossing (bytes of gradients that
each step sends between them as a copy per card), together (speed of copies with adapters over one card), on_one
(bytes that Unsloth takes on one of the cards), ways (nobody said how it is trained: the other methods), states (bytes
of weights, gradients and AdamW where all weights do not fit), qlora_alone (bytes of QLoRA on one of them, where LoRA is
to be split), shorter (tokens and bytes at which a copy fits each card, where only offload does as it stands),
by_itself (of unlike cards the one that holds all of it).
"""

from typing import Any

from advisor.advice import Advice, Need, Verdict
from advisor.asked import FAILURES, Card
from advisor.case import Case
from advisor.parallel import SPEED_FIRST, eight_bit_unsplit, layered, qlora_alone, ways
from advisor.query import Kind
from advisor.stacks import ALL_ON_ONE, GOOD, STATES, UNSLOTH, Stack
from advisor.tiers import (
    cards_that_hold,
    roomy,
    smallest,
)
from advisor.topics.compare_gpus import SCALING
from advisor.topics.multi_gpu.counts import AT_HOME_CARDS, cards_of_80, how_many, lean_split, shared_stack
from advisor.topics.multi_gpu.in_jax import in_jax
from advisor.topics.multi_gpu.no_gain import no_gain
from advisor.topics.multi_gpu.unsized import unsized
from advisor.topics.multi_gpu.which_split import named, which_split
from advisor.topics.time_estimate import TOKENS_EACH, job
from advisor.topics.unsaid import other_ways

__all__ = ["answer", "cards_that_hold", "shared_stack"]

STEPS = "seen_s_per_step"
MEASURE = 1_000_000
"""Tokens whose hours tell which card is the faster."""
SHORTER = (2, 4, 8)
EASE = 0.92
"""Share of a card above which a need is called tight."""
SHORTEST = 256
"""Tokens below which few examples are of use."""
OF_ONE_WAY = frozenset({"oom_step"})
"""What one of several ways may have done without the question being about it."""


def answer(case: Case) -> Advice:
    """Advice on several cards."""
    gain = "no_gain" in case.symptoms or "more_gpus_faster" in case.claims or len(case.query.named.get(STEPS, ())) > 1
    gain = gain or "hours_on" in case.query.named
    if case.query.kind is not Kind.COMPARE_GPUS and gain:
        return no_gain(case)
    if len(named(case)) > 1 and not case.symptoms & FAILURES - OF_ONE_WAY:
        return which_split(case)
    if not case.sized:
        return unsized(case)
    if "uses_jax" in case.symptoms and case.usable is not None:
        return in_jax(case)
    if (smaller := _as_qlora(case) or _in_four_bit(case)) is not None:
        return answer(smaller)
    stack = shared_stack(case)
    if case.n_cards == 1 and not case.query.n_gpus and _too_large_for_one(case):
        return how_many(case, stack)
    n_cards = max(2, case.n_cards)
    found = ways_for(case, stack, n_cards)
    by_code = {need.stack: need for need in found}
    best = _best(case, by_code)
    on_one = _on_one(case)
    facts = _facts(case, stack, by_code, n_cards) | _alone(case, stack) | _unsaid(case) | _unfitting(case, stack, best)
    facts |= _better(case, stack, best) | {"best": best, "tight": by_code[best].fit == "tight" if best else False}
    facts |= {"on_one": on_one.device} if on_one else {}
    alone = facts["one_gb"] is not None
    return Advice(
        kind=Kind.MULTI_GPU,
        query=case.query,
        verdict=Verdict(code=_told(facts) or _code(case, best, alone, on_one is not None), facts=facts),
        setup=case.setup if alone else case.setup.model_copy(update=_shown(_told(facts) or best, n_cards, on_one)),
        needs=(on_one,) if on_one else found,
        asks="gpus" if case.usable is None else None,
        offers=("sharding=fsdp", "n_gpus=1", "n_gpus=4", "kind=system_ram", "show=why", "show=config"),
    )


def _best(case: Case, by_code: dict[str, Need]) -> str | None:
    """The fastest way that fits the cards."""
    open_ = (code for code in ways_open(case) if code in by_code and by_code[code].fit in GOOD)
    return next(open_, None) if case.usable else None


def _facts(case: Case, stack: Stack, by_code: dict[str, Need], n_cards: int) -> dict[str, Any]:
    """The cards, and what each way takes on them."""
    nodes = case.query.nodes or 1
    return {
        **case.where,
        "count": n_cards,
        "sum_gb": sum(c.count * c.vram_gb for c in case.cards) or None,
        "host_ram": by_code["fsdp_offload"].host_ram,
        "mixed": len(case.cards) > 1,
        "adds_up": "vram_adds_up" in case.claims,
        "nvlink": bool(case.gpu.nvlink) if case.gpu else None,
        "nodes": nodes,
        "together": 1 + (n_cards - 1) * SCALING if not (case.full or nodes > 1 or len(case.cards) > 1) else None,
        "crossing": by_code["ddp"].components.get("gradients", 0),
        "others": other_models(case, stack, n_cards) if case.usable else [],
        **{code: need.device for code, need in by_code.items()},
    }


def _alone(case: Case, stack: Stack) -> dict[str, Any]:
    """The card that holds it alone; the leanest that does so with ease, where neither cards nor a number are named."""
    need = case.need(stack, n_gpus=1, sharding="none", offload="none")
    one_gb = smallest(case, case.lean, ("yes",)) if case.usable is None and not case.query.n_gpus else None
    facts = {"alone_gb": roomy(case, need), "one_gb": one_gb}
    if one_gb is None:
        return facts
    return facts | {"lean": case.lean.device, "lean_on": case.lean.stack, "shared_on": stack.code}


def _unsaid(case: Case) -> dict[str, Any]:
    """The other methods where nobody named one, and what fills the cards where all weights do not fit."""
    rows = other_ways(case) if case.n_cards > 1 else []
    if any(row["code"] not in ("qlora", "lora") and row["fit"] not in GOOD for row in rows):
        return {"ways": rows, "states": STATES * (case.params or 0)}
    return {"ways": rows}


def _better(case: Case, stack: Stack, best: str | None) -> dict[str, Any]:
    """What is better than to split: the one of unlike cards that holds it, or its layers laid over all."""
    by_itself = _by_itself(case, stack, best)
    short = best in (None, "fsdp_offload") and by_itself is None and qlora_alone(case) is None
    laid = layered(case) if short else None
    return {"by_itself": by_itself, "layered": laid.device if laid else None}


def _outruns(case: Case, card: Card, others: list[Card]) -> bool:
    """Whether a card by itself is as fast as copies on all, which wait for the slowest."""
    took = [job(case, one.gpu, MEASURE, TOKENS_EACH, 1.0, **ALL_ON_ONE) if one.gpu else None for one in (card, *others)]
    hours = [sum(pair) for pair in took if pair]
    return len(hours) == len(took) and hours[0] * len(hours) <= max(hours)


def _by_itself(case: Case, stack: Stack, best: str | None) -> dict[str, Any] | None:
    """Of unlike cards the largest, where it holds all of it by itself and nobody says how to split: where no copy fits
    each, or where copies would wait for a card that is far slower.
    """
    if len(case.cards) < 2 or case.query.sharding or case.n_cards != len(case.cards):
        return None
    largest, *others = sorted(case.cards, key=lambda card: -card.usable)
    if (best == "ddp" and not _outruns(case, largest, others)) or others[0].vram_gb == largest.vram_gb:
        return None
    need = case.need(stack, n_gpus=1, sharding="none", offload="none")
    if case.fit(need, largest.usable) not in GOOD:
        return None
    names = [card.name or f"{card.vram_gb:g} GB" for card in others]
    return {"name": largest.name, "gb": largest.vram_gb, "usable": largest.usable, "need": need.device, "others": names}


def _unfitting(case: Case, stack: Stack, best: str | None) -> dict[str, Any]:
    """What helps where nothing fits, or only with offload: a shorter length, cards of one kind, more cards."""
    short = best in (None, "fsdp_offload")
    facts = {
        "shorter": _shorter(case, stack) if short and case.usable else None,
        "subset": equal_cards(case, stack) if short and len(case.cards) > 1 else None,
        "lean_split": (lean := lean_split(case) if best == "fsdp_offload" else None),
        "lean_tight": lean is not None and lean > EASE * (case.usable or 0),
        "fused_alone": _fused_alone(case) if best not in ("ddp", "zero2") else None,
        "qlora_alone": qlora_alone(case) if best not in ("ddp", "zero2") and not case.query.sharding else None,
    }
    if best:
        return facts
    cards_80 = cards_of_80(case, stack)
    return facts | {"cards_80": cards_80, "beyond_home": bool(cards_80 and cards_80 > AT_HOME_CARDS)}


def _fused_alone(case: Case) -> int | None:
    """What adapters take on one of the cards with Unsloth, where nobody named a trainer or a split and that fits."""
    query = case.query
    if case.full or query.trainer or query.sharding or case.usable is None or UNSLOTH not in case.stacks_of_one:
        return None
    need = case.need(UNSLOTH, n_gpus=1, sharding="none", offload="none")
    return need.device if need.fit in GOOD else None


def _as_qlora(case: Case) -> Case | None:
    """The same with QLoRA, where only "FSDP" or "ZeRO" made it all weights, and these cards do not hold them."""
    assumed = case.full and case.query.sources.get("method") == "assumed" and case.query.algorithm is None
    if not assumed or case.usable is None:
        return None
    if any(way.need.fit in GOOD and way.code != "fsdp_offload" for way in ways(case, shared_stack(case), case.n_cards)):
        return None
    return Case(case.query.model_copy(update={"method": "qlora", "weight_bits": 4.0}), case.catalog)


def _in_four_bit(case: Case) -> Case | None:
    """The same in 4 bit, where an 8-bit base would have to be split (rules.eight_bit_is_slow says why)."""
    if not eight_bit_unsplit(case):
        return None
    changes = {"method": "qlora", "weight_bits": 4.0, "quant": None}
    return Case(case.query.model_copy(update=changes), case.catalog)


def other_models(case: Case, stack: Stack, n_cards: int) -> list[dict[str, Any]]:
    """The fastest way that fits for each further model in the question, else the leanest."""
    made = []
    for name, slots in case.alternatives:
        found = {way.code: way.need for way in ways(case, stack, n_cards, **slots)}
        best = next((c for c in ways_open(case) if c in found and found[c].fit in GOOD), "fsdp_offload")
        made.append({"name": name, "way": best, "need": found[best].device, "fit": found[best].fit})
    return made


def equal_cards(case: Case, stack: Stack) -> dict[str, Any] | None:
    """Of unequal cards those of one kind that hold it without the others."""
    for card in sorted(case.cards, key=lambda c: -c.usable):
        for way in ways(case, stack, card.count):
            if (card.count > 1 or way.code == "ddp") and case.fit(way.need, card.usable) in GOOD:
                needed = {"way": way.code, "need": way.need.device}
                return {"name": card.name, "vram_gb": card.vram_gb, "count": card.count, "usable": card.usable} | needed
    return None


def ways_open(case: Case) -> tuple[str, ...]:
    """The ways in the order of speed; offload only where a machine with these cards has the RAM."""
    return SPEED_FIRST if case.offload_is_sane else SPEED_FIRST[:-1]


def ways_for(case: Case, stack: Stack, n_cards: int) -> tuple[Need, ...]:
    """One need per way, named by the way's code."""
    return tuple(way.need for way in ways(case, stack, n_gpus=n_cards))


def _too_large_for_one(case: Case) -> bool:
    """Whether the asker's card, or any single one where none is named, is too small."""
    return case.lean.fit not in GOOD if case.usable else smallest(case, case.lean) is None


def _on_one(case: Case) -> Need | None:
    """What Unsloth takes on one of the cards, where it is the trainer and that is enough; not where all are wanted."""
    if case.query.trainer != "unsloth" or case.usable is None or "one_card_used" in case.symptoms:
        return None
    need = case.need(UNSLOTH, n_gpus=1, sharding="none", offload="none")
    return need if need.fit in GOOD else None


def _shorter(case: Case, stack: Stack) -> dict[str, int] | None:
    """The longest of half, a quarter, an eighth of the length at which a copy fits each card."""
    for tokens in (case.seq_len // part for part in SHORTER if case.seq_len // part >= SHORTEST):
        need = case.need(stack, seq_len=tokens, sharding="ddp", offload="none")
        if need.fit in GOOD:
            return {"tokens": tokens, "need": need.device}
    return None


def _shown(best: str | None, n_cards: int, on_one: Need | None) -> dict[str, Any]:
    """What of the set-up the verdict changes."""
    if on_one is not None or best == "one_of_them":
        return {"n_gpus": 1, "sharding": "none"}
    if best == "layered":
        return {"n_gpus": n_cards, "sharding": "pipeline"}
    return {"n_gpus": n_cards, "sharding": best if best in ("ddp", "zero2") else "fsdp"}


def _told(facts: dict[str, Any]) -> str | None:
    """The verdict of what is better than to split."""
    return "one_of_them" if facts["by_itself"] else "layered" if facts["layered"] else None


def _code(case: Case, best: str | None, alone: bool, on_one: bool) -> str:
    if alone or on_one:
        return "one_is_enough" if alone else "one_unsloth"
    if case.usable is None:
        return "no_card"
    return best or "none_fits"
