"""Calls to Discord's REST API, and what to do when it says no.

Every refusal has one meaning here: not now → RetryLater; the place is closed to us → Closed; what was to be changed is
gone → Gone; the interaction is over → Over; the body is not taken → Refused. Rate limits and most 5xx are obeyed and
repeated by the library before that.
"""

import asyncio
import io
import json
from collections.abc import Awaitable, Sequence
from typing import Any, TypeVar

import aiohttp
import discord
from discord.http import Route
from discord.webhook.async_ import async_context

from bot.adapters.base import RetryLater
from bot.adapters.files import Unreadable, check, decoded

PAUSE = 0.7
"""Seconds before something is tried again that failed on the way."""
DOWNLOAD_SECONDS = 8.0
UNKNOWN_MESSAGE, UNKNOWN_CHANNEL, UNKNOWN_WEBHOOK, UNKNOWN_INTERACTION = 10008, 10003, 10015, 10062
ACKNOWLEDGED, BAD_TOKEN, THREAD_EXISTS = 40060, 50027, 160004
NEW_MESSAGE, LATER, LATER_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9
"""Kinds of answers to an interaction."""
T = TypeVar("T")
Files = Sequence[tuple[str, bytes]]


class Closed(Exception):
    """The channel is closed to us: a permission is missing, or the person takes no messages."""


class Gone(Exception):
    """The message or channel is not there any more."""


class Over(Exception):
    """The interaction cannot be answered any more: too late, or its token has ended."""


class Acknowledged(Exception):
    """The interaction has its first answer already."""


class Refused(Exception):
    """Discord does not take this body."""


class Calls:
    """REST with the client of the moment; `bind` hands a new one over."""

    def __init__(self) -> None:
        self._client: discord.Client | None = None
        self._session: Any = None
        self._adapter = async_context.get()

    def bind(self, client: discord.Client) -> None:
        """Use this client's connections from now on."""
        self._client = client
        self._session = discord.Webhook.partial(0, "-", client=client).session
        self._adapter = async_context.get()

    # Interactions: outside the global rate limit, so not through the client's own queue

    async def respond(self, interaction: str, token: str, kind: int, data: Any = None, files: Files = ()) -> None:
        """The first answer to an interaction. Raises Over, Acknowledged, Refused, RetryLater."""
        route = _hook("POST", f"/interactions/{interaction}/{{webhook_token}}/callback", token)
        body = {"type": kind} if data is None else {"type": kind, "data": data}
        await self._hooked(route, body, files)

    async def edit_original(self, app: str, token: str, body: dict[str, Any], files: Files = ()) -> None:
        """Change or fill the first answer. Raises Over, Gone, Refused, RetryLater."""
        await self._hooked(_hook("PATCH", f"/webhooks/{app}/{{webhook_token}}/messages/@original", token), body, files)

    async def delete_original(self, app: str, token: str) -> None:
        """Delete the first answer, or the message whose button was pressed."""
        await self._hooked(_hook("DELETE", f"/webhooks/{app}/{{webhook_token}}/messages/@original", token), None)

    async def follow_up(self, app: str, token: str, body: dict[str, Any], files: Files = ()) -> None:
        """One more message of an interaction."""
        await self._hooked(_hook("POST", f"/webhooks/{app}/{{webhook_token}}", token), body, files)

    async def _hooked(self, route: Route, body: dict[str, Any] | None, files: Files = ()) -> Any:
        if self._client is None or getattr(self._session, "closed", False):
            raise RetryLater(PAUSE)
        http = self._client.http
        form, uploads = _form(body, files)
        return await _meaning(
            self._adapter.request(
                route,
                self._session,
                payload=None if form else body,
                multipart=form,
                files=uploads,
                proxy=http.proxy,
                proxy_auth=http.proxy_auth,
            )
        )

    # Channels

    async def send(
        self, channel: str, body: dict[str, Any], *, nonce: str = "", reply_to: str = "", files: Files = ()
    ) -> str:
        """Say something; the message's id. With a nonce, saying it twice within minutes is saying it once."""
        if nonce:
            body = {**body, "nonce": nonce, "enforce_nonce": True}
        if reply_to:
            reference = {"message_id": reply_to, "channel_id": channel, "fail_if_not_exists": False}
            body = {**body, "message_reference": reference}
        made = await self._plain(Route("POST", "/channels/{channel_id}/messages", channel_id=int(channel)), body, files)
        return str(made["id"])

    async def edit(self, channel: str, message: str, body: dict[str, Any], files: Files = ()) -> None:
        """Change a message of ours."""
        await self._plain(_message("PATCH", channel, message), body, files)

    async def delete(self, channel: str, message: str) -> None:
        """Delete a message of ours."""
        await self._plain(_message("DELETE", channel, message))

    async def thread(self, channel: str, message: str, name: str) -> str:
        """Open a thread on a message, once; its id."""
        route = _message("POST", channel, message, "/threads")
        try:
            made = await self._plain(route, {"name": name[:100], "auto_archive_duration": 1440})
        except Refused as error:
            if getattr(error.__cause__, "code", 0) == THREAD_EXISTS:
                return message  # a thread on a message has its id
            raise
        return str(made["id"])

    async def typing(self, channel: str) -> None:
        """Show that we are at it."""
        await self._plain(Route("POST", "/channels/{channel_id}/typing", channel_id=int(channel)))

    async def history(self, channel: str, after: str, limit: int = 100) -> list[dict[str, Any]]:
        """Messages after one, oldest first."""
        route = Route("GET", "/channels/{channel_id}/messages", channel_id=int(channel))
        found = await self._plain(route, params={"after": after, "limit": limit})
        return sorted((m for m in found if isinstance(m, dict)), key=lambda m: int(m["id"]))

    async def read_file(self, url: str, name: str, size: int) -> str:
        """The text of an attachment. Raises Unreadable."""
        check(name, size)
        if self._client is None:
            raise RetryLater(PAUSE)
        try:
            data = await asyncio.wait_for(self._client.http.get_from_cdn(url), DOWNLOAD_SECONDS)
        except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
            raise Unreadable("file_unreadable") from error
        return decoded(data)

    async def _plain(self, route: Route, body: Any = None, files: Files = (), **more: Any) -> Any:
        if self._client is None:
            raise RetryLater(PAUSE)
        form, uploads = _form(body, files)
        if form:
            more |= {"form": form, "files": uploads}
        elif body is not None:
            more["json"] = body
        return await _meaning(self._client.http.request(route, **more))


