"""The rule intel_support."""

from advisor.rules import intel_support
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = intel_support.check(case(model="meta-llama/Llama-3.1-8B", kind="oom_help", gpus=cards("arc-b580")))
    assert found is not None


def test_silent_on_nvidia() -> None:
    assert (
        intel_support.check(case(model="meta-llama/Llama-3.1-8B", kind="oom_help", gpus=cards("rtx-3060-12gb"))) is None
    )
