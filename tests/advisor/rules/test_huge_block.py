"""The rule huge_block."""

from advisor.rules import huge_block
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    made = case(
        model="meta-llama/Llama-3.1-8B",
        kind="oom_help",
        gpus=cards("a100-80gb-sxm"),
        tried_allocate_gib=182.28,
        symptoms=("oom_step",),
    )
    assert huge_block.check(made) is not None


def test_silent() -> None:
    made = case(
        model="meta-llama/Llama-3.1-8B",
        kind="oom_help",
        gpus=cards("a100-80gb-sxm"),
        tried_allocate_gib=1.9,
        symptoms=("oom_step",),
    )
    assert huge_block.check(made) is None
