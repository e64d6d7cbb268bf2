"""What a card refuses is nowhere advised, nor granted."""

import pytest

from advisor.refused import refuses
from advisor.stacks import on_rocms_list, short_name
from bot import pipeline
from bot.messages import Question
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import cards, case


@pytest.mark.parametrize(
    ("said", "no"),
    [
        ("no", True),
        ("no (needs compute capability 6.0)", True),
        ("not supported (needs compute capability 7.0)", True),
        ("no official; Ascend NPU yes", False),
        ("not an official target; works in NVIDIA containers", False),
        ("cuda", False),
        ("yes (AMD build)", False),
    ],
)
def test_what_facts_call_no(said: str, no: bool) -> None:
    assert refuses(said) is no


@pytest.mark.parametrize(
    ("gpu", "listed"), [("rx-7900-xtx", True), ("rx-9070-xt", True), ("rx-580-8gb", False), ("radeon-vii", False)]
)
def test_rocms_list_goes_by_number(gpu: str, listed: bool) -> None:
    assert on_rocms_list(load_catalog().gpus[gpu]) is listed


def test_a_name_without_a_number_is_whole() -> None:
    gpus = load_catalog().gpus
    assert (short_name(gpus["radeon-vii"]), short_name(gpus["rx-7900-xtx"])) == ("Radeon VII", "RX 7900 XTX")


@pytest.mark.parametrize(
    "text",
    ["RX 580 8GB, finetune a 7B, will it do?", "Reicht eine RX 580 8GB für ein 7B?", "lora 13b on an RX 580 8GB?"],
)
def test_no_way_in_4_bit_is_advised_where_there_is_none(text: str) -> None:
    advice = pipeline.answer(Question(text=text)).advice
    assert advice is not None
    assert not [change for change in advice.changes if change.value == "qlora"]
    assert "qlora" not in [way["code"] for way in advice.verdict.facts.get("ways", ())]
    nearest = [found for found in advice.findings if found.code == "nearest_possible"]
    assert all(found.facts["method"] == "lora" for found in nearest)


def test_the_table_shows_what_runs_on_a_card_that_unsloth_refuses() -> None:
    old = case(kind="which_gpu", trainer="unsloth", gpus=cards("gtx-1080-ti"))
    assert [stack.code for stack in old.stacks] == ["stock"]
    assert [stack.code for stack in case(kind="which_gpu", trainer="unsloth", gpus=cards("t4")).stacks] == ["unsloth"]
