"""Batch files of one provider as files of another: every kind of request, hostile lines, limits, interruptions."""

import json
import os
import random
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw
from batch_makers import ODD_IDS, TARGETS, Ask, asked, body, line, read, target_of, write
from test_wire_traffic import errors, requests  # noqa: F401  the checker is a fixture
from turnwire import batch
from turnwire.batch import batch_elements

Json = Any
TAKEN_IDS = {"anthropic": r"[a-zA-Z0-9_-]{1,64}", "bedrock": r"[a-zA-Z0-9_-]{1,64}"}


def converted(path: Path, target: str, **options: Any) -> tuple[batch.BatchReport, list[tuple[str, Json]], list[Json]]:
    """The report, the lines, and the failures."""
    failed: list[batch.RowError] = []
    name, more = target_of(target)
    out = path.with_name("out.json")
    report = batch.convert_batch(path, out, name, errors=failed.append, **more, **options)
    assert report.failed == len(failed)
    assert report.rows == report.failed + sum(file.rows for file in report.files)
    assert not [one.name for one in path.parent.iterdir() if ".part" in one.name]
    lines = []
    for file in report.files:
        new = read(file.path, target)
        assert len(new) == file.rows
        lines += new
    return report, lines, failed


def chat_line(given: object = "a", **body: Any) -> Json:
    inner = {"model": "m", "messages": [{"role": "user", "content": "q"}], **body}
    return {"custom_id": given, "method": "POST", "url": "/v1/chat/completions", "body": inner}


def written(path: Path, *lines: object) -> Path:
    path.write_bytes(b"".join((one if isinstance(one, bytes) else json.dumps(one).encode()) + b"\n" for one in lines))
    return path


def longest(made: Json, wire: str) -> object:
    """The key of a body that limits the answer's length."""
    match wire:
        case "gemini":
            return made["generationConfig"]["maxOutputTokens"]
        case "bedrock":
            return made["inferenceConfig"]["maxTokens"]
        case "openai-responses":
            return made["max_output_tokens"]
        case _:
            return made.get("max_tokens") or made["max_completion_tokens"]


@pytest.mark.parametrize("source", TARGETS)
@pytest.mark.parametrize("target", TARGETS)
def test_every_kind_of_request(tmp_path: Path, source: str, target: str) -> None:
    rng = random.Random(f"{source} {target}")
    asks = [asked(rng, tools=target != "bedrock") for _ in range(40)]
    ids = [f"id {n}" if rng.random() < 0.3 else f"id-{n}" for n in range(len(asks))]
    write(
        tmp_path / "in",
        [line(*pair, source) for pair in zip(ids, (body(ask, source) for ask in asks), strict=True)],
        source,
    )
    report, lines, failed = converted(tmp_path / "in", target, model="model-x")
    assert failed == []
    assert report.renamed == sum(" " in one for one in ids if target in ("anthropic", "bedrock", "bedrock-claude"))
    assert len(lines) == len(asks) == report.rows
    for given, ask, (own, made) in zip(ids, asks, lines, strict=True):
        assert own == given or (" " in given and report.renamed)
        said = json.dumps(made, ensure_ascii=False)
        assert json.dumps(ask.words, ensure_ascii=False)[1:-1] in said
        assert ("find" in said) == ask.tools
        assert ("found" in said) == ask.answered
        assert longest(made, target) == ask.settings["max"]
        assert made.get("model") == (None if target in ("gemini", "bedrock", "bedrock-claude") else "model-x")
        assert made.get("anthropic_version") == ("bedrock-2023-05-31" if target == "bedrock-claude" else None)


@cache
def anthropic_request() -> Any:
    from anthropic.types.messages.batch_create_params import Request
    from pydantic import TypeAdapter

    return TypeAdapter(Request)


