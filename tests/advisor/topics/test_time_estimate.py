"""Time: hours with a range, a table where something is open, and a word on a time that was seen."""

from typing import Any

import pytest

from advisor.advice import Advice
from advisor.advisor import advise
from advisor.query import CardCount, Kind
from bot.messages import Question
from bot.pipeline import answer
from bot.renderer import render
from bot.renderer.filters import duration
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import card, cards, case, stated


def time(**slots: Any) -> Advice:
    query = stated(Kind.TIME_ESTIMATE, **slots)
    return advise(query, load_catalog())


ON_A_3090: dict[str, Any] = {"params_b": 8.0, "gpus": (card("rtx-3090"),), "dataset_examples": 10_000, "epochs": 3.0}
TWO = (card("a100-80gb-sxm"), card("a100-40gb-pcie"))
ONE_EACH = tuple((one,) for one in TWO)


@pytest.mark.parametrize(("took", "judged"), [(0.02, "too_fast"), (6.0, "plausible"), (100.0, "too_slow")])
def test_a_time_that_was_seen_is_held_against_the_estimate(took: float, judged: str) -> None:
    assert time(**ON_A_3090, took_hours=took).verdict.facts["judged"] == judged


def test_an_hour_for_dolly_on_eight_cards_is_plausible() -> None:
    """Reported: Pythia-12B, 15,000 rows twice, 8x A100, one hour."""
    advice = time(
        model="EleutherAI/pythia-12b",
        gpus=(card("a100-80gb-sxm", 8),),
        dataset_examples=15_000,
        epochs=2.0,
        took_hours=1.0,
    )
    assert render(advice, "en").title.startswith("Plausible: 1 h;")
    assert advice.verdict.facts["beyond"]  # 17 to 39 minutes of training alone
    assert render(advice, "de").title.startswith("Plausibel: 1 h;")


@pytest.mark.parametrize(("language", "word"), [("en", "Compare with"), ("de", "Vergleiche mit")])
def test_a_sentence_starts_with_a_capital(language: str, word: str) -> None:
    quick = ON_A_3090 | {"tokens_per_example": 512, "took_hours": 2.0}
    advice = time(**quick)
    assert advice.verdict.facts["judged"] == "quick"
    assert word in render(advice, language).text


def test_a_minute_is_hardly_any_data_whatever_the_data_set() -> None:
    advice = time(params_b=13.0, method="qlora", gpus=(card("rtx-4090"),), epochs=3.0, took_hours=1 / 60)
    assert advice.verdict.facts["judged"] == "too_fast"
    assert advice.verdict.facts["implied"][1] < 100
    assert "`Num examples`" in render(advice, "en").text


def test_a_long_run_says_how_many_examples_it_stands_for() -> None:
    """Reported: 88 hours for ten epochs of Alpaca's 52,000 rows with 512 tokens on a 3090."""
    slots = {"params_b": 7.0, "method": "lora", "seq_len": 512, "micro_batch": 8, "epochs": 10.0}
    advice = time(**slots, gpus=(card("rtx-3090"),), took_hours=88.0)
    low, high = advice.verdict.facts["implied"]
    assert low < 52_000 < high
    assert render(advice, "en").title.startswith("88 h on RTX 3090 is about")


def test_without_a_model_the_common_sizes_are_shown() -> None:
    """Reported: 120 hours for a million instructions on one A100."""
    advice = time(gpus=(card("a100-80gb-sxm"),), dataset_examples=1_000_000, epochs=1.0, took_hours=120.0)
    assert advice.verdict.code == "by_size"
    assert 8 in advice.verdict.facts["likely"] or advice.verdict.facts["likely"][0] < 8
    hours = [row["hours"][0] for row in advice.verdict.facts["rows"]]
    assert hours == sorted(hours)


def test_stated_tokens_an_example_count() -> None:
    usual = time(**ON_A_3090).verdict.facts
    long = time(**ON_A_3090, tokens_per_example=1500).verdict.facts
    assert usual["tokens_each_assumed"]
    assert not long["tokens_each_assumed"]
    assert long["tokens"] == 15_000_000
    assert long["hours"][0] > 1.5 * usual["hours"][0]


