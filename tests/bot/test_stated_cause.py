"""What a message names as its cause, or as the change before the failure, is the answer's first line."""

import pytest

from bot.messages import Question
from bot.pipeline import answer


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (
            "4060 Ti 16GB, Llama 3.1 8B QLoRA, OOM in step 1. I commented out the fp16/bf16 lines",
            "With fp16 and bf16 both off",
        ),
        (
            "RTX 4060 Ti 16GB, Llama 3.1 8B QLoRA, CUDA out of memory. fp16 und bf16 habe ich auskommentiert",
            "Sind fp16 und bf16 beide aus",
        ),
        (
            "LLaMA-Factory, Llama 3 8B LoRA, 6 x 4090. Trained until i set new_special_tokens, now OOM before step 1",
            "New tokens",
        ),
        ("Habe 12 neue Tokens hinzugefügt und jetzt OOM, Llama 3 8B LoRA auf einer 4090", "Neue Tokens"),
        ("my 7 MB set, Tokenizing (num_proc=196) at 31%, 60 GB of memory, then Killed. Qwen3-4B", "That is prepar"),
        (
            "two 3060 12gb so 24 gb together, qlora of qwen 32b with unsloth loads all on gpu 0 and OOMs",
            "VRAM does not add up",
        ),
        ("Drei 3060 mit je 12 GB, also 36 GB, Qwen2.5-32B QLoRA lädt alles auf GPU 0 und stirbt", "VRAM addiert sich"),
        ("4090, Qwen3-8B lora in 16 bit, I don't see any speedup from unsloth over the Trainer", "What you"),
        ("Kein Speedup mit Unsloth gegenüber TRL auf meiner 3090, Qwen3-4B LoRA. Wozu dann?", "Was du gemessen hast"),
        ("10 questions + answers, 7 epochs, batch 128, lora. the model ignores my data", "10 examples in batches"),
        ("40 Fragen und Antworten, Batch 64, 3 Epochen, LoRA, das Modell ignoriert sie", "40 Beispiele in"),
        (
            "base was 14GB, after lora (tokenizer 32k to 50k) llama 2 merged is 28GB. Did I double the parameters?",
            "No, ",
        ),
        ("Llama 3 8B hatte 16 GB, nach LoRA und Merge sind es 32 GB. Habe ich die Parameter verdoppelt?", "Nein, "),
        ("nvidia-smi shows 23643MiB on my 3090 during the llama 2 7b run, am I at the limit?", "nvidia-smi shows what"),
        ("nvidia-smi zeigt 23,6 GB auf meiner 3090 beim Llama 2 7B Lauf, bin ich am Limit?", "nvidia-smi zeigt, was"),
        ("ms-swift gemma 3 12b lora, A100, batch 8, 10k tokens, OOM, always around the same steps", "The same steps"),
        ("Gemma 3 12B LoRA, A100, Batch 8, 10k Tokens, OOM immer beim selben Schritt", "Immer dieselben Schritte"),
        (
            "trl ppo.py, policy and reward Qwen2.5-7B-Instruct. Loading checkpoint shards 25%: Killed. A100 80GB",
            "PPO loads 4",
        ),
        (
            "Qwen2-VL 7B finetune repo needs 8 hours, LLaMA-Factory 3. I run it with zero3. better to switch?",
            "First look at",
        ),
        (
            "I wanted a gguf of my Qwen-72B, convert-hf-to-gguf.py runs till blk.35, then Killed. 64GB ram",
            "The kernel ended it",
        ),
        (
            "2x Titan RTX 24GB, qlora on Mixtral 8x7b in axolotl, OOM with zero2 and zero3 all the same",
            "Possible, but not with ZeRO-3",
        ),
        (
            "2x Titan RTX 24GB, QLoRA mit Mixtral 8x7b, OOM mit ZeRO-2 und ZeRO-3, was nehme ich?",
            "Möglich ist es, nur nicht mit ZeRO-3",
        ),
    ],
)
def test_the_stated_cause_comes_first(text: str, first: str) -> None:
    assert answer(Question(text=text)).reply.text.lstrip("*").startswith(first)


def test_few_steps_are_counted() -> None:
    said = answer(Question(text="10 questions and answers, 7 epochs, batch 128, lora r 4. the model ignores my data"))
    assert "7 in all" in said.reply.text
    assert "epochs are many" not in said.reply.text


@pytest.mark.parametrize(
    ("text", "fused", "kernels"),
    [
        (
            "qwen3.5 9b qlora, bs 1, 64k context, unsloth, RTX 6000 Ada 48gb, OOM in step 1. is this a bug or me",
            "1. the chunked loss",
            "no fast kernels",
        ),
        (
            "Qwen3.5 9B QLoRA, Batch 1, 64k Kontext, Unsloth, RTX 6000 Ada 48GB, OOM. Ist das ein Bug?",
            "1. der Loss in Stücken",
            "die schnellen Kernel",
        ),
    ],
)
def test_long_examples_suspect_a_loss_that_is_not_fused(text: str, fused: str, kernels: str) -> None:
    said = answer(Question(text=text)).reply.text
    assert fused in said
    assert kernels in said


def test_what_is_set_already_is_not_advised() -> None:
    said = answer(Question(text="gemma 3 12b lora on an A100 OOM, fragmentation. expandable_segments is set already"))
    assert "PYTORCH_CUDA_ALLOC_CONF" not in said.reply.text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("DPO or ORPO for an 8B on a 24gb card, qlora. which one needs less?", "They need nearly the same"),
        ("DPO oder ORPO für ein 8B auf 24 GB mit QLoRA, was braucht weniger?", "Beide brauchen fast dasselbe"),
    ],
)
def test_which_needs_less_is_said(text: str, said: str) -> None:
    assert said in answer(Question(text=text)).reply.text
