"""How long? Hours with a range, from tokens and the estimator's speed; a table by number of examples where none is
stated.

Verdict: hours (data and card known), by_examples (card known, no data), by_card (no card), unsized, no_speed.
Facts: examples, tokens_each, tokens_each_assumed, epochs, epochs_assumed, tokens, hours (low, high), speed (low,
high; all cards), rows [{examples, hours}] or [{card, count, hours}], count, card.
"""

from typing import Any

from advisor.advice import Advice, Verdict
from advisor.case import Case
from advisor.estimator.speed import job_hours
from advisor.query import Kind
from advisor.stacks import Stack, short_name
from knowledge.schemas import Gpu

TOKENS_EACH = 512
"""Tokens of an example where nobody says: instruction data sets lie between 150 and 800."""
EPOCHS = 3.0
EXAMPLES = (1_000, 10_000, 50_000)
CARDS = ("rtx-3090", "rtx-4090", "rtx-5090")


def answer(case: Case) -> Advice:
    """Advice on the duration."""
    if not case.sized:
        facts: dict[str, Any] = {"count": case.n_cards, "card": case.card.name if case.card else ""}
        return Advice(
            kind=Kind.TIME_ESTIMATE,
            query=case.query,
            verdict=Verdict(code="unsized", facts=facts),
            asks="model",
            offers=("params_b=8", "params_b=14", "params_b=32"),
        )
    query = case.query
    each = tokens_each(case)
    examples, epochs = query.dataset_examples, query.epochs or EPOCHS
    tokens = query.dataset_tokens or (examples * each if examples else None)
    took = job(case, case.gpu, tokens, each, epochs) if case.gpu else None
    facts = {
        "examples": examples,
        "tokens_each": each,
        "tokens_each_assumed": query.dataset_tokens is None and query.tokens_per_example is None,
        "epochs": epochs,
        "epochs_assumed": query.epochs is None,
        "tokens": tokens,
        "count": case.n_cards,
        "card": case.card.name if case.card else "",
        "hours": took,
        "speed": (tokens * epochs / took[1] / 3600, tokens * epochs / took[0] / 3600) if took and tokens else None,
        "rows": rows(case, tokens, each, epochs),
        "others": other_jobs(case, tokens or EXAMPLES[1] * each, each, epochs) if took or case.card else [],
        "fit": case.lean.fit,
    }
    return Advice(
        kind=Kind.TIME_ESTIMATE,
        query=query,
        verdict=Verdict(code=_code(case, took, facts["rows"]), facts=facts),
        setup=case.setup,
        needs=case.needs(),
        asks=None if tokens else "dataset_examples",
        offers=("n_gpus=2", "seq_len=1024", "method=qlora", "show=why", "kind=cost_buy_vs_rent"),
    )


def _code(case: Case, took: tuple[float, float] | None, table: list[dict[str, Any]]) -> str:
    if took:
        return "hours"
    if case.card is None:
        return "by_card"
    return "by_examples" if table else "no_speed"


def tokens_each(case: Case) -> int:
    """Tokens of an average example: stated, or the length where they are packed to it or it is short, else usual."""
    if case.query.tokens_per_example:
        return case.query.tokens_per_example
    if case.query.seq_len and (case.query.packing or case.query.seq_len < TOKENS_EACH):
        return case.query.seq_len
    return min(case.seq_len, TOKENS_EACH)


def other_jobs(case: Case, tokens: int, each: int, epochs: float) -> list[dict[str, Any]]:
    """The hours of the further models in the question, on the same data."""
    if case.gpu is None:
        return []
    found = [(name, job(case, case.gpu, tokens, each, epochs, **slots)) for name, slots in case.alternatives]
    return [{"name": name, "hours": took} for name, took in found if took]


def job(
    case: Case,
    gpu: Gpu,
    tokens: int | None,
    each: int,
    epochs: float,
    stacks: tuple[Stack, ...] = (),
    **slots: Any,
) -> tuple[float, float] | None:
    """(shortest, longest) hours for so many tokens on the asker's number of cards, over the stacks; None if unknown."""
    if not tokens:
        return None
    found = []
    for stack in stacks or case.stacks:
        plan = case.estimate(stack, gpu=gpu.name, **slots).plan
        took = job_hours(
            plan, gpu, max(1, tokens // each), tokens_per_example=each, epochs=epochs, packed=bool(case.query.packing)
        )
        if took is None:
            return None
        found.append(took)
    return min(t.low for t in found), max(t.high for t in found)


def rows(case: Case, tokens: int | None, each: int, epochs: float) -> list[dict[str, Any]]:
    """By number of examples on the asker's card; by card where none is named."""
    if case.card is not None:
        if tokens or case.gpu is None:
            return []
        took = [(n, job(case, case.gpu, n * each, each, epochs)) for n in EXAMPLES]
        return [{"examples": n, "hours": t} for n, t in took if t]
    made = []
    for gpu_id in CARDS:
        gpu = case.catalog.gpus[gpu_id]
        if found := job(case, gpu, tokens or EXAMPLES[1] * each, each, epochs):
            made.append({"card": short_name(gpu), "hours": found})
    return made
