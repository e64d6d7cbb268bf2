"""The picture: sound, readable on a phone, in both languages, whatever the figures; foreign words are words."""

import re
import struct
import xml.etree.ElementTree as ElementTree
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.advice import Advice, Need, Rung, Setup, Verdict
from advisor.query import CardCount, Kind, Query
from bot.messages import Question
from bot.picture import FONTS, HERE, memory_png, memory_svg
from bot.picture.letters import fitted, width_of
from bot.picture.parts import needs_of, parts_of
from bot.picture.scene import MARGIN, WIDTH, Label, Scene, lay_out
from bot.picture.theme import DARK, LIGHT
from bot.picture.words import Speaker
from bot.pipeline import answer
from knowledge.compiled import PACKAGE, load_yaml_tree

GIB = 2**30
ASKED = [
    "13b qlora",
    "70b qlora on 2x3090",
    "8b lora 128k",
    "kimi k2 full fine-tune on a 3090",
    "8b qlora on a 3060 12gb",
]


def need(device: int, stack: str = "unsloth", **components: int) -> Need:
    parts = components or {"weights": device // 2, "activations": device // 4}
    return Need(
        stack=stack,
        trainer="unsloth",
        device=device,
        low=int(device * 0.9),
        high=int(device * 1.1),
        allocated=sum(parts.values()),
        reserved=device,
        components=parts,
    )


def advice(*needs: Need, model: str = "Qwen3-8B", gpu: str | None = None, rungs: tuple[Rung, ...] = ()) -> Advice:
    setup = Setup(
        model=model,
        params=8 * 10**9,
        vocab=1,
        hidden=1,
        layers=1,
        method="qlora",
        weight_bits=4,
        seq_len=2048,
        micro_batch=1,
    )
    cards = (CardCount(gpu=gpu, name="x", vram_gb=24),) if gpu else ()
    return Advice(
        kind=Kind.FITS_CHECK, query=Query(gpus=cards), verdict=Verdict(code="x"), setup=setup, needs=needs, rungs=rungs
    )


def scene_of(case: Advice, language: str = "en") -> Scene:
    scene = lay_out(case, Speaker(case, language), DARK)
    assert scene is not None
    return scene


def real(text: str, language: str) -> Advice:
    found = answer(Question(text=text, language=language)).advice
    assert isinstance(found, Advice)
    return found


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("dark", [True, False])
@pytest.mark.parametrize("text", ASKED)
def test_it_is_a_picture_with_words(text: str, dark: bool, language: str) -> None:
    case = real(text, language)
    picture = memory_png(case, language, dark)
    assert picture is not None
    assert picture.png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", picture.png[16:24])
    assert 560 <= width <= 750
    assert 0.5 * width < height < 2.2 * width
    assert len(picture.png) < 200_000
    assert Speaker(case, language).gib(case.needs[0].device) in picture.alt


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("text", ASKED)
def test_labels_stand_apart_and_inside(text: str, language: str) -> None:
    apart(scene_of(real(text, language), language))


def box_of(label: Label) -> tuple[float, float, float, float]:
    width = width_of(label.text, label.size, bold=label.bold)
    left = label.x - {"start": 0.0, "middle": width / 2, "end": width}[label.anchor]
    return left, left + width, label.y - 0.72 * label.size, label.y + 0.1 * label.size


def apart(scene: Scene) -> None:
    boxes = [(box_of(label), label.text) for label in scene.labels]
    for (left, right, top, bottom), text in boxes:
        assert left >= 0, text
        assert right <= WIDTH, text
        assert top >= 0, text
        assert bottom <= scene.height, text
    for place, (one, text) in enumerate(boxes):
        for other, words in boxes[place + 1 :]:
            overlaps = one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]
            assert not overlaps, (text, words)


sizes = st.integers(10**6, 10**15)


@given(st.lists(sizes, min_size=1, max_size=4), st.booleans(), st.text(max_size=80), st.sampled_from(["en", "de"]))
@settings(max_examples=60, deadline=None)
def test_any_figures_and_names_are_laid_out(devices: list[int], card: bool, model: str, language: str) -> None:
    case = advice(*map(need, devices), model=model or "x", gpu="rtx-3090" if card else None)
    scene = scene_of(case, language)
    for rect in scene.rects:
        assert rect.x >= 0
        assert rect.x + rect.width <= WIDTH + 0.2
        assert rect.width >= 0
        assert rect.y + rect.height <= scene.height
    assert all(label.x <= WIDTH for label in scene.labels)
    ElementTree.fromstring(memory_svg(scene, LIGHT))


