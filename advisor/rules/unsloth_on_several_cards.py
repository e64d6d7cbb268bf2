"""Older Unsloth releases use one card only; launched on several, all processes land on the first.

Source: facts/trainers: unsloth, multi_gpu.
"""

from typing import Any

from advisor.advice import Finding, Verdict, stop, warn
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.machine import too_large_for_one
from advisor.query import Kind

RUNS = frozenset({"oom_eval", "oom_save", "oom_merge", "oom_later", "it_works"})
"""What only happens to a run that trains."""

ON = ("several",)


def check(case: Case) -> Finding | None:
    """Older Unsloth releases use one card only; launched on several, all processes land on the first."""
    if case.query.trainer != "unsloth" or case.n_cards < 2:
        return None
    if case.symptoms & RUNS or case.query.ran_seq_len or case.query.sharding == "pipeline":
        return None  # it does train on them
    if "vram_adds_up" in case.claims and too_large_for_one(case):
        return None  # one process on one card is no way out
    verdict = case.advice.verdict if case.advice else None
    if verdict and verdict.code == "layered":
        return None
    if "asks_layers_over" in case.symptoms and (verdict is None or verdict.code != "one_unsloth"):
        return _laid_over(case)
    if verdict and (verdict.code == "one_unsloth" or _told(verdict)):
        return None  # the verdict says so itself
    asked = case.query.kind is Kind.MULTI_GPU or bool(case.symptoms & FAILURES) or "hours_on" in case.query.named
    facts: dict[str, Any] = {"count": case.n_cards, "over": False, "one": None, "room": None, "beside": True}
    return stop(**facts) if asked else warn(**facts)


def _laid_over(case: Case) -> Finding:
    """Whether it lays one model over several cards: it does, for room and not for speed."""
    alike = len(case.query.gpus) == 1 and case.usable is not None
    one = case.usable if alike else None
    room = one * case.n_cards if one is not None else None
    return stop(count=case.n_cards, over=True, one=one, room=room, beside=case.sized)


def _told(verdict: Verdict) -> bool:
    return (
        verdict.code == "asked_works" and bool(verdict.facts.get("alone_used")) and not verdict.facts.get("one_holds")
    )
