"""Sessions of coding agents: which lines are the conversation, and what is left out."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw
from random_runs import tries
from turnwire import batch
from turnwire.batch.sessions import is_session, read_session

HERE = Path(__file__).parent


def lines(*entries: Any) -> bytes:
    return b"".join(json.dumps(one, ensure_ascii=False).encode() + b"\n" for one in entries)


def read(*entries: Any) -> tuple[list[Any], str]:
    """The conversations in a session, as messages, and what is told of it."""
    text = lines(*entries)
    assert is_session(text)
    session = read_session(text)
    return [tw.convert_json(row, "openai:hf").payload for row, _ in session.rows], str(session)


def messages(payload: bytes) -> Any:
    return json.loads(payload)["messages"]


def words(payload: bytes) -> list[Any]:
    """What is said in a conversation. A list of one text is that text."""
    said = [one["content"] for one in messages(payload)]
    return [one[0]["text"] if isinstance(one, list) and len(one) == 1 else one for one in said]


def entry(uuid: str, parent: str | None, role: str, content: Any, **keys: Any) -> dict[str, Any]:
    message = {"role": role, "content": content} | keys.pop("message", {})
    return {"sessionId": "s", "type": role, "uuid": uuid, "parentUuid": parent, "message": message, **keys}


def call(id: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": "Bash", "input": given}


def result(id: str, says: str) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id, "content": says}


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


ONE = {"message": {"id": "msg_1", "model": "claude-x"}}
TALK = [
    {"type": "summary", "summary": "T", "leafUuid": "a4"},
    entry("u1", None, "user", "list"),
    entry("a1", "u1", "assistant", [text("I look.")], **ONE),
    entry("a2", "a1", "assistant", [call("t1", command="ls")], **ONE),
    entry("r1", "a2", "user", [result("t1", "a.py")]),
    entry("a3", "a2", "assistant", [call("t2", command="pwd")], **ONE),
    entry("r2", "a3", "user", [result("t2", "/w")]),
    entry("a4", "r2", "assistant", [text("One file.")], message={"id": "msg_2"}),
]
MEANT = [
    {"role": "user", "content": "list"},
    {
        "role": "assistant",
        "content": "I look.",
        "tool_calls": [
            {"id": "t1", "type": "function", "function": {"name": "Bash", "arguments": {"command": "ls"}}},
            {"id": "t2", "type": "function", "function": {"name": "Bash", "arguments": {"command": "pwd"}}},
        ],
    },
    {"role": "tool", "tool_call_id": "t1", "name": "Bash", "content": "a.py"},
    {"role": "tool", "tool_call_id": "t2", "name": "Bash", "content": "/w"},
    {"role": "assistant", "content": "One file."},
]


def test_parallel_calls_of_claude_code_hang_on_different_lines() -> None:
    rows, told = read(*TALK)
    assert list(map(messages, rows)) == [MEANT]
    assert told.startswith("read as a session of Claude Code: 1 conversation; left out: 1 line beside the conversation")


def test_the_last_branch_of_claude_code_counts() -> None:
    rows, told = read(*TALK, entry("b1", "u1", "user", "other"), entry("b2", "b1", "assistant", [text("Yes.")]))
    assert words(rows[0]) == ["list", "other", "Yes."]
    assert "6 messages of other branches" in told


def test_claude_code_begins_at_the_last_compaction() -> None:
    compacted = entry("c2", "c1", "user", "So far: a file.", isCompactSummary=True)
    boundary = {"sessionId": "s", "type": "system", "uuid": "c1", "parentUuid": None, "logicalParentUuid": "a4"}
    rows, told = read(*TALK, boundary, compacted, entry("a5", "c2", "assistant", [text("Go on.")]))
    assert words(rows[0]) == ["So far: a file.", "Go on."]
    assert "7 messages before the compaction" in told


def test_a_parent_that_was_never_written_is_the_line_before() -> None:
    broken = [one | {"parentUuid": "gone"} if one.get("uuid") == "r2" else one for one in TALK]
    assert list(map(messages, read(*broken)[0])) == [MEANT]


def test_progress_does_not_end_a_branch() -> None:
    progress = {"sessionId": "s", "type": "progress", "uuid": "p", "parentUuid": "r2"}
    rows, _ = read(*TALK[:-1], progress, TALK[-1] | {"parentUuid": "p"})
    assert list(map(messages, rows)) == [MEANT]


def test_a_partial_copy_of_a_block_comes_first() -> None:
    partial = entry("a0", "a1", "assistant", [call("t1")], **ONE)
    rows, _ = read(*TALK[:3], partial, *TALK[3:])
    assert list(map(messages, rows)) == [MEANT]


def test_a_file_without_parents_counts_in_its_order() -> None:
    bare = [{key: held for key, held in one.items() if key != "parentUuid"} for one in TALK]
    assert list(map(messages, read(*bare)[0])) == [MEANT]


def test_each_subagent_is_a_conversation() -> None:
    side = [
        entry("s1", None, "user", "sub", isSidechain=True, agentId="x"),
        entry("s2", "s1", "assistant", [text("done")], isSidechain=True, agentId="x"),
        entry("o1", None, "user", "old", isSidechain=True),
        entry("o2", "o1", "assistant", [text("too")], isSidechain=True),
        entry("m1", None, "user", "team", teamName="t"),
    ]
    rows, told = read(*TALK, *side)
    assert list(map(words, rows[1:])) == [["sub", "done"], ["old", "too"]]
    assert "1 conversation, 2 of subagents" in told
    assert "1 message of a team" in told


def test_what_the_program_says_is_left_out() -> None:
    error = entry("e", "a4", "assistant", [text("API Error")], isApiErrorMessage=True)
    made_up = entry("f", "e", "assistant", [text("No response")], message={"model": "<synthetic>"})
    rows, told = read(*TALK, error, made_up)
    assert list(map(messages, rows)) == [MEANT]
    assert "2 messages of the program" in told


def item(kind: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": "t", "type": kind, "payload": payload}


def said(role: str, words: str) -> dict[str, Any]:
    kind = "input_text" if role == "user" else "output_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": words}]}


META = item("session_meta", id="x", cwd="/w", base_instructions={"text": "S"})
CALLED = [
    item("response_item", type="function_call", name="exec", arguments='{"cmd":"t"}', call_id="c1"),
    item("response_item", type="function_call_output", call_id="c1", output="42 passed"),
    item("response_item", **said("assistant", "All pass.")),
]


def test_a_compaction_of_codex_replaces_what_was_before() -> None:
    compacted = item("compacted", message="sum", replacement_history=[said("user", "run the tests")])
    shown = item("event_msg", type="user_message", message="run the tests")
    again = item("session_meta", id="y", base_instructions={"text": "Z"})
    rows, told = read(META, item("response_item", **said("user", "old")), compacted, shown, *CALLED, again)
    assert messages(rows[0]) == [
        {"role": "system", "content": "S"},
        {"role": "user", "content": "run the tests"},
        {
            "role": "assistant",
            "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "exec", "arguments": {"cmd": "t"}}}],
        },
        {"role": "tool", "tool_call_id": "c1", "name": "exec", "content": "42 passed"},
        {"role": "assistant", "content": "All pass."},
    ]
    assert "1 message before the compaction, 2 lines beside the conversation" in told


def test_an_old_compaction_of_codex_keeps_what_the_user_said() -> None:
    rows, _ = read(
        META,
        *(item("response_item", **said(*one)) for one in (("user", "a"), ("assistant", "b"))),
        item("compacted", message="sum"),
        item("response_item", **said("assistant", "c")),
    )
    assert words(rows[0]) == ["S", "a", "sum", "c"]


def test_a_rollback_of_codex_takes_the_last_turns_back() -> None:
    turns = [said("user", "<environment_context>x"), said("user", "a"), said("assistant", "b"), said("user", "c")]
    back = item("event_msg", type="thread_rolled_back", num_turns=1)
    rows, told = read(
        META, *(item("response_item", **one) for one in turns), back, item("response_item", **said("user", "d"))
    )
    assert words(rows[0])[2:] == ["a", "b", "d"]
    assert "1 message that was taken back" in told


HEAD = {"sessionId": "s", "projectHash": "p", "startTime": "t", "kind": "main"}
LIST = {"id": "l1", "name": "ls", "args": {"path": "."}, "status": "success"}
ANSWERED = [{"functionResponse": {"id": "l1", "name": "ls", "response": {"output": "a.py"}}}]
CHAT = [
    HEAD,
    {"id": "m1", "type": "user", "content": [{"text": "list files"}]},
    {"id": "m2", "type": "gemini", "content": "", "model": "g"},
    {"id": "m2", "type": "gemini", "content": "", "model": "g", "toolCalls": [LIST | {"result": ANSWERED}]},
    {"id": "m3", "type": "info", "content": "saved"},
    {"id": "m4", "type": "user", "content": "wrong"},
    {"$rewindTo": "m4"},
    {"id": "m6", "type": "user", "content": "/help"},
    {"id": "m5", "type": "gemini", "content": "One file.", "thoughts": [{"subject": "A", "description": "b"}]},
]


@pytest.mark.parametrize("form", ["lines", "set", "one"])
def test_a_chat_of_gemini_cli_replaces_and_rewinds(form: str) -> None:
    kept = [CHAT[1], CHAT[3], CHAT[4], CHAT[7], CHAT[8]]
    given = {"lines": CHAT, "set": [HEAD, {"$set": {"messages": kept}}], "one": [HEAD | {"messages": kept}]}
    rows, told = read(*given[form])
    assert messages(rows[0]) == [
        {"role": "user", "content": "list files"},
        {
            "role": "assistant",
            "tool_calls": [{"id": "l1", "type": "function", "function": {"name": "ls", "arguments": {"path": "."}}}],
        },
        {"role": "tool", "tool_call_id": "l1", "name": "ls", "content": "a.py"},
        {"role": "assistant", "content": "One file."},
    ]
    assert "2 messages of the program" in told
    assert ("1 message that was taken back" in told) == (form == "lines")


@pytest.mark.parametrize("session", [TALK, [META, *CALLED], CHAT], ids=["claude-code", "codex", "gemini-cli"])
def test_a_file_is_read_as_a_session(session: list[Any], tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(lines(*session) + b'{"torn')
    (found,) = batch.read_file(path)
    assert found.line == 2
    assert found.path == "$"
    report = batch.convert_file(path, tmp_path / "out.jsonl", "openai:hf")
    assert (report.rows, report.failed) == (1, 0)
    assert "1 line that is not JSON" in str(read_session(path.read_bytes()))
    # With `--at $`, each line is a record.
    assert len(list(batch.read_file(path, "$", errors=lambda _: None))) <= len(session)


@pytest.mark.parametrize("session", [TALK, [META, *CALLED], CHAT], ids=["claude-code", "codex", "gemini-cli"])
def test_a_broken_session_is_read_or_fails_alone(session: list[Any], tmp_path: Path) -> None:
    rng = random.Random(7)
    for _ in range(tries(300)):
        broken = json.loads(json.dumps(session))
        around: Any = rng.choice(broken)
        while isinstance(around, dict | list) and around:
            key = rng.choice(list(around)) if isinstance(around, dict) else rng.randrange(len(around))
            if not isinstance(around[key], dict | list) or rng.random() < 0.4:
                around[key] = rng.choice([3, None, "x", [], {}, ["x"], {"a": 1}, True])
                break
            around = around[key]
        path = tmp_path / "s.jsonl"
        path.write_bytes(lines(*broken))
        failed: list[batch.RowError] = []
        for found in batch.read_file(path, errors=failed.append):
            tw.detect(found.payload)
        assert all(one.code for one in failed)
