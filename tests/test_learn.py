"""What a server's refusal teaches about its row: each text its column, and no other text anything."""

import json
import re
from typing import Any

import pytest
import turnwire as tw
from turnwire.answers.said import _in_order, known
from turnwire.lessons import lesson_of
from turnwire.lessons.guards import GUARDS
from turnwire.lessons.lines import bases
from turnwire.lessons.narrow import _ORDERS
from turnwire.lessons.rows import Row, causes, find, request_of, rows
from turnwire.lessons.said_texts import texts_of

Json = dict[str, Any]

ROWS = {row.name: row for row in rows()}
TEXTS = [
    pytest.param(row, text, id=f"{row.name}-{at}")
    for row in rows()
    for at, text in enumerate([*row.texts, *(one.text for one in known() if row.pattern.search(one.text))])
]
# Rows that have no shipped base: their refusals come where a program has stated a wider row.
WIDER = {"ids-length": "openai+ids=any", "media-result": "openai+images_in_results=yes"}
NOTHING = [
    ("GLM says it of everything", "The messages parameter is illegal. Please check the documentation."),
    ("GLM says it of everything", "Invalid API parameter, please check the documentation."),
    ("SiliconFlow says it of everything", '"messages" in request are illegal.'),
    ("a bug of the caller", "Invalid parameter: tool_choice is required when tools are present"),
    ("a bug of the caller", "invalid tool_choice: function name 'nope' not found in tools"),
    ("a bug of the caller", "max_tokens must be at least 1, got -853. (parameter=max_tokens, value=-853)"),
    (
        "empty",
        "{'type': 'extra_forbidden', 'loc': ['body', 'tools'], 'msg': 'Extra inputs are not permitted', 'input': []}",
    ),
    ("a flag of the server", '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
    (
        "the address",
        "The requested model is not accessible via the /chat/completions endpoint. unsupported_api_for_model",
    ),
    (
        "pairs",
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
    ),
    ("pairs", "invalid params, tool result's tool id(call_function_x_1) not found (2013)"),
    ("the length", "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens"),
    (
        "the prefix changed",
        "messages.3.content.0: Invalid `signature` in `thinking` block. The `system` prompt or the `tools` list "
        "differs from the one this block was created with",
    ),
    (
        "bound to another conversation",
        "messages.4.content.0: Invalid `signature` in `thinking` block. The block is "
        "bound to a different conversation.",
    ),
    (
        "a block of another provider",
        "Invalid value: 'tool_use'. Supported values are: 'text', 'image_url', 'input_audio', 'refusal', 'audio', "
        "and 'file'.",
    ),
    ("a bug of the caller", "* GenerateContentRequest.contents[1].parts: contents.parts must not be empty."),
    ("text beside calls", "Assistant message must have either content or tool_calls, but not both."),
    ("the rate", "Rate limit reached for model in organization on tokens per minute"),
    ("the model", "model not found"),
    ("what the user said", "Invalid prompt: your prompt was flagged"),
    (
        "the last message",
        "Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant",
    ),
    ("a key of the caller", "messages.65.content.1.tool_use.text: Extra inputs are not permitted"),
]


def wrappers(text: str) -> list[object]:
    """A server's text as programs meet it."""
    body = {"error": {"message": text, "type": "invalid_request_error", "param": None, "code": None}}
    twice = {"error": {"message": json.dumps(body), "code": 400}}
    return [
        text,
        text.encode(),
        body,
        json.dumps(body),
        json.dumps(body).encode(),
        [body],
        {"message": text, "request_id": "req_1"},
        {"object": "error", "message": text, "code": 400},
        {"detail": text},
        f"Error code: 400 - {body}",
        f"litellm.BadRequestError: OpenAIException - Error code: 400 - {body}",
        f"litellm.BadRequestError: OpenAIException - {json.dumps(body)}. Received Model Group=m\nAvailable Model Group "
        "Fallbacks=None",
        twice,
        f"Error code: 400 - {twice}",
        {"error": {"message": f"upstream said: {json.dumps(twice)}"}},
        RuntimeError(text),
        RefusedError(400, body),
        RefusedError(422, body["error"]),
    ]


class RefusedError(Exception):
    """As the SDKs raise it: the body is an object, and `str()` prints it with escapes."""

    def __init__(self, status: int, body: object) -> None:
        super().__init__(f"Error code: {status} - {body}")
        self.status_code, self.body, self.message = status, body, f"Error code: {status} - {body}"


def bodies(row: Row) -> Json:
    made: Json = json.loads(request_of(row))
    return made


def changes(row: Row, base: str, lesson: tw.Lesson) -> bool:
    """Whether what the lesson teaches changes what is written of the row's own example."""
    body, source = bodies(row), base.partition("+")[0]
    wire = source.partition(":")[0]
    options: Json = {"source": wire, "settings": "convert", "wording": {"opening": "Go on.", "bridge": "OK."}}
    before, after = (tw.prepare(body, target, **options).payload for target in (base, lesson.server))
    return bool(before != after)


@pytest.mark.parametrize(("row", "text"), TEXTS)
def test_a_text_matches_its_row_however_it_is_wrapped(row: Row, text: str) -> None:
    for error in wrappers(text):
        found = find(texts_of(error))
        assert found is not None and found.row is row, error
    assert [one.name for one in rows() if one.pattern.search(text)] == [row.name]


@pytest.mark.parametrize(("row", "text"), TEXTS)
def test_other_ids_and_indices_change_nothing(row: Row, text: str) -> None:
    other = re.sub(r"(?<=messages[.\[])\d+|(?<=input\[)\d+|(?<=tools[.\[])\d+|(?<='messages', )\d+", "17", text)
    other = re.sub(r"call_\w+|rs_\d+", "call_OTNdB9", other)
    for error in wrappers(other):
        found = find(texts_of(error))
        assert found is not None and found.row is row, error


@pytest.mark.parametrize(("why", "text"), NOTHING)
def test_other_texts_teach_nothing(why: str, text: str) -> None:
    assert len(NOTHING) == 22
    for error in wrappers(text):
        assert find(texts_of(error)) is None, why


def test_the_table_is_whole() -> None:
    assert len(TEXTS) >= 152
    assert len({row.name for row in rows()}) == len(rows()) >= 110
    assert {row.guard for row in rows()} == GUARDS.keys()
    assert {row.column for row in rows()} - {None} == causes().keys()
    assert all(row.seen or row.source or any(row.pattern.search(one.text) for one in known()) for row in rows())
    assert all((row.column is None) == (row.rule is not None) for row in rows())


def test_no_text_stands_in_two_places() -> None:
    own = [_in_order(text) for row in rows() for text in row.texts]
    others = {_in_order(one.text) for one in known()}
    assert [text for text in own if text in others] == []
    assert len({text for row in rows() for text in row.texts}) == len(own)


@pytest.mark.parametrize("name", ROWS)
def test_what_a_text_teaches_changes_its_own_example(name: str) -> None:
    row = ROWS[name]
    texts = [param.values[1] for param in TEXTS if param.values[0] is row]
    for text in texts:
        for base in [WIDER[name]] if name in WIDER else bases(row):
            lesson = tw.learn(base, text, bodies(row))
            if lesson is None:
                continue
            assert lesson.certain and lesson.text and lesson.kind in (row.kind, row.one_tool)
            if row.rule is not None:
                assert (lesson.column, lesson.rule, lesson.server) == (None, row.rule, base)
                return
            assert lesson.server.row[lesson.column or ""] == lesson.value != lesson.was
            if changes(row, base, lesson):
                # What is learned is not learned again.
                assert tw.learn(lesson.server, text, bodies(row)) is None
                return
    pytest.fail(f"no text of {name} changes its example")


@pytest.mark.parametrize("name", ROWS)
def test_the_guard_has_to_hold(name: str) -> None:
    row = ROWS[name]
    text = next(param.values[1] for param in TEXTS if param.values[0] is row)
    plain = {"model": "m", "messages": [{"role": "user", "content": "Hello"}]}
    if row.wire == "openai-responses":
        plain = {"model": "m", "input": [{"type": "message", "role": "user", "content": "Hello"}]}
    for base in [WIDER[name]] if name in WIDER else bases(row):
        assert tw.learn(base, text, plain) is None


def test_a_lesson_says_all_there_is() -> None:
    body = {"model": "m", "messages": [{"role": "developer", "content": "Be brief."}, {"role": "user", "content": "q"}]}
    lesson = tw.learn("openai", "Unexpected message role.", body)
    assert lesson is not None
    assert (lesson.column, lesson.value, lesson.was, lesson.setting, lesson.rule) == (
        "developer",
        False,
        True,
        None,
        None,
    )
    assert (lesson.kind, lesson.model, lesson.certain) == ("shape", None, True)
    assert lesson.server == "openai+developer=no"
    assert lesson.text == "Unexpected message role." and lesson.seen == ("kubernetes-sigs/inference-perf#553",)
    assert str(lesson) == 'server("…", base="openai", developer=False)  # "Unexpected message role."'
    # The line is Python, and states the row.
    assert eval(str(lesson).replace("…", "lab-of-learn"), {"server": tw.server}) == lesson.server
    without = tw.learn("openai", "Unexpected message role.")
    assert without is not None and not without.certain and without.server == lesson.server


def test_a_lesson_about_one_model_is_for_that_one() -> None:
    text = "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is."
    body = {"model": "o9", "temperature": 0.2, "messages": [{"role": "user", "content": "q"}]}
    lesson = tw.learn("openai:compatible", text, body)
    assert lesson is not None
    assert (lesson.model, lesson.setting, lesson.kind) == ("o9", "temperature", "setting")
    line = str(lesson).partition("  #")[0]
    assert line == 'server("…", base="openai:compatible", models={"o9": {"refuses": ("temperature",)}})'
    made = eval(line.replace("…", "lab-of-models"), {"server": tw.server})
    assert made.for_model("o9") == lesson.server and made.for_model("o8") == "openai:compatible"
    # The row of a model is the one that is narrowed.
    assert tw.learn(made, text, body) is None
    assert tw.learn(made, text, {**body, "model": "o8"}) is not None


def test_a_short_name_stays_in_the_line() -> None:
    lab = tw.server("lab-named", base="openai:compatible", system="first")
    lesson = tw.learn(lab, "Conversation roles must alternate user/assistant/user/assistant/...")
    assert lesson is not None
    assert str(lesson).startswith('server("lab-named", base="openai:compatible", system="first", alternates=True)')


@pytest.mark.parametrize("status", [401, 403, 408, 409, 413, 429, 500, 502, 503, 529, 200])
def test_another_status_teaches_nothing(status: int) -> None:
    assert tw.learn("openai", RefusedError(status, {"message": "role param error"})) is None


def test_what_a_template_raises_comes_with_500() -> None:
    said = {"message": "System message must be at the beginning."}
    lesson = tw.learn("openai", RefusedError(500, said))
    assert lesson is not None and lesson.column == "system"
    assert tw.learn("openai", RefusedError(404, said)) is not None


def test_a_key_that_a_request_needs_is_never_refused() -> None:
    for key in ("messages", "model", "tools", "stream", "tool_choice", "response_format"):
        body = {
            "model": "m",
            "messages": [],
            "tools": [{}],
            "stream": True,
            "tool_choice": "auto",
            "response_format": {},
        }
        assert tw.learn("openai", f"Unknown parameter: '{key}'", body) is None


def test_several_keys_in_one_text() -> None:
    text = "Extra parameters ['stream_options', 'extra-parameters', 'seed'] are not allowed when"
    body = {"model": "m", "messages": [], "stream_options": {}, "seed": 1}
    lesson = tw.learn("openai", text, body)
    assert lesson is not None and lesson.setting == "stream_options, seed"
    one = tw.learn("openai+refuses=seed", text, body)
    assert one is not None and (one.setting, one.value) == ("stream_options", ("seed", "stream_options"))


def test_a_row_narrows_and_never_goes_back() -> None:
    list_of_texts = [{"type": "text", "text": "a"}]
    body = {"messages": [{"role": "tool", "tool_call_id": "c", "content": list_of_texts}]}
    text = "tool message content must be a string"
    assert tw.learn("openai:local", text, body) is None
    lesson = tw.learn("openai", text, body)
    assert lesson is not None and lesson.value == "replies"
    assert tw.learn("openai+one_text=all", text, body) is None
    effort = {"reasoning_effort": "minimal", "messages": []}
    said = "Invalid reasoning_effort: minimal. Valid values are: high, low, medium, none"
    narrowed = tw.learn("openai:compatible+effort=minimal,low,xhigh", said, effort)
    assert narrowed is not None and narrowed.value == ("low",)


def test_an_object_as_choice_is_a_shape_if_there_is_one_tool() -> None:
    text = "Invalid tool_choice type: 'object'. Supported string values: none, auto, required"
    tool = {"type": "function", "function": {"name": "f"}}
    body = {"messages": [], "tool_choice": {"type": "function", "function": {"name": "f"}}, "tools": [tool]}
    one, two = (tw.learn("openai", text, {**body, "tools": [tool] * count}) for count in (1, 2))
    assert one is not None and two is not None
    assert (one.kind, two.kind) == ("shape", "meaning")


def test_the_target_may_be_any_row_of_a_format_with_columns() -> None:
    for target in ("gemini", "bedrock", "mistral", "openai:hf"):
        with pytest.raises(tw.UnknownDialectError, match="no server can be based on") as raised:
            tw.learn(target, "Unexpected message role.")
        assert raised.value.code == "unknown_dialect"
    # A text of another format is not one of this one.
    assert tw.learn("anthropic", "Unexpected message role.") is None


WRONG: list[tuple[Any, str]] = [
    ((5, "x"), "target: expected a str, got int"),
    (("openai", 5), "error: expected an exception, the body of an error or its text, got int"),
    (("openai", None), "error: expected an exception, the body of an error or its text, got NoneType"),
    (("openai", "x", [1]), "request: expected the body as a dict, got list"),
]


@pytest.mark.parametrize(("given", "said"), WRONG)
def test_wrong_arguments(given: Any, said: str) -> None:
    with pytest.raises(TypeError, match=re.escape(said)):
        tw.learn(*given)


@pytest.mark.parametrize(
    ("request_", "path", "said"),
    [
        ({"messages": 5}, "$.messages", "expected a list, got int"),
        ({"messages": "x"}, "$.messages", "expected a list, got str"),
        ({"messages": [{}, 5]}, "$.messages[1]", "expected an object, got int"),
        ({"input": [None]}, "$.input[0]", "expected an object, got NoneType"),
    ],
)
def test_a_request_that_is_no_body(request_: Any, path: str, said: str) -> None:
    with pytest.raises(tw.ParseError) as raised:
        tw.learn("openai", "Unexpected message role.", request_)
    assert (raised.value.code, raised.value.path) == ("wrong_type", path)
    assert said in str(raised.value)


ODD: list[Any] = [
    {"messages": [{"role": 5, "content": 5, "tool_calls": 5}, {"role": [], "content": [5, {}], "tool_calls": [5, {}]}]},
    {"messages": [{"role": "assistant", "tool_calls": [{"function": 5, "id": 5}, {"function": {"arguments": 5}}]}]},
    {"messages": [{"content": [{"type": []}, {"type": "image_url"}, {"type": "text", "text": 5}]}], "tools": [5, {}]},
    {"input": "x", "reasoning": 5, "output_config": [], "thinking": "x", "tools": {}, "tool_choice": 5},
    {"messages": (), "response_format": 5, "tools": [{"function": {"parameters": 5, "strict": {}}}], "tool_choice": {}},
    {},
]


@pytest.mark.parametrize("body", ODD)
def test_an_odd_request_breaks_no_guard(body: Any) -> None:
    for row in rows():
        for text in row.texts:
            for base in list(bases(row))[:3]:
                tw.learn(base, text, body)


@pytest.mark.parametrize(
    "error", ["", b"", b"\xff", {}, [], "{" * 5000, "[" * 90_000, "x" * 90_000, [[[[]]]], {"error": {}}]
)
def test_odd_errors_teach_nothing(error: Any) -> None:
    assert tw.learn("openai", error) is None


def test_every_value_of_a_column_has_its_place() -> None:
    """A value that the core adds has to be ordered before a lesson can teach it."""
    for base in ("openai", "openai-responses", "anthropic"):
        for column, _, _, words in tw._core._server_row(base)[4]:
            if column in _ORDERS and not words.startswith("some of"):
                known_ = {value for group in _ORDERS[column] for value in group}
                assert {{"yes": True, "no": False}.get(word, word) for word in words.split(", ")} <= known_, column


def test_the_same_row_is_read_by_explain() -> None:
    for row in rows():
        for at, text in enumerate(row.texts):
            explained = tw.explain(text)
            found = find(texts_of(text))
            assert explained.said is not None and found is not None
            line = explained.said.server
            # Ollama's list has every word, so it says nothing about a row.
            if row.column is None or row.name in WIDER or (at and not line):
                continue
            assert line and line in str(explained)
            made = eval(line.replace("…", f"lab-{row.name}-{at}"), {"server": tw.server})
            lesson = lesson_of(tw.Server(made.base), found, None)
            assert lesson is not None and lesson.server == made
