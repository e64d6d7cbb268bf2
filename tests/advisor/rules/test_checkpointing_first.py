"""The rule checkpointing_first."""

from advisor.rules import checkpointing_first
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = checkpointing_first.check(
        case(model="meta-llama/Llama-3.1-8B", kind="oom_help", gpus=cards("rtx-4090"), method="lora", seq_len=2048)
    )
    assert found is not None


def test_silent_when_it_was_named() -> None:
    assert (
        checkpointing_first.check(
            case(
                model="meta-llama/Llama-3.1-8B",
                kind="oom_help",
                gpus=cards("rtx-4090"),
                method="lora",
                seq_len=2048,
                grad_checkpointing=True,
            )
        )
        is None
    )
