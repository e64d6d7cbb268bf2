"""deploy/README.md: what it names exists; what it links to lies there; every threat has a test that is really there."""

import re
import subprocess

import pytest
import yaml

from bot.cli.commands import COMMANDS, app
from tests.deploy.files import DEPLOY, variables
from tests.paths import ROOT

TEXT = (DEPLOY / "README.md").read_text(encoding="utf-8")
HEADINGS = re.findall(r"^## (.+)$", TEXT, re.M)


def anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def test_variables_are_settings():
    plain = set(re.findall(r"\bWHICHGPU_[A-Z_]+\b", TEXT)) - {"WHICHGPU_VERSION"}
    assert plain <= variables()
    compose = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    assert "${WHICHGPU_VERSION" in compose


def test_commands_exist():
    known = {command.name or command.callback.__name__ for command in app.registered_commands} | set(COMMANDS)
    called = set(re.findall(r"(?:bin/|exec whichgpu |`)whichgpu ([a-z][a-z-]+)", TEXT))
    assert called
    assert called <= known | {"cannot"}


def test_commands_of_the_database_exist():
    from bot.db_cli import app as database

    known = {command.name or command.callback.__name__ for command in database.registered_commands}
    assert set(re.findall(r"\bdb ([a-z]+)", TEXT)) <= known


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)]+)\)", TEXT):
        if target.startswith("#"):
            assert target[1:] in {anchor(heading) for heading in HEADINGS}, target
        elif not target.startswith("https://"):
            assert (DEPLOY / target).exists(), target


def test_files_that_it_names_lie_there():
    named = re.findall(r"`((?:deploy/|kubernetes/|base/|prometheus/|grafana/)[\w./-]+)`", TEXT)
    assert named
    for name in named:
        places = (ROOT / name, DEPLOY / name, DEPLOY / "kubernetes" / name)
        assert any(place.exists() for place in places), name


def test_every_threat_has_a_test_that_exists():
    rows = [line for line in TEXT.partition("## Security")[2].splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 10
    for row in rows:
        cell, file = row.rsplit("|", 2)[-2], ""
        tests = re.findall(r"`([\w/.]*)::(\w+)`", cell)
        assert tests, f"no test against: {row.split('|')[1]}"
        for path, name in tests:
            file = path or file
            source = (ROOT / file).read_text(encoding="utf-8")
            assert re.search(rf"^(async )?def {name}\(", source, re.M), f"{file}::{name}"


def test_the_invite_asks_for_what_is_written_and_no_more():
    import discord

    (number,) = re.findall(r"permissions=(\d+)", TEXT)
    asked = {name for name, on in discord.Permissions(int(number)) if on}
    written = (
        "read_messages send_messages attach_files read_message_history create_public_threads send_messages_in_threads"
    )
    assert asked == set(written.split())
    try:
        from bot.adapters.discord import setup
    except ImportError:
        pytest.skip("the Discord adapter is not here")
    needed = discord.Permissions(**dict.fromkeys((*setup.NEEDED, *setup.NEEDED_FOR_THREADS), True))
    assert needed <= discord.Permissions(int(number))


def test_secrets_that_are_touched_are_those_of_compose():
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    (names,) = re.findall(r"touch secrets/\{([^}]+)\}", TEXT)
    assert set(names.split(",")) == set(compose["secrets"])


def test_from_an_empty_server_in_five_commands():
    section = TEXT.partition("## From an empty server")[2].partition("\n## ")[0]
    (block,) = re.findall(r"```\n(.*?)```", section, re.S)
    assert len(block.strip().splitlines()) == 5


def test_shell_can_read_every_command():
    for block in re.findall(r"^```\n(.*?)^```", TEXT, re.S | re.M):
        if "{\n" in block or "https://discord.com" in block:
            continue
        done = subprocess.run(["bash", "-n"], input=block, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (block, done.stderr)
