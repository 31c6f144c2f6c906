"""User and assistant messages of spec 000: their content, how they are read as text, and their form on the wire."""

import copy
import json
import os
import pickle
import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import turnwire as tw
from hypothesis import given
from hypothesis import strategies as st
from test_text import TEXTS, joined
from test_tool_results import BLOCKS, SPLITS, of_vector, result, said

VECTORS = json.loads((Path(__file__).parent / "vectors/messages.json").read_text(encoding="utf-8"))
Prompt, ToolUseResults = tw.spec.UserMessageContent.Prompt, tw.spec.UserMessageContent.ToolUseResults
CancelledToolUses = tw.spec.UserMessageContent.CancelledToolUses

OFFSETS = st.integers(-23 * 60 - 59, 23 * 60 + 59).map(lambda minutes: timezone(timedelta(minutes=minutes)))
MOMENTS = st.datetimes(timezones=OFFSETS)
RESULTS = st.lists(st.lists(BLOCKS, max_size=3), max_size=3).map(lambda all: [result(*each) for each in enumerate(all)])
CONTENTS = st.one_of(
    st.builds(Prompt, TEXTS),
    st.builds(ToolUseResults, RESULTS),
    st.builds(CancelledToolUses, st.none() | TEXTS, RESULTS),
)
MESSAGES = st.builds(
    tw.spec.UserMessage,
    CONTENTS,
    additional_context=st.just("") | TEXTS,
    timestamp=st.none() | MOMENTS,
)


def size(text):
    return len(text.encode("utf-8", "surrogatepass"))


def result_texts(content):
    """The texts of all blocks, a JSON value as it is written."""
    for each in getattr(content, "tool_use_results", None) or ():
        for kind, value in said(each):
            yield value if kind == "text" else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def emitted(message):
    """The bytes of a message's whole content, except for the placeholder of an empty list of results."""
    stand_in = size(tw.constants.REDACTED_RESULT) if message.tool_use_results == () and not message.prompt else 0
    return size(message.content_with_context()) - stand_in + sum(map(size, result_texts(message.content)))


# --- Constructors ---


def test_a_prompt():
    text = "Hello, " + "Q!"
    message = tw.spec.UserMessage.new_prompt(text, "2025-10-25T14:53:00+09:00")
    assert message.content == Prompt(text)
    assert message.prompt is text
    assert message.content.prompt is text
    assert message.additional_context == ""
    assert message.images is None
    assert message.tool_use_results is None
    assert message.has_tool_use_results is False
    assert message.timestamp == datetime(2025, 10, 25, 14, 53, tzinfo=timezone(timedelta(hours=9)))
    assert message.env_context == tw.spec.UserEnvContext.generate_new()


def test_cancelled_tool_uses():
    message = tw.spec.UserMessage.new_cancelled_tool_uses("Cancel these tools", iter(["tool_1", "tool_2"]))
    assert message.prompt == "Cancel these tools"
    assert message.has_tool_use_results is True
    assert [each.tool_use_id for each in message.tool_use_results] == ["tool_1", "tool_2"]
    for each in message.tool_use_results:
        assert each == tw.ToolUseResult(each.tool_use_id, tw.constants.CANCELLED_RESULT, "error")
    assert message.timestamp is None
    assert tw.spec.UserMessage.new_cancelled_tool_uses(None, []).content == CancelledToolUses(None, [])


def test_results_with_and_without_images():
    done = tw.ToolUseResult("tool_1", "Success")
    message = tw.spec.UserMessage.new_tool_use_results([done])
    assert message.content == ToolUseResults([done])
    assert (message.prompt, message.tool_use_results, message.images) == (None, (done,), None)
    assert message.has_tool_use_results is True
    image = tw.parts.ImageBlock("png", b"\x89PNG")
    message = tw.spec.UserMessage.new_tool_use_results_with_images([done], [image], datetime(2025, 1, 1, tzinfo=UTC))
    assert message.images == (image,)
    assert message.timestamp.year == 2025


