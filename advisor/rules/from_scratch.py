"""Nobody trains a capable model from scratch at home; a toy model teaches how it is done.

Source: nanoGPT (GPT-2 124M: 4 days on 8 A100); Llama 3 8B: 1.3M GPU hours (model card).
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("from_scratch",)


def check(case: Case) -> Finding | None:
    """Nobody trains a capable model from scratch at home; a toy model teaches how it is done."""
    return stop() if "from_scratch" in case.symptoms else None
