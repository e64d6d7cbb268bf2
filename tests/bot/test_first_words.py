"""What the first sentence of an answer says to questions as people ask them, and what the answer does not say."""

import pytest

from bot.messages import Question
from bot.pipeline import answer


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("can i finetune a q4 gguf directly with llama.cpp? 200 iterations, improvement 0", "A GGUF file cannot be"),
        ("Lässt sich ein Q4-GGUF direkt mit llama.cpp trainieren?", "Eine GGUF-Datei lässt sich nicht"),
        ("kann ich das gguf direkt finetunen? hab 0,5 Mio Token Text", "Eine GGUF-Datei lässt sich nicht"),
    ],
)
def test_who_trains_a_file_for_running_hears_what_to_train_instead(text: str, words: str) -> None:
    reply = answer(Question(text=text)).reply
    assert reply.title.startswith(words)
    assert "safetensors" in reply.text


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("hab 0,5 Mio Token Text, LoRA für 7B auf einer 3060, geht das?", 500_000),
        ("i have 0.8M tokens, lora 7b on a 3060?", 800_000),
    ],
)
def test_half_a_million_tokens_are_data(text: str, tokens: int) -> None:
    query = answer(Question(text=text)).query
    assert (query.dataset_tokens, query.seq_len) == (tokens, None)


def test_half_a_million_of_context_is_a_length() -> None:
    assert answer(Question(text="llama 8b with 0.5M context on 8 H100, lora?")).query.seq_len == 524_288


def test_in_an_evaluation_that_dies_nobody_sums_cards_up_first() -> None:
    asked = "2x RTX 6000 Ada, qlora 70b, device_map balanced, 8k. training runs, the eval loop OOMs. 96 gigs, how?"
    assert "does not add up" not in answer(Question(text=asked)).reply.text


@pytest.mark.parametrize("text", ["mlx lora mistral 7b 8bit on an M2 Max 64GB, crashes after a while, swap full, slow"])
def test_eight_bit_on_a_mac_is_none_of_bitsandbytes(text: str) -> None:
    assert "LLM.int8" not in answer(Question(text=text)).reply.text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("eval of llama 3 8b fills 128 GB RAM until it gets killed, training is fine", "It is the evaluation"),
        ("8x A100, 960 GB host RAM, pythia-6.9b, 15k eval rows: evaluation eats all RAM and hangs", "It is the eval"),
        ("Beim Evaluieren läuft der Arbeitsspeicher voll (64 GB), 7B QLoRA auf der 3090", "Es ist die Auswertung"),
    ],
)
def test_ram_that_an_evaluation_fills_is_logits(text: str, words: str) -> None:
    reply = answer(Question(text=text)).reply
    assert reply.title.startswith(words)
    assert "prediction_loss_only" in reply.text


@pytest.mark.parametrize(
    "text",
    [
        "killed while loading, 32 GB RAM, llama 8b lora on a 3090",
        "evaluation OOMs on my 24 GB 3090, llama 8b qlora, CUDA out of memory",
    ],
)
def test_ram_or_evaluation_alone_is_something_else(text: str) -> None:
    assert not answer(Question(text=text)).reply.title.startswith("It is the evaluation")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("M3 Max 64GB, mlx lora llama 8b at 8k, ram 60/64, kernel panic. slower but stable?", "The switch is"),
        ("M2 Ultra 64GB, Mistral 7B 8bit, mlx lora, 8k: RAM 55,8/64 und Kernel Panic", "Der Schalter heißt"),
    ],
)
def test_a_mac_that_panics_gets_the_switch_and_no_plan_for_ram(text: str, words: str) -> None:
    found = answer(Question(text=text))
    assert words in found.reply.title
    assert found.query.ram_gb == 64


@pytest.mark.parametrize(
    ("text", "ram_gb"),
    [
        ("RAM 61.2/64 GB used while training 7b qlora on a 3090, is 64 enough?", 64),
        ("RAM bei 30 von 32 GB, 7B QLoRA auf einer 3090. Reicht das?", 32),
        ("RAM 64 GB, 3090, 7b qlora, is that enough?", 64),
    ],
)
def test_of_ram_in_use_the_whole_is_the_machines(text: str, ram_gb: float) -> None:
    assert answer(Question(text=text)).query.ram_gb == ram_gb


