"""Every error code can occur: each is raised here, or says why no test can raise it."""

import gzip
import pickle
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest
import turnwire as tw
from turnwire import batch

THOUGHT = [{"role": "assistant", "content": "x", "reasoning_content": "y"}]
ANSWERED = [
    {
        "role": "assistant",
        "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
    },
    {"role": "tool", "tool_call_id": "a", "content": "r"},
    {"role": "user", "content": "q"},
]


class Grows:
    """An SDK object that changes its own dict while it is read."""

    def __init__(self, home):
        self.home = home

    def to_dict(self):
        self.home[f"new {len(self.home)}"] = 1
        return {}


def change_while_read():
    message = {"role": "user", "content": "x"}
    message["extra"] = {"first": 1}
    message["extra"]["grows"] = Grows(message["extra"])
    tw.convert([message], "openai", source="openai")


def history_of_a_film():
    film = tw.Media(url="https://example.org/film.mp4", media_type="video/mp4")
    result = tw.ToolUseResult("id", [tw.parts.ToolUseResultBlock.Media(film)])
    tw.spec.UserMessage.new_tool_use_results([result]).into_history_entry()


def finished():
    stream = tw.StreamAssembler("openai")
    stream.finish()
    return stream


def defined(schema):
    return {"type": "function", "function": {"name": "f", "parameters": schema}}


def build(messages, tools=()):
    body = {"messages": messages, "tools": tools} if tools else messages
    tw.spec.MessageBuilder().set_messages(body).set_budget(100).build("anthropic")


def damaged_file():
    with tempfile.TemporaryDirectory() as home:
        Path(home, "in.gz").write_bytes(gzip.compress(b"[]")[:-1])
        batch.convert_file(Path(home, "in.gz"), Path(home, "out"), "openai", source="openai")


def bad_count():
    messages = [{"role": "user", "content": "q"}]
    tw.spec.MessageBuilder().set_messages(messages).set_budget(tw.Budget(max_tokens=1, count=lambda text: -1)).build()


def stored(use):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "history.jsonl"
        with tw.MessageHistory.open(path) as history:
            history.add_user_message("x")
            use(history, path)


def write_after_close(history, path):
    history.close()
    history.add_user_message("y")


def open_what_is_none(history, path):
    Path(f"{path}.txt").write_bytes(b"{}\n")
    tw.MessageHistory.open(f"{path}.txt")


def id_twice():
    with tempfile.TemporaryDirectory() as home:
        line = '{"key": "a", "request": {"contents": [{"role": "user", "parts": [{"text": "x"}]}]}}'
        Path(home, "in").write_text(f"{line}\n{line}\n", encoding="utf-8")
        batch.convert_batch(Path(home, "in"), Path(home, "out"), "gemini", stop=True)


def no_result():
    with tempfile.TemporaryDirectory() as home:
        line = '{"key": "a", "request": {"contents": [{"role": "user", "parts": [{"text": "x"}]}]}}'
        Path(home, "in").write_text(f"{line}\n", encoding="utf-8")
        list(batch.read_batch_results([], Path(home, "in"), stop=True))


RAISED = {
    "negative_budget": lambda: tw.truncate("text", -1),
    "negative_size": lambda: tw.text.split_budget([-1], 10),
    "unknown_option": lambda: tw.truncate("text", 1, keep="tial"),
    "bad_timestamp": lambda: tw.spec.UserMessage.new_prompt("x", "yesterday"),
    "refused": history_of_a_film,
    "wrong_argument": lambda: tw.truncate(b"text", 1),
    "not_json": lambda: tw.convert_json(
        [{"role": "user", "content": "x", "n": float("nan")}], "openai", source="openai"
    ),
    "invalid_json": lambda: tw.convert_json(b"[", "openai", source="openai"),
    "torn_json": lambda: tw.convert({"gen_ai.input.messages": "[{"}, "openai", source="otel"),
    "too_deep": lambda: tw.convert_json(b"[" * 300 + b"]" * 300, "openai", source="openai"),
    "wrong_type": lambda: tw.convert(5, "openai", source="openai"),
    "missing_key": lambda: tw.convert([{}], "openai", source="openai"),
    "unknown_role": lambda: tw.convert([{"role": "robot"}], "openai", source="openai"),
    "wrong_dialect": lambda: tw.convert([{"role": "model", "parts": []}], "openai", source="openai"),
    "unknown_dialect": lambda: tw.convert([], "nobody", source="openai"),
    "no_dialect": lambda: tw.detect([]),
    "conflicting_signs": lambda: tw.detect({"role": "model", "tool_calls": []}),
    "mixed_dialects": lambda: tw.detect([{"tool_calls": []}, {"stop_reason": "end_turn"}]),
    "loss": lambda: tw.convert(THOUGHT, "openai:xai", source="openai:deepseek", strict=True),
    "changed_while_read": change_while_read,
    "finished": lambda: finished().finish(),
    "unexpected_chunk": lambda: tw.StreamAssembler("anthropic").feed({"type": "content_block_stop", "index": 7}),
    "empty_messages": lambda: build([]),
    "starts_with_assistant": lambda: build([{"role": "assistant", "content": "hi"}, {"role": "user", "content": "q"}]),
    "no_user": lambda: tw.prepare([{"role": "assistant", "content": "hi"}], "openai:qwen", source="openai"),
    "user_after_result": lambda: tw.prepare(ANSWERED, "openai:compatible+user_after_result=no", source="openai"),
    "ends_with_assistant": lambda: build([{"role": "user", "content": "q"}, {"role": "assistant", "content": "hi"}]),
    "unsendable": lambda: build([{"role": "user", "content": "q"}], [defined({"type": "array"})]),
    "budget_too_small": lambda: build([{"role": "system", "content": "s" * 101}, {"role": "user", "content": "q"}]),
    "out_of_range": lambda: tw.spec.MessageBuilder().set_messages([{"role": "user", "content": "q"}], pinned=[1]),
    "conflicting_options": lambda: tw.Budget(1, max_tokens=1, count=len),
    "bad_count": bad_count,
    "damaged_file": damaged_file,
    "wrong_id": id_twice,
    "no_result": no_result,
    "bad_state": lambda: tw.Ledger.load(b"{}"),
    "ledger_full": lambda: tw.Ledger("openai", 1, on_full="error").prepare([{"role": "user", "content": "abc"}]),
    "history_locked": lambda: stored(lambda history, path: tw.MessageHistory.open(path)),
    "history_closed": lambda: stored(write_after_close),
    "bad_history": lambda: stored(open_what_is_none),
    "not_stored": lambda: stored(lambda history, path: tw.MessageHistory.open(path.parent)),
}

