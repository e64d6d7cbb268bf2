"""Asks PyPI's advisories about every version in the lock: python deploy/audit.py [--lock FILE]

Fails when there is a fix to install (then: deploy/lock --upgrade-package NAME). What has no fix yet is shown. Where the
tool or the advisories cannot be reached it says "skipped" and why, and does not fail: a gate must run offline too.
"""

import argparse
import json
import subprocess
import sys
import venv
from pathlib import Path

DEPLOY = Path(__file__).resolve().parent
TOOL = DEPLOY.parent / ".venv" / "audit"
"""The tool has thirty dependencies; none of them belongs beside ours."""
INSTALL_SECONDS = 60
AUDIT_SECONDS = 45
ANSWER_SECONDS = 5


class Skipped(Exception):
    """The audit cannot run here, and why."""


def tool() -> Path:
    """pip-audit in an environment of its own, from its hash-checked lock."""
    found = TOOL / "bin" / "pip-audit"
    if not found.exists():
        venv.create(TOOL, with_pip=True)
        install = [TOOL / "bin" / "pip", "install", "--quiet", "--require-hashes"]
        _run([*install, "--requirement", DEPLOY / "requirements-audit.txt"], INSTALL_SECONDS, "the tool")
    return found


def ask(lock: Path) -> str:
    """What pip-audit reports about a lock, as JSON. Nothing is resolved or installed."""
    options = ["--disable-pip", "--require-hashes", "--format", "json", "--progress-spinner", "off"]
    timeout = ["--timeout", str(ANSWER_SECONDS)]
    return _run([tool(), *options, *timeout, "--requirement", lock], AUDIT_SECONDS, "the advisories")


def _run(command: list[object], seconds: float, what: str) -> str:
    """What a command printed; it may fail as long as it prints something."""
    try:
        done = subprocess.run(list(map(str, command)), check=False, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise Skipped(f"{what} took longer than {seconds:.0f} s") from None
    except OSError as error:
        raise Skipped(f"{what}: {error.strerror}") from None
    if done.returncode and not done.stdout.strip():
        last = (done.stderr.strip().splitlines() or ["no word"])[-1]
        raise Skipped(f"{what} cannot be reached ({last[:160]})")
    return done.stdout


def judge(report: str) -> tuple[list[str], bool]:
    """Lines to print, and whether there is something to do. Raises Skipped when nothing was looked up."""
    try:
        packages = json.loads(report)["dependencies"]
    except (ValueError, KeyError, TypeError):
        raise Skipped("the report cannot be read") from None
    known = [package for package in packages if "vulns" in package]
    if not known:
        raise Skipped(f"the index in use has no advisories, asked about {len(packages)} packages")
    lines, act = [], False
    for package in known:
        for found in package["vulns"]:
            fixes = found.get("fix_versions") or []
            act = act or bool(fixes)
            cure = f"fixed in {', '.join(fixes)}" if fixes else "no fix yet"
            lines.append(f"{package['name']} {package['version']}: {found['id']}, {cure}")
    return [*lines, f"{len(known)} of {len(packages)} packages looked up, {len(lines)} advisories"], act


def main() -> int:
    """Exit status 1 when a fix waits to be installed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lock", type=Path, default=DEPLOY / "requirements-dev.txt")
    try:
        lines, act = judge(ask(parser.parse_args().lock))
    except Skipped as reason:
        print(f"skipped: {reason}")
        return 0
    print(*lines, sep="\n")
    if act:
        print("Install the fixes: deploy/lock --upgrade-package NAME")
    return int(act)


if __name__ == "__main__":
    sys.exit(main())
