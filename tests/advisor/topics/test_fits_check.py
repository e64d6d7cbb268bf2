"""fits_check: the verdict where the method is open, where experts decide, and where the run also generates."""

from typing import Any

import pytest

from advisor.advice import Advice
from advisor.query import CardCount
from advisor.stacks import GIB
from advisor.topics.fits_check import in_part
from bot.messages import Question
from bot.pipeline import answer
from bot.renderer import render
from tests.advisor.rules.ask import card, cards, case


def _advice(**slots: Any) -> Advice:
    advice = case(kind="fits_check", **slots).advice
    assert advice is not None
    return advice


def test_a_card_that_holds_every_weight_in_training_is_told_all_methods() -> None:
    advice = _advice(model="meta-llama/Llama-2-7b-hf", gpus=cards("a100-80gb-sxm"))
    assert advice.verdict.code == "open"
    assert [row["fit"] for row in advice.verdict.facts["rows"]] == ["yes", "yes", "yes", "no"]


@pytest.mark.parametrize(("language", "words"), [("en", "in 4 bit (QLoRA)"), ("de", "In 4 Bit (QLoRA)")])
def test_of_cards_that_hold_lora_only_when_it_is_split_one_that_holds_qlora_comes_first(
    language: str, words: str
) -> None:
    """Reported: alpaca's LoRA in 16 bit wants 2x 24 or 4x 16 GB; with 8 or 4 bit one T4 is enough for a 7B."""
    advice = _advice(model="huggyllama/llama-7b", method="lora", gpus=cards("t4", 2))
    facts = advice.verdict.facts
    assert facts["qlora_alone"] < facts["eight_bit_alone"] < facts["usable"] < facts["copied"]
    assert words in render(advice, language).title
    one = _advice(model="huggyllama/llama-7b", method="lora", gpus=cards("rtx-3090", 2))
    assert one.verdict.facts["copied"] is None
    assert words not in render(one, language).title


def test_several_cards_hold_every_weight_when_it_is_split() -> None:
    advice = _advice(params_b=7.0, gpus=cards("a100-80gb-sxm", 8))
    assert advice.verdict.code == "open"
    plain = advice.verdict.facts["rows"][3]
    assert plain["fit"] == "yes"
    assert plain["split"] < plain["device"]
    assert _advice(model="mosaicml/mpt-7b", gpus=cards("rtx-3090", 2)).verdict.code == "yes"


def test_a_method_that_is_named_or_a_card_that_holds_only_adapters_is_not_open() -> None:
    assert _advice(model="meta-llama/Llama-2-7b-hf", gpus=cards("a100-80gb-sxm"), method="qlora").verdict.code == "yes"
    assert _advice(model="meta-llama/Llama-2-7b-hf", gpus=cards("rtx-3090")).verdict.code == "yes"
    assert _advice(model="meta-llama/Llama-2-7b-hf", gpus=cards("jetson-agx-orin-64gb")).verdict.code == "yes"


def test_where_experts_decide_the_safe_ways_are_named() -> None:
    facts = _advice(model="Qwen/Qwen3-30B-A3B", gpus=cards("rtx-5090")).verdict.facts
    assert (facts["safe_size"], facts["safe_gb"]) == ("14B", 141)
    assert facts["safe_need"] < facts["usable"]


def test_without_room_to_generate_a_smaller_model_and_a_larger_card_are_named() -> None:
    advice = _advice(model="Qwen/QwQ-32B", algorithm="grpo", seq_len=256, gpus=cards("rtx-3090"))
    assert advice.verdict.code == "no_rollouts"
    assert (advice.verdict.facts["safe_size"], advice.verdict.facts["safe_gb"]) == ("14B", 48)
    assert {need.fit for need in advice.needs} <= {"no", "unlikely"}
    assert advice.needs[0].device < 23 * GIB


def test_where_no_method_is_named_the_others_get_their_verdict_too() -> None:
    ways = _advice(model="mosaicml/mpt-7b", gpus=cards("rtx-3090", 2)).verdict.facts["ways"]
    assert [(row["code"], row["fit"]) for row in ways] == [("lora", "yes"), ("full_8bit", "unlikely")]
    assert ways[1]["several"] == 4
    assert 23.6 * GIB > ways[1]["each"] > ways[1]["device"] / 4
    assert _advice(model="mosaicml/mpt-7b", gpus=cards("rtx-3090"), method="lora").verdict.facts["ways"] == []


def test_home_cards_are_not_stacked_beyond_four() -> None:
    ways = _advice(model="openlm-research/open_llama_3b", gpus=cards("rtx-3060-12gb")).verdict.facts["ways"]
    assert [(row["fit"], row["several"]) for row in ways] == [("yes", None), ("no", 4)]
    larger = _advice(params_b=7.0, gpus=cards("rtx-3060-12gb")).verdict.facts["ways"]
    assert [(row["code"], row["several"]) for row in larger][-1] == ("full_8bit", None)


