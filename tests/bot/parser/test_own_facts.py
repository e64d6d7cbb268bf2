"""Facts that stand apart from their slot, or only look like one: read as what they are, or not at all."""

from typing import Any

import pytest

from advisor.query import Kind
from bot.messages import Question
from bot.parser import read

TOLD: list[tuple[str, dict[str, Any]]] = [
    # the size of a card, told apart from its name
    ("full FT of llama2 13B with 4 A100s. mine are the 40GB ones", {"gpus": [("a100-40gb-pcie", 4, 40.0)]}),
    ("PPO on 7B? I have 4 A100 of the 40 GB sort", {"gpus": [("a100-40gb-pcie", 4, 40.0)]}),
    ("2 A100 hier, leider die 40er. 13B QLoRA?", {"gpus": [("a100-40gb-pcie", 2, 40.0)]}),
    ("8x V100 im Keller, die 16-GB-Variante. 7B LoRA?", {"gpus": [("v100-16gb", 8, 16.0)]}),
    ("unsere A100 haben leider nur 40 GB. 13B LoRA?", {"gpus": [("a100-40gb-sxm", 1, 40.0)]}),
    ("A100, the model takes 40 GB in bf16. ok?", {"gpus": [("a100-80gb-sxm", 1, 80.0)], "seen_gib": 40.0}),
    ("7b 64k on A100? is that the 40G or the 80G version", {"gpus": [("a100-80gb-sxm", 1, 80.0)]}),
    # how many, told apart
    ("7B DPO, got 8 free A40 (46 GB)", {"gpus": [("a40", 8, 48.0)]}),
    ("i only have T4s (can use 2). mistral 7b lora", {"gpus": [("t4", 2, 16.0)]}),
    ("everything loads on GPU0 of my 3090s. How do I use all 4?", {"gpus": [("rtx-3090", 4, 24.0)]}),
    ("2 freie 3090, 13B QLoRA", {"gpus": [("rtx-3090", 2, 24.0)]}),
    ("72B auf 16 Beschleunigern zu je 64 GB", {"gpus": [(None, 16, 64.0)]}),
    ("4 GPUs with 24 GB each, 13b lora", {"gpus": [(None, 4, 24.0)]}),
    ("3 GPUs mit je 24 GB, 13b lora", {"gpus": [(None, 3, 24.0)]}),
    ("llama 7b lora auf einer A10G. gleiche Config auf 8 GPUs: langsam", {"gpus": [("a10g", 8, 24.0)]}),
    ("one 3090 here, would need 8 GPUs for a 70b?", {"gpus": [("rtx-3090", 1, 24.0)]}),
    ("10k rows, 500 of them are long. 3090 8b qlora", {"gpus": [("rtx-3090", 1, 24.0)], "dataset_examples": 10_000}),
    ("H100 node (8 gpus), 70b lora", {"gpus": [("h100-sxm", 8, 80.0)]}),
    ("10k works on a single 8xH100 node, the recipe runs on 16 nodes", {"gpus": [("h100-sxm", 8, 80.0)]}),
    ("one 8xA100 server 5h, TWO servers 6h", {"gpus": [("a100-80gb-sxm", 16, 80.0)]}),
    # memory that is no card's
    ("vicuna 7b nur mit CPU? Windows selbst nimmt schon 4-6 GB von 32 GB RAM", {"gpus": [], "ram_gb": 32.0}),
    ("no gpu, only a laptop with 16gb. can i train a 1b?", {"gpus": [], "ram_gb": 16.0}),
    ("My 4090 has 12 GB free, 7b qlora?", {"gpus": [("rtx-4090", 1, 24.0)]}),
    ("My 3090 shows 24GB + 16GB shared = 40. bs 16: 22.7GB used", {"seen_gib": 22.7, "ram_gb": None}),
    ("opt-350m, peft is WORSE. multi_gpu: 34G without, 40G with lora", {"gpus": [], "seen_gib": 40.0}),
    ("my torch says no gpu found but i have a 24GB card, 8b", {"gpus": [(None, 1, 24.0)]}),
    # lengths
    ("LoRA für Llama3-8B mit 8k langen Texten", {"seq_len": 8192, "dataset_examples": None}),
    ("QLoRA 8B, 12.000 lange Texte, 3090", {"seq_len": None, "dataset_examples": 12_000}),
    ("8b qlora on 3090 with 10k long documents", {"seq_len": None, "dataset_examples": 10_000}),
    ("8b lora, documents of 8k, 4090", {"seq_len": 8192}),
    ("Texte mit 16k auf einer 4090, 8B QLoRA", {"seq_len": 16_384}),
    ("2000 samples of 4k, 8b qlora 3090", {"seq_len": 4096, "dataset_examples": 2000}),
    ("we have documents of 500 words, 3090, 8b", {"seq_len": None, "tokens_per_example": None}),
    ("~53k tokens/s claimed. 60M / 53k = 19 minutes?", {"seq_len": None, "seen_tokens_per_s": 53_000.0}),
    ("no matter if batch_size is 128 or 512", {"seq_len": None}),
    ("8b qlora 3090, 4096/8192?", {"seq_len": 4096}),
    ("32B sft: 10k works, 20k doesn't, but 22k on more nodes", {"seq_len": 20_480, "ran_seq_len": 10_240}),
    # whose case it is
    ("paper: 65B qlora in 24h on one card. Me: 30B, alpaca -> ETA 80 h", {"params_b": 30.0, "took_hours": 80.0}),
    ("Anleitung: 7B LoRA auf 24 GB. Ich: 3060 12GB, 7B", {"gpus": [("rtx-3060-12gb", 1, 12.0)], "claimed_gib": 24.0}),
    ("got told you can't tune a 7b on a 3090, min 7x20=140GB", {"claimed_gib": 140.0}),
    ("DGX Spark: jemand rechnet NF4 = 115 GB, bleiben 13 GB für LoRA", {"claimed_gib": 115.0}),
    ("Is 52k examples a must? Is like 500 rows enough", {"dataset_examples": 500}),
    ("does the model need 50k rows like alpaca? only have 800", {"dataset_examples": 800}),
    ("Ist 10k Beispiele Pflicht? Habe 300 Gesprächsprotokolle, Mistral 7B", {"dataset_examples": 300}),
    ("Brauche ich 10.000 Beispiele? Habe nur 250.", {"dataset_examples": 250}),
    ("do i need 20k rows? i have 1500 dollars", {"dataset_examples": 20_000}),
    ("need 50k rows trained, have 4096 context", {"dataset_examples": 50_000}),
    ("alpaca has 52k examples, I have 800 examples. 7b lora ok?", {"dataset_examples": 800}),
    ("reichen 300 Beispiele? empfohlen werden 10.000 Beispiele", {"dataset_examples": 300}),
    # what is switched off, explained, counted in, or only asked for
    ("mlx_lm.lora, grad_checkpoint false, M3 Max 128GB", {"grad_checkpointing": False}),
    ("8b qlora, packing off, liger false, 3090", {"packing": False, "fused_loss": False}),
    ("13b, tried fsdp offload, tf32 off, batch 1", {"compute_dtype": None, "offload": "params"}),
    ("4090 vs 5090. FP32: 82.6 / 125 TFLOPS", {"compute_dtype": None}),
    ("I thought data parallel means the same memory per gpu", {"sharding": None}),
    ("merge runs out. is there some offloading or do I need a bigger box?", {"offload": None}),
    ("4 GPUs mit ZeRO-3, gibt es da ein Offload? 13b full", {"offload": None, "sharding": "zero3"}),
    ("13b full with zero3 and offload", {"offload": "optimizer"}),
    ("r=8 on q,k vs r=64 on everything makes a difference?", {"lora_rank": 8}),
    ("MiniMax-M2.5, LoRA r8 nur auf Attention", {"lora_targets": "attention", "lora_rank": 8}),
    ("Llama-3-8B Weitertraining (voll) auf 64k Tokens", {"method": "full", "seq_len": 65_536}),
    ("my gpu is full at 8b. 3090", {"method": None}),
    ("llama 7b, batch 128, micro 4", {"micro_batch": 4, "grad_accum": 32}),
    # speed
    ("7-13B lokal mit mind. 5 Token/s", {"seen_tokens_per_s": None}),
    ("Ollama runs my 70b q4 at 3 t/s. Could I train it too?", {"seen_tokens_per_s": None}),
    ("8b qlora in unsloth at 900 tok/s on a 3090", {"seen_tokens_per_s": 900.0}),
    ("i get 12 tok/s on a 3090, want at least 30 tok/s", {"seen_tokens_per_s": 12.0}),
    ("eine A10G: ca. 100 ms pro Iteration", {"seen_s_per_step": 0.1}),
    # money
    ("8x A100 80 rented at about 12 $/h. 15.5 hours. So ~190 bucks all in?", {"hourly": 1.5, "budget": None}),
    ("p4d mit 8x A100 40G kostet 32,77 $/h, Lambda 1,29 $ pro A100 und Stunde", {"hourly": 1.29, "budget": None}),
    ("8xH100 at $2.50/h each, 70b lora, 10 hours", {"hourly": 2.5}),
    ("3090 (ca. 700€, 370 W) gegen RTX PRO 4000 Blackwell (neu ca. 1400€), Strom 0,30 €/kWh", {"budget": None}),
    ("Budget ca. 700€, 3090 oder 4060 Ti?", {"budget": 700.0}),
]


