"""The rule more_ram_than_usual."""

import pytest

from advisor.rules import more_ram_than_usual
from advisor.stacks import GIB
from bot.messages import Question
from bot.pipeline import answer
from bot.renderer import render
from tests.advisor.rules.ask import cards, case

FULL = {"kind": "multi_gpu", "params_b": 13.0, "method": "full", "sharding": "zero3", "offload": "params"}


def test_speaks_where_cards_at_home_offload_more_than_such_machines_hold() -> None:
    found = more_ram_than_usual.check(case(**FULL, gpus=cards("rtx-3090", 4)))
    assert found is not None
    assert found.facts["usual_gb"] == 128
    assert found.facts["ram"] > 200 * GIB


def test_silent_where_it_is_stated_and_where_servers_have_it() -> None:
    assert more_ram_than_usual.check(case(**FULL, gpus=cards("rtx-3090", 4), ram_gb=512.0)) is None
    assert more_ram_than_usual.check(case(**FULL, gpus=cards("a100-40gb-sxm", 8))) is None


def test_silent_where_the_plan_for_a_70b_names_the_ram() -> None:
    large = {"kind": "multi_gpu", "params_b": 70.0, "method": "qlora"}
    assert more_ram_than_usual.check(case(**large, gpus=cards("rtx-3090", 2))) is None


def test_a_question_about_ram_is_told_what_is_usual() -> None:
    asked = {"kind": "system_ram", "params_b": 7.0, "method": "full", "offload": "params"}
    found = more_ram_than_usual.check(case(**asked, gpus=cards("rtx-4090")))
    assert found is not None
    assert found.facts["usual_gb"] == 32


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("13b full fine-tuning, zero3 with params offload to cpu, 4x rtx 3090", "usually have 128 GB, this takes 285"),
        (
            "13b volles fine-tuning mit zero3 und offload params auf 4x rtx 3090",
            "haben meist 128 GB, der Lauf braucht 285",
        ),
    ],
)
def test_the_words(asked: str, words: str) -> None:
    assert words in answer(Question(text=asked, asked="direct")).reply.text


def test_a_change_that_offloads_names_the_ram_that_it_takes() -> None:
    large = case(kind="fits_check", params_b=70.0, method="lora", sharding="fsdp", gpus=cards("rtx-3090", 2))
    assert large.advice is not None
    (change,) = [change for change in large.advice.changes if change.slot == "offload"]
    found = more_ram_than_usual.check(large)
    assert found is not None
    assert found.facts["ram"] == change.ram > 250 * GIB
    assert f"{change.ram / GIB:.0f} GiB of system RAM" in render(large.advice, "en").text
    assert f"{change.ram / GIB:.0f} GiB RAM" in render(large.advice, "de").text


def test_a_card_that_holds_it_only_by_offload_names_the_ram() -> None:
    advice = case(kind="which_gpu", params_b=70.0, method="qlora").advice
    assert advice is not None
    (option,) = [option for option in advice.options if option.offload]
    assert 100 * GIB < option.ram < 200 * GIB  # reports: 107 to 138, killed at 125
    assert all(not option.ram for option in advice.options if not option.offload)
    assert f"offload to {option.ram / GIB:.0f} GiB of RAM" in render(advice, "en").text
