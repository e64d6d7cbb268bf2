"""Optimizer states, and what the optimizer's step allocates. FORMULAS.md, section "W, optimizer".

Sources: torch.optim (states take the parameter's dtype), bitsandbytes `optim/optimizer.py` and arXiv:2110.02861
(blockwise 8 bit), transformers.Adafactor (factored second moment, arXiv:1804.04235), Lion arXiv:2302.06675, Muon (one
momentum; Newton-Schulz works on 16-bit copies of one matrix), GaLore arXiv:2403.03507, APOLLO arXiv:2412.05270, LOMO
arXiv:2306.09782.
"""

from collections.abc import Callable
from dataclasses import dataclass

from advisor.estimator.adapters import copied_params
from advisor.estimator.plan import Plan, of_set_up
from advisor.estimator.trained import Trained, trained_by_adapters, trained_by_full, trained_by_part

BLOCK = 4 / 256
"""fp32 constant per element of one blockwise 8-bit moment."""


def trained(plan: Plan) -> Trained:
    """The tensors that the optimizer sees."""
    if plan.method == "full":
        return trained_by_part(plan.shape, plan.part) if plan.part else trained_by_full(plan.shape)
    return trained_by_adapters(plan.shape, plan.targets, plan.rank, plan.adapters)


@dataclass(frozen=True, slots=True)
class Step:
    """What one optimizer costs for weights of `weight` bytes and moments of `moment` bytes."""

    states: Callable[[Trained, float, float], float]
    temporary: Callable[[Trained, float, float], float] = lambda n, w, m: 0.0


def _blockwise(moments: int) -> Callable[[Trained, float, float], float]:
    """8-bit moments; small tensors and embeddings keep 32 bits (HF Trainer overrides embeddings)."""

    def states(n: Trained, w: float, m: float) -> float:
        wide = n.below_blockwise + n.embedding
        return moments * ((n.elements - wide) * (1 + BLOCK) + wide * 4)

    return states


def _paged_8bit(moments: int) -> Callable[[Trained, float, float], float]:
    """The moments of large tensors are paged out; their block constants and small tensors stay."""

    def states(n: Trained, w: float, m: float) -> float:
        stay = n.below_paged - n.below_blockwise
        return moments * ((n.elements - n.embedding - n.below_blockwise) * BLOCK + stay + n.below_blockwise * 4)

    return states


def _moments(count: float) -> Callable[[Trained, float, float], float]:
    return lambda n, w, m: count * m * n.elements


def _low_rank(n: Trained, w: float, m: float) -> float:
    """Moments in a subspace of rank 128 (the papers' default), the projection of each matrix; embeddings in full."""
    projected = min(n.elements - n.embedding, 3 * 128 * n.edges // 2)
    return m * (projected + 2 * n.embedding)


def _foreach(n: Trained, w: float, m: float) -> float:
    """torch's foreach step: a square root of every second moment at once. FORMULAS.md, "O_tmp = w n"."""
    return m * n.elements


STEPS: dict[str, Step] = {
    "adamw": Step(_moments(2), _foreach),
    "adamw_foreach": Step(_moments(2), _foreach),
    "adamw_fused": Step(_moments(2)),
    "adamw_8bit": Step(_blockwise(2)),
    "adamw_8bit_torchao": Step(lambda n, w, m: 2 * (1 + BLOCK) * n.elements, lambda n, w, m: 12 * n.largest),
    "adamw_4bit": Step(lambda n, w, m: 2 * (0.5 + 4 / 128) * n.elements, lambda n, w, m: 12 * n.largest),
    "paged_adamw_8bit": Step(_paged_8bit(2)),
    "paged_adamw": Step(lambda n, w, m: 8 * n.below_paged),
    "adam_mini": Step(_moments(1)),
    "lion": Step(_moments(1), lambda n, w, m: w * n.elements),
    "lion_8bit": Step(_blockwise(1)),
    "paged_lion_8bit": Step(_paged_8bit(1)),
    "sgd": Step(lambda n, w, m: 0.0),
    "sgd_momentum": Step(lambda n, w, m: w * n.elements),
    "adagrad": Step(_moments(1), _foreach),
    "rmsprop": Step(_moments(1), _foreach),
    "adafactor": Step(lambda n, w, m: 4 * n.edges, lambda n, w, m: (8 if w == 4 else 16) * n.largest),
    "muon": Step(lambda n, w, m: w * (n.elements - n.embedding) + 2 * m * n.embedding, lambda n, w, m: 6 * n.largest),
    "sophia": Step(_moments(2)),
    "stable_adamw": Step(_moments(2), _foreach),
    "schedule_free": Step(_moments(2), _foreach),
    "prodigy": Step(_moments(4), _foreach),
    "lomo": Step(lambda n, w, m: 0.0),
    "adalomo": Step(lambda n, w, m: 4 * n.edges),
    "galore": Step(_low_rank, lambda n, w, m: 12 * n.largest),
    "galore_8bit": Step(lambda n, w, m: _low_rank(n, w, 1 + BLOCK), lambda n, w, m: 12 * n.largest),
    "apollo": Step(_low_rank, lambda n, w, m: 12 * n.largest),
    "badam": Step(lambda n, w, m: 16 * n.elements),
}
"""Every optimizer that the estimator knows."""


def gradient_element_bytes(plan: Plan) -> float:
    """Bytes of one gradient element: the type of the trained weight; DeepSpeed keeps 16 bit."""
    if plan.deepspeed:
        return 2.0
    return plan.trainable_bytes if plan.method == "full" else plan.adapter_bytes


def _moment_bytes(plan: Plan) -> float:
    return plan.state_bytes if plan.method == "full" else plan.adapter_bytes


def _copies(plan: Plan) -> Trained | None:
    """The embedding and head that an adapter run trains as a whole."""
    n = 0 if plan.method == "full" else copied_params(plan.shape, plan.targets)
    return Trained(n, 0, 0, 0, n // 2, n // plan.shape.hidden) if n else None


def state_bytes(plan: Plan) -> float:
    """Bytes of the optimizer's states on the GPU, unsharded.

    DeepSpeed's mixed precision keeps fp32 weights and fp32 gradients of its partition beside the two fp32 moments.
    """
    n = trained(plan)
    if plan.deepspeed:
        return STEPS[plan.optimizer].states(n, 4.0, 4.0) + 8.0 * n.elements
    own = STEPS[plan.optimizer].states(n, gradient_element_bytes(plan), _moment_bytes(plan))
    copies = _copies(plan)
    return own + (STEPS[plan.optimizer].states(copies, 2.0, 2.0) if copies else 0.0)


@of_set_up
def step_bytes(plan: Plan) -> float:
    """O_tmp: what the step itself allocates."""
    if plan.deepspeed:
        return 0.0
    own = STEPS[plan.optimizer].temporary(trained(plan), gradient_element_bytes(plan), _moment_bytes(plan))
    copies = _copies(plan)
    return own + (STEPS[plan.optimizer].temporary(copies, 2.0, 2.0) if copies else 0.0)


@of_set_up
def gradient_bytes(plan: Plan) -> float:
    """G: all gradients."""
    return gradient_element_bytes(plan) * trained(plan).elements + 2.0 * copied_params(plan.shape, plan.targets)
