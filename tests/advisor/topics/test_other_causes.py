"""Causes that no arithmetic of VRAM finds: each in several words, and beside each a question that is another one."""

import pytest

from bot import pipeline
from bot.messages import Question

SAID = [
    # system RAM while loading
    ("colab free T4, autotrain on llama2 7B fp16: RAM bar shoots to 12.7, then output is just ^C", "loads_through_ram"),
    ("kaggle T4, loading mistral 7b for lora, gets Killed, nothing else printed", "loads_through_ram"),
    ("Colab T4, Llama 2 7B laden mit LoRA: RAM läuft voll, dann Killed", "loads_through_ram"),
    # the switch that does not act
    ("FSDP 72B on 16x 64GB, cpu_ram_efficient_loading: true, still 136 GB per process and killed", "flag_does_not_act"),
    ("fsdp_cpu_ram_efficient_loading=true is set, 8x H100, llama 70b, OOM killer at loading, why", "flag_does_not_act"),
    ("70B mit FSDP auf 8x A100, cpu_ram_efficient_loading ist an, trotzdem Killed beim Laden", "flag_does_not_act"),
    # saving at the end
    ("13B on 8x A100 40GB: finished 100%, then exitcode: -9. no cuda error", "saving_gathers"),
    ("7b full finetune on 4x A100, killed (-9) when saving, training was fine", "saving_gathers"),
    ("13B auf 8x A100, ganz am Ende exit code -9, kein CUDA-Fehler", "saving_gathers"),
    # preparing the data
    (
        "packing a 3 GB dataset (2M rows) with torchtune eats 900 GB of cpu memory and rising. leak?",
        "tokenising_fills_ram",
    ),
    ("tokenizing 5M rows fills my 256 GB of ram, 64 workers", "tokenising_fills_ram"),
    ("Beim Tokenisieren meines Datensatzes geht der RAM voll, 128 GB weg", "tokenising_fills_ram"),
    # spilling
    ("RTX 5080, unsloth, qwen2 7b: first 15 it 2 s/it, after that 45 s/it, no OOM, windows wsl", "spills_over"),
    ("qlora 8b on my 4070 12gb on windows gets slower and slower, no error", "spills_over"),
    ("QLoRA 8B auf einer 3060 12GB unter Windows: erst schnell, dann kriecht es, kein Fehler", "spills_over"),
    # no GPU
    ("can I finetune a 7b with unsloth, no nvidia here, only Intel Iris Xe?", "no_gpu_trains"),
    ("lora on qwen 0.5b without any gpu, does that work at all", "no_gpu_trains"),
    ("LLaMA-Factory ganz ohne GPU mit Qwen2.5-0.5B, LoRA, Batch 8, geht das?", "no_gpu_trains"),
    # split or not
    (
        "llama 30b lora, 8xA100 80GB: zero2 and zero3 use the same memory. does zero3 skip frozen weights?",
        "not_split_at_load",
    ),
    ("fsdp lora 70b on 8 h100: doesn't reduce memory per gpu at all, why", "not_split_at_load"),
    ("LoRA 13B auf 4x A100: mit ZeRO-3 genauso viel Speicher wie mit ZeRO-2, warum?", "not_split_at_load"),
    ("32B full sft with fsdp on 8x H100: does per gpu memory stay the same with more nodes?", "more_ranks_share"),
    ("full ft of a 13b with zero3, why is there less memory per gpu with more gpus? 16x A100", "more_ranks_share"),
    ("32B voll mit FSDP: warum sinkt der Speicher je Karte mit mehr Karten? 16x H100", "more_ranks_share"),
    # speed of adapters, native 4 bit, embeddings
    ("2M samples, roberta-base: full ft 30.5h, LoRA r8 29h. isnt LoRA supposed to be way faster?", "adapters_are_fast"),
    ("Warum ist LoRA nicht schneller als volles Finetuning? 8B auf einer A100", "adapters_are_fast"),
    ("gpt-oss-120b lora hf recipe on 8x H100, oom. they claim one h100 is enough?", "fp4_is_unpacked"),
    ("gpt-oss 20b LoRA auf 24 GB, OOM, dabei ist die Datei nur 13 GB", "fp4_is_unpacked"),
    ("RX 9070 XT on linux, 7B qlora: bitsandbytes gives hipErrorNoBinaryForGpu. possible?", "no_kernels"),
    ("QLoRA 7B auf RX 6800 XT: hipErrorNoBinaryForGpu", "no_kernels"),
    ("qwen2 72b adapter, export on cpu gets killed, server has 252 GB of RAM, not enough?", "merging_killed"),
    ("Adapter für Qwen2-72B fertig, beim Export wird der Prozess gekillt, 252 GB RAM", "merging_killed"),
    ("8b unsloth in WSL, 24GB card, OOM although task manager shows 8.7/24 GB dedicated", "wsl_pins"),
    ("2 GB jsonl, ram climbs to 240 GB while loading, never gets to the training. more ram?", "tokenising_fills_ram"),
    ("2x 3090 ddp hangs at step 0, both at 100%, no error, llama 8b qlora", "not_memory"),
    ("Training mit 2x 3090 hängt beim ersten Schritt, kein Fehler, DDP, 8B QLoRA", "not_memory"),
    ("my 4090 sits at 30% utilization, qlora 8b, batch 1, 256 tokens. would a faster GPU help?", "not_memory"),
    ("3090, LoRA 7B: GPU-Auslastung springt zwischen 0 und 100. Karte kaputt?", "not_memory"),
    ("kaggle session dies after 12 h, my qlora 8b needs 20 h on the T4. bigger gpu?", "not_memory"),
    ("runpod pod restarts at step 900, no error in the log, 8b qlora on a 3090. vram?", "not_memory"),
    ("Laptop 4070 8GB: QLoRA 3B auf Akku 9 s/it, am Netz 1,5 s/it. Defekt?", "not_memory"),
    ("bus error (core dumped) in docker with 8 workers, 4x A6000, llama 8b lora", "not_memory"),
    ("CUDA error: device-side assert triggered, llama 3 8b qlora 24GB after adding tokens. oom?", "not_memory"),
    ("illegal memory access, 4090, qwen3 14b qlora, random steps. not enough memory?", "not_memory"),
    ("segmentation fault when loading a 13b, 32GB ram, 3090. which memory?", "not_memory"),
    ("expected all tensors to be on the same device, 2x T4, device_map auto, 7b lora", "not_memory"),
    ("torch.cuda.is_available() is False, RTX 4070, llama 3.2 3b. is the GPU unsupported?", "not_memory"),
    ("MacBook Pro Intel i9 with 64GB RAM, finetune mistral 7b with mlx?", "intel_mac"),
    ("can I use the NPU of my Snapdragon X Elite laptop to fine-tune a 3B?", "no_gpu_trains"),
    ("8x A100 for 12 $/h, someone did it in 15.5 hours, starcoder 15b full. so ~190 bucks?", "bill_of_a_run"),
    ("I pay 0.44 $/h for a 4090, my run takes 7 h per epoch, 3 epochs. so 9 bucks?", "bill_of_a_run"),
    ("4090 gemietet für 0,40 $/h, 8B QLoRA, der Lauf dauert 6 Stunden, also 2,40 $?", "bill_of_a_run"),
    ("TPU v3-8 on kaggle for qlora 8b with unsloth?", "tpu_refused"),
    ("deepspeed zero3 on a single 4090 to make 13b lora fit?", "nothing_to_split"),
    ("13b lora: zero3 on 4x 3090 is 6x slower than ddp on the same cards. normal?", "splitting_costs_time"),
    ("llama 8b qlora on a 3090 in WSL: 4x slower than native linux. why?", "not_memory"),
    ("DeepSeek-V3 is fp8, so 671 GB, so 8x H100 almost does it for lora?", "fp4_is_unpacked"),
    ("A100 80GB at $1.10/h, 30 hours for my run, total $33?", "bill_of_a_run"),
    ("40 GB parquet, axolotl preprocess eats 120GB ram and gets OOM killed", "tokenising_fills_ram"),
    ("8b qlora, 3070 8gb, windows: step 1-10 take 3 s, then every step takes a minute", "spills_over"),
    ("8 processes each take 140GB of RAM while loading llama 70B with fsdp, 1TB node", "flag_does_not_act"),
    ("Ist es normal dass QLoRA langsamer ist als LoRA? 8B, 4090, 2.1 s/it vs 1.3 s/it", "four_bit_costs_time"),
    ("Surface Laptop mit Intel Arc Grafik (integriert), 32GB RAM: LoRA 3B?", "no_gpu_trains"),
    ("fsdp full finetune 7B auf 4x A100: mit FSDP genauso viel Speicher pro Karte wie ohne", "not_split_at_load"),
    ("Kann man ein 8B auf einem NAS ohne GPU mit LoRA trainieren?", "no_gpu_trains"),
    ("cpu offload makes 7b full training take 40 s/it on a 4090 vs 2 s/it on A100. normal?", "offload_takes_time"),
    ("convert Qwen3-235B-A22B HF to megatron, 8x80GB: the precision test is killed at 1 TB ram", "converting_killed"),
    ("qlora on llama, resized the embeddings for 2 special tokens, memory went up. related?", "embeddings_trained"),
]
OTHERS = [
    ("qlora 7b on a T4 killed while merging the adapter", "loads_through_ram"),
    ("what does cpu_ram_efficient_loading do?", "flag_does_not_act"),
    ("13B full on 8x A100 40GB killed at step 3", "saving_gathers"),
    ("does packing need more vram? llama 3 8b on a 3090", "tokenising_fills_ram"),
    ("8b qlora on a 3090, 2 s/it, is that ok?", "spills_over"),
    ("which gpu for qlora 13b, I have none yet, only a laptop", "no_gpu_trains"),
    ("zero2 or zero3 for a 13b with lora on 4x A100?", "not_split_at_load"),
    ("32B full on 16 nodes of 8x H100, does it fit?", "more_ranks_share"),
    ("two 5090, llama 3.1 8b lora, training is not faster than with one. pcie?", "adapters_are_fast"),
    ("A6000 is slower than a 4090 for lora 8b although it has twice the vram. broken?", "adapters_are_fast"),
    ("is lora faster than qlora for an 8b?", "adapters_are_fast"),
    ("rtx 5090: no kernel image is available for execution", "no_kernels"),
    ("qwen2 72b adapter, merging gets killed, 64 GB of RAM", "merging_killed"),
    ("8b unsloth in WSL, 24GB card, OOM at 24 GB used", "wsl_pins"),
    ("das hängt von der Länge ab: passt 8B QLoRA auf eine 3090?", "not_memory"),
    ("freezing layers of a 7b on a 3090, does it fit?", "not_memory"),
    ("gemma full finetune: T4 out of memory, colab disconnects. cheapest place to rent?", "not_memory"),
    ("I code on a Mac and rent a 4090 on vast.ai for LoRA, 20 $ a run, or buy a 3090?", "intel_mac"),
    ("10k examples, 8b qlora, 4090 at 0.40 $/h, what does a run cost?", "bill_of_a_run"),
    ("qlora gpt-oss-20b with unsloth on a 16 GB card?", "fp4_is_unpacked"),
]


