"""Rows of `openai:hf` and its profiles, rendered by the chat templates that trl and axolotl include."""

import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw
from random_runs import tries
from training_makers import TOOLS, Talk, told

jinja2 = pytest.importorskip("jinja2", reason="templates are written in jinja2, from the group dev")

PLACES = {"trl": "chat_templates", "axolotl": "utils/chat_templates/templates"}

# The templates that render it, by profile.
TEMPLATES = {
    "openai:hf": [
        *("trl/" + name for name in ("qwen2_5", "qwen3", "qwen3_5_think", "qwen3_6", "qwen3_8", "qwen3_vl", "glm4moe")),
        *("trl/" + name for name in ("nemotron_3_nano", "nemotron_3_super")),
        *("axolotl/" + name for name in ("llama4", "exaone4", "jamba")),
    ],
    "openai:hf-deepseek": ["trl/deepseekv3", "axolotl/deepseek_v3"],
    "openai:hf-llama": ["trl/llama3_1", "trl/llama3_2", "axolotl/llama3_2_vision"],
    "openai:hf-gpt-oss": ["trl/gptoss"],
    "openai:hf-mistral": ["axolotl/mistral_v2v3", "axolotl/mistral_v3_tekken"],
    "openai:hf-vision": ["trl/idefics3", "trl/smolvlm", "trl/llava_next"],
}
# `make templates` installs the packages.
CASES = [
    pytest.param(profile, name, marks=pytest.mark.needs(name.partition("/")[0]))
    for profile, names in TEMPLATES.items()
    for name in names
]
SEEDS = range(tries(40))


def template(name: str) -> str:
    package, _, file = name.partition("/")
    found = importlib.util.find_spec(package)
    assert found is not None and found.origin is not None
    return (Path(found.origin).parent / PLACES[package] / f"{file}.jinja").read_text(encoding="utf-8")


def rendered(source: str, messages: list[Any], tools: list[Any] | None) -> str:
    """Rendered like transformers does it: the same environment, without the rest of that library."""
    from jinja2.ext import loopcontrols
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    def raise_exception(message: str) -> None:
        raise jinja2.exceptions.TemplateError(message)

    def tojson(value: Any, ensure_ascii: bool = False, **options: Any) -> str:
        return json.dumps(value, ensure_ascii=ensure_ascii, **options)

    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols])
    environment.filters["tojson"] = tojson
    environment.globals |= {"raise_exception": raise_exception, "strftime_now": lambda form: f"2026 {form}"}
    given = {"messages": messages, "tools": tools, "bos_token": "<s>", "eos_token": "</s>"}
    return str(environment.from_string(source).render(**given, add_generation_prompt=False))


def talk_for(profile: str, seed: int) -> tuple[list[Any], list[Any] | None]:
    """A conversation that a family's templates can render, and its tools."""
    talk = Talk(seed)
    messages = talk.prompt() + talk.answer()
    if profile in ("openai:hf-vision", "openai:hf-mistral"):
        # These templates allow no system text in front, or only beside the user's last message.
        messages = [one for one in messages if one["role"] != "system"]
    if profile == "openai:hf-vision":
        return [one for one in messages if one["role"] != "tool" and not one.get("tool_calls")], None
    if profile in ("openai:hf-mistral", "openai:hf-deepseek"):
        # At least one of the templates ignores text beside calls.
        messages = [{**one, "content": ""} if one.get("tool_calls") else one for one in messages]
    return [{key: value for key, value in one.items() if key != "reasoning_content"} for one in messages], TOOLS


def by_hand(messages: list[Any], profile: str) -> list[Any]:
    """The same conversation as the documentation of trl and of each template writes it."""
    made: list[Any] = []
    names: dict[str, str] = {}
    for one in messages:
        text, calls = one.get("content"), one.get("tool_calls", [])
        if one["role"] == "tool":
            told_id = {"tool_call_id": one["tool_call_id"]} if profile == "openai:hf" else {}
            made.append({"role": "tool", "name": names[one["tool_call_id"]], "content": text} | told_id)
            continue
        names |= {call["id"]: call["function"]["name"] for call in calls}
        functions = [dict(call["function"]) for call in calls]
        if profile != "openai:hf-deepseek":
            functions = [one | {"arguments": json.loads(one["arguments"])} for one in functions]
        message: dict[str, Any] = {"role": one["role"]}
        if text or not calls:
            message["content"] = [{"type": "text", "text": text}] if profile == "openai:hf-vision" else text
        elif profile == "openai:hf-deepseek":
            message["content"] = None
        if calls:
            message["tool_calls"] = [
                {"type": "function", "id": call["id"], "function": function}
                for call, function in zip(calls, functions, strict=True)
            ]
        made.append(message)
    return made


