"""The layout: everything that the template draws, placed. Lengths in units of a phone's 390 px width, y downwards."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from advisor.advice import Advice, Need, Rung
from bot.picture.letters import fitted, width_of
from bot.picture.parts import needs_of, parts_of
from bot.picture.theme import INK, PARTS, Theme
from bot.picture.words import Speaker

WIDTH = 390.0
MARGIN = 18.0
INNER = WIDTH - 2 * MARGIN
BAR = 30.0
GIB = 2**30
SIZES_GB = (24, 16, 12, 48, 32, 80, 8, 96, 192, 141, 288)
"""Cards as sold, in GB on the box: candidates for the lines across the bars, the most telling first."""
USABLE = 0.985
"""Share of a card's box size in GiB that CUDA hands out, about; only places a line."""
KEY_GAP = 24.0
"""Between the names of two stacks: the second one's colour and air."""
LINE_GAP = 27.0
"""Least distance of two lines, for the figures below them."""
MAX_RUNGS = 9
MARKS = {"yes": "✓ ", "tight": "≈ ", "unlikely": "✗ ", "no": "✗ "}
"""Whether it fits the asker's card: not by colour alone."""


@dataclass(frozen=True)
class Rect:
    """A filled rectangle."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    radius: float = 0.0


@dataclass(frozen=True)
class Label:
    """A line of text; `anchor` is start, middle or end."""

    x: float
    y: float
    text: str
    color: str
    size: float = 13.0
    bold: bool = False
    anchor: str = "start"


@dataclass
class Scene:
    """What is drawn: rectangles in their order, then labels."""

    height: float = 0.0
    rects: list[Rect] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)


def lay_out(advice: Advice, speak: Speaker, theme: Theme) -> Scene | None:
    """The picture of an advice: heading, a bar per stack, what the colours mean, the ladder. None without a need."""
    needs = needs_of(advice)
    if not needs or advice.setup is None:
        return None
    pen = _Pen(needs, speak, theme)
    pen.heading()
    pen.bars()
    pen.legend()
    if advice.rungs:
        pen.ladder(advice.rungs[:MAX_RUNGS], advice.setup.seq_len)
    pen.scene.height = round(pen.y + MARGIN - 4, 1)
    return pen.scene


def _axis(most: int) -> float:
    """Where the scale ends: the next card size when it is near, else the figure itself."""
    after = min((size * GIB for size in SIZES_GB if size * USABLE * GIB >= most), default=0)
    return after if most < after <= 1.45 * most else most


class _Pen:
    """Goes down the page; `y` is where the next thing starts."""

    def __init__(self, needs: Sequence[Need], speak: Speaker, theme: Theme) -> None:
        self.needs, self.speak, self.theme = needs, speak, theme
        self.scene, self.y = Scene(), MARGIN
        self.card_gb = speak.card_gb
        most = max(max(need.high, need.device) for need in needs)
        self.scale = INNER / (max(_axis(most), (self.card_gb or 0) * GIB) * 1.03)

    def text(self, x: float, y: float, words: str, size: float, **style: Any) -> None:
        """A label in the theme's own colour unless `style` says otherwise."""
        self.scene.labels.append(
            Label(round(x, 1), round(y, 1), words, **{"color": self.theme.text, **style, "size": size})
        )

    def box(self, x: float, y: float, width: float, height: float, fill: str, radius: float = 0.0) -> None:
        """A rectangle."""
        self.scene.rects.append(Rect(round(x, 1), round(y, 1), round(width, 1), round(height, 1), fill, radius))

    def heading(self) -> None:
        """What is trained, and how; a long name in smaller letters."""
        title = self.speak.title()
        size = max(14.0, min(19.0, 19.0 * INNER / width_of(title, 19, bold=True)))
        self.text(MARGIN, self.y + 15, fitted(title, INNER, size, bold=True), size, bold=True)
        self.text(MARGIN, self.y + 36, fitted(self.speak.subtitle(), INNER, 13), 13, color=self.theme.muted)
        self.y += 54

    def lines(self, scale: float, room: float) -> list[tuple[float, int]]:
        """Places of the card lines that fit side by side: (x from the bar's start, GB); the asker's card for sure."""
        found: list[tuple[float, int]] = []
        own = [self.card_gb] if self.card_gb else []
        for size in (*own, *SIZES_GB):
            x = size * USABLE * GIB * scale
            least = 0.0 if size in own else 12.0
            if least <= x <= room and all(abs(x - other) >= LINE_GAP for other, _ in found):
                found.append((x, size))
        return sorted(found)

    def bars(self) -> None:
        """One bar per stack over a common scale; lines where cards end, their size under the last bar."""
        places = self.lines(self.scale, INNER - 6)
        for place, need in enumerate(self.needs):
            last = place == len(self.needs) - 1
            figures = self._bar(need)
            for x, size in places:
                covered = any(low <= MARGIN + x <= high for low, high in figures)
                ends = (9.0, BAR - 9.0) if covered else (BAR, BAR)
                top = self.y - BAR
                self._card_line(MARGIN + x, top - 3, top + ends[0], size)
                self._card_line(MARGIN + x, top + ends[1], self.y + (21 if last else 14), size)
            self._whisker(need, self.y + 8)
            self.y += 20
        self._sizes(MARGIN, self.y + 13, places)
        self.y += 32 if places else 16

    def _bar(self, need: Need) -> list[tuple[float, float]]:
        """Name, figures and bar; leaves `y` at its lower edge. Returns where figures stand on it: left, right."""
        base, top = self.y + 16, self.y + 24
        span, figure = self.speak.range(need), MARKS.get(need.fit or "", "") + self.speak.gib(need.device)
        taken = width_of(span, 12.5) + 8
        self.text(WIDTH - MARGIN, base, span, 12.5, anchor="end", color=self.theme.muted)
        self.text(WIDTH - MARGIN - taken, base, figure, 15.5, bold=True, anchor="end", color=self._verdict(need.fit))
        room = INNER - taken - width_of(figure, 15.5, bold=True) - 10
        name = self.speak.stack(need.stack)
        name = name if width_of(name, 14.5, bold=True) <= room else self.speak.short(need.stack)
        self.text(MARGIN, base, fitted(name, room, 14.5, bold=True), 14.5, bold=True)
        self.box(MARGIN, top, INNER, BAR, self.theme.track, 5)
        x, figures = MARGIN, []
        for name, size in parts_of(need).items():
            width = size * self.scale
            self.box(x, top, max(width - 1.0, 0.6), BAR, PARTS[name])
            inside = self.speak.bare(size)
            half = width_of(inside, 12.5, bold=True) / 2
            if width > 2 * half + 8:
                self.text(x + width / 2, top + BAR / 2 + 4.5, inside, 12.5, bold=True, anchor="middle", color=INK)
                figures.append((x + width / 2 - half - 2, x + width / 2 + half + 2))
            x += width
        self.y = top + BAR
        return figures

    def _card_line(self, x: float, top: float, bottom: float, size: int) -> None:
        if bottom > top:
            thick = 2.0 if size == self.card_gb else 1.0
            self.box(
                x - thick / 2, top, thick, bottom - top, self.theme.text if size == self.card_gb else self.theme.line
            )

    def _sizes(self, left: float, y: float, places: Sequence[tuple[float, int]]) -> None:
        """Card sizes under their lines; the asker's own stands out, the last one carries the unit."""
        for place, (x, size) in enumerate(places):
            own = size == self.card_gb
            last = place == len(places) - 1
            near = not last and places[place + 1][0] - x < LINE_GAP + 12
            words = f"{size} GB" if last or (own and not near) else str(size)
            half = width_of(words, 12, bold=own) / 2
            middle = min(max(left + x, MARGIN + half), WIDTH - MARGIN - half)
            self.text(
                middle, y, words, 12, bold=own, anchor="middle", color=self.theme.text if own else self.theme.muted
            )

    def _whisker(self, need: Need, y: float) -> None:
        low, high, mid = (MARGIN + size * self.scale for size in (need.low, need.high, need.device))
        self.box(low, y - 1, high - low, 2, self.theme.text)
        for x in (low, high):
            self.box(x - 1, y - 4, 2, 8, self.theme.text)
        self.box(mid - 3, y - 3, 6, 6, self.theme.text, 3)

    def _verdict(self, fit: str | None) -> str:
        """The colour of a need on the asker's card; plain where there is none."""
        colors = {"yes": self.theme.good, "tight": self.theme.tight, "unlikely": self.theme.bad, "no": self.theme.bad}
        return colors.get(fit or "", self.theme.text)

    def legend(self) -> None:
        """What the colours mean, with the bytes per stack."""
        tables = [parts_of(need) for need in self.needs]
        shown = [name for name in PARTS if any(name in table for table in tables)]
        columns = [WIDTH - MARGIN - 62 * place for place in range(len(tables))][::-1]
        if len(tables) > 1:
            for x, need in zip(columns, self.needs, strict=True):
                self.text(x, self.y + 8, self.speak.short(need.stack), 11.5, anchor="end", color=self.theme.muted)
            self.y += 16
        for name in shown:
            self.box(MARGIN, self.y, 11, 11, PARTS[name], 3)
            room = columns[0] - 46 - MARGIN - 19
            self.text(MARGIN + 19, self.y + 10, fitted(self.speak.part(name), room, 13), 13)
            for x, table in zip(columns, tables, strict=True):
                self.text(x, self.y + 10, self.speak.bare(table[name]) if name in table else "–", 13, anchor="end")
            self.y += 20
        self.text(MARGIN, self.y + 11, self.speak.note(), 11.5, color=self.theme.muted)
        self.y += 18

    def ladder(self, rungs: Sequence[Rung], asked: int) -> None:
        """One row per context length: a bar per stack, its figure beside it; a bar that does not end goes on: »."""
        self.y += 12
        self.box(MARGIN, self.y, INNER, 1.5, self.theme.track)
        self.text(MARGIN, self.y + 25, self.speak.ladder(), 15.5, bold=True)
        self.y += 34
        stacks = min(2, len(self.needs))
        left, right = MARGIN + 46, WIDTH - MARGIN
        apart = max(56.0, width_of(self.speak.short(self.needs[stacks - 1].stack), 11.5) + KEY_GAP)
        columns = [right - apart * (stacks - 1 - place) for place in range(stacks)]
        room = columns[0] - 48 - left
        longest = max(rung.needs[0] for rung in rungs)
        scale = room / (max(longest * 1.12, min(98 * GIB, max(rung.needs[stacks - 1] for rung in rungs))) or 1)
        for place, x in enumerate(columns):
            short = self.speak.short(self.needs[place].stack)
            self.box(x - width_of(short, 11.5) - 13, self.y + 3, 9, 9, self._stack_color(place), 2)
            self.text(x, self.y + 11, short, 11.5, anchor="end", color=self.theme.muted)
        self.y += 20
        places, top = self.lines(scale, room - 2), self.y
        for rung in rungs:
            own = rung.value == asked
            self.text(left - 8, self.y + 15, self.speak.tokens(rung.value), 13, bold=own, anchor="end")
            for place, x in enumerate(columns):
                self._rung(rung, place, left, room, scale)
                fit = rung.fits[place] if place < len(rung.fits) else None
                figure = self.speak.bare(rung.needs[place])
                self.text(x, self.y + 15, figure, 13, bold=own, anchor="end", color=self._verdict(fit))
            self.y += 28
        for x, size in places:
            self._card_line(left + x, top - 1, self.y + 1, size)
        self._sizes(left, self.y + 14, places)
        self.y += 18

    def _rung(self, rung: Rung, place: int, left: float, room: float, scale: float) -> None:
        width = rung.needs[place] * scale
        y = self.y + 1 + 10.5 * place
        self.box(left, y, min(width, room), 9, self._stack_color(place))
        if width > room:
            self.text(left + room + 2, y + 8.5, "»", 12, bold=True, color=self._stack_color(place))

    def _stack_color(self, place: int) -> str:
        return (self.theme.first, self.theme.second)[place]