@pytest.mark.parametrize("source", TARGETS)
@pytest.mark.parametrize("target", TARGETS)
def test_what_is_written_passes_the_providers_types(
    tmp_path: Path,
    source: str,
    target: str,
    errors: Any,  # noqa: F811
) -> None:
    rng = random.Random(f"{source} {target}")
    bodies = [body(asked(rng, tools=target != "bedrock"), source) for _ in range(25)]
    write(tmp_path / "in", [line(f"i{n}", one, source) for n, one in enumerate(bodies)], source)
    _, lines, _ = converted(tmp_path / "in", target, model="claude-opus-5" if target == "anthropic" else "m")
    assert len(lines) == 25
    for given, made in lines:
        match target:
            case "anthropic":
                anthropic_request().validate_python(line(given, made, target))
            case "mistral":
                from mistralai.client.models import BatchRequest, ChatCompletionRequest

                BatchRequest.model_validate(line(given, made, target))
                ChatCompletionRequest.model_validate(made)
                continue
            case "bedrock-claude":
                # The SDK knows only the newer version of the API.
                older = ("anthropic_version", "temperature", "top_p")
                made = {key: value for key, value in made.items() if key not in older} | {"model": "m"}
        assert errors({"bedrock-claude": "anthropic"}.get(target, target), made) == []


@pytest.mark.parametrize("target", [one for one in TARGETS if one != "bedrock"])
@pytest.mark.parametrize("source", ["openai", "anthropic", "gemini", "openai-responses"])
def test_recorded_requests(tmp_path: Path, source: str, target: str) -> None:
    bodies = requests(source)
    write(tmp_path / "in", [line(f"r{n}", one, source) for n, one in enumerate(bodies)], source)
    report, _, failed = converted(tmp_path / "in", target, model="m")
    assert report.rows == len(bodies)
    # As many as `prepare` refuses.
    name, more = target_of(target)
    refused = set()
    for number, one in enumerate(bodies, 1):
        try:
            tw.prepare(one, "anthropic:2023-06-01" if more else name, source=source, settings="convert", model="m")
        except tw.TurnwireError:
            refused.add(number)
    assert {one.line for one in failed} == refused
    assert len(refused) < len(bodies) / 4


SCHEMA: Json = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "enum": ["Oslo", "Rome"], "description": "d"},
        "days": {"type": "array", "items": {"type": ["integer", "null"], "minimum": 0}},
        "more": {"anyOf": [{"type": "string"}, {"type": "boolean"}]},
    },
    "required": ["city", "days", "more"],
    "additionalProperties": False,
}
FITTED: Json = {
    "type": "OBJECT",
    "properties": {
        "city": {"type": "STRING", "enum": ["Oslo", "Rome"], "description": "d"},
        "days": {"type": "ARRAY", "items": {"type": "INTEGER", "nullable": True, "minimum": 0}},
        "more": {"anyOf": [{"type": "STRING"}, {"type": "BOOLEAN"}]},
    },
    "required": ["city", "days", "more"],
}
UNFIT: list[Json] = [
    {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"type": "string"}}},
    {"type": "object", "properties": {"a": {"const": 7}}},
    {"type": "object", "additionalProperties": {"type": "string"}},
    {"type": "object", "properties": {"a": {"type": "integer", "enum": [1, 2]}}},
    {"type": "object", "properties": {"a": {"type": ["string", "integer"]}}},
    {"type": "object", "properties": {}, "required": ["a"]},
]


def test_geminis_batches_get_the_schema_that_they_keep_to(tmp_path: Path) -> None:
    def asks(schema: Json) -> Json:
        format = {"type": "json_schema", "json_schema": {"name": "n", "schema": schema, "strict": True}}
        return chat_line(f"a{len(json.dumps(schema))}", response_format=format)

    _, requests, _ = converted(written(tmp_path / "in.jsonl", *map(asks, [SCHEMA, *UNFIT])), "gemini")
    fitted, *others = [line["generationConfig"] for _, line in requests]
    assert fitted["responseSchema"] == FITTED and "responseJsonSchema" not in fitted
    assert fitted["responseMimeType"] == "application/json"
    assert len(others) == len(UNFIT)
    assert all("responseSchema" not in one and "responseJsonSchema" in one for one in others)


def test_ids_that_a_target_does_not_take(tmp_path: Path) -> None:
    path = written(tmp_path / "in", *(chat_line(one) for one in ODD_IDS))
    for target in TARGETS:
        _, lines, failed = converted(path, target)
        assert failed == []
        ids = [given for given, _ in lines]
        assert len(set(ids)) == len(ODD_IDS)
        for given, own in zip(ODD_IDS, ids, strict=True):
            wire = target.partition("-")[0]
            pattern = TAKEN_IDS.get(wire, r"[ -~]{1,64}")
            assert re.fullmatch(pattern, own)
            assert own == batch.batch_id(given, wire)
            assert (own == given) == bool(re.fullmatch(pattern, given))


