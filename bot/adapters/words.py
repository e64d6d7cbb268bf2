"""The words that platforms show around an answer: commands, arguments, notices; from knowledge/lang/*/commands.yaml."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from knowledge.compiled import PACKAGE, load_yaml_tree

LANGUAGES = ("en", "de")
DEFAULT = "en"


class Words:
    """The words of one language; a key that is missing fails the parity test, never a user."""

    def __init__(self, data: Mapping[str, Any], language: str) -> None:
        self.language = language
        self.commands: Mapping[str, str] = data["commands"]
        self.discord_commands: Mapping[str, str] = data["discord_commands"]
        self.command_names: Mapping[str, str] = data["command_names"]
        self.permissions: Mapping[str, str] = data["permissions"]
        self.examples: tuple[str, ...] = tuple(data["examples"])
        self.completions: Mapping[str, Sequence[str]] = data["completions"]
        self.context_menu: str = data["context_menu"]
        self.arguments: Mapping[str, Mapping[str, str]] = data["arguments"]
        self.choices: Mapping[str, str] = data["choices"]
        self._ui: Mapping[str, str] = data["ui"]

    def __call__(self, key: str, **values: object) -> str:
        """A notice with its values filled in; the values are ours, never a user's text."""
        text = self._ui[key]
        return text.format(**values) if values else text


@cache
def words(language: str) -> Words:
    """The words of a language, of English when there is no such language."""
    code = language if language in LANGUAGES else DEFAULT
    return Words(load_yaml_tree(PACKAGE / "lang" / code, "commands.yaml")["commands.yaml"], code)


def language_of(locale: str | None) -> str:
    """ "de-AT" → "de"; what we do not speak → "en"."""
    code = (locale or "").replace("_", "-").split("-")[0].lower()
    return code if code in LANGUAGES else DEFAULT
