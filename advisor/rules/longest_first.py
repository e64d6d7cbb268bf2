"""What fails after an hour fails in the first step, once the longest examples come first.

Source: QUESTIONS: dynamic padding follows the longest example of a batch; transformers,
TrainingArguments.train_sampling_strategy="group_by_length" puts the longest batch first
(https://huggingface.co/docs/transformers/main_classes/trainer, 2026-11).
"""

from advisor.advice import Finding, stop
from advisor.asked import ROLLOUTS
from advisor.case import Case

ELSEWHERE = frozenset({"eval", "save", "load", "moe_load", "disk", "spill"})
"""Causes that a long example has no part in."""

ON = ("tests_slowly",)


def check(case: Case) -> Finding | None:
    """What fails after an hour fails in the first step, once the longest examples come first."""
    if "tests_slowly" not in case.symptoms or case.advice is None or case.advice.verdict.code in ELSEWHERE:
        return None
    query = case.query
    died = bool(case.symptoms & {"oom_step", "oom_later", "growing"})
    return stop(died=died, rollouts=query.algorithm in ROLLOUTS)
