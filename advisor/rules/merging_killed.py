"""A merge that the kernel ended although the RAM holds the weights in 16 bit: they were held in fp32, or twice.

Source: estimator (to_merge); from_pretrained's default dtype was float32 before transformers 5; LLaMA-Factory#4711.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.estimator.host_ram import host_ram

ON = ("exports", "oom_merge")
FP32 = 4
"""Bytes of a weight that nobody loads in 16 bit."""


def check(case: Case) -> Finding | None:
    """Say that so much RAM is enough, and for what it is not."""
    ram_gb = case.query.ram_gb
    merged = bool(case.symptoms & {"exports", "oom_merge"})
    if not merged or "killed" not in case.symptoms or not ram_gb or not case.params or case.full:
        return None
    merge = host_ram(case.plan(case.stacks[-1])).to_merge
    if merge > ram_gb * 1e9:
        return None  # too little by any reckoning
    fp32 = FP32 * case.params
    return stop(ram_gb=ram_gb, merge=merge, fp32=fp32, over=fp32 > ram_gb * 1e9, model=case.model_name)
