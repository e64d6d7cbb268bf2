"""The rule eval_oom_means_no_fit."""

from advisor.rules import eval_oom_means_no_fit
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = eval_oom_means_no_fit.check(
        case(model="meta-llama/Llama-3.1-8B", kind="context_length", gpus=cards("rtx-4090"), symptoms=("oom_eval",))
    )
    assert found is not None


def test_silent_where_the_answer_says_it() -> None:
    assert (
        eval_oom_means_no_fit.check(
            case(model="meta-llama/Llama-3.1-8B", kind="oom_help", gpus=cards("rtx-4090"), symptoms=("oom_eval",))
        )
        is None
    )
