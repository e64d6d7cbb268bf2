"""The memory of a fine-tuning run: SetUp → resolve → Plan → Estimate. One file per term; see README.md here."""

from advisor.estimator.estimate import Estimate, estimate, estimate_plan, estimate_run, tokens_per_s
from advisor.estimator.outside import Outside, outside
from advisor.estimator.plan import Plan
from advisor.estimator.resolve import resolve, resolve_values
from advisor.estimator.usable import usable_bytes

__all__ = [
    "Estimate",
    "Outside",
    "Plan",
    "estimate",
    "estimate_plan",
    "estimate_run",
    "outside",
    "resolve",
    "resolve_values",
    "tokens_per_s",
    "usable_bytes",
]
