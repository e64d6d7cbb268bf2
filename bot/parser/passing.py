"""Symptoms that together ask for a page; each alone is a word in passing, no trouble and no sign of a question."""

from itertools import chain

ADAPTER = "an adapter is named"
"""What the method tells: who serves an AWQ model without one asks about running it."""
PAGES = (
    (frozenset({"cut_off", "fears_loss"}), "interrupted"),
    (frozenset({"resumed", "loss_rises"}), "resume-loss"),
    (frozenset({"oom_at_resume"}), "resume-oom"),
    (frozenset({"on_quantised", "merges_it"}), "merge-quantised"),
    (frozenset({"on_quantised", "merges_or_serves", ADAPTER}), "merge-quantised"),
    (frozenset({"disk_ran_out", "saves_merged"}), "merge-no-space"),
    (frozenset({"dora_slow"}), "dora-speed"),
    (frozenset({"raw_text", "asks_text_form"}), "raw-text"),
    (frozenset({"worse_than_base"}), "worse-than-before"),
    (frozenset({"never_stops"}), "never-stops"),
    (frozenset({"limits_power", "fears_slowness"}), "undervolting"),
    (frozenset({"adapter_large"}), "adapter-size"),
    (frozenset({"asks_rope_factor"}), "rope-factor"),
    (frozenset({"asks_alpha"}), "alpha-choice"),
)
"""Symptoms that together ask for a page, the surest first."""
OF_PAGES = frozenset(chain.from_iterable(told for told, _ in PAGES))
"""What only pages answer: each alone is a word in passing, and no trouble."""
STAGES, STAGES_PAGE = "asks_stages", "zero"
"""Who asks what the stages of ZeRO are, however they are counted ("1/2/3"), and the page that says it."""
IN_PASSING = OF_PAGES | {"asks_layers_over", STAGES}
"""The same with what asks about splitting: none of it makes a message one of ours."""
