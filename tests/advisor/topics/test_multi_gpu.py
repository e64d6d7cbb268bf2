"""Several cards: ways set side by side, several machines, how many cards, one that is enough, no gain."""

from typing import Any

import pytest

from advisor.advice import Advice
from advisor.advisor import advise
from advisor.query import Kind, Query
from advisor.rules import full_takes_cards
from bot.renderer import render
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import cards, case


def ask(**slots: Any) -> Advice:
    stated = {name: "stated" for name in slots if name not in ("named", "symptoms", "claims")}
    return advise(Query(kind=Kind.MULTI_GPU, sources=stated, **slots), load_catalog())


def between(*ways: str, **slots: Any) -> Advice:
    return ask(named={"sharding": ways}, sharding=ways[0], **slots)


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_copy_per_card_is_taken_where_it_fits(language: str) -> None:
    advice = between("fsdp", "ddp", params_b=8.0, method="qlora", gpus=cards("rtx-3090", 2), n_gpus=2)
    assert advice.verdict.code == "which_split"
    assert advice.verdict.facts["pick"] == "ddp"
    assert render(advice, language).title.startswith("DDP")


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_one_card_does_not_hold_is_split(language: str) -> None:
    advice = between("ddp", "fsdp", params_b=13.0, method="lora", gpus=cards("rtx-4090", 2), n_gpus=2)
    assert advice.verdict.facts["pick"] == "fsdp"
    assert render(advice, language).title.startswith("FSDP")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("other", ["tp", "pipeline"])
def test_tensor_and_pipeline_parallel_are_explained_and_something_better_is_named(other: str, language: str) -> None:
    advice = between(other, "fsdp", params_b=34.0, method="qlora", gpus=cards("rtx-3090", 2), n_gpus=2)
    assert advice.verdict.facts["pick"] == "fsdp"
    text = render(advice, language).text
    assert ("vLLM" if other == "tp" else "device_map") in text


def test_neither_is_said_with_the_number_of_cards_that_would_do() -> None:
    slots: dict[str, Any] = {"params_b": 7.0, "method": "full", "trainer": "deepspeed"}
    facts = between("zero3", "zero2", gpus=cards("a100-40gb-pcie", 4), **slots).verdict.facts
    assert facts["pick"] == "fsdp_offload"
    assert facts["from_cards"] > 4


@pytest.mark.parametrize("language", ["en", "de"])
def test_machines_are_split_inside_and_only_gradients_cross_the_network(language: str) -> None:
    advice = ask(params_b=13.0, method="lora", gpus=cards("rtx-4090", 6), n_gpus=6, nodes=3)
    facts = advice.verdict.facts
    assert advice.verdict.code == "hybrid"
    assert facts["fsdp"] < facts["hybrid"] < facts["usable"] < facts["ddp"]
    assert "HYBRID_SHARD" in render(advice, language).text


def test_one_machine_has_no_hybrid_way() -> None:
    assert "hybrid" not in ask(params_b=13.0, method="lora", gpus=cards("rtx-4090", 6), n_gpus=6).verdict.facts
    assert "hybrid" not in ask(params_b=8.0, gpus=cards("rtx-4090", 2), n_gpus=2, nodes=2).verdict.facts


@pytest.mark.parametrize("language", ["en", "de"])
def test_one_card_is_enough_on_unsloth(language: str) -> None:
    """Kaggle's two T4: one of them holds an 8B in 4 bit."""
    advice = ask(params_b=8.0, method="qlora", trainer="unsloth", gpus=cards("t4", 2), n_gpus=2)
    assert advice.verdict.code == "one_unsloth"
    assert advice.verdict.facts["on_one"] < 10 * 2**30
    assert advice.setup is not None
    assert advice.setup.n_gpus == 1
    assert "CUDA_VISIBLE_DEVICES=0" in render(advice, language).text


@pytest.mark.parametrize("language", ["en", "de"])
def test_how_many_for_all_weights_names_both_optimizers(language: str) -> None:
    facts = (advice := ask(params_b=8.0, method="full", gpus=cards("rtx-4090"))).verdict.facts
    assert advice.verdict.code == "how_many"
    assert 2 < facts["count"] <= facts["adamw_count"]
    assert f"{facts['adamw_count']}" in render(advice, language).title + render(advice, language).text


