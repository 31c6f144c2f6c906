"""Rows of servers: shipped ones, and those that a program states. A name is the row, in every process."""

import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw
from turnwire._core import _server_row
from turnwire._servers import server_at

Json = dict[str, Any]

WIRES = ("openai", "openai-responses", "anthropic")
ROWS = [name for name in tw.dialects() if name.replace("+", ":").split(":")[0] in WIRES and ":hf" not in name]
ASKED: Json = {"role": "user", "content": "q"}
CALL: Json = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
RESULT: Json = {"role": "tool", "tool_call_id": "c1", "content": "r"}
CALLING: Json = {"role": "assistant", "content": None, "tool_calls": [CALL]}
TOOL: Json = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}


def columns(name: str) -> dict[str, tuple[str, str, str]]:
    return {column: (value, was, words) for column, value, was, words in _server_row(name)[4]}


@pytest.mark.parametrize("name", ROWS)
def test_a_row_is_read_back_from_its_line(name: str) -> None:
    """The format with the columns of the line has every public column of the row."""
    line = _server_row(name)[3]
    assert columns(line).keys() == columns(name).keys()
    assert {one: value for one, (value, *_) in columns(line).items()} == {
        one: value for one, (value, *_) in columns(name).items()
    }


def test_the_lines_of_some_rows() -> None:
    assert _server_row("openai:local")[3].startswith("openai+system=one+developer=no+one_text=all_but_user")
    assert _server_row("openai")[3] == "openai"
    assert "signatures=google" in _server_row("openai:gemini")[3]
    assert _server_row("anthropic:deepseek")[3] == (
        "anthropic+system=top+tool_choice_thinking=auto,none+reasoning=unsigned+reasoning_needed=yes+media=none"
        "+urls=none+images_in_results=no+beta_keys=no"
    )


VALUES = {"up_to_N, exactly_N, any": ["up_to_9", "exactly_9", "any"], "N, any": ["7", "any"]}


def values_of(column: str, words: str) -> list[str]:
    if words in VALUES:
        return VALUES[words]
    if words.startswith("names of keys"):
        return ["metadata,store", "nothing"]
    if words.startswith("some of "):
        each = words.removeprefix("some of ").split(", ")
        first = "auto" if column.startswith("tool_choice") else each[0]
        return [first, ",".join(each)]
    return words.split(", ")


@pytest.mark.parametrize("wire", WIRES)
def test_every_column_can_have_each_of_its_values(wire: str) -> None:
    for column, (_, _, words) in columns(wire).items():
        for value in values_of(column, words):
            base = f"{wire}+reasoning=reasoning_content" if column == "reasoning_needed" and wire == "openai" else wire
            base = f"{wire}+reasoning=unsigned" if column == "reasoning_needed" and wire == "anthropic" else base
            base = f"{wire}+media=image,audio,video,document" if column == "urls" else base
            if column == "reasoning_needed" and value == "no":
                continue
            made = tw.server(f"{base}+{column}={value}")
            assert columns(made)[column][0] == value, (column, value)
            assert tw.Server(str(made)) == made


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("openai+sistem=one", "'sistem' is no column: did you mean 'system'? (expected one of system, developer, "),
        (
            "openai:kimi+sistem=one",
            ", format_with_tools: `turnwire dialects openai:kimi` lists them with their values)",
        ),
        ("openai+system=two", "expected one of anywhere, first, one, user as system, got 'two'"),
        ("openai+items=typed", "'items' is no column of 'openai' (expected one of system, developer, alternates"),
        ("openai-responses+system=one", "'system' is no column of 'openai-responses'"),
        (
            "openai+system",
            "system: expected a value, as in system=anywhere, got none; it may be anywhere, first, one, user",
        ),
        ("openai+system=", "system: expected a value, as in system=anywhere"),
        (
            "openai+tool_choice=none",
            "tool_choice needs auto, which every server takes: expected tool_choice=auto,…, got tool_choice=none",
        ),
        ("openai+tool_choice_thinking=required", "tool_choice_thinking needs auto"),
        ("openai+reasoning_needed=yes", "or unsigned: expected reasoning=reasoning_content beside it"),
        ("openai:hf+system=one", "no server can be based on 'openai:hf': expected a row of 'openai', "),
        ("history+system=one", "no server can be based on 'history'"),
        ("gemini+system=one", "no server can be based on 'gemini'"),
        ("openai+system=one+system=first", "system is there twice"),
        ("openai+ids=exactly_0", "expected up_to_N, exactly_N, any as ids, got 'exactly_0'"),
        ("openai+ids=-1", "as ids, got '-1'"),
        ("openai+refuses=A b", "expected names of keys as refuses"),
        ("openai++", "'' is no column"),
        ("openai+\x00=1", "is no column"),
        ("openia+system=one", "did you mean 'openai'?"),
        ("+system=one", "no dialect is called ''"),
        ("openai+" + "x" * 5000, "expected at most 4096 characters in the name of a server, got 5000"),
    ],
)
def test_a_wrong_name_is_refused_with_the_way_out(given: str, said: str) -> None:
    for read in (lambda: tw.Server(given), lambda: tw.prepare([ASKED], given), lambda: tw.convert([ASKED], given)):
        with pytest.raises(tw.UnknownDialectError) as raised:
            read()
        assert said.replace("'", '"') in str(raised.value)
        assert raised.value.code == "unknown_dialect"


