"""One test per threat; deploy/README.md, "Security", says who can send what and what they can reach."""

import ast
import asyncio
import stat
import time
from pathlib import Path
from typing import Any

import pytest

from advisor.query import Query
from bot.desk import Desk
from bot.guard import Guard
from bot.inbox import Event, Inbox
from bot.messages import Question
from bot.settings import Settings
from bot.store import Store
from tests.bot.runtime.conftest import until
from tests.paths import ROOT

SOURCES = sorted(path for folder in ("bot", "advisor", "knowledge") for path in (ROOT / folder).rglob("*.py"))
FORBIDDEN_CALLS = {"eval", "exec", "__import__"}
FORBIDDEN_MODULES = {"pickle", "marshal", "shelve", "subprocess", "pty", "telnetlib", "ctypes", "xml", "code"}
FORBIDDEN_ATTRIBUTES = {"system", "popen", "from_string", "unsafe_load", "full_load"}
TOOLS = {ROOT / "knowledge" / "__main__.py"}
"""For people who edit the knowledge in a checkout; nothing that answers imports it."""
HOSTILE = (
    "'; DROP TABLE inbox; --", "{{ 7 * 7 }}", "{% for x in ().__class__.__base__.__subclasses__() %}{% endfor %}",
    "${7*7}", "%s%n%x", "<script>alert(1)</script>", "[x](javascript:alert(1))", "@everyone <@&1> <@123>",
    "../../../etc/passwd", "\0\x1b[31m", "\ud800\udfff", "\u202e\u2066llama\u2069", "𝕃𝕝𝕒𝕞𝕒 ８ｂ", "A" * 200_000,
    "(" * 20_000, "{" * 20_000, "```" * 3_000, "1e999b 10**9 nan inf", "- " * 10_000, "a: &a [*a,*a]\n" * 500,
    "9" * 5_000 + "b qlora",
)  # fmt: skip


def test_no_shell_no_pickle_no_eval() -> None:
    assert SOURCES
    assert [fault for path in SOURCES if path not in TOOLS for fault in dangers(path)] == []


def dangers(path: Path) -> list[str]:
    """What a source file must not do, as file:line: what."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: set[str] = set()
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            names = FORBIDDEN_CALLS & {node.func.id}
        elif isinstance(node, ast.Import):
            names = FORBIDDEN_MODULES & {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names = FORBIDDEN_MODULES & {(node.module or "").partition(".")[0]}
        elif isinstance(node, ast.Attribute):
            names = FORBIDDEN_ATTRIBUTES & {node.attr}
        found += [f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}: {name}" for name in names]
    return found


def test_nothing_listens_beyond_this_host_by_default() -> None:
    fields = Settings.model_fields
    assert fields["http_listen"].default.startswith("127.0.0.1:")
    assert fields["telegram_webhook_listen"].default == "127.0.0.1"


async def test_the_state_folder_is_for_its_owner_only(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    store = await Store.open(f"sqlite+aiosqlite:///{folder / 'whichgpu.db'}")
    await store.close()
    assert stat.S_IMODE(folder.stat().st_mode) & 0o077 == 0


async def test_hostile_ids_are_only_ids(store: Store) -> None:
    await store.write(store.remember("telegram", "1", "victim", Query(method="qlora", sources={"method": "stated"})))
    inbox = Inbox(store)
    events = [
        Event("telegram", f"{number}{text}", text, {"text": text}, time.time(), text)
        for number, text in enumerate(HOSTILE)
    ]
    assert await inbox.put(events) == len(HOSTILE)
    for text in HOSTILE[:5]:
        await store.prefer("telegram", text, language="de")
        await store.forget("telegram", text)
        store.tally.unknown(text, text)
    store.tally.flush()
    assert (await store.known("telegram", "1", "victim")).query is not None


class Silent:
    """Answers nobody."""

    concurrency = 4

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.texts: list[str] = []

    async def handle(self, event: Event, work: Any) -> None:
        question = Question(text=event.payload["text"], platform="telegram", user=event.person, chat=event.chat)
        given = await self.desk.answer(question, work)
        self.texts.append(given.reply.text)


async def test_hostile_texts_get_an_answer_and_harm_nobody(sqlite_store: Store) -> None:
    desk = Desk(sqlite_store, Guard(per_user=1_000, per_chat=1_000), None)
    handler = Silent(desk)
    inbox = Inbox(sqlite_store)
    inbox.start({"telegram": handler})
    texts = [*HOSTILE, *(f"qlora {text} 3090 13b" for text in HOSTILE)]
    async with asyncio.timeout(60):
        await inbox.put(
            [Event("telegram", f"e{n}", f"c{n}", {"text": text}, time.time(), f"p{n}") for n, text in enumerate(texts)]
        )
        await until(lambda: len(handler.texts) == len(texts), 50)
    await inbox.stop()
    said = "\n".join(handler.texts)
    for never in ("__class__", "javascript:", "@everyone", "<script>", "\0", "\x1b", "root:"):
        assert never not in said
    assert "{{" not in said
    assert max(map(len, handler.texts)) < 8_000


async def test_a_person_who_floods_uses_up_only_their_own_share(sqlite_store: Store) -> None:
    desk = Desk(sqlite_store, Guard(per_user=20, per_chat=90), None)
    ask = lambda who: desk.answer(Question(text="13b qlora", platform="discord", user=who, chat="1"), public=False)  # noqa: E731
    flood = [(await ask("eve")).outcome for _ in range(200)]
    assert flood.count("answered") <= 11
    assert (await ask("ann")).outcome == "answered"


async def test_the_database_refuses_what_is_not_ours(tmp_path: Path) -> None:
    for url in ("mysql://x/y", "sqlite://", "postgresql+psycopg2cffi", "file:///etc/passwd"):
        with pytest.raises(ValueError, match="postgresql://"):
            Settings(database_url=url)  # type: ignore[arg-type]
