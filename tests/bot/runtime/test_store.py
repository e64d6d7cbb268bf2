import asyncio
import json
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from advisor.query import Query
from bot.store import Op, Step, Store, StoreCorrupt, StoreError, StoreInUse, StoreUnavailable, cure_of
from bot.store.engine import HEAD
from bot.store.owner import process_name
from bot.store.people import prune

QUERY = Query(model="meta-llama/Llama-3.1-8B", method="qlora", sources={"model": "stated", "method": "stated"})


async def test_a_conversation_is_kept_per_person_and_chat(store: Store) -> None:
    await store.write(store.remember("telegram", "1", "ann", QUERY))
    assert (await store.known("telegram", "1", "ann")).query == QUERY
    assert (await store.known("telegram", "2", "ann")).query is None
    assert (await store.known("discord", "1", "ann")).query is None


HOSTILE = ("1", "a'b", 'a"b', "a\\b", "[", "ü€😀", "%_", "x" * 200)


async def test_the_short_way_finds_what_the_layers_find(sqlite_store: Store) -> None:
    for person in HOSTILE:
        await sqlite_store.write(sqlite_store.remember("telegram", "c", person, QUERY))
        await sqlite_store.prefer("telegram", person, language="de", opt_out=person == "1")
        await sqlite_store.write(sqlite_store.answered("telegram", "c", person, person, "9", {"a": [1]}))
    say, plain = sqlite_store.say, sqlite_store._plain
    assert plain is not None
    persons = [f"telegram:{person}" for person in HOSTILE]
    talks = [f"telegram:c:{person}" for person in HOSTILE]
    for statement, keys in ((say.known, {"talks": talks, "persons": persons}), (say.given, {"keys": talks})):
        short = sorted(map(tuple, await plain.read(statement, keys)))
        listed = {name: json.dumps(some) for name, some in keys.items()}
        layered = sorted(tuple(row) for row in await sqlite_store.rows(statement, listed))
        assert short == layered
        assert len(short) == sum(map(len, keys.values()))
    assert await plain.read(say.given, {"keys": []}) == []


async def test_a_look_up_in_a_file_that_is_gone_says_so(sqlite_store: Store) -> None:
    assert sqlite_store.file is not None
    assert sqlite_store._plain is not None
    await sqlite_store._plain.close()
    kept = sqlite_store.file.rename(sqlite_store.file.with_suffix(".away"))
    with pytest.raises(StoreUnavailable):
        await sqlite_store.answer_to("telegram", "c", "1")
    kept.rename(sqlite_store.file)
    assert await sqlite_store.answer_to("telegram", "c", "1") is None


async def test_what_is_known_survives_a_restart(address: str) -> None:
    store = await Store.open(address)
    await store.write(store.remember("telegram", "1", "ann", QUERY))
    await store.prefer("telegram", "ann", language="de", opt_out=True)
    await store.close()
    store = await Store.open(address)
    known = await store.known("telegram", "1", "ann")
    assert known.query == QUERY
    assert known.preferences.language == "de"
    assert known.preferences.opt_out
    await store.close()


async def test_many_look_ups_at_once(store: Store) -> None:
    await asyncio.gather(*(store.write(store.remember("telegram", str(i), "ann", QUERY)) for i in range(0, 300, 2)))
    known = await asyncio.gather(*(store.known("telegram", str(i), "ann") for i in range(300)))
    assert [k.query is not None for k in known] == [i % 2 == 0 for i in range(300)]


async def test_preferences_change_one_at_a_time(store: Store) -> None:
    await store.prefer("discord", "bob", language="de")
    await store.prefer("discord", "bob", currency="EUR")
    preferences = (await store.known("discord", "1", "bob")).preferences
    assert (preferences.language, preferences.currency) == ("de", "EUR")


async def test_an_answer_is_found_before_the_database_has_it(sqlite_store: Store) -> None:
    row = sqlite_store.answered("telegram", "1", "3", "ann", "4", {"state": "s"})  # e.g. the question is edited at once
    found = await sqlite_store.answer_to("telegram", "1", "3")
    assert found is not None
    assert (found.answer, found.extra) == ("4", {"state": "s"})
    await sqlite_store.write(row)
    await sqlite_store.drop_answer("telegram", "1", "3")
    assert await sqlite_store.answer_to("telegram", "1", "3") is None


async def test_forget_erases_a_person_and_nobody_else(store: Store) -> None:
    for person in ("ann", "bob"):
        await store.write(
            store.remember("telegram", "1", person, QUERY), store.answered("telegram", "1", f"m-{person}", person, "9")
        )
        await store.prefer("telegram", person, language="de")
        await store.feedback("telegram", person, "9", True, QUERY)
    assert await store.forget("telegram", "ann") == 4
    assert not any((await store.export("telegram", "ann")).values())
    assert (await store.known("telegram", "1", "ann")).query is None
    assert (await store.known("telegram", "1", "bob")).query == QUERY
    assert await store.answer_to("telegram", "1", "m-bob") is not None


