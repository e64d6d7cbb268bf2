"""Does it fit? The verdict on the asker's card, per stack, and what to change where it does not.

Without a card this is the question which card; without a model, what the card trains.
Verdict: the fit of the leanest stack; open (nobody said how, and it holds every weight in training), experts,
rollouts, no_rollouts, no_ram (the card holds its part, the RAM does not hold what is offloaded), wants_ram (the same,
with the RAM that such machines usually have), runs (the asker saw it run, where the estimate says no: the needs are
then those at the longest length that fits, runs_to; counted is the estimate).
Facts: card, count, card_gb, usable, room (bytes left on the lean stack), missing, sharding, way (ddp | fsdp | none),
at_home, host_ram, ram_gb, usual_ram_gb (what such machines have), usual_holds (just so), rows (open: every method),
ways (where nobody said how it is trained: the other methods), larger (the smallest server card that holds it),
limits (how long a sequence fits, by stack), copied (bytes of a copy per card, where only a split fits and nobody
named one), only_lean (the plainest stack does not fit), alike (both ends take the same), stock_split (the plainest,
split, where a copy per card is too much), qlora_alone, eight_bit (LoRA on such a base), eight_bit_alone (bytes of
QLoRA, and of LoRA on an 8-bit base, on one card, where LoRA wants them all), one_is_enough (each of several cards
holds all of it), safe (experts: the largest size that fits whatever the loader does, and the card that holds
unquantised experts; no_rollouts: the largest size and the smallest card with room to generate), mixed (the stack
steps in the backward pass: what mixed precision with AdamW takes), by_memory (the card may not run it for other
reasons), in_part (what of the plan is counted, where the rest is out of reach), as_sold (counted is the card as it
is sold, where the stated size is none of its), enough (a larger one is thought to be needed, and is not).
"""

from math import inf
from typing import Any

from advisor.advice import Advice, Need, Verdict
from advisor.asked import ROLLOUTS
from advisor.case import Case
from advisor.changes import SAFE_LEN, SMALLER_B, largest_that_fits, make_it_fit
from advisor.lengths import hangs_on_length, longest
from advisor.options import rentals
from advisor.parallel import qlora_alone
from advisor.query import Kind
from advisor.sold import as_sold, told_of
from advisor.stacks import (
    BILLION,
    BY_LAYER_OF,
    FOUR_BIT,
    FULL_ADAMW,
    GIB,
    GOOD,
    LARGEST_AT_HOME,
    STOCK,
    on_rocms_list,
    size_name,
)
from advisor.tiers import others, smallest
from advisor.topics import which_gpu
from advisor.topics.fits_check.cards import copied, eight_bit_alone, eight_bit_instead, larger, plainest_split, several
from advisor.topics.running import runs, runs_to
from advisor.topics.sizes import sizes_table
from advisor.topics.unsaid import every_way, every_weight_fit, other_ways
from advisor.topics.which_gpu import room_for_rollouts

COPIES = frozenset({"none", "ddp"})
"""Ways to use several cards in which each holds the whole model."""
PLAIN = frozenset({"yes", "tight", "unlikely", "no"})
"""Verdicts beside which the methods that nobody named have room."""
DENIED = frozenset({"no", "unlikely"})
"""Verdicts that what runs contradicts."""
ALIKE = 1.03
"""Times the leanest stack's need up to which the plainest takes the same."""
POOL_SHARE = 0.25
"""Share of the card that vLLM needs beside training (gpu_memory_utilization; TRL and Unsloth start from 0.3)."""


def answer(case: Case) -> Advice:
    """Advice on whether it fits."""
    if (sold := as_sold(case)) is not None:
        return told_of(answer(sold), case)
    if not case.sized:
        return sizes_table(case, Kind.FITS_CHECK)
    if case.usable is None:
        return which_gpu.answer(case)
    needs = case.needs()
    best, worst = needs[0], needs[-1]
    code = _code(case, best, worst)
    if code in DENIED and runs(case):
        return _granted(case, best)
    facts = _facts(case, best, worst) | _beside(case, code, best, worst)
    if code == "no_rollouts":
        needs = tuple(need.model_copy(update={"fit": case.fit(need, _without_pool(case))}) for need in needs)
    fits = best.fit in GOOD
    changes = () if fits else make_it_fit(case, whole=True)
    facts["enough"] = "guesses_larger" in case.symptoms and (fits or bool(changes and changes[-1].fit in GOOD))
    return Advice(
        kind=Kind.FITS_CHECK,
        query=case.query,
        verdict=Verdict(code=code, facts=facts),
        setup=case.setup,
        needs=needs,
        changes=changes,
        options=() if fits or any(c.fit in GOOD for c in changes) else rentals(case, best, 1, case.n_cards),
        asks=_asks(case, facts),
        offers=_offers(case, fits),
    )