@pytest.mark.parametrize("language", ["en", "de"])
def test_nvlink_shortens_the_exchange_where_it_is_named(language: str) -> None:
    """Published (transformers documentation): DDP on two Titan RTX 101 s with NVLink, 131 s without."""
    slow = {"gpus": cards("titan-rtx", 2), "n_gpus": 2, "symptoms": ("no_gain",)}
    assert "131 s" in render(ask(**slow, claims=("nvlink_pools_memory",)), language).text
    assert "131 s" not in render(ask(**slow), language).text


@pytest.mark.parametrize("language", ["en", "de"])
def test_consumer_cards_exchange_over_pcie_in_the_first_line(language: str) -> None:
    slow = ask(gpus=cards("rtx-5090", 2), n_gpus=2, symptoms=("no_gain",))
    assert "PCIe" in render(slow, language).title
    assert "PCIe" not in render(ask(gpus=cards("a100-80gb-sxm", 2), n_gpus=2, symptoms=("no_gain",)), language).title


@pytest.mark.parametrize("language", ["en", "de"])
def test_deepspeed_or_fsdp_is_zero_3_or_fsdp(language: str) -> None:
    advice = ask(params_b=8.0, method="qlora", trainer="deepspeed", sharding="fsdp", gpus=cards("rtx-3090", 2))
    assert advice.verdict.code == "which_split"
    assert advice.verdict.facts["said"] == ("zero3", "fsdp")
    assert "ZeRO-3" in render(advice, language).title


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(("way", "word"), [("tp", "vLLM"), ("pipeline", "device_map"), ("fsdp", "FSDP")])
def test_without_a_model_the_named_way_is_explained_first(way: str, word: str, language: str) -> None:
    assert word in render(ask(sharding=way, n_gpus=2), language).title


@pytest.mark.parametrize("language", ["en", "de"])
def test_who_sums_the_cards_up_reads_the_limit_first(language: str) -> None:
    slots: dict[str, Any] = {"params_b": 7.0, "method": "qlora", "gpus": cards("p4", 8), "n_gpus": 8}
    assert "64 GB" in render(ask(**slots, claims=("vram_adds_up",)), language).title
    assert "64 GB" not in render(ask(**slots), language).title


def test_zero_2_with_adapters_is_said_once() -> None:
    text = render(ask(method="lora", sharding="zero2", gpus=cards("rtx-4090", 4), n_gpus=4), "en").text
    assert text.count("ZeRO-2") == 1


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_no_single_card_holds_is_counted_in_cards_of_80_gb(language: str) -> None:
    advice = ask(params_b=405.0, method="lora")
    assert advice.verdict.code == "how_many"
    assert 8 < advice.verdict.facts["count"] <= 64
    assert "80 GB" in render(advice, language).title
    assert advice.asks == "gpus"


@pytest.mark.parametrize("language", ["en", "de"])
def test_eight_bit_states_are_named_where_only_they_fit(language: str) -> None:
    slots: dict[str, Any] = {"params_b": 7.0, "method": "full", "trainer": "deepspeed"}
    advice = between("zero3", "zero2", gpus=cards("a100-40gb-pcie", 4), **slots)
    facts = advice.verdict.facts
    assert facts["lean"] < facts["usable"] < facts["fsdp"]
    assert "8-" in render(advice, language).text


@pytest.mark.parametrize("language", ["en", "de"])
def test_fsdp_alone_does_not_make_all_weights_of_a_model_that_large(language: str) -> None:
    slots: dict[str, Any] = {"params_b": 70.0, "method": "full", "sharding": "fsdp"}
    query = Query(
        kind=Kind.MULTI_GPU, sources={"method": "assumed", "params_b": "stated"}, gpus=cards("rtx-3090", 3), **slots
    )
    advice = advise(query, load_catalog())
    assert advice.setup is not None
    assert advice.setup.method == "qlora"
    assert "QLoRA" in render(advice, language).title
    small = query.model_copy(update={"params_b": 7.0, "gpus": cards("a100-80gb-sxm", 4)})
    setup = advise(small, load_catalog()).setup
    assert setup is not None
    assert setup.method == "full"


