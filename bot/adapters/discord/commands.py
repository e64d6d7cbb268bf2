"""The application's commands, as Discord registers them: data, in every language that the bot speaks."""

import hashlib
import json
from typing import Any

from bot.adapters.words import DEFAULT, LANGUAGES, Words, words
from knowledge.catalog import load_catalog

CHAT, MESSAGE = 1, 3
STRING, CHANNEL, ATTACHMENT = 3, 7, 11
EVERYWHERE = {"integration_types": [0, 1], "contexts": [0, 1, 2]}
"""Installed in a server or by a person; in servers, direct messages with the bot, and others."""
IN_SERVERS = {"integration_types": [0], "contexts": [0], "default_member_permissions": 1 << 5}
CHANNEL_KINDS = [0, 5, 15]
"""Text, announcements, forums."""
LOCALES = {"de": ("de",)}
"""Our languages as Discord's locales; English is what is shown where there is none."""
COMPLETED = frozenset({"question", "model", "gpu", "other", "topic"})
METHODS = ("qlora", "lora", "full")
TRAINERS = 25
OPTIONS: dict[str, tuple[str, ...]] = {
    "whichgpu": ("question!", "model", "method", "gpu", "context", "batch", "trainer", "budget"),
    "fits": ("model!", "gpu!", "method", "context", "batch", "trainer"),
    "compare": ("gpu!", "other!", "model", "method", "context"),
    "oom": ("question", "file"),
    "faq": ("topic!",),
    "config": ("model!", "gpu!", "method", "context", "trainer"),
    "language": ("language!",),
    "forget": (),
    "about": (),
}
"""Command → its options; ! marks those that must be given. The first one is the one that people look for."""


def commands() -> list[dict[str, Any]]:
    """All commands."""
    made = [_command(name, words(DEFAULT).commands[name], options, EVERYWHERE) for name, options in OPTIONS.items()]
    name = "whichgpu-setup"
    made.append(_command(name, words(DEFAULT).discord_commands[name], ("mode!", "place", "channel", "tag"), IN_SERVERS))
    menu = {"name": words(DEFAULT).context_menu, "type": MESSAGE, **EVERYWHERE}
    return [*made, {**menu, "name_localizations": _localized(lambda say: say.context_menu)}]


def digest(application: int, payload: list[dict[str, Any]]) -> str:
    """What changes when the commands do."""
    return hashlib.sha256(json.dumps([application, payload], sort_keys=True).encode()).hexdigest()


def _command(name: str, description: str, options: tuple[str, ...], scope: dict[str, Any]) -> dict[str, Any]:
    def describe(say: Words) -> str:
        return (say.discord_commands if name in say.discord_commands else say.commands)[name]

    return {
        "name": name,
        "type": CHAT,
        "description": description,
        "name_localizations": _localized(lambda say: say.command_names[name]),
        "description_localizations": _localized(describe),
        "options": [_option(option.rstrip("!"), option.endswith("!")) for option in options],
        **scope,
    }


def _option(name: str, required: bool) -> dict[str, Any]:
    say = words(DEFAULT).arguments[name]
    made: dict[str, Any] = {
        "type": {"channel": CHANNEL, "file": ATTACHMENT}.get(name, STRING),
        "name": say["name"],
        "description": say["description"],
        "name_localizations": _localized(lambda other: other.arguments[name]["name"]),
        "description_localizations": _localized(lambda other: other.arguments[name]["description"]),
        "required": required,
    }
    if name in COMPLETED:
        made["autocomplete"] = True
    elif name == "channel":
        made["channel_types"] = CHANNEL_KINDS
    elif choices := _choices(name):
        made["choices"] = choices
    if name == "question":
        made["max_length"] = 1_000
    return made


def _choices(name: str) -> list[dict[str, Any]]:
    match name:
        case "method":
            from bot.renderer.buttons import label

            return [
                _choice(m, label(f"method={m}", DEFAULT), {lang: label(f"method={m}", lang) for lang in LANGUAGES})
                for m in METHODS
            ]
        case "trainer":
            trainers = load_catalog().trainers
            return [_choice(key, trainer.name[:100], {}) for key, trainer in list(trainers.items())[:TRAINERS]]
        case "mode":
            return [_worded(value) for value in ("mentions", "sure", "off")]
        case "place":
            return [_worded(value) for value in ("inline", "thread")]
        case "language":
            return [_choice("en", "English", {}), _choice("de", "Deutsch", {})]
        case _:
            return []


def _worded(value: str) -> dict[str, Any]:
    return _choice(value, words(DEFAULT).choices[value], {lang: words(lang).choices[value] for lang in LANGUAGES})


def _choice(value: str, name: str, by_language: dict[str, str]) -> dict[str, Any]:
    local = {locale: by_language[lang] for lang in LOCALES if lang in by_language for locale in LOCALES[lang]}
    return {"name": name, "value": value, **({"name_localizations": local} if local else {})}


def _localized(of: Any) -> dict[str, str]:
    return {locale: of(words(language)) for language, locales in LOCALES.items() for locale in locales}
