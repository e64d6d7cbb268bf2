"""The rule fragmentation."""

from advisor.rules import fragmentation
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = fragmentation.check(
        case(
            model="meta-llama/Llama-3.1-8B",
            kind="oom_help",
            gpus=cards("rtx-3060-12gb"),
            method="lora",
            symptoms=("fragmented",),
        )
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert (
        fragmentation.check(case(model="meta-llama/Llama-3.1-8B", kind="oom_help", gpus=cards("rtx-3060-12gb"))) is None
    )
