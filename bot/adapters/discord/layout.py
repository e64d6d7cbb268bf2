"""A Reply as a Discord message: Components V2, or an embed with rows where those are refused.

Everything here is plain JSON made by the library's components, kept and used again: no View is stored anywhere.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from discord import ButtonStyle, MediaGalleryItem, MessageFlags, SelectOption, ui

from bot import codec
from bot.adapters.discord.custom_ids import ANYONE, pack
from bot.adapters.discord.events import SHARE
from bot.adapters.tables import table_text
from bot.adapters.words import words
from bot.messages import Button, Picture, Reply, Select, Text
from bot.renderer.buttons import label

Where = Literal["hidden", "shared", "channel", "direct", "notice"]
"""hidden: only the asker sees it; shared: it was, and was shared; channel: others see it; direct: a private chat;
notice: a word of ours without an answer's own buttons."""
V2 = MessageFlags(components_v2=True).value
EPHEMERAL = MessageFlags(ephemeral=True).value
QUIET: dict[str, list[str]] = {"parse": []}
"""allowed_mentions: nobody is ever pinged. `replied_user` is off unless it is named."""
TEXT_CHARS = 3_900
"""Of all text displays together Discord takes 4000."""
EMBED_CHARS = 4_096
BUTTONS = 10
IN_ROW = 5
ROWS = 5
SELECTS = 4
SELECT_OPTIONS = 25
LABEL = 80
BATCHES = ("1", "2", "4", "8", "16")
CARDS = ("1", "2", "3", "4", "8")
STYLES = {
    "plain": ButtonStyle.secondary,
    "primary": ButtonStyle.primary,
    "good": ButtonStyle.success,
    "bad": ButtonStyle.danger,
}
PICTURE = "memory.png"
FILE, ROW = 13, 1
"""Types of components."""
USUAL = {"disabled": False, "default": False, "spoiler": False, "accent_color": None, "required": True,
         "min_values": 1, "max_values": 1, "divider": True, "spacing": 1}  # fmt: skip
"""What Discord takes for granted."""
Control = TypeVar("Control", ui.Button[Any], ui.Select[Any])
_FENCE = re.compile(r"```(\w*)\n(.*?)\n```", re.DOTALL)
_SUFFIX = {"python": "train.py", "yaml": "config.yaml", "bash": "run.sh", "json": "config.json", "": "config.txt"}


@dataclass(frozen=True, slots=True)
class Layout:
    """What a message shows: components with open askers (see `filled`), and files by name."""

    components: tuple[dict[str, Any], ...]
    files: tuple[tuple[str, bytes], ...] = ()
    embed: str | None = None
    """The text of the embed, where Components V2 are refused."""

    def body(self, asker: str, *, ephemeral: bool = False) -> dict[str, Any]:
        """The fields of a message. `asker`: base 36, who may change and delete it."""
        hidden = EPHEMERAL if ephemeral else 0
        made: dict[str, Any] = {"components": filled(self.components, asker), "allowed_mentions": QUIET}
        if self.embed is None:
            made["flags"] = V2 | hidden
        else:
            made["embeds"] = [{"description": self.embed}]
            if hidden:
                made["flags"] = hidden
        if self.files:
            made["attachments"] = [{"id": str(index), "filename": name} for index, (name, _) in enumerate(self.files)]
        return made


def layout(reply: Reply, where: Where, picture: Picture | None = None) -> Layout:
    """The message for a reply."""
    text, files = text_of(reply)
    parts: list[ui.Item[Any]] = [ui.TextDisplay(text)]
    if picture is not None:
        files.insert(0, (PICTURE, picture.png))
        gallery = MediaGalleryItem(f"attachment://{PICTURE}", description=picture.alt[:1024] or None)
        parts.append(ui.MediaGallery(gallery))
    parts += [ui.File(f"attachment://{name}") for name, _ in files if name != PICTURE]
    rows = rows_of(reply, where, pictured=picture is not None)
    if rows:
        parts.append(ui.Separator())
    made: Any = ui.Container(*parts, *rows).to_component_dict()
    return Layout((lean(made),), tuple(files))