@pytest.mark.parametrize("language", ["en", "de"])
def test_copies_say_how_much_faster_they_are_together(language: str) -> None:
    advice = ask(params_b=8.0, method="qlora", gpus=cards("rtx-3090", 4))
    assert 3 < advice.verdict.facts["together"] < 4
    assert "×" in render(advice, language).text.split("\n")[0].replace("4× ", "")
    assert ask(params_b=8.0, method="full", gpus=cards("h100-sxm", 4)).verdict.facts["together"] is None


@pytest.mark.parametrize("language", ["en", "de"])
def test_beside_ways_to_split_a_copy_that_fits_is_the_answer(language: str) -> None:
    slots = {"params_b": 8.0, "gpus": cards("rtx-3090", 2), "n_gpus": 2}
    named = between("fsdp", "zero3", "ddp", method="lora", seq_len=1024, **slots)
    assert render(named, language).title.startswith(("DDP is enough", "DDP genügt"))
    unnamed = between("fsdp", "zero3", method="qlora", **slots)
    assert render(unnamed, language).title.startswith(("Neither is needed", "Keins von beiden ist nötig"))
    measured = between("fsdp", "zero3", method="qlora", seen_gib=14.0, **slots)
    assert render(measured, language).title.startswith(("By your own figures", "Nach deinen eigenen Zahlen"))


def test_a_copy_of_all_weights_says_what_mixed_precision_takes() -> None:
    advice = between("ddp", "fsdp", params_b=7.0, method="full", gpus=cards("a100-80gb-sxm", 4), n_gpus=4)
    assert advice.verdict.facts["pick"] == "ddp"
    assert advice.verdict.facts["amp"] > 2 * advice.verdict.facts["ddp"]
    assert "in pure bf16" in render(advice, "en").title


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_shorter_length_comes_before_offload(language: str) -> None:
    slots = {"model": "deepseek-ai/deepseek-llm-7b-base", "method": "qlora", "seq_len": 2048, "lora_rank": 8}
    text = render(ask(gpus=cards("p4", 8), n_gpus=8, **slots), language).text
    first = text.split(".**")[0]
    assert "512 tokens" in first or "512 Tokens" in first
    assert "offload" not in first
    assert "auslager" not in first.lower()


def test_how_many_for_a_large_mixture_names_what_its_weights_alone_fill() -> None:
    text = render(ask(model="deepseek-ai/DeepSeek-V3", gpus=cards("a100-80gb-sxm", 1)), "en").text
    assert "32× A100 80GB SXM" in text
    assert "16 cards just to hold them" in text
    assert "19.7 GiB of weights (8 bits on average, the experts included)" in text
    assert "hundreds, with expert parallelism" in text


@pytest.mark.parametrize("language", ["en", "de"])
def test_two_speeds_of_a_step_are_compared_by_the_data_that_they_cover(language: str) -> None:
    """Reported: ChatGLM-6B, 51.8 s/it on one 3090, 124.5 s/it on two."""
    seen = {"seen_s_per_step": 51.8, "named": {"seen_s_per_step": ("51.8", "124.5")}}
    advice = ask(params_b=6.0, gpus=cards("rtx-3090", 2), n_gpus=2, **seen)
    assert advice.verdict.code == "no_gain"
    assert round(advice.verdict.facts["step"]["ratio"], 2) == 0.83
    title = render(advice, language).title
    assert "62 s" in title
    assert "really is slower (0.8×)" in title or "wirklich langsamer (0,8×)" in title


def test_twice_the_step_on_two_cards_is_just_as_fast() -> None:
    advice = ask(params_b=8.0, gpus=cards("rtx-4090", 2), n_gpus=2, named={"seen_s_per_step": ("1.2", "2.4")})
    assert "just as fast" in render(advice, "en").title


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_a_further_card_brings_comes_first(language: str) -> None:
    advice = ask(gpus=cards("rtx-3090", 2), n_gpus=2)
    assert advice.verdict.facts["away"] == "70B"
    title = render(advice, language).title
    assert "1.9×" in title or "1,9×" in title
    assert "70B" in title
    summed = ask(gpus=cards("rtx-3090", 2), n_gpus=2, claims=("vram_adds_up",))
    assert render(summed, language).title.startswith(("Memory of several cards", "Der Speicher mehrerer Karten"))


