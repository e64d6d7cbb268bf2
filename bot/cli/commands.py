"""The commands of `whichgpu` and their options. Every command imports what it needs when it is called, not before."""

import gc
from collections.abc import Callable
from importlib import import_module
from typing import Annotated, Any

import typer

COMMANDS: dict[str, tuple[str, str]] = {
    "serve": ("bot.start:serve", "Run every platform that has a token in the environment."),
    "measured": ("bot.estimate_cli:measured", "How well the estimator matches the published measurements, per source."),
    "fit": ("bot.estimate_cli:fit", "Fit the estimator's coefficients to the published measurements again."),
    "doctor": (
        "bot.doctor:doctor",
        "Check settings, database, knowledge and platforms, and say how to mend what is wrong.",
    ),
    "stats": ("bot.stats:stats", "What was asked, in numbers, from the database."),
    "env-example": ("bot.settings_help:print_env_example", "Print every setting with its meaning and default."),
    "db": ("bot.db_cli:app", "The database: migrate, show, move."),
}
"""Commands of other parts: name → (module:function or module:typer app, one line of help)."""

EVERYTHING = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def show_version(wanted: bool) -> None:
    """Print the version and leave."""
    if wanted:
        from importlib.metadata import version

        print(version("whichgpu"))  # noqa: T201
        raise typer.Exit


@app.callback()
def whichgpu(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=show_version, is_eager=True)
    ] = False,
) -> None:
    """Which GPU do I need to fine-tune a language model? A number that can be trusted."""


@app.command()
def ask(
    text: Annotated[
        list[str] | None, typer.Argument(help='The question, such as "13b qlora". None: read from stdin.')
    ] = None,
    batch: Annotated[
        str | None, typer.Option(help="A file with one JSON object a line, - for stdin.", metavar="FILE")
    ] = None,
    lang: Annotated[str | None, typer.Option(help="Language of the answer: en, de.")] = None,
    form: Annotated[str, typer.Option("--format", help="terminal, markdown, discord or telegram.")] = "terminal",
    picture: Annotated[str | None, typer.Option(help="Write the memory breakdown as a PNG.", metavar="FILE")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The whole answer as one JSON object.")] = False,
) -> None:
    """Answer one question, or a batch of them."""
    from bot.cli import asking

    if batch is not None:
        asking.batch(batch)
    else:
        asking.one(" ".join(text or ()), language=lang, form=form, as_json=as_json, picture=picture)


@app.command()
def estimate(
    batch: Annotated[str, typer.Option(help="A file with one set-up a line as JSON, - for stdin.", metavar="FILE")],
) -> None:
    """The memory of training set-ups, one JSON object a line."""
    from bot.cli import lines, settle
    from bot.estimate_cli import estimate_batch

    settle()
    lines.write(estimate_batch(lines.text_lines(batch)))


@app.command()
def chat(lang: Annotated[str | None, typer.Option(help="Language of the answers: en, de.")] = None) -> None:
    """The same conversation as in a private chat, in the terminal."""
    from bot.cli.chatting import chat as talk

    talk(lang)


def mount(name: str, target: str, about: str) -> None:
    """Add a command of another part, imported when it is called."""

    @app.command(name, help=about, context_settings=EVERYTHING)
    def run(context: typer.Context) -> None:
        gc.enable()
        module, _, member = target.partition(":")
        call(getattr(import_module(module), member), f"whichgpu {name}", context.args)


def call(found: Callable[..., Any] | typer.Typer, name: str, arguments: list[str]) -> None:
    """Run a typer app, or a function as one, with these arguments."""
    if not isinstance(found, typer.Typer):
        single = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
        single.command()(found)
        found = single
    found(args=arguments, prog_name=name)


for _name, (_target, _about) in COMMANDS.items():
    mount(_name, _target, _about)
