"""How long? Hours with a range, from tokens and the estimator's speed; a table by number of examples where none is
stated.

Verdict: hours (data and card known), by_examples (card known, no data), by_card (no card), unsized, no_speed.
Facts: examples, tokens_each, tokens_each_assumed, epochs, epochs_assumed, tokens, hours (low, high), speed (low,
high; all cards), rows [{examples, hours}] or [{card, count, hours}], count, card.
"""

from typing import Any

from advisor.advice import Advice, Need, Verdict
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import short_name

TOKENS_EACH = 512
"""Tokens of an example where nobody says: instruction data sets lie between 150 and 800."""
EPOCHS = 3.0
EXAMPLES = (1_000, 10_000, 50_000)
CARDS = ("rtx-3090", "rtx-4090", "rtx-5090")
SCALING = 0.9
"""Share of the ideal speed-up that a copy per card reaches with gradient accumulation (see rules: more_gpus_faster)."""


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
    each = min(case.seq_len, TOKENS_EACH) if query.seq_len is None or not query.packing else case.seq_len
    if query.seq_len is not None and query.dataset_examples and query.seq_len < TOKENS_EACH:
        each = query.seq_len
    examples, epochs = query.dataset_examples, query.epochs or EPOCHS
    tokens = query.dataset_tokens or (examples * each if examples else None)
    needs = case.needs() if case.gpu is None else case.needs(gpu=case.gpu.name)
    speed = speed_of(needs, case.n_cards)
    facts = {
        "examples": examples,
        "tokens_each": each,
        "tokens_each_assumed": query.dataset_tokens is None,
        "epochs": epochs,
        "epochs_assumed": query.epochs is None,
        "tokens": tokens,
        "count": case.n_cards,
        "card": case.card.name if case.card else "",
        "speed": speed,
        "hours": hours(tokens * epochs, speed) if tokens and speed and case.card else None,
        "rows": rows(case, tokens, each, epochs, speed),
        "fit": case.lean.fit,
    }
    code = (
        "no_speed"
        if case.card and speed is None
        else "hours"
        if facts["hours"]
        else "by_examples"
        if case.card
        else "by_card"
    )
    return Advice(
        kind=Kind.TIME_ESTIMATE,
        query=query,
        verdict=Verdict(code=code, facts=facts),
        setup=case.setup,
        needs=needs,
        asks=None if tokens else "dataset_examples",
        offers=("n_gpus=2", "seq_len=1024", "method=qlora", "show=why", "kind=cost_buy_vs_rent"),
    )


def speed_of(needs: tuple[Need, ...], count: int) -> tuple[float, float] | None:
    """Tokens per second of all cards together: low of the slowest stack, high of the fastest; None where unknown."""
    lows = [n.tokens_per_s_low or n.tokens_per_s for n in needs]
    highs = [n.tokens_per_s_high or n.tokens_per_s for n in needs]
    if not all(lows) or not all(highs):
        return None
    gain = 1 + (count - 1) * SCALING
    return min(x for x in lows if x) * gain, max(x for x in highs if x) * gain


def hours(tokens: float, speed: tuple[float, float]) -> tuple[float, float]:
    """(shortest, longest) hours for so many tokens."""
    return tokens / speed[1] / 3600, tokens / speed[0] / 3600


def rows(
    case: Case, tokens: int | None, each: int, epochs: float, speed: tuple[float, float] | None
) -> list[dict[str, Any]]:
    """By number of examples on the asker's card; by card where none is named."""
    if case.card is not None:
        if tokens or speed is None:
            return []
        return [{"examples": n, "hours": hours(n * each * epochs, speed)} for n in EXAMPLES]
    made = []
    for gpu_id in CARDS:
        gpu = case.catalog.gpus[gpu_id]
        found = speed_of(tuple(case.need(stack, gpu=gpu.name) for stack in case.stacks), 1)
        if found:
            total = tokens or EXAMPLES[1] * each
            made.append(
                {
                    "card": short_name(gpu),
                    "hours": hours(total * epochs, found),
                    "examples": None if tokens else EXAMPLES[1],
                }
            )
    return made