@pytest.mark.parametrize("language", ["en", "de"])
def test_unequal_cards_get_a_yes_and_the_limit(language: str) -> None:
    advice = ask(gpus=(*cards("rtx-3090"), *cards("rtx-4070")), n_gpus=2, claims=("mixed_cards_add_up",))
    text = render(advice, language).text
    assert text.startswith(("**Yes, RTX 3090 + RTX 4070", "**Ja, RTX 3090 + RTX 4070"))
    assert advice.verdict.facts["roomiest"] == "RTX 3090"
    assert all(found.code != "mixed_cards_add_up" for found in advice.findings)


@pytest.mark.parametrize("language", ["en", "de"])
def test_in_jax_one_card_in_pytorch_is_the_way_out(language: str) -> None:
    """Reported: Gemma 2B in the official JAX notebook fills one T4 while loading; 4 to 6 GB with LoRA in PyTorch."""
    advice = ask(model="google/gemma-2b", gpus=cards("t4", 2), n_gpus=2, symptoms=("uses_jax", "oom_load"))
    assert advice.verdict.code == "jax"
    facts = advice.verdict.facts
    assert facts["qlora"][1] == facts["lora"][1] == "yes"
    assert facts["full"][1] == "no"
    assert 3 * 2**30 < facts["qlora"][0] < facts["lora"][0] < 7 * 2**30
    text = render(advice, language).text
    assert text.startswith(("**JAX puts everything on the first card", "**JAX legt alles auf die erste Karte"))
    assert "nvidia-smi" not in text


@pytest.mark.parametrize("language", ["en", "de"])
def test_layers_laid_over_cards_take_turns(language: str) -> None:
    advice = ask(gpus=cards("t4", 2), n_gpus=2, sharding="pipeline", symptoms=("no_gain", "slow"))
    text = render(advice, language).text
    assert text.startswith('**`device_map="auto"`')
    assert "torchrun --nproc_per_node=2" in text


def test_unlike_cards_of_one_size_are_not_called_mixed_memory() -> None:
    advice = ask(params_b=32.0, method="qlora", gpus=(*cards("rtx-4090"), *cards("rtx-3090")), n_gpus=2)
    assert all(found.code != "mixed_cards_add_up" for found in advice.findings)


@pytest.mark.parametrize("language", ["en", "de"])
def test_cards_in_two_machines_without_a_model_get_the_network(language: str) -> None:
    text = render(ask(gpus=cards("rtx-4090", 2), n_gpus=2, nodes=2), language).text
    assert text.startswith(
        ("**2 machines work together over an ordinary", "**2 Maschinen rechnen auch über ein gewöhnliches")
    )
    assert "--nnodes=2" in text
    assert "InfiniBand.**" in text


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(("count", "inside"), [(2, False), (4, True)])
def test_a_machine_with_one_card_has_nothing_to_split_inside(language: str, count: int, inside: bool) -> None:
    known = {"params_b": 32.0, "method": "qlora", "n_gpus": count, "nodes": 2}
    advice = ask(gpus=cards("rtx-3090", count), **known)
    text = render(advice, language).text
    assert "InfiniBand" in text
    assert ("HYBRID_SHARD" in text) == inside
    assert all(found.code != "power_and_heat" for found in advice.findings)


def test_no_gain_without_a_card_is_answered_as_well() -> None:
    query = Query(kind=Kind.TIME_ESTIMATE, also=Kind.MULTI_GPU, symptoms=("no_gain",))
    assert advise(query, load_catalog()).verdict.code == "no_gain"


def test_where_neither_split_holds_all_weights_adapters_on_one_card_are_named() -> None:
    slots = {"model": "meta-llama/Llama-3.2-3B", "method": "full", "gpus": cards("rtx-2080-ti", 8), "n_gpus": 8}
    advice = between("fsdp", "zero3", trainer="deepspeed", **slots)
    assert advice.verdict.facts["pick"] is None
    text = render(advice, "en").text
    assert "Here neither holds it" in text
    assert "one card holds it" in text


@pytest.mark.parametrize("language", ["en", "de"])
def test_one_card_has_nothing_to_split(language: str) -> None:
    text = render(ask(gpus=cards("rtx-3090"), n_gpus=1, sharding="zero3", method="lora"), language).text
    assert text.startswith(("**No: with one card", "**Nein: Mit einer Karte"))


