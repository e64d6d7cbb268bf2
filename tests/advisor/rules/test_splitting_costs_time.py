"""The rule splitting_costs_time."""

from typing import Any

from advisor.case import Case
from advisor.query import Kind
from advisor.rules import splitting_costs_time
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import cards, stated


def _case(ways: tuple[str, ...] = ("zero3", "ddp"), count: int = 4, symptoms: tuple[str, ...] = ("slow",)) -> Case:
    slots: dict[str, Any] = {"params_b": 13.0, "method": "lora", "gpus": cards("rtx-3090", count), "symptoms": symptoms}
    return Case(stated(Kind.MULTI_GPU, named={"sharding": ways}, sharding=ways[0], **slots), load_catalog())


def test_all_weights_cross_the_links_and_a_copy_in_4_bit_fits() -> None:
    found = splitting_costs_time.check(_case())
    assert found is not None
    assert found.facts["traffic"] > 2 * 24e9 > found.facts["gradients"]
    assert found.facts["copied"] is None
    assert found.facts["four"] < found.facts["usable"]
    assert found.facts["pcie"] is not None


def test_silent_without_a_copy_to_compare_or_on_one_card() -> None:
    assert splitting_costs_time.check(_case(("zero3", "fsdp"))) is None
    assert splitting_costs_time.check(_case(count=1)) is None
