"""Who asks whether the driver moves memory into RAM, of a slow run or a full card: yes, and how to see it."""

import pytest

from bot.messages import Question
from bot.parser import read
from bot.pipeline import answer

ASKED = [
    "RTX 5090, Windows 11, 96GB RAM. LoRA on a Qwen3.5 9B in 16 bit, max_seq_length 16384. It doesnt crash but vram "
    "sits at 31.3 of 32 and it is painfully slow, CPU at almost 80 percent. Is the driver swapping into normal RAM?",
    "3090 windows: vram at 23.8/24, no OOM but super slow, is it spilling to RAM?",
    "4090 at 23.9 GB, no error, one step takes a minute, does it swap to shared memory?",
    "is windows moving my vram into system ram? 8b lora crawls on a 4070",
    "läuft ohne Absturz, aber VRAM bei 23,9 von 24 GB und extrem langsam. Lagert der Treiber in den RAM aus? 4090, 8B",
    "8B QLoRA auf einer 3060, sehr langsam. Schiebt der Treiber da was in den normalen Arbeitsspeicher?",
    "Windows, 4070, 8B LoRA ist extrem langsam, schwappt das in den RAM?",
]
NOT_ASKED = [
    "will it be spilling into RAM if 8b doesn't fit my 3060?",
    "ZeRO lagert den Optimizer in den RAM aus und ist langsam, 7B full auf 3090",
    "8b qlora on 3060 is slow",
    "my 64GB of normal RAM fill up, 7b full with offload, 3090",
    "M2 Max 32GB: is macos swapping into ram? 8b lora is slow",
]


@pytest.mark.parametrize("text", ASKED)
def test_the_driver_is_named(text: str) -> None:
    first = answer(Question(text=text)).reply.text.partition("\n")[0]
    assert first.startswith(("**Yes, very likely: the driver", "**Ja, sehr wahrscheinlich: Der Treiber"))


@pytest.mark.parametrize("text", NOT_ASKED)
def test_it_is_not_named_without_cause(text: str) -> None:
    assert "slow_spill" not in read(Question(text=text)).query.symptoms


@pytest.mark.parametrize("text", ["ubuntu, 4090 at 23.9 GB, slow. does the driver swap to ram?"])
def test_linux_pushes_nothing_out(text: str) -> None:
    assert answer(Question(text=text)).reply.text.startswith("**No, under Linux")


@pytest.mark.parametrize(
    "text",
    [
        "8b qlora on a 3060 doesn't crash, but slow",
        "it doesnt oom on my 3090, 8b lora, just slow",
        "läuft ohne Absturz auf der 3090, 8B LoRA, nur langsam",
    ],
)
def test_what_did_not_happen_is_no_failure(text: str) -> None:
    assert "oom_step" not in read(Question(text=text)).query.symptoms


def test_a_run_that_died_did() -> None:
    assert "oom_step" in read(Question(text="8b qlora on a 3060 crashes, doesn't run")).query.symptoms
