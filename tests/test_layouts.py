"""Records of other shapes: what each sample means, that no text is lost, and where a broken record is broken.

`layouts/samples.jsonl` has records with their `layout`, the `row` that a conversion to `openai:hf` writes, and the
`losses` of it and the `findings` of a check, each with its code and the path in the record. No layout claims a sample
without one. The core's tests of the same name say that every word of the table matters.
"""

import copy
import json
import random
import re
import time
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw
from random_runs import tries
from turnwire import batch
from turnwire._core import _layout_table

SAMPLES: list[dict[str, Any]] = [
    json.loads(line) for line in (Path(__file__).parent / "layouts/samples.jsonl").read_text("utf-8").splitlines()
]
CLAIMED = [one for one in SAMPLES if one["layout"]]
READ = [one for one in CLAIMED if one["row"]]
TARGET = "openai:hf"


def converted(record: Any, source: str = "auto", target: str = TARGET, **options: Any) -> Any:
    """What becomes of one record of a file: the row, or its error."""
    failed: list[batch.RowError] = []
    made = batch.convert_lines(
        [json.dumps(record, ensure_ascii=False).encode()], target, source=source, errors=failed.append, **options
    )
    rows = [json.loads(row) for row in made]
    return rows[0] if rows else failed[0]


@pytest.mark.parametrize("sample", READ, ids=[one["id"] for one in READ])
def test_a_record_means_its_messages(sample: dict[str, Any]) -> None:
    assert converted(sample["record"]) == sample["row"]
    assert converted(sample["record"], sample["layout"]) == sample["row"]


@pytest.mark.parametrize("sample", READ, ids=[one["id"] for one in READ])
def test_the_front_door_reads_it_too(sample: dict[str, Any]) -> None:
    if "chosen" in sample["row"]:
        with pytest.raises(tw.TurnwireError, match=r"a row of (alpaca|qa|transcript) with two answers"):
            tw.convert(sample["record"], TARGET)
        return
    for source in ("auto", sample["layout"]):
        made = tw.convert(sample["record"], TARGET, source=source, settings="keep")
        assert made.payload == sample["row"]
        assert sorted([change.code, change.path] for change in made.receipt) == sorted(sample["losses"])
        data = json.dumps(sample["record"]).encode()
        assert json.loads(tw.convert_json(data, TARGET, source=source, settings="keep").payload) == sample["row"]


@pytest.mark.parametrize("sample", READ, ids=[one["id"] for one in READ])
def test_detect_names_its_layout(sample: dict[str, Any]) -> None:
    assert tw.detect(sample["record"]) == sample["layout"]
    assert tw.detect(json.dumps(sample["record"])) == sample["layout"]


@pytest.mark.parametrize("sample", SAMPLES, ids=[one["id"] for one in SAMPLES])
def test_its_rows_are_never_written(sample: dict[str, Any]) -> None:
    failed: list[batch.RowError] = []
    data = [json.dumps(sample["record"]).encode()]
    for made in (batch.prepare_lines(data, errors=failed.append), batch.truncate_lines(data, 9, errors=failed.append)):
        rows = list(made)
        assert not (rows and sample["layout"])
    if sample["layout"]:
        assert {error.code for error in failed} == {"wrong_dialect" if sample["row"] else "missing_key"}


@pytest.mark.parametrize("sample", READ, ids=[one["id"] for one in READ])
def test_a_check_finds_what_is_wrong(sample: dict[str, Any]) -> None:
    (found,) = batch.check_lines([json.dumps(sample["record"]).encode()])
    assert [[one["code"], one["path"]] for one in json.loads(found)] == sample.get("findings", [])


@pytest.mark.parametrize("sample", READ, ids=[one["id"] for one in READ])
def test_a_check_of_one_record_finds_the_same(sample: dict[str, Any]) -> None:
    for source in ("auto", sample["layout"]):
        for record in (sample["record"], json.dumps(sample["record"]).encode()):
            if "chosen" in sample["row"]:
                with pytest.raises(tw.TurnwireError, match="with two answers: read it as a line of a file"):
                    tw.check(record, source=source)
                continue
            assert [[one.code, one.path] for one in tw.check(record, source=source)] == sample.get("findings", [])


