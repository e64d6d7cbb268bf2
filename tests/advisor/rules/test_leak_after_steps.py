"""The rule leak_after_steps."""

from advisor.rules import leak_after_steps
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = leak_after_steps.check(
        case(model="meta-llama/Llama-3.1-8B", kind="oom_help", claims=("leak_after_steps",), symptoms=("oom_load",))
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert (
        leak_after_steps.check(case(model="meta-llama/Llama-3.1-8B", kind="oom_help", symptoms=("oom_load",))) is None
    )


def test_speaks_of_a_run_that_began_well() -> None:
    made = case(params_b=8.0, kind="context_length", symptoms=("oom_step", "oom_later"))
    assert leak_after_steps.check(made) is not None
