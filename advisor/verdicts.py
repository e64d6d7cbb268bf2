"""What a verdict's code means for the asker: the one list that rules and the checker of the tests go by.

A topic that makes a new code puts it here; tests/advisor/test_verdicts.py names a forgotten one.
"""

FITS = frozenset(
    {
        "yes", "tight", "open", "runs", "rollouts", "owned_enough", "owned_fits", "asked_fits", "asked_fits_lean",
        "longest", "ddp", "zero2", "hybrid", "fsdp", "sequence", "fsdp_offload", "one_is_enough", "one_unsloth",
        "one_of_them", "layered",
    }
)  # fmt: skip
"""It fits what the asker has, as it stands or on the leanest stack."""
FAILS = frozenset(
    {
        "no", "unlikely", "no_rollouts", "no_ram", "experts", "owned_short", "too_small", "asked_too_long",
        "asked_fits_with", "none", "none_fits", "too_big", "moe_load", "several", "how_many",
    }
)  # fmt: skip
"""It does not fit as it stands; something must change, or be bought."""
CAUSES = frozenset(
    {
        "close", "needs", "should_fit", "length", "later", "method", "generate", "preference", "eval", "save", "load",
        "asked_tight", "asked_failed", "owned_failed", "fragmented", "states", "killed", "gpu_oom", "spill", "disk",
        "too_much", "contrast", "another",
    }
)  # fmt: skip
"""A run that failed is granted, and its cause named."""
NEITHER = frozenset(
    {
        # sizes, cards, lengths, prices
        "tiers", "budget_short", "no_model", "what_trains", "budget", "budget_none", "compare", "ladder", "no_card",
        "job", "hours", "week", "where", "rent_which", "running", "power_eats_it", "rent",
        "no_price",
        # hangs on RAM that nobody told of
        "wants_ram",
        # several cards
        "no_gain", "which_split", "jax",
        # methods, optimizers, algorithms
        "methods", "methods_8b", "grid", "optimizers", "paged", "algorithms",
        # trainers
        "pick", "between", "both", "asked_best", "asked_not", "asked_works", "tricks",
        # data
        "pretrain", "enough", "large", "overfit", "few_steps", "rag", "small", "tiny",
        # time
        "by_examples", "by_size", "by_card", "no_speed",
        # system RAM
        "plan", "merge", "nvme", "waits", "offload", "shared",
        # what a reading or a message means
        "normal", "less", "saving", "calculated", "no_error", "traceback",
        # talk
        "unsized", "general", "help", "elsewhere", "run", "pointer", "hardware", "adapter", "unknown", "known",
    }
)  # fmt: skip
"""No verdict on a fit."""
ALL = FITS | FAILS | CAUSES | NEITHER
