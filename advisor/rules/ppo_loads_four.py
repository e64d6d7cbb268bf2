"""PPO loads four models before it trains: policy, reference, reward and value.

Source: TRL, examples/scripts/ppo/ppo.py (policy, ref_policy, reward_model, value_model; without a reference with PEFT).
"""

from advisor.advice import Finding, stop
from advisor.case import Case

MODELS = 4
ON = ("killed", "oom_load")


def check(case: Case) -> Finding | None:
    """PPO loads four models before it trains."""
    if case.query.algorithm != "ppo" or not case.params or not case.symptoms & set(ON):
        return None
    return stop(models=MODELS, each=2 * case.params, load_16=2 * MODELS * case.params, load_32=4 * MODELS * case.params)
