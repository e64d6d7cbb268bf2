"""Absurd figures are left out and asked about."""

import pytest

from advisor.rules.odd_value import ODD_BATCH, ODD_RANK
from bot.messages import Question
from bot.parser.sanity import MOST
from bot.pipeline import answer


@pytest.mark.parametrize(
    ("text", "slot", "value", "said"),
    [
        ("llama 3 8b lora with r=5000 on a 4090, does it fit?", "lora_rank", "5000", "**Rank 5,000?**"),
        ("llama 3 8b lora on a 4090, batch 4096, does it fit?", "micro_batch", "4096", "**Batch 4,096?**"),
        ("7b qlora on 300x 24 gb gpus, does it fit?", "n_gpus", "300", "**300 cards?**"),
    ],
)
def test_it_is_left_out(text: str, slot: str, value: str, said: str) -> None:
    given = answer(Question(text=text))
    assert given.query.named["odd"] == (slot, value)
    assert getattr(given.query, slot) is None
    assert said in given.reply.text
    assert "leave it out" in given.reply.text


def test_what_is_large_and_real_stays() -> None:
    query = answer(Question(text="8b lora r=256 on a 4090, 128k context, batch 64?")).query
    assert (query.lora_rank, query.seq_len, query.micro_batch) == (256, 131_072, 64)
    assert "odd" not in query.named
    assert answer(Question(text="70b full finetune on 256 H100, fits?")).query.gpus[0].count == 256


def test_what_is_left_out_is_what_the_rule_finds_odd() -> None:
    assert MOST["micro_batch"] == ODD_BATCH - 1
    assert MOST["lora_rank"] == ODD_RANK - 1
