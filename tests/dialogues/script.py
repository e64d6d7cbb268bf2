"""A dialogue is a Markdown file: a title, then questions as quotes, each followed by the answer as it is given.

A line "> [show=why]" presses a button of the answer before. What stands between two questions is the answer, compared
word for word. Lines before the first question are for the reader.
"""

from dataclasses import dataclass
from pathlib import Path

from bot.messages import Question, Reply, Text, table_markdown
from bot.pipeline import answer

FOLDER = Path(__file__).parent
LANGUAGES = ("en", "de")


@dataclass(frozen=True, slots=True)
class Turn:
    """One question and the answer that stands below it."""

    asked: str
    answered: str


def files(language: str) -> list[Path]:
    """The dialogues of a language, by name."""
    return sorted((FOLDER / language).glob("*.md"))


def read(path: Path) -> tuple[str, list[Turn]]:
    """(what stands before the first question, the turns)."""
    head: list[str] = []
    turns: list[tuple[list[str], list[str]]] = []
    quoting = False
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("> "):
            if not quoting:
                turns.append(([], []))
            turns[-1][0].append(line[2:])
        else:
            (turns[-1][1] if turns else head).append(line)
        quoting = line.startswith("> ")
    return "\n".join(head).strip(), [Turn("\n".join(q), "\n".join(a).strip()) for q, a in turns]


def replay(turns: list[Turn], language: str) -> list[Turn]:
    """The same questions with the answers of today; each goes on where the one before ended."""
    previous, made = None, []
    for turn in turns:
        asked = turn.asked.strip()
        pressed = asked[1:-1] if asked.startswith("[") and asked.endswith("]") and "=" in asked else None
        question = Question(text="" if pressed else asked, change=pressed, language=language, asked="direct")
        given = answer(question, previous)
        assert given.error is None, given.error_detail
        previous = given.query if pressed is None else previous
        made.append(Turn(turn.asked, words(given.reply)))
    return made


def words(reply: Reply) -> str:
    """A reply as Markdown: the short answer, and its buttons as a last line."""
    blocks = [block.markdown if isinstance(block, Text) else table_markdown(block) for block in reply.blocks]
    if reply.buttons:
        blocks.append(" ".join(f"[{button.label}]" for button in reply.buttons))
    return "\n\n".join(blocks)


def write(path: Path, head: str, turns: list[Turn]) -> None:
    """The file anew: head, then every question with its answer."""
    parts = [head, *("\n".join(f"> {line}" for line in t.asked.splitlines()) + "\n\n" + t.answered for t in turns)]
    path.write_text("\n\n".join(parts) + "\n", "utf-8")
