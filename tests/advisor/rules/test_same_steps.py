"""The rule same_steps."""

from advisor.rules import same_steps
from tests.advisor.rules.ask import case


def test_the_effective_batch_is_kept() -> None:
    found = same_steps.check(
        case(
            params_b=12,
            kind="oom_help",
            micro_batch=8,
            grad_accum=4,
            seq_len=10_240,
            symptoms=("oom_step", "same_steps"),
        )
    )
    assert found is not None
    assert found.facts == {"batch": 8, "tokens": 81_920, "accum": 32}


def test_silent_where_nothing_failed() -> None:
    assert same_steps.check(case(params_b=12, kind="oom_help", symptoms=("same_steps",))) is None