@pytest.mark.parametrize("sample", READ, ids=[one["id"] for one in READ])
def test_what_keeps_messages_says_to_convert_a_record(sample: dict[str, Any]) -> None:
    record, name = sample["record"], sample["layout"]
    for source in ("auto", name):
        for door in (
            lambda source=source: tw.prepare(record, "openai", source=source),
            lambda source=source: tw.prepare_json(json.dumps(record), "openai", source=source),
            lambda source=source: tw.Conversation.parse(record, source),
            lambda source=source: tw.check(record, source=source, after=[]),
        ):
            with pytest.raises(tw.ParseError, match=f"rows of {name} are read and not written: convert them") as error:
                door()
            assert error.value.code == "wrong_dialect"


def test_the_name_of_a_layout_reads_what_it_claims() -> None:
    error = converted({"question": "2+2?", "answer": "4"}, "alpaca")
    assert (error.code, error.path) == ("missing_key", "$")
    assert '"instruction" with text' in error.message
    assert '"question", "answer"' in error.message


def test_no_layout_is_a_target() -> None:
    for name, *_ in _layout_table():
        with pytest.raises(tw.UnknownDialectError):
            tw.convert([{"role": "user", "content": "Hi"}], name, source="openai")


#: How a text begins.
ODD = ["", "ä", "日", "😀", "\n", " ", "\\", '"', "\u2028"]


#: Layouts of talks, whose texts lose the space around them.
TALKS = ("glaive", "transcript")

#: What stands before the texts of a talk, and what its calls and tools are in.
MARK = re.compile(
    r"(\s*(?:(?:### )?(?:Human|Assistant)|USER|ASSISTANT|FUNCTION RESPONSE|SYSTEM):\s*| <functioncall>.*> ?)", re.S
)


#: Keys whose values are no speech.
NAMED = (
    *("role", "type", "$type", "kind", "part_kind", "source", "lc", "status", "outcome", "requestor", "object"),
    *("id", "call_id", "callId", "callID", "tool_call_id", "source_call_id", "finish_reason", "schema_version"),
    *("name", "function", "tool", "tool_name", "function_name", "arguments", "args", "tools", "exception"),
    *("url", "uri", "image_url", "input_audio", "base64", "path", "mime", "mimeType", "mediaType"),
    *(
        "media_type",
        "mime_type",
        "from",
        "timestamp",
        "dynamic_content",
        "scope",
        "state",
        "identifier",
        "sessionID",
        "messageID",
        "parentID",
        "finish",
        "tail_start_id",
    ),
    *("current_node", "parent", "children", "recipient", "content_type", "author", "channel", "flags", "language"),
    *("uuid", "parent_message_uuid", "current_leaf_message_uuid", "messageId", "parentMessageId", "sender"),
    *("conversationId", "created_at", "updated_at", "start_timestamp", "stop_timestamp"),
)


def made_anew(value: Any, rng: random.Random, said: dict[str, str], path: str = "$") -> Any:
    """A record with a text of its own in place of each text that is said. `said`: the path of each."""
    if isinstance(value, str):
        if MARK.search(value):
            return "".join(
                piece if at % 2 or not piece or any(c in piece for c in "{<") else made_anew(piece, rng, said, path)
                for at, piece in enumerate(MARK.split(value))
            )
        if value[:1] in ("[", "{"):
            return json.dumps(made_anew(json.loads(value), rng, said, path), ensure_ascii=False)
        text = f"{rng.choice(ODD)}t{len(said)}{rng.choice(ODD)}."
        said[text] = path
        return text
    if isinstance(value, list):
        return [made_anew(item, rng, said, f"{path}[{index}]") for index, item in enumerate(value)]
    if isinstance(value, dict):
        if value.get("type") == "tool_use":
            # It repeats one of the message's calls.
            return value
        is_media = value.get("type") in ("image", "data") or value.get("kind") == "binary"
        # Claude.ai repeats the texts of parts.
        repeated = ("text",) if value.get("sender") and value.get("content") else ()
        named = (*NAMED, *repeated, *(("data",) if is_media else ()))
        return {
            key: item if key in named else made_anew(item, rng, said, path + step(key)) for key, item in value.items()
        }
    return value


