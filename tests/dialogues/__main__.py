"""python -m tests.dialogues [NAME ...]: rewrites the answers of all dialogues, or of those whose name contains NAME."""

import sys

from tests.dialogues.script import FOLDER, LANGUAGES, files, read, replay, write


def main(names: list[str]) -> None:
    """Rewrite, and say which files changed."""
    for language in LANGUAGES:
        for path in files(language):
            if names and not any(name in path.name for name in names):
                continue
            before = path.read_text("utf-8")
            head, turns = read(path)
            write(path, head, replay(turns, language))
            if path.read_text("utf-8") != before:
                print(path.relative_to(FOLDER))


if __name__ == "__main__":
    main(sys.argv[1:])
