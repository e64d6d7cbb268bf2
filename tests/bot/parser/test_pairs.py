"""A number of cards for each of several sizes."""

import pytest

from bot.messages import Question
from bot.parser import read


@pytest.mark.parametrize(
    ("text", "language", "counts"),
    [
        ("training time for qlora: 7b on 1 gpu and 70b on 4 gpus, A100 80G?", "en", ("1", "4")),
        ("wie lange dauert qlora, 8b auf 1 karte und 32b auf 2 karten, A100 40gb?", "de", ("1", "2")),
        ("qlora 7b or 13b on 2 gpus, how long?", "en", None),
        ("how long does 7b qlora take on 4 gpus?", "en", None),
    ],
)
def test_counts_go_to_their_sizes(text: str, language: str, counts: tuple[str, ...] | None) -> None:
    assert read(Question(text=text, language=language)).query.named.get("n_gpus") == counts
