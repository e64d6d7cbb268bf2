"""Cards: counts, memory, totals, products, what does not exist."""

import pytest

from advisor.query import Query
from bot.messages import Question
from bot.parser import read
from knowledge.catalog import load_catalog


def query(text: str) -> Query:
    return read(Question(text=text)).query


def cards(text: str) -> list[tuple[int, str | None, float | None]]:
    return [(card.count, card.gpu, card.vram_gb) for card in query(text).gpus]


@pytest.mark.parametrize(
    ("text", "count", "gpu"),
    [
        ("2x 3090 for lora", 2, "rtx-3090"),
        ("2*3090 24g each, qlora", 2, "rtx-3090"),
        ("16 * A10 lora", 16, "a10"),
        ("kaggle T4 x2 lora", 2, "t4"),
        ("3090*1 qlora", 1, "rtx-3090"),
        ("four 3090s, lora", 4, "rtx-3090"),
        ("dual RTX 3090 lora", 2, "rtx-3090"),
        ("zwei 5090 drin, Training langsam", 2, "rtx-5090"),
        ("8x80G A100 full finetune", 8, "a100-80gb-sxm"),
        ("A100 8x80G full finetune", 8, "a100-80gb-sxm"),
        ("3 nodes x 8 x A100 40G, full finetune", 24, "a100-40gb-pcie"),
        ("auf 3 Rechnern zu je 8x A100 40G trainieren", 24, "a100-40gb-pcie"),
        ("4卡H800 微调", 4, "h800-sxm"),
        ("4 adet 1080ti lora", 4, "gtx-1080-ti"),
        ("30B on my 3090, will a second 3090 help?", 2, "rtx-3090"),
        ("3090s, 96gb in total, for lora", 4, "rtx-3090"),
        ("g5.12xlarge for qlora", 4, "a10g"),
        ("4060 ti 16gb qlora", 1, "rtx-4060-ti-16gb"),
        ("4060TI qlora", 1, "rtx-4060-ti-8gb"),
        ("V100 32G lora", 1, "v100-32gb"),
        ("laptop with 4070 laptop for qlora", 1, "rtx-4070-laptop"),
        ("A6000 45G lora", 1, "rtx-a6000"),
        ("M3 Max 128GB mlx lora", 1, "apple-m3-max"),
        ("tesla v100-sxm2-32gb x 4, full sft", 4, "v100-32gb"),
        ("A100-SXM4-80GB (8 of them), lora", 8, "a100-80gb-sxm"),
        ("MI250 x4 with torchtune lora", 4, "mi250"),
        ("2080Ti 11G x 2 lora", 2, "rtx-2080-ti"),
        ("6gb of vram (laptop 3060), lora", 1, "rtx-3060-laptop"),
    ],
)
def test_count_and_card(text: str, count: int, gpu: str) -> None:
    found = query(text)
    assert [(card.count, card.gpu) for card in found.gpus] == [(count, gpu)]
    assert found.sources["gpus"] == "stated"


@pytest.mark.parametrize(
    ("text", "count", "vram_gb"),
    [
        ("8x48GB, full finetune", 8, 48),
        ("two 24gb gpus, qlora", 2, 24),
        ("reicht eine 24er Karte für LoRA?", 1, 24),
        ("13b qlora 24gb?", 1, 24),
        ("16gb vram, 7b lora", 1, 16),
        ("显存24G内存64G 微调", 1, 24),
        ("16G显存 32G内存 微调", 1, 16),
        ("24 GB x 8 GPUs, lora", 8, 24),
        ("70b int8 lora 4x80", 4, 80),
    ],
)
def test_cards_without_a_name(text: str, count: int, vram_gb: float) -> None:
    assert cards(text) == [(count, None, vram_gb)]


def test_devices_are_not_counts() -> None:
    assert (0, "rtx-3090", 24.0) not in cards("cuda:0 is my 3090, lora")
    assert cards("gpu 0 is my 3090, lora") == [(1, "rtx-3090", 24.0)]


def test_memory_of_the_machine_is_not_the_cards() -> None:
    found = query("24GB of RAM and a GTX 1080 Ti, can i train a 3b lora")
    assert found.ram_gb == 24
    assert [card.vram_gb for card in found.gpus] == [11]


