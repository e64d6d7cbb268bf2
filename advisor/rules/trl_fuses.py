"""TRL computes the loss in tiles since 1.7, preference and reward losses since 1.15: an older one builds the logits.

Source: trl 1.16, trainer/sft_trainer.py (the default since 1.7, June 2026), trainer/dpo_trainer.py (1.15); estimator,
stock against fused loss.
"""

from advisor.advice import Finding, note, stop, warn
from advisor.case import Case
from advisor.stacks import STOCK, TRL

WORTH = 0.1
"""Share by which an older version must need more to be worth a line."""
SINCE = {"sft": "1.7", **dict.fromkeys(("dpo", "kto", "grpo", "rloo"), "1.15")}
"""Algorithm → TRL's version from which it builds no logits."""
FAILED = frozenset({"oom_step", "oom_later", "growing"})
COSTLY = True

ON = ("trainer",)


def check(case: Case) -> Finding | None:
    """What an older version takes; louder where the run failed, or such a version is named."""
    since = SINCE.get(case.query.algorithm or "sft")
    if case.query.trainer != "trl" or not case.sized or case.full or since is None:
        return None
    version = next(iter(case.query.named.get("trl", ())), None)
    newer, older = case.need(TRL, fused_loss=True).device if version else case.lean.device, case.need(STOCK).device
    if older <= (1 + WORTH) * newer:
        return None
    speak = stop if version else warn if case.symptoms & FAILED else note
    return speak(older=older, newer=newer, version=version, since=since, algorithm=case.query.algorithm)
