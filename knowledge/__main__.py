"""python -m knowledge check | fit-kinds | new-gpu | new-model | new-price | new-language: look after what is known."""

import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from knowledge import compiled, scaffold
from knowledge.catalog import FACTS
from knowledge.check import facts_faults
from knowledge.check_language import LANG, language_faults
from knowledge.faults import Fault, KnowledgeFaults, listing

app = typer.Typer(
    help="Look after the knowledge: every fault at once, and a start for a new entry.",
    no_args_is_help=True,
    add_completion=False,
)
FactsFolder = Annotated[Path, typer.Option(help="The folder of facts, when not the installed one.", hidden=True)]
LangFolder = Annotated[Path, typer.Option(help="The folder of languages, when not the installed one.", hidden=True)]
Needed = typer.Option


@app.command()
def check(facts: FactsFolder = FACTS, lang: LangFolder = LANG) -> None:
    """Name every fault of the facts and the languages: file, entry, field, the mend."""
    faults = every_fault(facts, lang)
    if faults:
        print(listing(faults))
        print(f"{len(faults)} faults.")
        raise typer.Exit(1)
    print("The knowledge is sound.")


def every_fault(facts: Path, lang: Path) -> list[Fault]:
    """Faults of both, from the sources and never from a compiled copy."""
    faults = [
        Fault(path.relative_to(facts).as_posix(), "", "", "only files that end in .yaml are read; rename it")
        for path in sorted(facts.rglob("*"))
        if path.is_file() and path.suffix != ".yaml" and path.name[0] != "."
    ]
    try:
        faults += facts_faults(compiled.read_yaml_tree(facts))
    except KnowledgeFaults as broken:
        faults += broken.faults
    return faults + language_faults(lang)


@app.command()
def fit() -> None:
    """Fit the estimator's coefficients to knowledge/measured/ again; the same as `whichgpu fit`."""
    # A process of its own: knowledge imports neither advisor nor bot.
    raise typer.Exit(subprocess.run([sys.executable, "-m", "bot", "fit"], check=False).returncode)


@app.command("fit-kinds")
def fit_kinds(
    judge: Annotated[bool, typer.Option(help="Also judge by folds: a few minutes more.")] = False,
) -> None:
    """Fit the weights of kinds of question to kinds/ again, after a message or a phrase was added."""
    command = [sys.executable, "-m", "bot.fit_kinds", *(["--judge"] if judge else [])]
    raise typer.Exit(subprocess.run(command, check=False).returncode)  # noqa: S603


@app.command("new-gpu")
def new_gpu(
    gpu_id: Annotated[str, typer.Option("--id", prompt="Id, such as rtx-6090", help="Lower case with hyphens.")],
    name: Annotated[str, typer.Option(prompt="Name as sold, such as GeForce RTX 6090")],
    vendor: Annotated[str, typer.Option(prompt="nvidia, amd, intel or apple")],
    family: Annotated[str, typer.Option(prompt="Family, such as GeForce RTX 60")],
    architecture: Annotated[str, typer.Option(prompt="Architecture, such as Blackwell")],
    segment: Annotated[str, typer.Option(prompt="consumer, laptop, workstation, datacenter or soc")],
    compute_capability: Annotated[str, typer.Option(prompt="Compute capability (12.0), gfx name, xpu or metal")],
    vram_gb: Annotated[float, typer.Option(prompt="GB on the box")],
    mem_type: Annotated[str, typer.Option(prompt="Memory, such as GDDR7")],
    bandwidth_gb_s: Annotated[float, typer.Option(prompt="Bandwidth in GB/s")],
    release_year: Annotated[int, typer.Option(prompt="Year it came out")],
    source: Annotated[str, typer.Option(prompt="Where these figures stand (a web address)")],
    bf16_dense_tflops: Annotated[
        float, typer.Option(prompt="Dense BF16 TFLOPS with FP32 accumulate (0: none or unknown)")
    ] = 0.0,
    tdp_w: Annotated[float, typer.Option(prompt="Watts (0: unknown)")] = 0.0,
    aliases: Annotated[str, typer.Option(prompt="Other names, with commas between")] = "",
    facts: FactsFolder = FACTS,
) -> None:
    """Write an entry for a card into gpus/, after checking it."""
    values = {key: value for key, value in locals().items() if key not in ("facts", "gpu_id")}
    _written(lambda: scaffold.new_gpu(facts, gpu_id, values))


@app.command("new-model")
def new_model(
    model_id: Annotated[str, typer.Option("--id", prompt="Hub id, owner/name")],
    family: Annotated[str, typer.Option(prompt="Family, such as llama3.1")],
    file: Annotated[str, typer.Option(prompt="File in facts/models/, such as meta.yaml")],
    hidden_size: Annotated[int, typer.Option(prompt="hidden_size")],
    layers: Annotated[int, typer.Option(prompt="num_hidden_layers")],
    heads: Annotated[int, typer.Option(prompt="num_attention_heads")],
    intermediate_size: Annotated[int, typer.Option(prompt="intermediate_size")],
    vocab_size: Annotated[int, typer.Option(prompt="vocab_size")],
    max_context: Annotated[int, typer.Option(prompt="max_position_embeddings")],
    source: Annotated[str, typer.Option(prompt="Where the shape stands (the address of the config.json)")],
    kv_heads: Annotated[int, typer.Option(prompt="num_key_value_heads (0: as many as heads)")] = 0,
    head_dim: Annotated[int, typer.Option(prompt="head_dim (0: hidden_size / heads)")] = 0,
    tie_embeddings: Annotated[bool, typer.Option(prompt="tie_word_embeddings?")] = False,
    params_published: Annotated[int, typer.Option(prompt="Published parameter count, to the last one (0: none)")] = 0,
    aliases: Annotated[str, typer.Option(prompt="Names people say, with commas between")] = "",
    facts: FactsFolder = FACTS,
) -> None:
    """Write an entry for a dense model into models/, after counting its parameters. Other plans: see README."""
    values = {key: value for key, value in locals().items() if key not in ("facts", "model_id", "file")}
    _written(lambda: scaffold.new_model(facts, model_id, file, values))


@app.command("new-price")
def new_price(
    gpu: Annotated[str, typer.Option(prompt="Id of the card")],
    kind: Annotated[str, typer.Option(prompt="cloud, retail or used")],
    price: Annotated[float, typer.Option(prompt="USD (per hour for cloud)")],
    provider: Annotated[str, typer.Option(prompt="Who sells or rents it")],
    date: Annotated[str, typer.Option(prompt="Day, 2026-11-30")],
    source: Annotated[str, typer.Option(prompt="Where it stands (a web address)")],
    facts: FactsFolder = FACTS,
) -> None:
    """Add a dated price with its source to prices.yaml."""
    values = {key: value for key, value in locals().items() if key not in ("facts", "gpu")}
    _written(lambda: scaffold.new_price(facts, gpu, values))


@app.command("new-language")
def new_language(
    code: Annotated[str, typer.Argument(help="Two letters, such as fr.")],
    after: Annotated[str, typer.Option("--from", help="The language to start from.")] = "en",
    lang: LangFolder = LANG,
) -> None:
    """Copy the folder of a language as a start for another; every file still has to be translated."""
    _written(lambda: scaffold.new_language(lang, code, after))


def _written(write: scaffold.Write) -> None:
    try:
        print(f"Written: {write()}")
    except KnowledgeFaults as refused:
        print(refused, file=sys.stderr)
        raise typer.Exit(1) from None


if __name__ == "__main__":
    app(prog_name="python -m knowledge")
