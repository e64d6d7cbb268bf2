"""A night, a weekend, a day, or so many hours are there: whether the run is done by then, or how much gets through.

Source: estimator (speed).
"""

from typing import Any

from advisor.advice import Finding, stop, warn
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import GOOD, short_name
from advisor.topics.time_estimate import job, run_of
from advisor.topics.time_estimate.judged import OF_A_RUN

HOURS = {"until_morning": 10.0, "at_weekend": 48.0, "within_days": 24.0}
"""Hours that a night, a weekend, or a day before a deadline leave. Ours."""
KINDS = frozenset({Kind.TIME_ESTIMATE, Kind.FITS_CHECK, Kind.MULTI_GPU, Kind.CONTEXT_LENGTH})
MEASURE = 1_000_000
"""Tokens whose hours give the pace."""
COSTLY = True

ON = (*HOURS, "asks_through")


def check(case: Case) -> Finding | None:
    """Whether it is done by then; without data, how many examples get through."""
    query = case.query
    if not is_window(case) or case.advice is None or case.advice.kind not in KINDS or case.gpu is None:
        return None
    code = next((name for name in HOURS if name in case.symptoms), None)
    stated = query.max_hours or query.took_hours
    window = stated or HOURS.get(code or "")
    if window is None or not case.sized or case.lean.fit not in GOOD:
        return None
    through = "asks_through" in case.symptoms or not (query.dataset_examples or query.dataset_tokens)
    if through and "asks_through" not in case.symptoms and case.advice.kind is not Kind.TIME_ESTIMATE:
        return None  # a day is named, and nothing that is to be done by then
    tokens, each, epochs = run_of(case)
    pace = job(case, case.gpu, MEASURE, each, 1.0)
    if pace is None:
        return None
    speak = stop if case.advice.kind is Kind.TIME_ESTIMATE else warn
    facts: dict[str, Any] = {"code": "hours" if stated else code, "window": (window, window), "each": each}
    facts |= {"epochs": epochs, "card": short_name(case.gpu), "count": case.n_cards}
    if through:
        much = (window / pace[1] * MEASURE, window / pace[0] * MEASURE)
        return speak(through=much, examples=(much[0] / each, much[1] / each), done=None, **facts)
    hours = (tokens / MEASURE * epochs * pace[0], tokens / MEASURE * epochs * pace[1])
    return speak(hours=hours, tokens=tokens, **facts, **_done(window, hours, epochs))


def is_window(case: Case) -> bool:
    """The time that is told is there for a run to come, and not what one took."""
    return not case.symptoms.isdisjoint(ON) and case.symptoms.isdisjoint(OF_A_RUN) and not case.query.done_share


def _done(window: float, hours: tuple[float, float], epochs: float) -> dict[str, Any]:
    """yes, some (so many passes surely), maybe, or no."""
    passes = int(window / (hours[1] / epochs))
    epoch = (hours[0] / epochs, hours[1] / epochs)
    if hours[1] <= window:
        return {"done": "yes", "passes": passes, "epoch": epoch}
    if passes:
        return {"done": "some", "passes": passes, "epoch": epoch}
    return {"done": "maybe" if hours[0] <= window else "no", "passes": 0, "epoch": epoch}
