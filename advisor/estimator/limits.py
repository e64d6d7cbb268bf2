"""What no training run can have: refused with the field, the value and the way out."""

from operator import attrgetter

from advisor.errors import BadValue
from advisor.estimator.shape import Shape
from advisor.query import SetUp

LIMITS: dict[str, tuple[float, float, str]] = {
    "params_b": (0.001, 20_000, "give the size in 1e9 parameters, such as 8"),
    "weight_bits": (1, 32, "16, 8 or 4"),
    "seq_len": (1, 100_000_000, "give the context in tokens, such as 4096"),
    "micro_batch": (1, 1_000_000, "1 is the usual value on one card"),
    "grad_accum": (1, 1_000_000, "1 or more micro steps per optimizer step"),
    "lora_rank": (1, 1_000_000, "8 to 64 are usual"),
    "lora_dropout": (0, 1, "0, 0.05 or 0.1 are usual"),
    "n_gpus": (1, 100_000, "count the cards that train together"),
    "trainable_params": (0, 20_000_000_000_000, "leave it out to have it computed"),
}
"""Field → smallest, largest, what to do."""
MOST_TOKENS = 500_000_000
"""Tokens of one micro batch; more fits no machine."""


def _refuse(field: str, value: object, low: float, high: float, fix: str) -> BadValue:
    return BadValue(
        f"{field} is {str(value)[:40]}; it must lie between {low:g} and {high:g}",
        fix,
        field=field,
        value=value,
        low=low,
        high=high,
    )


_limited = attrgetter(*LIMITS)


def check_values(setup: SetUp) -> None:
    """Raises BadValue for the first number that is impossible by itself."""
    for (field, (low, high, fix)), value in zip(LIMITS.items(), _limited(setup), strict=True):
        if value is not None and not low <= value <= high:  # false for NaN as well
            raise _refuse(field, value, low, high, fix)
    tokens = (setup.seq_len or 1) * (setup.micro_batch or 1)
    if tokens > MOST_TOKENS:
        raise _refuse(
            "seq_len x micro_batch", tokens, 1, MOST_TOKENS, "take a shorter context or a smaller micro batch"
        )


def are_possible(seq_len: int | None, micro_batch: int | None, grad_accum: int | None) -> bool:
    """Whether `check_values` lets these lengths pass: quick, since the same set-up is asked about at many of them."""
    for name, value in (("seq_len", seq_len), ("micro_batch", micro_batch), ("grad_accum", grad_accum)):
        if value is not None and not LIMITS[name][0] <= value <= LIMITS[name][1]:
            return False
    return (seq_len or 1) * (micro_batch or 1) <= MOST_TOKENS


def check_rank(rank: int | None, shape: Shape) -> None:
    """Raises BadValue for a rank that is larger than the matrices it is to approximate."""
    if rank is not None and rank > shape.hidden:
        raise _refuse(
            "lora_rank", rank, 1, shape.hidden, "the rank is at most the model's hidden size; 8 to 64 are usual"
        )
