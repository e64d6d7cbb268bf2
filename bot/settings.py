"""Everything an operator can set: environment variables with the prefix WHICHGPU_, secrets also from files (`*_FILE`).

`load_settings()` names every missing or bad variable at once, each with its cure.
"""

import hashlib
import hmac
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import BeforeValidator, Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict

from bot.settings_sources import PREFIX, HubEnvironment, SecretFiles, SettingsFaults

__all__ = ["PREFIX", "Settings", "SettingsFaults", "load_settings"]

MAY_BE_EMPTY = {"http_listen"}
"""Fields where an empty value means something; elsewhere it is the same as not set, as compose files write it."""


def _comma_list(value: Any) -> Any:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


def _shard_ids(value: Any) -> Any:
    """ "0,1" or "0-3" → (0, 1) or (0, 1, 2, 3)."""
    if not isinstance(value, str):
        return value
    ids: list[int] = []
    for part in value.split(","):
        first, _, last = part.strip().partition("-")
        try:
            low, high = int(first), int(last or first)
        except ValueError:
            raise ValueError("write shard ids as numbers: 0,1 or 0-3") from None
        if not 0 <= low <= high < 16_384:
            raise ValueError("write shard ids as numbers from 0 up: 0,1 or 0-3")
        ids += range(low, high + 1)
    return tuple(ids)


def _own_folder() -> Path:
    from platformdirs import user_data_path  # an operator mostly says where: loading it takes half a MiB

    return user_data_path("whichgpu")


Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_comma_list)]
ShardIds = Annotated[tuple[int, ...], NoDecode, BeforeValidator(_shard_ids)]


