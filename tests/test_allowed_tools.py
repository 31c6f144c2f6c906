"""A choice among some of the tools: in the form of each format that has one, as the choice of one tool where that is
all, and told where the target cannot limit it."""

import itertools
import pickle

import pytest
import turnwire as tw
from judges import gemini_interactions, wire

GO = {"role": "user", "content": "go"}
NOTHING = {"type": "object", "properties": {}}


def chat(mode, *names):
    tools = [{"type": "function", "function": {"name": name}} for name in names]
    return {"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": tools}}


def responses(mode, *names):
    return {"type": "allowed_tools", "mode": mode, "tools": [{"type": "function", "name": name} for name in names]}


def gemini(mode, *names):
    word = "ANY" if mode == "required" else "VALIDATED"
    return {"functionCallingConfig": {"mode": word, "allowedFunctionNames": [*names]}}


def interactions(mode, *names):
    return {"tool_choice": {"allowed_tools": {"mode": "any" if mode == "required" else "auto", "tools": [*names]}}}


FORMS = {
    "openai": ("tool_choice", chat),
    "openai-responses": ("tool_choice", responses),
    "gemini": ("toolConfig", gemini),
    "gemini-interactions": ("generation_config", interactions),
}
OTHERS = ("anthropic", "bedrock", "mistral", "cohere")


def tools(source, *names):
    if source == "gemini":
        return [{"functionDeclarations": [{"name": name, "parametersJsonSchema": NOTHING} for name in names]}]
    if source == "openai":
        return [{"type": "function", "function": {"name": name, "parameters": NOTHING}} for name in names]
    return [{"type": "function", "name": name, "parameters": NOTHING} for name in names]


LISTS = {
    "openai": ("messages", [GO]),
    "openai-responses": ("input", [GO]),
    "gemini": ("contents", [{"role": "user", "parts": [{"text": "go"}]}]),
    "gemini-interactions": ("input", [{"type": "user_input", "content": [{"type": "text", "text": "go"}]}]),
}


def body(source, choice, *names):
    key, messages = LISTS[source]
    place, form = FORMS[source]
    return {key: messages, "tools": tools(source, *names), place: form(*choice)}


def refused(target, payload):
    if target == "gemini-interactions":
        return [str(problem) for problem in gemini_interactions.check(payload)]
    return wire.refused(target, payload)


PAIRS = [(source, target) for source, target in itertools.product(FORMS, FORMS) if source != target]


@pytest.mark.parametrize("mode", ["auto", "required"])
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_each_form_becomes_the_others(source, target, mode):
    given = body(source, (mode, "a", "b"), "a", "b", "c")
    made = tw.prepare(given, target, source=source)
    place, form = FORMS[target]
    assert made.payload[place] == form(mode, "a", "b")
    # Gemini's word says one thing more: that arguments follow the schema.
    told = [change.path for change in made.receipt if change.kind == "lost"]
    assert told == (["$.toolConfig.functionCallingConfig.mode"] if (source, mode) == ("gemini", "auto") else [])
    assert not refused(target, made.payload)
    assert not tw.check(made.payload, target)
    back = tw.prepare(made.payload, source, source=target)
    assert back.payload[FORMS[source][0]] == given[FORMS[source][0]]


@pytest.mark.parametrize("source", FORMS)
def test_at_home_it_stays(source):
    given = body(source, ("auto", "a", "b"), "a", "b", "c")
    made = tw.prepare(given, source, source=source)
    assert made.payload == given
    assert not made.receipt


@pytest.mark.parametrize("mode", ["auto", "required"])
@pytest.mark.parametrize("target", OTHERS)
@pytest.mark.parametrize("source", FORMS)
def test_who_has_no_form_leaves_all_to_choose_from_and_says_so(source, target, mode):
    made = tw.prepare(body(source, (mode, "a", "b"), "a", "b", "c"), target, source=source)
    plain = {"openai": mode, "openai-responses": mode, "gemini": None, "gemini-interactions": None}[source]
    lost = [change for change in made.receipt if change.code == "tool_choice" and change.kind == "lost"]
    assert [change.path for change in lost] == ["$." + places(source)]
    assert not refused(target, made.payload)
    if plain:
        same = tw.prepare({**body(source, (mode, "a"), "a", "b", "c"), "tool_choice": plain}, target, source=source)
        assert same.payload == made.payload