# The paths of these; all others are about the whole payload, or about no payload at all.
PATHS = {
    "refused": "$.tool_use_results[0].content[0]",
    "not_json": "$[0].n",
    "invalid_json": "$[0]",
    "too_deep": "$" + "[0]" * tw.constants.MAX_DEPTH,
    "torn_json": '$["gen_ai.input.messages"]',
    "missing_key": "$[0]",
    "unknown_role": "$[0].role",
    "wrong_dialect": "$[0].role",
    "wrong_id": "$.key",
    "mixed_dialects": "$[1]",
    "loss": "$[0].reasoning_content",
    "changed_while_read": "$[0].extra",
    "starts_with_assistant": "$[0]",
    "no_user": "$[0]",
    "user_after_result": "$[2]",
    "ends_with_assistant": "$[1]",
    "unsendable": "$.tools[0].function.parameters.type",
    "unexpected_chunk": "$.index",
}

# No test can use up a machine's memory, or four GiB of JSON: core tests cover those checks. The last two are the
# builder's own proof: its pairing leaves no such result.
NEVER = {"no_memory", "too_large", "leading_tool_result", "orphan_tool_result"}


def test_every_code_is_accounted_for():
    listed = [*RAISED, *NEVER]
    assert len(listed) == len(set(listed))
    assert set(tw.codes.ERRORS) == set(listed)


@pytest.mark.parametrize("code", RAISED)
def test_code_is_raised(code):
    kind, meaning = tw.codes.ERRORS[code]
    assert meaning.endswith(".")
    with pytest.raises(kind) as caught:
        RAISED[code]()
    # An error about an argument is a subclass that has its name.
    assert caught.type is kind or caught.type.__base__ is kind is TypeError
    if issubclass(kind, tw.TurnwireError):
        assert caught.value.code == code
        assert caught.value.path == PATHS.get(code, "$")
        assert caught.value.dialect is None or caught.value.dialect in str(caught.value)


@pytest.mark.parametrize("code", tw.codes.ERRORS)
def test_every_code_has_an_exception(code):
    kind, _ = tw.codes.ERRORS[code]
    assert issubclass(kind, (tw.TurnwireError, TypeError, MemoryError))


def test_the_tree():
    assert issubclass(tw.TurnwireError, ValueError)
    for name in ("ParseError", "RenderError", "BuildError", "UnknownDialectError"):
        assert getattr(tw, name).__bases__ == (tw.TurnwireError,)


def test_an_error_survives_pickling():
    with pytest.raises(tw.TurnwireError) as caught:
        tw.truncate("text", -1)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (type(copy), str(copy)) == (tw.TurnwireError, str(caught.value))
    assert (copy.code, copy.path, copy.dialect) == (caught.value.code, caught.value.path, caught.value.dialect)


