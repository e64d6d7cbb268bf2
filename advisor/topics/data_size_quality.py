"""How much data? The floor for curated examples, what the asker's number means, epochs, and when retrieval is the
answer (S53).

Verdict: rag (facts are wanted), overfit, few_steps (a batch holds them all), pretrain (plain text), tiny, small,
enough, large, general.
Facts: examples, tokens, tokens_each, implied (the examples are worked out from the tokens), epochs, floor,
few (learnt by heart), too_many_epochs, steps (in all), steps_each (per epoch), batch, forgets, goal (what is to be
taught), text (few, some or much plain text for continued pretraining).
"""

from math import ceil
from typing import Any

from advisor.advice import Advice, Verdict
from advisor.asked import PLAIN_TEXT
from advisor.case import Case
from advisor.query import Kind, Query
from advisor.topics.time_estimate import TOKENS_EACH

GOALS = ("goal_classes", "goal_tone", "goal_task")
"""What the data is to teach, where the message says it; the narrower first."""
FLOOR = 1000
"""Curated examples that generation tasks should have (S53)."""
TINY = 200
"""Examples below which they are learnt by heart."""
TONE = 100
"""Examples from which on a tone or a format may stick."""
LARGE = 50_000
MANY_EPOCHS = 4
FEW_STEPS = 30
"""Optimizer steps in all below which nothing is learnt at usual rates: a warm-up is longer."""
SOME_TEXT, MUCH_TEXT = 1_000_000, 20_000_000
"""Tokens of plain text from which continued pretraining teaches style and words, and from which a field. Source: Don't
Stop Pretraining, arXiv:2004.10964 (small corpora of a task help, fields were billions of tokens); faq/pretraining.
"""


def answer(case: Case) -> Advice:
    """Advice on the data."""
    query = case.query
    examples = query.dataset_examples or implied_examples(case)
    facts: dict[str, Any] = {
        "examples": examples,
        "tokens": query.dataset_tokens or _tokens_of(query),
        "texts": query.dataset_examples if query.dataset_tokens is None else None,
        "asks_cards": query.also is Kind.MULTI_GPU,
        "tokens_each": query.tokens_per_example or TOKENS_EACH,
        "implied": query.dataset_examples is None and examples is not None,
        "epochs": query.epochs,
        "floor": FLOOR,
        "few": examples is not None and examples < TINY,
        "too_many_epochs": bool(query.epochs and query.epochs > MANY_EPOCHS),
        "forgets": "forgets" in case.symptoms,
        "steps": _steps(case, examples) * int(query.epochs or 0),
        "steps_each": _steps(case, examples),
        "batch": (query.micro_batch or 1) * (query.grad_accum or 1),
        "feared": "overfit" in case.symptoms and _is_usual(case, examples),
        "goal": next((goal for goal in GOALS if goal in case.symptoms), None),
        "text": _text(query.dataset_tokens or _tokens_of(query)) if query.algorithm in PLAIN_TEXT else None,
    }
    answered = examples or "overfit" in case.symptoms or case.claims & {"language_by_base", "facts_by_finetuning"}
    return Advice(
        kind=Kind.DATA_SIZE_QUALITY,
        query=query,
        verdict=Verdict(code=_code(case, examples), facts=facts),
        asks=None if answered else "dataset_examples",
        offers=("faq=S53", "kind=time_estimate", "kind=which_gpu"),
    )


def implied_examples(case: Case) -> int | None:
    """Examples of usual length that a text of so many tokens makes."""
    tokens = case.query.dataset_tokens
    return max(1, tokens // (case.query.tokens_per_example or TOKENS_EACH)) if tokens else None


def _tokens_of(query: Query) -> int | None:
    """Tokens of so many texts of the usual length, where they are to be read as plain text."""
    if query.dataset_examples is None or query.algorithm not in PLAIN_TEXT:
        return None
    return query.dataset_examples * (query.tokens_per_example or TOKENS_EACH)


def _steps(case: Case, examples: int | None) -> int:
    """Optimizer steps per epoch; 0 where examples or the batch are not stated."""
    if not examples or not case.query.micro_batch:
        return 0
    return ceil(examples / (case.query.micro_batch * (case.query.grad_accum or 1) * max(1, case.n_cards)))


def _text(tokens: int | None) -> str | None:
    if tokens is None:
        return None
    return "few" if tokens < SOME_TEXT else "some" if tokens < MUCH_TEXT else "much"


def _code(case: Case, examples: int | None) -> str:
    if "facts_by_finetuning" in case.claims:
        return "rag"
    if "overfit" in case.symptoms and not _is_usual(case, examples):
        return "overfit"
    if case.query.algorithm in PLAIN_TEXT or ("new_language" in case.symptoms and examples is None):
        return "pretrain"
    if 0 < _steps(case, examples) * int(case.query.epochs or 0) < FEW_STEPS:
        return "few_steps"
    if "goal_tone" in case.symptoms and TONE <= (examples or 0) < TINY:
        return "small"
    return _worth(examples)


def _is_usual(case: Case, examples: int | None) -> bool:
    """So many passes over so many examples are what everybody does: overfitting is feared, not seen."""
    if "eval_rises" in case.symptoms:
        return False
    epochs = case.query.epochs
    return epochs is not None and epochs < MANY_EPOCHS and (examples or 0) >= TINY


def worth(case: Case) -> str:
    """What the asker's number of examples, or so much text, is worth: tiny, small, enough, large; general without."""
    return _worth(case.query.dataset_examples or implied_examples(case))


def _worth(examples: int | None) -> str:
    if examples is None:
        return "general"
    if examples < TINY:
        return "tiny"
    if examples < FLOOR:
        return "small"
    return "large" if examples > LARGE else "enough"
