"""Running: what the weights and the cache take, and why it ran out of memory."""

from typing import Any

import pytest

from advisor.advice import Advice
from advisor.query import CardCount
from bot.messages import Question
from bot.pipeline import answer
from bot.renderer import render, words_of
from tests.advisor.rules.ask import cards, case


def run(**slots: Any) -> Advice:
    advice = case(kind="inference_only", **slots).advice
    assert advice is not None
    return advice


def test_a_cache_of_keys_and_values_per_token() -> None:
    facts = run(model="huggyllama/llama-7b").verdict.facts
    assert facts["cache"] == 2 * 2 * 32 * 4096 * 1000
    assert facts["weights_4"] < facts["weights_8"] < facts["weights_16"]


def test_latent_attention_has_no_such_cache() -> None:
    assert run(model="deepseek-ai/DeepSeek-R1").verdict.facts["cache"] is None


@pytest.mark.parametrize("language", ["en", "de"])
def test_out_of_memory_names_the_cache_first(language: str) -> None:
    failed = run(model="huggyllama/llama-7b", gpus=cards("rtx-3090-ti"), symptoms=("oom_step",))
    assert "Cache" in (text := render(failed, language).text.split("\n")[0]) or "cache" in text
    assert "32,0" in text or "32.0" in text


@pytest.mark.parametrize("language", ["en", "de"])
def test_layers_that_do_not_fit_and_sizes_for_home(language: str) -> None:
    assert "num_gpu" in render(run(params_b=120.0, gpus=cards("rtx-3090")), language).text
    assert "num_gpu" not in render(run(params_b=8.0, gpus=cards("rtx-3090")), language).text
    assert "7–14B" in render(run(params_b=671.0), language).text


@pytest.mark.parametrize("language", ["en", "de"])
def test_between_a_card_and_none_the_card_is_taken(language: str) -> None:
    choice = render(run(gpus=cards("rtx-3060-12gb"), symptoms=("no_gpu_found",)), language).title
    assert choice.startswith({"en": "Take the one with", "de": "Nimm den mit der Karte"}[language])
    alone = render(run(gpus=cards("rtx-3060-12gb")), language).title
    assert not alone.startswith(("Take", "Nimm"))


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_serves_16_bit_is_counted_in_cards_of_80_gb(language: str) -> None:
    assert "2× 80 GB" in render(run(params_b=70.0, gpus=cards("a100-80gb-sxm")), language).text
    assert "× 80 GB" not in render(run(params_b=8.0, gpus=cards("a100-80gb-sxm")), language).text


def test_without_a_card_the_one_that_4_bit_takes_is_named() -> None:
    facts = run(params_b=32.0).verdict.facts
    assert facts["card_4"] == 24
    assert run(params_b=70.0).verdict.facts["card_4"] == 48
    assert run(params_b=671.0).verdict.facts["card_4"] is None
    assert run(params_b=32.0, gpus=cards("rtx-4090")).verdict.facts["card_4"] is None


def test_the_cache_is_told_at_the_length_that_is_meant() -> None:
    slots: dict[str, Any] = {"model": "Qwen/Qwen3-8B"}
    facts = run(**slots, seq_len=8192).verdict.facts
    assert facts["cache_at"] == facts["cache"] * 8192 // 1000
    assert run(**slots).verdict.facts["cache_at"] is None


def test_who_runs_4_bit_is_not_told_to_take_4_bit() -> None:
    slots: dict[str, Any] = {"params_b": 32.0, "gpus": cards("rtx-4080"), "symptoms": ("oom_load",)}
    quantised = render(run(**slots, weight_bits=4.0), "en").text
    assert "does not fit whole even in 4 bit" in quantised
    assert "load in 8 or 4 bit" not in quantised
    assert "load in 8 or 4 bit" in render(run(**slots), "en").text


def test_a_server_with_small_weights_ran_out_of_its_cache() -> None:
    slots: dict[str, Any] = {"model": "Qwen/Qwen2.5-14B", "weight_bits": 4.0, "gpus": cards("rtx-4090")}
    text = render(run(**slots, symptoms=("oom_step",)), "en").text
    assert "it is the cache" in text
    assert "load in 8 or 4 bit" not in text


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_card_and_no_model_has_an_answer(language: str) -> None:
    """A processor only, and models that nobody names."""
    assert render(run(symptoms=("no_gpu_found",), ram_gb=8.0), language).text


def test_the_card_for_4_bit_holds_the_cache_of_the_stated_length() -> None:
    """Qwen3-32B with 32k of context: 18 GiB and 8 GiB of cache are more than 24 GB."""
    slots: dict[str, Any] = {"model": "Qwen/Qwen3-32B"}
    assert run(**slots, seq_len=32_768).verdict.facts["card_4"] == 32
    assert run(**slots).verdict.facts["card_4"] == 24


LAPTOP = {"gpus": (CardCount(name="T500", vram_gb=4.0),), "ram_gb": 16.0}


