"""Preferences and rewards: a trainer that has the algorithm gets its run, with its own keys and the advice's values."""

import ast
import json
import re
from itertools import product
from typing import Any

import pytest

from advisor.advice import Advice
from bot.configs import TEMPLATES, config_for, forms, rendered
from bot.configs.algorithm import VLLM, abilities
from bot.configs.choice import choose
from bot.configs.values import Values, values_of
from bot.messages import Question, Text
from bot.pipeline import answer
from knowledge.catalog import load_catalog

from .cases import advice, many, misfit, schema, taught
from .reading import as_kind, flags, keywords_fit, mapping, python

ALGORITHMS = abilities()["trl"]
CLASSES = {"dpo": "DPO", "ipo": "DPO", "kto": "KTO", "orpo": "ORPO", "simpo": "CPO", "cpo": "CPO", "grpo": "GRPO"}
PAIRS = ("dpo", "ipo", "orpo", "simpo", "cpo")


def runs(trainer: str) -> list[Any]:
    """Every set-up that the trainer can do by every algorithm that it has, as test parameters."""
    found = []
    for number, (case, algorithm) in enumerate(product([*many()[::7], *many()[-5:]], abilities()[trainer])):
        asked = taught(case, algorithm)
        values = values_of(asked, load_catalog())
        assert values is not None
        if choose(asked, trainer, values, load_catalog()).trainer == trainer:
            found.append(pytest.param(values, id=f"{number}-{algorithm}"))
    return found


def literals(call: dict[str, ast.expr]) -> dict[str, Any]:
    return {name: ast.literal_eval(node) for name, node in call.items() if isinstance(node, ast.Constant)}


def judged(script: str, chat: bool) -> list[float]:
    """What the script's reward function says of a right and a wrong answer."""
    tree = ast.parse(script)
    tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    names: dict[str, Any] = {}
    exec(compile(tree, "rewards.py", "exec"), names)
    said = ["it is 42", "it is 41"]
    answers = [[{"role": "assistant", "content": text}] for text in said] if chat else said
    scores: list[float] = names["correct"](prompts=[], completions=answers, answer=["42", "42"])
    return scores


def is_trls_run(script: str, values: Values) -> None:
    """The script's trainer, its arguments and their values."""
    name = CLASSES[values.algorithm]
    calls, known = python(script), schema("trl")
    assert "SFTTrainer" not in calls
    keywords_fit(calls[f"{name}Config"], known["_BaseConfig"] | known[f"{name}Config"])
    keywords_fit(calls[f"{name}Trainer"], known[f"{name}Trainer"])
    home = "trl" if name in ("DPO", "KTO", "GRPO") else f"trl.experimental.{name.lower()}"
    assert f"from {home} import {name}Config, {name}Trainer" in script.splitlines()
    stated = literals(calls[f"{name}Config"])
    assert stated["per_device_train_batch_size"] == values.micro_batch
    assert stated["gradient_accumulation_steps"] == values.grad_accum
    assert stated["optim"] == values.optimizer
    assert stated["learning_rate"] == values.learning_rate
    if values.algorithm == "grpo":
        assert stated["num_generations"] == values.group
        assert stated["max_completion_length"] + values.prompt_len == values.seq_len
        assert ast.unparse(calls["GRPOTrainer"]["reward_funcs"]) == "correct"
        assert judged(script, values.chat) == [1.0, 0.0]
    else:
        assert stated["max_length"] == values.seq_len
    if values.algorithm in ("simpo", "ipo"):
        assert (
            "simpo" in script
            if values.algorithm == "simpo"
            else ast.unparse(calls["DPOConfig"]["loss_type"]) == "['ipo']"
        )


@pytest.mark.parametrize("values", runs("trl"))
def test_trl(values: Values) -> None:
    script = rendered("trl.py.j2", values)
    is_trls_run(script, values)
    calls = python(script)
    keywords_fit(calls.get("LoraConfig", {}), schema("peft")["LoraConfig"])
    assert ("LoraConfig" in calls) is not values.full
    assert ("BitsAndBytesConfig" in calls) is (values.bits < 16)
    if not values.full:
        assert literals(calls["LoraConfig"])["r"] == values.rank


@pytest.mark.parametrize("values", runs("unsloth"))
def test_unsloth(values: Values) -> None:
    script = rendered("unsloth.py.j2", values)
    is_trls_run(script, values)
    calls = python(script)
    loaded = literals(calls["FastLanguageModel.from_pretrained"])
    assert loaded["max_seq_length"] == values.seq_len
    assert loaded["load_in_4bit"] is (values.bits == 4)
    assert ("FastLanguageModel.get_peft_model" in calls) is not values.full


