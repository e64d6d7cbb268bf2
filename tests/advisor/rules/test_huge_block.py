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


def test_packing_is_off_until_then() -> None:
    packed = {"params_b": 7.0, "kind": "oom_help", "tried_allocate_gib": 340.0}
    told = huge_block.check(case(**packed, packing=True))
    assert told is not None
    assert told.facts["packing"] is True
    plain = huge_block.check(case(**packed))
    assert plain is not None
    assert plain.facts["packing"] is False
