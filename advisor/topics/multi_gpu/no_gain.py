"""More cards, no more speed: what eats the gain. No memory table, since memory is not the question."""

from typing import Any

from advisor.advice import Advice, Verdict
from advisor.case import Case
from advisor.estimator.sharding import SHARDED
from advisor.estimator.speed.rate import SEQUENTIAL
from advisor.query import Kind
from advisor.stacks import ALL_ON_ONE, GOOD
from advisor.tiers import roomy
from advisor.topics.compare_gpus import SCALING

LEVEL = 0.05
"""Difference of two speeds that says nothing."""
WORTH = 1.3
"""Speed-up by further cards below which something eats it. Ours."""
BROKEN = 0.2
"""Speed-up below which the connection is at fault; FSDP over PCIe costs a half to two thirds (litgpt#1472: 0.03). Ours.
"""
PAIR = 2
"""Speeds to compare."""


def no_gain(case: Case) -> Advice:
    """What eats the gain of more cards."""
    gpu = case.gpu
    facts: dict[str, Any] = {
        **case.where,
        "nvlink": bool(gpu.nvlink) if gpu else None,
        "nvlink_named": "nvlink_pools_memory" in case.claims,
        "consumer": gpu.segment == "consumer" if gpu else None,
        "nodes": case.query.nodes or (PAIR if "slow_net" in case.symptoms else 1),
        "split": case.query.sharding in SHARDED or case.full,
        "names": [],
        "step": _steps(case),
        "ddp_gain": 1 + (case.n_cards - 1) * SCALING,
        "turns": case.query.sharding in SEQUENTIAL,
        "needless": _needless(case),
        "hours": hours(case),
    }
    return Advice(
        kind=Kind.MULTI_GPU,
        query=case.query,
        verdict=Verdict(code="no_gain", facts=facts),
        offers=("kind=fits_check", "kind=time_estimate"),
    )


def _needless(case: Case) -> dict[str, Any] | None:
    """Adapters on a model that is split although one card holds it: bytes of a copy, and the card that holds it."""
    if case.full or not case.sized or case.query.sharding not in SHARDED:
        return None
    need = case.need(case.stacks[0], **ALL_ON_ONE)
    alone = roomy(case, need) if case.usable is None else None
    if need.fit not in GOOD and alone is None:
        return None
    return {"need": need.device, "gb": alone}


def hours(case: Case) -> dict[str, Any] | None:
    """Hours on few and on more cards, where both were told, and what the latter would be with copies and adapters for
    the same epochs.
    """
    told = [float(value) for value in case.query.named.get("hours_on", ())]
    if len(told) != 2 * PAIR:
        return None
    (few, alone), (many, all_) = sorted(((int(told[0]), told[1]), (int(told[2]), told[3])))
    gain = (1 + (many - 1) * SCALING) / (1 + (few - 1) * SCALING)
    fair = alone / gain
    return {
        "few": few,
        "many": many,
        "alone": alone,
        "all": all_,
        "fair": fair,
        "times": many / few,
        "as_hoped": all_ < fair * WORTH,
    }


def _steps(case: Case) -> dict[str, Any] | None:
    """Seconds of a step on one card and on all, where both were seen, and what the latter comes to for one card's
    work: a step on several covers as many times the data. `told`: slower, level or faster; `eaten`: the exchange eats
    most of the gain; `broken`: so slow that no way to split explains it; `further`: what the other models of the
    question take with QLoRA.
    """
    seen = [float(second) for second in case.query.named.get("seen_s_per_step", ())]
    if len(seen) != PAIR or case.n_cards < PAIR:
        return None
    ratio = case.n_cards * seen[0] / seen[1]
    return {
        "alone": seen[0],
        "all": seen[1],
        "each": seen[1] / case.n_cards,
        "ratio": ratio,
        "times": 1 / ratio,
        "broken": ratio < BROKEN,
        "alone_fits": case.sized and case.need(case.stacks_of_one[0], **ALL_ON_ONE).fit in GOOD,
        "further": _further(case),
        "told": "slower" if ratio < 1 - LEVEL else "level" if ratio < 1 + LEVEL else "faster",
        "eaten": ratio < WORTH,
    }


def _further(case: Case) -> list[dict[str, Any]]:
    """The other models of the question with QLoRA on one card, and the smallest that holds each."""
    found = []
    for name, slots in case.alternatives:
        need = case.need(case.stacks_of_one[0], **slots | ALL_ON_ONE | {"method": "qlora", "weight_bits": None})
        found.append({"name": name, "need": need.device, "gb": roomy(case, need)})
    return found
