"""The rule facts_by_finetuning."""

from advisor.rules import facts_by_finetuning
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = facts_by_finetuning.check(
        case(model="meta-llama/Llama-3.1-8B", kind="method_choice", claims=("facts_by_finetuning",))
    )
    assert found is not None


def test_silent_where_the_answer_says_it() -> None:
    assert (
        facts_by_finetuning.check(
            case(model="meta-llama/Llama-3.1-8B", kind="data_size_quality", claims=("facts_by_finetuning",))
        )
        is None
    )