@pytest.mark.parametrize(
    ("text", "words", "count"),
    [
        (
            "GRPO llama 70B lora on 8x H100, vllm colocate tp 4, gpu_memory_utilization 0.6, OOM",
            "split over 4 cards",
            8,
        ),
        ("GRPO Qwen2.5-32B auf 16x A100 80GB, vllm tp 4 mit 0.6, OOM. 16 x 80 reicht nicht?", "auf 4 Karten", 16),
        ("GRPO with Qwen3-235B-A22B lora on 128 (!) H20 96GB, vllm colocate, TP 8, OOM", "split over 8 cards", 128),
    ],
)
def test_vllm_that_is_split_holds_its_share_of_each_card(text: str, words: str, count: int) -> None:
    found = answer(Question(text=text))
    assert found.reply.title.startswith("vLLM")
    assert words in found.reply.title
    assert "whole copy" not in found.reply.text
    assert found.query.n_gpus == count


def test_vllm_that_nobody_splits_holds_a_whole_copy() -> None:
    asked = "GRPO llama 70B lora on 8x H100, vllm colocate, OOM"
    assert "split over" not in answer(Question(text=asked)).reply.title


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "wieso langsamer? 1 GPU: ETA 80 std. 4 GPUs: ETA 150 std. 7B LoRA, gleicher Datensatz",
            "etwa 22 h auf 4 werden",
        ),
        ("1 GPU: 10 hours. 2 GPUs: 14 hours. same dataset, llama 8b lora. why slower?", "about 5 h on 2, not 14 h"),
        ("mit einer 3090 zeigt er 6 Stunden an, mit zwei 3090 9 Stunden. 7B QLoRA. Wieso?", "etwa 3 h auf 2 werden"),
        ("one 4090 takes 10 h, four 4090 take 3 h. ok scaling for 8b qlora?", "is about what copies gain"),
    ],
)
def test_hours_on_more_cards_are_set_against_those_on_fewer(text: str, words: str) -> None:
    assert words in answer(Question(text=text)).reply.title


@pytest.mark.parametrize(
    "text",
    [
        "how long does 8b qlora with 10k examples take on 1 GPU? must be under 10 hours",
        "i train 2 hours a day on 2 GPUs, 5 hours on weekends. llama 8b",
        "auf 1 GPU dauert es 6 Stunden, 8B QLoRA. Normal?",
    ],
)
def test_one_duration_compares_nothing(text: str) -> None:
    assert "hours_on" not in answer(Question(text=text)).query.named


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "real LoRA rather than QLoRA for llama 8b, the speed is identical. did i do it wrong? 24gb",
            "No, nothing",
        ),
        ("LoRA in 16 Bit ist bei mir genauso schnell wie QLoRA (8B, 4090). Normal?", "Das ist in Ordnung"),
        (
            "Müsste sich das nicht aufteilen? 7x 4090, 8B LoRA, Batch 4, jede einzelne Karte ist voll",
            "Nein: Beim gewöhnlichen Start",
        ),
        ("4x 3090, 8b lora, every card is at 22 GB. shouldn't that be divided by 4?", "No: a plain start"),
        (
            "how come torchtune does full finetuning of llama 3B in under 20GB when my TRL script takes 35?",
            "It is full",
        ),
        ("Warum braucht Unsloth für das gleiche Modell (8B QLoRA) 7 GB und TRL 15 GB?", "Dasselbe Training"),
        ("FSDP 70B full, 4x80GB: H100 23 h, A100 15 h. why is the newer card slower?", "It is not the card"),
        (
            "13B voll mit zero3 offload: warum ist die neuere Karte langsamer als die 3090?",
            "An der Karte liegt es nicht",
        ),
    ],
)
def test_the_question_is_answered_before_figures(text: str, words: str) -> None:
    assert answer(Question(text=text)).reply.title.startswith(words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2x 3090 train qlora 8b at the same speed as one. why?", "nothing is wrong"),
        ("4x 3090 with zero3, 70b qlora: every card is full. more cards?", "a plain start"),
        ("7b qlora: the newer card is slower, 4090 against 3090", "It is not the card"),
        ("which trainer needs less memory for 8b qlora, unsloth or trl?", "The same training"),
    ],
)
def test_and_not_where_it_would_be_beside_the_point(text: str, words: str) -> None:
    assert words not in answer(Question(text=text)).reply.text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "V100 32GB, llama 33B in int4: ein Kollege meint, die kann kein bf16. Brauche ich eine A100?",
            "Nein, eine neu",
        ),
        ("two Quadro RTX 6000, vicuna 13b lora, bf16 set to False. is Ampere mandatory?", "No newer card is needed"),
        ("is a T4 too old for qlora 7b, do i need ampere?", "No newer card is needed"),
        (
            "mistral 7b on an A10G, OOM. tried max_steps 300, 200, 20, 1. what else can i lower?",
            "The number of examples,",
        ),
        ("weniger Epochen, trotzdem OOM: 7B LoRA, 3090, Batch 16", "Die Zahl der Beispiele, Schritte"),
        ("cpt of qwen 7b with lora on 10k domain texts, learned nothing. more GPUs?", "Not the hardware"),
        (
            "13b full on a 4090, all offloaded to nvme, killed with 64 GB RAM. why does ram matter?",
            "RAM is full, not VRAM",
        ),
        ("7B voll, Optimizer auf NVMe ausgelagert, wird mit 32 GB RAM gekillt", "Voll ist der RAM"),
    ],
)
def test_the_belief_or_the_yes_or_no_stands_first(text: str, words: str) -> None:
    assert answer(Question(text=text)).reply.title.startswith(words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("V100 16GB, 70b qlora. do i need an a100?", "No newer card"),  # the V100 is too small
        ("how many epochs for 7b lora on a 3090, 5k examples?", "does not change the memory"),
        ("7b full with zero3 cpu offload, 64 GB RAM, killed", "NVMe takes the states"),
        ("full 13B on A100 40GB, how many? 20k english examples", "a new language"),
    ],
)
def test_which_stays_unsaid_elsewhere(text: str, words: str) -> None:
    assert words not in answer(Question(text=text)).reply.text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "new language, so full tuning of llama2 13B. how many A100 40GB, how much data?",
            "hundreds of millions",
        ),
        (
            "neue Sprache, volles Training von Llama 2 13B: wie viele A100 40GB, wie viele Daten?",
            "Hunderte Millionen",
        ),
    ],
)
def test_a_new_language_takes_more_than_a_thousand_examples(text: str, words: str) -> None:
    assert words in answer(Question(text=text)).reply.text


