"""What was seen against the estimate: the difference tells what is set wrongly.

Source: 2 bytes a parameter more is fp32 instead of bf16; bitsandbytes' 4-bit saves 1.5.
"""

from typing import Any

from advisor.advice import Finding, stop
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.estimator.sharding import SHARDED
from advisor.query import Kind
from advisor.stacks import ALL_ON_ONE, FULL_ADAMW, GIB, WIDER
from advisor.tiers import split
from advisor.topics.oom_help import full_card, wider_weights
from advisor.topics.oom_help.facts import largest_parts
from advisor.verdicts import FITS

OVER = 1.03
"""Share of a card from which on a figure is more than it holds: GB are no GiB."""
FAR = 4
"""Times the estimate that a figure may be above it to be about the same set-up."""
COUNTS = (2, 4, 8)
TELLS = frozenset({"less", "normal", "preference", "eval", "save", "spill", "which_split", "paged"})
"""Answers that set what was seen beside the estimate, or choose by it, themselves."""
WORTH = 0.25
"""Share of the estimate that a difference must have."""

ON = ("seen_gib",)


def check(case: Case) -> Finding | None:
    """What was seen against the estimate: the difference tells what is set wrongly."""
    seen = case.query.seen_gib
    if not seen or not case.sized or _tells_otherwise(case, seen):
        return None
    if case.full and case.query.sharding in SHARDED and case.query.n_gpus is None and case.n_cards == 1:
        return _split(case, int(seen * GIB))
    needs = case.needs()
    if seen_elsewhere(case):
        if case.full:
            return None  # by which optimizer is not told
        needs = tuple(case.need(stack, **ALL_ON_ONE) for stack in case.stacks_of_one)
    shown = min(needs, key=lambda need: abs(need.device - seen * GIB))
    estimate = shown.device
    more = int(seen * GIB) - estimate
    tables = "table_covers_me" in case.claims and not case.query.claimed_gib  # with both told, one is the asker's own
    if more > (estimate if tables else FAR * estimate):
        return None  # a table's figure, or another set-up
    if case.apple and more >= WORTH * estimate:
        return None  # MLX keeps what others compute again: mlx_keeps_activations says it
    why = "normal" if more < WORTH * estimate else wider_weights(case, more) or "other"
    if why == "normal" and case.symptoms & FAILURES:
        return None  # it died there: no figure of what it takes
    if why in ("normal", "other") and case.advice is not None and case.advice.verdict.code in TELLS:
        return None
    parts = largest_parts(shown)
    if more < WORTH * estimate:
        near = abs(more) < WORTH * estimate
        return stop(seen=int(seen * GIB), estimate=estimate, why="normal", parts=parts) if near else None
    of: dict[str, Any] = {"batch": case.micro_batch, "tokens": case.seq_len, "split": case.n_cards > 1}
    of["trainer"] = case.query.trainer
    wider = WIDER * (case.params or 0)
    of["right"] = why == "other" and _is_right(case)
    of |= {"wider": wider, "left": why == "fp32" and more - wider > WORTH * more}
    return stop(seen=int(seen * GIB), estimate=estimate, why=why, parts=parts, **of)


def seen_elsewhere(case: Case) -> bool:
    """The figure is more than one of the asker's several cards holds, and another card is named: it is of a run there,
    on that one card.
    """
    several = case.n_cards > 1 and bool(case.query.candidates) and case.usable is not None
    return several and case.seen > OVER * (case.usable or 0)


def _tells_otherwise(case: Case, seen: float) -> bool:
    """Whether a figure is of another run or stage, or no figure of what the run takes."""
    if case.query.kind in (Kind.SYSTEM_RAM, Kind.INFERENCE_ONLY):
        return True
    if case.advice is not None and (case.advice.verdict.facts.get("reading") or case.advice.verdict.facts.get("like")):
        return True  # a reading at another length than the asked one, or that shows the method: the answer tells it
    if case.advice is not None and case.advice.verdict.facts.get("from_sft"):
        return True  # it is what SFT took, from which the answer reckons the pairs
    if case.query.models or "oom_second" in case.symptoms:
        return True  # another model's figure, or a stage of the run
    if "it_works" in case.symptoms and case.usable is not None and seen * GIB > case.n_cards * case.usable:
        return True  # it runs on less: the figure is what others say
    if "after_update" in case.symptoms and case.symptoms & FAILURES:
        return True  # what it took before the update: the version is what changed
    if full_card(case) and "asks_normal" not in case.symptoms:
        return True  # it died there: no figure of what it takes
    return bool(case.claims & {"shared_memory_counts", "inference_is_training", "smi_is_need"})


def _is_right(case: Case) -> bool:
    """A published figure that our count confirms on the card in question."""
    fits = case.advice is not None and case.advice.verdict.code in FITS
    return fits and "table_covers_me" in case.claims


def _split(case: Case, seen: int) -> Finding | None:
    """All weights split over nobody said how many cards: what a card takes by their number, with gradient checkpointing
    and without, where one of them is what was seen.
    """
    slots: dict[str, Any] = {"sharding": "fsdp"}
    closed, open_ = (
        [(count, case.need(split(FULL_ADAMW), n_gpus=count, grad_checkpointing=on, **slots).device) for count in COUNTS]
        for on in (True, False)
    )
    if min(abs(device - seen) for _, device in (*closed, *open_)) > WORTH * seen:
        return None
    estimate = min((device for _, device in (*closed, *open_)), key=lambda device: abs(device - seen))
    return stop(seen=seen, estimate=estimate, why="split", closed=closed, open=open_)
