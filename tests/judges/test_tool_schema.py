"""The judge of tool definitions: each rule refuses its example and accepts the neighbour."""

import pytest

from judges.tool_schema import LIST_RULES, RULES, WORDS, check, check_list, ignored
from judges.tool_schema.keywords import OBJECT, TEXT, props


def deep(levels):
    schema = TEXT
    for _ in range(levels):
        schema = {**props(a=schema), "required": ["a"], "additionalProperties": False}
    return schema


def tool_of(rule, target, example):
    if isinstance(example, dict) and "name" in example:
        tool = dict(example)
    else:
        tool = {"name": "f", "parametersJsonSchema" if target == "gemini" else "parameters": example}
    if rule.code == "name":
        tool["parametersJsonSchema" if target == "gemini" else "parameters"] = OBJECT
    return tool


EACH = [pytest.param(rule, target, id=f"{rule.name}-{target}") for rule in RULES for target in rule.targets]


@pytest.mark.parametrize(("rule", "target"), EACH)
def test_a_rule_refuses_its_example_and_accepts_the_neighbour(rule, target):
    said = ignored if rule.drops else check
    bad = deep(11) if rule.code == "strict-depth" else rule.bad
    assert rule.code in [code for code, *_ in said(target, tool_of(rule, target, bad))]
    found = [code for code, *_ in said(target, tool_of(rule, target, rule.good))]
    # An example of a name has the simplest schema, which strict targets refuse for other reasons.
    assert rule.code not in found if rule.code == "name" else found == []


def optional(count):
    return {"name": "f", "strict": True, "input_schema": props(**{f"p{at}": TEXT for at in range(count)})}


def strict(**schema):
    return [{"name": "f", "strict": True, "parameters": {"type": "object", **schema}}]


LISTS = {
    "openai.count": ("openai", [{"name": f"f{at}"} for at in range(129)]),
    "gemini.count": ("gemini", [{"name": f"f{at}"} for at in range(129)]),
    "openai.same-name": ("anthropic", [{"name": "f"}, {"name": "f"}]),
    "anthropic.strict-tools": ("anthropic", [{"name": f"f{at}", "strict": True} for at in range(21)]),
    "anthropic.strict-optional": ("anthropic", [optional(25)]),
    "openai-strict.strict-properties": (
        "openai-strict",
        strict(properties={f"p{at}": TEXT for at in range(5001)}),
    ),
    "openai-strict.strict-enums": ("openai-strict", strict(properties={"a": {"enum": list(range(1001))}})),
}


def test_each_limit_of_a_list_has_an_example():
    assert set(LISTS) == {rule.name for rule in LIST_RULES}


@pytest.mark.parametrize("name", LISTS)
def test_a_list_beyond_a_limit_is_refused(name):
    target, tools = LISTS[name]
    code = name.partition(".")[2]
    assert code in [found for found, *_ in check_list(target, tools)]
    assert check_list(target, [{"name": "f"}, {"name": "g"}]) == []


def test_the_page_has_the_words_of_each_rule():
    assert set(WORDS) == {rule.name for rule in [*RULES, *LIST_RULES]}