def test_all_weights_on_one_server_card_says_how_many_it_takes() -> None:
    plain = _advice(model="meta-llama/Llama-2-7b-hf", gpus=cards("a100-80gb-sxm")).verdict.facts["rows"][3]
    assert (plain["fit"], plain["several"]) == ("no", 2)


def test_a_server_card_that_is_too_small_gets_the_next_larger_one() -> None:
    facts = _advice(model="meta-llama/Meta-Llama-3-8B", method="lora", gpus=cards("t4")).verdict.facts
    assert facts["larger"] == {"name": "L4", "vram_gb": 24.0}
    assert _advice(model="meta-llama/Meta-Llama-3-8B", method="qlora", gpus=cards("t4")).verdict.facts["larger"] is None


def test_a_number_format_without_a_method_is_whole_weights() -> None:
    setup = _advice(params_b=8.0, compute_dtype="bf16", gpus=cards("rtx-a6000", 2)).setup
    assert setup is not None
    assert (setup.method, "method" in setup.assumed) == ("lora", True)
    quantised = _advice(params_b=8.0, compute_dtype="bf16", weight_bits=4.0, gpus=cards("rtx-a6000")).setup
    assert quantised is not None
    assert quantised.method == "qlora"


def test_what_is_split_over_cards_is_not_unsloths() -> None:
    needs = _advice(model="huggyllama/llama-7b", method="lora", gpus=cards("t4", 2)).needs
    assert [need.stack for need in needs] == ["axolotl", "stock"]
    copied = _advice(model="huggyllama/llama-7b", method="qlora", gpus=cards("t4", 2)).needs
    assert [need.stack for need in copied] == ["unsloth", "stock"]


def test_a_trainer_that_a_board_lacks_gets_no_row() -> None:
    slots = {"model": "meta-llama/Llama-2-7b-hf", "trainer": "h2o-llm-studio", "method": "qlora"}
    assert [n.stack for n in _advice(**slots, gpus=cards("jetson-agx-orin-64gb")).needs] == ["stock"]
    assert [n.stack for n in _advice(**slots, gpus=cards("rtx-3090")).needs] == ["h2o-llm-studio"]


def test_of_a_mixture_of_experts_the_adapters_of_the_experts_go_first() -> None:
    slots = {"model": "Qwen/Qwen3-30B-A3B", "method": "qlora", "trainer": "unsloth", "seq_len": 8192}
    changes = _advice(**slots, gpus=cards("rtx-3090")).changes
    assert changes[-1].fit in ("yes", "tight")
    assert "lora_targets" in {change.slot for change in changes}


def test_where_lora_wants_both_cards_qlora_on_one_is_told() -> None:
    slots = {"model": "huggyllama/llama-7b", "gpus": cards("t4", 2)}
    assert _advice(**slots, method="lora").verdict.facts["qlora_alone"] < 8 * GIB
    assert _advice(**slots, method="qlora").verdict.facts["qlora_alone"] is None
    assert (
        _advice(model="huggyllama/llama-7b", method="lora", gpus=cards("rtx-3090", 2)).verdict.facts["qlora_alone"]
        is None
    )


def test_laptops_are_not_stacked() -> None:
    ways = _advice(model="google/flan-t5-xl", gpus=cards("rtx-3060-laptop")).verdict.facts["ways"]
    assert [row["several"] for row in ways] == [None, None]


def test_how_long_a_sequence_fits_is_told_by_stack() -> None:
    limits = dict(_advice(params_b=13.0, method="qlora", gpus=cards("rtx-3090"), seq_len=512).verdict.facts["limits"])
    assert limits["unsloth"] > limits["stock"] > 512
    assert _advice(params_b=70.0, method="lora", gpus=cards("rtx-3090")).verdict.facts["limits"] == []


@pytest.mark.parametrize(("language", "words"), [("en", "One card is enough"), ("de", "Eine Karte reicht")])
def test_where_each_of_several_cards_holds_it_one_is_enough(language: str, words: str) -> None:
    copies = _advice(params_b=70.0, method="qlora", gpus=cards("h100-sxm", 2))
    assert words in render(copies, language).text
    believed = _advice(params_b=70.0, method="qlora", gpus=cards("h100-sxm", 2), claims=("vram_adds_up",))
    assert words not in render(believed, language).text  # its correction says more
    split = _advice(params_b=70.0, method="qlora", gpus=cards("h100-sxm", 2), sharding="fsdp")
    assert words not in render(split, language).text


