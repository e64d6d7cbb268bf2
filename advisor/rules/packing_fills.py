"""With packing every sequence is full, so every step is as heavy as the longest example; without, most are short.

Source: TRL, SFTConfig.packing, and padding-free attention (https://huggingface.co/docs/trl/sft_trainer, 2026-11).
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.topics import oom_help

ON = ("packing_ooms",)


def check(case: Case) -> Finding | None:
    """With packing every sequence is full."""
    if "packing_ooms" not in case.symptoms:
        return None
    if case.advice and case.advice.verdict.code == "later":
        return None  # a packed row fits: what the answer names is left
    if oom_help.huge_block(case):
        return None  # no full row asks for as much at once: the kernels are at fault
    query = case.query
    need = case.plain.device if case.sized and query.seq_len else None
    return stop(tokens=query.seq_len, need=need, usable=case.usable)
