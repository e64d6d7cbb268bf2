"""How well the speed model matches published runs, per source, and the refit of its coefficients; pure.

Every source weighs the same whatever its number of rows, and a far-off row counts little more than an off one, so that
one odd table bends nothing. Leaving each source out in turn shows whether a coefficient only memorises it.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from statistics import median
from typing import Any

from advisor.errors import AdvisorError
from advisor.estimator.plan import Plan
from advisor.estimator.resolve import resolve
from advisor.estimator.speed.cards import gpu_of
from advisor.estimator.speed.coefficients import Coefficients
from advisor.estimator.speed.rate import Range, tokens_per_second
from advisor.query import SetUp
from knowledge.catalog import Catalog
from knowledge.schemas import Gpu

FITTED = (
    "tflops_per_watt_ga100",
    "tflops_per_watt_ga10x",
    "tflops_per_watt_ada",
    "tflops_per_watt_hopper",
    "bandwidth_share",
    "fused_traffic_share",
    "adapter_traffic_share",
    "launch_us",
    "softmax_flops_share",
    "dequantise_share",
    "dequantise_share_gptq",
    "nvlink_share",
    "sync_share",
    "pcie_server_gb_s",
    "pcie_home_old_gb_s",
    "pcie_home_gb_s",
)
"""Coefficients that the runs decide; the others come from elsewhere (their `source` says so)."""
FIRST_STEP, LAST_STEP = 0.2, 0.01
"""Of the search, in logarithms."""
PULL = 0.2
"""Weight of staying near the start: a coefficient that no run touches does not wander."""
FIELDS = frozenset(SetUp.model_fields)


@dataclass(frozen=True, slots=True)
class Run:
    """A published run: its plan, its card, tokens per second and GPU."""

    id: str
    source: str
    plan: Plan
    gpu: Gpu
    measured: float
    sure: bool
    """High confidence and exact or packed lengths."""


@dataclass(frozen=True, slots=True)
class Score:
    """Factor = the larger of estimate over measurement and its inverse."""

    source: str
    n: int
    bias: float
    median_factor: float
    within_25: float
    within_2: float
    range_holds: float


def runs_of(rows: Iterable[Mapping[str, Any]], catalog: Catalog) -> list[Run]:
    """Rows of knowledge/measured/time.jsonl as runs; what cannot be read or names no known card is left out."""
    runs: list[Run] = []
    for row in rows:
        gpu = gpu_of(row.get("gpu"), catalog, int(row.get("n_gpus") or 1))
        try:
            plan = resolve(SetUp(**{key: value for key, value in row.items() if key in FIELDS}), catalog)
        except AdvisorError:
            continue
        if gpu is not None:
            sure = row.get("confidence") == "high" and row.get("seq_kind") in ("exact", "packed")
            source = str(row["source"]).split(" ", 1)[0]
            runs.append(Run(row["id"], source, plan, gpu, float(row["tokens_per_s"]), sure))
    return sorted(runs, key=lambda run: run.source)


def _rates(runs: Sequence[Run], c: Coefficients) -> list[Range]:
    found = [tokens_per_second(run.plan, run.gpu, c) for run in runs]
    return [rate or Range(math.nan, math.nan, math.nan) for rate in found]


def _score(source: str, runs: Sequence[Run], c: Coefficients) -> Score:
    rates = _rates(runs, c)
    logs = [math.log(rate.mid / run.measured) for run, rate in zip(runs, rates, strict=True)]
    factors = [math.exp(abs(log)) for log in logs]
    n = len(runs)
    return Score(
        source=source,
        n=n,
        bias=math.exp(sum(logs) / n),
        median_factor=median(factors),
        within_25=sum(factor <= 1.25 for factor in factors) / n,
        within_2=sum(factor <= 2 for factor in factors) / n,
        range_holds=sum(rate.low <= run.measured <= rate.high for run, rate in zip(runs, rates, strict=True)) / n,
    )


def table(runs: Sequence[Run], c: Coefficients) -> list[Score]:
    """One score per source and one over all ("all"); `runs` in order of source, as `runs_of` gives them."""
    scores = [_score(source, list(part), c) for source, part in groupby(runs, key=lambda run: run.source)]
    return [*scores, _score("all", runs, c)] if runs else []


def _loss(
    runs: Sequence[Run], weights: Sequence[float], c: Coefficients, start: Coefficients, names: Sequence[str]
) -> float:
    """Bounded squared logarithms, weighed, plus the pull towards the start."""
    rates = _rates(runs, c)
    off = sum(
        weight * math.atan(1.5 * math.log(rate.mid / run.measured)) ** 2
        for weight, run, rate in zip(weights, runs, rates, strict=True)
    )
    return off + PULL * sum(math.log(getattr(c, name) / getattr(start, name)) ** 2 for name in names)


def fit(runs: Sequence[Run], start: Coefficients, names: Sequence[str] = FITTED) -> Coefficients:
    """Coefficients that match the runs best: a pattern search in logarithms, the step halved when nothing improves."""
    count = {source: sum(1 for run in runs if run.source == source) for source in {run.source for run in runs}}
    weights = [1 / count[run.source] for run in runs]
    best, loss, step = start, _loss(runs, weights, start, start, names), FIRST_STEP
    while step >= LAST_STEP:
        improved = False
        for name in names:
            for factor in (math.exp(step), math.exp(-step)):
                tried = replace(best, **{name: getattr(best, name) * factor})
                tried_loss = _loss(runs, weights, tried, start, names)
                if tried_loss < loss * (1 - 1e-6):
                    best, loss, improved = tried, tried_loss, True
                    break
        step = step if improved else step / 2
    return best


def left_out(runs: Sequence[Run], start: Coefficients, names: Sequence[str] = FITTED) -> list[Score]:
    """Each source scored with coefficients fitted on the others."""
    scores: list[Score] = []
    for source in sorted({run.source for run in runs}):
        others = [run for run in runs if run.source != source]
        held = [run for run in runs if run.source == source]
        scores.append(_score(source, held, fit(others, start, names)))
    return scores