@pytest.mark.parametrize(("language", "words"), [("en", "No, not with 94 GB of RAM"), ("de", "nicht mit 94 GB RAM")])
def test_offload_wants_ram_that_holds_it(language: str, words: str) -> None:
    offloaded = {"params_b": 7.0, "method": "full", "sharding": "zero3", "offload": "params"}
    short = _advice(**offloaded, gpus=cards("a100-40gb-pcie"), ram_gb=94.0)
    assert short.verdict.code == "no_ram"
    assert words in render(short, language).title
    assert _advice(**offloaded, gpus=cards("a100-40gb-pcie"), ram_gb=256.0).verdict.code == "yes"
    assert _advice(**offloaded, gpus=cards("a100-40gb-pcie")).verdict.code == "yes"  # such machines have 200 GB


@pytest.mark.parametrize(("language", "words"), [("en", "usually have 32 GB"), ("de", "Rechnern 32 GB")])
def test_offload_at_home_hangs_on_the_ram(language: str, words: str) -> None:
    offloaded = {"params_b": 7.0, "method": "full", "sharding": "zero3", "offload": "params", "gpus": cards("rtx-4090")}
    unsaid = _advice(**offloaded)
    assert unsaid.verdict.code == "wants_ram"
    assert words in render(unsaid, language).title
    assert unsaid.verdict.facts["usual_holds"] is False
    assert _advice(**offloaded, ram_gb=192.0).verdict.code == "yes"
    assert _advice(**{**offloaded, "params_b": 0.5}).verdict.code == "yes"
    server = _advice(**{**offloaded, "params_b": 70.0, "gpus": cards("a100-80gb-sxm", 8)})
    assert (server.verdict.code, server.verdict.facts["usual_holds"]) == ("wants_ram", True)  # 1.48 of 1.58 TB
    assert {"en": "nearly all that", "de": "fast alles"}[language] in render(server, language).title


@pytest.mark.parametrize("language", ["en", "de"])
def test_torchtunes_recipe_for_one_card_trains_every_weight_in_24_gb(language: str) -> None:
    """Its README lists 18.9 GiB for Llama-3.1-8B; mixed precision with AdamW takes six times that."""
    slots: dict[str, Any] = {"model": "meta-llama/Llama-3.1-8B", "method": "full", "gpus": cards("rtx-4090")}
    advice = _advice(**slots, trainer="torchtune", seq_len=512)
    assert advice.verdict.code == "yes"
    assert 18.9 * 0.85 < advice.needs[0].device / GIB < 18.9 * 1.15
    assert advice.verdict.facts["mixed"] > 120 * GIB
    assert "`optimizer_in_bwd`" in render(advice, language).text
    two = _advice(**(slots | {"gpus": cards("rtx-4090", 2)}), trainer="torchtune", seq_len=512)
    assert two.verdict.facts["mixed"] is None


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_weight_on_one_card_may_be_stepped_in_the_backward_pass(language: str) -> None:
    slots: dict[str, Any] = {"model": "Qwen/Qwen2.5-7B", "method": "full"}
    advice = _advice(**slots, gpus=cards("rtx-3090"))
    assert [(change.slot, change.value) for change in advice.changes] == [("optimizer", "by_layer")]
    assert advice.changes[-1].fit == "yes"
    assert "optimizer_in_bwd" in render(advice, language).title
    old = _advice(**slots, gpus=cards("v100-32gb"))
    assert "by_layer" not in {change.value for change in old.changes}  # no bf16


def test_a_split_that_nobody_named_is_said_with_what_a_copy_takes() -> None:
    """Two T4: LoRA of a 7B fits them only when they share it, and most scripts start one copy each."""
    slots: dict[str, Any] = {"model": "huggyllama/llama-7b", "method": "lora", "gpus": cards("t4", 2)}
    facts = _advice(**slots).verdict.facts
    assert facts["copied"] > facts["usable"] > facts["lean"]
    assert _advice(**slots, sharding="fsdp").verdict.facts["copied"] is None
    assert _advice(**(slots | {"method": "qlora"})).verdict.facts["copied"] is None


@pytest.mark.parametrize(("language", "words"), [("en", "only with Unsloth"), ("de", "nur mit Unsloth")])
def test_what_fits_on_one_stack_only_says_so_first(language: str, words: str) -> None:
    slots: dict[str, Any] = {"model": "Qwen/Qwen2.5-32B", "method": "qlora"}
    assert words in render(_advice(**slots, gpus=cards("rtx-3090")), language).title
    both = render(_advice(**slots, gpus=cards("rtx-a6000")), language).title
    assert words not in both
    assert "Unsloth" in both


def test_bare_cards_of_a_size_that_only_servers_have_stand_in_a_server() -> None:
    """Eight cards of 40 GB: 70B in full fits them offloaded, and takes more RAM than most such servers have."""
    slots: dict[str, Any] = {"params_b": 70.0, "method": "full", "offload": "params", "sharding": "fsdp"}
    bare = (CardCount(gpu=None, name="", count=8, vram_gb=40.0),)
    advice = _advice(**slots, gpus=bare)
    assert advice.verdict.code == "wants_ram"
    assert 900 < advice.verdict.facts["usual_ram_gb"] < 2000
    desk = _advice(**(slots | {"params_b": 8.0}), gpus=(CardCount(gpu=None, name="", count=2, vram_gb=24.0),))
    assert not desk.verdict.facts["usual_ram_gb"]


