"""System RAM: the figure that was asked about is judged in the first line, and what a run died with is never enough."""

from typing import Any

import pytest

from advisor.advice import Advice
from advisor.advisor import advise
from advisor.query import CardCount, Kind
from bot.renderer import render
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import card, cards, case, stated

GIB = 2**30


def ram(**slots: Any) -> Advice:
    query = stated(Kind.SYSTEM_RAM, **slots)
    return advise(query, load_catalog())


def title(advice: Advice, language: str = "en") -> str:
    return render(advice, language).title


def test_an_amount_without_a_model_is_held_against_the_cards_memory() -> None:
    """S66: at least as much RAM as VRAM."""
    for amount, word in ((16.0, "too little"), (32.0, "just enough"), (64.0, "comfortable")):
        assert word in title(ram(gpus=(card("rtx-5090"),), ram_gb=amount))


def test_an_amount_that_is_weighed_is_not_called_yours() -> None:
    """64 or 128 GB for a 70B on two cards: a 16-bit copy of 131 GiB passes through rank 0."""
    advice = ram(params_b=70.0, method="qlora", gpus=(card("rtx-3090", 2),), ram_gb=128.0)
    assert title(advice).startswith("128 GB are not enough")
    assert title(advice, "de").startswith("128 GB reichen nicht")
    assert advice.verdict.facts["plan_gb"] == 192


def test_a_checkpoint_in_4_bit_loads_with_a_third() -> None:
    facts = ram(params_b=70.0, method="qlora", gpus=(card("rtx-3090", 2),)).verdict.facts
    assert 30 * GIB < facts["load_4"] < 60 * GIB < facts["ram"]
    assert ram(params_b=13.0, method="qlora", gpus=(card("rtx-3090"),)).verdict.facts["load_4"] is None


def test_merging_wants_more_than_the_run() -> None:
    advice = ram(params_b=13.0, method="qlora", gpus=(card("rtx-4090"),), ram_gb=32.0)
    assert advice.verdict.facts["merge_short"]
    assert "merging takes more" in title(advice)


def test_a_merge_that_is_killed_needs_the_16_bit_model() -> None:
    """13B on 32 GB: 24 GiB of weights and the rest are more than what is there."""
    advice = ram(params_b=13.0, ram_gb=32.0, symptoms=("killed", "oom_merge"))
    assert advice.verdict.code == "merge"
    assert "32 GB are too little, plan 48 GB" in title(advice)


@pytest.mark.parametrize(
    "slots",
    [
        {"model": "EleutherAI/gpt-j-6b", "method": "full", "offload": "optimizer", "ram_gb": 126.0},
        {"model": "Qwen/Qwen2.5-32B-Instruct", "method": "full", "offload": "params", "ram_gb": 744.0},
        {"params_b": 7.0, "method": "full", "offload": "params", "ram_gb": 94.0},
    ],
)
def test_what_a_run_died_with_is_never_the_plan(slots: dict[str, Any]) -> None:
    """Reported, all three of them: killed with that much."""
    facts = ram(**slots, symptoms=("killed",)).verdict.facts
    assert facts["plan_gb"] > 1.2 * slots["ram_gb"]
    assert not facts["enough"]


def test_ram_is_counted_per_machine_and_never_below_what_loads() -> None:
    """3 nodes x 8 cards: each node takes a whole copy on its rank 0, or eight of them."""
    advice = ram(params_b=70.0, gpus=(card("a100-40gb-pcie", 24),), nodes=3, symptoms=("killed",))
    facts = advice.verdict.facts
    assert facts["ranks"] == 8
    assert facts["plan_gb"] * GIB > facts["load_16"]
    assert 900 * GIB < facts["load_all"] < 1200 * GIB


def test_nvme_is_told_in_terabytes_and_hours_a_step() -> None:
    """Infinity on one 4090 for a 671B: the states are about 10 TB, read and written at every step."""
    advice = ram(
        model="deepseek-ai/DeepSeek-V3", method="full", trainer="deepspeed", offload="nvme", gpus=(card("rtx-4090"),)
    )
    assert advice.verdict.code == "nvme"
    assert advice.verdict.facts["step_hours"][0] > 0.8
    assert "9.8–11.0 TiB of disk" in title(advice)
    assert "unbrauchbar" in title(advice, "de")


