"""Whatever the corpus says, and whichever button is pressed below it, the answer is an answer."""

from pathlib import Path

import pytest
import yaml

from bot.messages import Question
from bot.pipeline import answer

CORPUS = Path(__file__).parents[1] / "corpus"
PHRASES, PRESSES = 12, 5
"""Of so many phrases one is asked, and of so many texts the buttons of one are pressed; every question is asked."""


def texts(language: str) -> list[str]:
    """All questions of a language's corpus, and a part of the phrases."""
    corpus = yaml.safe_load((CORPUS / f"{language}.yaml").read_text("utf-8"))
    asked = [str(text) for entry in corpus["questions"] for text in entry.get("say", ())]
    return asked + [str(text) for entry in corpus["phrases"].values() for text in entry["say"]][::PHRASES]


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_text_and_button_has_an_answer(language: str, part: int) -> None:
    for place, text in enumerate(texts(language)[part::4]):
        given = answer(Question(text=text, language=language, asked="direct"))
        assert given.error is None, (text, given.error_detail)
        for button in given.reply.buttons if place % PRESSES == 0 else ():
            pressed = answer(Question(text="", change=button.change, language=language, asked="direct"), given.query)
            assert pressed.error is None, (text, button.change, pressed.error_detail)
