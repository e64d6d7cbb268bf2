"""A server that is named without the number of its cards."""

import pytest

from bot.messages import Question
from bot.parser import read


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("405B QLoRA + ZeRO-3 on H100 80GB machines. is it just impossible on one node?", 8),
        ("70b full finetune on one A100 80GB node, does it fit?", 8),
        ("passt 70B voll auf einen H100 Knoten?", 8),
        ("70b lora on a single H100, does it fit?", 1),
        ("70b lora on 4x H100 on one node", 4),
        ("is a server with an A100 enough for a 7b lora?", 1),
        ("8b qlora on a 4090 machine", 1),
        ("8b qlora on my 3090 server", 1),
    ],
)
def test_a_node_has_eight(text: str, count: int) -> None:
    asked = read(Question(text=text)).query
    assert sum(card.count for card in asked.gpus) == count
