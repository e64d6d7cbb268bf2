"""The systemd unit: systemd's own judgement where it is installed, and what the bot needs of it."""

import re
import subprocess
import sys

import pytest

from tests.deploy.files import DEPLOY, program, variables

UNIT = DEPLOY / "whichgpu.service"
TEXT = UNIT.read_text(encoding="utf-8")
EXPOSURE = 15
"""Tenths, as systemd counts them: 0 is a service that can do nothing, 100 one that may do all."""


@pytest.fixture
def unit(tmp_path):
    """The unit with a program that exists, as `verify` demands."""
    copy = tmp_path / UNIT.name
    copy.write_text(re.sub(r"(?m)^ExecStart=\S+", f"ExecStart={sys.executable}", TEXT), encoding="utf-8")
    return copy


def test_systemd_understands_every_line(unit):
    done = subprocess.run([program("systemd-analyze"), "verify", unit], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_it_is_hardened(unit):
    command = [program("systemd-analyze"), "security", "--offline=true", "--no-pager", f"--threshold={EXPOSURE}", unit]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "unrecognized option" in done.stderr:
        pytest.skip("this systemd-analyze is too old for --offline")
    assert done.returncode == 0, done.stdout


def test_its_variables_are_settings_and_its_secrets_are_credentials():
    names = dict(re.findall(r"^Environment=(WHICHGPU_\w+)=(\S+)$", TEXT, re.M))
    assert names
    assert set(names) <= variables()
    credentials = set(re.findall(r"^LoadCredential=(\w+):", TEXT, re.M))
    assert {value for name, value in names.items() if name.endswith("_FILE")} == {f"%d/{name}" for name in credentials}


def test_it_is_given_the_time_to_finish():
    from bot.app import CLOSE_SECONDS, DRAIN_SECONDS

    (seconds,) = re.findall(r"^TimeoutStopSec=(\d+)s$", TEXT, re.M)
    assert int(seconds) > DRAIN_SECONDS + CLOSE_SECONDS