def test_memory_that_is_both_is_not_missed_beside_the_card() -> None:
    """A Mac with 64 GB and "cpu offload": there is no other RAM that could be too small."""
    asked = {"kind": "fits_check", "params_b": 8.0, "method": "full", "offload": "params", "ram_gb": 64.0}
    for gpu in ("apple-m3-max", "dgx-spark"):
        advice = case(**asked, gpus=cards(gpu)).advice
        assert advice is not None
        assert advice.verdict.code not in ("no_ram", "wants_ram")


def test_a_yes_says_for_what_part_of_the_plan_it_holds() -> None:
    seeing = {"model": "Qwen/Qwen2-VL-7B-Instruct", "method": "qlora", "gpus": (card("apple-m3-max"),)}
    assert in_part(case(**seeing, symptoms=("with_media",))) == "text"
    assert in_part(case(**seeing)) is None
    assert in_part(case(**{**seeing, "gpus": (card("rtx-4090"),)}, symptoms=("with_media",))) is None
    assert in_part(case(params_b=7, gpus=(card("rtx-4090"),), symptoms=("from_scratch",))) == "fine_tuned"


def test_a_card_for_grpo_names_the_method_the_others_and_what_would_do() -> None:
    """Reported: GRPO on a 0.8B took less than 20 GB of one A100."""
    advice = _advice(params_b=1.5, algorithm="grpo", gpus=cards("a100-80gb-sxm", 1))
    assert advice.verdict.code == "rollouts"
    assert 8 <= advice.verdict.facts["pool_gb"] <= 24
    text = render(advice, "en").text
    assert all(words in text for words in ("with QLoRA takes about", "16-bit LoRA", "all weights", "num_generations"))
    stated = _advice(params_b=1.5, algorithm="grpo", method="lora", gpus=cards("a100-80gb-sxm", 1))
    assert stated.verdict.facts["ways"] == []


def test_ppo_is_not_told_that_all_weights_fit_beside_the_further_models() -> None:
    advice = _advice(params_b=7.0, algorithm="ppo", gpus=cards("a100-80gb-sxm", 1))
    assert advice.verdict.code == "rollouts"
    assert (advice.verdict.facts["ways"], advice.verdict.facts["pool_gb"]) == ([], None)
    assert "the policy alone" in render(advice, "en").title
    assert "reward and value models" in render(advice, "en").title
    assert "Reward- und Value-Modell" in render(advice, "de").title


def test_the_length_is_asked_for_only_where_it_turns_the_verdict() -> None:
    """Neither where a limit is told, nor where short examples fit no better, nor where long ones fit as well."""
    assert _advice(model="Qwen/Qwen3-14B", method="lora", gpus=cards("rtx-5090")).asks is None
    assert _advice(params_b=1.1, method="qlora", gpus=cards("rtx-4090")).asks is None
    assert _advice(params_b=70.0, method="lora", gpus=cards("rtx-4090")).asks is None
    hangs = {"model": "Qwen/Qwen3-30B-A3B", "method": "qlora", "gpus": cards("rtx-3090")}
    assert _advice(**hangs).asks == "seq_len"
    assert _advice(**hangs, seq_len=512).asks is None


def test_whether_a_second_card_would_do_is_told_where_one_does_not() -> None:
    """Asked: LoRA with a 70B on one DGX Spark, or two of them? Measured: about 69 GiB on each of two."""
    spark = _advice(params_b=70.0, method="lora", n_gpus=1, gpus=cards("dgx-spark"))
    assert spark.verdict.facts["several"] == 2
    assert "On two of them it fits" in render(spark, "en").text
    assert "for QLoRA one is enough" in render(spark, "en").text
    assert "Auf zwei solche" in render(spark, "de").text
    assert _advice(params_b=70.0, method="qlora", n_gpus=1, gpus=cards("rtx-4090")).verdict.facts["several"] is None
    assert _advice(params_b=13.0, method="lora", gpus=cards("rtx-4090")).verdict.facts["several"] is None


@pytest.mark.parametrize(
    "text", ["is a 32GB mac enough for mistral 7b lora with mlx?", "reicht ein 32 GB Mac für mistral 7b lora?"]
)
def test_a_mac_whose_chip_is_not_told_keeps_a_quarter_for_itself(text: str) -> None:
    said = answer(Question(text=text)).reply.text
    assert "24.0 GiB" in said or "24,0 GiB" in said
    assert "Unsloth" not in said
