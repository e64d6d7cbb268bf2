"""PPO loads four models before it trains: policy, reference, reward and value.

Source: TRL, examples/scripts/ppo/ppo.py (policy, ref_policy, reward_model, value_model; without a reference with PEFT).
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.stacks import PPO_MODELS

ON = ("killed", "oom_load")


def check(case: Case) -> Finding | None:
    """PPO loads four models before it trains."""
    if case.query.algorithm != "ppo" or not case.params or not case.symptoms & set(ON):
        return None
    loaded = PPO_MODELS * case.params
    return stop(models=PPO_MODELS, load_16=2 * loaded, load_32=4 * loaded)
