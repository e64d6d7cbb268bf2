"""The rule galore_does_not_shard."""

from advisor.rules import galore_does_not_shard
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    made = case(params_b=8.0, kind="oom_help", method="full", optimizer="galore_adamw", gpus=cards("a100-80gb-sxm", 2))
    assert galore_does_not_shard.check(made) is not None


def test_silent_on_one_card_and_with_adam() -> None:
    one = case(params_b=8.0, kind="oom_help", method="full", optimizer="galore_adamw", gpus=cards("a100-80gb-sxm"))
    adam = case(params_b=8.0, kind="oom_help", method="full", optimizer="adamw", gpus=cards("a100-80gb-sxm", 2))
    assert galore_does_not_shard.check(one) is None
    assert galore_does_not_shard.check(adam) is None