def _codes(text: str) -> list[str]:
    advice = pipeline.answer(Question(text=text)).advice
    return [found.code for found in advice.findings if found.gravity == "stop"] if advice else []


@pytest.mark.parametrize(("text", "code"), SAID)
def test_the_cause_is_named(text: str, code: str) -> None:
    assert code in _codes(text)


@pytest.mark.parametrize(("text", "code"), OTHERS)
def test_another_question_is_left_alone(text: str, code: str) -> None:
    assert code not in _codes(text)


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("V100 32GB in bf16, llama 3.1 8B with unsloth, does it work?", "**No bf16 and no FlashAttention-2**"),
        ("8x A100, 2 nodes over 1 Gbit ethernet, fsdp 13b is 20x slower than one node", "**The network between"),
        ("is it true that unsloth is 30x faster than hf? 4090, llama 8b", "**Expect about 1.4× here, no multiple"),
        ("can ZeRO-Infinity with NVMe train a 70B in full on one 3090?", "**70B with full fine-tuning from NVMe"),
        (
            "someone did a 70B full finetune, 50k examples of 4k tokens, in 3 hours on 8x H100. true?",
            "**No: 205M tokens",
        ),
        ("P40 24GB for 150€, qlora 13b with fp16: works?", "**Yes, 13B with QLoRA fits Tesla P40"),
    ],
)
def test_the_first_line_is_about_what_was_asked(text: str, start: str) -> None:
    assert pipeline.answer(Question(text=text)).reply.text.startswith(start)
