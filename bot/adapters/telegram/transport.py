"""HTTP for python-telegram-bot through aiohttp, which Discord's library brings along anyway.

The library's own httpx costs about a millisecond of CPU a call more, and slows down with waiting requests.
"""

from urllib.parse import urlencode

import aiohttp
from telegram._utils.defaultvalue import DefaultValue
from telegram._utils.types import ODVInput
from telegram.error import NetworkError, TimedOut
from telegram.request import BaseRequest, RequestData

READ_SECONDS = 20.0
CONNECT_SECONDS = 10.0
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class AiohttpRequest(BaseRequest):
    """One pool of connections. The session is made in the loop that first uses it."""

    def __init__(self, connections: int) -> None:
        self._connections = connections
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
                trust_env=True,  # proxies, as the library's own transport honours them
                headers={"User-Agent": self.USER_AGENT},
            )

    async def shutdown(self) -> None:
        """Close the pool."""
        if self._session is not None:
            await self._session.close()

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
        wait = READ_SECONDS if isinstance(read_timeout, DefaultValue) or read_timeout is None else float(read_timeout)
        timeout = aiohttp.ClientTimeout(total=None, connect=CONNECT_SECONDS, sock_read=wait)
        data: bytes | aiohttp.FormData | None = None
        headers = None
        if request_data is not None:
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
