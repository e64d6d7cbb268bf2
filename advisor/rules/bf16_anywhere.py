"""bf16 is native from compute capability 8.0 on; older NVIDIA cards train in fp16.

Source: CUDA C++ Programming Guide, arithmetic instructions: bfloat16 from capability 8.0.
"""

from advisor.advice import Finding, correct, warn
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import short_name

ON = ("gpus", "candidates")


def check(case: Case) -> Finding | None:
    """bf16 is native from compute capability 8.0 on; older NVIDIA cards train in fp16."""
    old = [gpu for gpu in case.gpus if gpu.vendor == "nvidia" and not gpu.supports.bf16]
    if not old or case.query.compute_dtype == "fp16":
        return None
    running = case.query.kind is Kind.INFERENCE_ONLY
    facts = {"card": short_name(old[0]), "stated": case.query.compute_dtype == "bf16", "run": running}
    return correct(**facts) if facts["stated"] or "bf16_anywhere" in case.claims else warn(**facts)