@pytest.mark.parametrize(("profile", "name"), CASES)
def test_a_template_renders_all_of_a_row(profile: Any, name: str) -> None:
    source = template(name)
    for seed in SEEDS:
        messages, tools = talk_for(profile, seed)
        made = tw.convert({"messages": messages} | ({"tools": tools} if tools else {}), profile, source="openai")
        assert not made.receipt.changed or {loss.kind for loss in made.receipt} == {"restated"}, made.receipt
        shown = rendered(source, made.payload["messages"], made.payload.get("tools"))
        words = re.findall(r"w\d+", json.dumps(messages))
        missed = [word for word in words if not re.search(rf"{word}(?!\d)", shown)]
        assert missed == [], seed
        assert "None" not in shown
        # Arguments that were encoded twice.
        assert '\\"q\\":' not in shown
        if profile in ("openai:hf", "openai:hf-deepseek", "openai:hf-vision"):
            assert shown == rendered(source, by_hand(messages, profile), tools), seed


@pytest.mark.needs("trl", "axolotl")
@pytest.mark.parametrize("profile", [one for one in TEMPLATES if one != "openai:hf"])
def test_each_profile_is_needed(profile: Any) -> None:
    """These templates cannot render plain `openai:hf` rows: words are missing, or an error says why."""
    failed = 0
    for name in TEMPLATES[profile]:
        source = template(name)
        for seed in SEEDS:
            messages, tools = talk_for(profile, seed)
            made = tw.convert({"messages": messages, "tools": tools or []}, "openai:hf", source="openai").payload
            try:
                shown = rendered(source, made["messages"], made.get("tools"))
            except (jinja2.exceptions.TemplateError, TypeError):
                failed += 1
                continue
            words = re.findall(r"w\d+", json.dumps(messages))
            failed += any(not re.search(rf"{word}(?!\d)", shown) for word in words)
    assert failed > len(SEEDS) // 4


@pytest.mark.parametrize("profile", TEMPLATES)
def test_the_form_of_each_profile(profile: Any) -> None:
    """The rules without any template, for machines where none is installed."""
    key = "thinking" if profile == "openai:hf-gpt-oss" else "reasoning_content"
    for seed in SEEDS:
        talk = Talk(seed)
        messages = talk.prompt() + talk.answer()
        made = tw.convert({"messages": messages, "tools": TOOLS}, profile, source="openai", reasoning="text").payload[
            "messages"
        ]
        thoughts = [one["reasoning_content"] for one in messages if "reasoning_content" in one]
        assert [one[key] for one in made if key in one] == thoughts
        calls = [call for one in made for call in one.get("tool_calls", [])]
        kind = str if profile == "openai:hf-deepseek" else dict
        assert all(type(call["function"]["arguments"]) is kind for call in calls)
        if profile in ("openai:hf-llama", "openai:hf-gpt-oss"):
            assert all(len(one.get("tool_calls", [0])) == 1 for one in made)
            assert all("tool_calls" not in one or not one.get("content") for one in made)
        if profile == "openai:hf-mistral":
            ids = [call["id"] for call in calls]
            assert all(re.fullmatch("[A-Za-z0-9]{9}", one) for one in ids) and len(set(ids)) == len(ids)
            assert [one["tool_call_id"] for one in made if one["role"] == "tool"] == ids
        if profile == "openai:hf-vision":
            assert all(isinstance(one["content"], list) for one in made if one["role"] != "tool")
        said = [one for one in told(messages) if one[0] in ("look", "sum_up", "tool")]
        assert sorted(map(repr, said)) == sorted(
            repr(one) for one in told(made) if one[0] in ("look", "sum_up", "tool")
        )
        back = tw.convert({"messages": made}, profile, source=profile)
        assert (back.payload, (*back.receipt,)) == ({"messages": made}, ())
