"""Settings that were changed: the value that counts is the one that they have now."""

from typing import Any

import pytest

from bot.messages import Question
from bot.parser import read

NOW: list[tuple[str, dict[str, Any]]] = [
    ("3B, 24 GB: went down from batch 16 to 2 and seq len to 1024, STILL OOM", {"micro_batch": 2, "seq_len": 1024}),
    ("set grad accumulation from 16 to 2, 8b 3090", {"grad_accum": 2}),
    ("cut seq from 4096 to 1024 on my 3090, 8b qlora, still OOM", {"seq_len": 1024}),
    ("reduced max_seq_length from 8192 to 2048 and still oom, 8b 3090", {"seq_len": 2048}),
    ("lowered the context from 4k to 1k, 8b 3060", {"seq_len": 1024}),
    ("went from a batch of 16 to 2, 8b 3060 oom", {"micro_batch": 2}),
    ("I went from 16 to 2 in batch size, 8b 3060", {"micro_batch": 2}),
    ("brought the batch down to 2 from 16, 7b 3090 oom", {"micro_batch": 2}),
    ("dropped lora r from 128 to 16, 8b", {"lora_rank": 16}),
    ("batch von 8 auf 1 runter, 8B QLoRA auf 3090 OOM", {"micro_batch": 1}),
    ("von Batch 8 auf 1 gegangen, 8B auf 3090", {"micro_batch": 1}),
    ("Sequenzlänge von 4096 auf 2048 gesenkt, trotzdem OOM. 3090 8B", {"seq_len": 2048}),
    ("Rang von 64 auf 16 gesenkt, immer noch OOM, 8b 3060", {"lora_rank": 16}),
    ("von 2048 auf 1024 Tokens runter, 8B 3060", {"seq_len": 1024}),
    ("Kontext von 2k auf 8k, wie viel VRAM mehr? 8b 3090", {"seq_len": 8192}),
]

OTHERS: list[tuple[str, dict[str, Any]]] = [
    ("loss went from 2 to 1 with batch 4", {"micro_batch": 4}),
    ("memory went from 12 to 20 GB with batch 4", {"micro_batch": 4, "seq_len": None}),
    ("from epoch 2 to 3 batch 4 died", {"micro_batch": 4}),
    ("moved from a 3090 to a 4090, batch 4 OOM", {"micro_batch": 4}),
    ("upgrade from 7b to 13b, batch 4", {"micro_batch": 4, "seq_len": None}),
    ("Verlust fiel von 2 auf 1, Rang 16", {"lora_rank": 16, "micro_batch": None}),
    ("von Montag bis 4 Uhr, Batch 2", {"micro_batch": 2}),
]


@pytest.mark.parametrize(("text", "slots"), NOW + OTHERS)
def test_a_changed_setting_has_its_new_value(text: str, slots: dict[str, Any]) -> None:
    query = read(Question(text=text)).query
    assert {slot: getattr(query, slot) for slot in slots} == slots
