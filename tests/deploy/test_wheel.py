"""The wheel, built here and run in an environment of its own: what else lies in the working tree is not there."""

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from tests.paths import ROOT

PACKAGES = ("bot", "advisor", "knowledge")
PASSED_BY = {"__pycache__", ".compiled"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """Built without network, with the build backend that is installed."""
    pytest.importorskip("hatchling", reason="hatchling is not installed")
    folder = tmp_path_factory.mktemp("wheel")
    build = f"import hatchling.build as backend; print(backend.build_wheel({str(folder)!r}))"
    done = subprocess.run([sys.executable, "-c", build], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / done.stdout.split()[-1]


@pytest.fixture(scope="module")
def inside(wheel) -> set[str]:
    """The names of the files in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """The folder of programs of a fresh environment with the wheel; its dependencies are those of this environment."""
    pytest.importorskip("pip", reason="pip is not installed")
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    python = programs / Path(sys.executable).name
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python, "install"]
    subprocess.run([*command, "--quiet", "--no-deps", "--no-index", wheel], check=True)
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = subprocess.run([python, "-c", where], capture_output=True, text=True, check=True).stdout.strip()
    paths = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    Path(site, "dependencies.pth").write_text("\n".join(sorted(paths)) + "\n", encoding="utf-8")
    return programs


@pytest.fixture
def whichgpu(installed, tmp_path):
    """Runs the entry point far from the working tree, with a home of its own and no settings but those given."""

    def run(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "SYSTEMROOT", "TMPDIR")}
        environment = kept | {"HOME": str(tmp_path), "WHICHGPU_STATE_DIR": str(tmp_path / "state"), **settings}
        command = [str(installed / "whichgpu"), *arguments]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    return run


def test_everything_but_tests_is_in_it(inside):
    here = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and not PASSED_BY & set(path.parts) and path.suffix != ".pyc"
    }
    assert here - inside == set()
    assert {name.split("/")[0] for name in inside if ".dist-info/" not in name} == set(PACKAGES)
    assert not [name for name in inside if "test" in name.lower().split("/")[0] or name.startswith("deploy")]


def test_it_names_its_licence_and_its_command(inside, wheel):
    (entry,) = [name for name in inside if name.endswith(".dist-info/entry_points.txt")]
    assert any(name.endswith("licenses/LICENSE") for name in inside)
    with zipfile.ZipFile(wheel) as archive:
        assert "whichgpu = bot.__main__:main" in archive.read(entry).decode()


def test_it_is_the_wheel_that_runs(installed):
    command = [
        installed / Path(sys.executable).name,
        "-c",
        "import bot, knowledge; print(bot.__file__, knowledge.__file__)",
    ]
    done = subprocess.run(command, cwd=installed, capture_output=True, text=True, check=True)
    assert str(ROOT) not in done.stdout


@pytest.mark.parametrize("language", ["en", "de"])
def test_it_answers(whichgpu, language):
    done = whichgpu("ask", "--lang", language, "13b qlora")
    assert done.returncode == 0, done.stderr
    assert "GiB" in done.stdout
    assert "13B" in done.stdout.splitlines()[0]


def test_it_draws(whichgpu, tmp_path):
    done = whichgpu("ask", "--picture", "memory.png", "llama 3.1 8b qlora on a 3090")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "memory.png").read_bytes().startswith(b"\x89PNG")


def test_the_doctor_finds_it_well(whichgpu):
    done = whichgpu("doctor", "--offline", WHICHGPU_TELEGRAM_TOKEN="123456:AA-not-a-real-token")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ok  knowledge:" in done.stdout
    assert "ok  database" in done.stdout


def test_its_database_is_migrated_and_sound(whichgpu):
    assert whichgpu("db", "upgrade").returncode == 0
    done = whichgpu("db", "check")
    assert done.returncode == 0, done.stderr
    assert "sound" in done.stdout


def test_without_a_token_it_says_which_variable_to_set(whichgpu):
    done = whichgpu("serve")
    assert done.returncode == 1
    assert "WHICHGPU_TELEGRAM_TOKEN" in done.stderr
