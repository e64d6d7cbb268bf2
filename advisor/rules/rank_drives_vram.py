"""At usual ranks the adapters are small beside weights and activations.

Source: LoRA, arXiv:2106.09685: r (in + out) parameters per matrix; estimator term adapters.
"""

from advisor.advice import Finding, correct
from advisor.case import Case
from advisor.stacks import LORA_RANK

ON = ("rank_drives_vram", "targets_drive_vram")


def check(case: Case) -> Finding | None:
    """At usual ranks the adapters are small beside weights and activations."""
    targets = "targets_drive_vram" in case.symptoms
    if not targets and "rank_drives_vram" not in case.claims:
        return None
    parts = case.lean.components if case.sized and not case.full else {}
    return correct(rank=case.query.lora_rank or LORA_RANK, adapters=parts.get("adapters"), targets=targets)
