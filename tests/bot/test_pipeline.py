"""The line from a question to a reply: it never raises, it speaks the right language, and its buttons work."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.query import Kind, Query
from bot import codec, pipeline
from bot.messages import Question, Reply
from bot.pipeline import Answer, answer

TELEGRAM_BYTES = 64
DISCORD_CHARACTERS = 100
QUESTIONS = (
    "13b qlora",
    "70b full finetune",
    "can I finetune llama 3.1 8b on a 3060 12GB at 4k context?",
    "Reicht eine 3090 für QLoRA mit 13B?",
    "two 3090s or one 5090 for 30b qlora?",
    "how much context on a 4090 with qwen3 14b qlora?",
    "oom after 200 steps, qwen2.5 7b lora, 4090, batch 4",
    "how long for 10k examples on a 4090, 8b qlora?",
    "how much system ram for 70b qlora?",
    "unsloth or axolotl?",
    "lora or qlora for 8b?",
    "buy a 3090 or rent?",
    "how many examples do I need?",
    "what is qlora",
    "can I run llama 70b on a 3090 with ollama?",
    "best gpu for cyberpunk",
    "4x 3090 for mixtral full finetuning?",
    "help",
    "",
)


def state_and_changes(reply: Reply) -> tuple[str, list[str]]:
    changes = [button.change for button in reply.buttons]
    changes += [option.change for select in reply.selects for option in select.options]
    return reply.state or "", changes


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("text", QUESTIONS)
def test_every_kind_of_question_has_an_answer_with_working_buttons(text: str, language: str) -> None:
    given = answer(Question(text=text, language=language))
    assert given.error is None, given.error_detail
    assert given.language == given.reply.language == language
    assert given.reply.text.strip()
    state, changes = state_and_changes(given.reply)
    for change in changes:
        assert len(f"1|{state}|{change}".encode()) <= TELEGRAM_BYTES
        pressed = answer(Question(change=change, language=language), codec.unpack(state))
        assert pressed.error is None, (change, pressed.error_detail)
        assert pressed.reply.text.strip()


def test_a_pressed_button_changes_the_answer() -> None:
    first = answer(Question(text="13b qlora on a 3090"))
    pressed = answer(Question(change="seq_len=8192"), codec.unpack(first.reply.state or ""))
    assert pressed.query.seq_len == 8192
    assert pressed.query.gpus == first.query.gpus
    assert pressed.reply.text != first.reply.text


@pytest.mark.parametrize(
    "change", ["seq_len=-5", "gpu=nothing", "x", "=", "faq=nowhere", "faq=" + "x" * 500, "show=😀", "\x00"]
)
def test_a_button_of_another_time_says_so(change: str) -> None:
    given = answer(Question(change=change))
    assert given.error is None, given.error_detail
    assert given.reply.text


@given(st.text(max_size=300), st.sampled_from(["command", "direct", "mention", "reply", "overheard"]))
def test_no_text_raises(text: str, asked: Any) -> None:
    given = answer(Question(text=text, asked=asked))
    assert given.error is None, given.error_detail
    assert given.reply.silent or given.reply.text


@given(st.text(max_size=80))
def test_no_change_raises(change: str) -> None:
    assert (
        answer(Question(change=change), Query(model="huggyllama/llama-13b", sources={"model": "stated"})).error is None
    )


def test_a_fault_inside_is_an_apology_with_a_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a secret of the inside")

    monkeypatch.setattr(pipeline, "advise", broken)
    given = answer(Question(text="Reicht eine 3090 für QLoRA mit 13B?"))
    assert given.error == "internal_error"
    assert given.language == "de"
    assert "internal_error" in given.reply.text
    assert "secret" not in given.reply.text
    assert "a secret of the inside" in given.error_detail
    assert answer(Question(text="13b qlora", asked="overheard")).reply.silent


def test_even_broken_words_are_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(pipeline, "advise", broken)
    monkeypatch.setattr("bot.renderer.words", broken)
    assert answer(Question(text="13b qlora")).reply.text == "internal_error"


@pytest.mark.parametrize(
    ("question", "language"),
    [
        (Question(text="13b qlora", locale="de-AT"), "de"),
        (Question(text="13b qlora", locale="fr"), "en"),
        (Question(text="13b qlora"), "en"),
        (Question(text="Reicht eine 3090 für QLoRA mit 13B?", locale="en-US"), "de"),
        (Question(text="is a 3090 enough for qlora with 13b?", locale="de"), "en"),
        (Question(text="Reicht eine 3090 für QLoRA mit 13B?", language="en"), "en"),
        (Question(text="13b qlora", language="xx"), "en"),
    ],
)
def test_language(question: Question, language: str) -> None:
    assert answer(question).language == language


def remembered(*texts: str) -> tuple[Query | None, Answer]:
    previous: Query | None = None
    given = answer(Question())
    for text in texts:
        given = answer(Question(text=text), previous)
        previous = given.remember or previous
    return previous, given


def test_what_a_conversation_goes_on_with() -> None:
    previous, _ = remembered("13b qlora on a 3090", "what is qlora?", "thanks", "hello", "and with 8k context?")
    assert previous is not None
    assert (previous.params_b, previous.seq_len, previous.gpus[0].gpu) == (13, 8192, "rtx-3090")


def test_why_and_config_leave_the_query_as_it_was() -> None:
    previous, given = remembered("13b qlora on a 3090", "why?")
    assert previous is not None
    assert previous.show is None
    assert given.reply.text != remembered("13b qlora on a 3090")[1].reply.text
    _, given = remembered("13b qlora on a 3090 with unsloth", "config?")
    assert "```" in given.reply.text


def test_thanks() -> None:
    _, given = remembered("13b qlora", "thanks!")
    assert len(given.reply.text) < 120
    overheard = answer(Question(text="thanks!", asked="overheard"), given.query)
    assert overheard.reply.silent


def test_overheard_chatter_is_silent_and_has_no_advice() -> None:
    given = answer(Question(text="anyone up for a round of cs2?", asked="overheard"))
    assert given.reply.silent
    assert given.advice is None
    assert given.reply.text == ""


def test_a_model_that_the_catalog_does_not_have_can_be_looked_up() -> None:
    given = answer(Question(text="qlora for someone-else/brand-new-9b on a 3090"))
    assert given.lookup is None or given.lookup.count("/") == 1


def test_pasted_configuration_with_a_question() -> None:
    page = (Path(__file__).parent.parent / "pasted" / "axolotl_qlora_llama31.md").read_text(encoding="utf-8")
    given = answer(Question(text="does this fit a 3090?\n```yaml\n" + page.split("---\n", 2)[2] + "```"))
    assert given.kind is Kind.FITS_CHECK
    query = given.query
    assert (query.seq_len, query.micro_batch, query.lora_rank, query.trainer) == (4096, 2, 32, "axolotl")
    assert query.model is not None
    assert query.model.lower().endswith("llama-3.1-8b")
    assert query.gpus[0].gpu == "rtx-3090"


def test_a_traceback_is_a_question_about_memory() -> None:
    page = (Path(__file__).parent.parent / "pasted" / "oom_new_wording.md").read_text(encoding="utf-8")
    given = answer(Question(text="llama 3.1 8b qlora, help\n" + page.split("---\n", 2)[2]))
    assert given.kind is Kind.OOM_HELP
    assert given.query.capacity_gib == 23.69
    assert "oom_later" in given.query.symptoms