def test_what_neither_card_nor_ram_holds_does_not_run() -> None:
    """132 GiB in 4 bit on a laptop with 16 GB: the small one of the family runs, by the name that was asked for."""
    facts = run(model="deepseek-ai/DeepSeek-Coder-V2-Instruct", **LAPTOP).verdict.facts
    assert facts["ram_holds"] is False
    assert facts["smaller"]["name"] == "DeepSeek-Coder-V2-Lite-Instruct"
    assert facts["cards_16"] == 8


@pytest.mark.parametrize("language", ["en", "de"])
def test_stated_ram_decides_whether_it_runs(language: str) -> None:
    does_not = {"en": "does not run here", "de": "Hier läuft es nicht"}[language]
    assert does_not in render(run(params_b=70.0, **LAPTOP), language).text
    held = render(run(params_b=14.0, **LAPTOP), language).text
    assert does_not not in held
    assert {"en": "it runs, slowly", "de": "Es läuft, aber langsam"}[language] in held
    assert run(params_b=14.0, gpus=LAPTOP["gpus"]).verdict.facts["ram_holds"] is None


@pytest.mark.parametrize("language", ["en", "de"])
def test_without_a_card_there_is_no_rest_for_the_ram(language: str) -> None:
    """A 27B on a laptop with 16 GB and no card: the 12B of its family, from RAM alone."""
    text = render(run(model="google/gemma-3-27b-it", ram_gb=16.0), language).text
    assert "gemma-3-12b" in text
    assert {"en": "even in 4 bit", "de": "auch nicht in 4 Bit"}[language] in text
    assert {"en": "partly from RAM", "de": "zum Teil"}[language] not in text


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_first_line_says_what_the_cards_hold(language: str) -> None:
    """Three RTX 3090 hold a 30B in 4 bit with ease, in 16 bit just so; a 4-bit 70B is too much for one."""
    held = run(params_b=32.5, gpus=cards("rtx-3090", 3))
    facts = held.verdict.facts
    assert (facts["fit_4"], facts["fit_8"], facts["fit_16"]) == ("yes", "yes", "tight")
    words = words_of(language)["fit"]
    assert words["tight"] in render(held, language).text.split("**")[1]
    assert "GGUF" not in render(held, language).text


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_2_bit_file_is_named_where_it_alone_fits(language: str) -> None:
    """Mixtral on 24 GB: reported at 18 GB with Q2_K."""
    mixtral = run(model="mistralai/Mixtral-8x7B-v0.1", gpus=cards("rtx-4090"))
    assert 15 < mixtral.verdict.facts["weights_2"] / 2**30 < 18
    assert "GGUF" in render(mixtral, language).text
    assert run(params_b=671.0, gpus=cards("rtx-4090")).verdict.facts["weights_2"] is None


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_card_alone_is_told_its_sizes_with_the_ram_at_hand(language: str) -> None:
    advice = run(gpus=(CardCount(gpu=None, name="", vram_gb=6),), ram_gb=31)
    facts = advice.verdict.facts
    assert (facts["easy"], facts["runs"], facts["runs_8"]) == ("3B", "8B", "3B")
    text = render(advice, language).text
    assert "31 GB" in text
    assert text.index("3B") < text.index("8B")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(("seen", "bits", "normal"), [(60.0, None, False), (34.0, None, True), (34.0, 4, False)])
def test_what_is_seen_far_above_the_weights_is_explained(
    language: str, seen: float, bits: int | None, normal: bool
) -> None:
    stated = {"weight_bits": bits} if bits else {}
    first = render(run(params_b=14.0, seen_gib=seen, **stated), language).text.split("\n")[0]
    assert "num_ctx" in first
    assert ("normal" in first) == normal
    assert "num_ctx" not in render(run(params_b=14.0, seen_gib=10.0), language).text.split("\n")[0]


@pytest.mark.parametrize(("language", "words"), [("en", "is the figure in 8 bit"), ("de", "sind es in 8 Bit")])
def test_a_figure_for_eight_bit_is_named_as_one_and_the_cache_is_what_runs_out(language: str, words: str) -> None:
    """Llama 7B: 12.6 GiB in 16 bit and 32 x 2,048 tokens at half a MiB are more than 24 GB; 8.5 GB is int8."""
    slots = {"kind": "inference_only", "model": "huggyllama/llama-7b", "symptoms": ("oom_step",)}
    advice = case(**slots, gpus=cards("rtx-3090-ti"), seen_gib=8.5).advice
    assert advice is not None
    assert (advice.verdict.facts["over"], advice.verdict.facts["seen_bits"]) == (True, 8)
    assert words in render(advice, language).text
    assert "`max_batch_size`" in render(advice, language).text
    roomy = case(**slots, gpus=cards("a100-80gb-sxm")).advice
    assert roomy is not None
    assert not roomy.verdict.facts["over"]


