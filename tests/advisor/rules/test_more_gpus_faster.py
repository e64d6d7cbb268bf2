"""The rule more_gpus_faster."""

from advisor.rules import more_gpus_faster
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = more_gpus_faster.check(
        case(
            model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-5090", 2), claims=("more_gpus_faster",)
        )
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert (
        more_gpus_faster.check(case(model="meta-llama/Llama-3.1-8B", kind="multi_gpu", gpus=cards("rtx-5090", 2)))
        is None
    )
