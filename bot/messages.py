"""The values at both ends of the line: a Question comes in, a Reply goes out. No platform object in either."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from advisor.made import Ours

Asked = Literal["command", "direct", "mention", "reply", "overheard"]
"""How it was asked: a command, a private chat, a mention, a reply to the bot, or a message not addressed to it."""


class Question(Ours):
    """What a person asked, where and how. `user` and `chat` are opaque ids; `locale` is the platform's hint."""

    text: str = ""
    locale: str | None = None
    language: str | None = None
    """Set when the person has chosen a language; then it wins over the text's own."""
    platform: str = "terminal"
    user: str = ""
    chat: str = ""
    asked: Asked = "direct"
    options: Mapping[str, str] = Field(default_factory=dict)
    """Typed arguments of a command: slot name → value as text."""
    change: str | None = None
    """A pressed button: the change code of `Button.change`, applied to the query that travels with it."""
    attachments: tuple[str, ...] = ()
    """Texts of pasted files (configs, logs), already size-checked."""


class Table(Ours):
    """A table: every row as long as the header."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Text(Ours):
    """Markdown: **bold**, *italic*, `code`, fenced code, lists, links. No headings, no HTML, no tables."""

    markdown: str


class Button(Ours):
    """`change` is a code such as "seq_len=8192", "method=lora", "show=why", "show=config", "show=fit", "faq=S63"."""

    label: str
    change: str
    style: Literal["plain", "primary", "good", "bad"] = "plain"


class Option(Ours):
    """One line of a select."""

    label: str
    change: str
    chosen: bool = False


class Select(Ours):
    """A drop-down, at most 25 options."""

    name: str
    placeholder: str
    options: tuple[Option, ...]


class Picture(Ours):
    """A PNG with the words for those who cannot see it."""

    png: bytes
    alt: str


class Reply(Ours):
    """What to say, or silence. `blocks` is the short answer; `more` is depth that a platform may fold."""

    language: str = "en"
    silent: bool = False
    blocks: tuple[Text | Table, ...] = ()
    more: tuple[Text | Table, ...] = ()
    buttons: tuple[Button, ...] = ()
    selects: tuple[Select, ...] = ()
    state: str | None = None
    """The query, packed by bot.codec (≤ 40 characters), to travel in the custom ids; None when it cannot be packed."""
    title: str = ""
    """The first line without markup: for an inline result or a notification."""

    @property
    def text(self) -> str:
        """The short answer as one Markdown text, tables in GitHub's form."""
        return "\n\n".join(
            block.markdown if isinstance(block, Text) else table_markdown(block) for block in self.blocks
        )


def table_markdown(table: Table) -> str:
    """A table in GitHub-flavoured Markdown."""
    lines = [table.header, tuple("---" for _ in table.header), *table.rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
