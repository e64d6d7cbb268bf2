"""The largest length, batch, rank, model that fits: whole numbers found by bisection, exact to the last one.

A set-up fits when what nvidia-smi will show (`device`) is no more than what the card hands out.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from advisor.errors import AdvisorError
from advisor.estimator.adapters import lora_params
from advisor.estimator.estimate import Estimate, estimate_plan
from advisor.estimator.limits import MOST_TOKENS
from advisor.estimator.plan import Plan
from advisor.estimator.resolve import resolve
from advisor.query import SetUp
from knowledge.catalog import Catalog

LARGEST_TENTHS = 20_000
"""Sizes are searched in steps of 0.1e9 parameters, up to 2,000e9."""


@dataclass(frozen=True, slots=True)
class ModelFit:
    """A catalogued model that fits, with its estimate."""

    model: str
    params: int
    estimate: Estimate


def fits(found: Estimate, usable_bytes: int) -> bool:
    """Whether an estimate fits a card that hands out so many bytes."""
    return found.device <= usable_bytes


def largest_whole(holds: Callable[[int], bool], most: int, hint: int = 1) -> int | None:
    """The largest n from 1 to `most` that holds while n + 1 does not; None when 1 does not hold.

    Doubles from `hint` until it fails, then bisects: about 2 log2(n) calls.
    """
    low = min(max(1, hint), most)
    if holds(low):
        high = low
        while high < most:
            high = min(most, 2 * high)
            if not holds(high):
                break
            low = high
        else:
            return most
    else:
        low, high = 0, low
    while high - low > 1:
        middle = (low + high) // 2
        if holds(middle):
            low = middle
        else:
            high = middle
    return low or None


def _holds(plan: Plan, usable_bytes: int) -> bool:
    return fits(estimate_plan(plan), usable_bytes)


def longest(plan: Plan, usable_bytes: int) -> int | None:
    """The longest seq_len of a plan that fits; the model's own context limit is not looked at."""
    most = MOST_TOKENS // plan.micro_batch
    return largest_whole(lambda n: _holds(replace(plan, seq_len=n), usable_bytes), most, plan.seq_len)


def widest(plan: Plan, usable_bytes: int) -> int | None:
    """The largest micro_batch of a plan that fits."""
    most = max(1, MOST_TOKENS // plan.seq_len)
    return largest_whole(lambda n: _holds(replace(plan, micro_batch=n), usable_bytes), most, plan.micro_batch)


def largest_seq_len(setup: SetUp, usable_bytes: int, catalog: Catalog) -> int | None:
    """The longest context in tokens that fits with the rest as it is; None when not even one token does."""
    return longest(resolve(setup, catalog), usable_bytes)


def largest_micro_batch(setup: SetUp, usable_bytes: int, catalog: Catalog) -> int | None:
    """The largest micro batch that fits with the rest as it is; None when not even 1 does."""
    return widest(resolve(setup, catalog), usable_bytes)


def largest_rank(setup: SetUp, usable_bytes: int, catalog: Catalog) -> int | None:
    """The largest LoRA rank that fits; None when not even 1 does, or for full fine-tuning."""
    plan = resolve(setup.model_copy(update={"trainable_params": None}), catalog)
    if plan.method == "full":
        return None

    def holds(rank: int) -> bool:
        adapters = lora_params(plan.shape, plan.targets, rank)
        return _holds(replace(plan, rank=rank, adapters=adapters), usable_bytes)

    return largest_whole(holds, plan.shape.hidden, plan.rank)


def _of_size(setup: SetUp, params_b: float) -> SetUp:
    return setup.model_copy(update={"model": None, "arch": None, "params_b": params_b, "trainable_params": None})


def largest_size_b(setup: SetUp, usable_bytes: int, catalog: Catalog) -> float | None:
    """The largest size in 1e9 parameters, to 0.1, that fits with a typical shape; None when 0.1 does not."""

    def holds(tenths: int) -> bool:
        try:
            return _holds(resolve(_of_size(setup, tenths / 10), catalog), usable_bytes)
        except AdvisorError:
            return False

    found = largest_whole(holds, LARGEST_TENTHS, 80)
    return None if found is None else found / 10


def largest_models(setup: SetUp, usable_bytes: int, catalog: Catalog, n: int = 5) -> tuple[ModelFit, ...]:
    """The n largest catalogued models that fit with the rest as it is, the largest first; of each size one."""
    method = resolve(_of_size(setup, 1.0), catalog)
    least = {"full": 2.0 * method.trainable_bytes, "qlora": method.weight_bits / 8}.get(
        method.method, 2.0
    ) / method.n_gpus
    found: list[ModelFit] = []
    for model in sorted(catalog.models.values(), key=lambda model: -model.params_total):
        if least * model.params_total > usable_bytes and setup.offload in (None, "none"):
            continue
        if found and model.params_total > 0.98 * found[-1].params:
            continue
        changed = setup.model_copy(update={"model": model.id, "arch": None, "params_b": None, "trainable_params": None})
        try:
            estimate = estimate_plan(resolve(changed, catalog))
        except AdvisorError:
            continue
        if fits(estimate, usable_bytes):
            found.append(ModelFit(model.id, model.params_total, estimate))
            if len(found) == n:
                break
    return tuple(found)
