"""Needs and speeds of set-ups, remembered: the same default set-ups come back in nearly every answer.

A set-up is its values in the order of SET_UP_FIELDS. One with a shape of its own, or with a list, is worked out anew.
What is kept is small: a plan is resolved again in less time than thousands of them cost the garbage collector.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from advisor.estimator import Plan, estimate_run, resolve, resolve_values, tokens_per_s
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


def plan_of(values: Sequence[Any], catalog: Catalog) -> Plan:
    """The set-up with every default resolved. Ours is right already; a shape of the asker's own is checked."""
    if _is_own(values):
        return resolve(SetUp(**dict(zip(SET_UP_FIELDS, values, strict=True))), catalog)
    return resolve_values(values, catalog)


def needed_by(values: Sequence[Any], catalog: Catalog) -> Mapping[str, Any]:
    """What a set-up takes: the fields of a Need that depend on nothing else, in their order.

    Raises advisor.errors.AdvisorError on impossible values.
    """
    return (_needed.__wrapped__ if _is_own(values) else _needed)(tuple(values), catalog)


def speed_of(values: Sequence[Any], catalog: Catalog) -> float | None:
    """Tokens per second on the card that the set-up names."""
    return (_speed.__wrapped__ if _is_own(values) else _speed)(tuple(values), catalog)


def pace_of(values: Sequence[Any], gpu: str, each: int, packed: bool, catalog: Catalog) -> Pace | None:
    """How examples of so many tokens go through on a card of the catalog."""
    return (_pace.__wrapped__ if _is_own(values) else _pace)(tuple(values), gpu, each, packed, catalog)


def _is_own(values: Sequence[Any]) -> bool:
    """A shape of the asker's own, or a list of targets: nobody else asks for the same."""
    return values[ARCH] is not None or type(values[TARGETS]) is list


@lru_cache(maxsize=4096)
def _needed(values: tuple[Any, ...], catalog: Catalog) -> Mapping[str, Any]:
    found = estimate_run(plan_of(values, catalog), catalog)
    beside = found.device - found.reserved
    return {
        "device": found.device,
        "low": found.low + beside,
        "high": found.high + beside,
        "allocated": found.allocated,
        "reserved": found.reserved,
        "host_ram": found.host_ram,
        "components": found.components,
        "moment": found.moment,
        "tokens_per_s": found.tokens_per_s,
        "tokens_per_s_low": found.tokens_per_s_low,
        "tokens_per_s_high": found.tokens_per_s_high,
    }


@lru_cache(maxsize=2048)
def _speed(values: tuple[Any, ...], catalog: Catalog) -> float | None:
    return tokens_per_s(plan_of(values, catalog), catalog).mid


@lru_cache(maxsize=2048)
def _pace(values: tuple[Any, ...], gpu: str, each: int, packed: bool, catalog: Catalog) -> Pace | None:
    plan = plan_of(values, catalog)
    found = rate_at(plan, catalog.gpus[gpu], each, packed=packed)
    return Pace(found[0], found[1], plan.n_gpus) if found else None
