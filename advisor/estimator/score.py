"""How well the memory estimate matches published runs, per source; pure. The rows: knowledge/measured/."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, median
from typing import Any

from advisor.errors import AdvisorError
from advisor.estimator.coefficients import Coefficients
from advisor.estimator.moments import Parts, moments
from advisor.estimator.overhead import counters
from advisor.estimator.plan import Plan
from advisor.estimator.resolve import resolve
from advisor.query import SetUp
from knowledge.catalog import Catalog

GIB = 2**30
FIELDS = frozenset(SetUp.model_fields)
SECOND = "second reading"
"""nvidia-smi's figure of a run whose allocated peak is known too: for the fit, and a group of its own in the table."""
FILLS = (0.80, 1.02)
"""A longest context that fitted is met when the estimate is this share of the card's GB."""
GB = 1e9 / GIB


@dataclass(frozen=True, slots=True)
class Run:
    """A published run: its plan with the moments of its step, which counter was read, GiB per GPU."""

    id: str
    source: str
    plan: Plan
    moments: Mapping[str, Parts]
    allocated: int
    counter: str
    measured_gib: float


@dataclass(frozen=True, slots=True)
class Score:
    """Errors in per cent of the measurement."""

    name: str
    n: int
    mape: float
    median: float
    within_10: float
    under_by_5: float


def is_sure(row: Mapping[str, Any]) -> bool:
    """High confidence, a length that is known, a known shape."""
    return row.get("confidence") == "high" and row.get("seq_kind") in ("exact", "packed") and bool(row.get("arch"))


def runs_of(rows: Iterable[Mapping[str, Any]], catalog: Catalog) -> list[Run]:
    """The sure rows of memory.jsonl as runs, in their order."""
    runs: list[Run] = []
    for row in filter(is_sure, rows):
        try:
            plan = resolve(SetUp(**{key: value for key, value in row.items() if key in FIELDS}), catalog)
        except AdvisorError:
            continue
        found = moments(plan)
        allocated = round(max(sum(parts.values()) for parts in found.values()))
        source = str(row["source"]).split(" ", 1)[0]
        runs.append(Run(row["id"], source, plan, found, allocated, row["counter"], float(row["gib"])))
        if also := row.get("nvidia_smi_gib"):
            runs.append(Run(row["id"], source, plan, found, allocated, SECOND, float(also)))
    return runs


def estimated_gib(run: Run, c: Coefficients) -> float:
    """The counter that the run was read from."""
    if run.counter == "peak_allocated":
        return run.allocated / GIB
    found = counters(run.plan, run.allocated, run.moments, c)
    return (found.device if run.counter in ("nvidia-smi", "max_context", SECOND) else found.reserved) / GIB


def error(run: Run, c: Coefficients) -> float:
    """Per cent of the measurement; positive: estimated too high."""
    return 100 * (estimated_gib(run, c) / run.measured_gib - 1)


def _score(name: str, errors: Sequence[float]) -> Score:
    n = len(errors)
    return Score(
        name=name,
        n=n,
        mape=mean(map(abs, errors)),
        median=median(errors),
        within_10=100 * sum(abs(e) <= 10 for e in errors) / n,
        under_by_5=100 * sum(e < -5 for e in errors) / n,
    )


def _groups(run: Run) -> tuple[str, ...]:
    if run.counter == SECOND:
        return (f"nvidia-smi of the same runs: {run.source}",)
    plain = run.plan.variant in ("full", "lora", "qlora")
    one = run.plan.n_gpus == 1
    core = one and plain and run.plan.shape.experts is None and run.counter in ("peak_allocated", "peak_reserved")
    names = ("all", "one GPU" if one else "several GPUs", f"counter {run.counter}", f"source {run.source}")
    return (*(("core: one GPU, dense, counter known",) if core else ()), *names)


def table(runs: Iterable[Run], c: Coefficients) -> list[Score]:
    """One score per group: core, all, by number of GPUs, by counter, by source."""
    groups: dict[str, list[float]] = {}
    for run in runs:
        if run.counter != "max_context":
            for name in _groups(run):
                groups.setdefault(name, []).append(error(run, c))
    order = {"core": 0, "all": 1, "one": 2, "several": 3, "counter": 4, "source": 5}
    return [
        _score(name, groups[name])
        for name in sorted(groups, key=lambda n: (order.get(n.split(":")[0].split(" ")[0], 9), n))
    ]


def range_holds(runs: Iterable[Run], c: Coefficients) -> tuple[int, int]:
    """(inside, all) of the runs whose reserved peak was read."""
    inside = total = 0
    for run in runs:
        if run.counter == "peak_reserved":
            found = counters(run.plan, run.allocated, run.moments, c)
            total += 1
            inside += found.low <= run.measured_gib * GIB <= found.high
    return inside, total


def contexts_met(runs: Iterable[Run], c: Coefficients) -> tuple[int, int]:
    """(met, all) of the longest contexts that fitted a card."""
    met = total = 0
    for run in runs:
        if run.counter == "max_context":
            total += 1
            met += FILLS[0] <= estimated_gib(run, c) / run.measured_gib <= FILLS[1]
    return met, total


def verdict(low: int, device: int, usable: float) -> str:
    """impossible (even the low end is too much), tight (above 95 %), fits."""
    return "impossible" if low > usable else "tight" if device > 0.95 * usable else "fits"
