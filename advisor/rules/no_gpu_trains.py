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
from advisor.topics.time_estimate.jobs import answers

ON = ("no_gpu_found",)
SMALL = 1.5 * BILLION
FLOP_EACH = 6
"""Per parameter and token, forward and backward with checkpointing or of all weights."""
FASTEST, SLOWEST = 0.5e12, 0.1e12
"""FLOP/s that a server's and a laptop's cores sustain."""
BUYS = frozenset({Kind.WHICH_GPU, Kind.COMPARE_GPUS})
"""Who asks which card to take knows that it takes one."""


def check(case: Case) -> Finding | None:
    """Training on a CPU takes weeks; bitsandbytes' 4-bit needs a GPU."""
    if "no_gpu_found" not in case.symptoms or case.gpus or case.query.kind in BUYS:
        return None
    short = case.query.ram_gb if case.symptoms & FAILURES else None
    return stop(
        ram_gb=short,
        weights=2 * (case.params or 8 * BILLION),
        model=case.model_name if case.sized else "8B",
        step=_step(case) if case.sized and (case.params or 0) <= SMALL else None,
        fp16=case.query.compute_dtype == "fp16",
        unsloth=case.query.trainer == "unsloth",
    )


def _step(case: Case) -> tuple[float, float]:
    """Hours of a step of a model so small that it may be tried, at the stated batch and length."""
    batch = case.micro_batch * (case.query.grad_accum or 1) * answers(case)
    flop = FLOP_EACH * (case.params or 0) * batch * case.seq_len
    return flop / FASTEST / 3600, flop / SLOWEST / 3600