def test_parts_sum_to_the_device_figure() -> None:
    one = need(10 * GIB, weights=5 * GIB, adapters=GIB, optimizer=GIB, loss=GIB, copies=GIB // 2)
    parts = parts_of(one)
    assert sum(parts.values()) == one.device
    assert parts["trained"] == 2 * GIB
    assert parts["logits"] == GIB
    assert parts["overhead"] == GIB + GIB // 2


def test_the_bars_share_a_scale() -> None:
    scene = scene_of(advice(need(10 * GIB, weights=10 * GIB), need(20 * GIB, "trl", weights=20 * GIB)))
    bars = [rect.width for rect in scene.rects if rect.height == 30 and rect.width < WIDTH - 2 * MARGIN - 1]
    assert bars[1] / bars[0] == pytest.approx(2, rel=0.02)


def test_the_lines_stand_where_cards_end() -> None:
    scene = scene_of(advice(need(30 * GIB)))
    said = [
        label.text.removesuffix(" GB")
        for label in scene.labels
        if re.fullmatch(r"\d+( GB)?", label.text) and label.size == 12
    ]
    assert {"12", "16", "24", "32"} <= set(said)
    assert sorted(said, key=int) == said


def test_the_askers_card_stands_out_even_when_it_is_far_too_small() -> None:
    scene = scene_of(advice(need(5000 * GIB), gpu="rtx-3090"))
    own = [label for label in scene.labels if label.text == "24 GB"]
    assert len(own) == 1
    assert own[0].bold


def test_a_verdict_is_not_told_by_colour_alone() -> None:
    base = advice(need(30 * GIB), gpu="rtx-3090")
    unfit = base.model_copy(update={"needs": (base.needs[0].model_copy(update={"fit": "no"}),)})
    assert any(label.text.startswith("✗") for label in scene_of(unfit).labels)


def test_the_names_above_the_ladder_keep_their_distance() -> None:
    rungs = (Rung(value=512, needs=(GIB, 3 * GIB)), Rung(value=2048, needs=(2 * GIB, 6 * GIB)))
    scene = scene_of(advice(need(30 * GIB, "full_8bit"), need(60 * GIB, "full_adamw"), rungs=rungs))
    heading = next(label.y for label in scene.labels if label.text.startswith("By context"))
    first, second = (
        box_of(next(label for label in scene.labels if label.text == name and label.y > heading))
        for name in ("8-bit", "AdamW")
    )
    assert second[0] - first[1] >= 20


def test_the_ladder_has_a_row_per_length() -> None:
    rungs = tuple(Rung(value=2**n, needs=(n * GIB, 3 * n * GIB)) for n in range(9, 18))
    scene = scene_of(advice(need(30 * GIB), need(60 * GIB, "trl"), rungs=rungs))
    lengths = ("512", "1,024", "2,048", "4,096", "8k", "16k", "32k", "64k", "128k")
    rows = [label.y for label in scene.labels if label.text in lengths]
    assert len(rows) == 9
    assert all(below > above for above, below in pairwise(rows))
    apart(scene)


@pytest.mark.parametrize(
    "model", ["<script>", '"/><image href="x"/>', "a&b", "]]>", "\x00\x1b[31m", "\ud83d\ude00" * 3, "&#0;"]
)
def test_foreign_words_are_words(model: str) -> None:
    case = advice(need(8 * GIB), model=model)
    picture = memory_png(case, "en")
    assert picture is not None
    root = ElementTree.fromstring(memory_svg(scene_of(case), DARK))
    assert {child.tag.rsplit("}", 1)[1] for child in root} <= {"rect", "text"}


def test_nothing_to_draw_is_none() -> None:
    assert memory_png(advice(), "en") is None
    assert memory_png(advice(need(GIB)).model_copy(update={"setup": None}), "en") is None
    assert needs_of(advice(*[need(GIB)] * 5)) == needs_of(advice(*[need(GIB)] * 3))


def test_both_languages_have_the_same_words() -> None:
    words = {
        code: load_yaml_tree(PACKAGE / "lang" / code, "picture.yaml", texts=True)["picture.yaml"]
        for code in ("en", "de")
    }
    fields = {
        code: {
            key: set(re.findall(r"\{(\w+)\}", text)) if isinstance(text, str) else set(text)
            for key, text in known.items()
        }
        for code, known in words.items()
    }
    assert fields["en"] == fields["de"]


def test_an_unspoken_language_is_drawn_in_english() -> None:
    case = advice(need(8 * GIB))
    assert scene_of(case, "xx") == scene_of(case, "en")


def test_the_font_travels_with_its_licence() -> None:
    assert len(FONTS) == 2
    assert "SIL OPEN FONT LICENSE" in (HERE / "fonts" / "OFL.txt").read_text("utf-8")


def test_letters_are_measured_on_the_wide_side() -> None:
    assert fitted("abc", 100, 12) == "abc"
    cut = fitted("a very long name indeed", 60, 12)
    assert cut.endswith("…")
    assert width_of(cut, 12) <= 60
    assert width_of("iii", 12) < width_of("MMM", 12)
