"""Fits the coefficients of the memory model to published runs again, and leaves each source out in turn; pure.

Every source weighs the same whatever its number of rows. The cost is the mean of absolute relative errors, so that one
odd row bends nothing; too low counts double. Only what shows in reserved and device is fitted. Allocated is formulas
and trainers' facts; those facts (loss paths, what a stack keeps) were found on the same sources, which leaving a source
out here does not undo.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import mean

from advisor.estimator.coefficients import Coefficients
from advisor.estimator.score import SECOND, Run, error

FITTED = (
    "workspace_gib",
    "slack_activations",
    "slack_logits",
    "slack_shifted",
    "slack_varied",
    "sharded_gib",
    "context_gib",
    "context_several_gib",
)
FIRST_STEP, LAST_STEP = 0.25, 0.02
"""Of the search, as shares of a coefficient."""
UNDER = 2.0
"""An estimate that is too low costs a crashed run, one that is too high some spare memory."""
PULL = 0.02
"""Weight of staying near the start: what no run touches does not wander."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Mean absolute error in per cent on one source: fitted with all, and with this source left out."""

    source: str
    n: int
    with_it: float
    without_it: float


def by_source(runs: Iterable[Run]) -> dict[str, list[Run]]:
    """Runs of each source; longest contexts are left out, they say only that a card was full."""
    sources: dict[str, list[Run]] = {}
    for run in runs:
        if run.counter != "max_context":
            name = f"{run.source} (nvidia-smi)" if run.counter == SECOND else run.source
            sources.setdefault(name, []).append(run)
    return sources


def _cost(runs: Sequence[Run], c: Coefficients) -> float:
    errors = [error(run, c) for run in runs]
    return mean(e if e >= 0 else -UNDER * e for e in errors)


def _mape(runs: Sequence[Run], c: Coefficients) -> float:
    return mean(abs(error(run, c)) for run in runs)


def _loss(sources: Iterable[Sequence[Run]], c: Coefficients, start: Coefficients) -> float:
    pull: float = sum(abs(getattr(c, name) / getattr(start, name) - 1) for name in FITTED)
    return mean(_cost(runs, c) for runs in sources) + PULL * pull


def fit(sources: Sequence[Sequence[Run]], start: Coefficients) -> Coefficients:
    """Coordinate search from `start` with a shrinking step."""
    moved = [[run for run in runs if run.counter != "peak_allocated"] for runs in sources]
    useful = [runs for runs in moved if runs]
    if not useful:
        return start
    best, least, step = start, _loss(useful, start, start), FIRST_STEP
    while step >= LAST_STEP:
        better = False
        for name in FITTED:
            for factor in (1 + step, 1 / (1 + step)):
                tried = replace(best, **{name: getattr(best, name) * factor})
                loss = _loss(useful, tried, start)
                if loss < least - 1e-9:
                    best, least, better = tried, loss, True
        if not better:
            step /= 2
    return best


def leave_one_out(runs: Iterable[Run], start: Coefficients) -> list[LeftOut]:
    """Error on each source with and without it in the fit: a coefficient that only memorises a source shows here."""
    sources = by_source(runs)
    whole = fit(list(sources.values()), start)
    found = []
    for name, part in sources.items():
        others = [other for source, other in sources.items() if source != name]
        found.append(LeftOut(name, len(part), _mape(part, whole), _mape(part, fit(others, start))))
    return found