def test_a_full_card_is_not_cured_with_ram() -> None:
    advice = ram(
        params_b=72.0, method="full", sharding="zero3", offload="params", ram_gb=1000.0, symptoms=("oom_step",)
    )
    assert advice.verdict.code == "gpu_oom"
    assert advice.verdict.facts["stays"] > 5 * GIB
    assert title(advice).startswith("It is the card that ran out")


def test_gpu_ram_and_disk_in_one_line() -> None:
    line = title(ram(params_b=13.0, method="full", symptoms=("disk_full",)))
    assert line.startswith("13B in full: 4× 80 GB with AdamW, split")
    assert "one 80 GB card, tight" in line
    assert line.index("80 GB") < line.index("RAM: ") < line.index("Disk: ")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    "slots",
    [
        {},
        {"params_b": 70.0, "symptoms": ("killed",), "ram_gb": 125.0},
        {"params_b": 70.0, "method": "full", "offload": "params", "ram_gb": 600.0},
        {"claims": ("shared_memory_counts",)},
        {"params_b": 40.0, "symptoms": ("oom_merge",), "ram_gb": 83.0},
    ],
)
def test_first_lines_are_short(language: str, slots: dict[str, Any]) -> None:
    assert len(title(ram(**slots), language)) <= 145


def test_a_plan_for_training_covers_an_easy_merge() -> None:
    facts = ram(params_b=8.0, method="qlora").verdict.facts
    assert facts["plan_gb"] * GIB > facts["merge"]


def test_a_card_that_is_named_is_judged_beside_the_ram() -> None:
    """Does 13B fit on a 16 GB card with 32 GB of RAM: both needs in one answer."""
    reply = render(ram(params_b=13.0, method="qlora", gpus=(CardCount(vram_gb=16.0),), ram_gb=32.0), "en")
    assert "the card needs 9." in reply.text
    assert "of 15." in reply.text


def test_two_cards_that_hold_it_only_offloaded() -> None:
    facts = ram(params_b=70.0, method="qlora", gpus=(card("rtx-3090", 2),), ram_gb=256.0).verdict.facts
    assert facts["fit"] == "no"
    assert facts["away"]["fit"] == "yes"


def test_the_ram_leads_whatever_else_is_believed() -> None:
    advice = ram(
        params_b=70.0, gpus=(card("a100-40gb-pcie", 24),), nodes=3, symptoms=("killed",), claims=("vram_adds_up",)
    )
    assert title(advice).startswith("System RAM is full, not VRAM (Killed and -9 mean that)")


@pytest.mark.parametrize("language", ["en", "de"])
def test_who_asks_about_merging_hears_of_merging(language: str) -> None:
    """How much RAM to merge a 70B adapter: 16-bit weights, not the little that training takes."""
    asked = ram(params_b=70.0, method="lora", claims=("merge_wants_ram",))
    assert asked.verdict.code == "merge"
    assert asked.verdict.facts["plan_gb"] * GIB > asked.verdict.facts["merge"] > 140e9
    enough = ram(params_b=13.0, method="qlora", ram_gb=64.0, claims=("merge_wants_ram",))
    assert "64 GB" in title(enough, language)
    assert ram(params_b=13.0, method="full", claims=("merge_wants_ram",)).verdict.code != "merge"


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_the_cards_hold_without_offload_is_the_way_out(language: str) -> None:
    given = {"method": "full", "gpus": cards("a100-80gb-sxm", 8), "ram_gb": 1024.0, "offload": "optimizer"}
    held = case(kind="system_ram", params_b=70.0, **given, symptoms=("oom_step",)).advice
    assert held is not None
    assert held.verdict.facts["on_cards"]["fit"] == "yes"
    assert "FSDP2" in render(held, language).text
    larger = case(kind="system_ram", params_b=180.0, **given, symptoms=("oom_step",)).advice
    assert larger is not None
    assert larger.verdict.facts["on_cards"] is None
    assert "FSDP2" not in render(larger, language).text


