"""The rule more_ranks_share."""

from advisor.rules import more_ranks_share
from tests.advisor.rules.ask import cards, case

ALL_WEIGHTS = {"params_b": 32.0, "method": "full", "kind": "multi_gpu", "claims": ("more_ranks_share",)}


def test_divides_the_states_by_one_machine_and_by_all() -> None:
    found = more_ranks_share.check(case(**ALL_WEIGHTS, gpus=cards("h100-sxm", 128), nodes=16))
    assert found is not None
    facts = found.facts
    assert (facts["few"], facts["many"]) == (8, 128)
    assert facts["each_few"] == facts["states"] // 8
    assert facts["each_many"] == facts["states"] // 128


def test_adapters_share_the_weights_alone() -> None:
    lora = more_ranks_share.check(case(**ALL_WEIGHTS | {"method": "lora"}, gpus=cards("h100-sxm", 8)))
    full = more_ranks_share.check(case(**ALL_WEIGHTS, gpus=cards("h100-sxm", 8)))
    assert lora is not None
    assert full is not None
    assert lora.facts["states"] * 8 == full.facts["states"]


def test_silent_without_the_belief() -> None:
    made = case(**ALL_WEIGHTS | {"claims": ()}, gpus=cards("h100-sxm", 8))
    assert more_ranks_share.check(made) is None