def step(key: str | int) -> str:
    """A step of a path."""
    return f"[{key}]" if isinstance(key, int) else f".{key}" if key.replace("_", "").isalnum() else f'["{key}"]'


@pytest.mark.parametrize("target", [TARGET, "openai", "anthropic", "gemini", "sharegpt", "mistral"])
def test_what_is_said_comes_out_once_or_is_a_loss(target: str) -> None:
    rng = random.Random(target)
    for _ in range(tries(10)):
        for sample in READ:
            said: dict[str, str] = {}
            record = made_anew(sample["record"], rng, said)
            if sample["layout"] in TALKS:
                said = {text.strip(): path for text, path in said.items()}
            row = converted(record, target=target)
            if sample.get("begins") == "assistant" and not isinstance(row, dict | list):
                assert (row.code, target == TARGET) == ("refused", False)
                continue
            if isinstance(row, batch.RowError) and sample["layout"] == "transcript":
                # Two talks with other questions have no prompt.
                assert row.code == "refused" and target != TARGET
                continue
            assert isinstance(row, dict | list), (record, row)
            written = json.dumps(row, ensure_ascii=False)
            often = {text: written.count(json.dumps(text, ensure_ascii=False)[1:-1]) for text in said}
            again = {text: written.count(escaped_twice(text)) for text in said}
            missing = [text for text, times in often.items() if times + again[text] == 0]
            paths = [path for _, path in sample["losses"]]
            lost = paths if "chosen" in sample["row"] else [loss.path for loss in losses_of(record, target)]
            # A system text and the question may be in one message, and a prompt is there once.
            for text in missing:
                assert any(said[text].startswith(path) for path in lost), (text, said[text], record, row, lost)
            # Texts that stand apart stay there, too.
            apart = {text for text, path in said.items() if path.startswith("$.attachments")}
            assert all(times < 2 for text, times in often.items() if text not in apart), (record, row)


def escaped_twice(text: str) -> str:
    """A text as it is in JSON in a text."""
    return json.dumps(json.dumps(text, ensure_ascii=False), ensure_ascii=False)[3:-3]


def losses_of(record: Any, target: str) -> list[tw.Change]:
    """The losses of a conversion."""
    return tw.convert(record, target, settings="keep").receipt


#: What a value is broken into.
WRONG = [3, True, 1.5, {"no": 1}, [["x"]], ["x", 3], {}]


def places(value: Any, path: str = "$") -> list[tuple[str, Any, Any]]:
    """Each value inside another one: its path, the one around it, and the key."""
    found: list[tuple[str, Any, Any]] = []
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in entries:
        found += [(path + step(key), value, key), *places(item, path + step(key))]
    return found