def compare(text: str, facts: dict[str, Any]) -> None:
    query = read(Question(text=text)).query
    read_: dict[str, Any] = {slot: getattr(query, slot) for slot in facts if slot not in ("gpus", "hourly")}
    if "gpus" in facts:
        read_["gpus"] = [(card.gpu, card.count, card.vram_gb) for card in query.gpus]
    if "hourly" in facts:
        read_["hourly"] = next(iter(query.hourly.values()))
    assert read_ == facts


@pytest.mark.parametrize(("text", "facts"), TOLD)
def test_a_fact_is_read_as_what_it_is(text: str, facts: dict[str, Any]) -> None:
    compare(text, facts)


def test_ranks_of_a_choice_are_not_what_is_trained_with() -> None:
    sources = read(Question(text="r=8 on q,k vs r=64 on everything makes a difference?")).query.sources
    assert sources["lora_rank"] == "assumed"


@pytest.mark.parametrize(
    ("text", "symptom", "shown"),
    [
        ("8b on a 5080, 2 s/it then 45 s/it. No OOM shown", "oom_step", False),
        ("läuft ohne CUDA OOM, aber die Ausgabe ist Müll", "oom_step", False),
        ("no OOM at 2k, OOM at 4k", "oom_step", True),
        ("2 s/it, then 45 s/it after 15 steps, no OOM shown", "oom_later", False),
        ("no OOM at 1k, but OOM after 15 steps at 4k", "oom_later", True),
        ("exitcode: -9, no cuda error anywhere", "no_gpu_found", False),
        ("torch says no cuda, 8b lora", "no_gpu_found", True),
        ("7B DPO on 8 A40. slow is ok", "slow", False),
        ("Training ist langsam, ist das ok?", "slow", True),
        ("One DGX Spark (128 GB shared mem), 70B LoRA?", "slow_spill", False),
        ("my 3090 spills into shared gpu memory, 13b qlora", "slow_spill", True),
    ],
)
def test_what_is_denied_is_no_symptom(text: str, symptom: str, shown: bool) -> None:
    assert (symptom in read(Question(text=text)).query.symptoms) is shown


