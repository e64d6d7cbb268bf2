"""Numbers: which of several is meant, and what they count."""

import pytest

from advisor.query import Query
from bot.messages import Question
from bot.parser import read


def query(text: str) -> Query:
    return read(Question(text=text)).query


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("i have 2k hand-picked ones, 7b lora", 2000),
        ("5k chats, or 2k hand-picked ones, which is better for lora", 5000),
        ("10k customer emails, mistral 7b", 10000),
        ("4k good quality samples, 3 epochs", 4000),
        ("3000 kurze deutsche Texte für ein 7b lora", 3000),
        ("1,2 Mio. Zeilen, llama 3 8b lora", 1_200_000),
        ("ca. 5k Beispiele, 7b lora", 5000),
        ("2.3h for an epoch of 50k, 7b lora", 50_000),
    ],
)
def test_described_examples_are_counted(text: str, rows: int) -> None:
    found = query(text)
    assert found.dataset_examples == rows
    assert found.seq_len is None


@pytest.mark.parametrize("text", ["2k context for long docs, 7b lora", "4096 for my docs, 7b lora"])
def test_a_length_before_other_words_stays_one(text: str) -> None:
    assert query(text).dataset_examples is None
    assert query(text).seq_len in (2048, 4096)


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("gradient accumulation 1 works fine, with 4 it is OOM", "grad_accum", 4),
        ("mit gradient accumulation 1 kein Problem, mit 4 nach 500 Schritten OOM", "grad_accum", 4),
        ("batch 4 works, 8 OOMs", "micro_batch", 8),
        ("batch 4 OOMs, with 2 it works", "micro_batch", 4),
        ("effective batch 64, bs 4", "micro_batch", 4),
        ("v2 lite full sft, seq 8192 micro 1 global 128", "micro_batch", 1),
        ("lora r8 A100 40 batch 2 grad acc 8", "micro_batch", 2),
        ("t5 full, input 1024 output 256 batch 8", "micro_batch", 8),
        ("ppo, batch_size 64 mini_batch_size 4", "micro_batch", 4),
        ("llama 3.1 8b lora @4k on a 4090", "seq_len", 4096),
        ("400k samples (avg 900 tok), 7b lora", "tokens_per_example", 900),
        ("eval_batch_size 8, train batch 1", "micro_batch", 1),
        ("50k rows (~600 tokens each)", "tokens_per_example", 600),
        ("250.000 Beispiele à 512 Tokens, 7B LoRA", "tokens_per_example", 512),
    ],
)
def test_the_value_that_is_meant(text: str, slot: str, value: int) -> None:
    assert getattr(query(text), slot) == value


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("lora rank 8 vs 64 vs full for style, 7b", "lora_rank", 8),
        ("7b lora, batch 1 or 4?", "micro_batch", 1),
        ("7b lora, bs 1/2/4", "micro_batch", 1),
        ("7b lora, r=8 or r=128?", "lora_rank", 8),
    ],
)
def test_values_that_are_compared_are_not_stated(text: str, slot: str, value: int) -> None:
    assert (getattr(query(text), slot), query(text).sources[slot]) == (value, "assumed")


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("OOM on rank 1 only, 7b lora", "lora_rank"),
        ("50 MB, 3 epochs, 7b lora", "micro_batch"),
        ("400€ max, 7b lora", "seq_len"),
        ("completion length 512, 7b grpo", "seq_len"),
        ("max_prompt_length 512, 7b grpo", "seq_len"),
        ("chatglm2-6b ptuning, pre_seq_len 128", "seq_len"),
        ("galore or lora for 7b", "method"),
        ("known tools full 95% / lora 91%, unseen full 78% / lora 87%", "method"),
        ("when do i use 4bit? 7b", "weight_bits"),
        ("[rank3]: CUDA out of memory, 7b lora", "lora_rank"),
        ("7b lora OOMs on my 3090, my friend does it with unsloth", "trainer"),
    ],
)
def test_numbers_that_are_something_else(text: str, slot: str) -> None:
    assert slot not in query(text).stated


def test_arguments_of_a_command_stand_apart() -> None:
    found = query("mlx lora of a 7b --iters 600 --batch-size 4")
    assert found.micro_batch == 4


def test_long_examples_are_a_likely_length() -> None:
    found = query("1000 docs, 8192 tokens each, 7b lora")
    assert (found.seq_len, found.sources["seq_len"]) == (8192, "assumed")
    assert query("50k rows, 600 tokens each, 7b lora").seq_len is None


def test_bits_that_are_asked_about_are_only_likely() -> None:
    assert query("llama-2-13b on colab, need 4bit?").sources["weight_bits"] == "assumed"
    assert query("llama-2-13b in 4bit on colab, ok?").sources["weight_bits"] == "stated"


@pytest.mark.parametrize(
    ("text", "rows", "model"),
    [
        ("llama3 8b lora on alpaca, 3090, how long?", 52002, "meta-llama/Meta-Llama-3-8B"),
        ("OASST guanaco on mistral 7b, how long?", 9846, "mistralai/Mistral-7B-v0.3"),
        ("13b lora on the dolly dataset", 15011, "huggyllama/llama-13b"),
    ],
)
def test_a_named_data_set_is_assumed(text: str, rows: int, model: str) -> None:
    found = query(text)
    assert (found.dataset_examples, found.sources["dataset_examples"], found.model) == (rows, "assumed", model)
    assert found.models == ()


@pytest.mark.parametrize("text", ["alpaca 7b lora", "wir wollen Alpaca auf Deutsch nachbauen", "dolly 12b lora"])
def test_a_model_of_that_name_is_no_data_set(text: str) -> None:
    assert query(text).dataset_examples is None
    assert query(text).model is not None


def test_a_stated_number_of_examples_counts() -> None:
    found = query("dolly 15k, 3 epochs, llama 7b")
    assert (found.dataset_examples, found.sources["dataset_examples"], found.models) == (15000, "stated", ())


def test_values_of_a_list_are_not_stated() -> None:
    assert "lora_rank" not in read(Question(text="Should I use rank 8, 32 or 128? mistral 7b")).query.stated
    assert "lora_rank" in read(Question(text="rank 8, 32 epochs? mistral 7b")).query.stated


def test_lengths_to_choose_from_are_not_stated() -> None:
    assert "seq_len" not in query("5090 here, what context for mistral small 24b qlora? 16k? 32k?").stated
    assert "seq_len" in query("5090 here, mistral small 24b qlora at 16k?").stated


def test_two_lengths_beside_each_other_are_compared() -> None:
    assert "seq_len" not in query("what is the difference, 4096 vs 8192, for llama3.1 8b lora?").stated
    assert "seq_len" in query("4096, step 8192 of llama3.1 8b lora").stated