def test_offloading_says_what_stays_on_the_card() -> None:
    made = case(kind="system_ram", params_b=7.0, method="full", offload="params", gpus=cards("rtx-3090"), ram_gb=64.0)
    assert made.advice is not None
    stays = made.advice.verdict.facts["offloaded"]
    assert made.usable is not None
    assert (stays["fit"], stays["device"] < made.usable) == ("yes", True)


def test_killed_without_a_method_tells_both_ends_of_the_cards() -> None:
    given = {"params_b": 70.0, "gpus": cards("a100-40gb-pcie", 24), "seq_len": 256, "symptoms": ("killed",)}
    made = case(kind="system_ram", **given)
    assert made.advice is not None
    assert made.advice.verdict.facts["in_full"]["fit"] == "no"
    assert "8 ranks" in render(made.advice, "en").title  # the cause before what to buy
    assert "8 Prozesse" in render(made.advice, "de").title
    stated = case(kind="system_ram", **given, method="qlora")
    assert stated.advice is not None
    assert stated.advice.verdict.facts["in_full"] is None


@pytest.mark.parametrize(("ram_gb", "told"), [(332.0, True), (150.0, False), (800.0, False)])
def test_copies_in_fp32_are_told_where_only_they_are_too_much(ram_gb: float, told: bool) -> None:
    given = {"params_b": 11.0, "method": "full", "gpus": cards("l40s", 8), "symptoms": ("killed",)}
    made = case(kind="system_ram", **given, ram_gb=ram_gb)
    assert made.advice is not None
    assert (made.advice.verdict.facts["load_fp32"] is not None) is told


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_merge_without_a_model_says_bytes_per_parameter(language: str) -> None:
    made = case(kind="system_ram", symptoms=("oom_merge",))
    assert made.advice is not None
    assert "2 GB" in render(made.advice, language).title


def test_all_of_a_full_run_is_told_lean_and_roomy() -> None:
    made = case(kind="system_ram", params_b=13.0, method="full", symptoms=("disk_full",))
    assert made.advice is not None
    facts = made.advice.verdict.facts
    assert (facts["alone_gb"], facts["roomy_80"]) == (80, 4)
    assert facts["checkpoint"] * 3 < facts["disk"]


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_even_running_takes_is_told_where_the_card_holds_nothing_of_it(language: str) -> None:
    made = case(kind="system_ram", params_b=236.0, gpus=(CardCount(vram_gb=4.0),), ram_gb=16.0)
    assert made.advice is not None
    assert made.advice.verdict.facts["serves"] >= 6
    assert "× 80 GB" in render(made.advice, language).text
    small = case(kind="system_ram", params_b=8.0, gpus=(CardCount(vram_gb=4.0),), ram_gb=16.0)
    assert small.advice is not None
    assert small.advice.verdict.facts["serves"] is None


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("kind", ["oom_help", "system_ram"])
def test_killed_without_a_model_says_when_and_how_much(kind: str, language: str) -> None:
    made = case(kind=kind, symptoms=("killed",))
    assert made.advice is not None
    assert (made.advice.kind, made.advice.verdict.code) == ("system_ram", "killed")
    text = render(made.advice, language).text
    assert "16–18" in text
    assert "dmesg" in text


def test_what_the_cards_hold_was_not_offloaded() -> None:
    """A full run on a card that holds it died while loading, not of states in system RAM."""
    given = {"params_b": 8.0, "method": "full", "symptoms": ("killed",)}
    held = case(kind="system_ram", **given, gpus=cards("h100-sxm"))
    assert held.advice is not None
    assert held.advice.verdict.facts["moved"] is False
    assert held.advice.verdict.facts["plan_gb"] <= 64
    small = case(kind="system_ram", **given, gpus=cards("rtx-3090"))
    assert small.advice is not None
    assert small.advice.verdict.facts["moved"] is True
    assert small.advice.verdict.facts["plan_gb"] >= 192


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_sum_is_shown_once(language: str) -> None:
    """All states in RAM: parameters times bytes, then the run; no table that says other figures for the same."""
    advice = ram(
        params_b=7.0, method="full", gpus=(card("a100-40gb-pcie"),), ram_gb=94.0, offload="params", symptoms=("killed",)
    )
    text = render(advice, language).text
    assert "× 16–18" in text
    assert "| --- |" not in text