def test_further_models_get_their_hours() -> None:
    facts = time(params_b=7.0, models=("70B",), gpus=(card("a100-80gb-sxm"),)).verdict.facts
    assert [other["name"] for other in facts["others"]] == ["70B"]
    assert facts["others"][0]["hours"][0] > 4 * facts["rows"][1]["hours"][0]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("slots", [{}, {"params_b": 8.0}, ON_A_3090, ON_A_3090 | {"took_hours": 60.0}])
def test_the_first_line_is_short(language: str, slots: dict[str, Any]) -> None:
    assert len(render(time(**slots), language).title) <= 140


def test_several_named_cards_are_the_ones_compared() -> None:
    both = (card("a100-80gb-sxm"), card("a100-40gb-pcie"))
    advice = time(params_b=7.0, method="qlora", models=("70B",), gpus=both, candidates=tuple((one,) for one in both))
    facts = advice.verdict.facts
    assert [row["card"] for row in facts["rows"]] == ["A100 80GB SXM", "A100 40GB PCIe"]
    assert [(other["name"], other["card"]) for other in facts["others"]] == [("70B", "A100 80GB SXM")]


def test_one_of_several_epochs_is_told_too() -> None:
    facts = time(**ON_A_3090).verdict.facts
    assert facts["epoch"][0] * 3 == pytest.approx(facts["hours"][0])
    assert time(**(ON_A_3090 | {"epochs": 1.0})).verdict.facts["epoch"] is None


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    ("seen", "judged"),
    [(60.0, "speed_slow"), (1_400.0, "speed_normal"), (5_000.0, "speed_fast"), (60_000.0, "speed_impossible")],
)
def test_a_speed_that_was_seen_is_held_against_the_estimate(seen: float, judged: str, language: str) -> None:
    advice = time(params_b=8.0, method="qlora", gpus=(card("rtx-4090"),), seen_tokens_per_s=seen)
    assert advice.verdict.facts["judged"] == judged
    assert "tokens/s" in render(advice, language).title.lower()


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_lora_that_does_not_fit_is_timed_as_qlora_and_says_so(language: str) -> None:
    advice = time(params_b=13.0, method="lora", gpus=(card("rtx-3090"),), dataset_examples=5_000)
    facts = advice.verdict.facts
    assert facts["instead"]["method"] == "qlora"
    assert facts["instead"]["need"] < facts["usable"] < facts["need"]
    assert advice.setup is not None
    assert advice.setup.method == "qlora"
    assert "16" in render(advice, language).text.split("\n")[-1] or "QLoRA" in render(advice, language).text


def test_a_lora_that_fits_is_timed_as_it_is() -> None:
    assert time(params_b=8.0, method="lora", gpus=(card("rtx-3090"),)).verdict.facts["instead"] is None


@pytest.mark.parametrize("language", ["en", "de"])
def test_several_cards_stand_beside_one(language: str) -> None:
    advice = time(params_b=13.0, method="qlora", gpus=(card("rtx-3090", 2),), n_gpus=2)
    low, high = advice.verdict.facts["alone"]
    together = advice.verdict.facts["rows"][1]["hours"]
    assert 1.5 * together[0] < low < 2.5 * together[0]
    assert high > together[1]
    assert ("alone" if language == "en" else "allein") in render(advice, language).text


@pytest.mark.parametrize("language", ["en", "de"])
def test_where_no_card_is_settled_the_memory_of_each_size_is_said(language: str) -> None:
    advice = time(params_b=13.0, method="qlora", models=("70B",))
    assert [(o["name"], o["gb"]) for o in advice.verdict.facts["memory"]] == [("13B", 12), ("70B", 48)]
    assert "48 GB" in render(advice, language).text


@pytest.mark.parametrize("language", ["en", "de"])
def test_stages_are_runs_of_their_own(language: str) -> None:
    stages = {"algorithm": ("pretrain", "sft", "ppo")}
    slots: dict[str, Any] = {"params_b": 8.0, "gpus": (card("rtx-4090"),), "algorithm": "sft"}
    query = stated(Kind.TIME_ESTIMATE, named=stages, **slots)
    assert "RLHF" in render(advise(query, load_catalog()), language).text
    assert "RLHF" not in render(time(**slots), language).text


