"""The rule checkpointing_first."""

from advisor.rules import checkpointing_first
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = checkpointing_first.check(
        case(model="meta-llama/Llama-3.1-8B", kind="oom_help", gpus=cards("rtx-4090"), method="lora", seq_len=8192)
    )
    assert found is not None


def test_silent_where_the_answer_lists_it_among_the_suspects() -> None:
    made = case(model="meta-llama/Llama-3.1-8B", kind="oom_help", gpus=cards("rtx-4090"), method="lora", seq_len=2048)
    assert made.advice is not None
    assert "checkpointing" in [suspect["why"] for suspect in made.advice.verdict.facts["suspects"]]
    assert checkpointing_first.check(made) is None


def test_silent_when_it_was_named() -> None:
    assert (
        checkpointing_first.check(
            case(
                model="meta-llama/Llama-3.1-8B",
                kind="oom_help",
                gpus=cards("rtx-4090"),
                method="lora",
                seq_len=8192,
                grad_checkpointing=True,
            )
        )
        is None
    )
