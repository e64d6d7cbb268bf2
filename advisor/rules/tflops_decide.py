"""Shader TFLOPS on paper decide nothing: memory first, then bf16 tensor throughput with fp32 accumulation.

Facts: cards [{name, tflops}] and bandwidths (GB/s) of the cards that are set side by side, else empty; beside (what
else is asked has an answer of its own).
Source: NVIDIA architecture whitepapers; facts/gpus: bf16_dense_tflops, bandwidth_gb_s.
"""

from advisor.advice import Finding, correct, stop
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import short_name
from knowledge.schemas import Gpu

ON = ("tflops_decide",)
MOST = 4
"""Cards whose figures one sentence holds."""
PAIR = 2
OF_SPEED = frozenset({Kind.COMPARE_GPUS, Kind.MULTI_GPU, Kind.WHICH_GPU, Kind.FITS_CHECK, Kind.TIME_ESTIMATE})
"""Kinds in which cards with their TFLOPS are set side by side."""


def check(case: Case) -> Finding | None:
    """Shader TFLOPS on paper decide nothing: memory first, then bf16 tensor throughput with fp32 accumulation."""
    if "tflops_decide" not in case.claims:
        return None
    named = {count.gpu for option in ((*case.query.gpus,), *case.query.candidates) for count in option if count.gpu}
    cards = [gpu for gpu in (case.catalog.gpus.get(name) for name in sorted(named)) if gpu is not None]
    beside = [{"name": short_name(gpu), "tflops": round(rate)} for gpu in cards if (rate := _dense(gpu))]
    if not PAIR <= len(beside) <= MOST or len(beside) < len(cards) or case.query.kind not in OF_SPEED:
        return correct(cards=[], bandwidths=[])
    beside_it = case.query.kind is not Kind.MULTI_GPU or case.sized
    return stop(cards=beside, bandwidths=[round(gpu.bandwidth_gb_s) for gpu in cards], beside=beside_it)


def _dense(gpu: Gpu) -> float | None:
    """TFLOPS that training gets at the most: dense, in bf16, or in fp16 where the card has no bf16."""
    return gpu.bf16_dense_tflops or gpu.fp16_dense_tflops