def _asks(case: Case, facts: dict[str, Any]) -> str | None:
    """The length of the longest example, where that turns the verdict and no limit is told that it can be held to."""
    open_ = case.query.seq_len is None and not facts["limits"] and not _of_data(case)
    return "seq_len" if open_ and hangs_on_length(case, case.stacks[0]) else None


def _of_data(case: Case) -> bool:
    """The amount of data is asked about besides and is told: more hangs on that than on the longest example."""
    return case.query.also is Kind.DATA_SIZE_QUALITY and bool(case.query.dataset_tokens or case.query.dataset_examples)


def _granted(case: Case, counted: Need) -> Advice:
    """It runs: what it takes at the longest length that fits, beside our figure for the assumed one."""
    length = runs_to(case)
    needs = case.needs(seq_len=length) if length else case.needs()
    facts = _facts(case, needs[0], needs[-1])
    facts |= {"runs_to": length, "counted": counted.device, "counted_len": case.seq_len}
    return Advice(
        kind=Kind.FITS_CHECK,
        query=case.query,
        verdict=Verdict(code="runs", facts=facts),
        setup=case.setup.model_copy(update={"seq_len": length}) if length else case.setup,
        needs=needs,
        offers=_offers(case, fits=True),
    )


def _facts(case: Case, best: Need, worst: Need) -> dict[str, Any]:
    """The cards, what they hold, and what the leanest and the plainest stack take of it."""
    usable = case.usable or 0
    return {
        **case.where,
        "usable": usable,
        "room": usable - best.device,
        "missing": best.device - usable,
        "lean": best.device,
        "stock": worst.device,
        "stock_fit": worst.fit,
        "sharding": case.sharding,
        "copied": copied(case),
        "only_lean": best.fit in GOOD and worst.fit not in GOOD,
        "alike": worst.device <= ALIKE * best.device,
        "as_sold": False,
        "enough": False,
        "least_gb": (smallest(case, best), smallest(case, worst)) if "asks_least" in case.symptoms else None,
        "offloaded": _offloaded(case),
        "by_memory": case.arm_board or unlisted(case),
        "in_part": in_part(case),
        "mixed": case.need(FULL_ADAMW, optimizer="adamw").device if case.stacks[0] is BY_LAYER_OF else None,
        "minimum_gb": smallest(case, best),
        "others": others(case),
        "several": several(case, best),
        "qlora_alone": qlora_alone(case),
        "eight_bit_alone": eight_bit_alone(case),
        "eight_bit": eight_bit_instead(case, best),
        "stock_split": plainest_split(case, worst),
        "one_is_enough": case.n_cards > 1 and case.sharding in COPIES and "vram_adds_up" not in case.claims,
        "larger": larger(case, best),
        "host_ram": best.host_ram,
        "ram_gb": case.query.ram_gb,
        "usual_ram_gb": (case.usual_ram or 0) / GIB,
        "usual_holds": best.host_ram <= (case.usual_ram or 0),
        "for_home": (case.params or 0) <= LARGEST_AT_HOME,
        "ways": [],
        "limits": [],
    }


def _offloaded(case: Case) -> bool:
    """Only what the asker offloads makes it fit: every weight is trained, or without it the card does not hold it."""
    if case.query.offload in (None, "none"):
        return False
    return case.full or case.need(case.stacks[0], offload="none").fit not in GOOD


def in_part(case: Case) -> str | None:
    """What of the plan the figures hold for: a Mac trains the text alone, and nobody trains from scratch at home."""
    if "from_scratch" in case.symptoms:
        return "fine_tuned"
    shows = case.model is not None and case.model.multimodal and not case.generic and "with_media" in case.symptoms
    return "text" if case.apple and shows else None