def test_assistant_messages():
    plain = tw.spec.AssistantMessage.new_response("msg_123", "Here is the answer.")
    assert plain == tw.spec.AssistantMessage.Response("msg_123", "Here is the answer.")
    assert (plain.message_id, plain.content, plain.tool_uses) == ("msg_123", "Here is the answer.", None)
    call = tw.parts.AssistantToolUse("tool_1", "fs_read", {"path": "/tmp/file.txt"})
    asks = tw.spec.AssistantMessage.new_tool_use(None, "Let me read that file.", [call])
    assert (asks.message_id, asks.content, asks.tool_uses) == (None, "Let me read that file.", (call,))
    assert asks != tw.spec.AssistantMessage.new_tool_use(None, "Let me read that file.", [])
    assert tw.spec.AssistantMessage.new_tool_use(None, "x", []) != tw.spec.AssistantMessage.new_response(None, "x")
    match asks:
        case tw.spec.AssistantMessage.ToolUse(
            None, str(text), (tw.parts.AssistantToolUse(_, "fs_read", {"path": path}),)
        ):
            assert (text, path) == ("Let me read that file.", "/tmp/file.txt")
        case _:
            pytest.fail("no match")


def test_variants_match():
    def name(message):
        match message.content:
            case tw.spec.UserMessageContent.Prompt(prompt):
                return f"prompt {prompt}"
            case tw.spec.UserMessageContent.CancelledToolUses(prompt, results):
                return f"cancelled {prompt} {len(results)}"
            case tw.spec.UserMessageContent.ToolUseResults(
                (tw.ToolUseResult(_, (tw.parts.ToolUseResultBlock.Text(text),)),)
            ):
                return f"result {text}"

    assert name(tw.spec.UserMessage.new_prompt("a")) == "prompt a"
    assert name(tw.spec.UserMessage.new_cancelled_tool_uses(None, ["b"])) == "cancelled None 1"
    assert name(tw.spec.UserMessage.new_tool_use_results([tw.ToolUseResult("c", "d")])) == "result d"


def test_wrong_types():
    for wrong in (None, 1, b"x", ["x"]):
        with pytest.raises(TypeError):
            tw.spec.UserMessage.new_prompt(wrong)
        with pytest.raises(TypeError):
            tw.spec.UserMessage.new_tool_use_results_with_images([], [wrong])
        with pytest.raises(TypeError):
            tw.spec.UserMessage(wrong)
        with pytest.raises(TypeError):
            tw.spec.AssistantMessage.new_tool_use(None, "x", [wrong])
        with pytest.raises(TypeError):
            tw.parts.ImageBlock("png", wrong) if wrong != b"x" else tw.parts.ImageBlock(wrong, wrong)
    for ids in ("tool_1", None, [1]):
        with pytest.raises(TypeError):
            tw.spec.UserMessage.new_cancelled_tool_uses(None, ids)
    for never in (tw.spec.AssistantMessage, tw.spec.UserMessageContent):
        with pytest.raises(TypeError):
            never()


# --- Time ---


@given(MOMENTS)
def test_a_moment_is_written_as_python_writes_it(moment):
    message = tw.spec.UserMessage(Prompt("x"), timestamp=moment)
    assert message.timestamp == moment
    assert message.timestamp.utcoffset() == moment.utcoffset()
    line = message.content_with_context().splitlines()[1]
    weekday = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][moment.weekday()]
    assert line == f"Current time: {weekday}, {moment.isoformat(timespec='milliseconds')}"
    assert tw.spec.UserMessage(Prompt("x"), timestamp=moment.isoformat()) == message


def test_a_zone_gives_its_offset_of_that_day():
    summer = datetime(2025, 7, 1, 12, tzinfo=ZoneInfo("Europe/Berlin"))
    assert "2025-07-01T12:00:00.000+02:00" in tw.spec.UserMessage.new_prompt("x", summer).content_with_context()


