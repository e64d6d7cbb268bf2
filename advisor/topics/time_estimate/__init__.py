"""How long? Hours with a range, from tokens and the estimator's speed; a table by number of examples or by size where
one of them is open; and whether a time that was seen is plausible.

Verdict: hours (data and card known), by_examples (card known, no data), by_size (card known, no model), by_card (no
card, or only a size), unsized, rollouts (generating decides), no_speed.
Facts: examples, tokens_each, tokens_each_assumed, epochs, epochs_assumed, tokens, hours (low, high), speed (low, high;
all cards), rows [{examples, hours}], of plain text [{tokens, hours}], [{card, hours}] or [{size, hours}], count, card,
took (hours seen; took_h from one hour on), claim (tokens per second that a time comes to which somebody else told),
judged (plausible, quick, too_fast, too_slow, implied where the data are not known; speed_normal,
speed_good, speed_slow, speed_fast or speed_impossible of a speed that was seen), beyond (it is
longer than the estimate, if plausible), seen_speed, asked (asks_speed: the speed comes first), accum_unsaid (its steps
may be several batches), seen_step and step (seconds of a step as seen, and as they should be with examples of
step_tokens), beside (another card of the question), slow (adapters were expected to be quick), implied (examples that
the time seen stands for), likely (smallest and largest size whose hours it matches), epoch (hours of one of several),
alone (hours of one card, where there are several), more [{name, hours}] (by_card: each model with a large data set),
nobody (neither card nor data are named), wants (bytes on each of as many server cards as it takes, where nobody says
how many), per_s (examples a second that the time seen comes to), pace (a run that is going: pace.py), moved
and faster (elsewhere.py), instead (the method that fits where the stated one does not: its code and bytes), need and
usable, memory [{name, need, gb}] where no card is settled, stages (algorithms that follow each other).
"""

from typing import Any

from advisor.advice import Advice, Setup, Verdict
from advisor.asked import PLAIN_TEXT, ROLLOUTS
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import GOOD
from advisor.tiers import split
from advisor.topics import oom_help
from advisor.topics.sizes import SIZES_B
from advisor.topics.time_estimate.elsewhere import elsewhere, faster
from advisor.topics.time_estimate.jobs import (
    EXAMPLES,
    TEXT_TOKENS,
    TOKENS_EACH,
    as_many,
    epochs_of,
    job,
    large_sets,
    made_to_fit,
    memory,
    other_jobs,
    rows,
    run_of,
    tokens_each,
    usual_examples,
)
from advisor.topics.time_estimate.judged import LATEST, SOONEST, claimed, judged, judged_speed, seen_speed, told_hours
from advisor.topics.time_estimate.pace import pace

__all__ = ["EXAMPLES", "TOKENS_EACH", "answer", "epochs_of", "job", "run_of", "tokens_each", "usual_examples"]


def answer(case: Case) -> Advice:
    """Advice on the duration."""
    if (several := as_many(case)) is not None:
        advice = _answer(several)
        wants = several.need(split(several.stacks[0])).device
        verdict = advice.verdict.model_copy(update={"facts": {**advice.verdict.facts, "wants": wants}})
        return advice.model_copy(update={"query": case.query, "verdict": verdict})
    advice = _answer(case)
    told = (("pace", pace(case)), ("moved", elsewhere(case)), ("faster", faster(case)))
    more = {name: found for name, found in told if found is not None}
    if not more:
        return advice
    verdict = advice.verdict.model_copy(update={"facts": {**advice.verdict.facts, **more}})
    asks = None if "pace" in more else advice.asks
    return advice.model_copy(update={"verdict": verdict, "asks": asks})


def _answer(case: Case) -> Advice:
    if not case.sized:
        return _unsized(case)
    query = case.query
    if "shared_memory_counts" in case.claims and not (query.dataset_examples or query.dataset_tokens):
        return oom_help.answer(case)  # hours without data say nothing; what spills is the reason
    usual, each, epochs = run_of(case)
    tokens = usual if query.dataset_tokens or query.dataset_examples else None
    usual = TEXT_TOKENS[1] if tokens is None and query.algorithm in PLAIN_TEXT else usual
    fitting = made_to_fit(case)
    hours = job(case, case.gpu, tokens, each, epochs, **fitting) if case.gpu else None
    table = rows(case, tokens, each, epochs, **fitting)
    facts = _stated(case, each) | _fit(case, fitting)
    facts |= {
        "tokens": tokens,
        "hours": hours,
        "epoch": (hours[0] / epochs, hours[1] / epochs) if hours and epochs > 1 else None,
        "speed": _speed(tokens, hours, table, each, epochs),
        "rows": table,
        "others": other_jobs(case, usual, each, epochs) if hours or case.gpus else [],
        "alone": _alone(case, usual, each, epochs, **fitting),
        "memory": memory(case) if case.gpu is None else [],
        "wants": None,
        "nobody": case.card is None and not case.gpus and not tokens,
    }
    facts["more"] = large_sets(case, table, facts["others"]) if table and "card" in table[0] and not tokens else []
    facts |= judged(told_hours(case), hours, table if case.card and not tokens else [])
    facts["claim"] = claimed(case, tokens, epochs)
    facts |= judged_speed(case, seen_speed(case, each), facts["speed"])
    return Advice(
        kind=Kind.TIME_ESTIMATE,
        query=query,
        verdict=Verdict(code=_code(case, hours, table), facts=facts),
        setup=_setup(case, fitting),
        needs=case.needs(**fitting),
        asks=None if tokens or "seen_speed" in facts else "dataset_examples",
        offers=("n_gpus=2", "seq_len=1024", "method=qlora", "show=why", "kind=cost_buy_vs_rent"),
    )