def test_seconds_per_step_are_tokens_per_second_of_the_global_batch() -> None:
    slots: dict[str, Any] = {"params_b": 8.0, "method": "qlora", "micro_batch": 2, "grad_accum": 4}
    advice = time(**slots, gpus=(card("rtx-4090"),), tokens_per_example=500, seen_s_per_step=4.0)
    assert advice.verdict.facts["seen_speed"] == (1000.0, 1000.0)


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_bare_size_is_timed_on_its_usual_cards(language: str) -> None:
    bare = (CardCount(count=1, vram_gb=16.0),)
    advice = time(params_b=8.0, method="qlora", gpus=bare, dataset_examples=5_000)
    assert advice.verdict.code == "by_card"
    assert [row["card"] for row in advice.verdict.facts["rows"]] == ["Tesla T4", "RTX 4060 Ti 16GB", "RTX 5080"]
    assert "RTX 5080" in render(advice, language).title


@pytest.mark.parametrize("language", ["en", "de"])
def test_rollouts_take_the_time(language: str) -> None:
    advice = time(params_b=8.0, algorithm="grpo", gpus=(card("rtx-4090"),), dataset_examples=1_000)
    assert advice.verdict.code == "rollouts"
    assert render(advice, language).title.startswith("GRPO")


def test_plain_text_is_read_once() -> None:
    advice = time(params_b=8.0, algorithm="pretrain", gpus=(card("h100-sxm"),), dataset_tokens=10**9)
    assert advice.verdict.facts["epochs"] == 1


def test_pairs_are_two_answers_an_example() -> None:
    slots: dict[str, Any] = {"params_b": 8.0, "method": "qlora", "gpus": (card("rtx-4090"),), "dataset_examples": 5_000}
    plain, pairs = (time(**slots, algorithm=name).verdict.facts["hours"] for name in ("sft", "dpo"))
    assert 1.5 * plain[0] < pairs[0] < 3 * plain[0]


def test_a_time_on_a_bare_size_is_not_judged() -> None:
    advice = time(params_b=8.0, gpus=(CardCount(count=1, vram_gb=16.0),), took_hours=5.0)
    assert advice.verdict.code == "by_card"
    assert advice.verdict.facts["judged"] is None


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_step_of_stated_length_may_be_shorter_or_full(language: str) -> None:
    slots: dict[str, Any] = {"params_b": 1.5, "method": "qlora", "micro_batch": 2, "seq_len": 1024}
    advice = time(**slots, gpus=(card("rtx-4090"),), seen_s_per_step=0.5)
    facts = advice.verdict.facts
    assert facts["seen_speed"] == (2048.0, 4096.0)
    assert facts["judged"] == "speed_normal"
    assert facts["accum_unsaid"]
    slow = time(**slots, gpus=(card("rtx-4090"),), seen_s_per_step=20.0)
    assert "ccumulation" in render(slow, language).text


@pytest.mark.parametrize(("language", "said"), [("en", "Good"), ("de", "Gut")])
def test_faster_than_the_estimate_is_good_news(language: str, said: str) -> None:
    slots: dict[str, Any] = {"params_b": 8.0, "method": "qlora", "gpus": (card("rtx-4090"),)}
    speed = time(**slots).verdict.facts["speed"]
    advice = time(**slots, seen_tokens_per_s=speed[1] * 1.3)
    assert advice.verdict.facts["judged"] == "speed_good"
    assert said in render(advice, language).title


@pytest.mark.parametrize(("language", "said"), [("en", "Quick"), ("de", "Schnell")])
def test_a_time_below_the_estimate_is_quick_and_has_a_reason(language: str, said: str) -> None:
    slots: dict[str, Any] = {
        "params_b": 8.0,
        "method": "qlora",
        "gpus": (card("rtx-4090"),),
        "dataset_examples": 50_000,
    }
    shortest = time(**slots).verdict.facts["hours"][0]
    advice = time(**slots, took_hours=0.6 * shortest)
    assert advice.verdict.facts["judged"] == "quick"
    assert render(advice, language).title.startswith(said)
    assert time(**slots, took_hours=1.1 * shortest).verdict.facts["judged"] == "plausible"


@pytest.mark.parametrize("language", ["en", "de"])
def test_who_asks_for_the_speed_reads_it_first(language: str) -> None:
    advice = time(params_b=8.0, method="qlora", gpus=(card("rtx-5090"),), symptoms=("asks_speed",))
    assert "okens/s" in render(advice, language).title.split("RTX")[0]


BOTH: dict[str, Any] = {"params_b": 7.0, "method": "qlora", "models": ("70B",), "gpus": (card("a100-80gb-sxm"),)}