def test_a_leaner_optimizer_comes_before_offload() -> None:
    """Gemma 2 9B in full with ZeRO-3 on four A100s: 8-bit AdamW fits them, as the rule on all weights says too."""
    asked = case(
        kind="multi_gpu", model="google/gemma-2-9b", method="full", sharding="zero3", trainer="deepspeed",
        gpus=cards("a100-40gb-pcie", 4),
    )  # fmt: skip
    assert asked.advice is not None
    assert asked.advice.verdict.code == "fsdp_offload"
    assert asked.advice.verdict.facts["lean_split"] < (asked.usable or 0) < asked.advice.verdict.facts["fsdp"]
    told = full_takes_cards.check(asked)
    assert told is not None
    assert told.facts["eight"] == 4


def test_a_split_is_not_called_the_only_way_where_one_card_holds_it_with_unsloth() -> None:
    """32B on two RTX 3090: split it fits, but Unsloth needs 22 GiB of one."""
    slots = {"kind": "multi_gpu", "params_b": 32.0, "method": "qlora", "gpus": cards("rtx-3090", 2)}
    free, named = case(**slots), case(**slots, trainer="axolotl")
    assert free.advice is not None
    assert named.advice is not None
    assert free.advice.verdict.code == named.advice.verdict.code == "fsdp"
    assert free.advice.verdict.facts["fused_alone"] < (free.usable or 0)
    assert named.advice.verdict.facts["fused_alone"] is None
    assert "only split" not in render(advise(free.query, load_catalog()), "en").title
    assert "only split" in render(advise(named.query, load_catalog()), "en").title


@pytest.mark.parametrize(("size", "code"), [(13.0, "fsdp"), (34.0, "fsdp_offload")])
def test_lora_that_has_to_be_split_says_that_qlora_fits_one_of_them(size: float, code: str) -> None:
    asked = {"params_b": size, "method": "lora", "gpus": cards("rtx-3090", 4)}
    advice = case(kind="multi_gpu", **asked).advice
    assert advice is not None
    assert advice.verdict.code == code
    alone = advice.verdict.facts["qlora_alone"]
    assert alone < advice.verdict.facts["usable"]
    for language, words in (("en", "In 4 bit (QLoRA)"), ("de", "In 4 Bit (QLoRA)")):
        assert words.lower() in render(advice, language).text.split("\n")[0].lower()
    split = case(kind="multi_gpu", **asked, sharding="fsdp").advice
    assert split is not None
    assert split.verdict.facts["qlora_alone"] is None  # who names the split wants it
    bf16 = case(kind="multi_gpu", **asked, compute_dtype="bf16").advice
    assert bf16 is not None
    assert bf16.verdict.facts["qlora_alone"] is None  # the base is to be in 16 bit


@pytest.mark.parametrize(("first", "then", "count", "broken"), [("0.1", "30", 8, True), ("0.5", "3", 4, False)])
def test_a_step_that_no_split_explains_is_the_connection(first: str, then: str, count: int, broken: bool) -> None:
    """Published (litgpt#1472): Falcon-7B on one A10G 0.1 s a step, on eight of a slow machine 30 s."""
    steps = {"named": {"seen_s_per_step": (first, then)}, "seen_s_per_step": float(first)}
    advice = ask(model="tiiuae/falcon-7b", method="lora", sharding="fsdp", gpus=cards("a10g", count), **steps)
    assert advice.verdict.facts["step"]["broken"] is broken
    assert ("NCCL" in render(advice, "en").title) is broken


@pytest.mark.parametrize("asked", [{"optimizer": "adamw_8bit"}, {}])
def test_all_weights_in_bf16_with_an_8_bit_optimizer_are_six_bytes_a_parameter_when_split(
    asked: dict[str, Any],
) -> None:
    """8B over four RTX 3090: 12 GB of states a card, logits and a gathered layer; 29 GiB would be fp32 shards."""
    advice = case(kind="multi_gpu", params_b=8.0, method="full", gpus=cards("rtx-3090", 4), **asked).advice
    assert advice is not None
    facts = advice.verdict.facts
    need = facts["fsdp"] if asked else facts["lean_split"]
    assert 6 * 8e9 / 4 < need < 22 * 2**30
    assert advice.verdict.code == ("fsdp" if asked else "fsdp_offload")
    offloads = case(kind="multi_gpu", params_b=13.0, method="full", gpus=cards("rtx-3090", 4), offload="params").advice
    assert offloads is not None
    assert offloads.verdict.facts.get("lean_split") is None  # who offloads asks for that