@pytest.mark.parametrize("sample", READ, ids=[one["id"] for one in READ])
def test_a_broken_record_is_read_or_says_where(sample: dict[str, Any]) -> None:
    said = 0
    count = len(places(sample["record"]))
    # A long record repeats its messages.
    for at in range(0, count, 1 + count // 120):
        record = copy.deepcopy(sample["record"])
        path, around, key = places(record)[at]
        for wrong in WRONG:
            around[key] = wrong
            entries = record if isinstance(record, dict) else range(len(record))
            for source in ("auto", sample["layout"]):
                made = converted(record, source)
                if isinstance(made, batch.RowError):
                    said += 1
                    first = [f"${step(one)}" for one in entries]
                    assert made.path == "$" or made.path.startswith(tuple(first)), (record, made)
                    assert "gen_ai" not in made.path
                    assert "gen_ai" not in made.message
                    if source != "auto" and made.path != "$":
                        # Who speaks may be said in several places of a message.
                        inside = re.match(r"[^\]]*\]", made.path)
                        around_it = inside[0] if inside else made.path
                        assert path.startswith(around_it) or made.path.startswith(path), (record, made)
    assert said >= 10


TWO = {"question": "q", "chosen": "a", "rejected": "b"}
MADE = [("prompt", [("user", "q")]), ("chosen", [("assistant", "a")]), ("rejected", [("assistant", "b")])]


OWN = [
    (key, value)
    for key in ("prompt", "completion", "preferred_output", "tools")
    for value in ("P", {"k": 1}, [1], None)
]


@pytest.mark.parametrize(("key", "value"), [*OWN, ("messages", None), ("conversations", None)])
def test_a_key_for_which_a_row_of_two_answers_has_a_use_is_a_loss(key: str, value: Any) -> None:
    # The same keys in another order.
    for record in ({**TWO, key: value, "id": 7}, {**TWO, "id": 7, key: value}):
        made = list(batch.convert_lines([json.dumps(record).encode()], "openai:hf", stop=True))
        row = json.loads(made[0])
        assert [(name, [(m["role"], m["content"]) for m in row[name]]) for name, _ in MADE] == MADE and row["id"] == 7


@pytest.mark.parametrize("key", ["messages", "conversations", "contents"])
@pytest.mark.parametrize(
    ("record", "texts"),
    [
        ({"instruction": "Do", "input": "q", "output": "a"}, ["Do\nq", "a"]),
        ({"input": [{"role": "user", "content": "x"}], "output": "y"}, ["x", "y"]),
        ({"question": "q", "answer": "a"}, ["q", "a"]),
    ],
)
def test_a_list_that_is_null_says_nothing(record: Any, texts: list[str], key: str) -> None:
    for given in ({**record, key: None}, {key: None, **record}):
        made: Any = tw.convert(given, "openai").payload
        assert [message["content"] for message in made["messages"]] == texts


def test_a_record_of_two_answers_is_no_one_conversation() -> None:
    with pytest.raises(tw.TurnwireError, match="a row of qa with two answers: read it as a line of a file"):
        tw.convert(TWO, "openai", source="qa")


def test_the_paths_of_losses_cost_as_much_as_the_record() -> None:
    def record(count: int) -> bytes:
        part = {"type": "ai", "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "x"}]}
        return json.dumps([{"type": "human", "content": "Hi"}, *([part] * count)]).encode()

    def cost(count: int) -> float:
        begun = time.thread_time()
        assert len(tw.convert_json(records[count], "openai").receipt) == count
        return time.thread_time() - begun

    records = {count: record(count) for count in (500, 4000)}
    # In turn and many times, because other work on the machine makes single runs longer.
    small, large = (min(costs) for costs in zip(*((cost(500), cost(4000)) for _ in range(8)), strict=True))
    # If each loss read the record again, it would be 64 times as much.
    assert large < 24 * small


@pytest.mark.parametrize("sample", READ, ids=[one["id"] for one in READ])
def test_records_are_not_compared_as_they_came(sample: dict[str, Any]) -> None:
    """A diff is about requests: it says to convert them first."""
    record = sample["record"]
    for source in ("auto", sample["layout"]):
        with pytest.raises(tw.TurnwireError, match="convert them to a dialect first") as raised:
            tw.diff(record, record, source=source)
        assert raised.value.code == "wrong_dialect"


@pytest.mark.parametrize("sample", READ, ids=[one["id"] for one in READ])
def test_a_dialect_that_a_record_is_not_in_is_told_the_layout(sample: dict[str, Any]) -> None:
    for source in ("openai", "anthropic", "sharegpt"):
        made = converted(sample["record"], source)
        # Of a record with `conversation`, a dialect reads only that list.
        is_record = isinstance(made, batch.RowError) and not made.path.startswith("$.conversation[")
        if is_record and made.code == "wrong_dialect":
            assert made.message.endswith(f"it looks like {sample['layout']}"), made
    if sample["layout"] in ("alpaca", "qa"):
        assert isinstance(converted(sample["record"], "openai"), batch.RowError)
