"""Set-ups side by side: the first line says which one for which goal, and never a rough card for its speed alone."""

from typing import Any

import pytest

from advisor.advice import Advice
from advisor.advisor import advise
from advisor.query import CardCount, Kind
from bot.renderer import render
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import card, stated

LONGEST_FIRST_LINE = 160


def compare(*cards: tuple[str, int], **slots: Any) -> Advice:
    named = [
        CardCount(gpu=gpu, name=load_catalog().gpus[gpu].name, count=count, vram_gb=load_catalog().gpus[gpu].vram_gb)
        for gpu, count in cards
    ]
    slots |= {"gpus": tuple(named), "candidates": tuple((card,) for card in named)}
    return advise(stated(Kind.COMPARE_GPUS, **slots), load_catalog())


def first_line(advice: Advice, language: str = "en") -> str:
    return render(advice, language).title


def test_equal_memory_goes_to_cuda_however_fast_the_other_is() -> None:
    advice = compare(("arc-b580", 1), ("rtx-3060-12gb", 1), method="lora")
    assert advice.verdict.facts["safe"]["name"] == "RTX 3060 12GB"
    assert first_line(advice).startswith("Take the RTX 3060 12GB")
    assert "1.6× as fast on paper" in first_line(advice)


def test_an_old_card_with_more_memory_is_called_rough() -> None:
    facts = compare(("p40", 1), ("rtx-3060-12gb", 1)).verdict.facts
    assert facts["larger"]["name"] == "Tesla P40"
    assert facts["larger"]["rough"]
    assert facts["faster"]["name"] == "RTX 3060 12GB"


def test_when_both_hold_the_model_one_card_is_simpler() -> None:
    advice = compare(("rtx-3090", 2), ("rtx-5090", 1), params_b=32.0, method="qlora")
    assert advice.verdict.facts["lead"] == "holds_all"
    assert advice.verdict.facts["simpler"]["name"] == "RTX 5090"
    assert "most GB for the money: 2× RTX 3090" in first_line(advice)


def test_only_the_pair_holds_a_70b_and_only_offloaded() -> None:
    facts = compare(("rtx-5090", 1), ("rtx-3090", 2), params_b=70.0, method="qlora").verdict.facts
    assert facts["lead"] == "holds_some"
    assert [(h["name"], h["count"], h["way"]) for h in facts["holders"]] == [("RTX 3090", 2, "fsdp_offload")]


def test_rented_cards_are_compared_by_what_a_run_costs() -> None:
    advice = compare(("h100-sxm", 1), ("rtx-a6000", 1), params_b=70.0, method="qlora")
    costs = [run["cost"] for run in advice.verdict.facts["runs"]]
    assert len(costs) == 2
    assert all(5 < low < high < 100 for low, high in costs)
    row = advice.verdict.facts["rows"][0]
    assert row["run_cost"] == (row["run"][0] * row["rent"]["low"], row["run"][1] * row["rent"]["high"])


def test_sizes_are_those_of_the_stated_method() -> None:
    by_method = {
        method: compare(("rtx-3090", 1), ("rtx-4090", 1), method=method).verdict.facts["rows"][0]["alone"] or 0
        for method in ("qlora", "lora", "full")
    }
    assert by_method["qlora"] > by_method["lora"] > by_method["full"]


def test_speed_does_not_depend_on_what_else_is_stated() -> None:
    rows = compare(("rtx-3090", 1), ("rtx-5090", 1), algorithm="grpo", compute_dtype="fp8").verdict.facts["rows"]
    assert all(row["speed"] for row in rows)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("slots", [{}, {"params_b": 32.0}, {"params_b": 70.0}, {"params_b": 3.0, "method": "full"}])
def test_the_first_line_is_short(language: str, slots: dict[str, Any]) -> None:
    for one, other in ((("rtx-3090", 2), ("rtx-5090", 1)), (("rtx-4060-ti-16gb", 1), ("rtx-3090", 1))):
        assert len(first_line(compare(one, other, **slots), language)) <= LONGEST_FIRST_LINE


def test_offload_alone_does_not_win_against_a_larger_card() -> None:
    """2x 4060 Ti 16GB hold a 70B only in system RAM; the 3090 holds 32B in VRAM."""
    facts = compare(("rtx-4060-ti-16gb", 2), ("rtx-3090", 1)).verdict.facts
    assert facts["larger"]["name"] == "RTX 3090"
    assert not facts["larger_offloaded"]
    assert compare(("rtx-3090", 2), ("rtx-5090", 1)).verdict.facts["larger_offloaded"]


def test_in_vram_comes_before_offloaded() -> None:
    advice = compare(("rtx-a6000", 1), ("rtx-4090", 2), params_b=70.0, method="qlora")
    assert advice.verdict.facts["lead"] == "holds_whole"
    assert "RTX A6000 in VRAM; 2× RTX 4090 only split and offloaded" in first_line(advice)


