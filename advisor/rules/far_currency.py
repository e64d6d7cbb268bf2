"""Prices on record are in USD; budgets in far currencies are not compared.

Source: facts/prices.
"""

from advisor.advice import Finding, note
from advisor.case import Case

ON = ("currency",)


def check(case: Case) -> Finding | None:
    """Prices on record are in USD; budgets in far currencies are not compared."""
    currency = case.query.currency
    if currency in (None, "USD", "EUR", "GBP", "CHF") or case.query.budget is None:
        return None
    return note(currency=currency)