def test_a_run_that_the_card_does_not_hold_either() -> None:
    """Mixtral in 4 bit killed with 32 GB of RAM: 24 GB of VRAM are too few as well."""
    slots = {"model": "mistralai/Mixtral-8x7B-v0.1", "method": "qlora", "ram_gb": 32.0, "symptoms": ("killed",)}
    advice = ram(**slots, gpus=(card("rtx-4090"),))
    assert "The card is too small as well" in render(advice, "en").text
    assert advice.verdict.facts["load_bits"] < advice.verdict.facts["load_16"] / 2
    assert "too small as well" not in render(ram(**slots, gpus=(card("a100-80gb-sxm"),)), "en").text


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("symptom", ["disk_full", "oom_merge"])
def test_disk_and_merging_have_no_table_of_training(language: str, symptom: str) -> None:
    text = render(ram(params_b=70.0, symptoms=(symptom,)), language).text
    assert "| --- |" not in text
    assert "1.337" not in text.replace(",", ".")


def test_a_plan_for_the_merge_says_what_does_without() -> None:
    facts = ram(model="mistralai/Mistral-Small-24B-Base-2501", method="qlora", gpus=(card("rtx-5090"),)).verdict.facts
    assert facts["plan_run"] < facts["plan_gb"]
    assert ram(params_b=3.0, method="qlora", gpus=(card("rtx-5090"),)).verdict.facts["plan_run"] is None


@pytest.mark.parametrize(("language", "word"), [("en", "No: "), ("de", "Nein: ")])
def test_who_counts_ram_as_vram_hears_no(language: str, word: str) -> None:
    assert title(ram(claims=("shared_memory_counts",), gpus=(card("rtx-3060-12gb"),)), language).startswith(word)


def test_more_ram_is_no_cure_where_there_is_plenty() -> None:
    """Exit code 137 in Docker on a host with 128 GB, 7B LoRA: the container's limit, not the RAM."""
    ample = ram(params_b=7.0, method="lora", ram_gb=128.0, symptoms=("killed",))
    text = render(ample, "en").text
    assert ample.verdict.facts["ample"] is True
    assert "plan" not in text.split("\n")[0]
    assert "docker run --memory" in text
    ranks = ram(
        params_b=7.0, method="full", offload="params", gpus=(card("a100-80gb-sxm", 8),), ram_gb=400.0,
        symptoms=("killed",),
    )  # fmt: skip
    assert ranks.verdict.facts["ample"] is False  # a copy per rank while loading
    scarce = ram(params_b=7.0, method="lora", ram_gb=16.0, symptoms=("killed",))
    assert scarce.verdict.facts["ample"] is False
    assert "plan" in render(scarce, "en").text.split("\n")[0]


def test_a_large_text_is_tokenised_in_pieces() -> None:
    slots = {"params_b": 7.0, "ram_gb": 64.0, "symptoms": ("oom_load",)}
    assert "num_proc" in render(ram(**slots, dataset_tokens=5_000_000_000), "en").text
    assert "num_proc" not in render(ram(**slots, dataset_tokens=5_000_000), "en").text


@pytest.mark.parametrize("language", ["en", "de"])
def test_cards_that_do_not_hold_the_rest_are_in_the_first_line(language: str) -> None:
    slots = {"params_b": 30.0, "method": "full", "sharding": "zero3", "offload": "optimizer"}
    assert "23." in title(ram(**slots, gpus=(card("rtx-3090", 8),)), language).replace(",", ".")
    assert "78" not in title(ram(**slots, gpus=(card("a100-80gb-sxm", 8),)), language)


