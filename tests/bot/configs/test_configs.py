"""Every configuration is accepted by its trainer as that trainer's own source says, whatever the advice."""

import ast
import json
import re
from pathlib import Path

import pytest

from advisor.advice import Advice, Need
from bot.configs import TEMPLATES, config_for, rendered, versions, words_of
from bot.configs.choice import choose
from bot.configs.values import Values, values_of
from knowledge.catalog import load_catalog
from knowledge.compiled import PACKAGE, load_yaml_tree

from .cases import advice, many, misfit, schema
from .reading import as_kind, flags, keywords_fit, mapping, name_of, python

CASES = [values for case in many() if (values := values_of(case, load_catalog()))]
ONE_CARD = [values for values in CASES if not values.sharded]
HOSTILE = [
    '"); import os; os.system("x") #/x',
    "a/b; rm -rf ~",
    "a/b\nload_in_8bit: true",
    "$(id)/x",
    "{{ 7*7 }}/x",
    "../../etc/passwd",
    "a/b'c",
    "😀/x",
    "a" * 300 + "/b",
]


@pytest.mark.parametrize("values", ONE_CARD, ids=name_of)
def test_unsloth(values: Values) -> None:
    calls = python(rendered("unsloth.py.j2", values))
    accepted = schema("unsloth")
    for name in ("FastLanguageModel.from_pretrained", "FastLanguageModel.get_peft_model"):
        keywords_fit(calls.get(name, {}), accepted[name] | {"use_dora": "bool"})  # the last goes on to PEFT
    assert ("FastLanguageModel.get_peft_model" in calls) is not values.full
    keywords_fit(calls["SFTConfig"], schema("trl")["SFTConfig"])
    keywords_fit(calls["SFTTrainer"], schema("trl")["SFTTrainer"])


@pytest.mark.parametrize("values", CASES, ids=name_of)
def test_trl(values: Values) -> None:
    calls = python(rendered("trl.py.j2", values))
    keywords_fit(calls["SFTConfig"], schema("trl")["SFTConfig"])
    keywords_fit(calls["SFTTrainer"], schema("trl")["SFTTrainer"])
    keywords_fit(calls.get("LoraConfig", {}), schema("peft")["LoraConfig"])
    keywords_fit(calls.get("BitsAndBytesConfig", {}), schema("transformers")["BitsAndBytesConfig"])
    assert ("LoraConfig" in calls) is not values.full
    assert ("BitsAndBytesConfig" in calls) is (values.bits < 16)
    imported = {
        name.name
        for node in ast.walk(ast.parse(rendered("trl.py.j2", values)))
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }
    assert {call.split(".")[0] for call in calls} <= imported | {"trainer"}


@pytest.mark.parametrize("values", CASES, ids=name_of)
def test_axolotl(values: Values) -> None:
    config = mapping(rendered("axolotl.yaml.j2", values))
    accepted = schema("axolotl")
    assert not {key: value for key, value in config.items() if misfit(value, accepted["config"][key])}
    assert config["base_model"] == values.model
    assert set(config["datasets"][0]) <= set(accepted["dataset"])
    assert ("fsdp_config" in config) is values.sharded
    assert not {k: v for k, v in config.get("fsdp_config", {}).items() if misfit(v, accepted["fsdp_config"][k])}
    assert config.get("adapter") == (None if values.full else "qlora" if values.bits == 4 else "lora")


@pytest.mark.parametrize("values", ONE_CARD, ids=name_of)
def test_llama_factory(values: Values) -> None:
    config = mapping(rendered("llama-factory.yaml.j2", values))
    accepted = schema("llama-factory")["train"]
    assert not {key: value for key, value in config.items() if misfit(value, accepted[key])}
    assert (
        json.loads(rendered("llama-factory.dataset_info.json.j2", values))[config["dataset"]]["file_name"]
        == "data.jsonl"
    )


@pytest.mark.parametrize("values", [values for values in CASES if not values.offload], ids=name_of)
def test_ms_swift(values: Values) -> None:
    found = flags(rendered("ms-swift.sh.j2", values), ["swift", "sft"])
    accepted = schema("ms-swift")["sft"]
    for flag, words in found.items():
        kinds = accepted[flag.removeprefix("--")]
        assert "list" in kinds or not misfit(as_kind(words), kinds), (flag, words)
    assert found["--model"] == [values.model]


@pytest.mark.parametrize("values", ONE_CARD, ids=name_of)
def test_mlx(values: Values) -> None:
    text = rendered("mlx-lm.sh.j2", values)
    *convert, command = re.split(r"^(?=mlx_lm\.lora)", text, flags=re.M)
    found = flags(command, ["mlx_lm.lora"])
    accepted = schema("mlx-lm")["lora"]
    for flag, words in found.items():
        assert accepted[flag] == "flag" if not words else not misfit(as_kind(words), accepted[flag]), (flag, words)
    assert ("mlx_lm.convert" in "".join(convert)) is (values.bits < 16)


def test_versions_are_those_of_the_catalog() -> None:
    seen = {key: trainer.version_seen for key, trainer in load_catalog().trainers.items()}
    for package, version in versions().items():
        where = seen.get(package, seen["trl"])
        assert version in where, (package, version, where)
        assert schema(package)["version"] == version


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_gets_into_the_code(name: str) -> None:
    case = advice(model_id=name, lora_targets=(name, "q_proj"), optimizer=name, query={"model": name})
    values = values_of(case, load_catalog())
    assert values is not None
    assert values.model in load_catalog().models
    assert values.modules == ("q_proj",)
    for template in TEMPLATES.values():
        assert name not in rendered(template, values)


