"""compose.yaml: the real parser's judgement where it is installed, and our own strict one everywhere."""

import re
import shutil
import subprocess

import jsonschema
import pytest
import yaml

from bot.settings import Settings
from tests.deploy.files import DEPLOY, STATE, default, program, variables

FILE = DEPLOY / "compose.yaml"
COMPOSE = yaml.safe_load(FILE.read_text(encoding="utf-8"))
SERVICES = COMPOSE["services"]
TEXTS = {"type": "array", "items": {"type": "string"}, "uniqueItems": True}
NAMES = {"type": "object", "patternProperties": {"^[A-Z_0-9]+$": {"type": "string"}}, "additionalProperties": False}
TEXT = {"type": "string"}
TEST = {"prefixItems": [{"const": "CMD"}]}
SERVICE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["image", "restart", "read_only", "cap_drop", "security_opt", "healthcheck", "networks", "logging"],
    "properties": {
        "image": {"type": "string", "pattern": ":[^:]+$"},
        "build": {"type": "object", "required": ["context", "dockerfile"]},
        "profiles": TEXTS,
        "user": {"type": "string", "pattern": "^[1-9]\\d*:[1-9]\\d*$"},
        "command": TEXTS,
        "env_file": {"type": "array"},
        "environment": NAMES,
        "secrets": TEXTS,
        "volumes": TEXTS,
        "tmpfs": TEXTS,
        "expose": TEXTS,
        "ports": {"type": "array", "items": {"type": "string", "pattern": "^127\\.0\\.0\\.1:\\d+:\\d+$"}},
        "networks": TEXTS,
        "mem_limit": TEXT,
        "shm_size": TEXT,
        "pids_limit": {"type": "integer", "minimum": 1},
        "stop_grace_period": {"type": "string", "pattern": "^\\d+s$"},
        "restart": {"const": "unless-stopped"},
        "read_only": {"const": True},
        "cap_drop": {"const": ["ALL"]},
        "security_opt": {"const": ["no-new-privileges:true"]},
        "logging": {"type": "object", "required": ["driver", "options"]},
        "depends_on": {"type": ["object", "array"]},
        "healthcheck": {"required": ["test", "interval", "timeout", "retries"], "properties": {"test": TEST}},
    },
}
NETWORK = {"properties": {"internal": {"type": "boolean"}}, "additionalProperties": False}
SECRET = {"required": ["file"], "properties": {"file": {"pattern": "^\\./secrets/"}}, "additionalProperties": False}
SCHEMA = {
    "type": "object",
    "required": ["services"],
    "additionalProperties": False,
    "patternProperties": {"^x-": {}},
    "properties": {
        "name": TEXT,
        "services": {"type": "object", "additionalProperties": SERVICE},
        "networks": {"type": "object", "additionalProperties": NETWORK},
        "volumes": {"type": "object", "additionalProperties": {"type": "object", "maxProperties": 0}},
        "secrets": {"type": "object", "additionalProperties": SECRET},
    },
}


def test_it_has_the_structure_that_we_allow():
    jsonschema.Draft202012Validator(SCHEMA).validate(COMPOSE)


@pytest.mark.parametrize("profiles", [(), ("postgres",), ("observability",), ("postgres", "observability")])
def test_docker_compose_takes_it(profiles, tmp_path):
    compose = program("docker-compose")
    folder = tmp_path / "deploy"
    shutil.copytree(DEPLOY, folder)
    (folder / "secrets").mkdir()
    shutil.copy(folder / "env.example", folder / ".env")
    for secret in COMPOSE["secrets"].values():
        (folder / secret["file"]).touch()
    chosen = [option for profile in profiles for option in ("--profile", profile)]
    done = subprocess.run(
        [compose, *chosen, "config", "--format", "json"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    shown = yaml.safe_load(done.stdout)["services"]
    wanted = {
        "whichgpu",
        *(name for name, service in SERVICES.items() if set(service.get("profiles", ())) & set(profiles)),
    }
    assert set(shown) == wanted


def test_without_a_profile_it_is_the_bot_alone():
    assert [name for name, service in SERVICES.items() if "profiles" not in service] == ["whichgpu"]


def test_every_name_is_defined_and_used():
    for kind in ("secrets", "networks", "volumes"):
        used = {name.split(":")[0] for service in SERVICES.values() for name in service.get(kind, ())}
        used = {name for name in used if not name.startswith((".", "/"))}
        assert used == set(COMPOSE[kind]), kind


def test_files_that_are_mounted_exist():
    for service in SERVICES.values():
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            if source.startswith("."):
                assert (DEPLOY / source).exists(), source
                assert volume.endswith(":ro")


def test_the_bot_gets_settings_that_exist_and_secrets_as_files():
    environment = SERVICES["whichgpu"]["environment"]
    assert set(environment) <= variables()
    files = {value for name, value in environment.items() if name.endswith("_FILE")}
    assert files == {f"/run/secrets/{name}" for name in SERVICES["whichgpu"]["secrets"]}
    assert environment["WHICHGPU_STATE_DIR"] == STATE
    assert f"state:{STATE}" in SERVICES["whichgpu"]["volumes"]
    Settings(http_listen=environment["WHICHGPU_HTTP_LISTEN"])


def test_ports_are_those_of_the_settings():
    health = SERVICES["whichgpu"]["environment"]["WHICHGPU_HTTP_LISTEN"].rpartition(":")[2]
    assert health == default("http_listen").rpartition(":")[2]
    assert SERVICES["whichgpu"]["expose"] == [health, str(default("telegram_webhook_port"))]
    assert f":{health}/healthz" in SERVICES["whichgpu"]["healthcheck"]["test"][-1]


def test_nothing_secret_stands_in_it():
    for service in SERVICES.values():
        for name, value in service.get("environment", {}).items():
            if re.search("TOKEN|PASSWORD|SECRET|DATABASE_URL", name):
                assert re.search("_FILE$", name), name
                assert value.startswith("/run/secrets/")


def test_it_is_given_the_time_to_finish():
    from bot.app import CLOSE_SECONDS, DRAIN_SECONDS

    assert int(SERVICES["whichgpu"]["stop_grace_period"].rstrip("s")) > DRAIN_SECONDS + CLOSE_SECONDS