def unlisted(case: Case) -> bool:
    """An AMD card whose chip ROCm does not list: that its memory is enough is half an answer."""
    return case.gpu is not None and case.gpu.vendor == "amd" and not on_rocms_list(case.gpu)


def limits(case: Case) -> list[tuple[str, int]]:
    """(stack, longest sequence) of the leanest and of the last stack, where that is more than the answer is for."""
    ends = dict.fromkeys((case.stacks[0], case.stacks[-1]))
    found = [(stack.code, tokens) for stack in ends if (tokens := longest(case, stack))]
    return found if found and found[0][1] > case.seq_len else []


def _code(case: Case, best: Need, worst: Need) -> str:
    """The fit of the leanest stack; experts that only some loaders keep in 4 bit make it depend on the loader."""
    experts = case.model is not None and case.model.moe is not None and case.method in FOUR_BIT
    if experts and best.fit in GOOD and worst.fit not in GOOD:
        return "experts"
    if best.fit in GOOD and case.query.offload not in (None, "none", "nvme") and not case.one_memory:
        if (case.query.ram_gb or inf) * GIB < best.host_ram:
            return "no_ram"
        if case.is_more_than_usual(best.host_ram):
            return "wants_ram"
    if case.query.algorithm in ROLLOUTS and best.fit in GOOD:
        return "rollouts" if best.device <= _without_pool(case) else "no_rollouts"
    return "open" if best.fit in GOOD and _method_is_open(case) else best.fit or "no"


def _without_pool(case: Case) -> int:
    """What the card leaves to training while vLLM generates."""
    return int((1 - POOL_SHARE) * (case.usable or 0))


def _method_is_open(case: Case) -> bool:
    """Nobody said how it is trained, and the card holds it with every weight trained: no reason for 4 bit."""
    query = case.query
    if not case.method_unsaid or query.optimizer or query.models:
        return False
    if case.card is None or case.apple or (case.gpu is not None and case.gpu.unified_memory):
        return False
    if query.algorithm or query.sharding or query.offload or query.seen_gib:
        return False
    return every_weight_fit(case) == "yes"


def _beside(case: Case, code: str, best: Need, worst: Need) -> dict[str, Any]:
    """What a verdict needs beside the fit: all methods, or the way that is safe."""
    if code in PLAIN:
        return {"ways": other_ways(case), "limits": limits(case) if best.fit in GOOD else []}
    if code == "open":
        return {"rows": every_way(case)}
    if code == "experts":
        dense = largest_that_fits(case, STOCK)
        return {
            "safe_size": size_name(int(dense[0] * BILLION)) if dense else None,
            "safe_need": dense[1].device if dense else None,
            "safe_len": min(case.seq_len, SAFE_LEN),
            "safe_gb": smallest(case, worst),
            "low": best.low,
            "high": best.high,
            "roomy_gb": smallest(case, best.model_copy(update={"device": best.high})),
        }
    if code == "rollouts":
        alone = case.query.algorithm != "ppo"  # else further models stand beside what is trained
        room = room_for_rollouts(case, best)[1] if case.n_cards == 1 and alone else None
        less = room if room and room * GIB < (case.usable or 0) else None
        return {"pool_gb": less, "ways": other_ways(case) if case.method_unsaid and alone else []}
    if code == "no_rollouts":
        size = next((size for size in SMALLER_B if _generates(case, size)), None)
        return {
            "safe_size": size_name(int(size * BILLION)) if size else None,
            "safe_gb": room_for_rollouts(case, best)[0],
        }
    return {}


def _generates(case: Case, size: float) -> bool:
    """A smaller size that leaves room for generating on the same card."""
    smaller: dict[str, Any] = {"model": None, "arch": None, "params_b": size}
    if size * BILLION >= (case.params or 0):
        return False
    return case.need(case.stacks[0], **smaller).device <= _without_pool(case)


def _offers(case: Case, fits: bool) -> tuple[str, ...]:
    if not fits:
        return ("show=fit", *which_gpu.offers(case)[:2], "kind=which_gpu", "show=why", "show=config")
    return (*which_gpu.offers(case)[:3], "show=why", "show=config", "kind=time_estimate")
