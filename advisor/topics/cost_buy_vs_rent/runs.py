"""One run: which stack it is timed with, how many hours it takes on a card, and where it runs for nothing."""

from typing import Any

from advisor.advice import Need
from advisor.case import Case
from advisor.estimator import usable_bytes
from advisor.stacks import (
    ALONE,
    BILLION,
    FULL_ADAMW,
    GOOD,
    STOCK,
    UNSLOTH,
    Stack,
)
from advisor.tiers import split
from advisor.topics.time_estimate import job, run_of
from knowledge.schemas import Gpu

USUAL: dict[str, Any] = {"model": None, "arch": None, "params_b": 8.0}
"""The run that stands for others where no model is named."""
FREE = "t4"
"""The card that Colab and Kaggle lend for nothing."""
SESSION_HOURS = 12
"""Hours after which they end a session."""
CLUSTER = 4
"""Cards from which a run is likely to train every weight."""
COPIES = 3
"""Times the 16-bit weights on disk: download, conversion and saved checkpoints."""
TENS = 10


def need_of(case: Case) -> Need | None:
    """What the asked model takes on one card, at the leanest."""
    return case.need(stacks_of(case)[0], **ALONE) if case.sized else None


def need_on(case: Case, gpu: Gpu, count: int, need: Need | None) -> Need | None:
    """The need that so many cards are held against: the model on one, or split over all, where only that fits."""
    if need is None or count == 1 or case.fit(need, usable_bytes(gpu)) in GOOD:
        return need
    shared = case.need(split(stacks_of(case)[0]), n_gpus=count, sharding="fsdp", offload="none")
    return shared if case.fit(shared, usable_bytes(gpu)) in GOOD else need


def stacks_of(case: Case) -> tuple[Stack, ...]:
    """The worlds of a rented card: those of the question, but CUDA's where it is asked from a Mac."""
    return (UNSLOTH, STOCK) if case.apple and not case.full else case.stacks


def run_hours(case: Case, gpu: Gpu, count: int) -> tuple[float, float] | None:
    """Hours of one run of the stated (or a usual) amount of data, of an 8B where no model is named."""
    need = need_of(case)
    alone = need is None or case.fit(need, usable_bytes(gpu)) in GOOD
    slots = {} if case.sized else USUAL
    sharding = "none" if count == 1 else "ddp" if alone else "fsdp"
    return _hours(case, gpu, stacks_of(case), n_gpus=count, sharding=sharding, **slots)


def own_hours(case: Case, gpu: Gpu) -> tuple[float, float] | None:
    """Hours of the run on the asker's own card or Mac, where that holds it."""
    if not case.sized or case.usable is None or case.lean.fit not in GOOD:
        return None
    return _hours(case, gpu, case.stacks, n_gpus=case.n_cards, sharding=case.sharding)


def full_hours(case: Case, gpu: Gpu, count: int) -> tuple[float, float] | None:
    """Hours of the run with every weight trained, where nobody named a method and many cards stand ready."""
    if count < CLUSTER or not (case.sized and case.method_unsaid):
        return None
    stack = split(FULL_ADAMW)
    slots: dict[str, Any] = {"method": "full", "n_gpus": count, "sharding": "fsdp"}
    if case.fit(case.need(stack, **slots), usable_bytes(gpu)) not in GOOD:
        return None
    return _hours(case, gpu, (stack,), **slots)


def _hours(case: Case, gpu: Gpu, stacks: tuple[Stack, ...], **slots: Any) -> tuple[float, float] | None:
    return job(case, gpu, *run_of(case), stacks, **slots)


def free_run(case: Case, need: Need | None) -> tuple[float, float] | None:
    """Hours of the run on a free card, where that holds it and no card is named."""
    gpu = case.catalog.gpus[FREE]
    if case.gpus or (need is not None and case.fit(need, usable_bytes(gpu)) not in GOOD):
        return None
    return run_hours(case, gpu, 1)


def disk_gb(case: Case) -> int:
    """GB of disk that a run fills."""
    params = (case.params or USUAL["params_b"] * BILLION) / BILLION
    return int(-(-COPIES * 2 * params // TENS) * TENS)
