"""The Dockerfile, without an engine: a linter's judgement, and the promises that a linter does not know."""

import re
import subprocess

from tests.deploy.files import DEPLOY, STATE, UID, program, variables
from tests.paths import ROOT

FILE = DEPLOY / "Dockerfile"
TEXT = FILE.read_text(encoding="utf-8")
LINES = re.sub(r"\\\n", " ", "\n".join(line for line in TEXT.splitlines() if not line.startswith("#"))).splitlines()
LAST_STAGE = LINES[max(number for number, line in enumerate(LINES) if line.startswith("FROM ")) :]


def instructions(name: str, lines: list[str]) -> list[str]:
    return [line.removeprefix(name).strip() for line in lines if line.startswith(f"{name} ")]


def test_hadolint_has_nothing_to_say():
    done = subprocess.run([program("hadolint"), "--no-color", FILE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_nobody_with_a_name_or_with_rights_runs_it():
    assert instructions("USER", LAST_STAGE) == [f"{UID}:{UID}"]


def test_it_starts_without_a_shell():
    for name in ("ENTRYPOINT", "CMD"):
        (given,) = instructions(name, LAST_STAGE)
        assert given.startswith("["), f"{name} runs in a shell"
    (health,) = [line for line in LAST_STAGE if line.startswith("HEALTHCHECK")]
    assert 'CMD ["python"' in health
    assert "/healthz" in health


def test_every_file_that_is_installed_is_checked_against_its_hash():
    installs = [part for line in LINES for part in line.split("&&") if "pip" in part and " install " in part]
    fetching = [part for part in installs if "--no-index" not in part and "apt-get" not in part]
    assert fetching
    assert all("--require-hashes" in part and "--only-binary :all:" in part for part in fetching)
    for name in re.findall(r"deploy/(requirements[\w-]*\.txt)", TEXT):
        lock = (DEPLOY / name).read_text(encoding="utf-8")
        pinned = re.findall(r"^([\w.\[\]-]+)==", lock, re.M)
        assert pinned
        assert lock.count("--hash=sha256:") >= len(pinned), name


def test_no_index_is_named():
    locks = [path.read_text(encoding="utf-8") for path in DEPLOY.glob("requirements*.txt")]
    for text in (TEXT, *locks):
        assert not re.search(r"--(extra-)?index-url|--find-links|https?://(?!127\.0\.0\.1)", text)


def test_what_it_copies_exists_and_reaches_the_builder():
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    assert "*" in ignored
    for line in instructions("COPY", LINES):
        if line.startswith("--from"):
            continue
        *sources, _ = line.split()
        for source in sources:
            assert (ROOT / source).exists(), source
            assert f"!{source.rstrip('/')}" in ignored, f"{source} does not reach the builder"


def test_its_variables_are_settings_and_its_state_survives():
    names = set(re.findall(r"(WHICHGPU_\w+)=", TEXT)) | set(re.findall(r"'(WHICHGPU_\w+)'", TEXT))
    assert names
    assert names <= variables()
    assert f"WHICHGPU_STATE_DIR={STATE}" in TEXT
    assert instructions("VOLUME", LAST_STAGE) == [STATE]


def test_the_label_says_what_it_is():
    assert 'org.opencontainers.image.title="whichgpu"' in TEXT
    assert 'org.opencontainers.image.licenses="MIT"' in TEXT
