"""Training on a CPU takes weeks; bitsandbytes' 4-bit needs a GPU.

Source: throughput of CPUs is two orders below a T4 (an 8B takes 48 GFLOP a token with checkpointing, a server's
cores sustain about half a TFLOP/s: 10 tokens/s, and 10,000 examples of 512 tokens in 3 epochs 18 days); quantising
passes a 16-bit copy through RAM (transformers, GPTQ).
"""

from advisor.advice import Finding, stop
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import BILLION

ON = ("no_gpu_found",)
BUYS = frozenset({Kind.WHICH_GPU, Kind.COMPARE_GPUS})
"""Who asks which card to take knows that it takes one."""


def check(case: Case) -> Finding | None:
    """Training on a CPU takes weeks; bitsandbytes' 4-bit needs a GPU."""
    if "no_gpu_found" not in case.symptoms or case.gpus or case.query.kind in BUYS:
        return None
    short = case.query.ram_gb if case.symptoms & FAILURES else None
    return stop(ram_gb=short, weights=2 * (case.params or 8 * BILLION), model=case.model_name if case.sized else "8B")