def test_ids_that_are_none(tmp_path: Path) -> None:
    taken = batch.batch_id("a b", "anthropic")
    rows = [chat_line("a"), chat_line("a"), chat_line(""), chat_line(5), chat_line(None), {"body": {}}]
    rows += [chat_line("a b"), chat_line(taken), chat_line("z")]
    path = written(tmp_path / "in", *rows)
    _, lines, failed = converted(path, "anthropic")
    assert [(one.line, one.code, one.path) for one in failed] == [
        (2, "wrong_id", "$.custom_id"),
        (3, "wrong_type", "$.custom_id"),
        (4, "wrong_type", "$.custom_id"),
        (5, "missing_key", "$.custom_id"),
        (6, "missing_key", "$.custom_id"),
        (8, "wrong_id", "$.custom_id"),  # the id of the line above
    ]
    assert [given for given, _ in lines] == ["a", taken, "z"]


def test_lines_that_fail(tmp_path: Path) -> None:
    good = chat_line("good")
    rows: list[object] = [
        good,
        {"custom_id": "b", "params": {"messages": []}},  # of another provider than the first
        chat_line("c") | {"url": "/v1/embeddings"},
        chat_line("d") | {"url": 5},
        chat_line("e", messages=[{"role": "robot", "content": "x"}]),
        chat_line("f", messages=[]),
        chat_line("g") | {"body": []},
        b"{",
        b"not JSON",
        b"[]",
        b"5",
        b"null",
        b"\xff\xfe",
        b"",
        b'{"custom_id": "h", "url": "x", "body": ' + b"[" * 100_000 + b"}",
        b'{"custom_id": "i", "url": "/v1/chat/completions", "body": {"n": NaN}}',
        b'{"custom_id": "j", "url": "/v1/chat/completions", "body": {"n": ' + b"9" * 5000 + b"}}",
        json.dumps(chat_line("k", odd="NUMBER")).encode().replace(b'"NUMBER"', b"1e999"),
        {"x": 1},
        chat_line("l") | {"body": {"messages": [{"role": "user", "content": "no model"}]}},
        chat_line("last"),
    ]
    _, lines, failed = converted(written(tmp_path / "in", *rows), "openai")
    assert [given for given, _ in lines] == ["good", "last"]
    assert [(one.line, one.code, one.path) for one in failed] == [
        (2, "wrong_dialect", "$"),
        (3, "wrong_dialect", "$.url"),
        (4, "wrong_dialect", "$.url"),
        (5, "unknown_role", "$.body.messages[0].role"),
        (6, "empty_messages", "$.body"),
        (7, "wrong_type", "$.body"),
        (8, "invalid_json", "$"),
        (9, "invalid_json", "$"),
        (10, "wrong_type", "$"),
        (11, "wrong_type", "$"),
        (12, "wrong_type", "$"),
        (13, "invalid_json", "$"),
        (15, "too_deep", "$"),
        (16, "invalid_json", "$"),
        (17, "invalid_json", "$"),
        (18, "not_json", "$"),
        (19, "wrong_dialect", "$"),
        (20, "missing_key", "$.body"),
    ]
    for one in failed:
        assert one.message
        assert "$" not in one.message
    with pytest.raises(tw.ParseError, match=r"^line 2: expected a request of openai's .* \[wrong_dialect\]"):
        batch.convert_batch(tmp_path / "in", tmp_path / "out", "openai", stop=True)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["in", "out.json"]


def test_failures_go_to_a_file(tmp_path: Path) -> None:
    path = written(tmp_path / "in", chat_line("a"), chat_line("\ud800", messages=5))
    batch.convert_batch(path, tmp_path / "out", "gemini", errors=tmp_path / "failed")
    (failed,) = map(json.loads, (tmp_path / "failed").read_text(encoding="utf-8").splitlines())
    assert list(failed) == ["line", "code", "path", "message"]
    assert (failed["line"], failed["code"], failed["path"]) == (2, "wrong_type", "$.body.messages")


def test_converse_takes_no_tools_in_batches(tmp_path: Path) -> None:
    tool = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}
    path = written(tmp_path / "in", chat_line("a", tools=[tool]), chat_line("b"))
    _, lines, failed = converted(path, "bedrock")
    assert [given for given, _ in lines] == ["b"]
    assert [(one.line, one.code) for one in failed] == [(1, "refused")]
    _, lines, failed = converted(path, "bedrock-claude")
    assert [given for given, _ in lines] == ["a", "b"]


