"""What is told of a run in so many words asks for a page, whatever model or card is named beside it."""

import pytest

from advisor.query import Query
from bot import pipeline
from bot.codec.words import SYMPTOMS
from bot.faq.entries import entries_of
from bot.faq.told import page_told, without_told
from bot.messages import Question
from bot.parser.passing import ADAPTER, PAGES

TOLD = {
    "undervolting": [
        "Meine 4090 wird heiß. Verliere ich viel, wenn ich sie auf 300 W begrenze? Bei Inferenz angeblich fast nix",
        "how much slower is training an 8b on a 3090 with a 250 W power limit?",
    ],
    "adapter-size": [
        "my adapter for a 1B model is 3.2 GB, the adapter is bigger than the model? embed_tokens in target_modules",
        "Warum ist mein Adapter so groß? 8B, r=16, modules_to_save",
    ],
    "rope-factor": [
        "rope question: base is a 32k Llama-2, my samples are max 8k. do I set the rope scaling factor to 8 or 4?",
        "Welchen RoPE-Scaling-Faktor nehme ich für ein Llama 2 7B mit 16k?",
    ],
    "alpha-choice": [
        "lora_alpha: = r or 2*r? And is it dumb to go r=256 when i only have a couple hundred rows",
        "welches alpha nehme ich bei r=64 für ein 8B?",
    ],
    "never-stops": [
        "my qlora of llama-2-7b never stops generating although every sample ends with </s>. pad token = eos",
        "finetuned 8b on a 3090, works, but it rambles until max tokens",
        "Nach dem Feintuning (Llama 2, QLoRA) hört das Modell nie auf, labert bis max length. Pad-Token ist = EOS",
        "Mein feingetuntes 7B generiert endlos, was fehlt?",
    ],
    "interrupted": [
        "Colab disconnected after 6 hours, I have checkpoint-800 on Drive, was it all for nothing?",
        "training got killed by a windows update, output has checkpoint-1500, do I have to redo everything?",
        "Laptop ist beim Training ausgegangen. Im output-Ordner liegt checkpoint-300. Kann ich da weitermachen?",
        "hit ctrl+c by accident, no final lora, there are a few checkpoint-xxx folders. all lost?",
        "power went out during training of my 8b on the 3090, there are checkpoints. start over?",
        "pc crashed in the night, only checkpoint-xxx dirs left, how do I get my lora out",
        "Strg+C gedrückt, ist mein LoRA jetzt verloren? checkpoint-400 liegt da",
        "Training aus Versehen abgebrochen, es gibt aber checkpoint-Ordner. Alles weg?",
    ],
    "resume-loss": [
        "continued training after a crash, loss way higher than before the checkpoint",
        "Loss war vor dem Checkpoint 0,9, nach Neustart vom Checkpoint 6. Adapter nicht geladen?",
        "resumed from checkpoint and the loss jumped from 0.9 to 7.5. what's wrong?",
        "my loss goes back up when I continue training the 7B from checkpoint-500",
        "Nach dem Fortsetzen vom Checkpoint ist der Loss plötzlich wieder hoch",
        "Training nach Abbruch mit resume_from_checkpoint=True fortgesetzt, der Loss springt von 0,8 auf 8,7",
    ],
    "resume-oom": [
        "llama-2-7b lora, 2080ti: CUDA out of memory after resume_from_checkpoint. without resume it works",
        "resuming my 8b full finetune from checkpoint-500 OOMs on 80GB although it trained before",
        "8B LoRA: OOM beim Fortsetzen vom Checkpoint, vorher lief es auf der 3090",
    ],
    "merge-quantised": [
        "I finetuned on top of TheBloke/Llama-2-13B-GPTQ with peft. How do I merge the adapter now?",
        "can I merge a LoRA that I trained on a GPTQ model back into the GPTQ weights?",
        "Trained a lora on Qwen2.5-7B-Instruct-AWQ with PEFT. merge_and_unload fails, how do I serve it?",
        "Ich hab LoRA auf einem AWQ-Modell trainiert, kann ich den Adapter in die AWQ-Gewichte mergen?",
        "LoRA auf GPTQ-Basis trainiert, wie kriege ich das in vLLM?",
    ],
    "merge-no-space": [
        "kaggle: merging my mistral 7b lora to 16bit and pushing to HF ends in 'no space left'",
        "save_pretrained_merged fails with disk quota exceeded on kaggle, 8b model",
        "Kaggle: beim Mergen auf 16 Bit und Hochladen ist die Platte voll (7B). Wie macht man das?",
    ],
    "dora-speed": [
        "my dora run: 5.8 s/it, the same lora run: 2.9 s/it. whats up",
        "with use_dora=True each iteration takes 3x longer. bug in peft?",
        "Seit ich DoRA angeschaltet hab, braucht ein Step 6s statt 3s",
        "switched on DoRA for Qwen1.5-1.8B on a 3080 10GB, step went from 2.7 s to 5.5 s",
        "DoRA halbiert bei mir das Tempo (Llama 3.1 8B, 3090), mache ich was falsch?",
    ],
    "raw-text": [
        "only a big pile of raw text. pretraining with LoRA on a 7B instruct, or turn the text into instructions?",
        "Nur Rohtexte aus meinem Fach. Instruct-Modell weiter vortrainieren oder erst Instruktionen erzeugen?",
    ],
    "worse-than-before": [
        "finetuned gemma 3 12b gives worse answers than the stock model",
        "LoRA macht das Modell dümmer statt besser, 800 Beispiele",
        "after SFT the benchmark score dropped below the original model",
        "finetuned Qwen2.5 7B answers worse than the original instruct model, 1500 examples, r=16",
        "Every time I fine-tune on my 3k examples the result is WORSE than the base model. Dataset too small?",
        "Mein feingetuntes 8B ist schlechter als das Basismodell, woran liegt das? 2000 Beispiele",
    ],
}
NOT_TOLD = [
    "8b lora got an oom on my 3090, can i resume from the checkpoint?",
    "8B LoRA auf der 3090 mit OOM abgestürzt, kann ich später fortsetzen?",
    "r=16, alpha=32, 8b on a 3090, what context fits?",
    "650 W supply, 3090 with a power limit of 280 W, enough for training an 8b?",
    "how large is the adapter of an 8b at r=64?",
    "Netzteil 650 W, reicht das für eine 3090 mit Powerlimit?",
    "8B mit RoPE-Scaling auf 32k, reicht eine 3090?",
    "the training of my 8b never stops at 3 epochs, how long does it take on a 3090?",
    "Mein Training mit 8B auf der 3090 hört nie auf, wie lange dauert das?",
    "vllm on 4x A6000 serving 72b awq, max concurrency?",
    "Llama-2-13B-GPTQ in vLLM ausliefern, reicht eine 3090?",
    "OOM at step 300 of my 8b qlora on a 3090, do I have to start over from the checkpoint?",
    "is a checkpoint of a 7B large, and can I resume from it?",
    "loss starts at 2.5 for my 8b on a 3090, normal?",
    "merge the lora into the 16-bit 7B, then quantise to AWQ for vLLM: how much RAM?",
    "how much disk do I need to save the merged 70B?",
    "does DoRA need more memory than LoRA for an 8B on a 3090?",
    "I have 20 MB of raw text, how long does an 8b take on a 4090?",
    "is 4-bit training much worse than 16 bit for a 7b?",
    "Reicht eine 3090 für DoRA mit 8B?",
    "Wie groß ist ein Checkpoint von 8B, und wie oft speichere ich?",
    "Der Loss meines 8B steigt seit Schritt 100, warum?",
    "LoRA mit 8B trainieren, mergen und danach nach AWQ quantisieren: wie viel RAM?",
]


@pytest.mark.parametrize(("page", "text"), [(page, text) for page, texts in TOLD.items() for text in texts])
def test_a_page_is_told(page: str, text: str) -> None:
    assert pipeline.answer(Question(text=text)).query.faq == page


@pytest.mark.parametrize("text", NOT_TOLD)
def test_the_same_words_in_another_matter(text: str) -> None:
    assert pipeline.answer(Question(text=text)).query.faq not in TOLD


def test_every_page_and_symptom_is_known() -> None:
    assert {page for _, page in PAGES} == set(TOLD) <= set(entries_of("en"))
    assert set().union(*(told for told, _ in PAGES)) <= {*SYMPTOMS, ADAPTER}


def test_memory_that_ran_out_is_another_matter() -> None:
    assert page_told(Query(symptoms=("cut_off", "fears_loss"))) == "interrupted"
    assert page_told(Query(symptoms=("cut_off", "fears_loss", "oom_step"))) is None


def test_who_goes_on_is_not_told_again() -> None:
    query = Query(symptoms=("cut_off", "slow", "fears_loss"))
    assert without_told(query).symptoms == ("slow",)
    assert without_told(without_told(query)) == without_told(query)
