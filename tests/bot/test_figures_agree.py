"""What an answer says in one place agrees with what it says in another, whatever the corpus and the dialogues ask."""

import re
from collections.abc import Iterator

import pytest

from advisor.stacks import COMFORT_OF_CARD
from bot.messages import Question
from bot.pipeline import Answer, answer
from knowledge.catalog import load_catalog
from tests.bench.answer_path import questions
from tests.bot.test_no_apology import texts

PARTS = 4
ROUNDING = 0.005
"""Share by which two figures with three digits may differ from what they stand for."""
OF = re.compile(r"(?<![\d–.,])([\d.,]*\d) (GiB|TiB) (?:of|von) (?:its |their |ihren )?([\d.,]*\d) GiB")
CALLED = re.compile(
    r"tight|knapp|\bno\b|\bnot\b|nein|nicht|unlikely|kaum|hardly|borderline|grenzfall"
    r"|too (?:long|small)|zu (?:lang|klein)|stay|bleiben|you see|siehst|without offload"
    r"|ohne Auslagern|at the limit|Grenze",
    re.I,
)
WIDE = re.compile(r"([\d.,]*\d)–([\d.,]*\d) GiB")
MOST_WIDE = 8
"""Times its lower end from which a range in the first lines helps nobody."""
TIMES = re.compile(r"\d× (?:as fast|so schnell)")
HOURS = re.compile(r"\d (?:h|min|days|Tage)\b")
RECOMMENDED = (
    ("grad_checkpointing", r"(?:Is gradient checkpointing on|Ist Gradient Checkpointing an)"),
    ("grad_checkpointing", r"(?:What is left|Was noch bleibt): [^.]*[gG]radient [cC]heckpointing"),
    ("micro_batch", r"(?:: |\. |, )[Bb]atch 1, (?:shorter|kürzere|gradient|a fused|Fused)"),
    ("micro_batch", r"set `per_device_train_batch_size=1`"),
)
"""Settings in the words of a recommendation."""
RAM = re.compile(r"\*\*(?:System RAM|RAM|Arbeitsspeicher)\*\*")


def answers(part: int) -> Iterator[tuple[str, Answer]]:
    """Every question of the dialogues and the corpora, with its answer."""
    for text in list(dict.fromkeys([*questions(None), *texts("en"), *texts("de")]))[part::PARTS]:
        yield text, answer(Question(text=text, asked="direct"), pressable=False)


def number(text: str, language: str) -> float:
    """A number as the language writes it."""
    return float(text.replace(".", "").replace(",", ".") if language == "de" else text.replace(",", ""))


def unsaid(given: Answer) -> list[str]:
    """Sentences with a need that fills its card, or more, and no word of that."""
    found = []
    for line in given.reply.text.split("\n"):
        for match in OF.finditer(line):
            need = number(match[1], given.language) * (1024 if match[2] == "TiB" else 1)
            card = number(match[3], given.language)
            around = line[max(0, match.start() - 200) : match.end() + 200]
            if need > (COMFORT_OF_CARD + ROUNDING) * card and not CALLED.search(around):
                found.append(around)
    return found


def idle(given: Answer) -> list[str]:
    """Changes and settings that are recommended though the asker has them."""
    query, advice = given.query, given.advice
    on = {
        "grad_checkpointing": bool(query.grad_checkpointing),
        "fused_loss": bool(query.fused_loss) or query.trainer == "unsloth",
        "micro_batch": query.micro_batch == 1,
        "activation_offload": bool(query.activation_offload),
    }
    changes = advice.changes if advice else ()
    found = [c.slot for c in changes if on.get(c.slot) or str(getattr(query, c.slot, None)) == c.value]
    found += [words for slot, words in RECOMMENDED if on[slot] for words in re.findall(words, given.reply.text)]
    return found


@pytest.mark.parametrize("part", range(PARTS))
def test_no_answer_contradicts_itself(part: int) -> None:
    catalog = load_catalog()
    for text, given in answers(part):
        assert not unsaid(given), (text, unsaid(given))
        first = given.reply.text.split("\n\n", 1)[0]
        for low, high in WIDE.findall(first):
            assert number(high, given.language) < MOST_WIDE * number(low, given.language), (text, first)
        assert not idle(given), (text, idle(given))
        if given.advice is None:
            continue
        if given.query.n_gpus == 1 and given.advice.setup is not None:
            assert given.advice.setup.n_gpus == 1, text
        if given.advice.verdict.code == "yes" and given.advice.needs:
            assert given.advice.needs[0].fit == "yes", text
        if given.kind.value == "cost_buy_vs_rent":
            told = [line for line in given.reply.text.split("\n") if TIMES.search(line) and HOURS.search(line)]
            assert not told, (text, told)
        cards = [catalog.gpus[card.gpu] for card in given.query.gpus if card.gpu in catalog.gpus]
        if cards and all(gpu.unified_memory for gpu in cards) and given.kind.value != "system_ram":
            assert not RAM.search(given.reply.text), text


@pytest.mark.parametrize("took", [0.5, 5.0, 40.0, 300.0])
def test_a_time_is_said_to_be_usual_for_sizes_that_take_as_long(took: float) -> None:
    given = answer(
        Question(text=f"2x 4090, lora, 20000 examples, 3 epochs, it says {took:g} hours. normal?", asked="direct")
    )
    assert given.advice is not None
    facts = given.advice.verdict.facts
    held = [row["size"] for row in facts["rows"] if row["hours"][0] <= took <= row["hours"][1]]
    if held:
        assert facts["likely"] in ([held[0], held[-1]], held)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("4 1080Ti = 44g total, cannot run bert-large even w/ batch size 1. ???", "In PyTorch it should fit"),
        ("bert-large läuft auf einer 1080 Ti mit Batch 1 nicht, OOM", "In PyTorch müsste es passen"),
    ],
)
def test_what_does_not_fit_in_google_s_code_should_fit_in_pytorch_only(text: str, where: str) -> None:
    said = answer(Question(text=text), pressable=False).reply.text
    assert "Google" in said
    assert where in said


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("is it realistic to train a 7B from scratch on one 4090 lol", "**To fine-tune it yes,"),
        ("can i train qwen2-vl-7b with images on a macbook m3 max 64gb", "**With text alone yes,"),
        ("Macbook M3 Max 64 GB, passt qwen2-vl-7b qlora mit Bildern?", "**Nur mit Text ja,"),
    ],
)
def test_a_plan_that_cannot_work_as_a_whole_gets_no_bare_yes(text: str, where: str) -> None:
    assert where in answer(Question(text=text), pressable=False).reply.text