@pytest.mark.parametrize("layered", [False, True], ids=["by itself", "beside a step"])
async def test_erasing_keeps_its_place_among_what_is_written_with_it(store: Store, layered: bool) -> None:
    async def nothing(_connection: object) -> None:
        return None

    before, after = store.remember("telegram", "1", "ann", QUERY), store.remember("telegram", "2", "ann", QUERY)
    parts = [store.remember("telegram", "1", "bob", QUERY), *([Step(nothing)] if layered else [])]
    _, erased, _, *_ = await asyncio.gather(
        store.write(before), store.forget("telegram", "ann"), store.write(after), store.write(*parts)
    )
    assert erased == 1
    found = await store.rows(text("SELECT key FROM conversations ORDER BY key"))
    assert [row[0] for row in found] == ["telegram:1:bob", "telegram:2:ann"]


async def test_what_is_handled_no_longer_leads_to_a_person_who_was_erased(store: Store) -> None:
    row = {"platform": "telegram", "chat": "1", "payload": "{}", "sent": 1.0, "received": 1.0}
    names = ("handled", "waiting")
    events = [row | {"event_id": name, "person": "ann", "owner": None, "lease": None} for name in names]
    await store.write(*(Op(store.say.put, event, returning=True) for event in events))
    handled = {"where": "telegram", "name": "handled", "at": 2.0}
    await store.write(Op(store.say.mark_named, handled))
    assert await store.forget("telegram", "ann") == 0
    found = await store.rows(text("SELECT event_id, person FROM inbox ORDER BY id"))
    assert [tuple(one) for one in found] == [("handled", ""), ("waiting", "ann")]


