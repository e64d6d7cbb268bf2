"""The rule last_layers."""

import pytest

from advisor.rules import last_layers
from bot.messages import Question
from bot.parser import read
from bot.pipeline import answer
from tests.advisor.rules.ask import case


def test_speaks_with_the_layers_that_are_trained() -> None:
    """Vicuna 13B: 40 layers of 317M parameters, 26 GB of weights."""
    found = last_layers.check(case(kind="fits_check", model="lmsys/vicuna-13b-v1.5", named={"frozen": ("last", "4")}))
    assert found is not None
    assert found.facts["trained"] == pytest.approx(1.27e9, rel=0.01)
    assert found.facts["low"] == found.facts["weights"] + 10 * found.facts["trained"]
    first = last_layers.check(case(kind="fits_check", model="lmsys/vicuna-13b-v1.5", named={"frozen": ("first", "36")}))
    assert first is not None
    assert first.facts["trained"] == found.facts["trained"]


def test_silent_where_no_layers_are_told_or_more_than_there_are() -> None:
    assert last_layers.check(case(kind="fits_check", params_b=8.0)) is None
    assert last_layers.check(case(kind="fits_check", params_b=8.0, named={"frozen": ("last", "99")})) is None


@pytest.mark.parametrize(
    ("text", "frozen"),
    [
        ("If I freeze everything except the last 4 layers of vicuna 13b instead of lora?", ("last", "4")),
        ("Llama 3.1 8B, nur die letzten zwei Layer trainieren, Rest eingefroren. VRAM?", ("last", "2")),
        ("freeze the first 28 layers of llama 3.1 8b, train the rest, 4090?", ("first", "28")),
        ("OOM at the last layer while loading an 8b lora only on gpu 0, 3090", None),
        ("a model with 32 layers, only lora on top of it, 8b 3090?", None),
    ],
)
def test_layers_are_read(text: str, frozen: tuple[str, str] | None) -> None:
    assert read(Question(text=text)).query.named.get("frozen") == frozen


def test_it_leads() -> None:
    text = "If I freeze everything except the last 4 layers of vicuna 13b, is memory similar to lora?"
    assert answer(Question(text=text)).reply.text.startswith("**Training the last 4 of 40 layers in full takes")


@pytest.mark.parametrize(
    ("text", "frozen"),
    [
        ("LLaMA-Factory im freeze-Modus, Mistral-7B-Instruct, eine 3090. OOM. Layer einfrieren spart doch?", None),
        ("llama factory finetuning_type freeze with llama 3 8b on a 4090 OOMs, shouldn't freezing save memory?", None),
        ("LLaMA-Factory freeze tuning, freeze_trainable_layers 2, Qwen2.5 7B, reicht eine 3090?", ("last", "2")),
        ("llamafactory freeze mode, num_layer_trainable 1, mistral 7b on 24 GB?", ("last", "1")),
        ("finetuning_type: freeze OOM on 3090 with mistral 7b", None),
    ],
)
def test_the_mode_of_a_trainer_is_read(text: str, frozen: tuple[str, str] | None) -> None:
    made = answer(Question(text=text))
    assert made.query.method == "freeze"
    assert made.query.named.get("frozen") == frozen
    assert made.reply.text.startswith(("**Freezing saves the gradients", "**Einfrieren spart Gradienten"))


@pytest.mark.parametrize(
    "text",
    [
        "freeze tuning or lora in llama factory for a 7b on a 3090?",
        "my pc freezes in training mode when I load an 8b on my 3090",
        "Mein Rechner friert beim Laden eines 8B ein, 3090",
        "llama factory lora, rank 16, 7b, with a frozen vision tower on a 3090",
    ],
)
def test_another_method_or_another_freeze(text: str) -> None:
    assert read(Question(text=text)).query.method != "freeze"


def test_the_default_of_the_mode_is_two_layers() -> None:
    found = last_layers.check(case(kind="oom_help", model="mistralai/Mistral-7B-v0.3", method="freeze"))
    assert found is not None
    assert (found.facts["layers"], found.facts["default"], found.facts["beside"]) == (2, True, False)
