"""One thing works and another fails: what each takes, where that alone explains it.

Compared are the models, trainers or ways to split that the question names; nobody need say which of them failed, for
the one that does not fit is the one that takes most.
"""

from typing import Any

from advisor.advice import Need
from advisor.case import Case
from advisor.errors import AdvisorError
from advisor.stacks import ALONE, GOOD, NO_TRAINERS, Stack
from advisor.tiers import roomy
from advisor.topics.hidden import DEFAULT_BATCH
from advisor.topics.oom_help.cause import CLOSE, failed

COMPARED = ("trainer", "sharding")
CODES = frozenset({"should_fit", "length", "close", "needs", "too_big"})
"""Causes that the difference replaces: those of one set-up, taken alone."""


def beside_another(case: Case, code: str) -> tuple[str, dict[str, Any] | None]:
    """The cause, which the difference to another thing replaces where it explains the failure, and that difference."""
    if (told := contrast(case, code)) is not None:
        return "contrast", told
    another = by_another(case, code)
    return ("another" if another else code), another


def contrast(case: Case, code: str) -> dict[str, Any] | None:
    """What fits and what does not among the things named, and the component that differs most; None where the
    numbers do not tell them apart.
    """
    if code not in CODES or case.usable is None:
        return None
    for slot in ("model", *COMPARED):
        rows = _models(case) if slot == "model" else _named(case, slot)
        over = any(row[1].fit not in GOOD for row in rows)  # then one that just fits is told apart from it
        fitting = [row for row in rows if row[1].device <= CLOSE * case.usable or (over and row[1].fit in GOOD)]
        if fitting and len(fitting) < len(rows):
            most, least = max(rows, key=_device), max(fitting, key=_device)
            told = {"slot": slot, "rows": [_told(row) for row in rows], "most": _told(most), "least": _told(least)}
            return told | _apart(most[1], least[1]) | {"gb": roomy(case, most[1])}
    return None


def by_another(case: Case, code: str) -> dict[str, Any] | None:
    """What the other model of the question was seen to take on one card, and what this one takes more at the same
    settings: at batch 1, and at the Trainer's batch; None where that does not explain why only this one fails.
    """
    if code not in CODES or not (case.seen and case.usable and failed(case)) or len(case.alternatives) != 1:
        return None
    name, other = case.alternatives[0]
    batches = (case.query.micro_batch,) if case.query.micro_batch else (1, DEFAULT_BATCH)
    try:
        both = [[case.need(case.stacks[-1], **ALONE, micro_batch=b, **of) for of in ({}, other)] for b in batches]
    except AdvisorError:
        return None
    more = [this.device - that.device for this, that in both]
    if case.seen < both[0][1].low or min(more) <= 0 or case.seen + more[-1] <= CLOSE * case.usable:
        return None
    sums = [case.seen + size for size in more]
    return {"name": name, "seen": case.seen, "batches": list(batches), "more": more, "sums": sums} | _apart(*both[-1])


def _device(row: tuple[str, Need]) -> int:
    return row[1].device


def _told(row: tuple[str, Need]) -> dict[str, Any]:
    return {"name": row[0], "device": row[1].device, "fit": row[1].fit}


def _models(case: Case) -> list[tuple[str, Need]]:
    """The models of the question on the last stack, at the same settings; none where the other one is a guide's."""
    if not case.alternatives or "table_covers_me" in case.claims:
        return []
    rows = [(case.model_name, case.plain)]
    for name, changes in case.alternatives:
        try:
            rows.append((name, case.need(case.stacks[-1], **changes)))
        except AdvisorError:
            continue
    return rows


def _named(case: Case, slot: str) -> list[tuple[str, Need]]:
    """The values of a slot that the question names, each with its need."""
    rows = []
    for value in case.query.named.get(slot, ()):
        if value not in NO_TRAINERS:
            stack = Stack(value, value) if slot == "trainer" else case.stacks[-1]
            changes: dict[str, Any] = {slot: value}
            rows.append((value, case.need(stack, **changes)))
    return rows if len(rows) > 1 else []


def _apart(most: Need, least: Need) -> dict[str, Any]:
    """The component in which two needs differ most, with its bytes in each."""
    names = dict.fromkeys((*most.components, *least.components))  # of equals the first, in every run
    part = max(names, key=lambda name: most.components.get(name, 0) - least.components.get(name, 0))
    return {"part": part, "part_most": most.components.get(part, 0), "part_least": least.components.get(part, 0)}