def places(source):
    below = {"gemini": "toolConfig.functionCallingConfig", "gemini-interactions": "generation_config.tool_choice"}
    return below.get(source, "tool_choice")


@pytest.mark.parametrize("target", ["anthropic", "bedrock", "mistral"])
@pytest.mark.parametrize("source", ["openai", "openai-responses"])
def test_one_that_must_be_called_is_the_chosen_tool(source, target):
    made = tw.prepare(body(source, ("required", "a"), "a", "b"), target, source=source)
    choice = made.payload["toolConfig"]["toolChoice"] if target == "bedrock" else made.payload["tool_choice"]
    assert "'a'" in str(choice)
    assert not [change for change in made.receipt if change.kind == "lost"]


def test_the_members_of_a_group():
    group = {"type": "namespace", "name": "g", "description": "d", "tools": tools("openai-responses", "a")}
    choice = {
        "type": "allowed_tools",
        "mode": "auto",
        "tools": [{"type": "function", "name": "a", "namespace": "g"}, {"type": "function", "name": "b"}],
    }
    given = {"input": [GO], "tools": [group, *tools("openai-responses", "b", "c")], "tool_choice": choice}
    for target in ("openai", "gemini", "gemini-interactions"):
        place, form = FORMS[target]
        assert tw.prepare(given, target, source="openai-responses").payload[place] == form("auto", "g__a", "b")


def test_a_tool_that_is_not_there_is_told():
    made = tw.prepare(body("openai", ("auto", "a", "gone"), "a", "b"), "gemini", source="openai")
    assert made.payload["toolConfig"] == gemini("auto", "a")
    assert [change.code for change in made.receipt if change.kind == "lost"] == ["tool_choice"]
    made = tw.prepare(body("openai", ("auto", "gone"), "a", "b"), "gemini", source="openai")
    assert made.payload["toolConfig"] == {"functionCallingConfig": {"mode": "AUTO"}}
    assert [change.code for change in made.receipt if change.kind == "lost"] == ["tool_choice"]


@pytest.mark.parametrize(
    "choice",
    [
        {"type": "allowed_tools"},
        {"type": "allowed_tools", "allowed_tools": 1},
        {"type": "allowed_tools", "allowed_tools": {"mode": "sometimes", "tools": []}},
        {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [1, None]}},
        {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [{"type": "mcp", "server_label": "x"}]}},
        {"type": "allowed_tools", "mode": "auto", "tools": "a"},
    ],
)
@pytest.mark.parametrize("source", ["openai", "openai-responses"])
def test_what_says_something_else_is_lost_and_told(source, choice):
    key, messages = LISTS[source]
    given = {key: messages, "tools": tools(source, "a", "b"), "tool_choice": choice}
    for target in ("gemini", "anthropic"):
        made = tw.prepare(given, target, source=source)
        assert [change.code for change in made.receipt if change.kind == "lost"] == ["tool_choice"]


def test_half_a_character_in_a_name():
    given = body("openai", ("auto", "a\ud800", "b"), "a\ud800", "b", "c")
    made = tw.prepare(given, "gemini", source="openai")
    names = made.payload["toolConfig"]["functionCallingConfig"]["allowedFunctionNames"]
    declared = [one["name"] for one in made.payload["tools"][0]["functionDeclarations"]]
    assert names == declared[:2]


@pytest.mark.parametrize("row", ["openai:compatible", "openai:glm", "openai:deepseek", "openai+custom_tools=no"])
def test_a_server_that_knows_only_functions(row):
    for source in ("openai", "openai-responses", row):
        given = body(
            "openai-responses" if source == "openai-responses" else "openai", ("auto", "a", "b"), "a", "b", "c"
        )
        made = tw.prepare(given, row, source=source)
        assert "allowed_tools" not in str(made.payload)
        told = [change for change in made.receipt if change.code == "tool_choice"]
        assert "some of the tools" in told[0].reason
        assert tw.prepare(made.payload, row, source=row).payload == made.payload
        if source == row:
            assert [one.code for one in tw.check(given, row) if one.severity == "error"] == ["tool_choice"]


def test_it_survives_a_pickle_and_a_ledger():
    given = body("openai", ("required", "a", "b"), "a", "b", "c")
    kept = pickle.loads(pickle.dumps(tw.Conversation.parse(given, "openai")))
    assert kept.render("gemini").payload["toolConfig"] == gemini("required", "a", "b")
