"""One folder of knowledge/lang per language: the phrases that are understood, and where its words lie.

`any` holds what is the same in every language, and what tells languages that are read and not spoken.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from knowledge.compiled import PACKAGE, load_yaml_tree

LANGUAGES = ("en", "de")
"""What is spoken. The first one is the default."""
SHARED_FOLDER = "any"
NAMES = ("nicknames", "shapes", "mixtures", "values", "relatives", "model_words")
"""Parts of the shared phrases that are looked up while messages are read."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language as data. `answers` and `faq` are folders of templates and pages."""

    code: str
    answers: Traversable
    faq: Traversable

    @property
    def phrases(self) -> Mapping[str, Any]:
        """Its phrases.yaml. Not kept: the reader compiles it into a fraction of the room."""
        return _phrases(self.code)


def _phrases(folder: str) -> Mapping[str, Any]:
    return load_yaml_tree(PACKAGE / "lang" / folder, "phrases.yaml", texts=True)["phrases.yaml"] or {}


@cache
def load_language(code: str) -> Language:
    """The language of a code ("en", "de"). Raises KeyError for one that is not spoken."""
    if code not in LANGUAGES:
        raise KeyError(code)
    folder = files("knowledge") / "lang" / code
    return Language(code, folder / "answers", folder / "faq")


def shared_phrases() -> Mapping[str, Any]:
    """Phrases that are the same in every language. Not kept, like those of one."""
    return _phrases(SHARED_FOLDER)


@cache
def shared_names() -> Mapping[str, Any]:
    """Of the shared phrases the parts that are no phrases: names of models, cards, trainers and what they stand for."""
    shared = shared_phrases()
    return {part: shared[part] for part in NAMES}


@cache
def tongues() -> dict[str, dict[str, Any]]:
    """Code → how a language that is read and not spoken is known, and what its speakers are told in it."""
    return dict(load_yaml_tree(PACKAGE / "lang" / SHARED_FOLDER, "tongues.yaml", texts=True)["tongues.yaml"])


def kind_weights() -> Mapping[str, Any]:
    """What each sign in a message says for or against each kind of question: section → sign → kind → weight.

    Not kept: the reader packs it into a fraction of the room.
    """
    table = load_yaml_tree(PACKAGE / "kinds", "weights.yaml")["weights.yaml"]
    return {section: {str(sign): figures for sign, figures in signs.items()} for section, signs in table.items()}


def language_code(locale: str | None, default: str = LANGUAGES[0]) -> str:
    """ "de-AT" → "de"; an unknown or missing locale → the default."""
    if locale in LANGUAGES:
        return locale
    code = (locale or "").replace("_", "-").split("-")[0].lower()
    return code if code in LANGUAGES else default
