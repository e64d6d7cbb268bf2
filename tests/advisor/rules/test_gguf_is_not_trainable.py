"""The rule gguf_is_not_trainable."""

import pytest

from advisor.rules import gguf_is_not_trainable
from bot.messages import Question
from bot.pipeline import answer
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = gguf_is_not_trainable.check(case(params_b=13.0, kind="method_choice", quant="q4_0"))
    assert found is not None


def test_silent_with_bitsandbytes() -> None:
    assert gguf_is_not_trainable.check(case(params_b=13.0, kind="method_choice", quant="nf4")) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("can i finetune a gguf on a 3060?", "A GGUF file cannot be trained"),
        ("Kann ich ein GGUF-Modell finetunen auf 12 GB?", "Eine GGUF-Datei"),
    ],
)
def test_who_wants_to_train_one_reads_that_first_and_no_table(text: str, words: str) -> None:
    made = answer(Question(text=text))
    assert made.advice is not None
    assert made.reply.title.startswith(words)
    assert made.advice.rungs == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("llama.cpp finetune works with 13B, 70B crashes. out of RAM or a bug?", "grouped-query attention"),
        ("llama.cpp finetune: 13B klappt, beim 70B stürzt es ab. zu wenig RAM oder bug?", "Grouped-Query-Attention"),
    ],
)
def test_a_crash_of_the_tool_is_no_plan_for_ram(text: str, words: str) -> None:
    made = answer(Question(text=text))
    assert made.advice is not None
    assert words in made.reply.text
    assert made.advice.verdict.code == "needs"
    small = gguf_is_not_trainable.check(
        case(model="huggyllama/llama-7b", kind="oom_help", trainer="llama.cpp", symptoms=("oom_step",))
    )
    assert small is not None
    assert not small.facts["shares_heads"]


@pytest.mark.parametrize(
    "text",
    [
        "base_model: TheBloke/Mistral-7B-Instruct-v0.2-GGUF -> does not appear to have a file named config.json",
        "from_pretrained('bartowski/Meta-Llama-3.1-8B-Instruct-GGUF') complains about config.json, why?",
        "tried to train on Qwen2.5-7B-Instruct-GGUF with peft, says no file named pytorch_model.bin",
        'Ich lade TheBloke/Llama-2-7B-GGUF in Unsloth und kriege "Unrecognized model". Was ist falsch?',
        "Kann LLaMA-Factory ein Modell wie Qwen3-8B-GGUF als Basis nehmen?",
    ],
)
def test_a_repository_of_gguf_files_as_the_base(text: str) -> None:
    made = answer(Question(text=text))
    assert "gguf_is_not_trainable" in made.query.claims
    assert made.reply.title.startswith(("A GGUF file cannot", "Eine GGUF-Datei lässt"))


@pytest.mark.parametrize(
    "text",
    [
        "qlora llama 3 8b with load_in_4bit on a 3090, then save_pretrained_gguf, fits?",
        "train on a 3090, convert to gguf afterwards: which 8b?",
        "8B mit Unsloth auf einer 3090 trainieren und danach als GGUF für Ollama speichern",
        "how much VRAM does Llama-3.1-8B-Instruct-GGUF Q4 need to run?",
    ],
)
def test_who_exports_to_gguf_trains_something_else(text: str) -> None:
    assert "gguf_is_not_trainable" not in answer(Question(text=text)).query.claims