def test_where_none_holds_it_what_qlora_does_is_said() -> None:
    facts = compare(("rtx-5080", 1), ("rtx-3090", 1), params_b=14.0, method="lora").verdict.facts
    assert facts["lead"] == "holds_none"
    assert facts["instead"]["all"]
    some = compare(("rtx-4060", 1), ("rtx-3090", 1), params_b=14.0, method="lora").verdict.facts["instead"]
    assert [held["name"] for held in some["holders"]] == ["RTX 3090"]


def test_of_several_that_hold_it_each_goal_names_its_card() -> None:
    advice = compare(("rtx-3090", 1), ("rtx-4090", 1), ("rtx-a6000", 1), params_b=13.0, method="qlora")
    line = first_line(advice)
    assert line.startswith("Take the RTX 4090")
    assert "it is faster (1.8×)" in line
    assert "larger models: RTX A6000 (up to 70B)" in line
    assert "most GB for the money: RTX 3090" in line
    assert "größere Modelle: RTX A6000 (bis 70B)" in first_line(advice, "de")


def test_where_only_one_holds_lora_qlora_on_all_is_told() -> None:
    advice = compare(("rtx-5080", 1), ("rtx-3090", 1), params_b=8.0, method="lora")
    assert advice.verdict.facts["lead"] == "holds_some"
    assert "with QLoRA (7.5 GiB) both do" in first_line(advice)
    assert (
        compare(("rtx-3060-12gb", 1), ("rtx-4090", 1), params_b=32.0, method="qlora").verdict.facts["instead"] is None
    )


def test_what_both_hold_only_offloaded_is_said_to_be_slow() -> None:
    advice = compare(("rtx-3090", 2), ("rtx-4090", 2), params_b=65.0, method="qlora")
    assert advice.verdict.facts["same_way"] == "fsdp_offload"
    assert "offloaded to RAM (slow)" in first_line(advice)
    assert compare(("rtx-3090", 1), ("rtx-4090", 1), params_b=13.0, method="qlora").verdict.facts["same_way"] == ""


def test_equals_are_decided_by_the_price() -> None:
    line = first_line(compare(("rtx-5070-ti", 1), ("rtx-4080-super", 1), method="lora"))
    assert line == "Same memory, both up to 3B: take the cheaper one."


def test_without_a_method_whole_weights_are_compared_too() -> None:
    rows = compare(("rtx-4070-ti", 1), ("rtx-5090", 1)).verdict.facts["rows"]
    assert [(row["alone"], row["whole"]) for row in rows] == [(8.0, 3.0), (32.0, 14.0)]
    assert compare(("rtx-4070-ti", 1), ("rtx-5090", 1), method="qlora").verdict.facts["rows"][0]["whole"] is None


def test_of_a_run_to_be_rented_every_card_has_its_hour() -> None:
    rows = compare(("rtx-3090", 1), ("rtx-4090", 1), params_b=8.0, method="lora", dataset_examples=20_000)
    assert all(row["rent"] and row["run_cost"] for row in rows.verdict.facts["rows"])
    plain = compare(("rtx-3090", 1), ("rtx-4090", 1), params_b=8.0, method="lora").verdict.facts["rows"]
    assert not any(row["rent"] for row in plain)


def test_sharing_holds_no_less_than_one_card() -> None:
    rows = compare(("rtx-4060-ti-16gb", 2), ("rtx-3090", 1), params_b=13.0, method="qlora").verdict.facts["rows"]
    assert rows[0]["split"] >= rows[0]["alone"]
    assert rows[1]["split"] is None


def test_beside_lora_a_pair_is_told_what_qlora_reaches() -> None:
    pair = (("rtx-3060-12gb", 1), ("rtx-5070-ti", 1))
    assert [row["four_bit"] for row in compare(*pair, method="lora").verdict.facts["rows"]] == [8.0, 14.0]
    assert [row["four_bit"] for row in compare(*pair, method="qlora").verdict.facts["rows"]] == [None, None]


def test_offered_prices_by_the_hour_are_compared() -> None:
    pair = (("rtx-4090", 1), ("a100-80gb-sxm", 1))
    advice = compare(*pair, params_b=13.0, method="qlora", hourly={"rtx-4090": 0.35, "a100-80gb-sxm": 1.2})
    assert [row["rent"]["low"] for row in advice.verdict.facts["rows"]] == [0.35, 1.2]
    assert "0.35 USD/h (your offer)" in render(advice, "en").text


def test_beside_all_weights_lora_is_told_before_qlora() -> None:
    line = first_line(compare(("rtx-6000-ada", 1), ("l40s", 1), params_b=13.0, method="full"))
    assert "with LoRA (" in line
    assert "mit LoRA (" in first_line(compare(("rtx-6000-ada", 1), ("l40s", 1), params_b=13.0, method="full"), "de")


