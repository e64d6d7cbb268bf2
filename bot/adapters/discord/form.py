"""The form of `/oom`: paste an error or a config, or send it as a file."""

from typing import Any

from discord import TextStyle, ui

from bot.adapters.discord.asks import FORM, FORM_FILE, FORM_TEXT
from bot.adapters.words import words

TEXT_CHARS = 4_000


def oom_form(language: str) -> dict[str, Any]:
    """A modal with one paragraph and one file, either of them enough."""
    say = words(language)
    text = ui.TextInput[Any](
        custom_id=FORM_TEXT,
        style=TextStyle.paragraph,
        required=False,
        max_length=TEXT_CHARS,
        placeholder=say("oom_placeholder")[:100],
    )
    file = ui.FileUpload[Any](custom_id=FORM_FILE, required=False, min_values=0, max_values=1)
    parts = (
        ui.Label[Any](text=say("oom_field")[:45], component=text),
        ui.Label[Any](text=say.arguments["file"]["description"][:45], component=file),
    )
    return {
        "custom_id": FORM,
        "title": say("oom_title")[:45],
        "components": [part.to_component_dict() for part in parts],
    }
