"""Freezing or prompt tuning runs and LoRA does not: their scripts keep fewer activations, of shorter examples.

Source: THUDM/ChatGLM-6B, ptuning/train.sh (64 + 64 tokens, batch 1, 4 bit), seen 2026-12-01; a frozen layer below the
trained ones needs no activations for the backward pass (PyTorch, autograd mechanics).
"""

from advisor.advice import Finding, correct
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import ADAPTERS
from advisor.topics import oom_help

TOKENS, BITS = 64, 4
"""Tokens of a question and as many of its answer, and bits of a weight, in ChatGLM-6B's script for p-tuning."""

ON = ("lighter_runs",)


def check(case: Case) -> Finding | None:
    """Say why the other way runs."""
    died = case.advice is not None and case.advice.kind is Kind.OOM_HELP and oom_help.failed(case)
    if "lighter_runs" not in case.symptoms or not died or case.method not in ADAPTERS:
        return None
    return correct(tokens=TOKENS, bits=BITS)
