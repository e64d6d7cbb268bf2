"""GRPO and PPO generate while they train: vLLM's weights and KV cache come on top.

Source: TRL GRPOTrainer documentation, vllm_gpu_memory_utilization.
"""

from advisor.advice import Finding, warn
from advisor.asked import ROLLOUTS
from advisor.case import Case

ON = ("algorithm",)


def check(case: Case) -> Finding | None:
    """GRPO and PPO generate while they train: vLLM's weights and KV cache come on top."""
    if case.query.algorithm not in ROLLOUTS or (
        case.advice and case.advice.verdict.code in ("generate", "rollouts", "no_rollouts")
    ):
        return None
    return warn(algorithm=case.query.algorithm)
