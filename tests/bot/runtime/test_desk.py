import io
from typing import Any

import pytest

from advisor.query import Kind, Query
from bot.desk import Desk
from bot.guard import Guard
from bot.log import frames_only, named, plain_traceback, set_up_log
from bot.messages import Question, Reply, Text
from bot.pipeline import Answer
from bot.settings import Settings
from bot.store import Store, StoreUnavailable


def guard(per_user: float = 1_000) -> Guard:
    return Guard(per_user=per_user, per_chat=1_000)


def question(text: str = "13b qlora", **more: Any) -> Question:
    return Question(**{"text": text, "platform": "discord", "user": "ann", "chat": "1", **more})


def said(text: str, language: str = "en", **more: Any) -> Answer:
    reply = Reply(language=language, silent=not text, blocks=(Text(markdown=text),) if text else ())
    return Answer(reply, Query(), Kind.WHICH_GPU, language, **more)


async def test_the_conversation_goes_on_and_is_forgotten(sqlite_store: Store) -> None:
    desk = Desk(sqlite_store, guard(), None)
    await desk.answer(question("qlora llama 3.1 8b on a 3060 12gb"))
    given = await desk.answer(question("and with 8k context?"))
    assert given.answer is not None
    assert given.answer.query.seq_len == 8192
    assert given.answer.query.model is not None
    await sqlite_store.forget("discord", "ann")
    given = await desk.answer(question("and with 8k context?"))
    assert given.answer is not None
    assert given.answer.query.model is None


async def test_views_stand_for_themselves_and_count_little(sqlite_store: Store) -> None:
    desk = Desk(sqlite_store, guard(per_user=6), None)  # three at once
    await desk.answer(question("qlora llama 3.1 8b on a 3060 12gb"))
    typed = question("and with 8k context?", chat="inline:ann")
    ways: list[dict[str, str]] = [{}, {"kind": "which_gpu"}, {"kind": "context_length"}]
    for _ in range(10):
        views = await desk.views(typed, ways)
        assert [given.answer is not None for given in views] == [True] * 3
        assert all(given.answer is not None and given.answer.query.model is None for given in views)
    assert (await sqlite_store.known("discord", "inline:ann", "ann")).query is None
    (limited,) = await desk.views(typed, ways)
    assert (limited.outcome, limited.answer) == ("limited", None)


async def test_views_speak_the_chosen_language(sqlite_store: Store) -> None:
    desk = Desk(sqlite_store, guard(), None)
    await sqlite_store.prefer("discord", "ann", language="de")
    assert [given.reply.language for given in await desk.views(question(), [{}, {}])] == ["de", "de"]


async def test_a_chosen_language_wins(sqlite_store: Store) -> None:
    desk = Desk(sqlite_store, guard(), None)
    await sqlite_store.prefer("discord", "ann", language="de")
    assert (await desk.answer(question())).reply.language == "de"


async def test_a_bot_of_one_language_speaks_only_that(sqlite_store: Store) -> None:
    desk = Desk(sqlite_store, guard(), None, languages=("de",))
    assert (await desk.answer(question("which gpu for 13b qlora?"))).reply.language == "de"


async def test_without_the_store_it_answers_all_the_same(sqlite_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(*_: Any) -> None:
        raise StoreUnavailable("away")

    monkeypatch.setattr(sqlite_store, "known", away)
    assert "GiB" in (await Desk(sqlite_store, guard(), None).answer(question())).reply.text


async def test_what_is_overheard_and_not_answered_uses_up_nobodys_share(sqlite_store: Store) -> None:
    desk = Desk(sqlite_store, guard(per_user=4), None, line=lambda q, p: said("" if q.asked == "overheard" else "yes"))
    for number in range(50):
        given = await desk.answer(question(f"chatter {number}", asked="overheard"))
        assert given.silent
    assert (await desk.answer(question(asked="mention"))).outcome == "answered"


async def test_who_wants_to_be_left_alone_is(sqlite_store: Store) -> None:
    desk = Desk(sqlite_store, guard(), None, line=lambda q, p: said("yes"))
    await sqlite_store.prefer("discord", "ann", opt_out=True)
    assert (await desk.answer(question(asked="overheard"))).silent
    assert not (await desk.answer(question(asked="command"))).silent


async def test_equal_questions_are_thought_through_once_but_failures_again(sqlite_store: Store) -> None:
    asked: list[str] = []

    def line(q: Question, p: Query | None) -> Answer:
        asked.append(q.text)
        return said("sorry", error="internal_error") if q.text == "fails" else said("yes")

    desk = Desk(sqlite_store, guard(), None, line=line)
    for person in ("ann", "bob"):
        await desk.answer(question("same", user=person))
        await desk.answer(question("fails", user=person))
    assert asked == ["same", "fails", "fails"]


async def test_a_model_from_the_hub(sqlite_store: Store) -> None:
    class FakeHub:
        async def shape(self, model: str) -> dict[str, Any]:
            assert model == "someone/new-7b"
            return {
                "hidden_size": 4096,
                "layers": 32,
                "heads": 32,
                "kv_heads": 8,
                "intermediate_size": 14336,
                "vocab_size": 128256,
            }

    desk = Desk(sqlite_store, guard(), FakeHub())  # type: ignore[arg-type]
    given = await desk.answer(question("does someone/new-7b fit with qlora on a 3090?"))
    assert given.answer is not None
    assert given.answer.query.arch is not None
    assert "GiB" in given.reply.text


def test_tracebacks_do_not_quote_people() -> None:
    try:
        int("my secret words")
    except ValueError as error:
        caught = error
    text = plain_traceback(caught)
    assert "ValueError" in text
    assert "test_desk.py" in text
    assert "my secret words'" not in text.replace('int("my secret words")', "")
    assert named(ConnectionError("cannot reach 127.0.0.1")) == "ConnectionError: cannot reach 127.0.0.1"
    detail = (
        'Traceback (most recent call last):\n  File "x.py", line 1, in f\n    f(text)\n'
        "pydantic_core._pydantic_core.ValidationError: 1 error\n  Input [input_value='my secret words']\n"
    )
    assert "secret" not in frames_only(detail)
    assert "ValidationError" in frames_only(detail)


@pytest.mark.parametrize("log_format", ["console", "json"])
async def test_a_failed_answer_is_logged_without_the_question(sqlite_store: Store, log_format: Any) -> None:
    stream = io.StringIO()
    set_up_log(Settings(log_format=log_format), stream)
    detail = 'Traceback (most recent call last):\n  File "x.py", line 1\nValueError: my secret words'
    desk = Desk(
        sqlite_store, guard(), None, line=lambda q, p: said("sorry", error="internal_error", error_detail=detail)
    )
    assert (await desk.answer(question("my secret words"))).outcome == "failed"
    assert "answer.failed" in stream.getvalue()
    assert "secret" not in stream.getvalue()
