"""What to change until a set-up fits: the shortest list, the changes that cost least speed and quality first.

The steps stand in `STEPS` (steps.py) in that order. Each offers one or more changes, of which at most one is taken: the
first that makes it fit, else the one that saves most. They are tried one on top of the other until it fits; then every
change that turns out not to be needed is taken back, the costliest first, so that a long list does not hide the one
that matters.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from advisor.errors import AdvisorError
from advisor.estimator.estimate import Estimate, estimate_plan
from advisor.estimator.plan import Plan
from advisor.estimator.resolve import resolve
from advisor.estimator.solve.limits import fits, largest_size_b, longest
from advisor.estimator.solve.steps import NICE_LENGTH, STEPS, Option
from advisor.estimator.speed import gpu_of, tokens_per_second
from advisor.query import SetUp
from knowledge.catalog import Catalog
from knowledge.schemas import Gpu

WORTH = 0.02
"""Share of the need that a step must save to be taken."""
YARDSTICK = "rtx-3090"
"""The card on which speeds are compared when none is named."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change on top of those before it. Bytes per GPU.

    `updates` are the set-up's fields that it sets; `saves` is what it saves, `device` what is needed afterwards;
    `speed` is tokens per second after it over those before. An `alternative` stands apart: a smaller model.
    """

    slot: str
    value: str
    updates: Mapping[str, Any]
    saves: int
    device: int
    fits: bool
    speed: float
    alternative: bool = False


def _applied(setup: SetUp, taken: list[Option]) -> SetUp:
    for _, _, updates in taken:
        setup = setup.model_copy(update=updates)
    return setup


def _estimate(setup: SetUp, catalog: Catalog) -> Estimate | None:
    try:
        return estimate_plan(resolve(setup, catalog))
    except AdvisorError:
        return None


def _works(option: Option, setup: SetUp, plan: Plan, catalog: Catalog) -> bool:
    """Whether Unsloth loads the model and trains it as its figures say, where a change is to it; whether any fused loss
    is made for the model, where that is the change."""
    if option[0] not in ("trainer", "fused_loss"):
        return True
    name = setup.model or ""
    model = catalog.models.get(name) or catalog.by_sibling.get(name.lower())
    known = {model.family, model.arch, model.attention} if model else set()
    gap = catalog.trainers["unsloth"].gap(known | {plan.shape.model_type})
    return gap is None or (option[0] == "fused_loss" and gap.why == "unproven")


def _taken(
    options: list[Option], setup: SetUp, found: Estimate, usable: int, catalog: Catalog
) -> tuple[Option, Estimate] | None:
    """Of the options of a step the first that makes it fit, else the one that saves most, if that is worth it."""
    tried: list[tuple[Option, Estimate]] = []
    for option in options:
        if not _works(option, setup, found.plan, catalog):
            continue
        after = _estimate(setup.model_copy(update=option[2]), catalog)
        if after is not None and fits(after, usable):
            return option, after
        if after is not None:
            tried.append((option, after))
    best = min(tried, key=lambda pair: pair[1].device, default=None)
    return best if best and found.device - best[1].device >= WORTH * found.device else None


def _walk(setup: SetUp, found: Estimate, usable: int, catalog: Catalog) -> tuple[list[Option], Estimate]:
    """Steps one on top of the other until it fits or none is left."""
    taken: list[Option] = []
    for step in STEPS:
        best = _taken(list(step(found.plan, setup, usable)), setup, found, usable, catalog)
        if best is None:
            continue
        option, found = best
        taken.append(option)
        setup = setup.model_copy(update=option[2])
        if fits(found, usable):
            break
    return taken, found


def _without_needless(setup: SetUp, taken: list[Option], usable: int, catalog: Catalog) -> list[Option]:
    """Take back what is not needed, the costliest first, until every one is."""
    before = len(taken) + 1
    while len(taken) < before:
        before = len(taken)
        for step in reversed(taken):
            rest = [other for other in taken if other is not step]
            found = _estimate(_applied(setup, rest), catalog)
            if found is not None and fits(found, usable):
                taken = rest
    return taken


def _relaxed(setup: SetUp, taken: list[Option], usable: int, catalog: Catalog) -> list[Option]:
    """Lengthen a shortened context again as far as the other changes leave room."""
    last = max((i for i, option in enumerate(taken) if option[0] == "seq_len"), default=None)
    if last is None:
        return taken
    plan = resolve(_applied(setup, taken), catalog)
    length = (longest(plan, usable) or 0) // NICE_LENGTH * NICE_LENGTH
    if length <= plan.seq_len:
        return taken
    length = min(length, resolve(setup, catalog).seq_len)
    return [*taken[:last], ("seq_len", str(length), {"seq_len": length}), *taken[last + 1 :]]


def _speed(plan: Plan, gpu: Gpu | None) -> float:
    rate = tokens_per_second(plan, gpu)
    return rate.mid if rate else 1.0


def _told(setup: SetUp, taken: list[Option], usable: int, catalog: Catalog) -> tuple[Change, ...]:
    gpu = gpu_of(setup.gpu, catalog) or catalog.gpus.get(YARDSTICK)
    before = _estimate(setup, catalog)
    changes: list[Change] = []
    for slot, value, updates in taken:
        setup = setup.model_copy(update=updates)
        after = _estimate(setup, catalog)
        if before is None or after is None:
            continue
        speed = _speed(after.plan, gpu) / _speed(before.plan, gpu)
        saves = before.device - after.device
        changes.append(Change(slot, value, updates, saves, after.device, fits(after, usable), speed))
        before = after
    return tuple(changes)


def _smaller_model(setup: SetUp, found: Estimate, usable: int, catalog: Catalog) -> tuple[Change, ...]:
    size = largest_size_b(setup, usable, catalog)
    if size is None:
        return ()
    updates = {"model": None, "arch": None, "params_b": size, "trainable_params": None}
    after = _estimate(setup.model_copy(update=updates), catalog)
    if after is None:
        return ()
    speed = found.plan.shape.text_params / max(1, after.plan.shape.text_params)
    saves = found.device - after.device
    return (
        Change("params_b", f"{size:g}", updates, saves, after.device, fits(after, usable), speed, alternative=True),
    )


def make_it_fit(setup: SetUp, usable_bytes: int, catalog: Catalog) -> tuple[Change, ...]:
    """The cheapest set of changes after which the set-up fits a card that hands out so many bytes; empty when it does.

    Where nothing helps, all steps that save something, and the largest size that fits with them as an alternative.
    Raises what `resolve` raises.
    """
    found = estimate_plan(resolve(setup, catalog))
    if fits(found, usable_bytes):
        return ()
    taken, after = _walk(setup, found, usable_bytes, catalog)
    if fits(after, usable_bytes):
        needed = _without_needless(setup, taken, usable_bytes, catalog)
        return _told(setup, _relaxed(setup, needed, usable_bytes, catalog), usable_bytes, catalog)
    smaller = _smaller_model(_applied(setup, taken), after, usable_bytes, catalog)
    return _told(setup, taken, usable_bytes, catalog) + smaller