@pytest.mark.parametrize(
    "text", ["ram: 2x32gb, 3090, lora", "3090, 2x32GB RAM, lora", "3090 and 64 GB DDR5, lora", "3090, 64 ram, lora"]
)
def test_sticks_of_memory(text: str) -> None:
    found = query(text)
    assert found.ram_gb == 64
    assert [(card.count, card.gpu) for card in found.gpus] == [(1, "rtx-3090")]


def test_a_sum_in_brackets_is_no_memory_of_one_card() -> None:
    assert cards("2x 3090 (48gb) or a single 4090 (24) for lora?") == [(2, "rtx-3090", 24.0), (1, "rtx-4090", 24.0)]
    assert cards("two 4090 (48gb sum), lora") == [(2, "rtx-4090", 24.0)]


def test_alternatives_are_set_ups_to_compare() -> None:
    found = query("2x 3090 or one 4090 for qlora?")
    assert [[(c.count, c.gpu) for c in group] for group in found.candidates] == [[(2, "rtx-3090")], [(1, "rtx-4090")]]
    assert found.n_gpus is None


def test_mixed_cards_of_one_person_are_not_alternatives() -> None:
    found = query("a 3090 and a 4070 in one machine, 13b qlora")
    assert not found.candidates
    assert "mixed_cards_add_up" in found.claims


def test_a_memory_that_no_such_card_has_is_said_to_be_wrong() -> None:
    found = query("3060ti 6G, 7b qlora")
    assert "impossible_card" in found.claims
    assert found.unknown["gpus"]
    assert "rtx-3060-ti" in found.nearest["gpus"]


@pytest.mark.parametrize("name", ["4090 super", "5090 ti", "rtx 3909"])
def test_a_card_that_does_not_exist_is_unknown_and_not_corrected(name: str) -> None:
    found = query(f"{name} for 13b qlora")
    assert [card.gpu for card in found.gpus] == [None]
    assert found.unknown["gpus"] == name
    assert found.nearest["gpus"]


def test_an_ambiguous_name_takes_the_default_and_says_so() -> None:
    found = query("3060, 7b qlora")
    assert found.gpus[0].gpu == "rtx-3060-12gb"
    assert "rtx-3060-8gb" in found.ambiguous["gpus"]


def test_a_name_that_must_be_asked_takes_no_default() -> None:
    found = query("rtx 6000 for 70b qlora")
    assert found.gpus[0].gpu is None
    assert "rtx-6000-ada" in found.nearest["gpus"]
    assert query("rtx 6000 96gb for 70b qlora").gpus[0].gpu == "rtx-pro-6000-blackwell"


def test_a_number_that_is_no_card() -> None:
    assert not query("is 13090 tokens of llama 3 8b too much").gpus
    assert not query("cutoff 3090, 7b lora").gpus
    assert not query("1080p monitor").gpus


def test_somebody_elses_card_is_left_out() -> None:
    assert cards("V100 32GB, lora ooms. someone else says 2x3090 OOM too") == [(1, "v100-32gb", 32.0)]


def test_colab_is_a_card_that_nobody_stated() -> None:
    found = query("qlora 7b on colab")
    assert found.gpus[0].gpu == "t4"
    assert found.sources["gpus"] == "assumed"


@pytest.mark.parametrize("gpu_id", sorted(load_catalog().gpus))
def test_every_card_is_found_by_its_own_name(gpu_id: str) -> None:
    gpu = load_catalog().gpus[gpu_id]
    assert [card.gpu for card in read(Question(text=f"7b qlora on a {gpu.name}?")).query.gpus] == [gpu_id]


@pytest.mark.parametrize(
    "text", ["8gb vram + 32 gb ram, 13b", "8gb VRAM und 32 GB Arbeitsspeicher, 13b", "vram 8gb, ram 32gb, 13b qlora"]
)
def test_memory_of_the_machine_after_that_of_the_card(text: str) -> None:
    assert cards(text) == [(1, None, 8.0)]
    assert query(text).ram_gb == 32


