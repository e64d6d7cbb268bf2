"""Reference log-probs that are computed beforehand free the reference model.

Source: TRL, DPOConfig.precompute_ref_log_probs (https://huggingface.co/docs/trl/dpo_trainer, 2026-11).
"""

from advisor.advice import Finding, stop
from advisor.case import Case

WEIGHTS = 2
"""Bytes a parameter of the frozen reference."""

ON = ("asks_precompute",)


def check(case: Case) -> Finding | None:
    """Reference log-probs that are computed beforehand free the reference model."""
    if "asks_precompute" not in case.symptoms:
        return None
    size = WEIGHTS * case.params if case.params and (case.full or case.query.method is None) else None
    return stop(size=size, count=case.n_cards, adapters=bool(case.query.method) and not case.full)
