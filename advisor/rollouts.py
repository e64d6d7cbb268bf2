"""vLLM beside a run that generates while it trains: whether it is loaded, and its share of the card."""

from advisor.asked import ROLLOUTS
from advisor.case import Case

PERCENT = 100


def reserved(case: Case) -> float | None:
    """The share of a card that the asker gives vLLM, 0 to 1; None where it is not told."""
    told = case.query.named.get("rollout_share")
    share = float(told[0]) if told else None
    return share / PERCENT if share is not None and share > 1 else share


def is_beside(case: Case) -> bool:
    """Whether vLLM is said to be loaded beside the model that is trained."""
    told = "vllm_loads" in case.symptoms or "rollout_share" in case.query.named
    return told and case.query.algorithm in ROLLOUTS
