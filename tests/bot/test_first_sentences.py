"""The first sentence answers what was asked, yes, no or the cause, with the facts that are told."""

import pytest

from bot import pipeline
from bot.messages import Question
from bot.parser import read


def first(text: str) -> str:
    """The first line of an answer."""
    answer = pipeline.answer(Question(text=text))
    return next(iter(getattr(answer.reply.blocks[0], "markdown", "").strip().splitlines()), "")


def codes(text: str) -> set[str]:
    advice = pipeline.answer(Question(text=text)).advice
    return {found.code for found in advice.findings} if advice is not None else set()


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("7b lora, 3060, save_pretrained_merged OOM. can saving really need more than training?", "**Yes: saving"),
        ("8B LoRA, beim Speichern OOM. Kann das Speichern mehr brauchen als das Training?", "**Ja: Die Spitze"),
        ("8b lora 24 GB, OOM at eval. can evaluation really need more than training?", "**Yes: evaluation"),
        ("why is saving more expensive than training? lora 7b, 16gb card, OOM at the checkpoint save", "**Saving"),
        ("8b lora on A100, eval OOM once I pass compute_metrics. do i need an H200?", "**No larger card is needed"),
        ("8B LoRA, A100, mit compute_metrics OOM bei der Auswertung. Brauche ich eine größere?", "**Eine größere"),
        ("7b lora: fp16 fine, 4bit half the speed. bug or price of quantization? a5000", "**No bug but the price"),
        ("7B: in 4 Bit langsamer als in fp16 auf der 3090. Bug oder normal?", "**Kein Bug, sondern der Preis"),
        ("7b qlora slower than lora on my 3090", "**Yes, that is normal"),
    ],
)  # fmt: skip
def test_yes_and_no_come_first(text: str, begins: str) -> None:
    assert first(text).startswith(begins)


@pytest.mark.parametrize(
    "text",
    [
        "wsl, 4090, qlora llama2 7b: Error out of memory at line 380 in file csrc/pythonInterface.c, card half empty",
        "WSL2, 3090, 8B QLoRA, bricht ab mit out of memory in csrc/ops.cu von bitsandbytes, Karte fast leer",
        "linux, 4090, 7b qlora paged_adamw_8bit: Error out of memory at line 38 in file pythonInterface.cpp",
    ],
)
def test_bitsandbytes_own_message_is_none_of_the_card(text: str) -> None:
    assert "bitsandbytes" in first(text)
    assert "wsl_pins" in codes(text)


def test_pytorchs_own_message_is_the_card() -> None:
    assert "wsl_pins" not in codes("wsl, 4090, 34b lora: torch.cuda.OutOfMemoryError: CUDA out of memory")


@pytest.mark.parametrize(
    "text",
    [
        "axolotl: GPU memory usage while training: 13.270GB (+56.066GB cache, +1.374GB misc). 7b lora, 4096, A100 80G. "
        "what is that cache, batch 2 is OOM",
        "Axolotl meldet 10.1GB (+30.5GB cache, +1.1GB misc), 7B LoRA, 4096 Tokens auf der A100 80G. Was ist der Cache?",
    ],
)
def test_a_logged_cache_is_the_peak(text: str) -> None:
    assert "PyTorch" in first(text)
    assert read(Question(text=text)).query.named["logged_gib"]
    assert "cache_keeps" in codes(text)


def test_the_cache_of_a_server_is_another() -> None:
    assert "cache_keeps" not in codes("vLLM says 20 GB KV cache for qwen3 8b on a 3090, what is that")


@pytest.mark.parametrize(
    "text",
    [
        "4x3090, llama 70b qlora, fsdp: all cards fill up while loading, then OOM. shouldn't it be split",
        "70B QLoRA mit FSDP auf 4x 3090: alle Karten laufen schon beim Laden voll, OOM",
    ],
)
def test_full_at_loading_is_not_split_yet(text: str) -> None:
    assert "not_split_at_load" in codes(text)
    assert "GiB of weights on each of the 4" in first(text) or "GiB Gewichte auf jeder der 4" in first(text)