@pytest.mark.parametrize("target", TARGETS)
def test_limits_split_into_numbered_files(tmp_path: Path, target: str) -> None:
    name, more = target_of(target)
    path = written(tmp_path / "in", *(chat_line(f"r{n}") for n in range(10)))
    report = batch.convert_batch(path, tmp_path / "out.jsonl", name, max_requests=4, **more)
    assert [(file.path.name, file.rows) for file in report.files] == [
        ("out.jsonl", 4),
        ("out-2.jsonl", 4),
        ("out-3.jsonl", 2),
    ]
    lines = [one for file in report.files for one in read(file.path, target)]
    assert [given for given, _ in lines] == [f"r{n}" for n in range(10)]
    whole = (tmp_path / "out.jsonl").stat().st_size
    for size in (whole, whole + 1, whole - 1):
        report = batch.convert_batch(path, tmp_path / "out.jsonl", name, max_file_bytes=size, **more)
        assert report.failed == 0
        assert [file.path.stat().st_size <= size for file in report.files] == [True] * len(report.files)
        assert report.files[0].rows == (4 if size >= whole else 3)
        assert [one for file in report.files for one in read(file.path, target)] == lines
    report = batch.convert_batch(path, tmp_path / "out.jsonl", name, max_file_bytes=20, **more)
    assert (report.failed, report.files[0].rows) == (10, 0)


@pytest.mark.parametrize("target", TARGETS)
def test_each_model_gets_its_file_where_a_batch_is_for_one(tmp_path: Path, target: str) -> None:
    path = written(tmp_path / "in", *(chat_line(f"r{n}", model=f"m{n % 3}") for n in range(12)))
    report, lines, _ = converted(path, target, max_requests=3)
    if target == "anthropic":
        assert [(file.rows, file.model) for file in report.files] == [(3, None)] * 4
        assert [made["model"] for _, made in lines] == [f"m{n % 3}" for n in range(12)]
        return
    names = [f"out{n}.json" for n in ("", "-2", "-3", "-4", "-5", "-6")]
    assert [(file.path.name, file.rows, file.model) for file in report.files] == [
        *zip(names, [3] * 3 + [1] * 3, ["m0", "m1", "m2"] * 2, strict=True)
    ]
    assert sorted(given for given, _ in lines) == sorted(f"r{n}" for n in range(12))
    for file in report.files:
        for given, _ in read(file.path, target):
            assert int(given[1:]) % 3 == int(str(file.model)[1:])


def test_a_list_in_any_shape(tmp_path: Path) -> None:
    rows = [line(f"r{n}", body(asked(random.Random(n)), "anthropic"), "anthropic") for n in range(3)]
    own = [line("k", body(asked(random.Random(1)), "gemini"), "gemini")]
    inline = [{"request": own[0]["request"], "metadata": {"key": "k"}}]
    for whole, ids in [
        ({"requests": rows}, ["r0", "r1", "r2"]),
        (
            {"name": "requests", "number": 1.5, "odd": {"x": ["requests", {"requests": []}]}, "requests": rows},
            ["r0", "r1", "r2"],
        ),
        ({"requests": rows, "more": {"x": [1]}}, ["r0", "r1", "r2"]),
        (rows, ["r0", "r1", "r2"]),
        ({"requests": []}, []),
        ({"batch": {"display_name": "x", "input_config": {"requests": {"requests": inline}}}}, ["k"]),
        ({"batch": {"inputConfig": {"requests": {"requests": inline}}}}, ["k"]),
    ]:
        for text in (json.dumps(whole), json.dumps(whole, indent=3), json.dumps(whole, ensure_ascii=False)):
            path = tmp_path / "in"
            path.write_bytes(b"\xef\xbb\xbf" + text.encode())
            _, lines, failed = converted(path, "openai", model="m")
            assert ([given for given, _ in lines], failed) == (ids, [])


def test_a_line_that_holds_a_list_is_a_line(tmp_path: Path) -> None:
    for rows in [
        {"custom_id": "a", "body": {"metadata": {"requests": [1]}, **chat_line()["body"]}},
        {"body": {"metadata": {"requests": [1]}, **chat_line()["body"]}, "custom_id": "a"},
    ]:
        _, lines, failed = converted(
            written(
                tmp_path / "in",
                rows,
                {"custom_id": "b", "body": chat_line()["body"]},
            ),
            "gemini",
        )
        assert ([given for given, _ in lines], failed) == (["a", "b"], [])


