"""Several cards, Axolotl and DeepSpeed want Linux: on Windows that is WSL2.

Source: NCCL has no Windows build; facts/trainers: windows.
"""

from advisor.advice import Finding, stop, warn
from advisor.case import Case

LINUX_ONLY = frozenset({"axolotl", "deepspeed", "nemo-automodel", "h2o-llm-studio", "fsdp-qlora", "ktransformers"})

ON = ("os",)


def check(case: Case) -> Finding | None:
    """Several cards, Axolotl and DeepSpeed want Linux: on Windows that is WSL2."""
    if case.query.os != "windows" or not (case.n_cards > 1 or case.query.trainer in LINUX_ONLY):
        return None
    speak = stop if case.query.trainer in LINUX_ONLY else warn  # it does not start there
    return speak(trainer=case.query.trainer, several=case.n_cards > 1)
