"""Several cards: what each holds when the model is copied, split, or split and offloaded; what adds up and what does
not.

Facts: count, card, card_gb, usable (the smallest card's), sum_gb, best (code of the best way that fits), ddp, fsdp,
fsdp_offload (device bytes per card), fits_one (a single card does it), host_ram, mixed (kinds of card), adds_up
(the asker sums the cards up), cards_80 (80 GB cards it would take).
"""

from typing import Any

from advisor.advice import Advice, Need, Verdict
from advisor.case import Case
from advisor.options import GOOD
from advisor.parallel import ways
from advisor.query import Kind
from advisor.stacks import FULL_8BIT, MASTER_8BIT, Stack
from advisor.tiers import smallest
from advisor.topics.oom_help import FAILURES
from advisor.topics.sizes import sizes_table, split_largest

COUNTS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
SPLITS = frozenset({"fsdp", "zero2", "zero3"})
OF_ONE_WAY = frozenset({"oom_step"})
"""What one of several ways may have done without the question being about it."""
SPEED_FIRST = ("ddp", "zero2", "fsdp", "sequence", "fsdp_offload")
"""Ways in the order of speed: take the first that fits."""


def answer(case: Case) -> Advice:
    """Advice on several cards."""
    if case.query.kind is not Kind.COMPARE_GPUS and ("no_gain" in case.symptoms or "more_gpus_faster" in case.claims):
        return _no_gain(case)
    if len(SPLITS.intersection(case.query.named.get("sharding", ()))) > 1 and not case.symptoms & FAILURES - OF_ONE_WAY:
        return _which_split(case)
    if not case.sized:
        return sizes_table(case, Kind.MULTI_GPU).model_copy(update={"verdict": _unsized(case)})
    n_cards = max(2, case.n_cards)
    stack = shared_stack(case)
    if case.usable and case.n_cards == 1 and case.lean.fit not in GOOD:
        return _how_many(case, stack)
    found = ways_for(case, stack, n_cards)
    by_code = {need.stack: need for need in found}
    best = (
        next((code for code in ways_open(case) if code in by_code and by_code[code].fit in GOOD), None)
        if case.usable
        else None
    )
    facts: dict[str, Any] = {
        "count": n_cards,
        "card": case.card.name if case.card else "",
        "card_gb": case.card.vram_gb if case.card else None,
        "usable": case.usable,
        "sum_gb": sum(c.count * c.vram_gb for c in case.cards) or None,
        "best": best,
        "fits_one": by_code["ddp"].fit in GOOD if case.usable else None,
        "host_ram": by_code["fsdp_offload"].host_ram,
        "host_ram_fsdp": by_code["fsdp"].host_ram,
        "mixed": len(case.cards) > 1,
        "adds_up": "vram_adds_up" in case.claims,
        "names": [[card.name, card.vram_gb, card.count] for card in case.cards],
        "nvlink": bool(case.gpu.nvlink) if case.gpu else None,
        **{code: need.device for code, need in by_code.items()},
    }
    facts["alone_gb"] = smallest(case, case.need(stack, n_gpus=1, sharding="none", offload="none"))
    facts["one_gb"] = smallest(case, case.lean, ("yes",)) if case.usable is None and not case.query.n_gpus else None
    alone = facts["one_gb"] is not None
    facts |= {"lean": case.lean.device, "lean_on": case.lean.stack} if alone else {}
    facts["others"] = other_models(case, stack, n_cards) if case.usable else []
    facts["subset"] = equal_cards(case, stack) if len(case.cards) > 1 and best in (None, "fsdp_offload") else None
    if case.usable is None or best is None:
        facts["cards_80"] = cards_of_80(case, stack)
    return Advice(
        kind=Kind.MULTI_GPU,
        query=case.query,
        verdict=Verdict(code="one_is_enough" if alone else _code(case, best), facts=facts),
        setup=case.setup
        if alone
        else case.setup.model_copy(
            update={"n_gpus": n_cards, "sharding": best if best in ("ddp", "zero2") else "fsdp"}
        ),
        needs=found,
        asks="gpus" if case.usable is None else None,
        offers=("sharding=fsdp", "n_gpus=1", "n_gpus=4", "kind=system_ram", "show=why", "show=config"),
    )


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
                return {"name": card.name, "count": card.count, "usable": card.usable} | needed
    return None