def test_a_name_is_canonical() -> None:
    made = tw.Server("openai:compatible+tool_choice=required,auto+system=one+developer=no")
    assert made == "openai:compatible+system=one+tool_choice=auto,required"
    assert made.base == "openai:compatible"
    assert made.columns == {"system": "one", "tool_choice": ("auto", "required")}
    assert made.but(system="anywhere", tool_choice=("auto", "none", "required", "named")) == "openai:compatible"
    assert made.but(ids="exactly_9") == "openai:compatible+system=one+ids=exactly_9+tool_choice=auto,required"
    assert made.row["developer"] is False
    assert tw.Server("openai+tools_max=7").columns == {"tools_max": 7}
    # A server of a server differs from the shipped row.
    assert tw.server("grown", base=made, system="first").base == "openai:compatible"


def test_a_server_stands_wherever_a_dialect_does(tmp_path: Path) -> None:
    lab = tw.server("lab-everywhere", system="one", alternates=True)
    kept = tw.Ledger("lab-everywhere")
    kept.prepare([ASKED])
    assert kept.target == lab and b"lab-everywhere" not in kept.state()
    stated = tw.Server("openai+developer=no")
    # Another test of this process may have given this row a short name.
    assert eval(repr(stated), {"Server": tw.Server, "server": tw.server}) == stated
    assert lab == "openai:compatible+system=one+alternates=yes"
    assert (lab.name, repr(lab)) == (
        "lab-everywhere",
        "server('lab-everywhere', base='openai:compatible', system='one', alternates=True)",
    )
    messages = [{"role": "system", "content": "a"}, ASKED, ASKED, {"role": "system", "content": "b"}]
    both = [{"type": "text", "text": "q"}, {"type": "text", "text": "q"}]
    expected = [{"role": "system", "content": "a\nb"}, {"role": "user", "content": both}]
    for target in (lab, str(lab), "lab-everywhere"):
        ready = tw.prepare(messages, target, source="openai")
        assert ready.payload["messages"] == expected
    assert [*tw.check(expected, lab, source=lab)] == []
    assert tw.convert(expected, "anthropic", source=lab).payload["messages"] == [{"role": "user", "content": both}]
    ledger = tw.Ledger(lab, 10_000)
    first = ledger.prepare([ASKED])
    again = tw.Ledger.load(ledger.state())
    assert again.target == str(lab)
    assert first.payload["messages"] == [ASKED]
    with pytest.raises(tw.TurnwireError) as raised:
        tw.server("lab-everywhere", system="first")
    assert raised.value.code == "conflicting_options"
    assert tw.server("lab-everywhere", system="one", alternates=True) == lab


@pytest.mark.parametrize("name", ["openai", "openai:groq", "", "a=b"])
def test_a_short_name_is_no_dialects(name: str) -> None:
    with pytest.raises(tw.TurnwireError) as raised:
        tw.server(name, system="one")
    assert raised.value.code == "unknown_option"


SCRIPT = """\
import json, pickle, sys
import turnwire as tw
held = pickle.loads(bytes.fromhex(sys.argv[1]))
print(json.dumps([held["server"] + "", held["conversation"].render(held["server"]).payload,
                  tw.prepare(json.loads(sys.argv[2]), held["server"]).payload]))
"""


