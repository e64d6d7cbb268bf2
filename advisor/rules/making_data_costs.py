"""Writing or translating the examples with a paid model is a bill of its own, beside the training.

Source: 22-hours/cabrita README and issue #3 (2023-03: 52,000 Alpaca examples translated for 8 to 25 USD); Stanford
Alpaca README (2023-03: 52,000 written for under 500 USD); mshumer/gpt-llm-trainer issue #14 (2023-08: 100 by GPT-4
for 5.05 USD).
"""

from advisor.advice import Finding, stop, warn
from advisor.case import Case
from advisor.query import Kind

ALPACA = 52_000
TRANSLATED = (8 / ALPACA, 25 / ALPACA)
WRITTEN = (500 / ALPACA, 5.05 / 100)
"""USD for an example, from the least to the most that was told."""
USUAL = 1000
FEW = 100
"""Examples that the price is told for where no number is named: S53's floor, and what a first try writes."""
YEAR = 2023
ON = ("translates_data", "writes_data")


def check(case: Case) -> Finding | None:
    """Writing or translating the examples with a paid model is a bill of its own, beside the training."""
    if case.query.kind not in (Kind.COST_BUY_VS_RENT, Kind.DATA_SIZE_QUALITY, Kind.TIME_ESTIMATE):
        return None
    translates = "translates_data" in case.symptoms
    if not translates and "writes_data" not in case.symptoms:
        return None
    examples = case.query.dataset_examples or USUAL
    low, high = (examples * usd for usd in (TRANSLATED if translates else WRITTEN))
    few = tuple(FEW * usd for usd in WRITTEN) if not translates and case.query.dataset_examples is None else None
    alone = not (case.sized or case.query.budget) and case.query.kind is Kind.COST_BUY_VS_RENT
    return (stop if alone else warn)(
        translates=translates, examples=examples, usd=(low, high), year=YEAR, few=(FEW, few) if few else None
    )
