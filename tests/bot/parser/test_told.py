"""What is told of a run: memory that it took or is said to take, speed, how much text; and choices of two kinds."""

import pytest

from advisor.query import Query
from bot.messages import Question
from bot.parser import read


def query(text: str) -> Query:
    return read(Question(text=text)).query


@pytest.mark.parametrize(
    ("text", "seen", "claimed"),
    [
        ("why does training use 22 GB when the calculator said 10?", 22, 10),
        ("Der Rechner sagt 12 GB für 8B LoRA, belegt sind 23 GB", 23, 12),
        ("laut tabelle 6 GB, tatsächlich 11 GB bei llama 3 8b qlora", 11, 6),
        ("dpo, ~1000 token prompts -> 17 GB. insane for a 0.5B", 17, None),
        ("readme: 40GB is enough for 30b lora", None, 40),
        ("i guess less than 250gb for qwen3-235b qlora?", None, 250),
        ('3090 24GB on windows shows "40GB". 13B int8 lora, batch 16: 22.7GB and 7s/it', 22.7, None),
        ("7b lora on a 24 GB card, will it fit?", None, None),
    ],
)
def test_memory_seen_and_claimed(text: str, seen: float | None, claimed: float | None) -> None:
    found = query(text)
    assert (found.seen_gib, found.claimed_gib) == (seen, claimed)
    assert not {card.vram_gb for card in found.gpus} & {seen, claimed}


def test_what_a_table_claims_is_a_belief_and_a_guess_is_none() -> None:
    assert "table_covers_me" in query("readme: 40GB is enough for 30b lora").claims
    assert "table_covers_me" not in query("i guess less than 250gb for qwen3-235b qlora?").claims


@pytest.mark.parametrize(
    ("text", "tokens", "seconds"),
    [
        ("i get 900 tok/s with 8b qlora on a 4090, is that normal?", 900, None),
        ("2.5k tokens per second on a 4090, 8b qlora", 2500, None),
        ("7b lora runs at 14 s/it on a T4", None, 14),
        ("7b lora runs at 0.5 it/s on a T4", None, 2),
        ("900 tokens each, 7b lora", None, None),
    ],
)
def test_speed(text: str, tokens: float | None, seconds: float | None) -> None:
    found = query(text)
    assert (found.seen_tokens_per_s, found.seen_s_per_step) == (tokens, seconds)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("how long to finetune 8b qlora on 2 GB of text on a 4090", 500_000_000),
        ("wie lange dauert 8b qlora mit 300 MB Text auf einer 3090?", 75_000_000),
        ("44k characters of text, 16gb vram, 7b lora", 11_000),
        ("300k words of dialogue, is that enough for a 7b lora?", 400_000),
        ("samples of 300 words each, 7b lora", None),
        ("7b lora on a 24 GB card", None),
    ],
)
def test_how_much_text(text: str, tokens: int | None) -> None:
    assert query(text).dataset_tokens == tokens


def test_providers() -> None:
    assert query("13b lora on runpod or vast.ai, what does it cost?").providers == ("RunPod", "Vast.ai")
    assert query("13b lora in the cloud, what does it cost?").providers == ()


@pytest.mark.parametrize(
    ("text", "slot", "values"),
    [
        ("can i continue-pretrain llama2 in 4bit instead of fp16?", "weight_bits", ("4", "16")),
        ("mistral 7b lora - peak for 16bit vs 4bit?", "weight_bits", ("16", "4")),
        ("galore vs lora on one 4090 for 8b", "method", ("galore", "lora")),
        ("pretraining, sft and dpo on 8 A100, 7b", "algorithm", ("sft", "dpo")),
    ],
)
def test_sides_of_a_choice(text: str, slot: str, values: tuple[str, ...]) -> None:
    assert set(query(text).named[slot]) >= set(values)


def test_one_side_is_no_choice() -> None:
    assert "weight_bits" not in query("llama2 lora in 4bit with fp16 on a T4").named