def test_what_is_quoted_stays_one_word() -> None:
    case = advice(model_id="some.one/model-v1.0_x")
    values = values_of(case, load_catalog())
    assert values is not None
    assert mapping(rendered("axolotl.yaml.j2", values))["base_model"] == "some.one/model-v1.0_x"
    assert flags(rendered("ms-swift.sh.j2", values), ["swift", "sft"])["--model"] == ["some.one/model-v1.0_x"]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("trainer", [*TEMPLATES, "hf", "torchtune", "no-such", None])
@pytest.mark.parametrize("case", many()[:12], ids=lambda case: str(case.setup))
def test_it_is_markdown_that_fits_a_message(case: Advice, trainer: str | None, language: str) -> None:
    text = config_for(case, trainer, language)
    assert len(text) <= 2000
    assert text.count("```") % 2 == 0
    assert "{{" not in text
    assert text.startswith("**")


@pytest.mark.parametrize(
    ("case", "asked", "trainer", "why"),
    [
        (advice(), None, "unsloth", None),
        (advice("rtx-3090", n_gpus=2, sharding="fsdp"), None, "axolotl", None),
        (advice("rtx-3090", n_gpus=2, sharding="fsdp"), "unsloth", "axolotl", "no_sharding"),
        (advice("rtx-3090", n_gpus=2, sharding="fsdp"), "fsdp-qlora", "axolotl", None),
        (advice("rtx-3090", n_gpus=2, sharding="ddp"), "llama-factory", "llama-factory", None),
        (advice("apple-m4-max"), None, "mlx-lm", None),
        (advice("rtx-3090"), "mlx-lm", "unsloth", "apple_only"),
        (advice(), "torchtune", "unsloth", "no_template"),
        (advice(trainer="ms-swift"), None, "ms-swift", None),
        (advice(), "peft", "trl", None),
    ],
)
def test_the_trainer_is_the_asked_one_where_it_can(
    case: Advice, asked: str | None, trainer: str, why: str | None
) -> None:
    values = values_of(case, load_catalog())
    assert values is not None
    choice = choose(case, asked, values, load_catalog())
    assert (choice.trainer, choice.why) == (trainer, why)


def test_what_fits_no_card_goes_to_system_ram() -> None:
    need = Need(stack="trl", trainer="trl", device=1, low=1, high=1, allocated=1, reserved=1, fit="no")
    case = advice("rtx-3090", n_gpus=2, sharding="fsdp")
    for fit, offload in (("no", True), ("tight", False), (None, False)):
        asked = case.model_copy(update={"needs": (need.model_copy(update={"fit": fit}),)})
        values = values_of(asked, load_catalog())
        assert values is not None
        assert values.offload is offload


def test_values_follow_the_advice() -> None:
    case = advice("t4", seq_len=4096, micro_batch=2, lora_rank=32, query={"epochs": 3, "dataset_examples": 1000})
    values = values_of(case, load_catalog())
    assert values is not None
    assert (values.seq_len, values.micro_batch, values.rank, values.epochs) == (4096, 2, 32, 3)
    assert values.micro_batch * values.grad_accum == 16
    assert values.iterations == 1500
    assert values.fp16
    assert not values.flash


@pytest.mark.parametrize(
    ("billions", "model"),
    [
        (13, "Qwen/Qwen3-14B"),
        (8, "Qwen/Qwen3-8B"),
        (7, "Qwen/Qwen2.5-7B-Instruct"),
        (70, "Qwen/Qwen2.5-72B-Instruct"),
        (24, None),
    ],
)
def test_only_a_size_takes_a_model_near_it_and_says_so(billions: int, model: str | None) -> None:
    case = advice(model_id=None, generic=True, params=billions * 10**9, query={"model": None})
    values = values_of(case, load_catalog())
    assert values is not None
    assert model in (None, values.model)
    assert abs((load_catalog().by_sibling[values.model.lower()].params_published or 0) / billions / 1e9 - 1) < 0.15
    assert values.model in config_for(case, None, "en").split("\n")[1]


def test_the_usual_models_are_open_and_talk() -> None:
    catalog = load_catalog()
    for name in load_yaml_tree(PACKAGE / "configs", "models.yaml", texts=True)["models.yaml"]:
        known = catalog.by_sibling[name.lower()]
        assert not known.gated
        assert not known.multimodal
        values = values_of(advice(model_id=name), catalog)
        assert values is not None
        assert values.chat


def test_without_a_model_it_asks_for_one() -> None:
    case = advice().model_copy(update={"setup": None})
    assert config_for(case, None, "en") == words_of("en")["no_model"]
    assert config_for(case, None, "de") == words_of("de")["no_model"]


def test_both_languages_have_the_same_words() -> None:
    fields = {
        language: {
            key: set(re.findall(r"\{(\w+)\}", text))
            for key, text in words_of(language).items()
            if not key.startswith("data")
        }
        for language in ("en", "de")
    }
    assert fields["en"] == fields["de"]
    assert set(words_of("en")) == set(words_of("de"))


def test_algorithms_without_a_template_are_said_to_come_after() -> None:
    text = config_for(advice(query={"algorithm": "ppo"}), None, "en")
    assert "PPO needs" in text
    assert "SFTTrainer" in text


def test_the_schemas_are_kept_with_the_tests() -> None:
    names = {path.stem for path in (Path(__file__).parent / "schemas").glob("*.yaml")}
    assert set(versions()) <= names
