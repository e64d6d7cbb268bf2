"""Preference and reinforcement learning: what they hold beside plain supervised fine-tuning. TRL 1.16 trainers.

DPO, ORPO and their kin run two sequences per sample, chosen and rejected; KTO one, and a mismatched one without
gradients for its KL term. DPO, KTO and PPO need a reference: under adapters that is the same model with adapters off,
in full fine-tuning a frozen copy; GRPO has none unless its KL term has a weight (TRL's is 0). PPO adds a reward and a
value model. GRPO and PPO generate: keys and values of the whole batch. A reward model has a head of width one. Since
TRL 1.15 (which Unsloth runs on) DPO, KTO, GRPO and RLOO score tokens in a fused head; ORPO, CPO and SimPO read whole
logits, whatever the loss of plain fine-tuning.
"""

from dataclasses import dataclass

from advisor.estimator.plan import Plan


@dataclass(frozen=True, slots=True)
class Algorithm:
    """`sequences`: rows per sample that get gradients. `copies`: frozen models beside the one that full fine-tuning
    trains. `looks`: forward passes over them without gradients. `whole_logits`: its trainer has no fused head (TRL 1.16
    experimental/orpo, experimental/cpo)."""

    sequences: int = 1
    copies: int = 0
    looks: int = 0
    generates: bool = False
    has_logits: bool = True
    whole_logits: bool = False


ALGORITHMS: dict[str, Algorithm] = {
    "sft": Algorithm(),
    "pretrain": Algorithm(),
    "dpo": Algorithm(sequences=2, copies=1, looks=1),
    "ipo": Algorithm(sequences=2, copies=1, looks=1),
    "kto": Algorithm(copies=1, looks=3),
    "bco": Algorithm(copies=1, looks=1),
    "orpo": Algorithm(sequences=2, whole_logits=True),
    "simpo": Algorithm(sequences=2, whole_logits=True),
    "cpo": Algorithm(sequences=2, whole_logits=True),
    "reward": Algorithm(sequences=2, has_logits=False),
    "grpo": Algorithm(generates=True),
    "rloo": Algorithm(copies=1, generates=True),
    "ppo": Algorithm(copies=3, generates=True, whole_logits=True),
}
"""Every algorithm that the estimator knows."""


def frozen_copy_bytes(plan: Plan) -> float:
    """Reference, reward and value models of full fine-tuning, 16 bit."""
    if plan.method != "full":
        return 0.0
    return 2.0 * plan.shape.params * ALGORITHMS[plan.algorithm].copies


def generation_bytes(plan: Plan) -> float:
    """Keys and values of all sequences that are generated at once, 16 bit."""
    if not ALGORITHMS[plan.algorithm].generates:
        return 0.0
    s = plan.shape
    per_token = 4.0 * s.k * s.layers * s.full_attention_share
    return plan.micro_batch * plan.seq_len * per_token


SYNONYMS = {
    "rm": "reward",
    "rewardmodel": "reward",
    "rewardmodeling": "reward",
    "rlhf": "ppo",
    "pt": "pretrain",
    "cpt": "pretrain",
    "pretraining": "pretrain",
    "continuedpretraining": "pretrain",
    "finetuning": "sft",
    "instructiontuning": "sft",
    "dapo": "grpo",
    "drgrpo": "grpo",
    "gspo": "grpo",
}


def algorithm_of(name: str | None) -> str | None:
    """The algorithm that a name means; None for an unknown one."""
    text = "".join(letter for letter in (name or "sft")[:80].lower() if letter.isalnum())
    return text if text in ALGORITHMS else SYNONYMS.get(text)
