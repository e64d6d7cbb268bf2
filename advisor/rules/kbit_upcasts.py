"""prepare_model_for_kbit_training casts what is not quantised to fp32: embedding, head and norms.

Source: PEFT, utils/other.py, prepare_model_for_kbit_training
(https://huggingface.co/docs/peft/developer_guides/quantization, 2026-11).
"""

from typing import Any

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.stacks import ALONE, FOUR_BIT, STOCK, WIDER

COSTLY = True
QLORA: dict[str, Any] = {"method": "qlora", "weight_bits": None, **ALONE}

ON = ("asks_kbit",)


def check(case: Case) -> Finding | None:
    """prepare_model_for_kbit_training casts embedding, head and norms to fp32."""
    if "asks_kbit" not in case.symptoms or (case.sized and case.method not in FOUR_BIT):
        return None
    if not case.sized:
        return stop(size=None, vocab=None, on=None, off=None)
    shape = case.plan(case.stacks[0]).shape
    size = WIDER * (shape.embedding_params + shape.head_params + shape.small_params)
    on, off = (
        [case.need(STOCK, **QLORA, kbit_prepare=does, grad_checkpointing=checked).device for does in (False, True)]
        for checked in (True, False)
    )
    return stop(size=size, vocab=shape.vocab, on=on, off=off)