@pytest.mark.parametrize(
    ("text", "words", "beside"),
    [
        (
            "qwen 14b or maybe 72b. shopping list: 2x 4090, Xeon, 128G DDR4, 2000W redundant PSU. good buy?",
            "Yes, Qwen",
            "Buy for steady use",
        ),
        (
            "Einkaufsliste: 4090, i7, 64 GB DDR5, 1000 W Netzteil, für Qwen 14B. Taugt das?",
            "Ja, Qwen",
            "miete zuerst",
        ),
        ("parts list: 2x 4090, 850 W PSU, 64GB. 13b qlora?", "Yes, 13B", "instead of 850 W"),
    ],
)
def test_of_a_list_of_parts_the_cards_are_judged_first(text: str, words: str, beside: str) -> None:
    reply = answer(Question(text=text)).reply
    assert reply.title.startswith(words)
    assert beside in reply.text + " ".join(str(block) for block in reply.more)


def test_a_supply_that_is_asked_about_comes_first() -> None:
    asked = "4090 and a 1000W PSU, is the supply enough for 8b qlora?"
    assert answer(Question(text=asked)).reply.title.startswith("Yes, 1,000 W")


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("someone trained 33B with a 3090 + 128GB RAM offload. I have 64GB RAM, does it work?", {"claimed_gib": None}),
        ("blog got 3 hours on an A100 for 50k rows, 7b qlora. on my 3090 it says 31 hours", {"seen_s_per_step": None}),
        ("Kann man auf einem 128 GB Mac Studio M1 Ultra ein 70B LoRA machen?", {"n_gpus": None}),
    ],
)
def test_what_others_have_is_no_figure_of_ones_own(text: str, slots: dict[str, object]) -> None:
    query = answer(Question(text=text)).query
    assert {slot: getattr(query, slot) for slot in slots} == slots
    assert len(query.gpus) <= 1


@pytest.mark.parametrize(
    "text",
    [
        "Alpaca paper: 52k examples, 3h on 8xA100 80GB. how long on my 3090 with lora 7b and 10k examples?",
        "Model card says trained on 8x H100 for 3 days. Can I do a lora of the same 32B on 2x 4090?",
    ],
)
def test_hours_on_other_cards_are_not_judged_by_ones_own(text: str) -> None:
    found = answer(Question(text=text))
    assert "their_hours" not in found.query.named
    assert not found.reply.title.startswith(("Plausible", "72 h"))


def test_hours_of_the_same_card_are() -> None:
    asked = "a blog says 7b qlora took 3 hours on a 3090 with 10k examples. is that plausible for my 3090?"
    assert answer(Question(text=asked)).query.named["their_hours"] == ("3",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("OOM when I go from 1 to 2 epochs?? 1 epoch runs fine. llama 8b, 4090", "The number of examples, steps"),
        ("does the size of the json matter for vram? i have 12GB", "The number of examples, steps"),
        ("mac studio 64gb, 8b lora?", "I do not know"),
    ],
)
def test_small_beliefs_and_half_names(text: str, words: str) -> None:
    assert words in answer(Question(text=text)).reply.text


