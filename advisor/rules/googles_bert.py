"""Google's own BERT code (TensorFlow) uses one card, and takes more than PyTorch does in mixed precision.

Source: github.com/google-research/bert, README: "Out-of-memory issues" (Titan X with 12 GB, Adam: BERT-Large holds
batch 6 at 128 tokens, 2 at 256, 1 at 320, none at 384 and 512) and FAQ ("GPU training is single-GPU only").
"""

from advisor.advice import Finding, warn
from advisor.asked import FAILURES
from advisor.case import Case

LARGE = 300_000_000
"""Parameters from which a BERT is the large one."""
TABLES_GB = 12
"""GB of the card that the table was made on."""
ON = ("model",)


def check(case: Case) -> Finding | None:
    """A large BERT ran out on a small card, and nobody said with which code."""
    model = case.model
    if model is None or model.arch != "bert" or model.params_total < LARGE or not case.symptoms & FAILURES:
        return None
    if case.query.trainer or case.card is None or case.card.vram_gb > TABLES_GB:
        return None
    return warn(card_gb=case.card.vram_gb, table_gb=TABLES_GB, several=case.n_cards > 1)