def test_each_size_on_the_cards_that_are_named_for_it() -> None:
    """Reported: a 7B on one A100 took half a day, a 70B on four five to six days, on a large data set."""
    advice = time(**BOTH, named={"n_gpus": ("1", "4")})
    (seventy,) = advice.verdict.facts["others"]
    (alone,) = time(**BOTH).verdict.facts["others"]
    assert (seventy["count"], seventy["card"], seventy["fit"]) == (4, "A100 80GB SXM", "yes")
    assert (alone["count"], alone["fit"]) == (1, "yes")
    assert seventy["hours"][0] < alone["hours"][0]
    for language in ("en", "de"):
        assert "4× A100 80GB SXM" in render(advice, language).text


def test_a_size_that_the_cards_do_not_hold_is_said_not_to_fit() -> None:
    advice = time(**(BOTH | {"gpus": (card("rtx-3090"),)}))
    (seventy,) = advice.verdict.facts["others"]
    assert seventy["fit"] == "no"
    assert "(does not fit: " in render(advice, "en").text
    assert "(passt nicht: " in render(advice, "de").text


def test_16_bit_on_a_card_of_16_gb_says_that_it_does_not_fit() -> None:
    """Reported: ChatGLM-6B with LoRA on a V100; its code gets no fused loss."""
    advice = time(model="THUDM/chatglm-6b", method="lora", gpus=(card("v100-16gb"),))
    assert advice.verdict.facts["instead"]["stated"] == "lora"
    assert "LoRA in 16 bit does not fit" in render(advice, "en").text


@pytest.mark.parametrize(("hours", "said"), [((10.0, 48.0), "10–48 h"), ((24.0, 60.0), "1–2.5 days")])
def test_more_than_two_days_are_days(hours: tuple[float, float], said: str) -> None:
    assert duration(hours, "en") == said


A_STEP: dict[str, Any] = {"params_b": 4.0, "seq_len": 1024, "gpus": (card("rtx-3090"),), "seen_s_per_step": 5.04}


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_slow_step_is_held_against_what_the_card_does(language: str) -> None:
    """Reported: 120,000 steps of a 4B at 1,024 tokens on a 3090 in seven days; usual are 0.5 to 1 s."""
    advice = time(**A_STEP)
    low, high = advice.verdict.facts["step"]
    assert 0.3 < low < 1 < high < 2
    title = render(advice, language).title
    assert title.startswith(("Not normal: 5 s a step", "Nicht normal: 5 s je Schritt"))
    assert "nvidia-smi dmon" in render(advice, language).text


def test_a_step_as_it_should_be_is_called_normal() -> None:
    assert render(time(**{**A_STEP, "seen_s_per_step": 0.8}), "en").title.startswith("Normal: 0.8 s a step")


def test_a_slower_card_that_is_as_fast_says_that_the_card_waits() -> None:
    advice = time(**A_STEP, candidates=((card("t4"),),))
    assert "That Tesla T4 is no slower says the same" in render(advice, "en").text


def test_sizes_are_called_likely_where_the_time_lies_in_their_range() -> None:
    advice = time(
        gpus=(card("rtx-4090", 2),),
        method="lora",
        dataset_tokens=12_500_000,
        epochs=3.0,
        took_hours=5.0,
        symptoms=("slow",),
    )
    assert advice.verdict.facts["likely"] == [8, 14]
    assert "every token still passes the whole model" in render(advice, "en").text
    assert "durch das ganze Modell" in render(advice, "de").text


def test_power_is_no_remark_on_a_time() -> None:
    advice = time(**{**ON_A_3090, "gpus": (card("rtx-4090", 2),)})
    assert all(found.code != "power_and_heat" for found in advice.findings)


@pytest.mark.parametrize(
    ("own", "beside", "took_on", "hours"),
    [("rtx-4090", "t4", "t4", (1.0, 3.0)), ("rtx-3060-12gb", "rtx-5090", "rtx-3060-12gb", (1.5, 5.0))],
)
def test_hours_of_one_card_are_turned_into_those_of_another(
    own: str, beside: str, took_on: str, hours: tuple[float, float]
) -> None:
    slots = {"gpus": (card(own),), "candidates": ((card(beside),),), "took_hours": 9.0}
    query = stated(Kind.TIME_ESTIMATE, named={"took_on": (took_on,)}, **slots)
    advice = advise(query, load_catalog())
    low, high = advice.verdict.facts["moved"]["hours"]
    assert hours[0] / 2 < low < high < hours[1]
    assert render(advice, "en").title.startswith("About ")
    assert render(advice, "de").title.startswith("Etwa ")
    slow = stated(Kind.TIME_ESTIMATE, named={"took_on": (took_on,)}, symptoms=("slow",), **slots)
    assert "moved" not in advise(slow, load_catalog()).verdict.facts