@pytest.mark.parametrize("values", runs("axolotl"))
def test_axolotl(values: Values) -> None:
    config, accepted = mapping(rendered("axolotl.yaml.j2", values)), schema("axolotl")
    assert not {key: value for key, value in config.items() if misfit(value, accepted["config"][key])}
    assert config["rl"] == ("dpo" if values.algorithm == "ipo" else values.algorithm)
    assert config.get("dpo_loss_type") == (["ipo"] if values.algorithm == "ipo" else None)
    assert not config["sample_packing"]  # refused with rl
    assert config["sequence_len"] == values.seq_len
    assert (config["micro_batch_size"], config["gradient_accumulation_steps"]) == (
        values.micro_batch,
        values.grad_accum,
    )
    form = {"kto": "kto", "grpo": "dataset", "orpo": "dataset"}.get(values.algorithm, "preference")
    assert set(config["datasets"][0]) <= set(accepted[form])
    if values.algorithm == "kto":
        assert config["remove_unused_columns"] is False  # else refused
    reentrant = config.get("gradient_checkpointing_kwargs", {}).get("use_reentrant")
    assert not reentrant  # refused with 4 bit on several cards


@pytest.mark.parametrize("values", [run for run in runs("axolotl") if run.values[0].algorithm == "grpo"])
def test_axolotl_generates(values: Values) -> None:
    trl = mapping(rendered("axolotl.yaml.j2", values))["trl"]
    assert not {key: value for key, value in trl.items() if misfit(value, schema("axolotl")["trl"][key])}
    assert trl["generation_batch_size"] % trl["num_generations"] == 0
    assert trl["generation_batch_size"] >= trl["num_generations"] * values.n_gpus
    assert trl["max_completion_length"] + values.prompt_len == values.seq_len
    module, function = trl["reward_funcs"][0].split(".")
    script = rendered("axolotl.rewards.py.j2", values)
    assert script.startswith(f"# {module}.py")
    assert function == "correct"
    assert judged(script, values.chat) == [1.0, 0.0]


@pytest.mark.parametrize("values", runs("llama-factory"))
def test_llama_factory(values: Values) -> None:
    config = mapping(rendered("llama-factory.yaml.j2", values))
    assert not {key: value for key, value in config.items() if misfit(value, schema("llama-factory")["train"][key])}
    assert config["stage"] == ("kto" if values.algorithm == "kto" else "dpo")
    loss = {"dpo": "sigmoid", "kto": None}.get(values.algorithm, values.algorithm)
    assert config.get("pref_loss") == loss
    assert config["cutoff_len"] == values.seq_len
    assert config["per_device_train_batch_size"] == values.micro_batch
    data = json.loads(rendered("llama-factory.dataset_info.json.j2", values))[config["dataset"]]
    assert data.get("ranking", False) is (values.algorithm != "kto")
    kind = "kto" if values.algorithm == "kto" else "pairs"
    assert set(data["columns"].values()) == set(json.loads(forms()[kind]["llama-factory messages"]))


@pytest.mark.parametrize("values", runs("ms-swift"))
def test_ms_swift(values: Values) -> None:
    found = flags(rendered("ms-swift.sh.j2", values), ["swift", "rlhf"])
    accepted = schema("ms-swift")["sft"] | schema("ms-swift")["rlhf"]
    for flag, words in found.items():
        kinds = accepted[flag.removeprefix("--")]
        assert "list" in kinds or not misfit(as_kind(words), kinds), (flag, words)
    assert found["--rlhf_type"] == ["dpo" if values.algorithm == "ipo" else values.algorithm]
    assert found["--per_device_train_batch_size"] == [str(values.micro_batch)]
    length = int(found["--max_length"][0])
    script = rendered("ms-swift.rewards.py.j2", values)
    if values.algorithm == "grpo":
        assert length + int(found["--max_completion_length"][0]) == values.seq_len
        assert found["--reward_funcs"] == ["correct"]
        assert found["--external_plugins"] == [script.splitlines()[0].removeprefix("# ")]
        assert 'orms["correct"] = Correct' in script
        assert ast.parse(script)
    else:
        assert length == values.seq_len
        assert not script.strip()


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(("trainer", "algorithm"), list(product([*TEMPLATES, "fsdp-qlora", None], ALGORITHMS)))
def test_nobody_gets_a_silent_sft(trainer: str | None, algorithm: str, language: str) -> None:
    for case in many()[:16:5]:
        text = config_for(taught(case, algorithm), trainer, language)
        assert "SFTTrainer" not in text
        assert "stage: sft" not in text
        assert "swift sft" not in text
        assert "mlx_lm.lora" not in text
        assert len(text) <= 3900  # one message of Discord
        assert text.count("```") % 2 == 0
        assert "\n\n\n\n" not in text