def test_a_place_in_the_run_is_no_number_of_epochs() -> None:
    assert query("loss already flat after 0.15 epochs, llama-30b lora").epochs is None
    assert query("llama-30b lora, 3 epochs on a 4090").epochs == 3


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("upgrading from a 3060 to a 4090, 13b qlora", ["1x rtx-3060-12gb", "1x rtx-4090"]),
        ("Upgrade von RTX 3060 12GB auf RTX 3090 für 13b qlora", ["1x rtx-3060-12gb", "1x rtx-3090"]),
        ("replace my 3060 with a 4090 for 13b lora?", ["1x rtx-3060-12gb", "1x rtx-4090"]),
        ("have one 4090. swap it for dual-3090, or add a second 4090? 65b", ["2x rtx-4090", "2x rtx-3090"]),
        ("i have a 3060 and a 4090, 13b qlora", []),
    ],
)
def test_set_ups_to_choose_from(text: str, sides: list[str]) -> None:
    assert [f"{side[0].count}x {side[0].gpu}" for side in query(text).candidates] == sides


@pytest.mark.parametrize(
    ("text", "seen", "claimed"),
    [
        ("Warum braucht mein Training 30 GB, obwohl der Rechner 16 sagt?", 30, 16),
        ("I guess a 13b lora needs 40GB", None, 40),
        ("70b full, i guess 280+280G", None, 560),
        ("is 300 GB right for full fine-tuning of a 70b?", None, 300),
        ("is 24 GB right for a 7b lora?", None, None),
        ("8b full finetuning bf16: 32+32 = 64 GB, right?", None, 64),
        ("i count 112 GB for a full finetune of a 7B, correct?", None, 112),
        ("Ich komme für volles Finetuning von 13B auf 104 GB, stimmt das?", None, 104),
        ("7B x 16 bytes = 112 GB for a full finetune, right?", None, 112),
        ("7b lora runs at 22 GB on my 3090, is that right?", 22, None),
        ("2x24 = 48 GB for 70b qlora, right?", None, None),
        ("i have 64 GB RAM and a 3090, 13b lora, right choice?", None, None),
        ("the guide says 70B works on 4x24GB, so why does my 8B fail?", None, None),
        ("3x RTX 3090, dachte 72 GB reichen für 70b lora", None, None),
    ],
)
def test_guesses_and_doubts(text: str, seen: float | None, claimed: float | None) -> None:
    found = query(text)
    assert (found.seen_gib, found.claimed_gib) == (seen, claimed)


def test_a_sum_over_cards_is_a_belief() -> None:
    assert "vram_adds_up" in query("3x RTX 3090, dachte 72 GB reichen für 70b lora").claims
    assert "vram_adds_up" not in query("qwen3 8b qlora on a 3090, should be plenty??").claims


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("I have a 4070, worth renting an H100 for a 70b lora?", ["h100-sxm"]),
        ("I have a 4070, worth it for a 7b lora?", []),
    ],
)
def test_cards_to_rent_stand_beside_the_own_one(text: str, offered: list[str]) -> None:
    found = query(text)
    assert [side[0].gpu for side in found.candidates] == offered
    assert [card.gpu for card in found.gpus] == ["rtx-4070"]


def test_so_many_tokens_are_a_data_set() -> None:
    assert query("I have 200M tokens of legal text, mistral 7b lora").dataset_tokens == 200_000_000
    assert query("8k tokens of context, mistral 7b lora").dataset_tokens is None