@pytest.mark.parametrize(("language", "words"), [("en", "Splitting is what slows it"), ("de", "Das Aufteilen bremst")])
def test_adapters_that_are_split_without_need_are_told_to_be_copied(language: str, words: str) -> None:
    slow: dict[str, Any] = {"params_b": 8.0, "method": "lora", "symptoms": ("no_gain",), "n_gpus": 2}
    split = case(kind="multi_gpu", **slow, sharding="zero3").advice
    assert split is not None
    assert split.verdict.facts["needless"]["gb"] == 24
    assert words in render(split, language).title
    for other in ({}, {"sharding": "zero3", "method": "full"}, {"sharding": "fsdp", "gpus": cards("rtx-3060-12gb", 2)}):
        made = case(kind="multi_gpu", **(slow | other)).advice
        assert made is not None
        assert made.verdict.facts["needless"] is None


@pytest.mark.parametrize("language", ["en", "de"])
def test_of_unlike_cards_the_larger_alone_is_enough(language: str) -> None:
    both = (*cards("rtx-3090"), *cards("gtx-1080-ti"))
    advice = ask(params_b=13.0, method="qlora", gpus=both)
    assert advice.verdict.code == "one_of_them"
    assert advice.verdict.facts["by_itself"]["name"] == "RTX 3090"
    assert "RTX 3090" in render(advice, language).title
    assert "one_card_used" not in [f.code for f in ask(params_b=13.0, gpus=both, symptoms=("one_card_used",)).findings]


def test_unlike_cards_are_used_together_where_that_helps() -> None:
    modern = (*cards("rtx-3090"), *cards("rtx-4060-ti-16gb"))
    near = ask(params_b=8.0, method="qlora", gpus=(*cards("rtx-3090"), *cards("rtx-5080")))
    assert near.verdict.code == "ddp"
    assert near.verdict.facts["together"] is None  # no multiple of either
    waits = ask(params_b=8.0, method="qlora", gpus=(*cards("rtx-3090"), *cards("rtx-3060-12gb")))
    assert waits.verdict.code == "one_of_them"  # copies wait for the slower one
    assert ask(params_b=32.0, method="qlora", gpus=modern).verdict.code != "one_of_them"  # too large for one
    split = ask(params_b=13.0, method="qlora", gpus=(*cards("rtx-3090"), *cards("rtx-3060-12gb")), sharding="fsdp")
    assert split.verdict.code != "one_of_them"


@pytest.mark.parametrize("language", ["en", "de"])
def test_layers_are_laid_over_cards_that_cannot_split_it_otherwise(language: str) -> None:
    two = ask(params_b=24.0, method="qlora", gpus=cards("rtx-4060-ti-16gb", 2), n_gpus=2)
    assert two.verdict.code == "layered"
    facts = two.verdict.facts
    assert facts["layered"] < facts["usable"] < facts["fsdp"]
    assert "device_map" in render(two, language).title
    stated = {"params_b": 24.0, "method": "qlora", "gpus": cards("rtx-4060-ti-16gb", 2), "n_gpus": 2}
    assert ask(**stated, sharding="fsdp").verdict.code != "layered"
    assert ask(**stated, trainer="axolotl").verdict.code != "layered"
    assert ask(params_b=14.0, method="qlora", gpus=cards("rtx-3090", 2), n_gpus=2).verdict.code == "ddp"


def test_whether_it_fits_on_several_is_answered_with_layers_too() -> None:
    asked = case(kind="fits_check", params_b=24.0, method="qlora", gpus=cards("rtx-4060-ti-16gb", 2), n_gpus=2)
    assert asked.advice is not None
    assert asked.advice.verdict.code == "layered"
    alone = case(kind="fits_check", params_b=24.0, method="qlora", gpus=cards("rtx-4060-ti-16gb"))
    assert alone.advice is not None
    assert alone.advice.verdict.code in ("no", "unlikely")