FASTER: dict[str, Any] = {"symptoms": ("asks_faster",), "candidates": ((card("a100-80gb-sxm"),),)}
SIX_V100: dict[str, Any] = {"gpus": (card("v100-16gb", 6),), "dataset_examples": 500_000}


def test_how_much_faster_a_card_would_be_comes_before_the_pace() -> None:
    """Asked in a tracker: six V100, a third of an epoch in 15 hours; how much faster would an A100 be?"""
    advice = time(**FASTER, **SIX_V100, done_share=1 / 3, done_of="epoch", done_hours=15.0)
    told = advice.verdict.facts["faster"]
    assert 2 < told["ratio"] < 3
    assert told["as_many"] == 3
    assert told["hours"][0] < 45 * 6 / told["ratio"] < told["hours"][1]
    assert render(advice, "en").title.startswith("One A100 80GB SXM does about 2")
    assert render(advice, "de").title.startswith("Eine A100 80GB SXM schafft etwa 2")
    assert "15 h were 33% of it" in render(advice, "en").text


def test_the_hours_of_several_cards_are_turned_into_those_of_one() -> None:
    advice = time(**FASTER, gpus=(card("rtx-3090", 2),), took_hours=20.0)
    told = advice.verdict.facts["faster"]
    assert told["count"] == 2
    assert told["hours"][1] < 20.0
    assert "not 20 h" in render(advice, "en").title
    turned = time(
        symptoms=("asks_faster",), gpus=(card("a100-80gb-sxm"),), candidates=((card("rtx-3090", 2),),), took_hours=20.0
    )
    assert turned.verdict.facts["faster"] == told


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("30% of the epoch after 9 hours on a T4 (llama 8b qlora). would an A100 be much quicker?", "an epoch on one"),
        ("epoch takes 11h on 2x 4090, 7B lora. how long on a single H200?", "one does more than your 2"),
        ("Eine Epoche dauert 20 h auf 2x 3090. Wie viel schneller wäre eine H100?", "statt 20 h"),
        ("epoch takes 11h on an H100, 7B lora. how long on 2x 4090?", "on 2× RTX 4090"),
        ("8B qlora on a 3060, a step takes 4 s. how much faster would a 4090 be?", "what one RTX 3060 12GB does."),
    ],
)
def test_another_card_that_is_named_is_answered_first(text: str, words: str) -> None:
    assert words in answer(Question(text=text)).reply.title


def test_nobody_is_told_how_much_faster_without_asking_or_without_hours() -> None:
    going = {"done_share": 0.5, "done_of": "epoch", "done_hours": 5.0}
    assert "faster" not in time(**FASTER | {"symptoms": ("slow",)}, **SIX_V100, **going).verdict.facts
    assert "faster" not in time(**FASTER | {"symptoms": ()}, **SIX_V100).verdict.facts
    assert time(**FASTER, **SIX_V100).verdict.facts["faster"]["hours"] is None
    assert "faster" not in time(symptoms=("asks_faster",), **SIX_V100, **going).verdict.facts


def test_an_assumed_batch_of_one_says_what_shortens_it() -> None:
    assert "packing and a larger batch than 1 shorten it" in render(time(**ON_A_3090), "en").text
    assert "larger batch than 1" not in render(time(**ON_A_3090, micro_batch=4), "en").text


def test_hours_of_what_does_not_fit_say_so_first_and_once() -> None:
    advice = time(params_b=70.0, method="qlora", gpus=(card("rtx-3090"),), dataset_examples=1_000)
    text = render(advice, "en").text
    assert text.startswith("**If it is made to fit (")
    assert "It does not fit as stated" not in text