class Settings(BaseSettings):
    """The settings of one process. Field `x_y` is the variable WHICHGPU_X_Y."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, extra="ignore", frozen=True, hide_input_in_errors=True, populate_by_name=True
    )

    discord_token: SecretStr | None = Field(None, description="The bot's token from discord.com/developers.")
    discord_api_url: str = Field("https://discord.com/api/v10", description="Discord's REST API, or a proxy of it.")
    discord_gateway_url: str | None = Field(None, description="Discord's gateway; normally asked from the REST API.")
    discord_shards: int | None = Field(
        None, ge=1, le=16_384, description="How many shards in all, over all processes; normally Discord's advice."
    )
    discord_shard_ids: ShardIds = Field((), description="The shards of this process: 0,1 or 0-3. Empty: all.")
    discord_message_content: bool = Field(
        False,
        description="The privileged message-content intent is on: needed only to hear what is not addressed to it.",
    )

    telegram_token: SecretStr | None = Field(None, description="The bot's token from @BotFather.")
    telegram_api_url: str = Field(
        "https://api.telegram.org/bot",
        description="The Bot API, or one's own server: its address with /bot at the end.",
    )
    telegram_webhook_url: str | None = Field(
        None, description="Public https address for webhooks. Empty: long polling, which needs no open port."
    )
    telegram_webhook_listen: str = Field("127.0.0.1", description="The address that the webhook server listens on.")
    telegram_webhook_port: int = Field(8443, ge=1, le=65_535, description="Its port, behind the reverse proxy.")
    telegram_webhook_secret: SecretStr | None = Field(
        None, description="Secret header of webhooks, 1-256 of A-Z a-z 0-9 _ -. Empty: derived from the token."
    )

    state_dir: Path = Field(
        default_factory=_own_folder,
        description="Folder of the SQLite database and of backups. Empty: the user's data folder.",
    )
    database_url: SecretStr | None = Field(
        None,
        description="postgresql://user:password@host/name to share work among processes. Empty: SQLite in STATE_DIR.",
    )
    http_listen: str = Field(
        "127.0.0.1:8080", description="Health, readiness and metrics. Loopback by default; empty: off."
    )

    hub: Literal["on", "off"] = Field(
        "on", description="Look up models that the catalog lacks on the Hugging Face Hub."
    )
    hf_endpoint: str | None = Field(
        None, description="The Hub's address, or a mirror of it (also read from HF_ENDPOINT)."
    )

    languages: Names = Field(
        ("en", "de"), description="The languages that the bot answers in; the first one is the default."
    )
    workers: int = Field(6, ge=1, le=64, description="Questions answered at the same time.")
    late_after_minutes: float = Field(
        120, gt=0, description="Questions older than this (after an outage) get an apology instead of an answer."
    )
    retention_days: float = Field(90, gt=0, description="How long conversations, answers and feedback are kept.")

    rate_user: float = Field(20, gt=0, description="Questions per minute and person.")
    rate_chat: float = Field(90, gt=0, description="Answers per minute and chat that others see.")
    allow_chats: Names = Field(
        (), description="Only these chats and servers, e.g. telegram:-1001234,discord:5678. Empty: all."
    )
    deny_chats: Names = Field((), description="Never these chats and servers.")
    deny_users: Names = Field((), description="Never these people, e.g. telegram:1234.")

    log_format: Literal["console", "json"] = Field("console", description="For a person or for a log collector.")
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="debug, info, warning or error."
    )

    @model_validator(mode="before")
    @classmethod
    def _empty_is_unset(cls, values: Any) -> Any:
        if not isinstance(values, dict):
            return values
        return {k: v for k, v in values.items() if v != "" or k.lower().removeprefix(PREFIX.lower()) in MAY_BE_EMPTY}

    @field_validator("log_level", "log_format", "hub", mode="before")
    @classmethod
    def _any_case(cls, value: Any) -> Any:
        if isinstance(value, bool):
            return "on" if value else "off"
        return (
            {"true": "on", "1": "on", "false": "off", "0": "off"}.get(value.lower(), value.lower())
            if isinstance(value, str)
            else value
        )

    @field_validator("discord_token", "telegram_token", "telegram_webhook_secret", "database_url", mode="before")
    @classmethod
    def _no_stray_space(cls, value: Any) -> Any:
        return value.strip() if isinstance(value, str) else value

    @field_validator("telegram_token")
    @classmethod
    def _telegram_shape(cls, value: SecretStr | None) -> SecretStr | None:
        number, colon, rest = value.get_secret_value().partition(":") if value else ("", "", "")
        if value and not (number.isdigit() and colon and rest and not any(c.isspace() or c == "/" for c in rest)):
            raise ValueError("a token looks like 123456:AAb-c…; copy it again from @BotFather, /mybots, API Token")
        return value

    @field_validator("discord_token")
    @classmethod
    def _discord_shape(cls, value: SecretStr | None) -> SecretStr | None:
        if value and any(c.isspace() for c in value.get_secret_value()):
            raise ValueError("a token has no spaces; reset and copy it at discord.com/developers, Bot, Reset Token")
        return value

    @field_validator("telegram_webhook_secret")
    @classmethod
    def _secret_shape(cls, value: SecretStr | None) -> SecretStr | None:
        text = value.get_secret_value() if value else "x"
        if not (1 <= len(text) <= 256 and text.isascii() and all(c.isalnum() or c in "_-" for c in text)):
            raise ValueError("use 1-256 of A-Z a-z 0-9 _ -, or leave it out: then it is derived from the token")
        return value

    @field_validator("discord_api_url", "telegram_api_url", "telegram_webhook_url", "hf_endpoint")
    @classmethod
    def _http_url(cls, value: str | None) -> str | None:
        if value is not None and (urlsplit(value).scheme not in ("http", "https") or not urlsplit(value).netloc):
            raise ValueError("write a full address: https://host/path")
        return value.rstrip("/") if value else value

    @field_validator("discord_gateway_url")
    @classmethod
    def _ws_url(cls, value: str | None) -> str | None:
        if value is not None and urlsplit(value).scheme not in ("ws", "wss"):
            raise ValueError("write a full address: wss://host/path")
        return value

    @field_validator("http_listen")
    @classmethod
    def _listen(cls, value: str) -> str:
        if value in ("", "off"):
            return ""
        host, colon, port = value.rpartition(":")
        if not (colon and host and port.isdigit() and int(port) < 65_536):
            raise ValueError("write host:port, e.g. 127.0.0.1:8080; empty switches it off")
        return value

    @field_validator("languages")
    @classmethod
    def _spoken(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        known = tuple(Settings.model_fields["languages"].default)
        if not value or not set(value) <= set(known):
            raise ValueError(f"choose from {', '.join(known)}, with commas between")
        return value

    @field_validator("database_url")
    @classmethod
    def _database(cls, value: SecretStr | None) -> SecretStr | None:
        """Names of drivers are filled in; another database is refused."""
        if value is None:
            return None
        scheme, _, rest = value.get_secret_value().partition("://")
        drivers = {"postgres": "postgresql+asyncpg", "postgresql": "postgresql+asyncpg", "sqlite": "sqlite+aiosqlite"}
        driver = drivers.get(scheme.partition("+")[0])
        if driver is None or not rest:
            raise ValueError("use postgresql://user:password@host/name or sqlite:///folder/file.db, or leave it out")
        return SecretStr(f"{driver}://{rest}")

    @field_validator("state_dir")
    @classmethod
    def _home(cls, value: Path) -> Path:
        return value.expanduser()

    @model_validator(mode="after")
    def _together(self) -> Self:
        if self.discord_shard_ids and not self.discord_shards:
            raise ValueError(
                "WHICHGPU_DISCORD_SHARDS: say how many shards there are in all when DISCORD_SHARD_IDS picks some"
            )
        if self.discord_shards and any(shard >= self.discord_shards for shard in self.discord_shard_ids):
            raise ValueError("WHICHGPU_DISCORD_SHARD_IDS: ids run from 0 to DISCORD_SHARDS - 1")
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """What is passed in wins over the environment, the environment over files."""
        return init_settings, env_settings, SecretFiles(settings_cls), HubEnvironment(settings_cls)

    @property
    def database(self) -> str:
        """The SQLAlchemy address. May hold a password: never log it, see `database_shown`."""
        if self.database_url is not None:
            return self.database_url.get_secret_value()
        return f"sqlite+aiosqlite:///{self.state_dir / 'whichgpu.db'}"

    @property
    def database_shown(self) -> str:
        """The address without user and password."""
        parts = urlsplit(self.database)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"

    @property
    def webhook_secret(self) -> str:
        """The given secret, or one that every process derives alike from the token."""
        if self.telegram_webhook_secret is not None:
            return self.telegram_webhook_secret.get_secret_value()
        token = self.telegram_token.get_secret_value() if self.telegram_token else ""
        return hmac.new(token.encode(), b"whichgpu webhook", hashlib.sha256).hexdigest()

    @property
    def secrets(self) -> tuple[str, ...]:
        """Every secret string, for the log's redaction."""
        given = (self.discord_token, self.telegram_token, self.telegram_webhook_secret)
        password = urlsplit(self.database).password
        return tuple(
            s for s in (*(g.get_secret_value() for g in given if g), self.webhook_secret, password or "") if len(s) > 3
        )

    @property
    def platforms(self) -> tuple[str, ...]:
        """The platforms that have a token."""
        return tuple(
            name for name, token in (("discord", self.discord_token), ("telegram", self.telegram_token)) if token
        )


def load_settings(**given: Any) -> Settings:
    """The settings from the environment; raises SettingsFaults with every fault and its cure."""
    try:
        return Settings(**given)
    except ValidationError as error:
        raise SettingsFaults(tuple(_fault(problem) for problem in error.errors(include_url=False))) from None


def _fault(problem: Any) -> str:
    message = problem["msg"].removeprefix("Value error, ")
    if not problem["loc"]:
        return str(message)
    field = str(problem["loc"][0])
    about = Settings.model_fields[field].description if field in Settings.model_fields else ""
    return f"{PREFIX}{field.upper()}: {message}. {about}".rstrip()
