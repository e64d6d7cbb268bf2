"""A fine-tuning API bills training tokens instead of hours.

Source: docs.ori.co/fine-tuning/billing (LoRA of a model up to 10B: 0.46 USD per million tokens; read 2026-11);
brainwires-finetune 0.11, cloud/cost.rs ("as of 2025": GPT-4o mini 3 USD, GPT-4o 25 USD per million), the latter also in
artificial-intelligence-wiki.com, OpenAI fine-tuning pricing (2026).
"""

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.query import Kind
from advisor.topics.time_estimate import run_of

MILLION = 1_000_000
OPEN, MINI, LARGE = 0.46, 3.0, 25.0
"""USD per million training tokens: an open model up to 10B, GPT-4o mini, GPT-4o."""
YEAR = 2025
KINDS = frozenset({Kind.COST_BUY_VS_RENT, Kind.WHICH_GPU, Kind.TIME_ESTIMATE})

ON = ("via_api",)


def check(case: Case) -> Finding | None:
    """What the run costs where tokens are billed, beside the price of rented cards."""
    if "via_api" not in case.symptoms or case.query.kind not in KINDS:
        return None
    run = run_of(case)
    tokens = int(run.tokens * run.epochs)
    usd = {name: price * tokens / MILLION for name, price in (("open", OPEN), ("mini", MINI), ("large", LARGE))}
    return warn(tokens=tokens, year=YEAR, **{name: (value, value) for name, value in usd.items()})
