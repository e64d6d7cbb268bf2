"""Cards: two forms of one chip, what stands in brackets beside a card, and what only looks like a card."""

import pytest

from advisor.query import Query
from bot.messages import Question
from bot.parser import read


def query(text: str) -> Query:
    return read(Question(text=text)).query


def told(text: str) -> list[tuple[int, str | None]]:
    return [(card.count, card.gpu) for card in query(text).gpus]


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("H100 pcie vs sxm for finetuning", ["h100-pcie", "h100-sxm"]),
        ("H100 PCIe or H100 SXM for 70b lora?", ["h100-pcie", "h100-sxm"]),
        ("a100 40gb vs 80gb for 13b lora", ["a100-40gb-pcie", "a100-80gb-pcie"]),
        ("4060 ti 8gb oder 16gb für qlora?", ["rtx-4060-ti-8gb", "rtx-4060-ti-16gb"]),
    ],
)
def test_the_other_side_is_named_by_its_form_alone(text: str, sides: list[str]) -> None:
    assert [[card.gpu for card in group] for group in query(text).candidates] == [[side] for side in sides]


def test_a_stated_form_leaves_nothing_to_ask() -> None:
    assert "gpus" not in query("70b lora on an H100 PCIe").ambiguous
    assert "gpus" in query("70b lora on an A100 PCIe").ambiguous


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("p40 24gb (180€) or 3060 12gb (220€) for qlora", [(1, "p40"), (1, "rtx-3060-12gb")]),
        ("3090 + 3080 (24+10) for a 13b lora", [(1, "rtx-3090"), (1, "rtx-3080-10gb")]),
        ("2x A100 (40) lora 13b", [(2, "a100-40gb-sxm")]),
        ("3090 (2), 13b lora", [(2, "rtx-3090")]),
        ("lora on titan x 12gb", [(1, "gtx-titan-x")]),
        ("can i use a p4d for 13b lora", [(8, "a100-40gb-sxm")]),
        ("lora on two P4s", [(2, "p4")]),
        ("lora on an Nvidia RTX 4000 SFF Ada 20GB", [(1, "rtx-4000-sff-ada")]),
        ("minimax-m2 lora", []),
        ("dual 5060 ti 16g enough for 24b lora", [(2, "rtx-5060-ti-16gb")]),
        ("lora on two 4090 (48gb)", [(2, "rtx-4090")]),
        ("Legion 5 (RTX 3070 laptop, 8 GB), 3b lora", [(1, "rtx-3070-laptop")]),
        ("max_completion_length 512 4090 24gb, grpo", [(1, "rtx-4090")]),
        ("lora max_length 2048 / A10G", [(1, "a10g")]),
        ("windows 11 4080 16gb lora", [(1, "rtx-4080")]),
        ("DGX A100 (8*40) lora 34b", [(8, "a100-40gb-sxm")]),
        ("lora on an rtx titan", [(1, "titan-rtx")]),
        ("lora on 48gb vram (2*24)", [(2, None)]),
        ("win11 wsl2 3090 lora", [(1, "rtx-3090")]),
        ("MacBook Pro 2019 RX 7900 XT lora", [(1, "rx-7900-xt")]),
        ("falcon-7B full ft 4k ctx 8xA100 40GB", [(8, "a100-40gb-pcie")]),
        ("lora bs 1 4x 3090", [(4, "rtx-3090")]),
        ("trio of 4060 Ti 16GB for qlora", [(3, "rtx-4060-ti-16gb")]),
        ("half a dozen P40s for a 70b qlora", [(6, "p40")]),
        ("6 Stück P100 16GB für LoRA", [(6, "p100-16gb")]),
        ("phi3 mini full ft on mac studio m2 ultra 192gb", [(1, "apple-m2-ultra")]),
        ("ne 5090 ggü. meiner 3080 bei 3B LoRA", [(1, "rtx-5090"), (1, "rtx-3080-10gb")]),
    ],
)
def test_what_stands_beside_a_card(text: str, cards: list[tuple[int, str]]) -> None:
    assert told(text) == cards


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("22gb slice of an h100, 7b qlora", [(1, 22.0)]),
        ("A100 40 MIG 3g.20gb slice: 7b qlora?", [(1, 20.0)]),
        ("cuda:0 has 8Gb, cuda:1 12 GB, 13b lora", [(1, 8.0), (1, 12.0)]),
        ("gpu 0: 24GB, gpu 1: 24GB, 13b lora", [(2, 24.0)]),
        ("M1 Max MBP 32GB: mlx lora", [(1, 32.0)]),
        ("M2 Air 8GB lora 1b", [(1, 8.0)]),
        ("内存 512G 显存 24G, 13b lora", [(1, 24.0)]),
    ],
)
def test_memory_of_parts_and_devices(text: str, cards: list[tuple[int, float]]) -> None:
    assert [(card.count, card.vram_gb) for card in query(text).gpus] == cards
    assert "impossible_card" not in query(text).claims