def test_the_same_moment_at_another_offset_says_something_else():
    moment = datetime(2025, 7, 1, tzinfo=UTC)
    there = moment.astimezone(timezone(timedelta(hours=9)))
    assert tw.spec.UserMessage(Prompt("x"), timestamp=moment) != tw.spec.UserMessage(Prompt("x"), timestamp=there)


@pytest.mark.parametrize(
    "moment",
    [
        datetime(2025, 10, 25),
        datetime(1890, 1, 1, tzinfo=timezone(timedelta(seconds=32_339))),
        "2025-10-25T14:53:00",
        "2025-10-25",
        "yesterday",
        "",
        "2025-10-25T14:53:00+09:00\ud800",
    ],
)
def test_what_is_no_moment(moment):
    with pytest.raises(tw.TurnwireError) as caught:
        tw.spec.UserMessage.new_prompt("x", moment)
    assert caught.value.code == "bad_timestamp"


@pytest.mark.parametrize("moment", [0, 1.5, b"2025-10-25T14:53:00Z", datetime(2025, 10, 25).date()])
def test_what_is_not_even_a_time(moment):
    with pytest.raises(TypeError):
        tw.spec.UserMessage.new_prompt("x", moment)


# --- Context ---


def of_case(case):
    moment = case.get("timestamp")
    context = case.get("additional_context", "")
    context = context if isinstance(context, str) else joined(context)
    if "results" in case and "cancelled" not in case:
        content = ToolUseResults([tw.ToolUseResult("id", text) for text in case["results"]])
    elif "cancelled" in case:
        results = [result(at, of_vector(blocks)) for at, blocks in enumerate(case["results"])]
        content = CancelledToolUses(joined(case["cancelled"]), results)
    else:
        prompt = case["prompt"]
        content = Prompt(prompt if isinstance(prompt, str) else joined(prompt))
    return tw.spec.UserMessage(content, additional_context=context, timestamp=moment)


@pytest.mark.parametrize("case", VECTORS["content_with_context"], ids=lambda case: case["name"])
def test_content_with_context_vector(case):
    assert of_case(case).content_with_context() == case["expect"]


@given(TEXTS)
def test_a_prompt_alone_is_trimmed_or_the_same_object(prompt):
    read = tw.spec.UserMessage(Prompt(prompt)).content_with_context()
    white = str.maketrans("\x1c\x1d\x1e\x1f", "xxxx")  # only Python counts these four as white space
    held = prompt.translate(white)
    start = len(held) - len(held.lstrip())
    assert read == (prompt[start : len(held.rstrip())] if held.strip() else "")
    if read == prompt:
        assert read is prompt


def test_headers_are_the_exported_ones():
    message = tw.spec.UserMessage(Prompt("p"), additional_context="c", timestamp="2025-10-25T14:53:00Z")
    entry = "Current time: Saturday, 2025-10-25T14:53:00.000+00:00\n"
    parts = [tw.spec.CONTEXT_ENTRY_START_HEADER, entry, tw.spec.CONTEXT_ENTRY_END_HEADER, "c\n\n"]
    parts += [tw.spec.USER_ENTRY_START_HEADER, "p\n", tw.spec.USER_ENTRY_END_HEADER]
    assert message.content_with_context() == "".join(parts).strip()


def test_with_additional_context():
    message = tw.spec.UserMessage.new_prompt("p", "2025-10-25T14:53:00Z")
    added = message.with_additional_context("c")
    assert (message.additional_context, added.additional_context) == ("", "c")
    assert added != message
    assert added.with_additional_context("") == message
    with pytest.raises(TypeError):
        message.with_additional_context(None)


def test_lone_surrogates_survive():
    message = tw.spec.UserMessage(Prompt("a\ud800b"), additional_context="\udc00")
    assert message.content_with_context().startswith("\udc00\n\n---")
    assert "a\ud800b" in message.content_with_context()
    results = tw.spec.UserMessage(ToolUseResults([tw.ToolUseResult("id", ["\ud83d", "x"])]))
    assert results.replace_content_with_tool_use_results().prompt == "\ud83d x"


