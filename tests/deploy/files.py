"""The files of deploy/, read; and the programs that judge them, where they are installed."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.settings import PREFIX, Settings
from tests.paths import ROOT

DEPLOY = ROOT / "deploy"
UID = 10001
STATE = "/var/lib/whichgpu"


def program(name: str) -> str:
    """The path of a checker that came with the dev extra or the system; skips the test where there is none."""
    found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def documents(path: Path) -> list[Any]:
    """The documents of a YAML file."""
    return [document for document in yaml.safe_load_all(path.read_text(encoding="utf-8")) if document is not None]


def load_json(path: Path) -> Any:
    """A JSON file."""
    return json.loads(path.read_text(encoding="utf-8"))


def variables() -> set[str]:
    """Every variable that the settings read."""
    names = {PREFIX + name.upper() for name in Settings.model_fields}
    secret = {
        f"{PREFIX}{name.upper()}_FILE" for name, f in Settings.model_fields.items() if "Secret" in str(f.annotation)
    }
    return names | secret


def default(name: str) -> Any:
    """A setting's default."""
    return Settings.model_fields[name].default