def classic(reply: Reply, where: Where) -> Layout:
    """The same as an embed with rows of components."""
    text, files = text_of(reply)
    rows = [lean(row.to_component_dict()) for row in rows_of(reply, where, pictured=False)[:ROWS]]
    return Layout(tuple(rows), tuple(files), embed=cut(text, EMBED_CHARS))


def notice(text: str) -> Layout:
    """A short word of our own."""
    text_display: Any = ui.TextDisplay(cut(text, TEXT_CHARS))
    return Layout((text_display.to_component_dict(),))


def lean(part: Any) -> Any:
    """A component without what is so anyway: less to send with every answer."""
    if isinstance(part, list):
        return [lean(item) for item in part]
    if not isinstance(part, dict):
        return part
    return {key: lean(value) for key, value in part.items() if key not in USUAL or value != USUAL[key]}


def text_of(reply: Reply) -> tuple[str, list[tuple[str, bytes]]]:
    """The text, at most TEXT_CHARS; code that is too long for that becomes a file."""
    files: list[tuple[str, bytes]] = []
    blocks = [block.markdown if isinstance(block, Text) else table_text(block) for block in reply.blocks]
    text = "\n\n".join(blocks)
    if len(text) > TEXT_CHARS:
        text = _FENCE.sub(lambda fence: _as_file(fence, files), text)
    return cut(text.strip(), TEXT_CHARS) or "…", files


def _as_file(fence: re.Match[str], files: list[tuple[str, bytes]]) -> str:
    name = _SUFFIX.get(fence[1], "config.txt")
    if any(name == other for other, _ in files):
        name = f"{len(files) + 1}-{name}"
    files.append((name, (fence[2] + "\n").encode()))
    return f"`{name}`"


def cut(text: str, most: int) -> str:
    """Text that is no longer than that: ends at a paragraph or a line, and closes a code block."""
    if len(text) <= most:
        return text
    head = text[: most - 6]
    at = max(head.rfind("\n\n"), head.rfind("\n") if "\n\n" not in head else -1)
    head = head[:at] if at > most // 2 else head
    return head + ("\n```\n…" if head.count("```") % 2 else "\n…")


def rows_of(reply: Reply, where: Where, *, pictured: bool) -> list[ui.ActionRow[Any]]:
    """Rows of buttons, selects, and the row of what can be done with the answer."""
    if where == "notice":
        return []
    selects = [*reply.selects, *_more_selects(reply)]
    in_selects = {option.change for select in selects for option in select.options}
    own = _distinct(_own_buttons(reply, where, pictured))
    taken = {button.custom_id for button in own}
    offers = [_button(button, reply) for button in reply.buttons if button.change not in in_selects]
    buttons = [button for button in _distinct(offers) if button.custom_id not in taken]
    for button in [b for b in buttons if b.style is ButtonStyle.primary][1:]:
        button.style = ButtonStyle.secondary  # one stands out, not half of them
    drop_downs = _distinct(_select(select, reply) for select in selects)
    first, last = (buttons + own, []) if len(buttons) + len(own) <= IN_ROW else (buttons[:BUTTONS], own)
    return [*_in_rows(first), *(ui.ActionRow(one) for one in drop_downs[:SELECTS]), *_in_rows(last)]


def _in_rows(buttons: list[ui.Button[Any]]) -> list[ui.ActionRow[Any]]:
    return [ui.ActionRow(*buttons[at : at + IN_ROW]) for at in range(0, len(buttons), IN_ROW)]


def _distinct(controls: Iterable[Control | None]) -> list[Control]:
    """Those that could be made, each custom id once."""
    return list({control.custom_id: control for control in controls if control is not None}.values())


def _button(button: Button, reply: Reply) -> ui.Button[Any] | None:
    custom_id = pack(reply.language, ANYONE, reply.state, button.change)
    if custom_id is None or not button.label.strip() or button.change.startswith("?"):
        return None
    return ui.Button(label=button.label[:LABEL], custom_id=custom_id, style=STYLES[button.style])