def test_wsl_gives_linux_half_of_the_ram() -> None:
    slots = {"params_b": 14.0, "method": "qlora", "ram_gb": 32.0, "symptoms": ("killed",)}
    inside = ram(**slots, os="windows-wsl2")
    assert inside.verdict.facts["wsl_gb"] == 16.0
    assert "`memory=`" in render(inside, "en").text
    assert "`memory=`" not in render(ram(**slots, os="linux"), "en").text


def test_what_dies_while_loading_needs_the_weights() -> None:
    """14B passes 27.5 GiB while loading: 32 GB are not far more than it needs."""
    advice = ram(params_b=14.0, method="qlora", ram_gb=32.0, symptoms=("oom_load",))
    assert advice.verdict.facts["ample"] is False


@pytest.mark.parametrize("language", ["en", "de"])
def test_one_process_that_dies_while_loading_loads_in_fp32(language: str) -> None:
    """Kaggle, 29 GB of RAM, a 13B whose files have 26 GB: 52 GB in fp32. The box is fixed, so no plan for another."""
    advice = ram(model="meta-llama/Llama-2-13b-hf", gpus=(card("p100-16gb"),), ram_gb=29.0, symptoms=("oom_load",))
    assert advice.verdict.code == "load"
    text = render(advice, language).text
    assert text.startswith(("**It is the loading: in fp32", "**Es ist das Laden: In fp32"))
    assert "dtype=torch.float16" in text
    assert "low_cpu_mem_usage=True" in text
    assert "48 GB" not in text


def test_a_load_that_the_card_refused_is_not_the_ram() -> None:
    slots = {"params_b": 13.0, "gpus": (card("t4"),), "ram_gb": 29.0, "symptoms": ("oom_load",)}
    assert ram(**slots, tried_allocate_gib=1.2).verdict.code != "load"
    assert ram(**{**slots, "ram_gb": 64.0}).verdict.code != "load"


@pytest.mark.parametrize("language", ["en", "de"])
def test_policy_and_reference_of_every_rank_fill_the_ram(language: str) -> None:
    """Reported: DPO with all weights of a 7B on 8 cards did not hold in 400 GB."""
    slots = {"params_b": 7.0, "method": "full", "algorithm": "dpo", "ram_gb": 400.0, "symptoms": ("oom_step",)}
    advice = ram(**slots, gpus=(card("a100-80gb-sxm", 8),))
    assert advice.verdict.facts["reference"]
    assert 450 < advice.verdict.facts["load_fp32"] / GIB < 550
    first = title(advice, language)
    assert first.startswith(("400 GB are too little while loading", "400 GB sind beim Laden zu wenig"))
    assert first.endswith(("400 GB are then enough.", "400 GB reichen dann."))
    assert "1.6 GiB a card where it is split" in render(advice, "en").text


def test_fewer_of_many_cards_that_hold_it_are_named() -> None:
    advice = ram(params_b=70.0, method="qlora", gpus=(card("a100-40gb-pcie", 8),))
    assert 1 < advice.verdict.facts["least_cards"] < 8
    assert "of the cards hold it already" in render(advice, "en").text


@pytest.mark.parametrize("language", ["en", "de"])
def test_ram_that_holds_one_copy_dies_of_eight(language: str) -> None:
    """512 GB, eight ranks, a 72B killed while loading: loading once is the cure, no larger machine."""
    advice = ram(params_b=72.0, gpus=(card("a100-80gb-sxm", 8),), ram_gb=512.0, symptoms=("killed", "oom_load"))
    assert advice.verdict.facts["copies_over"]
    first = title(advice, language)
    assert "512 GB hold 72B once" in first or "512 GB fassen 72B einmal" in first
    assert "768" not in first


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_text_that_fills_the_ram_is_the_cause_without_a_model_too(language: str) -> None:
    text = render(ram(symptoms=("killed",), ram_gb=32.0, dataset_tokens=10**10), language).text
    assert "writer_batch_size" in text.split("\n")[1]