@pytest.mark.parametrize(("language", "words"), [("en", "activation offload"), ("de", "Activation Offload")])
def test_who_holds_a_long_sequence_with_checkpoints_in_ram_is_told(language: str, words: str) -> None:
    advice = compare(("rtx-3090", 2), ("rtx-5090", 1), params_b=32.0, method="qlora", seq_len=16_384)
    assert "RTX 5090" in {held["name"] for held in advice.verdict.facts["longer"]["holders"]}
    assert words in first_line(advice, language)


@pytest.mark.parametrize(("language", "start"), [("en", "Take the RTX 3060 12GB"), ("de", "Nimm")])
def test_where_the_asked_model_fits_both_the_rough_one_is_not_taken_for_its_size(language: str, start: str) -> None:
    advice = compare(("p40", 1), ("rtx-3060-12gb", 1), params_b=7.0, method="qlora")
    assert advice.verdict.facts["safe"]["name"] == "RTX 3060 12GB"
    assert first_line(advice, language).startswith(start)
    larger = compare(("p40", 1), ("rtx-3060-12gb", 1), params_b=32.0, method="qlora")
    assert larger.verdict.facts["safe"] is None  # only the old one holds it


@pytest.mark.parametrize(
    ("cards", "slots", "why"),
    [
        (
            (("rtx-3090", 1), ("rtx-5070-ti", 1)),
            {"model": "Qwen/Qwen3-14B", "method": "qlora", "seq_len": 4096},
            "room",
        ),
        ((("rtx-3090", 1), ("rtx-4090", 1)), {"params_b": 8.0, "method": "qlora"}, "price"),
        ((("rtx-4090", 1), ("rtx-5090", 1)), {"params_b": 7.0, "method": "lora"}, "speed"),
        ((("rtx-3090", 2), ("rtx-5090", 1)), {"params_b": 13.0, "method": "qlora"}, "simpler"),
        ((("rtx-6000-ada", 2), ("a100-80gb-sxm", 2)), {"params_b": 20.0, "method": "lora", "weight_bits": 8}, "enough"),
        ((("rtx-3090", 2), ("rtx-4090", 1)), {}, "larger"),
        ((("a100-80gb-sxm", 1), ("rtx-5090", 1)), {"method": "lora"}, "keeps_up"),
    ],
)
def test_an_either_or_gets_a_choice_with_its_reason(cards: Any, slots: dict[str, Any], why: str) -> None:
    advice = compare(*cards, **slots)
    assert advice.verdict.facts["take"]["why"] == why
    assert first_line(advice).startswith(("Take the ", "Take 2× "))
    assert first_line(advice, "de").startswith("Nimm ")


def test_a_card_that_leaves_ample_room_is_not_called_tight() -> None:
    facts = compare(("rtx-a6000", 1), ("rtx-4090", 1), params_b=14.0, method="qlora", seq_len=8192).verdict.facts
    assert facts["take"]["why"] == "speed"
    assert facts["take"]["name"] == "RTX 4090"


def test_who_generates_beside_the_training_is_told_what_memory_is_for() -> None:
    advice = compare(("a100-80gb-sxm", 1), ("rtx-5090", 1), method="lora", algorithm="grpo")
    assert "more answers at a time (GRPO" in first_line(advice)
    assert "mehr Antworten zugleich (GRPO" in first_line(advice, "de")


def test_what_only_one_of_them_holds_is_taken_there() -> None:
    line = first_line(compare(("l40s", 1), ("a100-80gb-sxm", 1), params_b=32.0, method="lora"))
    assert line.startswith("Take the A100 80GB SXM: only it holds 32B with LoRA")


def test_a_faster_card_that_gained_nothing_gets_the_causes_and_no_table() -> None:
    advice = compare(("h100-sxm", 4), ("a100-80gb-sxm", 4), params_b=7.0, method="lora", symptoms=("no_gain",))
    text = render(advice, "en").text
    assert text.startswith("**The card is hardly broken")
    assert "nvidia-smi topo -m" in text
    assert "2.1× as fast" in text
    assert "|" not in text


def test_what_only_fits_offloaded_is_not_taken_where_qlora_fits_both() -> None:
    advice = compare(("rtx-4090", 2), ("rtx-6000-ada", 1), params_b=30.0, method="lora")
    assert advice.verdict.facts["lead"] == "holds_none"
    line = first_line(advice)
    assert line.startswith("Neither of them holds 30B with LoRA in VRAM: 4")
    assert "with QLoRA" in line


def test_prices_do_not_count_where_they_are_said_to_be_the_same() -> None:
    sides = (("rtx-5070-ti", 1), ("rtx-4090", 1))
    assert compare(*sides, params_b=8.0, method="qlora").verdict.facts["take"]["name"] == "RTX 5070 Ti"
    same = compare(*sides, params_b=8.0, method="qlora", symptoms=("same_price",))
    assert same.verdict.facts["take"]["name"] == "RTX 4090"


