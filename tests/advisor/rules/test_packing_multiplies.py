"""The rule packing_multiplies."""

from advisor.rules import packing_multiplies
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = packing_multiplies.check(
        case(
            model="meta-llama/Llama-3.1-8B",
            kind="oom_help",
            gpus=cards("rtx-4060-ti-16gb"),
            packing=True,
            micro_batch=4,
            seq_len=4096,
        )
    )
    assert found is not None


def test_silent_at_batch_1() -> None:
    assert (
        packing_multiplies.check(
            case(
                model="meta-llama/Llama-3.1-8B",
                kind="oom_help",
                gpus=cards("rtx-4060-ti-16gb"),
                packing=True,
                micro_batch=1,
                seq_len=4096,
            )
        )
        is None
    )
