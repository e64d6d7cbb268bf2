"""The rule shared_memory_counts."""

from advisor.rules import shared_memory_counts
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = shared_memory_counts.check(
        case(
            model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"), claims=("shared_memory_counts",)
        )
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert (
        shared_memory_counts.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090")))
        is None
    )


def test_silent_where_the_machine_has_one_memory() -> None:
    for gpu in ("dgx-spark", "apple-m3-max"):
        made = case(
            model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards(gpu), claims=("shared_memory_counts",)
        )
        assert shared_memory_counts.check(made) is None
