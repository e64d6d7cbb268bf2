"""Shader TFLOPS on paper decide nothing: memory first, then bf16 tensor throughput with fp32 accumulation.

Source: NVIDIA architecture whitepapers; facts/gpus: bf16_dense_tflops.
"""

from advisor.advice import Finding, correct
from advisor.case import Case

ON = ("tflops_decide",)


def check(case: Case) -> Finding | None:
    """Shader TFLOPS on paper decide nothing: memory first, then bf16 tensor throughput with fp32 accumulation."""
    return correct() if "tflops_decide" in case.claims else None
