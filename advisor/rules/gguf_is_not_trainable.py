"""GGUF/GGML files are for running; training starts from the 16-bit weights.

Source: llama.cpp examples/training README (F32 only, proof of concept).
"""

from advisor.advice import Finding, stop
from advisor.case import Case

RUN_ONLY = ("gguf", "ggml", "q2_", "q3_", "q4_", "q5_", "q6_", "q8_")
TOOLS = frozenset({"llama-cpp-finetune", "llama.cpp"})

ON = ("trainer", "quant", "gguf_is_not_trainable")


def check(case: Case) -> Finding | None:
    """Stop a plan that trains a file made for running, or with llama.cpp."""
    tool = case.query.trainer in TOOLS
    if "gguf_is_not_trainable" in case.claims:
        return stop(tool=tool)
    if not tool and not (case.query.quant or "").lower().startswith(RUN_ONLY):
        return None
    return stop(tool=tool)
