"""What the numbers of an answer assume: the set-up that they are about, and the slots that nobody stated."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from advisor.advice import Setup
from advisor.estimator import Plan, experts
from advisor.query import Kind
from advisor.stacks import ASSUMABLE, FOUR_BIT, LORA_RANK, SEQ_LEN
from knowledge.catalog import Catalog

if TYPE_CHECKING:
    from advisor.case import Case

SIZED = re.compile(r"(.*?)(?:\d+x)?\d+(?:\.\d+)?b\b", re.IGNORECASE)
"""A checkpoint's name up to its size."""


def setup_of(case: "Case") -> Setup:
    """The set-up of a question's first stack."""
    plan = case.plan(case.stacks[0])
    query = case.query
    assumed = _assumed(case, plan)
    leaving = _leaving_experts(case)
    return Setup(
        model=case.model_name,
        model_id=case.model.id if case.model else None,
        generic=case.model is None or case.generic,
        params=case.params or 0,
        params_active=case.model.params_active if case.model else None,
        vocab=plan.shape.vocab,
        hidden=plan.shape.hidden,
        layers=plan.shape.layers,
        method=case.method,
        weight_bits=float(plan.weight_bits),
        seq_len=case.seq_len,
        at_limit="seq_len" in assumed and case.seq_len == case.max_context < SEQ_LEN,
        experts_16_bit=leaving,
        experts_4_bit=tuple(stack.code for stack in case.stacks if stack.code not in leaving) if leaving else (),
        micro_batch=case.micro_batch,
        lora_rank=None if case.full else (query.lora_rank or LORA_RANK),
        lora_targets=None if case.full else case.lora_targets,
        optimizer=query.optimizer,
        algorithm=query.algorithm,
        grad_checkpointing=query.grad_checkpointing not in (False, "false", "none"),
        n_gpus=case.n_cards,
        sharding=case.sharding,
        offload="nvme" if query.offload == "nvme" else plan.offload,
        assumed=assumed,
    )


def _assumed(case: "Case", plan: Plan) -> tuple[str, ...]:
    query = case.query
    assumed = [name for name in ASSUMABLE if getattr(query, name) is None or query.sources.get(name) == "assumed"]
    if query.weight_bits or query.quant:
        assumed = [name for name in assumed if name != "method"]
    sources = query.sources
    usual = sources.get("model") == "stated" and sources.get("params_b") == "assumed"
    if usual and case.model is not None and _comes_in_sizes(case.model.id, case.catalog):
        assumed.insert(0, "params_b")  # the usual one was taken
    if sources.get("gpus") == "assumed":
        assumed.append("gpus")
    if case.full:
        assumed = [name for name in assumed if name != "lora_rank"]
    elif query.lora_targets is None and experts.adapted(plan):
        assumed.append("lora_targets")  # every expert gets adapters: of the largest terms at a high rank
    return tuple(assumed)


@lru_cache(maxsize=512)
def _comes_in_sizes(model: str, catalog: Catalog) -> bool:
    """The catalog has the model under the same name in another size."""
    found = SIZED.match(model.split("/")[-1])
    if found is None:
        return False
    named = (SIZED.match(other.split("/")[-1]) for other in catalog.models if other != model)
    return any(other is not None and other[1].lower() == found[1].lower() for other in named)


def _leaving_experts(case: "Case") -> tuple[str, ...]:
    """Codes of the stacks that quantise a mixture's other weights and leave its experts; ways to split are one
    stack's.
    """
    if case.query.kind is Kind.MULTI_GPU or case.method not in FOUR_BIT or case.model is None or case.model.moe is None:
        return ()
    return tuple(stack.code for stack in case.stacks if not experts.quantised(case.plan(stack)))
