"""The largest length, batch, rank, model that fits: whole numbers found by bisection, exact to the last one.

A set-up fits when what nvidia-smi will show (`device`) is no more than what the card hands out.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from advisor.errors import AdvisorError
from advisor.estimator.adapters import lora_params
from advisor.estimator.estimate import Estimate, estimate_plan
from advisor.estimator.limits import MOST_TOKENS
from advisor.estimator.models import shape_for
from advisor.estimator.plan import Plan
from advisor.estimator.resolve import resolve
from advisor.estimator.shape import Shape
from advisor.estimator.weights import weight_bytes
from advisor.query import SetUp
from knowledge.catalog import Catalog
from knowledge.schemas import Model

SURELY_TOO_LARGE = 0.9
"""A model whose estimate without adapters exceeds the card by more than a tenth is not looked at closely."""
OVERHEAD_SHARE = 0.9
"""Of a 1B model's overhead (context, spare room of the allocator), which a larger one has at the least."""
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


def holds(plan: Plan, usable_bytes: int) -> bool:
    """Whether a plan fits a card that hands out so many bytes."""
    return fits(estimate_plan(plan), usable_bytes)


def longest(plan: Plan, usable_bytes: int) -> int | None:
    """The longest seq_len of a plan that fits; the model's own context limit is not looked at."""
    most = MOST_TOKENS // plan.micro_batch
    return largest_whole(lambda n: holds(replace(plan, seq_len=n), usable_bytes), most, plan.seq_len)


def widest(plan: Plan, usable_bytes: int) -> int | None:
    """The largest micro_batch of a plan that fits."""
    most = max(1, MOST_TOKENS // plan.seq_len)
    return largest_whole(lambda n: holds(replace(plan, micro_batch=n), usable_bytes), most, plan.micro_batch)


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

    def rank_holds(rank: int) -> bool:
        adapters = lora_params(plan.shape, plan.targets, rank)
        return holds(replace(plan, rank=rank, adapters=adapters), usable_bytes)

    return largest_whole(rank_holds, plan.shape.hidden, plan.rank)


def _of_size(setup: SetUp, params_b: float) -> SetUp:
    return setup.model_copy(update={"model": None, "arch": None, "params_b": params_b, "trainable_params": None})


def largest_size_b(setup: SetUp, usable_bytes: int, catalog: Catalog) -> float | None:
    """The largest size in 1e9 parameters, to 0.1, that fits with a typical shape; None when 0.1 does not."""

    def size_holds(tenths: int) -> bool:
        try:
            return holds(resolve(_of_size(setup, tenths / 10), catalog), usable_bytes)
        except AdvisorError:
            return False

    found = largest_whole(size_holds, LARGEST_TENTHS, 80)
    return None if found is None else found / 10


def largest_models(setup: SetUp, usable_bytes: int, catalog: Catalog, n: int = 5) -> tuple[ModelFit, ...]:
    """The n largest catalogued models that fit with the rest as it is, the largest first; of each size one."""
    typical = replace(resolve(_of_size(setup, 1.0), catalog), adapters=0)
    small = estimate_plan(typical)
    room = usable_bytes - OVERHEAD_SHARE * (small.device - small.allocated)
    found: list[ModelFit] = []
    for model, shape in _by_size(_Same(catalog)):
        bare = replace(typical, shape=shape)
        if _at_least(bare) > room:
            continue
        if found and model.params_total > 0.98 * found[-1].params:
            continue
        if estimate_plan(bare).device * SURELY_TOO_LARGE > usable_bytes:
            continue
        changed = setup.model_copy(update={"model": model.id, "arch": None, "params_b": None, "trainable_params": None})
        estimate = estimate_plan(resolve(changed, catalog))
        if fits(estimate, usable_bytes):
            found.append(ModelFit(model.id, model.params_total, estimate))
            if len(found) == n:
                break
    return tuple(found)


def _at_least(plan: Plan) -> float:
    """Bytes that no run of this plan goes below: weights, residual stream, stock loss. A quick first look."""
    s = plan.shape
    stream = s.layers * s.hidden * 2 if plan.checkpointing == "layer" and not plan.activation_offload else 0
    logits = 10 * s.vocab if plan.loss in ("hf", "hf_old") else 0
    weights = 0.0 if plan.offload == "params" else weight_bytes(plan) / (plan.n_gpus if plan.sharding != "none" else 1)
    return weights + plan.tokens * (stream + logits)


class _Same:
    """A catalog as a cache key: the same object."""

    __slots__ = ("catalog",)

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog

    def __hash__(self) -> int:
        return id(self.catalog)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.catalog is self.catalog


@lru_cache(maxsize=2)
def _by_size(key: _Same) -> tuple[tuple[Model, Shape], ...]:
    """All models with their shapes, the largest first."""
    models = sorted(key.catalog.models.values(), key=lambda model: -model.params_total)
    return tuple((model, shape_for(SetUp(model=model.id), key.catalog)[0]) for model in models)
