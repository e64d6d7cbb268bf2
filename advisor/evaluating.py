"""What an evaluation keeps, and where: the logits of all examples, on the card or in the machine's memory.

Source: transformers Trainer: logits are gathered unless prediction_loss_only; eval_accumulation_steps moves them to the
CPU (https://huggingface.co/docs/transformers/main_classes/trainer, 2026-11).
"""

from typing import TYPE_CHECKING

from advisor.query import Kind

if TYPE_CHECKING:
    from advisor.case import Case

IN_RAM = frozenset({"killed", "host_grows"})
"""Symptoms of a machine's memory that fills."""


def evaluation_fills_ram(case: "Case") -> bool:
    """It is the machine's memory that fills while evaluating."""
    if not case.sized or "oom_eval" not in case.symptoms or "oom_gpu" in case.symptoms:
        return False
    if "eval_through" in case.symptoms:
        return False  # what came next was saving
    return case.query.kind is Kind.SYSTEM_RAM or bool(case.symptoms & IN_RAM)
