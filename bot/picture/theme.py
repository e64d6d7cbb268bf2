"""Colours. The parts' colours keep apart for colour-blind eyes and carry dark figures in both themes."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Theme:
    """One colour scheme, as SVG colours."""

    ground: str
    track: str
    text: str
    muted: str
    line: str
    good: str
    tight: str
    bad: str
    first: str
    second: str


DARK = Theme(
    "#11161f", "#1d2533", "#f1f5f9", "#93a1b5", "#43506a", "#4ade80", "#facc15", "#fb7185", "#2dd4bf", "#64748b"
)
LIGHT = Theme(
    "#ffffff", "#eef2f7", "#0f172a", "#5b6b82", "#b6c2d2", "#15803d", "#a16207", "#be123c", "#0d9488", "#94a3b8"
)

PARTS = {
    "weights": "#60a5fa",
    "gathered": "#22d3ee",
    "trained": "#a78bfa",
    "activations": "#fbbf24",
    "logits": "#f472b6",
    "rest": "#34d399",
    "overhead": "#94a3b8",
}
"""Part → colour, in the order in which they are stacked."""
INK = "#0b1220"
"""Figures on a part."""
