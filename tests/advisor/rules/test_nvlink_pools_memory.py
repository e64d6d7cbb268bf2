"""The rule nvlink_pools_memory."""

from advisor.rules import nvlink_pools_memory
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = nvlink_pools_memory.check(
        case(
            params_b=65.0,
            kind="compare_gpus",
            gpus=cards("rtx-3090", 2) + cards("rtx-4090"),
            claims=("nvlink_pools_memory",),
        )
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert (
        nvlink_pools_memory.check(
            case(params_b=65.0, kind="compare_gpus", gpus=cards("rtx-3090", 2) + cards("rtx-4090"))
        )
        is None
    )


def test_silent_where_speed_is_the_question() -> None:
    slow = case(kind="multi_gpu", gpus=cards("titan-rtx", 2), symptoms=("no_gain",), claims=("nvlink_pools_memory",))
    assert nvlink_pools_memory.check(slow) is None
