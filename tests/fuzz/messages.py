"""Messages that nobody would write, made of messages that somebody did: for hypothesis and for atheris."""

from functools import cache
from typing import Any

import yaml
from hypothesis import strategies as st

from tests.paths import ROOT

GLUE = (
    " ",
    "\n",
    "",
    ", ",
    " - ",
    "/",
    "x",
    "*",
    "=",
    ": ",
    "?",
    "。",
    "\u200b",
    "\u00a0",
    "×",
    "(",
    ")",
    "…",
    "\t",
    "$",
    "€",
)
PIECES = (
    *(
        "3090",
        "rtx",
        "4 x",
        "24gb",
        "64G RAM",
        "7b",
        "8x7B",
        "a3b",
        "e2b",
        "r8",
        "10^9",
        "1e-4",
        "-9",
        "1,15",
        "1.500.000",
    ),
    *(
        "qwen",
        "2.5",
        "llama-",
        "3",
        "-bnb-4bit",
        "4k",
        "ctx",
        "batch",
        "or",
        "zusammen",
        "显存",
        "内存",
        "卡",
        "гб",
        "²",
        "٣",
        "３０９０",
    ),
    *(
        "{n}",
        "<oom>",
        "...",
        "&",
        "per_device_train_batch_size=",
        "model_name_or_path: ",
        "CUDA out of memory. Tried to allocate ",
    ),
)
REPEATED = (
    *(
        "3090 ",
        "rtx ",
        "rtx 3909 ",
        "nvidia ",
        "m4 ",
        "4x",
        "24gb ",
        "64gb ram ",
        "used 5 GB ",
        "7b ",
        "7/13/34B ",
        "r8 ",
    ),
    *(
        "-9 ",
        "8-9 ",
        "1,1,1,",
        "1.2.3.4.",
        "10^9 ",
        "$5 ",
        "5/h ",
        "½",
        "ﷺ",
        "4k ",
        "2 nodes of ",
        "guide says ",
        "oom ",
    ),
    *(
        "not enough memory ",
        "3090 or 4090, ",
        "llama ",
        "meta ",
        "in total ",
        "= ",
        "a_b=",
        "a: ",
        "--x ",
        "f(",
        "{[(",
        '"',
    ),
    *("\n- a", "```\n", "> > ", "Killed\n", "exit code ", "Tried to allocate 2 GiB ", 'File "', "50%|###| 1/10 ", "|"),
)
"""What hurts when a message holds nothing else."""


@cache
def sentences() -> tuple[str, ...]:
    """All messages of the corpus."""
    found: list[str] = []
    for language in ("en", "de"):
        corpus: dict[str, Any] = yaml.safe_load(
            (ROOT / "tests" / "corpus" / f"{language}.yaml").read_text(encoding="utf-8")
        )
        for entry in (*corpus["questions"], *corpus["phrases"].values()):
            found += entry["say"]
    return tuple(found)


@st.composite
def cut_up(draw: st.DrawFn) -> str:
    """A message of the corpus with its halves swapped, characters dropped, or letters doubled."""
    text = draw(st.sampled_from(sentences()))
    at = draw(st.integers(0, len(text)))
    change = draw(st.sampled_from(("swap", "drop", "double", "upper", "insert")))
    if change == "swap":
        return text[at:] + text[:at]
    if change == "drop":
        return text[:at] + text[at + 1 :]
    if change == "double":
        return text[:at] * 2 + text[at:]
    if change == "upper":
        return text.upper()
    return text[:at] + draw(st.sampled_from(PIECES)) + text[at:]


@st.composite
def patched(draw: st.DrawFn) -> str:
    """Several messages and pieces of notation glued together."""
    parts = draw(
        st.lists(st.one_of(st.sampled_from(sentences()), st.sampled_from(PIECES), st.text(max_size=6)), max_size=12)
    )
    return draw(st.sampled_from(GLUE)).join(parts)


anything = st.one_of(st.text(max_size=400), cut_up(), patched())
