"""What training by preferences and rewards asks of a run beside plain fine-tuning: who can do it, batches, rates."""

from dataclasses import dataclass
from functools import lru_cache
from math import gcd

from advisor.advice import Advice
from advisor.estimator.algorithm import algorithm_of
from knowledge.compiled import PACKAGE, load_yaml_tree

EFFECTIVE_BATCH = 16
"""Sequences per update, over all cards, where nobody said otherwise. FAQ entry batch-size."""
GROUP = 4
"""Completions per prompt of GRPO: what the answers advise to begin with; the trainers' own default is 8."""
LARGEST_GROUP = 8
VLLM = {
    "unsloth": "fast_inference=True",
    "trl": "use_vllm=True",
    "axolotl": "use_vllm: true",
    "ms-swift": "--use_vllm true --vllm_mode colocate",
}
"""How each trainer is told to generate with vLLM."""
LEAST_OF_KTO = 2
"""Examples per card and step: KTO's reference point is another example's answer (TRL trainer/kto_trainer.py)."""


@dataclass(frozen=True)
class Batch:
    """Sequences per card and step, steps per update, completions per prompt."""

    micro: int
    accum: int
    group: int


@lru_cache(maxsize=1)
def abilities() -> dict[str, list[str]]:
    """Trainer → the algorithms that its template can write beside plain fine-tuning."""
    return dict(load_yaml_tree(PACKAGE / "configs", "algorithms.yaml", texts=True)["algorithms.yaml"])


def can(trainer: str, algorithm: str) -> bool:
    """Whether a trainer's template can write an algorithm."""
    return algorithm == "sft" or algorithm in abilities().get(trainer, ())


def algorithm_in(advice: Advice) -> str:
    """The algorithm to write a run for; "sft" also for one that no template knows."""
    query = advice.query
    stated = (advice.setup.algorithm if advice.setup else None) or query.algorithm
    found = algorithm_of(stated) or "sft"
    return found if any(can(trainer, found) for trainer in abilities()) else "sft"


def batch_of(algorithm: str, micro: int, accum: int | None, n_gpus: int) -> Batch:
    """The batch as stated, else about EFFECTIVE_BATCH. A card's share of an update holds whole groups of GRPO."""
    micro = max(LEAST_OF_KTO, micro) if algorithm == "kto" else micro
    steps = accum or max(1, EFFECTIVE_BATCH // (micro * n_gpus))
    if algorithm != "grpo":
        return Batch(micro, steps, 1)
    groups = [size for size in range(2, LARGEST_GROUP + 1) if micro * steps % size == 0]
    if accum and groups:
        return Batch(micro, steps, min(groups, key=lambda size: abs(size - GROUP)))
    whole = GROUP // gcd(GROUP, micro)
    return Batch(micro, -(-steps // whole) * whole, GROUP)


def completion_len(seq_len: int) -> int:
    """Tokens of GRPO's answers: the prompt keeps a quarter of the length."""
    return max(1, seq_len - seq_len // 4)


def learning_rate(algorithm: str, full: bool, params: int) -> float:
    """FAQ entry learning-rate; TRL's own rate where preferences or rewards train all weights."""
    if algorithm != "sft":
        return 1e-6 if full else 5e-6
    if full:
        return 1e-5
    return 2e-4 if params < 30e9 else 1e-4