# --- Environment ---


def test_the_environment():
    state = tw.spec.UserEnvContext.generate_new().env_state
    assert state.operating_system == {"linux": "linux", "darwin": "macos", "win32": "windows"}[sys.platform]
    assert state.current_working_directory == tw.text.truncate_safe(
        str(Path.cwd()), tw.spec.MAX_CURRENT_WORKING_DIRECTORY_LEN
    )
    assert tw.spec.UserEnvContext() != tw.spec.UserEnvContext(tw.spec.EnvState())
    match tw.spec.UserEnvContext(tw.spec.EnvState("linux", "/")):
        case tw.spec.UserEnvContext(tw.spec.EnvState(name, path)):
            assert (name, path) == ("linux", "/")


def run_in(directory, code):
    command = [sys.executable, "-c", f"import os\nos.chdir({str(directory)!r})\n{code}"]
    return subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8").stdout


def test_a_long_working_directory_is_cut_at_a_character(tmp_path):
    deep = tmp_path
    while len(os.fsencode(deep)) < 400:
        deep = deep / ("日" * 30)
    deep.mkdir(parents=True)
    code = "import turnwire as tw\nprint(ascii(tw.UserEnvContext.generate_new().env_state.current_working_directory))"
    found = eval(run_in(deep, code))
    assert found == tw.text.truncate_safe(str(deep), 256)
    assert 253 < size(found) <= 256