@pytest.mark.parametrize(
    "text",
    [
        "8x 3080 10GB, 7b lora fsdp; with 4bit everything loads on GPU0 only and OOM",  # another fault
        "2x3090, 180b qlora fsdp, OOM while loading",  # split it does not fit either
        "4x3090, 8b qlora ddp, OOM while loading",
    ],
)
def test_other_deaths_at_loading(text: str) -> None:
    assert "not_split_at_load" not in codes(text)


@pytest.mark.parametrize(
    "text",
    [
        "9b lora, 3x A10, llamafactory: card 1 is full at 22 GB, the others barely 5 GB, then OOM. not shared?",
        "GLM4-9B auf drei A10: Karte 1 voll, die anderen kaum belegt, dann OOM. Wird der Speicher nicht verteilt?",
    ],
)
def test_without_a_split_each_card_holds_all(text: str) -> None:
    assert first(text).startswith(("**No: without DeepSpeed", "**Nein, ohne DeepSpeed"))


def test_a_small_model_is_not_what_fills_the_first_card() -> None:
    assert "Only card 0" in first("1b lora on 3x A10, card 0 full, the others barely used, OOM")


@pytest.mark.parametrize(
    "text",
    [
        "8b qlora dpo on a T4, OOM. cutting target modules changes nothing, what am i missing",
        "8B QLoRA DPO auf T4, OOM, auch mit weniger Target-Modules. Was übersehe ich?",
    ],
)
def test_fewer_targets_save_nothing(text: str) -> None:
    assert first(text).startswith(("**Fewer target modules", "**Weniger Zielmodule"))


def test_the_printed_share_tells_what_is_trained_without_a_model() -> None:
    text = "T4, unsloth, OOM. Trainable parameters = 1,361,753,856 of 5,661,833,328 (24.05% trained). too small?"
    assert read(Question(text=text)).query.params_b == pytest.approx(4.3)
    assert first(text).startswith("**The card is not too small: 24% trained")
    usual = "T4, unsloth, OOM. Trainable parameters = 41,943,040 of 8,072,204,288 (0.52% trained)"
    assert "share_trained" not in codes(usual)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("4x L20, 8B LoRA zero3, 15000 tokens, batch 1. dies after a while. i thought zero3 splits everything", True),
        ("4x L20, 8B LoRA ZeRO-3, 15000 Tokens, OOM nach einer Weile. Ich dachte, ZeRO-3 verteilt alles?", True),
        ("4x L20, 8B LoRA zero3, 15000 tokens, batch 1. dies after a while", False),
    ],
)
def test_what_zero3_does_not_split_stands_under_the_verdict(text: str, said: bool) -> None:
    paragraphs = getattr(pipeline.answer(Question(text=text)).reply.blocks[0], "markdown", "").split("\n\n")
    assert any(part.startswith("**ZeRO-3") for part in paragraphs[:2]) is said


@pytest.mark.parametrize(
    "text",
    [
        "LoRA 7B on 2x 4090, the bar says 2052, 5 hours for 50 MB. is 2052 the epoch?",
        "7B LoRA auf 2x 4090, Anzeige 2052, 5 Stunden für 50 MB Text. Sind das Epochen?",
    ],
)
def test_the_bar_counts_steps(text: str) -> None:
    assert "counts_steps" in codes(text)
    paragraphs = getattr(pipeline.answer(Question(text=text)).reply.blocks[0], "markdown", "").split("\n\n")
    assert paragraphs[1].startswith(("**That number", "**Diese Zahl"))


def test_copies_of_every_process_fill_the_ram() -> None:
    text = "Qwen-72B LoRA, 8x A800 80G, 1 TB RAM. OOM beim Laden, der Arbeitsspeicher reicht nicht. Wieviel?"
    assert "nicht für jeden der 8 Prozesse" in first(text)
    assert "Killed" not in first(text)


