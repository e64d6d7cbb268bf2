"""The second need of a question that is not about memory first: does it fit, how long, how much data, which trainer.

Source: estimator; S53 (about 1,000 curated examples).
"""

from typing import Any

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.estimator.host_ram import host_ram
from advisor.options import price_to_buy
from advisor.query import Kind
from advisor.rules.also_asked import hours_beside
from advisor.stacks import GIB, UNSLOTH
from advisor.tiers import roomy, smallest
from advisor.topics.data_size_quality import FLOOR, worth
from advisor.topics.sizes import BEST_VALUE, trains
from advisor.topics.trainer_choice import choose
from advisor.topics.usual import EIGHT_B

BESIDE = frozenset({Kind.TIME_ESTIMATE, Kind.DATA_SIZE_QUALITY, Kind.TRAINER_CHOICE, Kind.OOM_HELP})
MEMORY = frozenset({Kind.FITS_CHECK, Kind.WHICH_GPU})
WHERE_DATA_COUNT = MEMORY | {Kind.MULTI_GPU, Kind.METHOD_CHOICE, Kind.MIXED}
"""Topics that say nothing of a number of examples; without one rules.also_asked names the floor."""
ON = ("also", "gpus", "asks_card_too")
COSTLY = True


def check(case: Case) -> Finding | None:
    """The second need, in one sentence."""
    query = case.query
    if case.advice is None or case.advice.kind not in BESIDE | WHERE_DATA_COUNT:
        return None
    if not case.sized and (too := _unsized(case)) is not None:
        return too
    if query.also is Kind.DATA_SIZE_QUALITY and query.dataset_examples and case.advice.kind in WHERE_DATA_COUNT:
        return warn(what="data", code=worth(case), examples=query.dataset_examples, floor=FLOOR)
    if case.advice.kind in WHERE_DATA_COUNT:
        return None
    if query.also is None and case.advice.kind is Kind.DATA_SIZE_QUALITY and query.gpus:
        return _fits(case)  # who names a card beside the data wants to know
    if query.also in (None, case.advice.kind):
        return None
    if query.also in MEMORY and case.advice.kind is not Kind.OOM_HELP:
        return _fits(case)
    if query.also is Kind.TIME_ESTIMATE and case.advice.kind is not Kind.OOM_HELP:
        return hours_beside(case)
    if query.also is Kind.DATA_SIZE_QUALITY:
        return warn(what="data", code=worth(case), examples=query.dataset_examples, floor=FLOOR)
    if query.also is Kind.TRAINER_CHOICE and query.trainer is None:
        pick, second, _ = choose(case)
        return warn(what="trainer", pick=pick, second=second)
    return None


def _unsized(case: Case) -> Finding | None:
    """Which model, or which card, where that is asked beside the trainer or the data and neither is named."""
    if case.advice is None or case.advice.kind not in BESIDE - {Kind.OOM_HELP}:
        return None
    if "asks_model_too" in case.symptoms and case.usable is not None and (largest := trains(case)):
        return warn(what="model", largest=largest, **case.where)
    if "asks_card_too" in case.symptoms and not case.cards:
        need = case.need(UNSLOTH, **EIGHT_B)
        price = price_to_buy(case.catalog, BEST_VALUE)
        facts = {"need": need.device, "gb": smallest(case, need, ("yes",))}
        return warn(what="card", price=price.model_dump() if price else None, **facts)
    return None


def _fits(case: Case) -> Finding | None:
    """What it takes, and whether the asker's card holds it; not where the topic has said so."""
    told = case.advice.verdict.facts if case.advice is not None else {}
    said = told.get("instead") or told.get("lean") or told.get("fit") in ("no", "unlikely")
    if not case.sized or said:
        return None
    need = case.lean
    facts = {"model": case.model_name, "method": case.method, "need": need.device, "stack": need.stack}
    return warn(what="fits", **facts, usable=case.usable, fit=need.fit, gb=roomy(case, need), ram=_ram(case))


def _ram(case: Case) -> dict[str, Any] | None:
    """Whether the RAM named beside the card is enough to train, and to merge the adapter afterwards."""
    ram_gb = case.query.ram_gb
    if ram_gb is None or case.apple or case.query.sources.get("ram_gb") != "stated":
        return None
    merge = None if case.full else host_ram(case.plan(case.stacks[0])).to_merge
    given = ram_gb * GIB
    return {"gb": ram_gb, "enough": case.lean.host_ram <= given, "merge": merge if merge and merge > given else None}
