"""Lengths: the ladder that answers show, and the longest sequence that the asker's card holds."""

from typing import Any

from advisor.advice import Need
from advisor.case import Case
from advisor.options import GOOD
from advisor.stacks import Stack

LADDER = (512, 2048, 4096, 8192, 16384, 32768, 65536, 131072)
STEPS = ((4096, 256), (16384, 1024), (65536, 2048), (float("inf"), 4096))
"""Lengths found between two rungs are rounded down: (up to this length, to so many tokens)."""


def ladder(case: Case) -> tuple[int, ...]:
    """Lengths up to what the model was made for; a stated length stands among them."""
    most = max(case.max_context, case.query.seq_len or 0)
    lengths = {length for length in LADDER if length <= most} | ({case.query.seq_len} if case.query.seq_len else set())
    return tuple(sorted(lengths))[:9]


def longest(case: Case, stack: Stack) -> int | None:
    """The longest sequence of the ladder, or between two of its rungs, that the asker's card holds on this stack."""
    lengths = ladder(case)
    return longest_that_fits(case, stack, lengths, [case.need(stack, seq_len=length) for length in lengths])


def longest_that_fits(
    case: Case, stack: Stack, lengths: tuple[int, ...], needs: list[Need], **slots: Any
) -> int | None:
    """The longest sequence on the asker's card: between the last rung that fits and the first that does not, on a
    line.
    """
    if case.usable is None:
        return None
    fitting = [i for i, need in enumerate(needs) if need.fit in GOOD]
    if not fitting:
        return None
    i = fitting[-1]
    if i + 1 == len(lengths):
        return lengths[i]
    low, high = needs[i].device, needs[i + 1].device
    share = (case.usable - low) / max(1, high - low)
    guess = lengths[i] + int((lengths[i + 1] - lengths[i]) * share)
    step = next(step for most, step in STEPS if guess <= most)
    guess = max(lengths[i], guess // step * step)
    if guess == lengths[i] or case.need(stack, seq_len=guess, **slots).fit in GOOD:
        return guess
    return max(lengths[i], guess - 4 * step)
