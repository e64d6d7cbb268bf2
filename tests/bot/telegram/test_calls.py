"""What is sent, and what is done when the Bot API says no. No network: the request is noted and answered here."""

from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from telegram import Bot
from telegram.error import BadRequest, ChatMigrated, Forbidden, InvalidToken, NetworkError, RetryAfter

from bot.adapters.telegram.calls import Calls, Progress
from bot.adapters.telegram.letters import Place, Target
from bot.adapters.telegram.transport import AiohttpRequest, proxy_for
from bot.messages import Button, Reply, Table, Text
from bot.work import RetryLater
from tests.bot.telegram.conftest import Server, calls_to

pytestmark = pytest.mark.filterwarnings("ignore:Deprecated since version v22.2")  # how retry_after will be typed
PLACE = Place(7, 3, 9)
SHORT = Reply(blocks=(Text(markdown="**13B** fits"),), buttons=(Button(label="why", change="show=why"),))
LONG = Reply(blocks=tuple(Text(markdown=f"{n} " + "word " * 700) for n in range(3)))
RICH = Reply(blocks=(Table(header=("card", "GB"), rows=(("3090", "24"),)),))


async def test_a_text_with_its_place_and_buttons() -> None:
    server = Server()
    assert await calls_to(server).send(PLACE, SHORT, "more") == 101
    ((method, body),) = server.got
    assert method == "sendMessage"
    assert (body["chat_id"], body["message_thread_id"], body["reply_parameters"]["message_id"]) == (7, 3, 9)
    assert body["text"] == "13B fits"
    assert body["entities"] == [{"type": "bold", "offset": 0, "length": 3}]
    assert body["link_preview_options"] == {"is_disabled": True}
    assert body["reply_markup"]["inline_keyboard"][0][0]["text"] == "why"


async def test_a_long_answer_goes_on_where_it_was_told_to_wait() -> None:
    server = Server({"message_id": 1}, RetryAfter(5), {"message_id": 2})
    progress = Progress()
    with pytest.raises(RetryLater) as later:
        await calls_to(server).send(PLACE, LONG, "more", progress=progress)
    assert later.value.seconds == 5
    assert await calls_to(server).send(PLACE, LONG, "more", progress=progress) > 2
    starts = [body["text"][0] for _, body in server.got]
    assert starts == ["0", "1", "1", "2"]
    assert [("reply_parameters" in body) for _, body in server.got] == [True, False, False, False]


async def test_rich_once_refused_is_text_from_then_on() -> None:
    server, told = Server(InvalidToken("Not Found")), []

    async def refused() -> None:
        told.append(True)

    talking = calls_to(server, rich_refused=refused)
    await talking.send(PLACE, RICH, "more")
    await talking.send(PLACE, RICH, "more")
    assert [method for method, _ in server.got] == ["sendRichMessage", "sendMessage", "sendMessage"]
    assert told == [True]


async def test_one_rich_message_that_is_refused_says_nothing_about_the_others() -> None:
    server = Server(BadRequest("can't parse entities"))
    talking = calls_to(server)
    await talking.send(PLACE, RICH, "more")
    await talking.send(PLACE, RICH, "more")
    assert [method for method, _ in server.got] == ["sendRichMessage", "sendMessage", "sendRichMessage"]


async def test_a_token_that_was_revoked_is_no_old_server() -> None:
    talking = calls_to(Server(InvalidToken("Unauthorized")))
    with pytest.raises(InvalidToken):
        await talking.send(PLACE, RICH, "more")
    assert talking.rich


async def test_not_now_is_later() -> None:
    for fault in (NetworkError("reset"), RetryAfter(1)):
        with pytest.raises(RetryLater):
            await calls_to(Server(fault)).send(PLACE, SHORT, "more")


async def test_a_group_that_became_a_supergroup_is_answered_there() -> None:
    server = Server(ChatMigrated(-1009))
    assert await calls_to(server).send(PLACE, SHORT, "more") == 102
    assert server.got[1][1]["chat_id"] == -1009
    assert "message_thread_id" not in server.got[1][1]


async def test_who_blocked_the_bot_is_left_alone() -> None:
    assert await calls_to(Server(Forbidden("bot was blocked"))).send(PLACE, SHORT, "more") == 0


async def test_a_topic_that_is_gone_and_entities_that_are_refused() -> None:
    server = Server(BadRequest("message thread not found"))
    assert await calls_to(server).send(PLACE, SHORT, "more") == 102
    assert "message_thread_id" not in server.got[1][1]
    assert "entities" not in server.got[1][1]
    assert server.got[1][1]["reply_parameters"]["message_id"] == 9


async def test_an_edit_is_cut_at_a_paragraph_and_keeps_the_buttons() -> None:
    server = Server()
    long = LONG.model_copy(update={"buttons": SHORT.buttons})
    assert await calls_to(server).edit(Target(7, 5), long, "more")
    ((method, body),) = server.got
    assert (method, body["message_id"]) == ("editMessageText", 5)
    assert body["reply_markup"]["inline_keyboard"]
    assert body["text"].startswith("0 ")


async def test_the_body_and_the_refusals_over_a_real_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, Any]] = []

    async def answer(request: web.Request) -> web.Response:
        seen.append((request.content_type, await request.json()))
        if len(seen) == 1:
            return web.json_response({"ok": True, "result": {"message_id": 4}})
        return web.json_response({"ok": False, "error_code": 429, "parameters": {"retry_after": 3}}, status=429)

    app = web.Application()
    app.router.add_post("/bot1:a/sendMessage", answer)
    async with TestServer(app) as server:
        request = AiohttpRequest(2)
        talking = Calls(Bot("1:a", base_url=str(server.make_url("/bot")), request=request), request)
        assert await talking.send(PLACE, SHORT, "more") == 4
        with pytest.raises(RetryLater) as later:
            await talking.send(PLACE, SHORT, "more")
        await request.shutdown()
    assert later.value.seconds == 3
    assert seen[0][0] == "application/json"


def test_the_proxy_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    assert proxy_for("https://api.telegram.org/bot") is None
    monkeypatch.setenv("https_proxy", "http://proxy:3128")
    assert proxy_for("https://api.telegram.org/bot") == "http://proxy:3128"
    assert proxy_for("http://localhost:8081/bot") is None
    monkeypatch.setenv("no_proxy", "api.telegram.org")
    assert proxy_for("https://api.telegram.org/bot") is None