def test_another_process_needs_no_registry() -> None:
    lab = tw.server("lab-pickled", base="openai:local", beside_calls="absent", ids="exactly_9")
    messages = [ASKED, CALLING, RESULT]
    conversation = tw.prepare(messages, lab, source="openai")
    parsed = tw.Conversation.parse(conversation.payload, lab)
    held = pickle.dumps({"server": lab, "conversation": parsed}).hex()
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, held, json.dumps(messages)], capture_output=True, text=True, check=True
    )
    name, rendered, prepared = json.loads(done.stdout)
    assert name == str(lab)
    assert rendered == conversation.payload == prepared
    assert pickle.loads(pickle.dumps(lab)) == lab


def test_models_and_addresses() -> None:
    lab = tw.server(
        "lab-models", system="one", address="vllm.lab.example", models={"qwen3*": {"needs_user": True}, "*": {}}
    )
    assert lab.for_model("qwen3-8b") == "openai:compatible+system=one+needs_user=yes"
    assert lab.for_model("llama") == lab
    assert server_at("a.vllm.lab.example", "openai") is lab
    assert server_at("vllm.lab.example", "anthropic") is None
    assert server_at("lab.example", "openai") is None
    with pytest.raises(tw.UnknownDialectError):
        tw.server("lab-wrong", models={"x": {"sistem": "one"}})


TOML = """\
[servers.lab-toml]
base = "openai:compatible"
address = ["toml.lab.example"]
system = "one"
alternates = true
tool_choice = ["auto", "none"]

[servers.lab-toml.models."qwen3*"]
needs_user = true
"""


def test_a_file_of_servers(tmp_path: Path) -> None:
    path = tmp_path / "servers.toml"
    path.write_text(TOML, encoding="utf-8")
    lab = tw.servers(path)["lab-toml"]
    assert lab == "openai:compatible+system=one+alternates=yes+tool_choice=auto,none"
    assert lab.toml() == TOML
    assert lab.for_model("qwen3").row["needs_user"] is True
    for wrong in ("servers = 1", "[servers]\nx = 1", "no toml"):
        path.write_text(wrong, encoding="utf-8")
        with pytest.raises(tw.TurnwireError) as raised:
            tw.servers(path)
        assert raised.value.code == "unknown_option"


def run(*words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "turnwire", *words], capture_output=True, text=True, check=False, **more
    )


def test_the_command_line_takes_servers(tmp_path: Path) -> None:
    rules, rows, out = tmp_path / "servers.toml", tmp_path / "a.jsonl", tmp_path / "out.jsonl"
    rules.write_text(TOML, encoding="utf-8")
    rows.write_text(json.dumps({"messages": [ASKED, {"role": "system", "content": "s"}]}) + "\n", encoding="utf-8")
    done = run("prepare", str(rows), "-t", "lab-toml", "--servers", str(rules), "-o", str(out))
    assert done.returncode == 0, done.stderr
    assert json.loads(out.read_text(encoding="utf-8"))["messages"][0] == {"role": "system", "content": "s"}
    found = run("check", str(rows), "-t", "openai:compatible+system=one", "--severity", "info")
    assert "moved_system" in found.stdout
    printed = run("servers", str(rules))
    assert printed.stdout == "lab-toml  openai:compatible+system=one+alternates=yes+tool_choice=auto,none\n"
    listed = run("dialects", "openai:groq")
    assert listed.stdout.splitlines()[0] == _server_row("openai:groq")[3]
    assert "* one_text" in listed.stdout


CONVERSATIONS: list[list[Json]] = [
    [
        {"role": "system", "content": "s"},
        ASKED,
        ASKED,
        CALLING,
        RESULT,
        ASKED,
        {"role": "system", "content": "t"},
        ASKED,
    ],
    [ASKED, {"role": "assistant", "content": "ok", "reasoning_content": "hm", "x_odd": 1}, ASKED],
    [{"role": "developer", "content": "d"}, {"role": "user", "content": [{"type": "text", "text": "a"}]}],
]


@pytest.mark.parametrize("name", [name for name in ROWS if name.startswith("openai") and "responses" not in name])
def test_what_is_prepared_for_a_row_is_sound_for_it(name: Any) -> None:
    for messages in CONVERSATIONS:
        body = {"messages": messages, "tools": [TOOL, {"type": "function", "function": {"name": "g", "strict": True}}]}
        ready = tw.prepare(body, name, source="openai", wording={"opening": "Go on."})
        assert [one for one in tw.check(ready.payload, name, source=name) if one.severity == "error"] == []
        again = tw.prepare(ready.payload, name, source=name)
        assert again.payload == ready.payload