@pytest.mark.skipif(sys.platform == "win32", reason="a directory in use cannot be removed there")
def test_a_missing_working_directory_is_a_warning_and_none(tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    code = """
import turnwire as tw, logging
seen = []
class Keep(logging.Handler):
    def emit(self, record):
        seen.append((record.name, record.levelname, record.getMessage()))
logging.getLogger().addHandler(Keep())
os.rmdir(os.getcwd())
message = tw.UserMessage.new_prompt("x")
print(message.env_context.env_state.current_working_directory, message.env_context.env_state.operating_system is None)
print(message.into_history_entry()["userInputMessage"]["userInputMessageContext"]["envState"].keys())
print(seen)
"""
    none, keys, seen = run_in(gone, code).splitlines()
    assert none == "None False"
    assert keys == "dict_keys(['operatingSystem'])"
    ((name, level, text),) = eval(seen)
    assert (name, level) == ("turnwire", "WARNING")
    assert "working directory" in text


def test_logging_is_not_imported_without_need():
    code = "import sys, turnwire as tw\ntw.UserMessage.new_prompt('x')\nprint('logging' in sys.modules)"
    assert run_in(".", code).strip() == "False"


# --- Truncation ---


@pytest.mark.parametrize("case", VECTORS["truncate_message"], ids=lambda case: case["name"])
def test_truncation_vector(case):
    expect = case["expect"]
    cut = of_case(case).truncate_safe(case["max_bytes"], split=case.get("split", "even"))
    assert cut.prompt == joined(expect["prompt"])
    assert cut.additional_context == joined(expect.get("additional_context", []))
    assert [said(each) for each in cut.tool_use_results or ()] == [
        of_vector(each) for each in expect.get("results", [])
    ]
    assert ("timestamp" in expect) == ("timestamp" in case) and (cut.timestamp is None)
    if "emitted" in expect:
        assert emitted(cut) == expect["emitted"]


@given(MESSAGES, st.integers(0, 400), st.sampled_from(SPLITS))
def test_a_message_is_cut_to_its_budget_and_once(message, max_bytes, split):
    before = pickle.dumps(message)
    cut = message.truncate_safe(max_bytes, split=split)
    assert pickle.dumps(message) == before
    assert emitted(cut) <= max_bytes
    assert cut.truncate_safe(max_bytes, split=split) is cut
    assert type(cut.content) is type(message.content)
    ids = [[each.tool_use_id for each in each.tool_use_results or ()] for each in (message, cut)]
    assert ids[0] == ids[1]
    assert (cut is message) == (cut == message)


@given(CONTENTS, st.integers(0, 300), st.sampled_from(SPLITS))
def test_content_is_cut_to_its_budget_and_once(content, max_bytes, split):
    cut = content.truncate_safe(max_bytes, split=split)
    texts = [getattr(cut, "prompt", None) or "", *result_texts(cut)]
    assert sum(map(size, texts)) <= max_bytes
    assert cut.truncate_safe(max_bytes, split=split) is cut
    assert (cut is content) == (cut == content)
    match content:
        case tw.spec.UserMessageContent.Prompt(prompt):
            assert cut.prompt == tw.truncate(prompt, max_bytes)
        case tw.spec.UserMessageContent.ToolUseResults(results):
            assert list(cut.tool_use_results) == tw.text.truncate_tool_results(results, max_bytes, split=split)
        case tw.spec.UserMessageContent.CancelledToolUses(prompt, results) if split == "even" and cut is not content:
            assert cut.prompt == (prompt if prompt is None else tw.truncate(prompt, max_bytes // 2))
            assert list(cut.tool_use_results) == tw.text.truncate_tool_results(results, max_bytes // 2)


@given(TEXTS, st.integers(0, 300))
def test_a_bare_message_is_cut_as_its_content(prompt, max_bytes):
    message = tw.spec.UserMessage(Prompt(prompt))
    cut = message.truncate_safe(max_bytes)
    # White space at the ends is not emitted, so it is no reason to cut.
    if size(message.content_with_context()) <= max_bytes:
        assert cut is message
    else:
        assert cut.content == message.content.truncate_safe(max_bytes)


def test_bad_budgets():
    message = tw.spec.UserMessage.new_prompt("x")
    for cut in (message.truncate_safe, message.content.truncate_safe):
        with pytest.raises(tw.TurnwireError) as caught:
            cut(-1)
        assert caught.value.code == "negative_budget"
        with pytest.raises(TypeError):
            cut("10")
        with pytest.raises(tw.TurnwireError):
            cut(1, split="odd")


# --- Conversions ---


def test_a_history_entry():
    env = tw.spec.UserEnvContext(tw.spec.EnvState("linux", "/home/me"))
    message = tw.spec.UserMessage(Prompt("hi"), env_context=env)
    entry = message.into_history_entry()
    state = {"operatingSystem": "linux", "currentWorkingDirectory": "/home/me"}
    assert entry == {"userInputMessage": {"content": "hi", "userInputMessageContext": {"envState": state}}}
    assert entry["userInputMessage"]["content"] is message.prompt
    assert tw.spec.UserMessage(Prompt("hi")).into_history_entry() == {"userInputMessage": {"content": "hi"}}


def test_both_conversions_keep_the_environment():
    message = tw.spec.UserMessage(
        Prompt("hi"), env_context=tw.spec.UserEnvContext(tw.spec.EnvState("macos", "/home/me"))
    )
    state = {"operatingSystem": "macos", "currentWorkingDirectory": "/home/me"}
    for sent in (message.into_history_entry(), message.into_user_input_message("claude", [])):
        assert sent["userInputMessage"]["userInputMessageContext"] == {"envState": state}
    bare = tw.spec.UserMessage(Prompt("hi"), env_context=tw.spec.UserEnvContext())
    for sent in (bare.into_history_entry(), bare.into_user_input_message()):
        assert "userInputMessageContext" not in sent["userInputMessage"]


def test_the_examples_of_the_specification():
    asked = tw.spec.UserMessage.new_prompt("Hello, Q!", datetime.fromisoformat("2025-10-25T14:53:00+09:00"))
    assert asked.prompt == "Hello, Q!"
    assert "Saturday, 2025-10-25T14:53:00.000+09:00" in asked.content_with_context()

    result = tw.ToolUseResult("tool_1", ["Success"], tw.parts.ToolResultStatus.Success)
    given = tw.spec.UserMessage.new_tool_use_results([result])
    assert given.tool_use_results == (result,)
    assert given.prompt is None

    cancelled = tw.spec.UserMessage.new_cancelled_tool_uses("Cancel these tools", ["tool_1", "tool_2"])
    assert cancelled.prompt == "Cancel these tools"
    assert [one.tool_use_id for one in cancelled.tool_use_results] == ["tool_1", "tool_2"]
    assert {one.status for one in cancelled.tool_use_results} == {tw.parts.ToolResultStatus.Error}

    model = "anthropic.claude-3-5-sonnet-20241022-v2:0"
    assert asked.into_user_input_message(model, {})["userInputMessage"]["modelId"] == model

    said = tw.spec.AssistantMessage.new_response("msg_123", "Here is the answer.")
    assert (said.message_id, said.content, said.tool_uses) == ("msg_123", "Here is the answer.", None)
    path = {"path": "/tmp/file.txt"}
    use = tw.parts.AssistantToolUse("tool_1", "fs_read", path, orig_name="fs_read", orig_args=path)
    called = tw.spec.AssistantMessage.new_tool_use("msg_124", "Let me read that file.", [use])
    assert (called.message_id, called.tool_uses) == ("msg_124", (use,))


def test_a_user_input_message():
    tool = {"toolSpecification": {"name": "fs_read", "inputSchema": {"json": {"type": "object"}}}}
    image = tw.parts.ImageBlock("jpeg", b"\xff\xd8")
    results = [
        tw.ToolUseResult("t1", ["ok", {"n": 1}]),
        tw.ToolUseResult("t2", "bad", "error"),
        tw.ToolUseResult("t3", []),
    ]
    message = tw.spec.UserMessage(ToolUseResults(results), images=[image])
    sent = message.into_user_input_message("claude", [tool])
    assert sent == {
        "userInputMessage": {
            "content": "",
            "userInputMessageContext": {
                "toolResults": [
                    {"toolUseId": "t1", "content": [{"text": "ok"}, {"json": {"n": 1}}], "status": "success"},
                    {"toolUseId": "t2", "content": [{"text": "bad"}], "status": "error"},
                    {"toolUseId": "t3", "content": [{"text": tw.constants.REDACTED_RESULT}], "status": "success"},
                ],
                "tools": [tool],
            },
            "images": [{"format": "jpeg", "source": {"bytes": "/9g="}}],
            "modelId": "claude",
        }
    }
    inside = sent["userInputMessage"]["userInputMessageContext"]["tools"][0]
    assert inside is not tool
    inside["toolSpecification"]["name"] = "changed"
    assert tool["toolSpecification"]["name"] == "fs_read"
    assert message.into_user_input_message("claude", {"native": [tool], "mcp": []}) == message.into_user_input_message(
        "claude", (tool,)
    )
    history = message.into_history_entry()["userInputMessage"]
    assert "modelId" not in history
    assert "tools" not in history["userInputMessageContext"]
    assert "tools" not in message.into_user_input_message(tools=[])["userInputMessage"]["userInputMessageContext"]


def test_an_image_in_a_result_joins_the_messages_images():
    inside = tw.ToolUseResult("t1", [tw.parts.ImageBlock("png", "AAAA")])
    message = tw.spec.UserMessage(ToolUseResults([inside]), images=[tw.parts.ImageBlock("gif", "BBBB")])
    sent = message.into_history_entry()["userInputMessage"]
    assert [(each["format"], each["source"]["bytes"]) for each in sent["images"]] == [("png", "AAAA"), ("gif", "BBBB")]
    assert sent["userInputMessageContext"]["toolResults"][0]["content"] == [{"text": tw.constants.REDACTED_RESULT}]


def test_media_that_the_wire_refuses():
    film = tw.parts.ToolUseResultBlock.Media(tw.Media(url="https://example.org/a.mp4", media_type="video/mp4"))
    message = tw.spec.UserMessage.new_tool_use_results([tw.ToolUseResult("a", "x"), tw.ToolUseResult("b", ["y", film])])
    with pytest.raises(tw.RenderError) as caught:
        message.into_history_entry()
    assert (caught.value.code, caught.value.path) == ("refused", "$.tool_use_results[1].content[1]")
    # The call with this id is elsewhere: a new one here would separate them.
    with pytest.raises(tw.RenderError) as caught:
        tw.spec.UserMessage.new_tool_use_results(
            [tw.ToolUseResult("a", "x"), tw.ToolUseResult("b:c", "y")]
        ).into_history_entry()
    assert (caught.value.code, caught.value.path) == ("refused", "$.tool_use_results[1]")
    with pytest.raises(tw.RenderError) as caught:
        tw.spec.UserMessage(Prompt("x"), images=[tw.parts.ImageBlock("tiff", "AAAA")]).into_history_entry()
    assert (caught.value.code, caught.value.path) == ("refused", "$")


def test_a_message_is_sent_within_its_limit():
    message = tw.spec.UserMessage(Prompt("日" * 200_000))
    for made in (message.into_history_entry(), message.into_user_input_message("m")):
        assert made["userInputMessage"]["content"] == tw.truncate("日" * 200_000)
    fits = tw.spec.UserMessage(Prompt("x" * tw.constants.MAX_USER_MESSAGE_SIZE + " "))
    assert fits.into_history_entry()["userInputMessage"]["content"] == "x" * tw.constants.MAX_USER_MESSAGE_SIZE


def test_a_message_is_written_once():
    env = tw.spec.UserEnvContext(tw.spec.EnvState("linux", "/home"))
    results = [tw.ToolUseResult("a", ["x", {"y": 1}]), tw.ToolUseResult("b", "", "error")]
    use = tw.spec.AssistantMessage.new_tool_use(
        "m", "", [tw.parts.AssistantToolUse(each.tool_use_id, "f", {}) for each in results]
    )
    message = tw.spec.UserMessage(ToolUseResults(results), env_context=env, images=[tw.parts.ImageBlock("png", "AAAA")])
    written = tw.Conversation(["go", use, message]).render("amazon-q")
    assert written.payload[2] == message.into_history_entry()
    assert written.payload[2]["userInputMessage"]["userInputMessageContext"]["envState"]["operatingSystem"] == "linux"
    elsewhere = tw.Conversation(["go", use, message]).render("openai").receipt
    assert ("lost", "opaque", "$[2]") in [(loss.kind, loss.code, loss.path) for loss in elsewhere]
    pickled = pickle.loads(pickle.dumps(tw.Conversation(["go", use, message])))
    assert pickled == tw.Conversation(["go", use, message])
    assert pickled.render("amazon-q").payload == written.payload


def test_a_working_directory_is_cut():
    assert tw.spec.EnvState("linux", "é" * 200).current_working_directory == "é" * 128
    path = "/" + "x" * 255
    assert tw.spec.EnvState(current_working_directory=path).current_working_directory is path


@pytest.mark.parametrize("tools", ["x", 5, {"a": {"b": 1}}])
def test_what_are_no_tools(tools):
    with pytest.raises(TypeError):
        tw.spec.UserMessage.new_prompt("x").into_user_input_message(tools=tools)


def test_tools_that_are_not_json():
    with pytest.raises(tw.TurnwireError) as caught:
        tw.spec.UserMessage.new_prompt("x").into_user_input_message(tools=[{"n": float("nan")}])
    assert (caught.value.code, caught.value.path) == ("not_json", "$.tools[0].n")


@pytest.mark.parametrize("content", [ToolUseResults([]), CancelledToolUses(None, []), CancelledToolUses("", [])])
def test_an_empty_list_of_results_reads_redacted_everywhere(content):
    message = tw.spec.UserMessage(content)
    assert message.content_with_context() == tw.constants.REDACTED_RESULT
    assert message.into_history_entry()["userInputMessage"] == {"content": tw.constants.REDACTED_RESULT}
    assert message.into_user_input_message()["userInputMessage"] == {"content": tw.constants.REDACTED_RESULT}
    assert message.replace_content_with_tool_use_results().content == Prompt(tw.constants.REDACTED_RESULT)


@pytest.mark.parametrize("contents", [["", ""], [""], [[], ""], [[tw.parts.ImageBlock("png", "AAAA")], ""]])
def test_results_that_say_nothing_read_redacted(contents):
    message = tw.spec.UserMessage.new_tool_use_results(
        [tw.ToolUseResult("abc"[at], each) for at, each in enumerate(contents)]
    )
    assert message.replace_content_with_tool_use_results().prompt == tw.constants.REDACTED_RESULT
    sent = message.into_history_entry()["userInputMessage"]["userInputMessageContext"]["toolResults"]
    assert [each["content"] for each in sent] == [[{"text": tw.constants.REDACTED_RESULT}]] * len(contents)


def test_results_as_the_prompt():
    results = [
        tw.ToolUseResult("a", ["x", {"n": [1, 2]}, tw.parts.ImageBlock("png", "AAAA")]),
        tw.ToolUseResult("b", "日本"),
    ]
    message = tw.spec.UserMessage(
        CancelledToolUses("p", results), additional_context="c", timestamp="2025-10-25T14:53:00Z"
    )
    replaced = message.replace_content_with_tool_use_results()
    assert replaced.content == Prompt('x {"n":[1,2]} 日本')
    assert (replaced.additional_context, replaced.timestamp) == ("c", message.timestamp)
    prompt = tw.spec.UserMessage.new_prompt("p")
    assert prompt.replace_content_with_tool_use_results() is prompt


@pytest.mark.parametrize("letters", ["x" * 399_999, "x" * 400_000, "x" * 400_001, "日" * 200_000])
def test_results_as_the_prompt_are_cut(letters):
    message = tw.spec.UserMessage.new_tool_use_results([tw.ToolUseResult("a", letters), tw.ToolUseResult("b", "y")])
    assert message.replace_content_with_tool_use_results().prompt == tw.truncate(letters + " y", 400_000)


# --- Python's own protocols ---

EVERY = [
    Prompt("a\ud800\0"),
    CancelledToolUses(None, [tw.ToolUseResult("a", "x", "error")]),
    ToolUseResults([tw.ToolUseResult("a", ["x", {"y": 1}])]),
    tw.spec.UserMessage.new_prompt("x"),
    tw.spec.UserMessage(
        ToolUseResults([]),
        additional_context="c",
        env_context=tw.spec.UserEnvContext(tw.spec.EnvState("linux", None)),
        timestamp="2025-10-25T14:53:00.123456-03:30",
        images=[tw.parts.ImageBlock("png", b"x")],
    ),
    tw.spec.AssistantMessage.new_response(None, "x"),
    tw.spec.AssistantMessage.new_tool_use("id", "", [tw.parts.AssistantToolUse("a", "b", "{}")]),
    tw.spec.UserEnvContext(),
    tw.spec.EnvState(current_working_directory="/"),
]


@pytest.mark.parametrize("value", EVERY, ids=repr)
def test_pickle_copy_hash_repr(value):
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(value, protocol))
        assert again == value
        assert type(again) is type(value)
        assert hash(again) == hash(value)
    assert copy.copy(value) == copy.deepcopy(value) == value
    assert value != object()
    assert eval(repr(value), {**vars(tw), **vars(tw.spec), "datetime": sys.modules["datetime"]}) == value


@pytest.mark.parametrize("value", EVERY, ids=repr)
def test_values_are_frozen(value):
    names = [name for name in dir(value) if not name.startswith("_")]
    for name in [*names, "other"]:
        with pytest.raises(AttributeError):
            setattr(value, name, 1)


def test_no_two_of_them_are_equal():
    for at, value in enumerate(EVERY):
        assert all((value == other) == (at == there) for there, other in enumerate(EVERY))
