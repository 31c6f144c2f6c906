"""Files that earlier versions wrote: histories, pickles, and the texts that they added to a payload (see `stored/`)."""

import base64
import json
import logging
import pickle
import runpy
import shutil
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw

HERE = Path(__file__).parent / "stored"
FOLDERS = sorted(path for path in HERE.iterdir() if (path / "texts.json").exists())
HISTORIES = [path for folder in FOLDERS for path in sorted((folder / "histories").glob("*.jsonl"))]
PICKLES = [path for folder in FOLDERS for path in sorted((folder / "pickles").glob("*.pickle"))]
WRITER = runpy.run_path(str(HERE / "write.py"))


def named(path: Path) -> str:
    return f"{path.parent.parent.name}-{path.stem}"


def stored(path: Path) -> list[dict[str, Any]]:
    """The messages of a file since the last `clear`, read without turnwire; a torn one is left out."""
    kept: list[dict[str, Any]] = []
    for line in path.read_bytes().split(b"\n"):
        try:
            found = json.loads(line)
        except ValueError:
            continue
        if "ledger" not in found:
            kept = [] if "clear" in found else [*kept, found]
    return kept


def element(line: dict[str, Any]) -> Any:
    """The message of a line, with its bytes put back."""
    for *way, last in line.get("bytes", ()):
        home = line["element"]
        for step in way:
            home = home[step]
        home[last] = base64.b64decode(home[last])
    return line["element"]


def test_every_version_left_files() -> None:
    assert FOLDERS[0].name == "0.1"
    assert {path.stem for path in HISTORIES} >= {"mixed", "cleared", "torn", "openai", "anthropic", "gemini", "bedrock"}
    assert len(PICKLES) >= 15