def test_what_a_run_takes_in_total_is_no_sum_of_cards() -> None:
    assert "vram_adds_up" not in query("went to 8x A6000 and the 8b eats 273gb total").claims


@pytest.mark.parametrize(
    ("text", "ram_gb"),
    [
        ("wsl2 sieht nur 32 von meinen 64GB", 64),
        ("docker only sees half of my 128GB, 3090", 128),
        ("13b lora on a 3090, ram is 32 GB", 32),
        ("memory 1.2T, 8*A800, zero3 offload", 1200),
        ("内存 512G 显存 24G", 512),
        ("CPU OOM (container limit 120Gi), mixtral lora", 120),
    ],
)
def test_memory_of_the_machine_without_the_word_beside_it(text: str, ram_gb: float) -> None:
    assert query(text).ram_gb == ram_gb


def test_my_card_is_no_machine_memory() -> None:
    assert query("13b lora, docker, my 24GB card").ram_gb is None


@pytest.mark.parametrize(
    "text",
    [
        "should i upgrade to a used 3090 from a 3060",
        "got a 3060, thinking of buying a used 3090 for qlora",
        "habe eine 3060, überlege mir eine 3090 zu kaufen für qlora",
    ],
)
def test_a_card_that_is_bought_instead_stands_beside_the_old_one(text: str) -> None:
    sides = [[card.gpu for card in group] for group in query(text).candidates]
    assert sorted(side[0] or "" for side in sides) == ["rtx-3060-12gb", "rtx-3090"]


def test_the_memory_of_one_card_is_no_sum_of_two_kinds() -> None:
    found = query("kann ich eine 3060 12gb und eine 4060 ti 16gb zusammen nutzen?")
    assert [card.gpu for card in found.gpus] == ["rtx-3060-12gb", "rtx-4060-ti-16gb"]


@pytest.mark.parametrize("text", ["do 2x 3090 give me 48 GB", "ergeben zwei 4060 ti 16gb dann 32 GB?"])
def test_what_all_cards_have_together_is_a_sum(text: str) -> None:
    assert "vram_adds_up" in query(text).claims


def test_a_card_that_is_lent_counts() -> None:
    text = "I have a 4090 and my friend would lend me his 3090. both in one box for qlora on a 32B?"
    assert told(text) == [(1, "rtx-4090"), (1, "rtx-3090")]
    assert told("works on my friend's 3090 but my 3060 12gb ooms with 8b qlora") == [(1, "rtx-3060-12gb")]


@pytest.mark.parametrize("written", ['device_map="auto"', "device_map='auto'", 'device_map = "auto"'])
def test_a_quoted_value_belongs_to_its_setting(written: str) -> None:
    assert query(f"{written} on 2x T4, 7b qlora").sharding == "pipeline"


def test_orin_alone_is_the_module_that_people_train_on_and_is_said() -> None:
    alone = read(Question(text="jetson orin + llama2 7b, will it train?")).query
    assert [card.gpu for card in alone.gpus] == ["jetson-agx-orin-64gb"]
    assert "jetson-orin-nano-8gb" in alone.ambiguous["gpus"]
    named = read(Question(text="jetson orin nano + llama2 7b, will it train?")).query
    assert [card.gpu for card in named.gpus] == ["jetson-orin-nano-8gb"]
    assert not named.ambiguous