def test_a_card_with_a_memory_that_it_is_not_sold_with() -> None:
    query = read(Question(text='Hab den Tipp bekommen: "RTX 2080 Ti, die hat 16GB". Stimmt das?')).query
    assert query.claims == ("impossible_card",)
    assert not read(Question(text="4090, which has 24GB, 8b qlora")).query.claims


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("full tune, nur 2k Kontext. Ziel wären 200k oder wenigstens 32k", {"seq_len": 32_768}),
        ("we train at 4k context now, goal is 16k", {"seq_len": 16_384}),
        ("8b qlora, max_length 4096", {"seq_len": 4096}),
        ("24GB card, OOM. People do this on a 16GB T4", {"gpus": [(None, 1, 24.0)]}),
        ("8b, 24GB card. task manager shows 8.7/24 GB dedicated", {"seen_gib": 8.7}),
        ("A100 80GB gets me to ~6000 with 8bit LoRA", {"gpus": [("a100-80gb-sxm", 1, 80.0)]}),
        ("Qwen3-30B-A3B on a 3090, only 3B are active", {"models": ()}),
        ("Mixtral LoRA, 8x A800, accelerate distributed_type MULTI_GPU", {"sharding": "ddp"}),
        ("SIGKILL, RAM shows 1.7TiB on a 1.5TB instance", {"ram_gb": 1500.0}),
        ("cluster: 56GB memory, 1 GPU. pythia-2.8b", {"ram_gb": 56.0}),
        ("3090 and A6000, both GA102", {"grad_accum": None}),
        ("8b qlora, ga 16", {"grad_accum": 16}),
        ("Nach 15h noch kein Drittel einer Epoche auf 6x V100", {"epochs": None, "done_hours": 15.0}),
        ("eine Epoche mit 8B auf einer 3090", {"epochs": 1.0}),
        ("lora ok on an A800. switch to full -> OOM. fits?", {"method": "full"}),
        ("full FT OOMs on my 3090, LoRA works with 8b", {"method": "lora"}),
        ("set grad accumulation from 16 to 2, still OOM", {"grad_accum": 2}),
        ("batch von 8 auf 1 gesenkt, immer noch OOM", {"micro_batch": 1}),
        ("7b: 1.2 s/it on one 3090, 2.9 s/it on two", {"gpus": [("rtx-3090", 2, 24.0)]}),
        ("8b lora auf einer 4090 2 h, auf beiden 1,9 h", {"gpus": [("rtx-4090", 2, 24.0)]}),
        ("one 3090 takes 5 hours for 8b, would it be 2 hours on two?", {"gpus": [("rtx-3090", 1, 24.0)]}),
        ("Reicht eine T4, um TinyLlama nachzutrainieren? 13 GB nur zum Ausführen", {"kind": Kind.FITS_CHECK}),
        ("Llama 7b auf einer T4 nur laufen lassen, kein Training. Reicht das?", {"kind": Kind.INFERENCE_ONLY}),
    ],
)
def test_what_has_changed_and_what_is_aimed_at(text: str, facts: dict[str, Any]) -> None:
    compare(text, facts)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("2 of 4 3090s are free, 13b qlora", {"gpus": [("rtx-3090", 2, 24.0)]}),
        ("Server hat 4 A6000, ich darf nur 2 nutzen. 34B QLoRA", {"gpus": [("rtx-a6000", 2, 48.0)]}),
        ("4 A6000, only rank 2 uses 40 GB", {"gpus": [("rtx-a6000", 4, 48.0)]}),
        ("zwei Karten: 3090 und 4060 Ti 16GB", {"gpus": [("rtx-3090", 1, 24.0), ("rtx-4060-ti-16gb", 1, 16.0)]}),
        ("zwei Karten: 3090, beide neu. 13B QLoRA", {"gpus": [("rtx-3090", 2, 24.0)]}),
        ("1x 3090 and can borrow a second for a weekend, 34b?", {"gpus": [("rtx-3090", 2, 24.0)]}),
        ("friend with a 4090 needs 6h, my 4080 11 h. 8b qlora", {"gpus": [("rtx-4080", 1, 16.0)], "took_hours": 11.0}),
        ("my card needs 20 GB for 8b lora on a 4090", {"gpus": [("rtx-4090", 1, 24.0)], "seen_gib": 20.0}),
        ("bf16 full finetune of 1.5B needs? i have 12GB", {"gpus": [(None, 1, 12.0)], "seen_gib": None}),
        ("8b qlora: 1 epoch of alpaca (52k) = 21 h on a T4", {"params_b": 8.0, "dataset_examples": 52_000}),
        ("alpaca lora 7b on a 3090", {"model": "huggyllama/llama-7b"}),
        ("train my own dolly on pythia-2.8b", {"model": "EleutherAI/pythia-2.8b", "models": ()}),
        ("want to full-tune a 3B. Enough or do I need LoRA?", {"method": "full"}),
        ("Gemma-2-9b, LoRA r=16, bs=1", {"method": "lora", "lora_rank": 16}),
        ("4bit, lora rank 32", {"method": "qlora"}),
        ("beim Export braucht Unsloth 60 GB RAM. 27B, ich hab 32", {"ram_gb": 32.0}),
        ("Unsloth on windows native, 5070 Ti. is WSL needed?", {"os": "windows"}),
        ("Unsloth in WSL on Windows 11", {"os": "windows-wsl2"}),
        ("2048 gepackt, 8B QLoRA auf 4090", {"packing": True}),
        ("train on 8 GPUs but batch 8 total = 1 each", {"micro_batch": None}),
        ("fp16: 15.1 of 16 GB on my V100", {"seen_gib": 15.1}),
        ("Kein OOM, nur 9 von 24 GB belegt", {"seen_gib": 9.0}),
        ("the docs say 6GB for 7B. mine needs 11.", {"seen_gib": 11.0, "claimed_gib": 6.0}),
        ("Windows belegt schon 1,5 GB der 8 GB. RTX 3070. 7B QLoRA?", {"seen_gib": None}),
        ("8b qlora on a 4090, it has to finish in 24h", {"max_hours": 24.0, "took_hours": None}),
        ("8b qlora on a 4090 finished in 24h", {"max_hours": None, "took_hours": 24.0}),
        ("an L40S at $1.10/h, ~5h each, 3 runs per week", {"took_hours": 5.0, "hourly": 1.1}),
        ("A40 vs L40S for 33b, 0.40/0.99 per hour on runpod", {"hourly": 0.4}),
        ("5060 Ti 16GB or 3060 12GB? 280 vs 450 bucks", {"budget": None}),
        ("my budget is 450 bucks for a 3060 12GB", {"budget": 450.0}),
    ],
)
def test_what_is_the_askers_own(text: str, facts: dict[str, Any]) -> None:
    compare(text, facts)