def test_hours_of_a_month() -> None:
    asked = query("13b lora, 26 hours a month, rent or buy?")
    assert (asked.hours_per_week, asked.took_hours) == (6, None)
    assert query("13b lora took 26 hours on a 3090, normal?").took_hours == 26


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("4b on a 3090, trainer wants 7 days for 120k steps", 5.04),
        ("8b qlora auf einer 3090: 10 Stunden für 6.000 Schritte", 6.0),
        ("8b on a 3090, 7 hours, eval every 500 steps", None),
        ("8b on a 3090, warmup 100 steps, took 7 hours", None),
    ],
)
def test_hours_of_so_many_steps_are_seconds_of_a_step(text: str, seconds: float | None) -> None:
    assert read(Question(text=text)).query.seen_s_per_step == seconds


def test_several_speeds_of_a_step_are_all_named() -> None:
    text = "6b lora. one 3090: 51.8 s/it. CUDA_VISIBLE_DEVICES=0,1 -> 124.5 s/it"
    query = read(Question(text=text)).query
    assert query.named["seen_s_per_step"] == ("51.8", "124.5")
    assert query.n_gpus == 2
    assert query.gpus[0].count == 2


def test_who_trains_alpaca_repeats_its_recipe() -> None:
    query = read(Question(text="alpaca 7B full ft on 4xA100 80GB shows 24h eta, normal?")).query
    assert query.dataset_examples == 52_002
    assert query.sources["dataset_examples"] == "assumed"


def test_bits_in_a_list_are_each_named() -> None:
    assert query("4, 8 or 16 bit lora for 13b on a 3090?").named["weight_bits"] == ("4", "8", "16")
    assert query("13b auf der 3090: 4, 8 oder 16 bit?").named["weight_bits"] == ("4", "8", "16")
    assert query("13b in 8 bit on a 3090").named == {}


def test_colab_pro_has_a_card_of_24_gb() -> None:
    assert [card.gpu for card in query("colab pro enough for 13b lora?").gpus] == ["l4"]
    assert [card.gpu for card in query("colab enough for 13b lora?").gpus] == ["t4"]


@pytest.mark.parametrize(
    ("text", "gpu"),
    [
        ("A run took 9 hours on a T4 in Colab. How long would it take on a 4090?", "t4"),
        ("Auf meiner 3060 hat der Lauf 20 Stunden gebraucht, wie lange dauert er auf einer 5090?", "rtx-3060-12gb"),
    ],
)
def test_a_duration_belongs_to_the_card_that_it_stands_beside(text: str, gpu: str) -> None:
    assert query(text).named["took_on"] == (gpu,)


def test_sizes_to_choose_between_are_both_read() -> None:
    for text in ("should i get 16 or 24 gb for 8b models", "16gb vs 24gb for 8b qlora", "16 oder 24 GB für 8B QLoRA?"):
        assert [[card.vram_gb for card in option] for option in query(text).candidates] == [[16.0], [24.0]]
    assert [card.vram_gb for card in query("batch 4 or 8, 24gb card, 7b").gpus] == [24.0]
    assert [card.vram_gb for card in query("rank 8 or 16, 24gb, 7b qlora").gpus] == [24.0]


def test_a_sum_of_ones_own_is_a_guess_about_a_case_and_no_question_about_a_word() -> None:
    asked = query("7B x 16 bytes = 112 GB for a full finetune, right?")
    assert asked.kind == "fits_check"
    assert "table_covers_me" not in asked.claims
    table = "il grafico dice 300GB per il full finetuning del 70B ma secondo me sono almeno 500. chi ha ragione?"
    assert query(table).kind == "faq_definition"  # a figure of a table is judged by the rule of thumb
    assert query("what is a full finetune, right, more than lora?").kind != "fits_check"


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("1.2 s/it for 8b qlora on a 3090, i have 12000 steps to go", ("12000",)),
        ("8b qlora auf 3090: 5 s/it, 3k Schritte", ("3000",)),
        ("7b lora runs at 14 s/it on a T4, warmup 100 steps", ()),
        ("12000 steps of 8b qlora on a 3090, how long?", ()),
    ],
)
def test_steps_beside_the_seconds_of_one(text: str, steps: tuple[str, ...]) -> None:
    assert query(text).named.get("steps", ()) == steps
