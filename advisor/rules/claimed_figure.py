"""What a calculator, a guide or the asker's own guess says that it takes, held against the estimate.

Source: estimator; LLaMA-Factory README ("estimated").
"""

from advisor.advice import Finding, correct, stop
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import ALL_ON_ONE, FULL_ADAMW, GIB, STATES

NEAR = 0.2
"""Share by which a figure may miss ours and still be about right."""
LEAST = 0.85
"""Share of the leanest need below which a figure is too little, however near: it does not hold the run."""
NEAR_BYTES = 0.12
"""The same for a multiple of the parameters; GB against GiB alone are 7 %."""
PURE_BF16_BYTES = 8
"""Bytes a parameter where all is bf16: weights and gradients 2 each, AdamW's two moments 2 each."""
BYTES = {"weights": (2, 2), "full": (STATES, 20)}
"""Bytes a parameter, least and most: 16-bit weights; weights, gradients and states of AdamW in mixed precision, for
which guides also say 18 or 20 (a copy or gradients more)."""
ABOUT_MEMORY = frozenset(
    {Kind.FITS_CHECK, Kind.WHICH_GPU, Kind.CONTEXT_LENGTH, Kind.MULTI_GPU, Kind.MIXED, Kind.OOM_HELP}
)
TELLS = frozenset({"calculated", "less", "normal", "generate"})
"""Answers that say themselves what the claimed figure leaves out, or set it beside ours."""

ON = ("claimed_gib",)


def check(case: Case) -> Finding | None:
    """Whether the figure is right, too low or too high; or right for one stack or precision only."""
    claimed = int((case.query.claimed_gib or 0) * GIB)
    if not claimed or not case.sized or case.query.seen_gib or case.query.models or case.query.kind not in ABOUT_MEMORY:
        return None
    if "claimed_gib" in case.query.named:
        return None  # two of them: rules.which_figure
    if case.advice is not None and (case.advice.verdict.code in TELLS or case.advice.kind is Kind.METHOD_CHOICE):
        return None
    if any(card.vram_gb == case.query.claimed_gib for card in case.cards):
        return None  # the card's size, not a figure
    open_ = case.full and not case.query.optimizer and case.method == "full"
    ends = (case.lean_full, FULL_ADAMW) if open_ else (case.stacks_of_one[0], case.stacks_of_one[-1])
    lean, stock = (case.need(stack, **ALL_ON_ONE) for stack in ends)
    in_bf16 = open_ and is_near(claimed, PURE_BF16_BYTES * (case.params or 0))
    why = verdict(claimed, lean.device, stock.device) if claimed >= LEAST * lean.device else "low"
    own = open_ and case.n_cards == 1 and "table_covers_me" not in case.claims  # a sum of one's own is the question
    told = case.advice is not None and case.advice.kind is Kind.WHICH_GPU and not case.full
    asked = told and "table_covers_me" in case.claims
    return (stop if in_bf16 or own or asked else correct)(
        claimed=claimed,
        why="bf16" if in_bf16 else why,
        half=PURE_BF16_BYTES * (case.params or 0) / 2e9,
        lean=[lean.stack, lean.device],
        stock=[stock.stack, stock.device],
        several=case.n_cards > 1,
        of=of_what(case, claimed),
        full=case.full,
    )


def is_near(claimed: float, own: float) -> bool:
    """Whether a figure is a multiple of the parameters, GB taken for GiB or not."""
    return own > 0 and abs(claimed - own) / own <= NEAR_BYTES


def of_what(case: Case, claimed: int) -> str | None:
    """What a figure far from ours is about: running the model in 16 bit (weights), or training every weight (full)."""
    params = case.params or 0
    if case.full:
        return None
    for code, (least, most) in BYTES.items():
        if params and (1 - NEAR_BYTES) * least * params <= claimed <= (1 + NEAR_BYTES) * most * params:
            return code
    return None


def verdict(claimed: float, lean: float, stock: float) -> str:
    """low, lean or stock (about right for that stack), between (enough for the leanest only), high."""
    near, end = min((abs(claimed - lean) / lean, "lean"), (abs(claimed - stock) / stock, "stock"))
    if near <= NEAR:
        return end
    return "low" if claimed < lean else "between" if claimed < stock else "high"