@pytest.mark.parametrize(
    "text",
    [
        "phi-2 qlora crawls on my 4060 8gb. would mistral 7b be faster on it?",
        "phi-2 QLoRA kriecht auf der 4060 8GB. Wäre Mistral 7B darauf schneller?",
    ],
)
def test_the_smaller_model_is_the_faster_one(text: str) -> None:
    assert "smaller_is_faster" in codes(text)


def test_of_two_cards_the_faster_is_another_question() -> None:
    assert "smaller_is_faster" not in codes("would a 4090 be faster than a 3090 for mistral 7b qlora?")


@pytest.mark.parametrize(
    "text",
    [
        "2x Titan RTX, mixtral qlora, OOM. is it because flash attention 2 needs ampere?",
        "2x Titan RTX, Mixtral QLoRA, OOM. Liegt es daran, dass Flash Attention 2 auf Turing nicht geht?",
    ],
)
def test_a_missing_kernel_is_not_blamed(text: str) -> None:
    answer = getattr(pipeline.answer(Question(text=text)).reply.blocks[0], "markdown", "")
    assert "is not the cause" in answer or "liegt es nicht" in answer


def test_what_one_card_does_not_hold_is_told_split() -> None:
    text = "2x 4090, axolotl or llama-factory for a 34B qlora, 4096 tokens?"
    answer = getattr(pipeline.answer(Question(text=text)).reply.blocks[0], "markdown", "")
    assert "Split over the 2 (FSDP) it fits" in answer


def test_overfitting_is_judged_on_held_out_text() -> None:
    text = "my model forgets what it knew and overfits, no validation. how do i judge overfitting?"
    answer = getattr(pipeline.answer(Question(text=text)).reply.blocks[0], "markdown", "")
    assert "Hold out 5–10 %" in answer
    assert "That is overfitting" not in answer


def test_a_logged_cache_is_the_whole_answer() -> None:
    text = "axolotl: 13.2GB (+56.1GB cache, +1.4GB misc), 7b lora, 4096 tokens, batch 1, A100 80G, what is that cache"
    answer = getattr(pipeline.answer(Question(text=text)).reply.blocks[0], "markdown", "")
    assert "should fit" not in answer


def test_where_it_fills_while_loading_nothing_stands_between_cause_and_verdict() -> None:
    text = (
        "4x 3090, 70b qlora, sequence_len 512, fsdp: all cards fill while loading, OOM. 96GB should be plenty for 40GB"
    )
    answer = getattr(pipeline.answer(Question(text=text)).reply.blocks[0], "markdown", "")
    assert "VRAM does not add up" not in answer


def test_one_card_takes_the_recipe_for_one() -> None:
    text = "tune run --nproc_per_node 8 full_finetune_distributed llama3.1 8B on aws g5.8xlarge, OOM"
    answer = getattr(pipeline.answer(Question(text=text)).reply.blocks[0], "markdown", "")
    assert "full_finetune_single_device" in answer


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("full finetune (NOT lora) of Llama-3-70B, 8 x A100 80G, torchtune. feasible?", "**Yes, with bf16 weights"),
        ("Volles Fine-Tuning von Llama-3-70B mit torchtune auf 8x A100 80G, machbar?", "**Ja, mit bf16-Gewichten"),
        ("full finetune of Llama-3-70B, 2 x A100 80G, torchtune. feasible?", "**No"),
    ],
)
def test_the_one_change_that_makes_it_fit_is_in_the_answer(text: str, begins: str) -> None:
    assert first(text).startswith(begins)


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("MacBook M4 Pro 48 GB, what do mac people use to finetune an 8B with qlora, unsloth?", "on mlx-lm."),
        ("MacBook M3 Max 64 GB, Unsloth oder mlx für 8B LoRA?", "mit mlx-lm etwa"),
    ],
)
def test_a_mac_is_told_what_its_trainer_takes(text: str, figure: str) -> None:
    assert figure in getattr(pipeline.answer(Question(text=text)).reply.blocks[0], "markdown", "")
