"""Whether a sentence of somebody's case is about a page, or its words only happen to stand in the text."""

import pytest

from bot import pipeline
from bot.faq import find, is_about
from bot.messages import Question


@pytest.mark.parametrize(
    ("text", "page", "language"),
    [
        ("8x 4090, 34B. does NVLink matter for that?", "nvlink", "en"),
        ("13B on a 3090, r=16. what does gradient checkpointing give me here?", "gradient-checkpointing", "en"),
        ("gemma 2 9b on a T4, the loss is nan from step 40 on", "nan-loss", "en"),
        ("mein Loss ist ab Schritt 80 nan, QLoRA 7B, V100", "nan-loss", "de"),
        ("merge ging, Datei da. Hab ich die Parameter verdoppelt?", "merged-doubled", "de"),
        ("why do T4 and V100 not have bf16", "bf16", "en"),
    ],
)
def test_a_sentence_is_about_a_page(text: str, page: str, language: str) -> None:
    assert is_about(text, page, language)


@pytest.mark.parametrize(
    ("text", "page", "language"),
    [
        ("full parameter SFT of a 7B, 8 cards. is it at all doable?", "merged-doubled", "en"),
        ("ddp with find_unused_parameters: half the steps, but every step takes double", "merged-doubled", "en"),
        ("loss.backward() OOM, bs 1, 3090 ti, baichuan2 7b, fp16, no quant", "nan-loss", "en"),
        ("response length of 24000 in your script. mine OOMs at 10000", "train-on-inputs", "en"),
        ("I get OOM with packing. More data? Higher rank?", "rank-quality", "en"),  # two words are no question
        ("vLLM with gpu_memory_utilization 0.95 dies on loading the weights", "low-utilization", "en"),
        ("Reicht eine T4 für 7B? Größeres Modell oder voll trainieren?", "parameters", "de"),
    ],
)
def test_words_scattered_in_a_case_are_no_page(text: str, page: str, language: str) -> None:
    assert not is_about(text, page, language)


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("Plan: full parameter SFT of Qwen2-7B at 120k tokens, 8x H100 80GB, zero3, bs 1. OOMs. Is it doable?", None),
        ("DPO of an 8B, all parameters, 4x A100 80GB. sharding is on, is that double work?", None),
        ("40GB: 13b lora at 4096 dies, 3072 passes. flash attention installed", None),
        ("my vram table has no column for rank and target modules. r=8 vs r=64, huge difference?", "rank-and-memory"),
        (
            "5k rows, unsloth, all layers: it scores WORSE than the untouched base. Higher rank?",
            "worse-than-before",
        ),
        ("llama 3 8b lora, 2 gpus: OOM when resuming from a checkpoint, starting fresh works", "resume-oom"),
        ("Is PEFT on an AWQ model possible, as with GPTQ? only room for a 34B in 4bit", "quantized-training"),
        ("why is vram at 9 GB no matter if batch_size is 128 or 512 in alpaca-lora?", "batch-same-vram"),
        ("bs 4 ga 4 OOM; bs 1 ga 16 OK. Effective batch is the same, why does the first fail? 8B, 24GB card", None),
        ("a few thousand replies, no gpu at all. do I have to spend thousands on hardware first?", "buy-first"),
        ("mistral 7b qlora on a T4, 10k rows. which card should I buy for it?", None),
        ("report: 3090 = 70 TFLOPS, A6000 = 150 TFLOPS, same chip. Mistake?", "paper-tflops"),
        ("my eval loss is lower than the train loss, 8B lora, 5k rows. bug?", "eval-below-train"),
        ("after training llama 3.1 8b lora the answers never stop, they run on until max tokens", "answers-cut"),
        ("lr 2e-4 for full finetune of a 1B on my 3060 12GB, too high?", "lr-too-high"),
        ("how many GB will the checkpoint folder get for a 70b qlora, a save every 100 steps?", "checkpoint-size"),
        ("llama 3 8b lora with 32k on a 3090 goes out of memory, is that normal?", None),
        ("no gpu on this box, is training a 1.5B on cpu an option? 64 cores", None),
    ],
)
def test_a_set_up_gets_a_page_only_for_what_it_asks(text: str, page: str | None) -> None:
    assert pipeline.answer(Question(text=text)).query.faq == page


@pytest.mark.parametrize("text", ["is it doable", "what did you expect", "can I export it", "is it sharding at all"])
def test_an_ordinary_word_is_not_another_one_mistyped(text: str) -> None:
    assert find(text, "en", known=True) is None


@pytest.mark.parametrize(
    ("text", "page"), [("what is qlroa", "qlora"), ("graident checkpointing", "gradient-checkpointing")]
)
def test_letters_swapped_or_missing_are_mended(text: str, page: str) -> None:
    assert find(text, "en") == page