def test_a_capacity_that_is_pasted_tells_the_card() -> None:
    text = "CUDA out of memory. Tried to allocate 896.00 MiB. GPU 0 has a total capacity of {} GiB. 7b full, 4xA100"
    for shown, gpu in ((39.39, "a100-40gb-sxm"), (79.15, "a100-80gb-sxm")):
        assert read(Question(text=text.format(shown))).query.gpus[0].gpu == gpu


def test_runs_of_a_week_are_counted_for_a_month() -> None:
    assert read(Question(text="L40S for 1.10 $/h, 3 runs per week. buy?")).query.named["runs_per_month"] == ("13",)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("3090 gekauft (gebraucht, 680 Euro), größtes Modell per QLoRA?", {"budget": None}),
        ("13b full with zero3. seconds per step at 1k tokens?", {"seq_len": 1024}),
        ("8b qlora 3090, dies at step 1000", {"seq_len": None}),
        ("7B LoRA on an A6000, 1,100 tok/s. the Lambda blog shows 4x that", {"providers": ()}),
        ("8b lora, A6000 on Lambda, how much per run?", {"providers": ("Lambda",)}),
        ("does gradient checkpointing off make it faster? 8b qlora", {"grad_checkpointing": None}),
        ("gradient checkpointing off, 8b, 24 GB", {"grad_checkpointing": False}),
        ("7B mit 8 bit laufen lassen, später vielleicht LoRA", {"method": "lora"}),
    ],
)
def test_what_only_looks_like_it(text: str, facts: dict[str, Any]) -> None:
    compare(text, facts)


