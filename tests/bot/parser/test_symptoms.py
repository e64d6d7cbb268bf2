"""What went wrong, and what is asked about it, as codes."""

import pytest

from bot.messages import Question
from bot.parser import read


@pytest.mark.parametrize(
    ("text", "symptom"),
    [
        ("13b qlora on 24gb. it runs a few steps then OOM", "oom_later"),
        ("grpo goes fine for 120ish steps, then boom", "oom_later"),
        ("First few steps ok, then dead. 7b lora, 3090", "oom_later"),
        ("7B LoRA läuft nach 300 Schritten voll, 3090", "oom_later"),
        ("isn't everything padded up to block size? qwen 3b oom at step 40", "asks_padding"),
        ("Wird nicht alles auf max_length aufgefüllt? 7B OOM auf der 3090", "asks_padding"),
        ("i keep lowering stuff but each test costs me an hour, any smarter way?", "tests_slowly"),
        ("7B LoRA OOM nach 2 Stunden, jeder Versuch dauert ewig, kann ich das vorher testen?", "tests_slowly"),
        ("is training on 512 bad if I test on longer stuff later", "short_training"),
        ("Kann ich auf kurzen Texten trainieren und später längere Eingaben geben?", "short_training"),
        ("in my head 1B is 8 GB. who is using the other 22?", "asks_parts"),
        ("7B LoRA braucht 30 GB auf der A40, wohin geht der Rest?", "asks_parts"),
        ("4x A100, though colleagues sit on parts of two of them", "shared_card"),
        ("4x A100, zwei davon nutzen Kollegen: Kollegen rechnen darauf", "shared_card"),
    ],
)
def test_codes(text: str, symptom: str) -> None:
    assert symptom in read(Question(text=text)).query.symptoms


def test_a_card_before_a_comma_is_no_reading() -> None:
    assert read(Question(text="13b qlora on 24gb, some of my rows are long")).query.gpus[0].vram_gb == 24


@pytest.mark.parametrize(
    ("text", "asked", "ran"),
    [
        ("qwen2.5 72b qlora, A800: 24K context trains, 32K goes OOM", 32768, 24576),
        ("8x80G A100, 7B voll: 64k läuft, darüber OOM. sind 128k drin?", 131072, 65536),
        ("llama3 8b lora on one 4090: 2k ctx fine, 8k ctx OOM", 8192, 2048),
        ("8b qlora at 4096 works fine on my 3090, how long for 10k rows", 4096, None),
        ("8b qlora oom at 4096 on my 3090", 4096, None),
    ],
)
def test_the_length_that_ran_and_the_one_that_did_not(text: str, asked: int, ran: int | None) -> None:
    query = read(Question(text=text)).query
    assert (query.seq_len, query.ran_seq_len) == (asked, ran)


def test_unsloths_checkpointing_is_more_than_checkpointing() -> None:
    assert read(Question(text="7b full, unsloth gc on, deepspeed: 64k max")).query.grad_checkpointing == "unsloth"


@pytest.mark.parametrize("text", ["gemma 9b lora oom at step 0", "7B LoRA OOM in Schritt 1 von 300"])
def test_what_dies_in_the_first_step_did_not_die_late(text: str) -> None:
    assert "oom_later" not in read(Question(text=text)).query.symptoms


@pytest.mark.parametrize(
    "text",
    ["what does each additional 1000 tokens cost for a 14b qlora?", "Wie viel VRAM kosten je 1000 Tokens bei 8B?"],
)
def test_tokens_by_the_thousand_are_no_length(text: str) -> None:
    assert read(Question(text=text)).query.seq_len is None


def test_what_dies_after_loading_did_not_die_while_loading() -> None:
    told = "70b qlora, my A6000 sits at 41GB right after loading and then the first forward dies"
    assert "oom_load" not in read(Question(text=told)).query.symptoms
    assert "oom_load" in read(Question(text="7b lora dies while loading on my 3090")).query.symptoms


def test_memory_alone_is_the_cards() -> None:
    frozen = read(Question(text="I freeze all but 4 layers of a 7B, how much memory do I need?"))
    assert frozen.query.kind != "system_ram"
    assert read(Question(text="how much system ram do i need to merge a 70b lora?")).query.kind == "system_ram"


def test_why_it_takes_so_much_is_a_reading() -> None:
    query = read(Question(text="Why does training with batch size 1 take 20 GB for a 1B model?")).query
    assert (query.seen_gib, query.gpus) == (20, ())


@pytest.mark.parametrize(
    ("text", "idles", "stands"),
    [
        ("7b lora, GPU load hangs below 20% on my 4090", True, False),
        ("7b lora training hangs at step 3, gpu load below 5%", True, True),
        ("7b lora training hangs at step 3", False, True),
        ("7B LoRA, die GPU-Last hängt unter 20 %", True, False),
    ],
)
def test_a_load_that_hangs_low_is_no_standstill(text: str, idles: bool, stands: bool) -> None:
    symptoms = read(Question(text=text)).query.symptoms
    assert ("low_use" in symptoms, "hangs" in symptoms) == (idles, stands)


def test_who_stopped_it_ran_out_of_nothing() -> None:
    told = "Training aus Versehen abgebrochen, es gibt aber checkpoint-Ordner. Alles weg?"
    assert "oom_step" not in read(Question(text=told)).query.symptoms
    told = "CUDA out of memory in step 300, PC crashed. Checkpoints are there, start over?"
    assert "oom_step" in read(Question(text=told)).query.symptoms


@pytest.mark.parametrize(
    ("text", "saving"),
    [
        ("8b lora OOMs on my 3090, shouldn't checkpointing save memory?", False),
        ("8b lora OOMs when it wants to save the model, 3090", True),
        ("8b full, OOM at the first checkpoint save", True),
        ("8b lora, OOM at step 500, do I lose the checkpoint?", False),
        ("8b lora OOMs when I resume from checkpoint 500", False),
    ],
)
def test_what_saves_memory_writes_nothing(text: str, saving: bool) -> None:
    assert ("oom_save" in read(Question(text=text)).query.symptoms) == saving
