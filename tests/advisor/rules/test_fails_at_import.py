"""The rule fails_at_import."""

import pytest

from advisor.rules import fails_at_import
from bot.messages import Question
from bot.parser import read
from bot.pipeline import answer
from tests.advisor.rules.ask import cards, case


def test_speaks_of_the_makers_build() -> None:
    found = fails_at_import.check(
        case(params_b=8.0, gpus=cards("arc-b580"), symptoms=("at_import",), trainer="unsloth")
    )
    assert found is not None
    assert (found.facts["vendor"], found.facts["trainer"]) == ("intel", "unsloth")


def test_silent_where_nothing_fails() -> None:
    assert fails_at_import.check(case(params_b=8.0, gpus=cards("rtx-3090"))) is None


@pytest.mark.parametrize(
    "text",
    [
        "Does Unsloth run on an Intel Arc B580 (12GB)? Wanted to tune Qwen3-VL-8B in 4bit on Windows but "
        "import already blows up with some torch.xpu mem_get_info thing",
        "import unsloth fails with an error on my 3090, 8b qlora",
        "ImportError: cannot import name when i import trl. 8b 4090",
        "ModuleNotFoundError: no module named triton, 8b qlora on windows 3060",
        "schon beim Import von unsloth knallt es, 3060, 8B",
        "bitsandbytes lässt sich nicht importieren, 8B QLoRA auf 7900 XTX",
    ],
)
def test_an_import_that_fails_is_no_lack_of_memory(text: str) -> None:
    assert "oom_step" not in read(Question(text=text)).query.symptoms
    first = answer(Question(text=text)).reply.text.partition("\n")[0]
    assert first.startswith(("**What fails at `import`", "**Was schon beim `import` scheitert"))


@pytest.mark.parametrize(
    "text",
    [
        "import works, then OOM in step 1. 8b 3060",
        "8b qlora on a 3060 crashes, how do I import a GGUF later?",
        "beim Importieren der Daten bricht es ab, OOM, 8b 3060",
        "how do I import my dataset, 8b 3060 out of memory",
        "wie importiere ich das Modell in Ollama? 8b QLoRA stürzt ab auf 3060",
    ],
)
def test_a_run_that_died_stays_one(text: str) -> None:
    assert "oom_step" in read(Question(text=text)).query.symptoms