def _how_many(case: Case, stack: Stack) -> Advice:
    """One kind of card without a number: how many of them hold it when split."""
    count = cards_that_hold(case, stack, case.usable or 0)
    need = case.need(stack, n_gpus=count or COUNTS[-1], sharding="fsdp", offload="none")
    smaller = method_needs(case, count or COUNTS[-1])
    facts: dict[str, Any] = {
        "count": count,
        "card": case.card.name if case.card else "",
        "card_gb": case.card.vram_gb if case.card else None,
        "usable": case.usable,
        "per_card": need.device,
        "weights_16": 2 * (case.params or 0),
        "names": [],
        "alone": case.lean.device,
        "full_count": smaller,
    }
    return Advice(
        kind=Kind.MULTI_GPU,
        query=case.query,
        verdict=Verdict(code="how_many", facts=facts),
        setup=case.setup,
        needs=(need.model_copy(update={"stack": "fsdp"}),),
        offers=("method=lora", "method=full", "kind=cost_buy_vs_rent", "show=why"),
    )


def _no_gain(case: Case) -> Advice:
    """More cards, no more speed: what eats the gain. No memory table, since memory is not the question."""
    facts: dict[str, Any] = {
        "count": case.n_cards,
        "card": case.card.name if case.card else "",
        "nvlink": bool(case.gpu.nvlink) if case.gpu else None,
        "consumer": case.gpu.segment == "consumer" if case.gpu else None,
        "nodes": case.query.nodes or 1,
        "split": case.query.sharding in ("fsdp", "fsdp2", "zero3") or case.full,
        "names": [],
    }
    return Advice(
        kind=Kind.MULTI_GPU,
        query=case.query,
        verdict=Verdict(code="no_gain", facts=facts),
        offers=("kind=fits_check", "kind=time_estimate"),
    )


def _which_split(case: Case) -> Advice:
    """FSDP or ZeRO: what differs, and what each takes on the asker's cards."""
    sized = case.sized and case.n_cards > 1
    found = ways_for(case, shared_stack(case), case.n_cards) if sized else ()
    facts: dict[str, Any] = {
        "count": case.n_cards,
        "usable": case.usable,
        "names": [[card.name, card.vram_gb, card.count] for card in case.cards],
        "adapters": not case.full and bool(case.query.method),
    }
    return Advice(
        kind=Kind.MULTI_GPU,
        query=case.query,
        verdict=Verdict(code="which_split", facts=facts),
        setup=case.setup if sized else None,
        needs=found,
        offers=("sharding=fsdp", "kind=system_ram", "show=config"),
    )


def method_needs(case: Case, least: int) -> int | None:
    """How many of the asker's cards full fine-tuning takes (8-bit AdamW, split); None beyond the largest count."""
    full = Stack("axolotl", "axolotl", FULL_8BIT.changes)
    return cards_that_hold(case, full, case.usable or 0, least=least, method="full", weight_bits=None, quant=None)


def cards_that_hold(case: Case, stack: Stack, usable: int, least: int = 1, **changes: Any) -> int | None:
    """The smallest usual number of cards that hold it when split; None beyond the largest."""
    for count in COUNTS:
        if count >= least:
            sharding = "fsdp" if count > 1 else "none"
            need = case.need(stack, n_gpus=count, sharding=sharding, offload="none", **changes)
            if case.fit(need, usable) in GOOD:
                return count
    return None


def ways_open(case: Case) -> tuple[str, ...]:
    """The ways in the order of speed; offload only where a machine with these cards has the RAM."""
    return SPEED_FIRST if case.offload_is_sane else SPEED_FIRST[:-1]


def shared_stack(case: Case) -> Stack:
    """The stack that several cards run: the stated trainer, or plain PyTorch with a fused loss as Axolotl sets it
    up.
    """
    if case.query.trainer and case.query.trainer != "unsloth":
        return case.stacks[0]
    return Stack("axolotl", "axolotl", MASTER_8BIT.changes if case.full and case.no_bf16 else ())


def ways_for(case: Case, stack: Stack, n_cards: int) -> tuple[Need, ...]:
    """One need per way, named by the way's code."""
    return tuple(way.need for way in ways(case, stack, n_gpus=n_cards))


def cards_of_80(case: Case, stack: Stack) -> int | None:
    """How many 80 GB cards hold it when split; None beyond 256."""
    return cards_that_hold(case, stack, case.usable_of_size(80))


def _code(case: Case, best: str | None) -> str:
    if case.usable is None:
        return "no_card"
    return best or "none_fits"


def _unsized(case: Case) -> Verdict:
    facts: dict[str, Any] = {"count": case.n_cards, "card": case.card.name if case.card else "", "usable": case.usable}
    facts |= {
        "card_gb": case.card.vram_gb if case.card else None,
        "sum_gb": sum(c.count * c.vram_gb for c in case.cards) if case.n_cards > 1 else None,
        "method": case.method,
        "largest": split_largest(case, case.usable, beyond_one=True),
        "seq_len": case.seq_len,
    }
    return Verdict(code="unsized", facts=facts)