def test_a_card_that_holds_it_with_qlora_is_named_beside_a_mac_that_holds_lora() -> None:
    line = first_line(compare(("apple-m3-max", 1), ("rtx-3060-12gb", 1), params_b=7.0, method="lora"))
    assert "with QLoRA" in line
    assert "RTX 3060 12GB does as well" in line


@pytest.mark.parametrize(("language", "start"), [("en", "Take the RTX 4090: CUDA"), ("de", "Nimm RTX 4090: CUDA")])
def test_a_mac_that_holds_more_is_for_what_the_faster_card_does_not_hold(language: str, start: str) -> None:
    line = first_line(compare(("rtx-4090", 1), ("apple-m4-max", 1)), language)
    assert line.startswith(start)
    assert "Apple M4 Max" in line
    assert "70B" in line


def test_a_name_of_several_macs_is_compared_by_the_least_of_them() -> None:
    slots = {
        "gpus": (card("rtx-4090"), CardCount(name="MAC STUDIO")),
        "candidates": ((card("rtx-4090"),), (CardCount(name="MAC STUDIO"),)),
        "unknown": {"gpus": "mac studio"}, "nearest": {"gpus": ("apple-m4-max", "apple-m3-ultra")}, "os": "macos",
    }  # fmt: skip
    advice = advise(stated(Kind.COMPARE_GPUS, **slots), load_catalog())
    assert [row["name"] for row in advice.verdict.facts["rows"]] == ["RTX 4090", "Apple M4 Max"]
    assert all(found.code != "intel_mac" for found in advice.findings)


@pytest.mark.parametrize(
    ("language", "start"),
    [
        ("en", "RTX 4090 is about 1.8× as fast as RTX 3090"),
        ("de", "RTX 4090 trainiert etwa 1,8× so schnell wie RTX 3090"),
    ],
)
def test_how_much_faster_is_answered_with_the_factor(language: str, start: str) -> None:
    advice = compare(("rtx-4090", 1), ("rtx-3090", 1), symptoms=("asks_faster",))
    assert first_line(advice, language).startswith(start)


def test_a_card_without_bf16_is_not_taken_for_lora_alone() -> None:
    line = first_line(compare(("v100-32gb", 1), ("rtx-3090", 1), params_b=13.0, method="lora"))
    assert line.startswith("Only ")
    assert "RTX 3090 has bf16 and FlashAttention: take that one" in line


def test_one_card_that_holds_it_whole_is_taken_before_several_that_split() -> None:
    advice = compare(("h100-sxm", 1), ("a100-40gb-pcie", 4), params_b=8.0, method="full")
    assert advice.verdict.facts["take"]["why"] == "alone"
    assert first_line(advice).startswith("Take the H100 SXM5 80GB: one card holds 8B")


def test_what_both_hold_only_split_is_still_chosen_between() -> None:
    advice = compare(("rtx-3090", 2), ("rtx-4090", 2), params_b=65.0, method="qlora")
    line = first_line(advice)
    assert line.startswith("Take 2× RTX 3090: both hold 65B with QLoRA, split and offloaded to RAM (slow)")
    assert "faster: 2× RTX 4090" in line


@pytest.mark.parametrize(("language", "first"), [("en", "RTX 4090 is enough: 14B"), ("de", "RTX 4090 reicht: 14B")])
def test_whether_the_lesser_one_will_do(language: str, first: str) -> None:
    advice = compare(("rtx-5090", 1), ("rtx-4090", 1), params_b=14.0, method="qlora", symptoms=("asks_enough",))
    assert render(advice, language).text.lstrip("*").startswith(first)


@pytest.mark.parametrize(("language", "words"), [("en", "Running 31B in 4 bit"), ("de", "31B in 4 Bit auszuführen")])
def test_a_size_that_none_trains_is_the_one_to_run(language: str, words: str) -> None:
    """Two RTX 3060 or one 3090, to train LoRAs and to run a 31B: the single card trains more, both run it."""
    pair = (("rtx-3060-12gb", 2), ("rtx-3090", 1))
    advice = compare(*pair, params_b=31.0, method="lora", symptoms=("asks_run",))
    assert [row["name"] for row in advice.verdict.facts["run_too"]["holders"]] == ["RTX 3060 12GB", "RTX 3090"]
    assert "RTX 3090" in render(advice, language).title
    assert words in render(advice, language).text
    trained = compare(*pair, params_b=13.0, method="qlora", symptoms=("asks_run",))
    assert trained.verdict.facts["run_too"] is None
    assert compare(*pair, params_b=31.0, method="lora").verdict.facts["run_too"] is None
