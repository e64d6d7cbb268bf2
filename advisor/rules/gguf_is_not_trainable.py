"""GGUF/GGML files are for running; training starts from the 16-bit weights.

Source: llama.cpp examples/training README (F32 only, proof of concept).
"""

from advisor.advice import Finding, stop
from advisor.case import Case


def check(case: Case) -> Finding | None:
    """GGUF/GGML files are for running; training starts from the 16-bit weights."""
    quant = (case.query.quant or "").lower()
    if (
        not quant.startswith(("gguf", "ggml", "q2_", "q3_", "q4_", "q5_", "q6_", "q8_"))
        and case.query.trainer != "llama-cpp-finetune"
    ):
        return None
    return stop(tool=case.query.trainer == "llama-cpp-finetune")