@pytest.mark.parametrize(
    ("language", "first"),
    [("en", "**Normal with offload: the cards wait"), ("de", "**Mit Auslagern normal: Die Karten")],
)
def test_an_offloaded_run_that_runs_is_told_why_its_cards_idle(language: str, first: str) -> None:
    slots = {"params_b": 13.0, "method": "full", "sharding": "zero3", "offload": "params", "ram_gb": 128.0}
    made = case(kind="system_ram", gpus=cards("rtx-4090", 2), symptoms=("sees_util",), **slots)
    assert made.advice is not None
    assert made.advice.verdict.code == "waits"
    text = render(made.advice, language).text
    assert text.startswith(first)
    assert "not enough" not in text
    assert len(text) <= 900


@pytest.mark.parametrize(
    ("ram_gb", "english", "german"),
    [
        (64.0, ("No: the card holds its part", "(128 GB at the very least)"), ("Nein: Die Karte reicht", "mindestens")),
        (128.0, ("128 GB are tight, better 192 GB",), ("128 GB sind knapp, besser sind 192 GB",)),
        (256.0, ("256 GB are enough",), ("256 GB reichen",)),
    ],
)
def test_offloaded_states_say_what_just_does(ram_gb: float, english: tuple[str, ...], german: tuple[str, ...]) -> None:
    """Reported: a 7B with ZeRO-3 offload took about 100 GB of RAM beside one card."""
    slots = {"params_b": 7.0, "method": "full", "offload": "params", "sharding": "zero3"}
    advice = ram(**slots, gpus=(card("rtx-3090"),), ram_gb=ram_gb)
    assert all(words in title(advice) for words in english)
    assert all(words in title(advice, "de") for words in german)


@pytest.mark.parametrize(("language", "words"), [("en", "That is batch 64: at batch 1"), ("de", "Das ist Batch 64:")])
def test_killed_at_a_large_batch_is_no_verdict_on_the_cards(language: str, words: str) -> None:
    """70B over 24 cards of 40 GB: QLoRA at 64 x 256 tokens is too much for each, at batch 1 it is a few GiB."""
    slots = {"kind": "system_ram", "model": "meta-llama/Llama-2-70b-hf", "seq_len": 256, "micro_batch": 64, "nodes": 3}
    advice = case(**slots, gpus=cards("a100-40gb-pcie", 24), symptoms=("killed",)).advice
    assert advice is not None
    one = advice.verdict.facts["batch_one"]
    assert one["lean"]["fit"] == "yes"
    assert one["full"]["fit"] == "no"
    assert words in render(advice, language).text


def test_what_the_cards_keep_is_counted_for_the_offload_that_the_ram_is_counted_for() -> None:
    """CPU offload of all weights moves parameters too, as the sum of the RAM says: 20 GiB stay on a card, not 52."""
    asked = {"params_b": 70.0, "method": "full", "offload": "optimizer", "gpus": cards("a100-40gb-pcie", 8)}
    made = case(kind="system_ram", **asked)
    assert made.advice is not None
    assert made.advice.setup is not None
    assert made.advice.setup.offload == "params"
    assert made.advice.verdict.facts["offloaded"]["fit"] == "yes"


@pytest.mark.parametrize(("language", "words"), [("en", "take the offload out"), ("de", "Nimm das Auslagern heraus")])
def test_an_offload_that_the_cards_do_not_need_is_to_be_taken_out(language: str, words: str) -> None:
    """30B in full on 8x H200 with ZeRO-2 offload: 1.7 TB of RAM were not enough, the cards hold all of it split."""
    slots = {"params_b": 30.0, "method": "full", "sharding": "zero2", "offload": "optimizer", "symptoms": ("killed",)}
    made = case(kind="system_ram", **slots, ram_gb=1700.0, gpus=cards("h200-sxm", 8))
    assert made.advice is not None
    assert made.usable is not None
    assert made.advice.verdict.facts["kept"]["device"] < made.usable
    assert words in render(made.advice, language).title
    small = case(kind="system_ram", **slots, ram_gb=600.0, gpus=cards("a100-40gb-pcie", 8))
    assert small.advice is not None
    assert small.advice.verdict.facts["kept"] is None
    assert words not in render(small.advice, language).title
