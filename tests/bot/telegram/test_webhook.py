"""The webhook: only with the secret, only an update, and 200 only after the commit."""

import asyncio
import io
from typing import Any

import pytest
from aiohttp.test_utils import TestClient, TestServer

from bot.adapters.telegram.webhook import BODY_BYTES, SECRET_HEADER, application
from bot.store import StoreUnavailable

SECRET = {SECRET_HEADER: "s3cret"}


async def client(put: Any) -> TestClient[Any, Any]:
    return TestClient(TestServer(application("/hook", "s3cret", put)))


@pytest.mark.parametrize("headers", [{}, {SECRET_HEADER: "wrong"}, {SECRET_HEADER: "s3cre"}])
async def test_without_the_secret_nothing_is_taken(headers: dict[str, str]) -> None:
    taken: list[Any] = []

    async def put(updates: list[dict[str, Any]]) -> None:
        taken.extend(updates)

    async with await client(put) as http:
        response = await http.post("/hook", json={"update_id": 1}, headers=headers)
        assert (response.status, taken) == (403, [])


async def test_a_secret_that_is_no_text_is_a_wrong_one() -> None:
    async def put(updates: list[dict[str, Any]]) -> None:
        raise AssertionError("never")

    async with TestServer(application("/hook", "s3cret", put)) as server:
        reader, writer = await asyncio.open_connection(server.host, server.port)
        name = SECRET_HEADER.encode()
        writer.write(b"POST /hook HTTP/1.1\r\nHost: x\r\n" + name + b": s3cret\xff\r\nContent-Length: 2\r\n\r\n{}")
        assert (await reader.readline()).split()[1] == b"403"
        writer.close()
        await writer.wait_closed()


async def test_an_update_is_committed_before_200() -> None:
    taken: list[Any] = []

    async def put(updates: list[dict[str, Any]]) -> None:
        taken.extend(updates)

    async with await client(put) as http:
        assert (await http.post("/hook", json={"update_id": 1}, headers=SECRET)).status == 200
        assert taken == [{"update_id": 1}]


async def test_a_store_that_is_away_is_no_200_so_that_telegram_sends_again() -> None:
    async def put(updates: list[dict[str, Any]]) -> None:
        raise StoreUnavailable("away")

    async with await client(put) as http:
        assert (await http.post("/hook", json={"update_id": 1}, headers=SECRET)).status == 500


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"x"', b"{}", b'{"update_id": "x"}', b"\xff\xfe", b"[" * 200_000])
async def test_what_is_no_update_is_refused(body: bytes) -> None:
    async def put(updates: list[dict[str, Any]]) -> None:
        raise AssertionError("never")

    async with await client(put) as http:
        assert (await http.post("/hook", data=body, headers=SECRET)).status == 400


async def test_a_huge_body_is_refused() -> None:
    async def put(updates: list[dict[str, Any]]) -> None:
        raise AssertionError("never")

    async with await client(put) as http:
        response = await http.post("/hook", data=io.BytesIO(b"x" * (BODY_BYTES + 1)), headers=SECRET)
        assert response.status == 413


async def test_other_paths_are_not_there() -> None:
    async def put(updates: list[dict[str, Any]]) -> None:
        raise AssertionError("never")

    async with await client(put) as http:
        assert (await http.get("/")).status == 404
        assert (await http.get("/hook")).status == 405
