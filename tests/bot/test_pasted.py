"""Pasted configurations, logs and tracebacks: each file of tests/pasted is a paste and what it says.

A file: YAML between two lines of dashes (about, model, slots, cards, symptoms, rest_has, rest_lacks), then the paste.
"""

import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from bot.parser.pasted import Pasted, read_pasted

PASTES = sorted((Path(__file__).parent.parent / "pasted").glob("*.md"))


def parts_of(path: Path) -> tuple[dict[str, Any], str]:
    _, head, body = path.read_text(encoding="utf-8").split("---\n", 2)
    return yaml.safe_load(head), body


def plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def test_there_are_forty_pastes() -> None:
    assert len(PASTES) >= 40


@pytest.mark.parametrize("path", PASTES, ids=lambda path: path.stem)
def test_a_paste_is_read_as_its_file_says(path: Path) -> None:
    wanted, body = parts_of(path)
    found = read_pasted(body)
    assert found is not None
    slots = {slot: value for slot, value in wanted["slots"].items() if value is not None}
    assert {slot: plain(value) for slot, value in found.slots.items()} == slots
    assert found.model == wanted.get("model")
    assert [list(card) for card in found.cards] == wanted.get("cards", [])
    assert list(found.symptoms) == wanted.get("symptoms", [])
    for words in wanted.get("rest_has", []):
        assert words in found.rest
    for words in wanted.get("rest_lacks", []):
        assert words not in found.rest


@pytest.mark.parametrize("path", PASTES, ids=lambda path: path.stem)
def test_the_same_paste_quoted_and_fenced_says_the_same(path: Path) -> None:
    _, body = parts_of(path)
    direct = read_pasted(body)
    assert direct is not None
    quoted = read_pasted("\n".join("> " + line for line in body.split("\n")))
    fenced = read_pasted("hi, look:\n\n```\n" + body.replace("```", "").strip("\n") + "\n```\nthanks")
    for again in (quoted, fenced):
        assert again is not None
        assert (again.slots, again.model, again.cards) == (direct.slots, direct.model, direct.cards)
    assert fenced is not None
    assert fenced.rest.startswith("hi, look:")
    assert fenced.rest.endswith("thanks")


@pytest.mark.parametrize(
    "text",
    [
        "13b qlora",
        "can I finetune llama 3.1 8b on a 3060 12GB at 4k context?",
        "Reicht eine 3090 für QLoRA mit 13B?",
        "what is qlora",
        "my GPU: RTX 3090, RAM: 64 GB, question: is 13b possible?",
        "I ran out of memory with 13b, what now?",
        "note: I have 24 GB",
        "lora rank 16, batch 1 - ok?",
        "it was killed by my cat (8 lives left)",
        "accelerate launch train_lora.py --pretrained_model_name_or_path=$M --resolution=768 --train_batch_size=1",
        "kohya: network_dim=32, learning_rate=1e-4, sdxl on a 3060?",
        "",
    ],
)
def test_prose_is_not_a_paste(text: str) -> None:
    assert read_pasted(text) is None


@pytest.mark.parametrize(
    ("text", "model"),
    [
        (
            "model_name_or_path: /data/hf/models--Qwen--Qwen3-8B/snapshots/9c925d64d72725edaf899c6cb9c377fd0709d9c5",
            "Qwen/Qwen3-8B",
        ),
        ("base_model: ./models/Llama-2-7b-hf", "Llama-2-7b-hf"),
        ("base_model: ${MODEL}", None),
        ("from_pretrained(model_id)  # load_in_4bit=True", None),
        ("load_in_4bit=True, model_name=model_name", None),
    ],
)
def test_names_and_paths_of_models(text: str, model: str | None) -> None:
    found = read_pasted(text)
    assert (found.model if found else None) == model


def test_auto_and_null_say_nothing() -> None:
    found = read_pasted("micro_batch_size: auto\nsequence_len: null\nlora_r: 8")
    assert found is not None
    assert "micro_batch" not in found.slots
    assert "seq_len" not in found.slots


@given(st.text(max_size=400))
def test_no_text_breaks_it(text: str) -> None:
    found = read_pasted(text)
    assert found is None or isinstance(found, Pasted)


@given(st.sampled_from(PASTES), st.data())
def test_no_cut_or_changed_paste_breaks_it(path: Path, data: st.DataObject) -> None:
    _, body = parts_of(path)
    start = data.draw(st.integers(0, len(body)))
    end = data.draw(st.integers(start, len(body)))
    noise = data.draw(st.text(max_size=10))
    read_pasted(body[start:end] + noise + body[:start])


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "a_",
        "a=",
        "a:",
        "(",
        "{[(",
        "--a ",
        '"',
        "> ",
        "- ",
        " ",
        "\n",
        "a_b: ",
        "x_y(",
        "=:",
        "#",
        "```\n",
        "|",
        "1 GiB ",
        'File "',
        "0%|",
    ],
)
def test_time_grows_with_length_and_no_faster(unit: str) -> None:
    """Ten times the text may take ten times as long; a hundred times would be a backtracking blow-up."""

    def seconds(length: int) -> float:
        text = "load_in_4bit=True " + unit * (length // len(unit))
        start = time.process_time()
        read_pasted(text)
        return time.process_time() - start

    short = max(min(seconds(2_000) for _ in range(3)), 0.0005)
    assert seconds(20_000) < 60 * short