@pytest.mark.parametrize(
    ("text", "own", "beside"),
    [
        ("tested on A100 80GB, now i have 4x 4090, 8b lora", ["rtx-4090"], ["a100-80gb-sxm"]),
        ("works on an A100 80GB but OOM on my 3090, 8b lora 4096", ["rtx-3090"], ["a100-80gb-sxm"]),
        ("8b lora fits a T4 at 2k. what about 8k on my 4060 Ti 16GB?", ["rtx-4060-ti-16gb"], ["t4"]),
        ("i have a 3090 and a 3060 12gb, can i use both for 30b qlora", ["rtx-3090", "rtx-3060-12gb"], []),
        ("3090 24gb with 64gb ram, thinking about adding a 3060 12gb, 30b", ["rtx-3090", "rtx-3060-12gb"], []),
    ],
)
def test_cards_beside_the_set_up_are_not_added_to_it(text: str, own: list[str], beside: list[str]) -> None:
    found = query(text)
    others = [card.gpu for group in found.candidates for card in group]
    assert others == beside
    assert [card.gpu for card in found.gpus if card.gpu not in others] == own
    assert ("mixed_cards_add_up" in found.claims) == (len(own) > 1)


@pytest.mark.parametrize(
    ("text", "gpus"),
    [
        ("used to have a 1080, is a 3090 enough for 8b qlora?", ["rtx-3090"]),
        ("had to sell my old 4090, does 8b qlora fit the 3060 12gb that is left?", ["rtx-3060-12gb"]),
        ("should I upgrade from my 3060 12gb to a used 3090 for 8b qlora?", ["rtx-3060-12gb", "rtx-3090"]),
        ("want to sell my 3060 12gb for a used 3090, 8b qlora", ["rtx-3060-12gb", "rtx-3090"]),
    ],
)
def test_a_card_that_somebody_had_is_gone_and_a_used_one_is_not(text: str, gpus: list[str]) -> None:
    assert [card.gpu for card in query(text).gpus] == gpus


def test_offers_are_alternatives() -> None:
    found = query("vast shows 5090 ~0.30/hr and H100 ~1-2/hr, which one for 13b lora")
    assert [[card.gpu for card in group] for group in found.candidates] == [["rtx-5090"], ["h100-sxm"]]


def test_pieces_of_two_kinds_are_all_of_them() -> None:
    found = query("got A6000 45G and A100 40G cards over 4 nodes (10 pieces), want 13b full finetune")
    assert [(card.gpu, card.count) for card in found.gpus] == [("rtx-a6000", 1), ("a100-40gb-pcie", 9)]
    assert query("A100 40GB cards over 2 nodes (16 pieces), 70b lora").gpus[0].count == 16


@pytest.mark.parametrize(
    ("text", "gpu"),
    [
        ("merge a 13b on colab high-RAM (83 GB)", "a100-40gb-sxm"),
        ("13b lora on colab with 83.5 GB ram", "a100-40gb-sxm"),
        ("7b qlora on colab, 12 GB RAM", "t4"),
        ("7b qlora on colab with 51 GB RAM", "t4"),
        ("7b qlora on colab with 500 GB RAM", "t4"),
    ],
)
def test_ram_that_only_one_kind_of_machine_has_tells_the_card(text: str, gpu: str) -> None:
    assert [card[1] for card in cards(text)] == [gpu]


@pytest.mark.parametrize(
    "text",
    [
        "sits at 14 of 24gb, qlora 13b. why so little?",
        "training uses only 9 of the 24 GB, can i go bigger? 7b qlora",
        "belegt nur 9 von den 24 GB, 7b qlora",
        "nutzt nur 9 von 24gb vram, 7b qlora",
    ],
)
def test_what_is_in_use_of_a_card_is_no_count_of_cards(text: str) -> None:
    query = read(Question(text=text)).query
    assert [(card.count, card.vram_gb) for card in query.gpus] == [(1, 24.0)]


def test_four_of_a_size_are_four_cards() -> None:
    query = read(Question(text="i have 4 of 24gb cards, qlora 70b?")).query
    assert [(card.count, card.vram_gb) for card in query.gpus] == [(4, 24.0)]
