"""Compares our answers to the given questions with what a good answer must contain (`expected`).

python -m tests.advisor.checker [ID ...]: figures, then the misses; with ids, those answers in full.

Three things are compared, by machine and therefore roughly: the verdict (fits or not, where the outcome is known), the
ideas (a word list, below: an idea that `expected` names should be named in the answer), and the amounts of memory in
`expected` (an amount of the answer within a third of it).
"""

import json
import re
import sys
from dataclasses import dataclass

from advisor import verdicts
from bot.messages import Question, Text, table_markdown
from bot.pipeline import Answer, answer
from tests.paths import SHARED

IDEAS = {
    "split over cards": r"fsdp|zero-?3|shard|split|aufgeteilt|aufteil|teilt",
    "per card": r"per card|je karte|per gpu|each card|jede karte|each (?:rank|p4|t4)|per device|one card|smallest",
    "system ram": r"\bram\b|host memory|arbeitsspeicher",
    "evaluation": r"\beval|auswert",
    "vocabulary": r"vocab|logits|vokabular",
    "length": r"length|context|seq|tokens|länge|kontext|kürz|shorter|long (?:batch|sample|example)",
    "batch": r"batch",
    "checkpointing": r"checkpointing",
    "fused loss": r"liger|fused|chunked|cut.?cross|\bcce\b|verschmolzen|gestückelt|unsloth",
    "qlora": r"qlora|4-?bit|4 bit|nf4",
    "lora": r"\blora\b|adapter",
    "full": r"\bfull\b|\bvoll|adam|optimizer|states|zustände|all weights",
    "rent": r"rent|cloud|colab|kaggle|miet|/h\b|runpod|vast",
    "bf16": r"bf16|fp16|ampere|turing|volta|pascal",
    "offload": r"offload|auslager|ausgelager",
    "overfitting": r"overfit|memori|epochs?\b|epochen|auswendig|überanpass",
    "retrieval": r"\brag\b|retrieval",
    "versions": r"version|update|regression|pin\b|release|newer",
    "experts": r"expert|moe\b|total param|all \d+b|active|aktiv",
    "processes": r"nvidia-smi|other process|anderer prozess|device 0|gpu 0|card 0|karte 0|visible_devices",
    "inference": r"inference|running|ausführen|serving|llama\.cpp|ollama",
    "mac": r"\bmlx|\bmps\b|\bmac(?:s|book|os)?\b",
    "amd": r"rocm|amd\b",
    "trainer": r"unsloth|axolotl|llama-?factory",
    "rank": r"\brank\b|\bran?g\b|\br=|adapters?",
    "data": r"examples|beispiel|dataset|datensatz|rows|data\b|daten",
    "dollars": r"\$|usd|eur|€",
}
"""An idea and the words that show it, in English and German."""
AMOUNT = re.compile(r"(\d[\d.,]*)\s*(?:-|–|to|bis)?\s*(\d[\d.,]*)?\s*(gib|gb|tb|tib)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Checked:
    """One question's comparison; None where `expected` says nothing of the kind."""

    id: str
    kind: str
    verdict: bool | None
    ideas_missing: tuple[str, ...]
    ideas: int
    amounts_missing: tuple[float, ...]
    amounts: int


def rows() -> list[dict[str, str]]:
    """The given questions that are ours to answer."""
    lines = (SHARED / "data" / "questions.jsonl").read_text("utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row["kind"] != "off_topic"]


def whole(given: Answer) -> str:
    """Short answer and depth as one text."""
    blocks = (*given.reply.blocks, *given.reply.more)
    return "\n".join(block.markdown if isinstance(block, Text) else table_markdown(block) for block in blocks)


def amounts(text: str) -> list[float]:
    """Amounts of memory in GB, both ends of a range."""
    found = []
    for match in AMOUNT.finditer(text):
        for part in match.groups()[:2]:
            if part:
                number = float(re.sub(r"[.,](?=\d{3}\b)", "", part).replace(",", ".").rstrip(".") or 0)
                found.append(number * (1000 if match[3].lower().startswith("t") else 1))
    return [value for value in found if value > 0]


def check(row: dict[str, str]) -> Checked:
    """Compare one answer."""
    given = answer(Question(text=row["text"], asked="direct"))
    text, expected = whole(given).lower(), row["expected"].lower()
    named = [idea for idea, words in IDEAS.items() if re.search(words, expected)]
    wanted, ours = amounts(expected), amounts(text)
    return Checked(
        id=row["id"],
        kind=row["kind"],
        verdict=_verdict(row, given),
        ideas_missing=tuple(idea for idea in named if not re.search(IDEAS[idea], text)),
        ideas=len(named),
        amounts_missing=tuple(x for x in wanted if not any(abs(y - x) <= max(0.34 * x, 1.5) for y in ours)),
        amounts=len(wanted),
    )


def _verdict(row: dict[str, str], given: Answer) -> bool | None:
    outcome = row.get("outcome")
    fits = outcome.get("fits") if isinstance(outcome, dict) else None
    if fits is None or given.advice is None:
        return None
    code = given.advice.verdict.code
    seen = any(finding.code == "seen_against_estimate" for finding in given.advice.findings)
    if code in verdicts.CAUSES or (seen and not fits):
        return True
    if any(change.fit in ("yes", "tight") for change in given.advice.changes) and fits:
        return True
    if code not in verdicts.FITS | verdicts.FAILS:
        return None
    return (code in verdicts.FITS) == fits


def main(ids: list[str]) -> None:
    """Print the figures and the misses."""
    checked = [check(row) for row in rows() if not ids or row["id"] in ids]
    for c in sorted(checked, key=lambda c: -len(c.ideas_missing)):
        if c.verdict is False or c.ideas_missing or c.amounts_missing:
            print(
                f"{c.id} {c.kind:18s} verdict {c.verdict!s:5s} lacks "
                f"{', '.join(c.ideas_missing)} | GB {c.amounts_missing}"
            )
    print(figures(checked))


def figures(checked: list[Checked]) -> dict[str, float]:
    """Shares of verdicts, ideas and amounts that agree."""
    verdicts = [c.verdict for c in checked if c.verdict is not None]
    ideas, amounts_ = sum(c.ideas for c in checked), sum(c.amounts for c in checked)
    return {
        "questions": len(checked),
        "verdicts": sum(verdicts) / max(1, len(verdicts)),
        "ideas": 1 - sum(len(c.ideas_missing) for c in checked) / max(1, ideas),
        "amounts": 1 - sum(len(c.amounts_missing) for c in checked) / max(1, amounts_),
    }


if __name__ == "__main__":
    main(sys.argv[1:])