@pytest.mark.parametrize(
    ("case", "asked", "algorithm", "trainer", "why"),
    [
        (advice(), None, "dpo", "unsloth", None),
        (advice(), "llama-factory", "orpo", "llama-factory", None),
        (advice(), "llama-factory", "grpo", "unsloth", "no_algorithm"),
        (advice(), "axolotl", "cpo", "unsloth", "no_algorithm"),
        (advice(), "fsdp-qlora", "dpo", "unsloth", "no_algorithm"),
        (advice("rtx-3090", n_gpus=2, sharding="fsdp"), "fsdp-qlora", "dpo", "axolotl", "no_algorithm"),
        (advice("rtx-3090", n_gpus=2, sharding="fsdp"), "unsloth", "cpo", "trl", "no_sharding"),
        (advice("rtx-3090", n_gpus=2, sharding="fsdp"), None, "cpo", "trl", "no_algorithm"),
        (advice("apple-m4-max"), None, "dpo", "trl", "no_algorithm"),
        (advice("apple-m4-max"), "mlx-lm", "grpo", "trl", "no_algorithm"),
        (advice(), "torchtune", "dpo", "unsloth", "no_template"),
    ],
)
def test_the_trainer_has_the_algorithm(
    case: Advice, asked: str | None, algorithm: str, trainer: str, why: str | None
) -> None:
    values = values_of(taught(case, algorithm), load_catalog())
    assert values is not None
    choice = choose(taught(case, algorithm), asked, values, load_catalog())
    assert (choice.trainer, choice.why) == (trainer, why)


def test_another_trainer_is_said_in_a_line() -> None:
    assert "*LLaMA-Factory has no GRPO; this one is for Unsloth.*" in config_for(
        taught(advice(), "grpo"), "llama-factory"
    )
    german = config_for(taught(advice(), "grpo"), "llama-factory", "de")
    assert "*LLaMA-Factory kann kein GRPO; diese hier ist für Unsloth.*" in german


def test_the_data_are_what_the_trainer_reads() -> None:
    roles = {"pairs": {"chosen", "rejected"}, "kto": {"label"}, "grpo": set()}
    for kind, lines in forms().items():
        for form, line in lines.items():
            keys = set(json.loads(line))
            assert form == "ms-swift messages" or roles[kind] <= keys, (kind, form)
            assert ("messages" in form) == ("role" in line), (kind, form)
    for algorithm in PAIRS:
        assert forms()["pairs"]["messages"] in config_for(taught(advice(), algorithm), "trl")
    plain = advice(model_id="meta-llama/Llama-3.1-8B", model="Llama-3.1-8B")
    assert forms()["pairs"]["text"] in config_for(taught(plain, "dpo"), "trl")
    assert "SFT run first" in config_for(taught(plain, "dpo"), "trl")
    assert "SFT run first" not in config_for(taught(plain, "orpo"), "trl")
    assert forms()["grpo"]["ms-swift messages"] in config_for(taught(advice(), "grpo"), "ms-swift")


def test_vllm_is_named_by_the_trainers_own_key() -> None:
    places = {
        "unsloth": schema("unsloth")["FastLanguageModel.from_pretrained"],
        "trl": schema("trl")["GRPOConfig"],
        "axolotl": schema("axolotl")["trl"],
        "ms-swift": schema("ms-swift")["rlhf"],
    }
    assert set(VLLM) == {trainer for trainer, known in abilities().items() if "grpo" in known}
    for trainer, words in VLLM.items():
        assert set(re.findall(r"[a-z]+_[a-z]+", words)) <= set(places[trainer])
        assert f"`{words}`" in config_for(taught(advice(method="lora", weight_bits=16), "grpo"), trainer, "de")


@pytest.mark.parametrize("language", ["en", "de"])
def test_trl_is_not_told_to_hand_packed_weights_to_vllm(language: str) -> None:
    packed = taught(advice(), "grpo")
    assert VLLM["trl"] not in config_for(packed, "trl", language)
    assert "Unsloth" in config_for(packed, "trl", language)
    assert VLLM["unsloth"] in config_for(packed, "unsloth", language)


@pytest.mark.parametrize(
    ("said", "word", "within"),
    [
        ("qlora dpo qwen3 8b on a 3090 with llama-factory", "config", "stage: dpo"),
        (
            "grpo qwen3-4b on a 4070 with llama factory",
            "config",
            "*LLaMA-Factory has no GRPO; this one is for Unsloth.*",
        ),
        ("orpo mit axolotl, qwen3 8b, qlora auf einer 3090", "konfiguration", "rl: orpo"),
    ],
)
def test_a_conversation_comes_to_the_run(said: str, word: str, within: str) -> None:
    first = answer(Question(text=said))
    shown = answer(Question(text=word), first.remember or first.query)
    assert within in "".join(block.markdown for block in shown.reply.blocks if isinstance(block, Text))


def test_gspo_is_a_kind_of_grpo() -> None:
    assert "GRPOTrainer" in config_for(taught(advice(), "gspo"), "trl")
