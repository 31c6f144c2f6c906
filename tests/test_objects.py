"""Objects that list their own content, and raise while doing so, or change their container."""

import dataclasses
import gc
import json
import pickle
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest
import turnwire as tw

Read = Callable[[object], object]

DOORS: dict[str, Read] = {
    "convert": lambda payload: tw.convert(payload, "anthropic", source="openai"),
    "convert to its own": lambda payload: tw.convert(payload, "openai", source="openai"),
    "convert_json": lambda payload: tw.convert_json(payload, "anthropic", source="openai"),
    "convert_json to its own": lambda payload: tw.convert_json(payload, "openai", source="openai"),
    "parse": lambda payload: tw.Conversation.parse(payload, "openai"),
}


class Dumps:
    """An SDK object that does something while it dumps itself."""

    def __init__(self, act: Callable[[], object], role: str = "user") -> None:
        self.act = act
        self.role = role

    def model_dump(self, **_: object) -> dict[str, Any]:
        self.act()
        return {"role": self.role, "content": "said"}


def thrower(failure: BaseException) -> Callable[[], object]:
    def throw() -> object:
        raise failure

    return throw


USER = {"role": "user", "content": "x"}
# Where an object may be: at the root, in the list, in a message, and in a value that is not read.
PLACES: dict[str, tuple[Callable[[object], object], str]] = {
    "the payload": (lambda one: one, "$"),
    "a message": (lambda one: {"messages": [USER, one]}, "$.messages[1]"),
    "a content": (lambda one: [USER, {"role": "user", "content": one}], "$[1].content"),
    "a part": (lambda one: [{"role": "user", "content": [one]}], "$[0].content[0]"),
    "an unknown key": (lambda one: [USER, {**USER, "extra": {"deep": one}}], "$[1].extra.deep"),
    "a tool": (lambda one: {"messages": [USER], "tools": [one]}, "$.tools[0]"),
    "the tool_choice": (lambda one: {"messages": [USER], "tools": [], "tool_choice": one}, "$.tool_choice"),
    "a role": (lambda one: [{"role": one, "content": "x"}], "$[0].role"),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("failure", [KeyboardInterrupt(), SystemExit(3), MemoryError(), GeneratorExit()], ids=repr)
def test_an_exception_that_is_not_about_the_data_is_passed_on(door: str, place: str, failure: BaseException) -> None:
    payload = PLACES[place][0](Dumps(thrower(failure)))
    with pytest.raises(type(failure)) as raised:
        DOORS[door](payload)
    assert raised.value is failure
    # The next call is not affected.
    assert DOORS[door]([USER])


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("door", DOORS)
def test_any_other_failure_is_the_cause_of_an_error_that_says_where(door: str, place: str) -> None:
    wrap, path = PLACES[place]
    failure = RuntimeError("no session")
    with pytest.raises(tw.TurnwireError, match="no session") as raised:
        DOORS[door](wrap(Dumps(thrower(failure))))
    assert (raised.value.code, raised.value.path) == ("not_json", path)
    assert raised.value.__cause__ is failure
    assert pickle.loads(pickle.dumps(raised.value)).path == path


CHANGES: dict[str, Callable[[list[Any]], object]] = {
    "empties": lambda messages: messages.clear(),
    "takes one": lambda messages: messages.pop(),
    "appends": lambda messages: messages.append(messages[0]),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("at", [0, 1, 2])
@pytest.mark.parametrize("door", DOORS)
def test_a_list_that_changes_while_it_is_read(door: str, change: str, at: int) -> None:
    messages: list[Any] = [USER, USER, USER]
    messages[at] = Dumps(lambda: CHANGES[change](messages))
    with pytest.raises(tw.ParseError) as raised:
        DOORS[door]({"messages": messages})
    assert (raised.value.code, raised.value.path) == ("changed_while_read", "$.messages")


@pytest.mark.parametrize("door", DOORS)
def test_a_key_that_is_no_str_is_an_error(door: str) -> None:
    with pytest.raises(tw.TurnwireError, match="a key of type int") as raised:
        DOORS[door]([USER, {"role": "user", "content": "x", 5: "y"}])
    assert (raised.value.code, raised.value.path) == ("not_json", "$[1]")


def test_an_object_that_calls_turnwire_itself() -> None:
    inner: list[object] = []
    outer = [Dumps(lambda: inner.append(tw.convert([USER], "anthropic", source="openai").payload)), USER]
    assert tw.convert(outer, "openai", source="openai").payload["messages"][0]["content"] == "said"
    assert inner[0] == {"messages": [USER]}


def of_package(package: str) -> object:
    return type("Message", (), {"__module__": f"{package}.messages", "model_dump": lambda *_, **__: {"content": "x"}})()


@pytest.mark.parametrize(
    ("value", "way"),
    [
        (of_package("langchain_core"), "convert_to_openai_messages"),
        (of_package("llama_index"), "to_openai_message_dicts"),
        (of_package("haystack"), "to_openai_dict_format"),
        (of_package("semantic_kernel"), "to_dict"),
        (of_package("pydantic_ai"), "use turnwire.adapters.pydantic_ai"),
        (of_package("autogen_core"), "turnwire.adapters.openai.wrap"),
        ((message for message in [USER]), "pass a list of it"),
        ({"a", "b"}, "pass a list of it"),
        (Path("run.json"), "pass its content: path.read_bytes()"),
    ],
    ids=[
        "langchain_core",
        "llama_index",
        "haystack",
        "semantic_kernel",
        "pydantic_ai",
        "autogen",
        "generator",
        "set",
        "path",
    ],
)
def test_errors_name_the_way_out(value: object, way: str) -> None:
    for door in DOORS.values():
        for payload in (value, [value]):
            with pytest.raises(tw.TurnwireError, match=way):
                door(payload)
    for take in (lambda: tw.Conversation([value]), lambda: tw.Turn("user", [value])):  # type: ignore[list-item]
        with pytest.raises(TypeError, match=way):
            take()


class Answers:
    """The dump of a caller's own model: all of it, only what was set, or only what is not None."""

    model_fields_set = frozenset({"city", "unit"})

    def model_dump(self, *, exclude_unset: bool = False, exclude_none: bool = False, **_: object) -> dict[str, Any]:
        every = {"city": "Oslo", "unit": None, "days": 1, "note": None, "near": [{"a": None}]}
        return {
            key: value
            for key, value in every.items()
            if not (exclude_unset and key not in self.model_fields_set) and not (exclude_none and value is None)
        }


SAID = {"city": "Oslo", "unit": None, "days": 1, "near": [{"a": None}]}


def own_models() -> list[tuple[object, dict[str, Any]]]:
    """Models that belong to no SDK, and their dumps."""
    models: list[tuple[object, dict[str, Any]]] = [(Answers(), SAID)]
    try:
        import pydantic
    except ImportError:
        return models

    class Place(pydantic.BaseModel):
        name: str = "here"
        note: str | None = None

    class Query(pydantic.BaseModel):
        text: str | None = pydantic.Field(alias="Text")
        limit: int | None = None
        kind: str = "all"
        near: list[Place] = []
        more: dict[str, Any] = {}
        home: Place = Place()

    near = [{"name": "n", "note": None}, {"name": "here"}]
    said = {"Text": None, "kind": "all", "near": near, "more": {"x": None}, "home": {"name": "here"}}
    query = Query(Text=None, near=[Place(name="n", note=None), Place()], more={"x": None})
    return [*models, (query, said)]


@pytest.mark.parametrize(("model", "said"), own_models(), ids=lambda one: type(one).__name__)
def test_a_none_that_was_set_stays_in_arguments_and_results(model: object, said: dict[str, Any]) -> None:
    use = {"type": "tool_use", "id": "c", "name": "f", "input": model}
    result = {"type": "tool_result", "tool_use_id": "c", "tool_name": "f", "content": model}
    messages = [{"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]
    payload = tw.convert(messages, "history", source="history").payload
    assert payload[0]["content"][0]["input"] == said
    assert payload[1]["content"][0]["content"] == said
    assert list(payload[0]["content"][0]["input"]) == list(said)
    call = tw.convert(messages, "openai", source="history").payload["messages"][0]["tool_calls"][0]
    assert json.loads(call["function"]["arguments"]) == said
    typed: Any = model
    assert tw.parts.AssistantToolUse("c", "f", typed).args == said


def test_a_none_of_an_sdk_object_is_what_was_never_said() -> None:
    anthropic = pytest.importorskip("anthropic.types")
    text = anthropic.TextBlock(type="text", text="x", citations=None)
    (message,) = tw.convert([{"role": "user", "content": [text]}], "anthropic", source="anthropic").payload["messages"]
    assert message["content"] == [{"type": "text", "text": "x"}]


@dataclasses.dataclass
class Block:
    """A block of an SDK that has no pydantic models."""

    type: str
    text: str | None = None
    id: str | None = None
    name: str | None = None
    input: dict[str, Any] | None = None
    tool_use_id: str | None = None
    content: list[Any] | None = None


@dataclasses.dataclass
class Marked(Block):
    """An object with attributes that are not fields: of the class, and of its construction."""

    known: ClassVar[list[object]] = [object()]
    source: dataclasses.InitVar[object] = None


@dataclasses.dataclass
class Said:
    """A message of this SDK."""

    role: str
    content: list[Block] | str


@pytest.mark.parametrize("target", ["anthropic", "openai", "gemini"])
def test_a_dataclass_is_its_fields(target: str) -> None:
    given = [
        Said("user", [Marked("text", "q", source=object())]),
        Said("assistant", [Block("text", "a"), Block("tool_use", id="c", name="f", input={"x": None})]),
        Said("user", [Block("tool_result", tool_use_id="c", content=[Block("text", "r")])]),
    ]
    plain = [
        {"role": "user", "content": [{"type": "text", "text": "q"}]},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "a"},
                {"type": "tool_use", "id": "c", "name": "f", "input": {"x": None}},
            ],
        },
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "c", "content": [{"type": "text", "text": "r"}]}],
        },
    ]
    assert tw.detect(given) == tw.detect(plain) == "anthropic"
    assert tw.prepare(given, target).payload == tw.prepare(plain, target).payload
    assert tw.prepare_json(given, target).payload == tw.prepare_json(plain, target).payload


def is_freed(holds: Callable[[Any], object]) -> bool:
    """Whether the collector frees an object that holds one of ours, which holds it."""

    class Agent:
        held: object

        def count(self, text: str) -> int:
            return len(text)

    agent = Agent()
    agent.held = holds(agent)
    known = weakref.ref(agent)
    del agent
    gc.collect()
    return known() is None


def with_itself(made: Any, agent: Any) -> Any:
    made.payload["agent"] = agent
    return made


def test_whoever_holds_a_builder_that_counts_by_it_is_freed() -> None:
    assert is_freed(lambda agent: tw.spec.MessageBuilder().set_budget(tw.Budget(max_tokens=10, count=agent.count)))


def test_whoever_holds_a_payload_that_holds_it_is_freed() -> None:
    assert is_freed(lambda agent: with_itself(tw.prepare([{"role": "user", "content": "q"}], "openai"), agent))
    reply = {"choices": [{"index": 0, "message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}]}
    assert is_freed(lambda agent: with_itself(tw.replies.convert_reply(reply, "anthropic", source="openai"), agent))