def test_lists_that_are_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [line(f"r{n}", body(asked(random.Random(n)), "anthropic"), "anthropic") for n in range(4)]
    text = json.dumps({"requests": rows})
    path = tmp_path / "in"
    for size in (1 << 18, 64):
        monkeypatch.setattr(batch_elements, "_CHUNK", max(size, 64))
        for cut in range(len('{"requests": ['), len(text)):
            path.write_text(text[:cut])
            given = list(batch_elements.elements(path))
            assert given[-1].fault is not None
            assert given[-1].fault.code == "invalid_json"
            assert all(element.fault is None for element in given[:-1])
            assert [element.read() for element in given[:-1]] == rows[: len(given) - 1]
        path.write_text(text)
        assert [element.read() for element in batch_elements.elements(path)] == rows
        for element in batch_elements.elements(path):
            data = path.read_bytes()[element.start : element.start + len(element.data)]
            assert data == element.data
    for bad, good in [
        (text + text, 4),
        (text.replace("}, {", "} {", 1), 1),
        (text.replace("}, {", "},, {", 1), 1),
        (text[:-2] + ",]}", 4),
        (text.replace('"r2"', "nonsense"), 2),
        (text[:-2] + "}]", 4),
        (text[:-2] + ", " + "[" * 100_000, 4),
    ]:
        path.write_text(bad)
        given = list(batch_elements.elements(path))
        assert [element.fault is None for element in given] == [True] * good + [False]
        _, lines, failed = converted(path, "openai", model="m")
        assert [one for one, _ in lines] == [f"r{n}" for n in range(good)]
        assert [(one.line, one.code) for one in failed] == [(good + 1, "too_deep" if "[[" in bad else "invalid_json")]


def test_elements_that_are_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_elements, "MOST_BYTES", 1000)
    monkeypatch.setattr(batch_elements, "_CHUNK", 64)
    long = chat_line("b", messages=[{"role": "user", "content": "x" * 5000}])
    _, lines, failed = converted(written(tmp_path / "in", chat_line("a"), long, chat_line("c")), "gemini")
    assert [given for given, _ in lines] == ["a", "c"]
    assert [(one.line, one.code) for one in failed] == [(2, "too_large")]
    (tmp_path / "in").write_text(json.dumps({"requests": [chat_line("a"), long, chat_line("c")]}))
    _, lines, failed = converted(tmp_path / "in", "gemini")
    assert [given for given, _ in lines] == ["a"]
    assert [(one.line, one.code) for one in failed] == [(2, "too_large")]


def test_empty_files(tmp_path: Path) -> None:
    for text in (b"", b"\n\n", b"\xef\xbb\xbf", b" \r\n"):
        for target in TARGETS:
            (tmp_path / "in").write_bytes(text)
            report, lines, failed = converted(tmp_path / "in", target)
            assert (report.rows, lines, failed) == (0, [], [])
            assert [file.rows for file in report.files] == [0]


def test_wrong_options(tmp_path: Path) -> None:
    path, out = written(tmp_path / "in", chat_line()), tmp_path / "out"
    before = path.read_bytes()
    os.mkfifo(tmp_path / "pipe")
    for code, given, target, options in [
        ("unknown_option", out, "ollama", {}),
        ("unknown_option", out, "openai:hf", {}),
        ("unknown_option", out, "openai", {"invoke_model": True}),
        ("unknown_option", out, "bedrock:nova", {"invoke_model": True}),
        *(("unknown_option", out, "openai", {"settings": word}) for word in ("omit", "keep")),
        ("unknown_option", out, "openai", {"blobs": "raw"}),
        ("unknown_dialect", out, "nobody", {}),
        ("out_of_range", out, "openai", {"max_requests": 0}),
        ("out_of_range", out, "openai", {"max_requests": -1}),
        ("out_of_range", out, "openai", {"max_file_bytes": 0}),
        ("conflicting_options", path, "openai", {}),
        ("conflicting_options", out, "openai", {"errors": path}),
        ("conflicting_options", out, "openai", {"errors": out}),
        ("conflicting_options", tmp_path / "pipe", "openai", {}),
        ("conflicting_options", tmp_path, "openai", {}),
        ("conflicting_options", tmp_path / "out.gz", "openai", {}),
    ]:
        with pytest.raises(tw.TurnwireError) as raised:
            batch.convert_batch(path, given, target, **options)
        assert raised.value.code == code
        assert sorted(one.name for one in tmp_path.iterdir()) == ["in", "pipe"]
        assert path.read_bytes() == before
    with pytest.raises(FileNotFoundError):
        batch.convert_batch(tmp_path / "none", out, "openai")
    (tmp_path / "in").write_bytes(b"\x1f\x8b\x08\x00")
    with pytest.raises(tw.ParseError, match="unpack it first"):
        batch.convert_batch(path, out, "openai")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["in", "pipe"]