def test_a_run_that_is_going_is_reckoned_up() -> None:
    """Asked in a tracker: 30 minutes for a hundredth of an epoch, a day rented: 50 hours an epoch."""
    going = {"params_b": 7.0, "gpus": (card("rtx-4090"),), "done_share": 0.01, "done_of": "epoch", "done_hours": 0.5}
    advice = time(**going, max_hours=24.0)
    assert advice.verdict.facts["pace"]["one"] == (50.0, 50.0)
    assert render(advice, "en").title.startswith("No, 24 h are not enough: about 50 h (2.1 days) an epoch at this pace")
    assert render(advice, "de").title.startswith("Nein, 24 h reichen nicht: etwa 50 h (2,1 Tage) je Epoche")
    assert "for 3 at this pace" in render(time(**going, epochs=3.0), "en").title


def test_steps_of_all_steps_are_the_whole_run() -> None:
    going = {"params_b": 13.0, "gpus": (card("rtx-3090"),), "done_share": 0.0128, "done_of": "run", "done_hours": 1.0}
    assert "78 h (3 days) for the whole run" in render(time(**going, epochs=3.0), "en").title
    assert "for the whole run" in render(time(done_share=0.5, done_of="run", done_hours=1.0), "en").title


def test_all_weights_that_no_card_holds_are_split_in_the_line_of_the_set_up() -> None:
    for size, sharding in ((7.0, "fsdp"), (1.0, "ddp")):
        made = case(kind="time_estimate", params_b=size, method="full", gpus=cards("a100-80gb-sxm", 4))
        assert made.advice is not None
        assert made.advice.setup is not None
        assert (made.advice.setup.sharding == "fsdp") is (sharding == "fsdp")


@pytest.mark.parametrize("language", ["en", "de"])
def test_without_data_the_hours_of_a_large_set_stand_in_the_first_line(language: str) -> None:
    """Reported: half a day for a 7B, five to six days for a 70B, where our 10,000 examples take hours."""
    advice = time(
        params_b=7.0, method="qlora", models=("70B",), named={"n_gpus": ("1", "4")}, gpus=TWO, candidates=ONE_EACH
    )
    more = {row["name"]: row["hours"] for row in advice.verdict.facts["more"]}
    first = advice.verdict.facts["rows"][0]["hours"]
    assert more["7B"] == pytest.approx(tuple(5 * end for end in first))
    assert more["70B"][1] > 24
    title = render(advice, language).title
    assert "70B" in title
    assert ("50,000" if language == "en" else "50.000") in title


def test_with_data_nothing_is_told_of_other_amounts() -> None:
    advice = time(params_b=7.0, dataset_examples=2_000)
    assert advice.verdict.facts["more"] == []
    assert "50,000" not in render(advice, "en").text


@pytest.mark.parametrize("language", ["en", "de"])
def test_why_it_is_slow_needs_no_hours_where_neither_card_nor_data_are_named(language: str) -> None:
    slots = {"model": "Qwen/Qwen3-30B-A3B", "method": "qlora", "symptoms": ("slow",)}
    alone, on_a_card = (render(time(**slots, gpus=gpus), language).text for gpus in ((), (card("rtx-5090"),)))
    assert "RTX 3090" not in alone
    assert "RTX 5090" in on_a_card


def test_a_time_that_was_seen_is_told_in_examples_a_second() -> None:
    advice = time(params_b=12.0, gpus=(card("a100-80gb-sxm", 8),), dataset_examples=15_000, epochs=2.0, took_hours=1.0)
    assert "8.33 examples a second over 8 cards" in render(advice, "en").text
    assert "8,33 Beispiele je Sekunde auf 8 Karten" in render(advice, "de").text
    unsaid = time(params_b=12.0, gpus=(card("a100-80gb-sxm", 8),), dataset_examples=15_000, took_hours=1.0)
    assert unsaid.verdict.facts["per_s"] is None


