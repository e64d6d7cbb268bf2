"""Lengths: the ladder that answers show, and the longest sequence that the asker's card holds."""

from bisect import bisect_left
from collections.abc import Sequence
from functools import partial
from typing import Any

from advisor.case import Case
from advisor.stacks import GOOD, Stack

LADDER = (512, 2048, 4096, 8192, 16384, 32768, 65536, 131072)
STEPS = ((4096, 256), (16384, 1024), (65536, 2048), (float("inf"), 4096))
"""Lengths found between two rungs are rounded down: (up to this length, to so many tokens)."""


SHORT, LONG = 512, 8192
"""Lengths between which nearly all that people train on lies."""


def hangs_on_length(case: Case, stack: Stack) -> bool:
    """Short examples fit the asker's card on this stack and long ones do not."""
    short, long = (case.need(stack, seq_len=min(length, case.max_context)).fit for length in (SHORT, LONG))
    return short in GOOD and long not in GOOD


def ladder(case: Case) -> tuple[int, ...]:
    """Lengths up to what the model was made for; a stated length stands among them."""
    most = max(case.max_context, case.query.seq_len or 0)
    lengths = {length for length in LADDER if length <= most} | ({case.query.seq_len} if case.query.seq_len else set())
    return tuple(sorted(lengths))[:9]


def longest(case: Case, stack: Stack, lengths: Sequence[int] = (), **slots: Any) -> int | None:
    """The longest sequence that the asker's card holds on this stack, with some slots changed: the last rung of the
    ladder that fits, or on a line between it and the next. Memory grows with length, so few rungs are looked at.
    """
    if case.usable is None:
        return None
    lengths = lengths or ladder(case)
    needs = [partial(case.need, stack, seq_len=length, **slots) for length in lengths]
    fitting = bisect_left(needs, True, key=lambda need: need().fit not in GOOD)
    if fitting in (0, len(lengths)):
        return lengths[-1] if fitting else None
    last, low, high = lengths[fitting - 1], needs[fitting - 1]().device, needs[fitting]().device
    share = (case.usable - low) / max(1, high - low)
    guess = last + int((lengths[fitting] - last) * share)
    step = next(step for most, step in STEPS if guess <= most)
    guess = max(last, guess // step * step)
    if guess == last or case.need(stack, seq_len=guess, **slots).fit in GOOD:
        return guess
    return max(last, guess - 4 * step)
