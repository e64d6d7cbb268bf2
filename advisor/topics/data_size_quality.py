"""How much data? The floor for curated examples, what the asker's number means, epochs, and when retrieval is the
answer (S53).

Verdict: rag (facts are wanted), overfit, tiny, small, enough, large, general.
Facts: examples, tokens, epochs, floor, too_many_epochs, forgets.
"""

from typing import Any

from advisor.advice import Advice, Verdict
from advisor.case import Case
from advisor.query import Kind

FLOOR = 1000
"""Curated examples that generation tasks should have (S53)."""
TINY = 200
LARGE = 50_000
MANY_EPOCHS = 4


def answer(case: Case) -> Advice:
    """Advice on the data."""
    query = case.query
    facts: dict[str, Any] = {
        "examples": query.dataset_examples,
        "tokens": query.dataset_tokens,
        "epochs": query.epochs,
        "floor": FLOOR,
        "too_many_epochs": bool(query.epochs and query.epochs > MANY_EPOCHS),
        "forgets": "forgets" in case.symptoms,
    }
    return Advice(
        kind=Kind.DATA_SIZE_QUALITY,
        query=query,
        verdict=Verdict(code=_code(case), facts=facts),
        asks=None if query.dataset_examples or "overfit" in case.symptoms else "dataset_examples",
        offers=("faq=S53", "kind=time_estimate", "kind=which_gpu"),
    )


def _code(case: Case) -> str:
    examples = case.query.dataset_examples
    if "facts_by_finetuning" in case.claims:
        return "rag"
    if "overfit" in case.symptoms:
        return "overfit"
    if examples is None:
        return "general"
    if examples < TINY:
        return "tiny"
    if examples < FLOOR:
        return "small"
    return "large" if examples > LARGE else "enough"
