"""How often runs are made, told in words."""

import pytest

from bot.messages import Question
from bot.parser import read


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("rent or buy a 3090 for 8b qlora, two runs a month", "2"),
        ("rent or buy a 3090 for 8b qlora, one or two runs a month", "2"),
        ("maybe one run a month, 8b qlora, rent or buy a 3090?", "1"),
        ("rent or buy a 3090 for 8b qlora? i train twice a month", "2"),
        ("3090 kaufen oder mieten für 8b qlora, ein bis zwei läufe im monat", "2"),
        ("3090 kaufen oder mieten für 8b qlora, zweimal im Monat", "2"),
        ("rent or buy a 3090 for 8b qlora, 4 runs a month", "4"),
    ],
)
def test_runs_a_month(text: str, runs: str) -> None:
    assert read(Question(text=text)).query.named["runs_per_month"] == (runs,)


@pytest.mark.parametrize(
    "text",
    [
        "training a 7b took a month on my 3090",
        "two runs of 8b qlora. rent for a month or buy a 3090?",
        "8b qlora, 3090?",
    ],
)
def test_no_runs_a_month(text: str) -> None:
    assert "runs_per_month" not in read(Question(text=text)).query.named