def _setup(case: Case, fitting: dict[str, Any]) -> Setup:
    """The set-up of the hours: with QLoRA where only that fits, split where no card holds a copy of all it trains."""
    if fitting:
        return case.setup.model_copy(update={"method": "qlora", "weight_bits": 4.0})
    copied = case.full and case.n_cards > 1 and case.usable is not None and case.query.sharding is None
    if copied and case.need(case.stacks[-1], n_gpus=1, sharding="none").fit not in GOOD:
        return case.setup.model_copy(update={"sharding": "fsdp"})
    return case.setup


def _fit(case: Case, fitting: dict[str, Any]) -> dict[str, Any]:
    """How the set-up stands to the card, and what was taken in its place."""
    need = case.need(case.stacks[0], **fitting)
    instead = {"method": fitting["method"], "stated": case.method, "need": need.device} if fitting else None
    return {"fit": need.fit, "instead": instead, "need": case.lean.device, "usable": case.usable}


def _alone(case: Case, tokens: int, each: int, epochs: float, **slots: Any) -> tuple[float, float] | None:
    """The hours that one of several cards takes for the same, where it holds that."""
    one = {**slots, "n_gpus": 1, "sharding": "none"}
    if case.n_cards < 2 or case.gpu is None or case.need(case.stacks[0], **one).fit == "no":
        return None
    return job(case, case.gpu, tokens, each, epochs, **one)


def _speed(
    tokens: int | None, hours: tuple[float, float] | None, table: list[dict[str, Any]], each: int, epochs: float
) -> tuple[float, float] | None:
    """Tokens per second, from the stated data or from a row of the table by examples."""
    row = next((row for row in table if row.get("examples") == EXAMPLES[1]), None)
    if not (tokens and hours) and row is not None:
        tokens, hours = row["examples"] * each * row["answers"], row["hours"]
    elif not (tokens and hours) and table and table[0].get("tokens"):
        tokens, hours = table[1]["tokens"], table[1]["hours"]
    return (tokens * epochs / hours[1] / 3600, tokens * epochs / hours[0] / 3600) if tokens and hours else None


def _unsized(case: Case) -> Advice:
    """The common sizes on the asker's card; the formula where no card is named either."""
    query = case.query
    tokens, each, epochs = run_of(case)
    table: list[dict[str, Any]] = []
    for size in SIZES_B if case.gpu else ():
        hours = job(case, case.gpu, tokens, each, epochs, params_b=float(size)) if case.gpu else None
        if hours:
            table.append({"size": size, "hours": hours})
    took = query.took_hours
    likely = _likely(table, took, 1.0, 1.0) or _likely(table, took, SOONEST, LATEST)
    facts = _stated(case, each) | {
        "rows": table,
        "typical": next((row for row in table if row["size"] == 8), None),
        "method": case.method,
        "slow": "slow" in case.symptoms and not case.full,
        "examples": query.dataset_examples or (None if query.dataset_tokens else EXAMPLES[1]),
        "examples_assumed": query.dataset_examples is None,
        "tokens": tokens,
        "likely": [likely[0], likely[-1]] if len(likely) > 1 else likely,
    }
    known = query.dataset_examples is not None or query.dataset_tokens is not None
    return Advice(
        kind=Kind.TIME_ESTIMATE,
        query=query,
        verdict=Verdict(code="by_size" if table and known else "unsized", facts=facts),
        asks="model",
        offers=("params_b=8", "params_b=14", "params_b=32"),
    )


def _likely(table: list[dict[str, Any]], took: float | None, soonest: float, latest: float) -> list[int]:
    """The sizes whose range of hours, so much widened, holds the time that was seen."""
    return [row["size"] for row in table if took and soonest * row["hours"][0] <= took <= latest * row["hours"][1]]


def _stated(case: Case, each: int) -> dict[str, Any]:
    query = case.query
    took = told_hours(case)
    return {
        **case.where,
        "examples": query.dataset_examples,
        "tokens_each": each,
        "tokens_each_assumed": not (
            query.dataset_tokens or query.tokens_per_example or each == query.seq_len or query.algorithm in PLAIN_TEXT
        ),
        "epochs": epochs_of(case),
        "epochs_assumed": query.epochs is None and "asks_epoch" not in case.symptoms,
        "took": (took, took) if took else None,
        "took_h": took if (took or 0) >= 1 else None,
        "per_s": _per_second(case),
        "judged": None,
        "seen_step": None,
        "asked": ("asks_speed",) if "asks_speed" in case.symptoms else (),
        "stages": [name for name in query.named.get("algorithm", ()) if name != "cpt"],
    }


def _per_second(case: Case) -> float | None:
    """Examples a second that the asker's time comes to, all epochs counted."""
    query = case.query
    if not query.took_hours or not query.dataset_examples or not query.epochs:
        return None
    return query.dataset_examples * query.epochs / query.took_hours / 3600


def _code(case: Case, took: tuple[float, float] | None, table: list[dict[str, Any]]) -> str:
    if took:
        return "hours"
    if case.query.algorithm in ROLLOUTS:
        return "rollouts"
    if table and "card" in table[0]:
        return "by_card"
    return "by_examples" if table else "no_speed"