def test_two_runs_that_are_set_against_each_other_are_no_set_up() -> None:
    query = read(Question(text="why 14GB on a 4090 but 19GB on an A100? 7b qlora batch 2")).query
    assert [cards[0].gpu for cards in query.candidates] == ["rtx-4090", "a100-80gb-sxm"]
    assert "mixed_cards_add_up" not in query.claims


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("tinyllama 1b on CPU, i7-12700, 2000 examples. overnight?", True),
        ("kann ich ein 3B auf der CPU trainieren, Ryzen 5900, 64GB", True),
        ("8b qlora merge on cpu, 32 GB RAM", False),
        ("7b, optimizer on CPU, 64 GB RAM", False),
        ("my 7b runs on cpu instead of the gpu, 3090", False),
    ],
)
def test_who_has_a_processor_alone(text: str, alone: bool) -> None:
    assert ("no_gpu_found" in read(Question(text=text)).query.symptoms) is alone


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("8x V100s, 7B LoRA", {"gpus": [("v100-16gb", 8, 16.0)]}),
        ("a V100S for 13b lora", {"gpus": [("v100s-32gb", 1, 32.0)]}),
        ("4x A100 40G, original used 80G ones, training ran at 36GB. need 80GB cards?", {"seen_gib": 36.0}),
        ("tokenizing 20M rows, CPU memory grows, 256GB machine freezes", {"ram_gb": 256.0}),
        ("3B full on 4090 claims 15GB peak, I see 23.9. packed=False", {"seen_gib": 23.9, "packing": False}),
    ],
)
def test_what_stands_in_an_issue(text: str, facts: dict[str, Any]) -> None:
    compare(text, facts)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Anfangs 31 GB, nach ca. 2 Stunden Absturz. 7B LoRA, RTX 6000 Ada", {"took_hours": None}),
        ("7B LoRA dauerte 2 Stunden auf der RTX 6000 Ada", {"took_hours": 2.0}),
        ("7B LoRA auf ner A6000, 39 von 48 belegt", {"seen_gib": 39.0}),
        ("7B LoRA schreibt alle 100 Steps 16 GB auf die Platte", {"gpus": []}),
        ("7B LoRA auf 16 GB, Platte ist groß genug", {"gpus": [(None, 1, 16.0)]}),
        ("3B in 4bit soll doch nur 2 GB brauchen. bei mir 7,8 GB", {"gpus": [], "seen_gib": 7.8, "claimed_gib": 2.0}),
        ("bei nem 13B LoRA, wie viel VRAM?", {"model": "huggyllama/llama-13b", "params_b": 13.0}),
        ("Kann ich 14B auf einer H100 volltrainieren oder reicht nur LoRA?", {"method": "full"}),
    ],
)
def test_what_is_said_by_the_way(text: str, facts: dict[str, Any]) -> None:
    compare(text, facts)
