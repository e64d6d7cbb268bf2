"""Inverse questions: what fits (limits), on which card (cards), and what to change until it does (remedies)."""

from advisor.estimator.solve.cards import CardFit, fewest_cards, smallest_cards, smallest_vram_gb
from advisor.estimator.solve.limits import (
    ModelFit,
    fits,
    largest_micro_batch,
    largest_models,
    largest_rank,
    largest_seq_len,
    largest_size_b,
    largest_whole,
)
from advisor.estimator.solve.remedies import Change, make_it_fit

__all__ = [
    "CardFit",
    "Change",
    "ModelFit",
    "fewest_cards",
    "fits",
    "largest_micro_batch",
    "largest_models",
    "largest_rank",
    "largest_seq_len",
    "largest_size_b",
    "largest_whole",
    "make_it_fit",
    "smallest_cards",
    "smallest_vram_gb",
]