@pytest.mark.parametrize("language", ["en", "de"])
def test_weights_that_no_card_holds_are_the_cause_before_the_cache(language: str) -> None:
    """Reported: a 70B on one A100 dies at once in vLLM, and on eight of 40 GB without tensor parallelism."""
    one = render(run(params_b=70.0, gpus=cards("a100-80gb-sxm"), symptoms=("oom_step",)), language).text.split("\n")[0]
    assert "130" in one
    assert "cache" not in one.lower()
    several = run(params_b=70.0, gpus=cards("a100-40gb-pcie", 8), symptoms=("oom_step",))
    assert several.verdict.facts["spread"]
    assert "`tensor_parallel_size=8`" in render(several, language).text
    fits = run(params_b=8.0, gpus=cards("a100-40gb-pcie", 8), symptoms=("oom_step",))
    assert not fits.verdict.facts["spread"]
    assert "tensor_parallel_size" not in render(fits, language).text


def test_a_quantised_build_is_in_4_bit() -> None:
    failed = {"params_b": 70.0, "gpus": cards("rtx-4090"), "symptoms": ("oom_step",)}
    assert "does not fit whole even in 4 bit" in render(run(**failed, quant="awq"), "en").title
    assert "even in 4 bit" not in render(run(**failed), "en").title


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (
            "ollama gpt-oss 120b only uses 14 of 24gb vram, can i force more layers on the card?",
            "Yes, up to about 11 of",
        ),
        ("how many gpu layers of a 70b q4 go on my 3090 in llama.cpp?", "Yes, up to about 41 of 80"),
        ("LM Studio: wie bekomme ich alle Schichten auf die 4090? Qwen3 32B Q4", "Ja, alle 64"),
        ("ollama: llama 70b auf einer 3090, kann ich mehr Layer auf die Karte zwingen?", "Ja, bis etwa 41 von 80"),
    ],
)
def test_who_wants_more_layers_on_the_card_is_told_how_first(text: str, first: str) -> None:
    assert answer(Question(text=text)).reply.title.startswith(first)


@pytest.mark.parametrize("language", ["en", "de"])
def test_layers_that_nobody_asks_for_are_not_counted(language: str) -> None:
    assert " 80:" not in render(run(params_b=70.0, gpus=cards("rtx-3090")), language).title


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_ram_and_card_do_not_hold_is_said_not_to_run(language: str) -> None:
    owned = {"gpus": (CardCount(vram_gb=4.0),), "ram_gb": 16.0}
    said = render(run(model="deepseek-ai/DeepSeek-Coder-V2-Instruct", **owned), language)
    assert said.title.startswith({"en": "It does not run here", "de": "Hier läuft es nicht"}[language])
    assert "DeepSeek-Coder-V2-Lite-Instruct" in said.text


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_size_that_is_asked_to_run_gets_its_figures(language: str) -> None:
    said = render(run(params_b=70.0, models=("13B",)), language).text
    assert "13B: 7" in said
    assert "12 GB" in said
    assert "13B" not in render(run(params_b=70.0), language).text


def test_to_train_on_is_no_question_of_running() -> None:
    asked = answer(Question(text="Reicht eine Colab T4, um TinyLlama 1.1B nachzutrainieren?"))
    assert asked.query.kind == "fits_check"
    assert asked.reply.title.startswith("Ja, TinyLlama")


def test_running_on_an_old_card_is_no_question_of_bf16() -> None:
    assert "bf16" not in answer(Question(text="can i run llama 8b on a T4?")).reply.text


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Kann ich vicuna 7b mit 32 GB RAM nur mit CPU laufen lassen?", "Ja, auf der CPU, in 4, 8 oder 16 Bit"),
        ("can i run llama 70b on cpu only, 64 gb ram?", "Yes, on the CPU, in 4 bit"),
        ("run a 13b without a gpu, 16 gb of ram, llama.cpp?", "Yes, on the CPU, in 4 bit"),
    ],
)
def test_without_a_card_ram_decides_what_runs(text: str, first: str) -> None:
    assert answer(Question(text=text)).reply.title.startswith(first)


def test_a_processor_reads_the_active_weights_for_each_token() -> None:
    slots: dict[str, Any] = {"ram_gb": 64.0, "symptoms": ("no_gpu_found",)}
    dense, few = (run(model=name, **slots).verdict.facts for name in ("Qwen/Qwen3-32B", "Qwen/Qwen3-30B-A3B"))
    assert dense["cpu_speed"][1] < 5 < few["cpu_speed"][0]
    assert run(model="Qwen/Qwen3-32B", gpus=cards("rtx-3090"), **slots).verdict.facts["on_cpu"] == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_unlike_cards_run_a_model_together(language: str) -> None:
    """3090 and 1080 Ti hold 13B in 16 bit together; the 3090 alone in 8 bit; as a choice they are no pair."""
    pair = (*cards("rtx-3090"), *cards("gtx-1080-ti"))
    both = run(params_b=13.0, gpus=pair)
    assert both.verdict.facts["fit_16"] == "yes"
    assert both.verdict.facts["mixed"]["alone"] == 8
    said = render(both, language).text
    assert "RTX 3090 + GTX 1080 Ti" in said
    assert "--tensor-split" in said
    choice = run(params_b=13.0, gpus=pair, candidates=tuple((card,) for card in pair))
    assert choice.verdict.facts["mixed"] is None