ASKED = [{"role": "user", "content": "q"}]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        # The keys that are there: one of them may be misspelled.
        (
            lambda: tw.prepare([{"role": "user", "contnet": "q"}], "openai"),
            'got an object with the keys "role", "contnet"',
        ),
        (
            lambda: tw.prepare([{"content": "q"}], "openai"),
            'expected the key "role", got an object with the key "content"',
        ),
        (lambda: tw.prepare({}, "openai"), "the dialect of an empty object"),
        (lambda: tw.prepare([{"x" * 99: 1, "content": "q"}], "openai"), f'"{"x" * 40}", "content"'),
        (lambda: tw.prepare(ASKED, "openai", tools=[{"description": "d"}]), 'got an object with the key "description"'),
        # A function is not a tool, and the path leads to it.
        (lambda: tw.prepare(ASKED, "openai", tools=[len]), "name, description and parameters - at `$.tools[0]`"),
        # A suggestion comes without the list of all names.
        (
            lambda: tw.prepare(ASKED, "claude"),
            'no dialect is called "claude": did you mean "anthropic"? [unknown_dialect]',
        ),
        (lambda: tw.prepare(ASKED, "vllm"), 'did you mean "openai:compatible"? [unknown_dialect]'),
        (
            lambda: tw.prepare(ASKED, "klingon"),
            'no dialect is called "klingon": providers are openai, ',
        ),
        (lambda: tw.prepare(ASKED, "openai", 10, pinned=[9]), "there is 1 message, counted from 0"),
        (lambda: tw.prepare(ASKED[0], "openai"), "which is one message: put it into a list"),
    ],
)
def test_a_message_leads_to_the_mistake(call: Callable[[], object], said: str) -> None:
    with pytest.raises(tw.TurnwireError) as raised:
        call()
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: tw.prepare(ASKED, "openai", "x"), "budget: expected an int, the most bytes, or a Budget, got str"),
        (lambda: tw.prepare(ASKED, "openai", True), "budget: expected an int, the most bytes, or a Budget, got bool"),
        (lambda: tw.prepare(ASKED, 3), "target: expected a str, got int"),
        (
            lambda: tw.prepare(ASKED, "openai", budget=tw.Budget(max_tokens="x", count=len)),
            "max_tokens: expected an int, got str",
        ),
        (
            lambda: tw.prepare(ASKED, "openai", budget=tw.Budget(max_tokens=3, count=3)),
            "count: expected a function, got int",
        ),
        (lambda: tw.prepare(ASKED, "openai", tw.Budget(10, reserve="x")), "reserve: expected a number, got str"),
        (lambda: tw.prepare(ASKED, "openai", wording={"opening": 4}), 'wording["opening"]: expected a str, got int'),
        (lambda: tw.prepare(ASKED, "openai", strict=4), "strict: expected True or False, got int"),
        (lambda: tw.prepare(ASKED, "openai", summary=4), "summary: expected a dict with the summary, got int"),
        (lambda: tw.prepare(ASKED, "openai", budget=tw.Budget(on_cut=4)), "on_cut: expected a function, got int"),
        (
            lambda: tw.prepare(ASKED, "openai", pinned=3),
            "pinned: expected a list of message indices, or a function of a message, got int",
        ),
        (lambda: tw.prepare(ASKED, "openai", pinned=["a"]), "pinned: expected an int, the index of a message, got str"),
        (lambda: tw.prepare(ASKED, "openai", system=[3]), "system: expected a str or a list of str, got int"),
        (lambda: tw.prepare(ASKED, "openai", tools=3), "tools: expected a list of tool definitions, got int"),
        (lambda: tw.convert(ASKED, "openai", source=3), "source: expected a str, got int"),
        (lambda: tw.convert(ASKED, "gemini", source="openai", strict=1), "strict: expected True or False, got int"),
        (lambda: tw.truncate(5), "text: expected a str, got int"),
        (lambda: tw.truncate("a", 3, suffix=4), "suffix: expected a str, got int"),
        (lambda: tw.text.split_budget(4, 3), "sizes: expected a list of ints, got int"),
        (lambda: tw.text.truncate_tool_results([3]), "results: expected [0] to be a ToolUseResult, got int"),
        (lambda: tw.spec.MessageBuilder().set_budget("x"), "max_bytes: expected an int, got str"),
        (lambda: tw.spec.MessageBuilder().set_system_prompts("x"), "prompts: expected a list of str, got one str"),
        (lambda: tw.MessageHistory().window(turns="x"), "turns: expected an int, got str"),
        (lambda: tw.MessageHistory(3), "messages: expected a list, got int; pass the other keys of a body to prepare"),
        (lambda: tw.Turn(3, []), "role: expected a str, got int"),
        (lambda: tw.Turn("user", 3), "parts: expected a str or a list of parts, got int"),
        (lambda: tw.Media(3), "data: expected bytes or base64 text, got int"),
        (lambda: tw.spec.UserMessage.new_prompt(3), "prompt: expected a str, got int"),
        (lambda: tw.StreamAssembler(3), "source: expected a str, got int"),
        (lambda: tw.ToolUseResult("c", None), "content: expected a str, a dict, or a list of blocks, got NoneType"),
    ],
)
def test_a_type_error_names_the_argument(call: Callable[[], object], said: str) -> None:
    with pytest.raises(TypeError) as raised:
        call()
    assert str(raised.value) == said
    assert type(raised.value).__name__ == "TypeError"
    assert "while processing" not in "".join(traceback.format_exception(raised.value))
    again = pickle.loads(pickle.dumps(raised.value))
    assert (type(again), str(again)) == (TypeError, said)
    raised.value.add_note("of mine")
    assert raised.value.__notes__ == ["of mine"]
