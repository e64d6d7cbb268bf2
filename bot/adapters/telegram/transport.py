"""HTTP for python-telegram-bot through aiohttp, which Discord's library brings along anyway.

The library's own httpx costs about a millisecond of CPU a call more, and slows down with waiting requests.
"""

from typing import Any, cast
from urllib.parse import urlencode, urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
from telegram._utils.defaultvalue import DefaultValue
from telegram._utils.types import ODVInput
from telegram.error import NetworkError, TimedOut
from telegram.request import BaseRequest, RequestData

READ_SECONDS = 20.0
CONNECT_SECONDS = 10.0
TIMEOUT = aiohttp.ClientTimeout(total=None, connect=CONNECT_SECONDS, sock_read=READ_SECONDS)
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
JSON = {"Content-Type": "application/json"}


def proxy_for(url: str) -> str | None:
    """The proxy that the environment names for an address; looked up once, not for every request."""
    parts = urlsplit(url)
    return None if proxy_bypass(parts.hostname or "") else getproxies().get(parts.scheme)


class _Made:
    """A body that is JSON already, in the place of the library's own class for parameters."""

    contains_files = False

    def __init__(self, body: bytes) -> None:
        self.body = body


class AiohttpRequest(BaseRequest):
    """One pool of connections. The session is made in the loop that first uses it."""

    def __init__(self, connections: int, proxy: str | None = None) -> None:
        self._connections = connections
        self._proxy = proxy
        self._session: aiohttp.ClientSession | None = None

    @property
    def read_timeout(self) -> float:
        """Seconds that an answer may take unless a call says otherwise."""
        return READ_SECONDS

    async def initialize(self) -> None:
        """Open the pool; may be called again after shutdown."""
        if self._session is None or self._session.closed:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=self._connections),
                proxy=self._proxy,
                headers={"User-Agent": self.USER_AGENT},
            )

    async def shutdown(self) -> None:
        """Close the pool."""
        if self._session is not None:
            await self._session.close()

    async def post_json(self, url: str, body: bytes) -> Any:
        """One call with a body that was made before; raises what the library's own calls raise."""
        return await self.post(url, cast(RequestData, _Made(body)))

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: ODVInput[float] = BaseRequest.DEFAULT_NONE,
        write_timeout: ODVInput[float] = BaseRequest.DEFAULT_NONE,
        connect_timeout: ODVInput[float] = BaseRequest.DEFAULT_NONE,
        pool_timeout: ODVInput[float] = BaseRequest.DEFAULT_NONE,
    ) -> tuple[int, bytes]:
        """One request. Raises TimedOut or NetworkError, as the library expects."""
        if self._session is None:
            await self.initialize()
        assert self._session is not None
        timeout = TIMEOUT
        if not isinstance(read_timeout, DefaultValue) and read_timeout is not None:
            timeout = aiohttp.ClientTimeout(total=None, connect=CONNECT_SECONDS, sock_read=float(read_timeout))
        data: bytes | aiohttp.FormData | None = None
        headers = None
        if isinstance(request_data, _Made):
            data, headers = request_data.body, JSON
        elif request_data is not None:
            if request_data.contains_files:
                data = _form(request_data)
            else:
                data, headers = urlencode(request_data.json_parameters).encode(), FORM
        try:
            async with self._session.request(method, url, data=data, headers=headers, timeout=timeout) as response:
                return response.status, await response.read()
        except TimeoutError as error:
            raise TimedOut from error
        except (aiohttp.ClientError, OSError) as error:
            raise NetworkError(type(error).__name__) from error  # its text may hold the address, and so the token


def _form(request_data: RequestData) -> aiohttp.FormData:
    """Parameters and files as multipart."""
    form = aiohttp.FormData()
    for name, value in request_data.json_parameters.items():
        form.add_field(name, value)
    for name, (filename, content, kind) in request_data.multipart_data.items():
        form.add_field(name, content, filename=filename, content_type=kind)
    return form
