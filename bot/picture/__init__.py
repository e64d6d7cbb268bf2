"""The memory of an answer as a picture: a bar per stack, lines where cards end, the range, the context ladder."""

from functools import lru_cache
from pathlib import Path

import resvg_py
from jinja2 import FileSystemLoader, StrictUndefined, Template
from jinja2.sandbox import SandboxedEnvironment

from advisor.advice import Advice
from bot.messages import Picture
from bot.picture.parts import needs_of
from bot.picture.scene import Scene, lay_out
from bot.picture.theme import DARK, LIGHT, Theme
from bot.picture.words import Speaker

HERE = Path(__file__).parent
FONTS = [str(path) for path in sorted((HERE / "fonts").glob("*.ttf"))]
ZOOM, ZOOM_TALL, TALL = 1.9, 1.45, 460
"""Pixels per unit: sharp on a phone; fewer for a tall picture, which is drawn in the same time then."""


def memory_png(advice: Advice, language: str, dark: bool = True) -> Picture | None:
    """The picture of an advice, 740 px wide (565 when tall), and its words; None where nothing is to be drawn."""
    speak, theme = Speaker(advice, language), DARK if dark else LIGHT
    scene = lay_out(advice, speak, theme)
    if scene is None:
        return None
    zoom = ZOOM if scene.height < TALL else ZOOM_TALL
    svg = memory_svg(scene, theme)
    png = resvg_py.svg_to_bytes(
        svg_string=svg, zoom=zoom, skip_system_fonts=True, font_files=FONTS, font_family="Inter"
    )
    return Picture(png=bytes(png), alt=speak.alt(needs_of(advice)))


def memory_svg(scene: Scene, theme: Theme) -> str:
    """A laid-out picture as SVG."""
    return _template().render(scene=scene, theme=theme)


@lru_cache(maxsize=1)
def _template() -> Template:
    env = SandboxedEnvironment(
        loader=FileSystemLoader(str(HERE)),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    return env.get_template("memory.svg.j2")
