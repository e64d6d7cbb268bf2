"""Figures that others claim, and second questions beside a first: both are answered, the asked point first."""

import pytest

from bot.messages import Question
from bot.pipeline import answer


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "A pricing blog says fine-tuning 1 billion tokens on a 7B model takes 4-6 GPU hours on an RTX 4090. I have "
            "~900M tokens of docs. Can I trust that number?",
            "No: 900M tokens in 6 h would be 42,000 tokens/s",
        ),
        ("chatgpt says 500M tokens on a 7B take 4-6 GPU hours on a 4090, is that realistic?", "No: 500M tokens in 6 h"),
        (
            "Ein Blog behauptet, 1 Mrd. Tokens auf einem 7B dauern 5 Stunden auf einer 4090. Kann das stimmen?",
            "Nein: 1B Tokens in 5 h wären",
        ),
        ("Someone claims 100k examples on an 8B take 20 minutes on a 3090. realistic?", "No: 51M tokens × 3 epochs in"),
        ("my run of 500M tokens on a 7B took 2 hours on my 4090. can that be?", "Too fast to be all of it"),
        ("a blog says 7b qlora took 3 hours on a 3090 with 10k examples. is that plausible for my 3090?", "Plausible"),
    ],
)
def test_a_time_that_others_claim_is_judged_as_a_claim(text: str, words: str) -> None:
    assert answer(Question(text=text)).reply.title.startswith(words)


@pytest.mark.parametrize(
    ("text", "rent", "verdict"),
    [
        (
            "Was kostet der Strom, wenn meine 4090 20 Stunden am Stück trainiert? Zahle 35 Cent die kWh. Lohnt sich "
            "Mieten da überhaupt noch?",
            "6,80 USD",
            "zu Hause billiger",
        ),
        (
            "My 4090 trains 40 hours, 0.30 EUR per kWh. What is the electricity and is renting cheaper?",
            "13.60 USD",
            "at home is cheaper",
        ),
        ("2x 3090 train 10 hours, 0.30 USD per kWh, electricity or rent?", "4.40 USD", "at home is cheaper"),
    ],
)
def test_electricity_stands_beside_the_rent_for_as_long(text: str, rent: str, verdict: str) -> None:
    reply = answer(Question(text=text)).reply.text
    assert rent in reply
    assert verdict in reply


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "Habe ca. 3000 Support-Antworten und nur nen Laptop mit integrierter Grafik. Muss ich jetzt echt ne Karte "
            "kaufen um ein 8B drauf anzupassen?",
            "Nein, miete: Für 3.000 Beispiele",
        ),
        ("I have no GPU. Do I have to buy one to fine-tune an 8B on 5000 examples?", "No, rent instead: for 5,000"),
        ("no gpu, do i need to buy one for finetuning?", "No, rent instead: 24 GB"),
        ("no gpu, 64 gigs of ram. can i lora a 7b on cpu? 2000 examples, 300 tokens each", "Possible with patience"),
        ("kann ich ein 8B ohne GPU auf der CPU trainieren? 500 Beispiele", "Mit Geduld möglich"),
        ("can i train an 8b on cpu without a gpu? 20k examples", "Without a GPU practically no: on a CPU an epoch of"),
        ("no gpu, can i finetune at all?", "Without a GPU practically no"),
    ],
)
def test_without_a_gpu_the_askers_own_data_are_reckoned(text: str, words: str) -> None:
    assert answer(Question(text=text)).reply.text.replace("**", "").startswith(words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "torchtune claims a full 8B finetune on a 24 GB card. By my math Adam alone is 64 GB. Where's the trick?",
            "Yes, 8B with full fine-tuning fits 24 GB",
        ),
        (
            "Wie passt volles Fine-Tuning von 8B mit torchtune auf eine 4090? Adam allein sind 64 GB.",
            "Ja, 8B mit vollem Fine-Tuning passt auf RTX 4090",
        ),
        ("torchtune full finetune 8b with adamw on a 24 GB card?", "No: 8B with full fine-tuning takes 50.8 GiB"),
    ],
)
def test_an_optimizer_that_is_a_part_of_a_sum_is_not_the_runs(text: str, words: str) -> None:
    assert answer(Question(text=text)).reply.title.startswith(words)


def test_why_the_lora_recipe_is_listed_with_more() -> None:
    text = "torchtune claims a full finetune of a 7B in 24GB, and LoRA takes MORE. Right? I want a full finetune, 4090"
    assert "The LoRA recipes lack these tricks" in answer(Question(text=text)).reply.text


def test_the_rank_of_galore_is_no_loras() -> None:
    query = answer(Question(text="galore layerwise 7b rank 1024 on a 24gb card?")).query
    assert (query.optimizer, query.method, query.lora_rank) == ("galore_adamw", None, None)
    assert answer(Question(text="lora or galore for a 7b at rank 64 on a 3090?")).query.lora_rank == 64


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("does DPO on a 7B need the model twice in VRAM? got 24GB", "No: with LoRA and QLoRA one copy is enough"),
        ("brauche ich für DPO das Modell doppelt im VRAM? 24 GB, 7B", "Nein: Mit LoRA und QLoRA genügt eine Kopie"),
        ("Is DPO twice the memory of SFT? 8B qlora on 3090", "No: with LoRA and QLoRA one copy is enough"),
        ("full DPO of a 3B on an A100, does it keep two copies?", "The weights yes, the rest no"),
        ("DPO on a 7B with 24GB, does it fit?", "Yes, 7B with QLoRA fits 24 GB"),
    ],
)
def test_whether_dpo_holds_the_model_twice(text: str, words: str) -> None:
    assert answer(Question(text=text)).reply.text.replace("**", "").startswith(words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "lora on gemma-2b goes OOM, yet Mistral 7B with the same command trains fine. cutoff 4096, batch 4 per "
            "gpu. how is a 2B hungrier than a 7B",
            "The vocabulary makes the smaller one hungrier",
        ),
        (
            "Gemma 2B läuft in OOM, Llama 2 7B mit demselben Skript nicht. LoRA, 4096 Tokens, batch 4, 48 GB. Warum?",
            "Das Vokabular macht das kleinere hungriger",
        ),
        ("Mistral 7B OOM on 24gb with lora 4k, llama 3.2 1B works", "This should fit"),
    ],
)
def test_a_small_model_that_is_hungrier_than_a_large_one(text: str, words: str) -> None:
    assert answer(Question(text=text)).reply.title.startswith(words)


@pytest.mark.parametrize(
    ("text", "words", "dtype"),
    [
        (
            'colab t4, llama-3-8b 4bit in unsloth, examples up to 18k tokens, batch 2, "Tried to allocate 9.47 GiB" in '
            "some convert-to-fp32 line",
            "The 9.5 GiB are the logits in fp32: 19,820 tokens",
            None,
        ),
        (
            "llama 3 8b qlora, 4096 Tokens, Batch 2: tried to allocate 3.91 GiB in _convert_to_fp32, was ist das?",
            "Die 3,9 GiB sind die Logits in fp32: 8.183 Tokens",
            None,
        ),
        ("llama 3 8b lora in fp32 on a 3090, OOM", "", "fp32"),
    ],
)
def test_a_block_that_is_the_logits(text: str, words: str, dtype: str | None) -> None:
    found = answer(Question(text=text))
    assert found.reply.text.replace("**", "").startswith(words)
    assert found.query.compute_dtype == dtype
