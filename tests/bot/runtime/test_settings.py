from pathlib import Path

import pytest

from bot.settings import Settings, SettingsFaults, load_settings
from bot.settings_help import env_example, unknown_variables
from tests.paths import ROOT


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    for name in list(os.environ):
        if name.startswith("WHICHGPU_") or name == "HF_ENDPOINT":
            monkeypatch.delenv(name)


def test_defaults_need_nothing_and_keep_to_loopback() -> None:
    settings = load_settings()
    assert settings.platforms == ()
    assert settings.http_listen == "127.0.0.1:8080"
    assert settings.database.startswith("sqlite+aiosqlite:///")


def test_every_fault_is_named_at_once_with_its_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHICHGPU_TELEGRAM_TOKEN", "hunter2")
    monkeypatch.setenv("WHICHGPU_WORKERS", "many")
    monkeypatch.setenv("WHICHGPU_HTTP_LISTEN", "8080")
    monkeypatch.setenv("WHICHGPU_DATABASE_URL", "mysql://root:pass@db/x")
    with pytest.raises(SettingsFaults) as raised:
        load_settings()
    text = str(raised.value)
    for part in (
        "TELEGRAM_TOKEN",
        "@BotFather",
        "WORKERS",
        "HTTP_LISTEN",
        "127.0.0.1:8080",
        "DATABASE_URL",
        "postgresql://",
    ):
        assert part in text
    assert "hunter2" not in text
    assert "pass@" not in text


def test_secrets_come_from_files_and_the_variable_wins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("12:from-file\n")
    monkeypatch.setenv("WHICHGPU_TELEGRAM_TOKEN_FILE", str(tmp_path / "token"))
    token = load_settings().telegram_token
    assert token is not None
    assert token.get_secret_value() == "12:from-file"
    monkeypatch.setenv("WHICHGPU_TELEGRAM_TOKEN", "12:from-variable")
    token = load_settings().telegram_token
    assert token is not None
    assert token.get_secret_value() == "12:from-variable"


def test_a_secret_file_that_cannot_be_read_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WHICHGPU_DISCORD_TOKEN_FILE", str(tmp_path / "nothing"))
    with pytest.raises(SettingsFaults, match="WHICHGPU_DISCORD_TOKEN_FILE"):
        load_settings()


def test_secrets_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHICHGPU_TELEGRAM_TOKEN", "12:topsecret")
    monkeypatch.setenv("WHICHGPU_DATABASE_URL", "postgres://bot:dbsecret@db.example/whichgpu")
    settings = load_settings()
    assert "topsecret" not in repr(settings)
    assert "dbsecret" not in repr(settings)
    assert settings.database_shown == "postgresql+asyncpg://db.example/whichgpu"
    assert {"12:topsecret", "dbsecret"} <= set(settings.secrets)


@pytest.mark.parametrize(("text", "ids"), [("0", (0,)), ("0,2", (0, 2)), ("1-3", (1, 2, 3)), ("", ())])
def test_shard_ids(monkeypatch: pytest.MonkeyPatch, text: str, ids: tuple[int, ...]) -> None:
    monkeypatch.setenv("WHICHGPU_DISCORD_SHARDS", "4")
    monkeypatch.setenv("WHICHGPU_DISCORD_SHARD_IDS", text)
    assert load_settings().discord_shard_ids == ids


@pytest.mark.parametrize("text", ["4", "3-1", "x", "-1", "0-99999999"])
def test_shard_ids_that_cannot_be(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("WHICHGPU_DISCORD_SHARDS", "4")
    monkeypatch.setenv("WHICHGPU_DISCORD_SHARD_IDS", text)
    with pytest.raises(SettingsFaults):
        load_settings()


def test_empty_means_unset_but_switches_health_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHICHGPU_TELEGRAM_TOKEN", "")
    monkeypatch.setenv("WHICHGPU_WORKERS", "")
    monkeypatch.setenv("WHICHGPU_HTTP_LISTEN", "")
    settings = load_settings()
    assert settings.telegram_token is None
    assert settings.workers == 6
    assert settings.http_listen == ""


def test_the_webhook_secret_is_derived_alike_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHICHGPU_TELEGRAM_TOKEN", "12:abc")
    first, second = load_settings().webhook_secret, load_settings().webhook_secret
    assert first == second
    assert len(first) == 64
    assert "12:abc" not in first


def test_a_misspelt_variable_is_named_with_the_nearest() -> None:
    (line,) = unknown_variables({"WHICHGPU_TELEGRAM_TOKN": "x", "WHICHGPU_TELEGRAM_TOKEN_FILE": "y", "PATH": "z"})
    assert "WHICHGPU_TELEGRAM_TOKEN" in line


def test_the_example_names_every_setting_and_is_current() -> None:
    example = env_example()
    for name in Settings.model_fields:
        assert f"#WHICHGPU_{name.upper()}=" in example
    assert (ROOT / "deploy" / "env.example").read_text(encoding="utf-8") == example