def _hook(method: str, path: str, token: str) -> Route:
    return Route(method, path, webhook_token=token)


def _message(method: str, channel: str, message: str, more: str = "") -> Route:
    path = "/channels/{channel_id}/messages/{message_id}" + more
    return Route(method, path, channel_id=int(channel), message_id=int(message))


def _form(body: Any, files: Files) -> tuple[list[dict[str, Any]] | None, list[discord.File] | None]:
    """Body and files as multipart; nothing without files."""
    if not files:
        return None, None
    uploads = [discord.File(io.BytesIO(data), filename=name) for name, data in files]
    form: list[dict[str, Any]] = [{"name": "payload_json", "value": json.dumps(body)}]
    for at, file in enumerate(uploads):
        kind = "application/octet-stream"
        form.append({"name": f"files[{at}]", "value": file.fp, "filename": file.filename, "content_type": kind})
    return form, uploads


async def _meaning(call: Awaitable[T]) -> T:
    """The call's result, or what its error means."""
    try:
        return await call
    except discord.RateLimited as error:
        raise RetryLater(error.retry_after) from error
    except discord.Forbidden as error:
        raise Closed(error.text or str(error.code)) from error
    except discord.NotFound as error:
        raise (Over if error.code in (UNKNOWN_INTERACTION, UNKNOWN_WEBHOOK) else Gone)(str(error.code)) from error
    except discord.DiscordServerError as error:
        raise RetryLater(PAUSE) from error
    except discord.HTTPException as error:
        raise _refusal(error) from error
    except (aiohttp.ClientError, OSError, TimeoutError) as error:
        raise RetryLater(PAUSE) from error
    except RuntimeError as error:
        if "closed" not in str(error):
            raise
        raise RetryLater(PAUSE) from error  # the session is closed: the connection is being made anew


def _refusal(error: discord.HTTPException) -> Exception:
    if error.code == ACKNOWLEDGED:
        return Acknowledged()
    if error.code == BAD_TOKEN:
        return Over(str(error.code))
    if error.status >= 500:
        return RetryLater(PAUSE)
    if error.status == 429:  # without a way to know for how long: Cloudflare
        return RetryLater(30)
    return RetryLater(PAUSE) if error.status == 401 else Refused(error.text[:300])
