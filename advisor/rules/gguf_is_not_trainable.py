"""GGUF/GGML files are for running; training starts from the 16-bit weights.

Source: llama.cpp examples/training README (F32 only, proof of concept); ggml-org/llama.cpp issue 3404 (the old finetune
ends in an assertion where keys have fewer heads than queries), issue 8662 (removed in 2024).
"""

from advisor.advice import Finding, stop
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.query import Kind

RUN_ONLY = ("gguf", "ggml", "q2_", "q3_", "q4_", "q5_", "q6_", "q8_")
TOOLS = frozenset({"llama-cpp-finetune", "llama.cpp"})

ON = ("trainer", "quant", "gguf_is_not_trainable")


def check(case: Case) -> Finding | None:
    """Stop a plan that trains a file made for running, or with llama.cpp."""
    tool = case.query.trainer in TOOLS
    if "gguf_is_not_trainable" in case.claims:
        return stop(tool=tool and bool(case.symptoms & FAILURES), shares_heads=False, beside=not _will_not_load(case))
    if not tool and not (case.query.quant or "").lower().startswith(RUN_ONLY):
        return None
    return stop(tool=tool, shares_heads=tool and _shares_heads(case), beside=True)


def _will_not_load(case: Case) -> bool:
    """Something fails that is none of memory ("no config.json"): what the model takes is then another question."""
    return case.query.kind is Kind.OOM_HELP and not case.symptoms & FAILURES


def _shares_heads(case: Case) -> bool:
    """It ran out or crashed with a model whose query heads share key heads (GQA)."""
    if not case.sized or not case.symptoms & FAILURES:
        return False
    shape = case.plan(case.stacks[0]).shape
    return bool(shape.kv_heads < shape.heads)
