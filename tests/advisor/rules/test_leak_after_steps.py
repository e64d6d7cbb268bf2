"""The rule leak_after_steps."""

from advisor.rules import leak_after_steps
from bot.renderer import render
from tests.advisor.rules.ask import cards, case


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
    found = leak_after_steps.check(case(params_b=8.0, kind="context_length", symptoms=("oom_step", "oom_later")))
    assert found is not None
    assert not found.facts["believed"]


def test_a_length_that_died_later_is_told_so_in_the_answer() -> None:
    """Reported: Llama 3.1 70B, QLoRA with FSDP on eight 80 GB, 32k tokens, out of memory after some iterations."""
    slots = {"symptoms": ("oom_step", "oom_later"), "gpus": cards("a100-80gb-sxm", 8), "sharding": "fsdp"}
    asked = case(kind="context_length", params_b=70.0, method="qlora", seq_len=32768, **slots)
    assert leak_after_steps.check(asked) is None
    assert asked.advice is not None
    assert "until the first batch of that length" in render(asked.advice, "en").text
    assert "Bis zur ersten Batch dieser Länge" in render(asked.advice, "de").text