@pytest.mark.parametrize("path", HISTORIES, ids=named)
def test_a_stored_history_is_read(path: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    lines = stored(path)
    copy = Path(shutil.copy(path, tmp_path))
    with caplog.at_level(logging.WARNING, "turnwire"), tw.MessageHistory.open(copy) as history:
        assert history.get_messages() == [element(line) for line in lines]
        history.add_user_message("today")
    is_torn = not path.read_bytes().endswith(b"\n")
    assert [record.levelname for record in caplog.records] == ["WARNING"] * is_torn
    assert Path(f"{copy}.torn").exists() == is_torn
    assert copy.read_bytes().startswith(path.read_bytes().rpartition(b"\n")[0])
    with tw.MessageHistory.open(copy) as again:
        assert len(again) == len(lines) + 1


@pytest.mark.parametrize("path", HISTORIES, ids=named)
def test_a_stored_history_is_rendered_for_every_provider(path: Path, tmp_path: Path) -> None:
    with tw.MessageHistory.open(shutil.copy(path, tmp_path)) as history:
        history.add_user_message("today")
        for target in ("openai", "openai-responses", "anthropic", "gemini", "bedrock"):
            ready = history.prepare(target)
            assert "today" in WRITER["texts_of"](ready.payload)
            assert [one for one in tw.check(ready.payload, target) if one.severity == "error"] == []


def test_a_stored_ledger_continues_where_it_ended(tmp_path: Path) -> None:
    path = Path(shutil.copy(HERE / "0.1/histories/ledger.jsonl", tmp_path))
    with tw.MessageHistory.open(path) as history:
        ledger = history.ledger("anthropic", 50_000, model="claude-opus-5-5")
        history.add_user_message("today")
        ready = ledger.prepare(system="Be exact.", tools=WRITER["TOOLS"])
        assert ready.receipt.break_at is None and ready.receipt.reasoning == {"kept": 2, "dropped": 0}
        assert [message["content"] for message in ready.payload["messages"][-2:]] == ["Be quick.", "today"]
        # It reported the missing result, and has appended the late one.
        assert "No result was recorded" in str(ready.payload["messages"][2])
        assert "Late result of search" in str(ready.payload["messages"])


def known(value: Any, said: Any) -> Any:
    """The same without the keys that an earlier version did not know."""
    if isinstance(value, dict) and isinstance(said, dict):
        return {key: known(inner, said[key]) for key, inner in value.items() if key in said}
    if isinstance(value, list) and isinstance(said, list) and len(value) == len(said):
        return [known(inner, one) for inner, one in zip(value, said, strict=True)]
    return value


@pytest.mark.parametrize("path", PICKLES, ids=named)
def test_a_pickle_is_read_or_is_of_another_version(path: Path) -> None:
    said = json.loads((path.parent.parent / "pickles.json").read_text(encoding="utf-8"))[path.stem]
    try:
        value = pickle.loads(path.read_bytes())
    except (ValueError, AttributeError) as error:
        # It says so, or a name has moved to another module since.
        assert path.parent.parent.name == "0.1", "pickles are promised from 0.2 on"
        assert "a pickle of another version" in str(error) or "Can't get attribute" in str(error)
        return
    assert known(WRITER["plain"](value), said) == said


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_texts_on_the_wire_are_the_same_bytes(folder: Path) -> None:
    texts = json.loads((folder / "texts.json").read_text(encoding="utf-8"))
    constants = WRITER["constants"]()
    assert {name: constants.get(name) for name in texts["constants"]} == texts["constants"]
    sent = WRITER["sent"]()
    assert {name: sent.get(name) for name in texts["sent"]} == texts["sent"]


# --- What was sent by 0.1 and kept by its caller is understood today ---

CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
ASKED = [{"role": "user", "content": "q"}, {"role": "assistant", "content": None, "tool_calls": [CALL]}]
MISSING = "[tool error] No result was recorded for this tool call."


def test_an_error_prefix_is_a_failed_result() -> None:
    given = [*ASKED, {"role": "tool", "tool_call_id": "c", "content": "[tool error] no such file"}]
    (block,) = tw.convert(given, "anthropic", source="openai").payload["messages"][2]["content"]
    assert (block["content"], block["is_error"]) == ("no such file", True)


def test_a_real_result_takes_the_place_of_a_missing_one() -> None:
    given = [*ASKED, *({"role": "tool", "tool_call_id": "c", "content": text} for text in (MISSING, "the result"))]
    assert [message["content"] for message in tw.prepare(given, "openai").payload["messages"][2:]] == ["the result"]


def test_an_earlier_summary_is_summed_up_again() -> None:
    (text,) = json.loads((FOLDERS[0] / "texts.json").read_text(encoding="utf-8"))["sent"]["a summary"]
    exchange = [{"role": "user", "content": "more"}, {"role": "assistant", "content": "done"}]
    history = tw.MessageHistory([{"role": "user", "content": text}, *exchange * 3]).summarise("All of it.", turns=2)
    contents = [message["content"] for message in history]
    assert contents[0].endswith("All of it.")
    assert text not in contents


# --- What a later version may write ---


def test_a_dialect_of_a_later_version_is_an_error_with_its_line(tmp_path: Path) -> None:
    path = Path(shutil.copy(FOLDERS[0] / "histories" / "openai.jsonl", tmp_path))
    given = path.read_bytes() + b'{"dialect":"openai-next","element":{"role":"user","content":"x"}}\n'
    path.write_bytes(given)
    with pytest.raises(tw.ParseError) as caught:
        tw.MessageHistory.open(path)
    assert caught.value.code == "bad_history"
    assert "line 6: " in str(caught.value)
    assert "openai-next" in str(caught.value)
    assert path.read_bytes() == given


def test_keys_of_a_later_version_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "talk.jsonl"
    path.write_bytes(b'{"dialect":"openai","element":{"role":"user","content":"x"},"at":"2027-01-01"}\n')
    with tw.MessageHistory.open(path) as history:
        assert history.messages == [{"role": "user", "content": "x"}]
