"""Training on a CPU takes weeks; bitsandbytes' 4-bit needs a GPU. Nobody has to buy one for that: an hour is rented.

Source: throughput of CPUs is two orders below a T4 (an 8B takes 48 GFLOP a token with checkpointing, a server's
cores sustain about half a TFLOP/s: 10 tokens/s, and 10,000 examples of 512 tokens in 3 epochs 18 days); quantising
passes a 16-bit copy through RAM (transformers, GPTQ).
"""

from typing import Any

from advisor.advice import Finding, stop
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.options import rentals
from advisor.query import Kind
from advisor.stacks import ALONE, BILLION, UNSLOTH, short_name
from advisor.topics.cost_buy_vs_rent.offers import cost_of
from advisor.topics.time_estimate.jobs import answers, job, run_of

ON = ("no_gpu_found",)
SMALL = 1.5 * BILLION
FLOP_EACH = 6
"""Per parameter and token, forward and backward with checkpointing or of all weights."""
FASTEST, SLOWEST = 0.5e12, 0.1e12
"""FLOP/s that a server's and a laptop's cores sustain."""
PATIENCE_HOURS = 24.0
"""Hours of an epoch, on the faster cores, that somebody with patience may wait for."""
BUYS = frozenset({Kind.WHICH_GPU, Kind.COMPARE_GPUS})
"""Who asks which card to take knows that it takes one."""


def check(case: Case) -> Finding | None:
    """Training on a CPU takes weeks; bitsandbytes' 4-bit needs a GPU."""
    must = "asks_must_buy" in case.symptoms
    if "no_gpu_found" not in case.symptoms or case.gpus or (case.query.kind in BUYS and not must):
        return None
    short = case.query.ram_gb if case.symptoms & FAILURES else None
    return stop(
        ram_gb=short,
        weights=2 * (case.params or 8 * BILLION),
        model=case.model_name if case.sized else "8B",
        step=_step(case) if case.sized and not must and (case.params or 0) <= SMALL else None,
        fp16=case.query.compute_dtype == "fp16",
        unsloth=case.query.trainer == "unsloth",
        must=must,
        own=_own(case) if case.sized else None,
    )


def _step(case: Case) -> tuple[float, float]:
    """Hours of a step of a model so small that it may be tried, at the stated batch and length."""
    return _on_cpu(case, case.micro_batch * (case.query.grad_accum or 1) * answers(case) * case.seq_len)


def _on_cpu(case: Case, tokens: int) -> tuple[float, float]:
    flop = FLOP_EACH * (case.params or 0) * tokens
    return flop / FASTEST / 3600, flop / SLOWEST / 3600


def _own(case: Case) -> dict[str, Any] | None:
    """The asker's own data: hours of an epoch on a CPU, and of all on the cheapest rented card with its cost; None
    where no data are told, or no single card holds it.
    """
    query = case.query
    if not query.dataset_examples and not query.dataset_tokens:
        return None
    slots: dict[str, Any] = ALONE if case.full else {"method": "qlora", "weight_bits": None, **ALONE}
    stack = case.lean_full if case.full else UNSLOTH
    rented = next(iter(rentals(case, case.need(stack, **slots), 1)), None)
    tokens, each, epochs = run_of(case)
    gpu = case.catalog.gpus[rented.gpu] if rented else None
    hours = job(case, gpu, tokens, each, epochs, **slots) if gpu else None
    if rented is None or rented.price is None or gpu is None or hours is None:
        return None
    cpu = _on_cpu(case, tokens)
    return {
        "examples": query.dataset_examples,
        "tokens": tokens,
        "cpu": cpu,
        "patient": cpu[0] <= PATIENCE_HOURS and not case.full,
        "epochs": epochs,
        "card": short_name(gpu),
        "hours": hours,
        "cost": cost_of(hours, rented.price, 1),
        "full": case.full,
    }