def test_one_host_may_speak_two_formats() -> None:
    chat = tw.server("lab-two-chat", system="one", address="Two.Lab.example")
    claude = tw.server("lab-two-claude", base="anthropic:compatible", alternates=True, address=["two.lab.example"])
    assert server_at("two.lab.example", "openai") == chat
    assert server_at("api.two.lab.example", "anthropic") == claude
    assert server_at("two.lab.example", "openai-responses") is None


def test_an_address_goes_with_a_name_that_is_read() -> None:
    made = tw.server("openai:compatible+system=first", address="read.lab.example", models={"a*": {"system": "one"}})
    assert server_at("read.lab.example", "openai") == made == "openai:compatible+system=first"
    assert made.for_model("abc") == "openai:compatible+system=one"


@pytest.mark.parametrize(
    ("error", "given"),
    [
        (TypeError, {"name": None}),
        (TypeError, {"name": b"lab"}),
        (TypeError, {"base": None}),
        (TypeError, {"address": None}),
        (TypeError, {"address": b"h"}),
        (TypeError, {"address": [1]}),
        (TypeError, {"models": 1}),
        (TypeError, {"models": {"a": 1}}),
        (TypeError, {"models": {1: {}}}),
        (TypeError, {"tool_choice": ["auto", None]}),
        (tw.TurnwireError, {"name": "\ud800"}),
        (tw.TurnwireError, {"base": "openai:\ud800"}),
        (tw.TurnwireError, {"ids": "\ud800"}),
        (tw.TurnwireError, {"address": "http://lab.example/v1"}),
        (tw.TurnwireError, {"address": ""}),
        (tw.TurnwireError, {"models": {"a": {"nope": 1}}}),
    ],
)
def test_what_is_wrong_is_told_and_leaves_no_name(error: type[Exception], given: dict[str, Any]) -> None:
    with pytest.raises(error) as caught:
        tw.server(**{"name": "lab-wrong", "system": "one", **given})
    assert "expected" in str(caught.value) or "no column" in str(caught.value)
    with pytest.raises(tw.TurnwireError):
        tw.prepare(["a"], "lab-wrong")
    with pytest.raises(tw.TurnwireError, match="expected base"):
        tw.servers({"servers": {"lab-wrong": {"name": "b"}}})