def _select(select: Select, reply: Reply) -> ui.Select[Any] | None:
    custom_id = pack(reply.language, ANYONE, reply.state, f"?{select.name}")
    options = {option.change: option for option in select.options if len(option.change) <= 100}
    if custom_id is None or not options:
        return None
    shown = [
        SelectOption(label=option.label[:100] or change, value=change, default=option.chosen)
        for change, option in list(options.items())[:SELECT_OPTIONS]
    ]
    return ui.Select(custom_id=custom_id, placeholder=select.placeholder[:150], options=shown)


def _more_selects(reply: Reply) -> list[Select]:
    """Batch and number of cards in one list: beside those that the renderer gives."""
    if not reply.selects or any(select.name in ("micro_batch", "n_gpus") for select in reply.selects):
        return []
    from bot.messages import Option

    changes = [f"micro_batch={value}" for value in BATCHES] + [f"n_gpus={value}" for value in CARDS]
    options = tuple(Option(label=label(change, reply.language), change=change) for change in changes)
    return [Select(name="more", placeholder=words(reply.language)("batch_or_cards"), options=options)]


def _own_buttons(reply: Reply, where: Where, pictured: bool) -> list[ui.Button[Any]]:
    say = words(reply.language)
    made: list[tuple[str | None, str | None, str]] = []
    if reply.selects and reply.state and codec.unpack(reply.state) is not None and not pictured:
        made.append((say("picture"), "📊", "show=picture"))
    if pictured:
        made.append((say("back"), "↩️", "show=short"))
    if where == "hidden":
        made.append((say("share"), "📣", SHARE))
    if where in ("channel", "shared"):
        made += [(None, "👍", "!up"), (None, "👎", "!down")]
    if where != "hidden":
        made.append((say("delete") if where == "direct" else None, "🗑️", "!del"))
    return [
        ui.Button(label=text, emoji=emoji, custom_id=custom_id, style=ButtonStyle.secondary)
        for text, emoji, change in made
        if (custom_id := pack(reply.language, ANYONE, reply.state, change)) is not None
    ]


def filled(components: Iterable[dict[str, Any]], asker: str) -> list[dict[str, Any]]:
    """The components with the asker in their custom ids."""
    made = []
    for component in components:
        custom_id = component.get("custom_id")
        if custom_id is not None:
            component = {**component, "custom_id": custom_id.replace(f"|{ANYONE}|", f"|{asker}|", 1)}
        elif "components" in component:
            component = {**component, "components": filled(component["components"], asker)}
        made.append(component)
    return made


def again(components: list[dict[str, Any]], *, public: bool) -> list[dict[str, Any]]:
    """The components of an answer that only its asker saw, as Discord gives them back: without the share button.

    `public`: for everybody, so that thumbs and deleting take its place. Files stay behind: their content is not there.
    """
    made: list[dict[str, Any]] = []
    for component in components:
        if component.get("type") == FILE:
            continue
        custom_id = str(component.get("custom_id") or "")
        if custom_id.endswith(SHARE):
            made += _public_buttons(custom_id.removesuffix(SHARE)) if public else []
            continue
        kept = {key: value for key, value in component.items() if key != "id"}
        if "components" in kept:
            inside = again(kept["components"], public=public)
            if kept["type"] == ROW:  # a few buttons took the place of one
                made += [{**kept, "components": inside[at : at + IN_ROW]} for at in range(0, len(inside), IN_ROW)]
                continue
            kept["components"] = inside
        if "items" in kept:
            kept["items"] = [{**item, "media": {"url": item["media"]["url"]}} for item in kept["items"]]
        made.append(kept)
    return made


def _public_buttons(head: str) -> list[dict[str, Any]]:
    buttons = (("👍", "!up"), ("👎", "!down"), ("🗑️", "!del"))
    return [{"type": 2, "style": 2, "emoji": {"name": emoji}, "custom_id": head + change} for emoji, change in buttons]
