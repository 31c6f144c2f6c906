"""A stored history: the content of its file, what survives a crash, and errors about files that are not histories."""

import errno
import json
import logging
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw
from random_runs import tries
from test_history import FLOW, PAYLOADS, flow

HERE = Path(__file__).parent
KILLS = int(os.environ.get("TURNWIRE_KILLS", tries(200)))
posix = pytest.mark.skipif(sys.platform == "win32", reason="forks, signals and devices")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "talk.jsonl"


def stored(path: Path, *texts: str) -> None:
    with tw.MessageHistory.open(path) as history:
        for text in texts:
            history.add_user_message(text)


def texts(path: Path) -> list[str]:
    with tw.MessageHistory.open(path) as history:
        return [message["content"] for message in history]


def refused(path: Path, code: str) -> tw.TurnwireError:
    with pytest.raises(tw.TurnwireError) as caught:
        tw.MessageHistory.open(path)
    assert caught.value.code == code
    return caught.value


# --- The file ---


def test_a_message_is_a_line(path: Path) -> None:
    with tw.MessageHistory.open(path) as history:
        history.add_user_message("東京")
        history.add_raw_message({"role": "model", "parts": [{"text": "x"}]})
        assert path.read_text(encoding="utf-8") == (
            '{"dialect":"history","element":{"role":"user","content":"東京"}}\n'
            '{"dialect":"gemini","element":{"role":"model","parts":[{"text":"x"}]}}\n'
        )
    with tw.MessageHistory.open(path) as again:
        assert again == history


def test_clear_is_a_line_and_the_file_only_grows(path: Path) -> None:
    with tw.MessageHistory.open(path) as history:
        history.add_user_message("old")
        before = path.read_bytes()
        history.clear()
        assert history.messages == []
        assert path.read_bytes() == before + b'{"clear":true}\n'
        history.add_user_message("new")
    assert texts(path) == ["new"]


def test_it_is_written_when_the_call_returns_and_on_the_disk_with_sync(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda _: synced.append(path.stat().st_size))
    with tw.MessageHistory.open(path) as history:
        history.add_user_message("x")
        assert path.stat().st_size > 0
    assert synced == []
    with tw.MessageHistory.open(path, sync=True) as history:
        history.add_user_message("y")
        history.clear()
        sizes = [path.stat().st_size, synced[-1]]
        assert sizes[0] == sizes[1]
        assert len(synced) == 2


