"""Estimates and speeds of set-ups, remembered: the same default set-ups come back in nearly every answer.

A set-up is its values in the order of SET_UP_FIELDS. One with a shape of its own, or with a list, is worked out anew.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from advisor.estimator import Estimate, Plan, estimate_run, resolve, resolve_values, tokens_per_s
from advisor.estimator.speed import Range, rate_at
from advisor.query import SetUp
from advisor.stacks import SET_UP_FIELDS
from knowledge.catalog import Catalog

ARCH, TARGETS = SET_UP_FIELDS.index("arch"), SET_UP_FIELDS.index("lora_targets")


class Pace(NamedTuple):
    """Tokens of an example as it is trained (cut or joined to the length), and how fast it is, per card."""

    each: float
    rate: Range
    n_gpus: int


def estimate_of(values: Sequence[Any], catalog: Catalog) -> Estimate:
    """What a set-up takes. Raises advisor.errors.AdvisorError on impossible values."""
    return (_estimate.__wrapped__ if _is_own(values) else _estimate)(tuple(values), catalog)


def speed_of(values: Sequence[Any], catalog: Catalog) -> float | None:
    """Tokens per second on the card that the set-up names."""
    return (_speed.__wrapped__ if _is_own(values) else _speed)(tuple(values), catalog)


def pace_of(values: Sequence[Any], gpu: str, each: int, packed: bool, catalog: Catalog) -> Pace | None:
    """How examples of so many tokens go through on a card of the catalog."""
    return (_pace.__wrapped__ if _is_own(values) else _pace)(tuple(values), gpu, each, packed, catalog)


@lru_cache(maxsize=4096)
def _estimate(values: tuple[Any, ...], catalog: Catalog) -> Estimate:
    return estimate_run(_plan(values, catalog), catalog)


@lru_cache(maxsize=2048)
def _speed(values: tuple[Any, ...], catalog: Catalog) -> float | None:
    return tokens_per_s(_plan(values, catalog), catalog).mid


@lru_cache(maxsize=2048)
def _pace(values: tuple[Any, ...], gpu: str, each: int, packed: bool, catalog: Catalog) -> Pace | None:
    plan = _plan(values, catalog)
    found = rate_at(plan, catalog.gpus[gpu], each, packed=packed)
    return Pace(found[0], found[1], plan.n_gpus) if found else None


def _is_own(values: Sequence[Any]) -> bool:
    return values[ARCH] is not None or isinstance(values[TARGETS], list)


def _plan(values: tuple[Any, ...], catalog: Catalog) -> Plan:
    """Ours is right already; a shape of the asker's own is checked."""
    if _is_own(values):
        return resolve(SetUp(**dict(zip(SET_UP_FIELDS, values, strict=True))), catalog)
    return resolve_values(values, catalog)
