"""ram_is_no_vram: who names RAM and no card is told what decides."""

import pytest

from advisor.rules import ram_is_no_vram
from bot.messages import Question
from bot.pipeline import answer
from tests.advisor.rules.ask import cards, case


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("128gb ram machine enough for finetuning llama 13b?", "128 GB of system RAM are enough, but the card decides"),
        ("Server mit 256 GB RAM, reicht das für 70B QLoRA?", "256 GB Arbeitsspeicher reichen, aber es entscheidet die"),
    ],
)
def test_the_card_is_asked_for(text: str, first: str) -> None:
    reply = answer(Question(text=text)).reply
    assert reply.title.startswith(first)
    assert reply.text.count("are enough") <= 1


def test_silent_with_a_card_or_where_ram_is_what_trains() -> None:
    asked = {"kind": "fits_check", "params_b": 13.0, "ram_gb": 64.0}
    assert ram_is_no_vram.check(case(**asked)) is not None
    assert ram_is_no_vram.check(case(**asked, gpus=cards("rtx-3090"))) is None
    assert ram_is_no_vram.check(case(**asked, symptoms=("no_gpu_found",))) is None
    assert ram_is_no_vram.check(case(**asked, offload="params")) is None
    assert ram_is_no_vram.check(case(**asked | {"kind": "system_ram"})) is None


def test_ram_that_is_there_is_judged_once() -> None:
    said = answer(Question(text="64 gb ram and a 3090, does 13b qlora fit?")).reply.text
    assert said.count("System RAM") == 1