HIGH: Json = {"reasoning_effort": "high"}
SCHEMA: Json = {"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "object", "properties": {}}}}
SETTINGS: list[tuple[str, Json, Json, list[tuple[str, str]]]] = [
    (
        "effort=low,high",
        {"reasoning_effort": "minimal"},
        {"reasoning_effort": "low"},
        [("restated", "reasoning_effort")],
    ),
    ("effort=low,high", HIGH, HIGH, []),
    # Neither row knows it: it may be newer than both.
    ("effort=low,high", {"reasoning_effort": "ultra"}, {"reasoning_effort": "ultra"}, []),
    (
        "effort=minimal,low",
        {"reasoning_effort": "none"},
        {"reasoning_effort": "minimal"},
        # It is not what was asked for: the model thinks.
        [("lost", "reasoning_effort")],
    ),
    ("effort_with_tools=none", HIGH, HIGH, []),
    ("effort_with_tools=none", HIGH | {"tools": [TOOL]}, {"reasoning_effort": "none"}, [("lost", "reasoning_effort")]),
    (
        "thinking=adaptive,disabled",
        {"thinking": {"type": "enabled", "keep": "all"}},
        {"thinking": {"type": "adaptive", "keep": "all"}},
        [("restated", "thinking.type")],
    ),
    (
        "formats=text,json_object",
        {"response_format": SCHEMA},
        {"response_format": {"type": "json_object"}},
        [("lost", "response_format")],
    ),
    ("formats=text,json_schema", {"response_format": SCHEMA}, {"response_format": SCHEMA}, []),
    ("formats=text,json_schema", {"response_format": {"type": "json_object"}}, {}, [("lost", "response_format")]),
    ("format_with_tools=no", {"response_format": SCHEMA}, {"response_format": SCHEMA}, []),
    ("format_with_tools=no", {"response_format": SCHEMA, "tools": [TOOL]}, {}, [("lost", "response_format")]),
]


@pytest.mark.parametrize(("columns_", "given", "right", "told"), SETTINGS)
def test_a_body_of_the_format_says_its_settings_as_the_row_takes_them(
    columns_: str, given: Json, right: Json, told: list[tuple[str, str]]
) -> None:
    """As it would for a body of another format."""
    target, body = tw.Server(f"openai:compatible+{columns_}"), {"model": "m", "messages": [ASKED], "extra": 1, **given}
    ready = tw.prepare(body, target, source="openai", settings="convert")
    held = {key: value for key, value in ready.payload.items() if key not in ("model", "messages", "tools", "extra")}
    assert (held, ready.payload["extra"]) == (right, 1)
    assert [(one.kind, one.path.removeprefix("$.")) for one in ready.receipt] == told
    again = tw.prepare_json(json.dumps(body), target, source="openai", settings="convert")
    assert json.loads(again.payload) == ready.payload
    # What is there already stays, and the caller's own settings are the caller's.
    assert tw.prepare(ready.payload, target, source=target, settings="convert").payload == ready.payload
    assert tw.prepare(body, target, source="openai", settings="keep").payload == body


def test_a_key_that_only_the_server_refuses_is_left_out() -> None:
    body: Json = {"model": "m", "messages": [ASKED], "store": True}
    for base in ("openai", "openai:compatible"):
        target = f"{base}+refuses=store"
        ready = tw.prepare(body, target, source=base, settings="convert")
        assert "store" not in ready.payload and [one.code for one in ready.receipt.only("lost")] == ["setting"]
        # In its own body, too, and a check says so.
        again = tw.prepare(body, target, source=target, settings="convert")
        assert again.payload == ready.payload
        assert [one.code for one in tw.check(body, target, source=target)] == ["refused_setting"]


def test_settings_of_the_other_formats_are_said_alike() -> None:
    body: Json = {"model": "m", "input": [ASKED], "reasoning": {"effort": "minimal", "summary": "auto"}}
    ready = tw.prepare(body, "openai-responses+effort=low,high", source="openai-responses", settings="convert")
    assert ready.payload == {**body, "reasoning": {"effort": "low", "summary": "auto"}}
    claude: Json = {"model": "claude-opus-5", "max_tokens": 9, "messages": [ASKED], "output_config": {"effort": "max"}}
    made = tw.prepare(claude, "anthropic+effort=low,high", source="anthropic", settings="convert")
    assert made.payload == {**claude, "output_config": {"effort": "high"}}


@pytest.mark.parametrize("target", ["anthropic+reasoning=unsigned", "anthropic:compatible"])
def test_what_only_claude_can_read_goes_to_no_other_server(target: str) -> None:
    hidden = {"type": "redacted_thinking", "data": "ZQ=="}
    said = {"role": "assistant", "content": [hidden, {"type": "text", "text": "Hi."}]}
    body: Json = {"messages": [ASKED, said, ASKED]}
    for source in ("anthropic", target):
        ready = tw.prepare(body, target, source=source)
        assert ready.payload["messages"][1]["content"] == [{"type": "text", "text": "Hi."}]
        assert [(one.kind, one.code) for one in ready.receipt] == [("lost", "reasoning")]


@pytest.mark.parametrize("id", [{}, {"id": None}, {"id": ""}, {"id": "rs_1"}], ids=str)
def test_reasoning_without_an_id_is_left_out_where_it_is_looked_up(id: Json) -> None:
    summary = [{"type": "summary_text", "text": "hm"}]
    thought = {"type": "reasoning", **id, "summary": summary, "encrypted_content": "c2ln"}
    text = {"type": "output_text", "text": "a", "annotations": []}
    said = {"type": "message", "id": "msg_1", "status": "completed", "role": "assistant", "content": [text]}
    items = [ASKED, thought, said, ASKED]
    target = "openai-responses+reasoning_ids=yes"
    left_out = id.get("id") != "rs_1"
    for made in (
        tw.prepare(items, target, source=target),
        tw.prepare(items, target, source="openai-responses"),
        tw.prepare(items, target, 1_000, source="openai-responses"),
        tw.convert(items, target, source="openai-responses"),
    ):
        assert ("c2ln" in str(made.payload)) is not left_out
        assert ("empty_turn" in {change.code for change in made.receipt}) is left_out
    as_text = tw.prepare(items, target, source="openai-responses", reasoning="text")
    assert ("hm" in str(as_text.payload)) and ("c2ln" in str(as_text.payload)) is not left_out
    assert tw.prepare(as_text.payload, target, source=target).payload["input"] == as_text.payload["input"]
    plain = tw.prepare(items, "openai-responses", source="openai-responses")
    assert "c2ln" in str(plain.payload)