def test_a_numbered_file_is_no_input_either(tmp_path: Path) -> None:
    path = written(tmp_path / "out-2.jsonl", chat_line("a"), chat_line("b"))
    before = path.read_bytes()
    with pytest.raises(tw.TurnwireError, match="which this run reads"):
        batch.convert_batch(path, tmp_path / "out.jsonl", "openai", max_requests=1)
    assert [one.name for one in tmp_path.iterdir()] == ["out-2.jsonl"]
    assert path.read_bytes() == before


def test_what_breaks_off_leaves_what_was_there(tmp_path: Path) -> None:
    path, out = written(tmp_path / "in", *(chat_line(str(n), messages=5) for n in range(3))), tmp_path / "out"
    out.write_text("before")

    def stop(error: batch.RowError) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        batch.convert_batch(path, out, "openai", errors=stop)
    assert out.read_text() == "before"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["in", "out"]


def test_two_runs_cannot_write_the_same_file(tmp_path: Path) -> None:
    path, out = written(tmp_path / "in", chat_line("a", messages=5)), tmp_path / "out"
    seen: list[str] = []

    def again(error: batch.RowError) -> None:
        with pytest.raises(tw.TurnwireError) as raised:
            batch.convert_batch(path, out, "openai")
        seen.append(raised.value.code)

    batch.convert_batch(path, out, "openai", errors=again)
    assert seen == ["conflicting_options"]
    assert out.read_bytes() == b""


PIECES = [b'"', b"{", b"}", b"[", b"]", b",", b"\n", b"\\", b"null", b"1e999", b'"requests":[', b'"key":5,', b"\xff"]


@pytest.mark.parametrize("seed", range(60))
def test_damaged_files_lose_no_line_without_a_word(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_elements, "_CHUNK", 97)
    rng = random.Random(seed)
    source, target = rng.choice(TARGETS), rng.choice(TARGETS)
    ids = [rng.choice([*ODD_IDS, "a", "b"]) for _ in range(rng.randint(1, 5))]
    write(tmp_path / "in", [line(one, body(asked(rng), source), source) for one in ids], source)
    whole = (tmp_path / "in").read_bytes()
    for _ in range(10):
        data = bytearray(whole)
        for _ in range(rng.randint(0, 4)):
            at = rng.randrange(len(data))
            data[at : at + rng.choice([0, 0, 1, 20])] = rng.choice(PIECES)
        (tmp_path / "in").write_bytes(data)
        report, lines, failed = converted(tmp_path / "in", target, model="m", max_requests=rng.choice([None, 1, 2]))
        if batch_elements.open_list(bytes(data)) is None:
            assert report.rows == sum(bool(one.strip()) for one in data.split(b"\n"))
        assert report.rows == len(lines) + len(failed)
        for one in failed:
            assert one.code in tw._core.error_codes()
            assert one.message


MEASURED = """
import sys
from turnwire import batch

report = batch.convert_batch(sys.argv[1], sys.argv[2], sys.argv[3], model="m")
assert report.failed == 0, report
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells how much memory a process had")
@pytest.mark.parametrize("source", ["openai", "anthropic"])
def test_memory_does_not_grow_with_the_file(tmp_path: Path, source: str) -> None:
    made = body(Ask("x" * 2000, False, False, {"max": 100}), source)
    peaks = []
    for count in (1000, 20_000):
        write(tmp_path / "in", [line(f"r{n}", made, source) for n in range(count)], source)
        command = [sys.executable, "-c", MEASURED, str(tmp_path / "in"), str(tmp_path / "out"), "gemini"]
        peaks.append(int(subprocess.run(command, capture_output=True, check=True, text=True).stdout))
    # The file has 40 MB; an id costs some hundred bytes.
    assert peaks[1] - peaks[0] < 12_000
