"""Run once where whichgpu is installed: makes the compiled knowledge and the bytecode of all that a start imports.

The image is read-only when it runs, so what is not made here would be made again at every start.
"""

import contextlib
import importlib
import io
from importlib.util import find_spec

from bot.messages import Question
from bot.pipeline import answer

QUESTIONS = {
    "en": ("13b qlora", "what is qlora?", "2x 3090 or 5090 for 70b", "config for 8b qlora on a 4090", "help"),
    "de": ("13b qlora", "was ist qlora?", "2x 3090 oder 5090 für 70b", "config für 8b qlora auf einer 4090", "hilfe"),
}
SERVING = (
    "bot.__main__", "bot.cli.commands", "bot.app", "bot.doctor", "bot.doctor_platforms", "bot.db_cli", "bot.stats",
    "bot.migrations.run",
    "bot.adapters.telegram", "bot.adapters.discord", "bot.picture", "bot.estimate_cli", "aiosqlite", "asyncpg",
    "sqlalchemy.dialects.postgresql.asyncpg", "sqlalchemy.dialects.sqlite.aiosqlite", "babel.numbers", "rich.console",
)  # fmt: skip


def main() -> None:
    """Answer and import; a part that is not installed is left out."""
    with contextlib.redirect_stdout(io.StringIO()):
        for language, texts in QUESTIONS.items():
            for text in texts:
                answer(Question(text=text, language=language))
    for name in SERVING:
        if find_spec(name) is not None:
            importlib.import_module(name)


if __name__ == "__main__":
    main()
