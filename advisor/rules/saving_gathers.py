"""A process that the kernel ends when the training is through died while it saved: every rank gathers a whole copy.

Source: PyTorch FSDP, FullStateDictConfig (offload_to_cpu, rank0_only); DeepSpeed,
stage3_gather_16bit_weights_on_model_save (documentation of both, 2026-11); FastChat#1294.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.evaluating import evaluation_fills_ram

ON = ("at_the_end", "eval_through")
FP32 = 4
"""Bytes of a weight in a state dict that nobody converted."""


def check(case: Case) -> Finding | None:
    """Say what saving gathers, and how to gather less."""
    if "killed" not in case.symptoms or case.symptoms.isdisjoint(ON) or evaluation_fills_ram(case):
        return None
    kept = case.advice.verdict.facts.get("kept") if case.advice is not None else None
    copy = FP32 * case.params if case.params else None
    ranks = -(-case.n_cards // (case.query.nodes or 1))
    gathered = {"copy": copy, "ranks": ranks if ranks > 1 else None, "all": copy * ranks if copy else None}
    return stop(kept=kept, usable=case.usable, **gathered)
