"""The rule beyond_max_context."""

from advisor.rules import beyond_max_context
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = beyond_max_context.check(
        case(model="huggyllama/llama-7b", kind="fits_check", gpus=cards("rtx-3090"), seq_len=8192)
    )
    assert found is not None


def test_silent_within_its_context() -> None:
    assert (
        beyond_max_context.check(
            case(model="huggyllama/llama-7b", kind="fits_check", gpus=cards("rtx-3090"), seq_len=2048)
        )
        is None
    )


def test_a_name_that_tells_a_length_is_made_for_it() -> None:
    assert case(model="NousResearch/Yarn-Mistral-7b-128k", kind="oom_help").max_context == 131_072
    assert case(model="gradientai/Llama-3-8B-Instruct-262k", kind="oom_help").max_context == 262_144
    assert case(model="meta-llama/Meta-Llama-3-8B", kind="oom_help").max_context == 8192
