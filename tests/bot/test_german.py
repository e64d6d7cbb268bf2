"""German askers get what English ones get: the same verdict and the same findings, in German."""

import pytest

from bot.messages import Question
from bot.pipeline import answer

ASKED_ALIKE = {
    "four_bit_costs_time": (
        "QLoRA is half as fast as LoRA for me, is that normal? 7B, 4090",
        "QLoRA ist bei mir halb so schnell wie LoRA, normal? 7B, 4090",
        "7B auf der 4090: mit QLoRA doppelt so lange wie mit LoRA, ist das normal?",
    ),
    "offload_takes_time": (
        "ZeRO-3 offload, Llama 13B full finetune, 3090, 90 s per step, is that normal?",
        "ZeRO-3 Offload, Llama 13B voll, 3090, 90 s pro Schritt, normal?",
    ),
    "tpu_refused": ("TPU v5e-8 in Kaggle, QLoRA 8B with Unsloth?", "TPU v5e-8 in Kaggle, QLoRA 8B mit Unsloth?"),
    "gguf_is_not_trainable": (
        "continue training a GGUF Q4 with llama.cpp, 8B?",
        "GGUF Q4 weiter trainieren mit llama.cpp, 8B?",
        "kann man ein 8B als GGUF weitertrainieren?",
    ),
    "wsl_pins": (
        "WSL2 unsloth out of memory although the card is only half full, 4090, 8B QLoRA",
        "WSL2 Unsloth out of memory obwohl die Karte nur halb voll ist, 4090, 8B QLoRA",
    ),
    "loads_through_ram": (
        "Colab dies while loading with ^C, Llama 3 8B QLoRA on T4",
        "Colab stirbt beim Laden mit ^C, Llama 3 8B QLoRA auf T4",
    ),
    "flag_does_not_act": (
        "cpu_ram_efficient_loading true, still 8 x 140 GB RAM, 70B QLoRA FSDP",
        "cpu_ram_efficient_loading true, trotzdem 8 × 140 GB RAM, 70B QLoRA FSDP",
    ),
    "for_free": (
        "is there a free way to finetune an 8B?",
        "gibt es eine kostenlose Möglichkeit ein 8B zu trainieren?",
        "ich will nichts bezahlen, 8B im Browser finetunen, geht das?",
    ),
    "no_gpu_trains": (
        "can I train a 3B on the CPU, 32 GB RAM?",
        "Kann ich ein 3B auf der CPU trainieren, 32 GB RAM?",
        "ich will ein 3B Modell nur auf dem Prozessor finetunen, 32 GB RAM",
    ),
    "adapters_are_fast": (
        "my LoRA isn't faster than full fine-tuning of a 7B on an A100, why?",
        "mein LoRA ist kein bisschen schneller als volles Finetuning mit 7B auf einer A100, warum?",
    ),
    "not_memory": (
        "segfault at start, 4090, Llama 3 8B QLoRA",
        "Segmentierungsfehler beim Start, 4090, Llama 3 8B QLoRA",
        "Zugriffsverletzung beim Start, 4090, Llama 3 8B QLoRA",
    ),
    "nothing_leaves": (
        "finetune 8B on a 4090 without internet, is that possible?",
        "8B auf einer 4090 ohne Internet trainieren, geht das?",
        "8B auf einer 4090 komplett offline finetunen, geht das?",
    ),
}


@pytest.mark.parametrize("code", ASKED_ALIKE)
def test_a_german_question_gets_the_answer_of_the_english_one(code: str) -> None:
    english, *german = [answer(Question(text=text)) for text in ASKED_ALIKE[code]]
    assert english.advice is not None
    assert code in {finding.code for finding in english.advice.findings}
    for made in german:
        assert made.language == "de"
        assert made.advice is not None
        assert made.advice.verdict.code == english.advice.verdict.code
        assert code in {finding.code for finding in made.advice.findings}


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("train a 7B with all weights on a 4090?", "auf einer 4090 ein 7B mit allen Gewichten trainieren?"),
        ("can a 4090 full fine-tune all parameters of a 7B?", "schafft eine 4090 ein 7B ohne LoRA trainieren?"),
    ],
)
def test_all_weights_are_heard(english: str, german: str) -> None:
    made = [answer(Question(text=text)).advice for text in (english, german)]
    assert [advice is not None and advice.verdict.code for advice in made] == ["no", "no"]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (
            "RuntimeError: Expected all tensors to be on the same device, zwei 3090, device_map auto, Llama 3 8B QLoRA",
            "de",
        ),
        ("Expected all tensors to be on the same device, mit zwei 3090, 8B QLoRA", "de"),
        ("illegal memory access nach 300 Schritten, 4090, Llama 3 8B QLoRA", "de"),
        ("ValueError: you can not train this with a 4-bit model, was nun? 8B, 3090", "de"),
        ("RuntimeError: Expected all tensors to be on the same device, two 3090s, Llama 3 8B QLoRA", "en"),
        ("illegal memory access after 300 steps, 4090, Llama 3 8B QLoRA", "en"),
        ("error: what is this? my 3090 with a Knoten", "en"),
    ],
)
def test_what_a_program_says_is_not_the_askers_language(text: str, language: str) -> None:
    assert answer(Question(text=text)).language == language
