"""bf16 is native from compute capability 8.0 on; older NVIDIA cards train in fp16, but for models that overflow in it.

Source: CUDA C++ Programming Guide, arithmetic instructions: bfloat16 from capability 8.0; T5 in fp16:
huggingface/transformers#9295, #23918; Gemma 3 in fp16: unsloth.ai/blog/gemma3 (2025-03-14).
"""

from advisor.advice import Finding, correct, stop, warn
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import FOUR_BIT, GOOD, short_name

ON = ("card_without_bf16",)
IN_FP32 = frozenset({"t5"})
"""Layer plans whose activations leave the range of fp16 (65,504)."""
BY_UNSLOTH = frozenset({"gemma3", "gemma3n"})
"""Families of which the same is true, and which Unsloth keeps in range."""


def check(case: Case) -> Finding | None:
    """bf16 is native from compute capability 8.0 on; older NVIDIA cards train in fp16."""
    old = [gpu for gpu in case.gpus if gpu.vendor == "nvidia" and not gpu.supports.bf16]
    if not old or case.query.compute_dtype == "fp16":
        return None
    running = case.query.kind is Kind.INFERENCE_ONLY
    told = "no_bf16" in case.symptoms or "bf16_anywhere" in case.claims
    if running and not (told or case.query.compute_dtype == "bf16"):
        return None  # it runs in fp16 by itself
    facts = {
        "card": short_name(old[0]),
        "stated": case.query.compute_dtype == "bf16",
        "run": running,
        "overflows": _overflows(case),
        "newer": "asks_newer" in case.symptoms and case.sized and case.lean.fit in GOOD,
        "four": case.method in FOUR_BIT,
    }
    if facts["newer"] and not running:
        return stop(**facts)  # whether another card is needed is the question
    if "no_bf16" in case.symptoms:
        return stop(**facts)  # the message is what the question is about
    return correct(**facts) if facts["stated"] or "bf16_anywhere" in case.claims else warn(**facts)


def _overflows(case: Case) -> str | None:
    """fp32 or unsloth: what trains a model on such a card that overflows in fp16."""
    model = None if case.generic else case.model
    if model is None:
        return None
    return "fp32" if model.arch in IN_FP32 else "unsloth" if model.family in BY_UNSLOTH else None