async def test_a_commit_waits_for_no_checkpoint_and_the_file_gets_all_the_same(
    sqlite_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.plain.CHECKPOINT_ROWS", 20)
    file, plain = sqlite_store.file, sqlite_store.writer._plain
    assert file is not None
    assert plain is not None
    begun = file.stat().st_size
    for number in range(60):
        await sqlite_store.write(sqlite_store.answered("telegram", "1", str(number), "ann", "9", {"x": "y" * 4_000}))
    assert plain._connection is not None
    assert plain._connection.execute("PRAGMA wal_autocheckpoint").fetchone() == (16384,)
    assert plain._checkpoint is not None
    await plain._checkpoint
    assert file.stat().st_size > begun + 20 * 4_000


async def test_the_answer_to_a_message_is_found_and_dropped(store: Store) -> None:
    await store.write(store.answered("discord", "5", "77", "ann", "88", {"channel": 5}))
    answer = await store.answer_to("discord", "5", "77")
    assert answer is not None
    assert (answer.answer, answer.person, answer.extra) == ("88", "ann", {"channel": 5})
    await store.drop_answer("discord", "5", "77")
    assert await store.answer_to("discord", "5", "77") is None


async def test_channels_notes_hub_and_counts(store: Store) -> None:
    assert await store.channel("discord", "5") == {}
    await store.set_channel("discord", "5", {"mode": "sure"})
    assert await store.channel("discord", "5") == {"mode": "sure"}
    await store.set_note("discord:commands", "abc")
    assert await store.note("discord:commands") == "abc"
    await store.keep_hub_shape("Org/Model", {"layers": 2})
    kept = await store.hub_shape("org/model")
    assert kept is not None
    assert kept[0] == {"layers": 2}
    for _ in range(3):
        store.tally.asked("telegram", "fits_check", "answered", "de")
        store.tally.unknown("model", "Llama\0 9 \ud800 900B " + "x" * 200)
    store.tally.flush()
    store.tally.flush()
    await store.set_note("after", "the counts")
    (counted,) = await store.rows(text("SELECT count FROM tallies"))
    assert counted[0] == 3
    (name,) = await store.rows(text("SELECT name, asked FROM unknown_names"))
    assert name.asked == 3
    assert name.name.startswith("llama 9 ? 900b")
    assert len(name.name) <= 64


async def test_a_lease_is_held_by_one(store: Store) -> None:
    assert await store.leases.take("poll", "me", 60)
    assert not await store.leases.take("poll", "you", 60)
    assert await store.leases.take("poll", "me", 60)
    await store.leases.give_up("poll", "me")
    assert await store.leases.take("poll", "you", -1)
    assert await store.leases.take("poll", "me", 60)  # yours is over


async def test_a_lease_of_a_dead_process_of_this_host_is_free_at_once(store: Store) -> None:
    me = process_name()
    host, namespace, *_ = me.split("/")
    assert await store.leases.take("poll", f"{host}/{namespace}/999999999/x", 600)
    assert await store.leases.take("poll", me, 60)
    assert not await store.leases.take("poll", f"other/{namespace}/1/x", 60)


async def test_a_row_that_cannot_be_held_fails_alone(store: Store) -> None:
    bad = Op(store.say.hub, {"model": None, "arch": None, "fetched": 1.0})
    good = store.remember("telegram", "1", "ann", QUERY)
    first, second, third = await asyncio.gather(
        store.write(good),
        store.write(bad),
        store.write(store.answered("telegram", "1", "2", "ann", "3")),
        return_exceptions=True,
    )
    assert first == []
    assert isinstance(second, (SQLAlchemyError, sqlite3.Error))
    assert third == []
    assert await store.answer_to("telegram", "1", "2") is not None


async def test_retention_deletes_what_is_old(store: Store) -> None:
    await store.write(store.remember("telegram", "1", "ann", QUERY))
    await store.write(
        Step(lambda connection: connection.execute(text("UPDATE conversations SET updated = updated - 100 * 86400")))
    )
    await store.write(store.remember("telegram", "1", "bob", QUERY))
    (rows,) = await store.write(Step(lambda connection: prune(connection, 90)))
    assert rows == 1
    assert [len((await store.export("telegram", who))["conversations"]) for who in ("ann", "bob")] == [0, 1]


async def test_the_schema_is_what_the_code_says(store: Store) -> None:
    from bot.migrations.run import differences, known_versions

    assert known_versions()[0] == HEAD
    async with store.engine.connect() as connection:
        assert await connection.run_sync(differences) == []


async def test_migrations_go_back_and_forth(address: str) -> None:
    from bot.migrations.run import downgrade_connection, upgrade_connection
    from bot.store.engine import open_engine, schema_version

    engine = open_engine(address)
    for change, version in (
        (upgrade_connection, HEAD),
        (lambda c: downgrade_connection(c, "base"), None),
        (upgrade_connection, HEAD),
    ):
        async with engine.begin() as connection:
            await connection.run_sync(change)
        assert await schema_version(engine) == version
    await engine.dispose()


async def test_a_newer_database_is_refused(address: str) -> None:
    store = await Store.open(address)
    await store.write(
        Step(lambda connection: connection.execute(text("UPDATE alembic_version SET version_num = '9999'")))
    )
    await store.close()
    with pytest.raises(StoreError, match="newer than this whichgpu"):
        await Store.open(address)


async def test_only_one_process_serves_from_a_file(sqlite_store: Store) -> None:
    with pytest.raises(StoreInUse, match="WHICHGPU_STATE_DIR"):
        await Store.open(sqlite_store.address)
    beside = await Store.open(sqlite_store.address, lock=False)  # for `whichgpu stats` beside a serving bot
    await beside.close()


@pytest.mark.parametrize("damage", ["garbage", "page"])
async def test_a_corrupt_file_is_refused_with_the_way_back(tmp_path: Path, damage: str) -> None:
    file = tmp_path / "whichgpu.db"
    store = await Store.open(f"sqlite+aiosqlite:///{file}")
    await asyncio.gather(*(store.write(store.remember("telegram", str(i), "ann", QUERY)) for i in range(500)))
    await store.close()
    body = bytearray(file.read_bytes())
    body[: len(body)] = b"garbage" * (len(body) // 7) if damage == "garbage" else body
    body[8192 : len(body) - 4096] = (
        bytes(len(body) - 4096 - 8192) if damage == "page" else body[8192 : len(body) - 4096]
    )
    file.write_bytes(body)
    before = file.read_bytes()
    with pytest.raises(StoreCorrupt, match="whichgpu db restore"):
        await Store.open(f"sqlite+aiosqlite:///{file}")
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("reason", "cure"),
    [
        ("database or disk is full", "make room"),
        ("database is locked", "holds the file"),
        ("attempt to write a readonly database", "let the user"),
        ("[Errno 111] Connect call failed ('10.0.0.1', 5432)", "WHICHGPU_DATABASE_URL"),
        ('password authentication failed for user "whichgpu"', "password"),
    ],
)
def test_every_reason_has_its_cure(reason: str, cure: str) -> None:
    assert cure in cure_of(reason)


async def test_a_large_file_is_checked_beside_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.store.engine.LARGE_BYTES", 0)
    file = tmp_path / "whichgpu.db"
    store = await Store.open(f"sqlite+aiosqlite:///{file}")
    await asyncio.gather(*(store.write(store.remember("telegram", str(i), "ann", QUERY)) for i in range(2_000)))
    await store.look_through()
    assert store.healthy
    await store.close()
    body = bytearray(file.read_bytes())
    body[len(body) // 2 : len(body) - 8192] = bytes(len(body) - 8192 - len(body) // 2)
    file.write_bytes(body)
    store = await Store.open(f"sqlite+aiosqlite:///{file}")
    await store.look_through()
    assert "whichgpu db restore" in store.damage
    assert not store.healthy
    await store.close()


async def test_nothing_but_keys_and_queries_is_stored(sqlite_store: Store) -> None:
    """No table but the inbox has a column for words of people."""
    from bot.store.tables import metadata

    columns = {f"{table.name}.{column.name}" for table in metadata.tables.values() for column in table.c}
    assert not {c for c in columns if c.rpartition(".")[2] in ("text", "message", "content", "name_of_person")}