@posix
def test_a_new_file_is_in_its_folder_with_sync(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds: list[bool] = []
    monkeypatch.setattr(os, "fsync", lambda number: kinds.append(Path(f"/dev/fd/{number}").is_dir()))
    with tw.MessageHistory.open(path, sync=True) as history:
        history.add_user_message("y")
    assert kinds == [True, False]


def test_it_is_still_read_after_close_and_never_written(path: Path) -> None:
    history = tw.MessageHistory.open(str(path))
    history.add_user_message("x")
    history.close()
    history.close()
    assert history.prepare("openai").payload["messages"] == [{"role": "user", "content": "x"}]
    for write in (history.clear, lambda: history.add_user_message("y"), lambda: history.add_tool_result("c", "r")):
        with pytest.raises(tw.TurnwireError) as caught:
            write()
        assert caught.value.code == "history_closed"
        assert str(path) in str(caught.value)
    assert history.messages == [{"role": "user", "content": "x"}]
    assert "closed" in repr(history)
    tw.MessageHistory().close()


def test_windows_and_summaries_of_it_are_in_memory(path: Path) -> None:
    with tw.MessageHistory.open(path) as history:
        for message in FLOW:
            history.add_raw_message(message)
        before = path.read_bytes()
        for other in (history.window(turns=2), history.summarise("s", turns=2), tw.MessageHistory(history)):
            other.add_user_message("more")
        assert path.read_bytes() == before
        assert history == flow()


def test_it_neither_pickles_nor_copies_itself(path: Path) -> None:
    with tw.MessageHistory.open(path) as history, pytest.raises(TypeError, match="cannot leave its file"):
        pickle.dumps(history)
    copy = tw.MessageHistory(history)
    assert pickle.loads(pickle.dumps(copy)) == history


def test_a_window_can_be_stored_again(path: Path) -> None:
    broken = [*FLOW[:2], {"role": "user", "content": "hurry"}]
    window = tw.MessageHistory(broken).window(turns=10)
    assert "missing_result" in [entry.code for entry in window.receipt if entry.kind != "warning"]
    with tw.MessageHistory.open(path) as history:
        for turn in window.conversation:
            history.add_raw_message(turn)
    with tw.MessageHistory.open(path) as again:
        assert again.render("anthropic").payload == window.render("anthropic").payload


# --- What a line holds ---


def test_a_history_that_was_reopened_equals_the_one_in_memory(tmp_path: Path) -> None:
    targets = [name for name in tw.dialects() if ":" not in name]
    compared = 0
    for at, (name, messages, source) in enumerate(PAYLOADS):
        path = tmp_path / f"{at}.jsonl"
        try:
            history = tw.MessageHistory(messages, source)
        except tw.TurnwireError:
            continue
        try:
            with tw.MessageHistory.open(path) as kept:
                for message in messages:
                    kept.add_raw_message(message, source)
        except tw.TurnwireError as error:
            assert error.code == "too_deep", name
            continue
        with tw.MessageHistory.open(path) as again:
            assert again == kept == history, name
            assert again.get_messages() == history.get_messages(), name
            for target in targets:
                assert rendered(again, target) == rendered(history, target), (name, target)
        compared += 1
        path.unlink()
    assert compared > 300


def rendered(history: tw.MessageHistory, target: Any) -> Any:
    """What both functions make of it, or the error."""
    try:
        through = history.render(target), history.render_json(target)
    except tw.TurnwireError as error:
        return type(error), str(error)
    return [(one.payload, one.receipt, one.sources, one.hoisted) for one in through]


def kept(path: Path, message: object, dialect: Any = "openai") -> tw.MessageHistory:
    """A history of one message, reopened."""
    with tw.MessageHistory.open(path) as history:
        history.add_raw_message(message, dialect)
    again = tw.MessageHistory.open(path)
    again.close()
    assert again == history
    assert path.read_bytes().count(b"\n") == 1
    return again


@pytest.mark.parametrize(
    "value",
    [
        "half \ud83d",
        "\udc00",
        "line\nbreak\r\n\u2028\x00\x7f",
        "\U0001f600",
        10**400,
        -(2**63) - 1,
        1.5e-300,
        -0.0,
        True,
        None,
        "",
        {"a": [{}, [], ""]},
    ],
)
def test_values_survive(path: Path, value: Any) -> None:
    message = {"role": "user", "content": "x", "odd": value}
    (again,) = kept(path, message).get_messages()
    assert again == message
    assert repr(again) == repr(message)


def test_bytes_are_bytes_again(path: Path) -> None:
    image = {"format": "png", "source": {"bytes": b"\x89PNG\xff"}}
    message = {"role": "user", "content": [{"text": "half \ud83d"}, {"image": image}, {"image": image}]}
    history = kept(path, message, "bedrock")
    assert history.messages == [message]
    line = json.loads(path.read_bytes())
    assert line["bytes"] == [["content", at, "image", "source", "bytes"] for at in (1, 2)]
    assert line["element"]["content"][1]["image"]["source"]["bytes"] == "iVBOR/8="
    assert history.render("bedrock").payload["messages"] == [message]
    assert b"iVBOR/8=" in history.render_json("bedrock").payload


def test_numbers_keep_their_spelling(path: Path) -> None:
    spelled = b'[{"role": "user", "content": "x", "odd": [1.10, 1e999, 0.1E+2]}]'
    history = kept(path, tw.Conversation.parse(spelled, "openai").turns[0])
    assert b"[1.10, 1e999, 0.1E+2]" in history.render_json("openai").payload


def test_large_messages_survive(path: Path) -> None:
    text = '東京 \\ "\n' * 100_000
    assert kept(path, {"role": "user", "content": text}).messages == [{"role": "user", "content": text}]


@pytest.mark.parametrize(
    ("value", "code"),
    [(float("nan"), "not_json"), (float("-inf"), "not_json"), (object(), "not_json"), (10**5000, "not_json")],
    ids=["nan", "infinity", "a foreign object", "an int that Python cannot write as text"],
)
@pytest.mark.parametrize("beside", ["x", "half \ud83d", b"bytes"], ids=["text", "half", "bytes"])
def test_what_no_line_holds_is_refused_and_not_kept(path: Path, value: Any, code: str, beside: Any) -> None:
    with tw.MessageHistory.open(path) as history:
        history.add_user_message("before")
        size = path.stat().st_size
        with pytest.raises(tw.TurnwireError) as caught:
            history.add_raw_message({"role": "user", "content": "x", "beside": beside, "odd": value}, "openai")
        assert caught.value.code == code
        assert (len(history), path.stat().st_size) == (1, size)
        history.add_user_message("after")
    assert texts(path) == ["before", "after"]


def test_what_is_too_deep_to_be_read_back_is_refused(path: Path) -> None:
    deep: list[Any] = []
    for _ in range(tw.constants.MAX_DEPTH - 2):
        deep = [deep]
    message = {"role": "user", "content": "x", "odd": deep}
    assert len(tw.MessageHistory([message], "openai")) == 1
    with tw.MessageHistory.open(path) as history:
        with pytest.raises(tw.ParseError) as caught:
            history.add_raw_message(message, "openai")
        assert caught.value.code == "too_deep"
        assert (len(history), path.stat().st_size) == (0, 0)


# --- Torn lines ---


def test_a_torn_line_is_set_aside_wherever_it_was_torn(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    stored(path, "first", "second")
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    torn = Path(f"{path}.torn")
    for cut in range(first + 1, len(whole) - 1):
        path.write_bytes(whole[:cut])
        caplog.clear()
        with caplog.at_level(logging.WARNING, "turnwire"):
            assert texts(path) == ["first"]
        (record,) = caplog.records
        assert str(torn) in record.getMessage()
        assert torn.read_bytes() == whole[first:cut] + b"\n"
        assert path.read_bytes() == whole[:first]
        torn.unlink()
        stored(path, "third")
        assert texts(path) == ["first", "third"]


def test_torn_lines_are_kept_one_after_the_other(path: Path) -> None:
    for piece in (b'{"dialect":"openai","el', b'{"cle', b"{", b"\0" * 8):
        path.write_bytes(path.read_bytes() + piece if path.exists() else piece)
        assert texts(path) == []
        assert path.read_bytes() == b""
    assert Path(f"{path}.torn").read_bytes() == b'{"dialect":"openai","el\n{"cle\n{\n' + b"\0" * 8 + b"\n"


def test_a_line_that_lacks_only_its_end_is_whole(path: Path) -> None:
    stored(path, "first", "second")
    path.write_bytes(path.read_bytes()[:-1])
    assert texts(path) == ["first", "second"]
    stored(path, "third")
    assert texts(path) == ["first", "second", "third"]
    assert not Path(f"{path}.torn").exists()


def test_a_torn_line_stays_where_there_is_no_place_for_it(path: Path) -> None:
    stored(path, "first")
    given = path.read_bytes() + b'{"dialect":"op'
    path.write_bytes(given)
    Path(f"{path}.torn").mkdir()
    assert isinstance(refused(path, "not_stored").__cause__, OSError)
    assert path.read_bytes() == given


@posix
@pytest.mark.timeout(120)
def test_kills_at_random_moments_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, HERE / "kills.py", tmp_path, str(KILLS), "3"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    told = json.loads(run.stdout)
    assert told["kills"] == KILLS
    assert told["acknowledged"] >= KILLS


# --- Files that are not histories ---

LINE = b'{"dialect":"openai","element":{"role":"user","content":"x"}}\n'
DAMAGED: dict[str, tuple[bytes, int, str]] = {
    "text": (b"Dear diary,\n", 1, "$"),
    "text without an end": (b"Dear diary", 1, "$"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), 1, "$"),
    "zeros and more": (b"\0" * 8 + LINE, 1, "$"),
    "messages of a chat": (b'{"role": "user", "content": "x"}\n', 1, "$"),
    "a list": (b"[]\n", 1, "$"),
    "an empty object": (b"{}\n", 1, "$"),
    "a mark of byte order": (b"\xef\xbb\xbf" + LINE, 1, "$"),
    "half a line in the middle": (LINE + LINE[:20] + b"\n" + LINE, 2, "$"),
    "half a line and then a whole one": (LINE + LINE[:20] + LINE, 2, "$"),
    "a line without its element": (LINE + b'{"dialect":"openai"}\n', 2, "$"),
    "a dialect that is a number": (b'{"dialect":5,"element":{}}\n', 1, "$"),
    "a dialect that nobody knows": (LINE + LINE + b'{"dialect":"nobody","element":{}}\n', 3, "$"),
    "an element that is a list": (b'{"dialect":"openai","element":[]}\n', 1, "$.element"),
    "a role that nobody has": (b'{"dialect":"openai","element":{"role":"robot"}}\n', 1, "$.element.role"),
    "no clear": (b'{"clear":false}\n', 1, "$"),
    "no UTF-8": (b'{"dialect":"openai","element":{"role":"user","content":"\xff"}}\n', 1, "$.element.content"),
    "places that are none": (b'{"dialect":"openai","element":{"role":"user"},"bytes":[["content"]]}\n', 1, "$.bytes"),
    "places of no base64": (LINE[:-2] + b',"bytes":[["content"]]}\n', 1, "$.bytes"),
    "places of nothing": (LINE[:-2] + b',"bytes":[[]]}\n', 1, "$.bytes"),
    "places that are a number": (LINE[:-2] + b',"bytes":5}\n', 1, "$.bytes"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_or_foreign_file_says_where_and_stays_as_it_is(path: Path, name: str) -> None:
    given, line, place = DAMAGED[name]
    path.write_bytes(given)
    error = refused(path, "bad_history")
    assert isinstance(error, tw.ParseError)
    assert f"{path}, line {line}: " in str(error)
    assert error.path == place
    assert path.read_bytes() == given
    assert [one.name for one in path.parent.iterdir()] == [path.name]
    # No process holds it.
    refused(path, "bad_history")


def test_blank_lines_and_other_ends_are_taken(path: Path) -> None:
    path.write_bytes(b"\n" + LINE.replace(b"\n", b"\r\n") + b"  \n" + LINE + b"\n")
    assert texts(path) == ["x", "x"]


LATER = [b'{"note":"cut"}\n', b'{"format":2,"at":[1]}\n', b'{"branch":{"since":3}}\n']


@pytest.mark.parametrize("later", LATER)
def test_a_line_of_a_later_version_is_passed_over(path: Path, later: bytes, caplog: pytest.LogCaptureFixture) -> None:
    path.write_bytes(LINE + later + LINE)
    with caplog.at_level(logging.WARNING, "turnwire"), tw.MessageHistory.open(path) as history:
        history.add_user_message("y")
        assert len(history) == 3
    assert [record.message for record in caplog.records] == [
        f"{path}, line 2: unknown to this version of turnwire, so skipped"
    ]
    assert path.read_bytes().startswith(LINE + later + LINE)
    assert texts(path) == ["x", "x", "y"]


def test_a_line_that_is_too_deep_to_read_is_damage(path: Path) -> None:
    given = LINE + b'{"deep":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n" + LINE
    path.write_bytes(given)
    assert f"{path}, line 2: " in str(refused(path, "bad_history"))
    assert path.read_bytes() == given


@pytest.mark.parametrize("later", LATER)
def test_a_file_with_an_unknown_beginning_is_no_history(path: Path, later: bytes) -> None:
    path.write_bytes(later + LINE)
    refused(path, "bad_history")
    assert path.read_bytes() == later + LINE


def test_keys_beside_are_taken(path: Path) -> None:
    path.write_bytes(LINE[:-2] + b',"at":"2026-11-22"}\n')
    assert texts(path) == ["x"]


@pytest.mark.parametrize("place", ["", "missing/talk.jsonl"], ids=["a folder", "in no folder"])
def test_what_cannot_be_opened(tmp_path: Path, place: str) -> None:
    error = refused(tmp_path / place, "not_stored")
    assert isinstance(error.__cause__, OSError)
    assert str(tmp_path / place) in str(error)


@posix
def test_devices_and_pipes_are_no_files(tmp_path: Path) -> None:
    refused(Path("/dev/full"), "not_stored")
    refused(Path("/dev/null"), "not_stored")
    os.mkfifo(tmp_path / "pipe")
    refused(tmp_path / "pipe", "not_stored")


@pytest.mark.parametrize("bad", [None, 5, ["talk"]])
def test_a_path_is_a_path(bad: Any) -> None:
    with pytest.raises(TypeError):
        tw.MessageHistory.open(bad)


# --- One writer ---


def test_a_second_writer_is_refused(path: Path) -> None:
    with tw.MessageHistory.open(path) as history:
        history.add_user_message("x")
        assert "one writes it at a time" in str(refused(path, "history_locked"))
        link = path.with_name("link.jsonl")
        link.symlink_to(path)
        refused(link, "history_locked")
        history.add_user_message("y")
    assert texts(path) == ["x", "y"]


@pytest.fixture
def other(path: Path) -> Iterator["subprocess.Popen[str]"]:
    """Another process that has the file open."""
    code = "import sys, turnwire as tw\nh = tw.MessageHistory.open(sys.argv[1])\nh.add_user_message('x')\n"
    code += "print('open', flush=True)\nsys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.kill()


def test_a_second_writer_in_another_process_is_refused_until_the_first_is_gone(
    path: Path, other: "subprocess.Popen[str]"
) -> None:
    refused(path, "history_locked")
    other.kill()
    other.wait()
    assert texts(path) == ["x"]


IN_A_FORK = """
import os, sys, turnwire as tw
path = sys.argv[1]
def child(work):
    pid = os.fork()
    if pid == 0:
        work()
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
def refused():
    try:
        tw.MessageHistory.open(path)
    except tw.TurnwireError as error:
        assert error.code == "history_locked", error
        return
    os._exit(3)
history = tw.MessageHistory.open(path)
def write():
    try:
        history.add_user_message("from the child")
    except tw.TurnwireError as error:
        assert error.code == "history_locked", error
        history.close()
        refused()
        return
    os._exit(2)
assert child(write) == 0
refused()
history.add_user_message("from the parent")
waits, goes = os.pipe()
keeper = os.fork()
if keeper == 0:
    os.close(goes)
    os.read(waits, 1)
    os._exit(0)
history.close()  # though the child still has the file
tw.MessageHistory.open(path).close()
os.close(goes)
os.waitpid(keeper, 0)
"""


@posix
def test_a_fork_neither_writes_nor_unlocks(path: Path) -> None:
    subprocess.run([sys.executable, "-W", "ignore", "-c", IN_A_FORK, path], check=True)
    assert texts(path) == ["from the parent"]


# --- No space left ---


@posix
def test_a_full_disk(path: Path) -> None:
    history = tw.MessageHistory.open(path)
    history.add_user_message("x")
    assert history._store is not None
    full = os.open("/dev/full", os.O_RDWR)
    os.dup2(full, history._store._file.fileno())
    os.close(full)
    with pytest.raises(tw.TurnwireError) as caught:
        history.add_user_message("y")
    assert caught.value.code == "not_stored"
    assert isinstance(caught.value.__cause__, OSError)
    assert caught.value.__cause__.errno == errno.ENOSPC
    assert len(history) == 1
    # A device does not shrink either: its content is unknown until it is read again.
    with pytest.raises(tw.TurnwireError) as caught:
        history.clear()
    assert caught.value.code == "history_closed"
    assert texts(path) == ["x"]


NO_ROOM = """
import resource, sys, turnwire as tw
history = tw.MessageHistory.open(sys.argv[1])
history.add_user_message("x")
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
for write in (lambda: history.add_user_message("y" * 2000), lambda: history.add_tool_result("c", "r" * 2000)):
    try:
        write()
    except tw.TurnwireError as error:
        assert error.code == "not_stored", error
    else:
        sys.exit("there was room")
history.add_user_message("small")
assert len(history) == 2
"""


@posix
def test_half_a_line_is_taken_back_where_there_is_no_room_for_the_rest(path: Path) -> None:
    subprocess.run([sys.executable, "-c", NO_ROOM, path], check=True)
    assert texts(path) == ["x", "small"]
    assert not Path(f"{path}.torn").exists()


READ_ONLY = """
import os, sys, turnwire as tw
opened = tw.MessageHistory.open
if os.geteuid() == 0:
    # The one user who may write everywhere.
    os.setgid(65534)
    os.setuid(65534)
for path in sys.argv[1:]:
    try:
        opened(path)
    except tw.TurnwireError as error:
        assert error.code == "not_stored", error
        assert isinstance(error.__cause__, PermissionError), error
        assert path in str(error)
    else:
        sys.exit(f"{path} was opened")
"""


@posix
def test_a_folder_or_a_file_that_may_only_be_read() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "old.jsonl"
        stored(file, "x")
        file.chmod(0o444)
        folder.chmod(0o555)
        try:
            subprocess.run([sys.executable, "-c", READ_ONLY, folder / "new.jsonl", file], check=True)
        finally:
            folder.chmod(0o755)
            file.chmod(0o644)
        assert texts(file) == ["x"]


def test_a_write_that_is_broken_off_is_not_there(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with tw.MessageHistory.open(path, sync=True) as history:
        history.add_user_message("x")

        def stop(_: int) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", stop)
            with pytest.raises(KeyboardInterrupt):
                history.add_user_message("y")
        history.add_user_message("z")
        assert len(history) == 2
    assert texts(path) == ["x", "z"]