@pytest.mark.parametrize(
    ("slots", "judged"),
    [
        ({"params_b": 8.0, "method": "lora", "gpus": cards("dgx-spark"), "seen_tokens_per_s": 53_000.0}, "impossible"),
        ({"params_b": 13.0, "method": "qlora", "gpus": cards("rtx-3090"), "seen_tokens_per_s": 30_000.0}, "impossible"),
        ({"params_b": 8.0, "method": "full", "gpus": cards("h100-sxm"), "seen_tokens_per_s": 40_000.0}, "impossible"),
        ({"params_b": 8.0, "method": "lora", "gpus": cards("h100-sxm", 8), "seen_tokens_per_s": 40_000.0}, "normal"),
        ({"params_b": 8.0, "method": "qlora", "gpus": cards("rtx-3090"), "seen_tokens_per_s": 900.0}, "normal"),
    ],
)
def test_a_speed_beyond_what_the_card_reckons_cannot_be(slots: dict[str, Any], judged: str) -> None:
    facts = time(**slots).verdict.facts
    assert facts["judged"] == f"speed_{judged}"
    if judged == "impossible":
        assert facts["arithmetic"]["wants"] > facts["arithmetic"]["has"]


@pytest.mark.parametrize(("language", "words"), [("en", "100M tokens"), ("de", "100M Tokens")])
def test_plain_text_is_told_by_its_tokens_and_not_by_examples(language: str, words: str) -> None:
    """Pretraining a 30B with LoRA on two A100: a rate, and hours by the amount of text."""
    slots = {"params_b": 30.0, "method": "lora", "gpus": (card("a100-80gb-sxm", 2),)}
    advice = time(**slots, algorithm="pretrain")
    rows = advice.verdict.facts["rows"]
    assert [row["tokens"] for row in rows] == [10_000_000, 100_000_000, 1_000_000_000]
    assert rows[2]["hours"][0] == pytest.approx(100 * rows[0]["hours"][0], rel=0.01)
    assert advice.verdict.facts["tokens_each"] == 2048  # packed
    assert advice.verdict.facts["alone"][0] > rows[1]["hours"][0]  # of the amount that the first line tells
    text = render(advice, language).text
    assert words in text
    assert "10,000" not in text
    assert "examples" in time(**slots).verdict.facts["rows"][0]


@pytest.mark.parametrize(("language", "words"), [("en", "It takes 8× H100"), ("de", "Es braucht 8× H100")])
def test_a_model_that_one_server_card_does_not_hold_is_timed_on_as_many_as_do(language: str, words: str) -> None:
    slots = {"params_b": 72.0, "method": "full", "dataset_examples": 50_000}
    advice = time(**slots, gpus=(card("h100-sxm"),))
    facts = advice.verdict.facts
    assert facts["count"] == 8
    assert facts["wants"] < facts["usable"]
    assert facts["alone"] is None  # one does not hold it
    assert render(advice, language).title.startswith(words)
    one = time(**(slots | {"params_b": 7.0}), gpus=(card("h100-sxm"),)).verdict.facts
    assert (one["wants"], one["count"]) == (None, 1)
    named = time(**slots, gpus=(card("h100-sxm", 4),)).verdict.facts
    assert (named["wants"], named["count"]) == (None, 4)


@pytest.mark.parametrize(
    ("language", "words"), [("en", "12,000 steps × 1.2 s are 4 h"), ("de", "12.000 Schritte × 1,2 s sind 4 h")]
)
def test_steps_at_the_pace_that_was_seen_are_summed_up(language: str, words: str) -> None:
    slots = {"params_b": 8.0, "method": "qlora", "seq_len": 2048, "micro_batch": 2, "gpus": (card("rtx-3090"),)}
    advice = time(**slots, seen_s_per_step=1.2, named={"steps": ("12000",)})
    assert words in render(advice, language).text
    assert advice.verdict.facts["short"]  # of full length they would take longer
    unsaid = time(**slots, seen_s_per_step=5.0)
    assert (unsaid.verdict.facts["steps"], unsaid.verdict.facts["short"]) == (None, False)


def test_each_set_up_is_timed_on_as_many_cards_as_it_has_and_one_epoch_where_that_is_asked() -> None:
    both = ((card("rtx-3090", 2),), (card("rtx-4090"),))
    slots = {"params_b": 8.0, "method": "qlora", "dataset_examples": 20_000, "candidates": both}
    facts = time(**slots, gpus=(card("rtx-3090", 2), card("rtx-4090")), symptoms=("asks_epoch",)).verdict.facts
    assert [row["count"] for row in facts["rows"]] == [2, 1]
    assert (facts["epochs"], facts["epochs_assumed"]) == (1.0, False)
    usual = time(**slots, gpus=(card("rtx-3090", 2), card("rtx-4090"))).verdict.facts
    assert usual["rows"][0]["hours"][0] > 2 * facts["rows"][0]["hours"][0]
