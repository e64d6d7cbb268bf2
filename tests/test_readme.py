"""The README does not lie: its dialogue is what the bot says, its links lead somewhere, its commands are the gate's."""

import re
import sys

from bot.adapters.terminal import markdown
from bot.messages import Question
from bot.pipeline import answer
from tests.paths import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"(<!-- dialogue: (?P<ask>.+?) -->\n)(?P<said>.*?)(<!-- end -->)", re.DOTALL)


def quoted(ask: str) -> str:
    """The question in bold, the answer as a quotation."""
    said = markdown(answer(Question(text=ask)).reply)
    return "\n".join(f"> {line}".rstrip() for line in (f"`{ask}`", "", *said.splitlines())) + "\n"


def test_the_dialogue_is_what_the_bot_says() -> None:
    blocks = list(BLOCK.finditer(README))
    assert blocks
    for block in blocks:
        assert block["said"] == quoted(block["ask"]), "python -m tests.test_readme writes it anew"


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", README):
        assert (ROOT / target).exists(), target


def test_the_gate_runs_the_test_command_of_the_readme() -> None:
    commands = [line for line in README.splitlines() if line.startswith("python3 -m venv")]
    assert len(commands) == 2
    assert commands[1].endswith("-m pytest")


if __name__ == "__main__":
    fresh = BLOCK.sub(lambda block: block[1] + quoted(block["ask"]) + block[4], README)
    (ROOT / "README.md").write_text(fresh, encoding="utf-8")
    sys.stdout.write("README.md written\n")