@pytest.mark.parametrize(
    ("text", "seen", "claimed"),
    [
        (
            "Tutorial nennt 14 GB für Mistral 7B QLoRA mit 4k, bei mir sind es 21 GB auf der 3090. Was ist falsch?",
            21,
            14,
        ),
        ("the docs say 14 GB for mistral 7b qlora at 4k, for me it's 21 GB on my 3090. what's wrong?", 21, 14),
    ],
)
def test_what_it_is_here_is_seen_and_what_others_say_is_claimed(text: str, seen: float, claimed: float) -> None:
    found = answer(Question(text=text))
    assert (found.query.seen_gib, found.query.claimed_gib) == (seen, claimed)
    assert "21" in found.reply.title


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Can saving the adapter need more VRAM than the training?", "Yes: evaluation, saving"),
        ("Kann das Speichern mehr VRAM brauchen als das Training?", "Ja: Auswerten, Speichern"),
        ("Axolotl config asks for sample_packing: true and memory doubled. why?", "With packing every sequence"),
        ("max_seq_length auf 512 gesenkt, VRAM bleibt gleich. Wieso? 8B QLoRA, packing an", "Mit Packing ist jede"),
        (
            "Ist es normal, dass die zweite GPU nur 60% ausgelastet ist? 2x 3090 DDP, 8B LoRA",
            "Die Karte ist in Ordnung",
        ),
    ],
)
def test_whether_and_why_come_first(text: str, words: str) -> None:
    assert answer(Question(text=text)).reply.title.startswith(words)


def test_a_card_that_is_inside_is_no_use_of_it() -> None:
    query = answer(Question(text="bei mir ist eine 24 GB Karte drin, 8B QLoRA?")).query
    assert (query.seen_gib, query.gpus[0].vram_gb) == (None, 24)


def test_how_busy_a_card_is_is_no_share_for_vllm() -> None:
    query = answer(Question(text="A100 40GB: batch 4 works but GPU util 55%. 13b lora, faster?")).query
    assert "rollout_share" not in query.named


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "HF prints trainable params 0.52% and still 21GB used, mistral 7b lora, 3090. shouldn't it be tiny?",
            "LoRA and 4-bit",
        ),
        ("CUDA out of memory only on the second run in the same notebook. first run fine", "The first run still holds"),
        ("OOM beim zweiten Lauf im selben Notebook, 8B QLoRA auf der 3090", "Der erste Lauf hält"),
    ],
)
def test_a_belief_about_adapters_and_a_second_run(text: str, words: str) -> None:
    assert answer(Question(text=text)).reply.title.startswith(words)


def test_ram_of_a_colleague_is_the_colleagues() -> None:
    asked = "Mein Kollege hat 70B mit 2x 3090 trainiert, bei mir OOM. Er hat 128 GB RAM. Liegt es daran?"
    assert answer(Question(text=asked)).query.ram_gb is None
    own = "Der Server hat 128 GB RAM und er hat zwei 3090. 70B QLoRA?"
    assert answer(Question(text=own)).query.ram_gb == 128


@pytest.mark.parametrize(
    ("text", "claimed"),
    [
        ("they told me 7B vicuna LoRA = 17 GB. My 24 GB card: 23.29 GiB already allocated -> OOM. who is lying", 17),
        ("laut Forum 17 GB für 7B LoRA. Meine Karte: 23,3 GB belegt, OOM", 17),
    ],
)
def test_what_the_own_card_shows_is_no_second_claim(text: str, claimed: float) -> None:
    query = answer(Question(text=text)).query
    assert query.claimed_gib == claimed
    assert "claimed_gib" not in query.named


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("tutorial uses max_seq_len 512 on T4, mine needs 4k. can colab T4 do it? llama 8b qlora", 4096),
        ("the docs set max_seq_length 2048. i need 8k context for 8b qlora on a 3090", 8192),
        ("Das Tutorial nutzt max_seq_length 1024, ich brauche 4k. 8B QLoRA auf einer 3060?", 4096),
        ("the readme uses cutoff_len 1024 for 7b lora. fits a 3060 12gb?", 1024),
        ("my config has max_seq_length 2048, 8b qlora on a 3090", 2048),
    ],
)
def test_a_length_of_a_tutorial_gives_way_to_ones_own(text: str, tokens: int) -> None:
    assert answer(Question(text=text)).query.seq_len == tokens


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("how do you get to 112 GB for a 7B full fine-tune?", "Parameters × 16 bytes"),
        ("Wie kommt man auf 112 GB für volles Fine-Tuning von 7B?", "Parameter × 16 Byte"),
    ],
)
def test_where_a_figure_comes_from_is_a_sum(text: str, words: str) -> None:
    assert answer(Question(text=text)).reply.title.startswith(words)
