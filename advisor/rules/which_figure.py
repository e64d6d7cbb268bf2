"""Two figures for what seems the same run: each is right for settings of its own.

Source: estimator; half the card for vLLM where answers are generated (advisor/topics/which_gpu.py).
"""

from advisor.advice import Finding, stop
from advisor.asked import ROLLOUTS
from advisor.case import Case
from advisor.lengths import LADDER
from advisor.query import Kind
from advisor.rules.claimed_figure import of_what
from advisor.stacks import ALL_ON_ONE, GIB
from advisor.topics.which_gpu import room_for_rollouts

NEVER = frozenset({Kind.COST_BUY_VS_RENT, Kind.TIME_ESTIMATE, Kind.INFERENCE_ONLY, Kind.OFF_TOPIC, Kind.SYSTEM_RAM})

ON = ("claimed_gib",)


def check(case: Case) -> Finding | None:
    """What each of the two figures stands for, and what to plan by."""
    told = [float(gib) for gib in case.query.named.get("claimed_gib", ())]
    if len(told) < 2 or not case.sized or case.query.kind in NEVER:
        return None
    low, high = sorted(int(gib * GIB) for gib in told)
    lean, stock = (case.need(stack, **ALL_ON_ONE) for stack in (case.stacks_of_one[0], case.stacks_of_one[-1]))
    rollouts = case.query.algorithm in ROLLOUTS
    minimum, comfort = room_for_rollouts(case, lean) if rollouts else (None, None)
    return stop(
        low=low,
        high=high,
        lean=[lean.stack, lean.device],
        stock=[stock.stack, stock.device],
        tokens=case.seq_len,
        batch=case.micro_batch,
        too_low=low < lean.low,
        reaches=_reaches(case, high),
        of=of_what(case, high),
        rollouts=rollouts,
        beside=not rollouts,
        minimum_gb=minimum,
        comfort_gb=comfort,
    )


def _reaches(case: Case, figure: int) -> int | None:
    """The longest rung at which the leanest stack takes no more than the figure, where that is longer than assumed."""
    rungs = [length for length in LADDER if case.seq_len < length <= case.max_context]
    held = [n for n in rungs if case.need(case.stacks_of_one[0], seq_len=n, **ALL_ON_ONE).device <= figure]
    return held[-1] if held else None
