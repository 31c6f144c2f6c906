"""Conversations by the million: JSON Lines to JSON Lines, and a column of a table, beside hand-written converters.

Lines are agent runs of up to 1 MB, OpenAI to Anthropic, a third of them Japanese, half of those spelled as `\\u`
escapes. Files are read from the page cache and written to memory, where there is a file system for it. The output of
the contender before is removed first, outside the measured time. The hand-written converters keep no unknown key, check
nothing and report nothing. Time is that of one run in this process. The rival with two processes is not charged for
starting its pool.
"""

from __future__ import annotations

import json
import multiprocessing
import shutil
import tempfile
from pathlib import Path
from typing import Any

import bench_convert
import msgspec
import orjson
import pyarrow as pa
import side_by_side
import turnwire as tw
from turnwire import arrow, batch

Json = dict[str, Any]


def lines(megabytes: float) -> list[bytes]:
    """Conversations of 2 kB to 1 MB, most of them small; one in 500 is no JSON."""
    made, size, at = [], 0, 0
    while size < megabytes * 1e6:
        body = {"messages": bench_convert.history(6 * (1 + (at % 97 == 0) * 30 + at % 3)), "model": "m"}
        if at % 3 == 0:
            for message in body["messages"]:
                if isinstance(message["content"], str):
                    message["content"] = bench_convert.PAGE * (1 + len(message["content"]) // 150)
        line = json.dumps(body).encode() if at % 2 else orjson.dumps(body)
        made.append(line if at % 500 != 499 else line[:-1])
        size += len(made[-1]) + 1
        at += 1
    return made


def hand(line: bytes) -> bytes | None:
    """A hand-written converter."""
    try:
        return orjson.dumps(bench_convert.by_hand(orjson.loads(line)["messages"]))
    except orjson.JSONDecodeError:
        return None


class Function(msgspec.Struct):
    """The function of a call."""

    name: str
    arguments: str


class Call(msgspec.Struct):
    """A call."""

    id: str
    function: Function


class Message(msgspec.Struct):
    """A message of OpenAI's."""

    role: str
    content: str | None = None
    tool_calls: list[Call] | None = None
    tool_call_id: str | None = None


class Body(msgspec.Struct):
    """What is decoded of a line."""

    messages: list[Message]


DECODER, ENCODER = msgspec.json.Decoder(Body), msgspec.json.Encoder()


def typed(line: bytes) -> bytes | None:
    """A hand-written converter with msgspec: typed in, arguments passed on as they are spelled."""
    try:
        body = DECODER.decode(line)
    except msgspec.MsgspecError:
        return None
    out: list[Json] = []
    system = []
    for message in body.messages:
        if message.role == "system":
            system.append(message.content)
        elif message.role == "tool":
            block = {"type": "tool_result", "tool_use_id": message.tool_call_id, "content": message.content}
            if out and out[-1]["role"] == "user" and isinstance(out[-1]["content"], list):
                out[-1]["content"].append(block)
            else:
                out.append({"role": "user", "content": [block]})
        elif message.tool_calls:
            content: list[Json] = [{"type": "text", "text": message.content}] if message.content else []
            content += [
                {
                    "type": "tool_use",
                    "id": call.id,
                    "name": call.function.name,
                    "input": msgspec.Raw(call.function.arguments.encode()),
                }
                for call in message.tool_calls
            ]
            out.append({"role": "assistant", "content": content})
        else:
            out.append({"role": message.role, "content": message.content})
    return ENCODER.encode({"system": "\n".join(map(str, system)), "messages": out})


def with_litellm() -> Any:
    """What LiteLLM makes of a line."""
    from litellm.litellm_core_utils.prompt_templates.factory import anthropic_messages_pt

    def convert(line: bytes) -> bytes | None:
        try:
            system, *rest = orjson.loads(line)["messages"]
        except orjson.JSONDecodeError:
            return None
        made = anthropic_messages_pt(rest, model="claude-sonnet-4-5", llm_provider="anthropic")
        return orjson.dumps({"system": system["content"], "messages": made})

    return convert


def by_lines(source: Path, out: Path, convert: Any) -> None:
    """A file, line by line."""
    with source.open("rb") as given, out.open("wb") as made:
        for line in given:
            if (converted := convert(line)) is not None:
                made.write(converted + b"\n")


def part(source: Path, out: Path, start: int, end: int) -> None:
    """The lines of a file that begin between two offsets: the work of one process."""
    with source.open("rb") as given, out.open("wb") as made:
        given.seek(max(start - 1, 0))
        if start:
            given.readline()
        while given.tell() < end and (line := given.readline()):
            if (converted := hand(line)) is not None:
                made.write(converted + b"\n")


def by_processes(pool: Any, source: Path, out: Path) -> None:
    """A file in halves, one for each of two processes, put together again."""
    size = source.stat().st_size
    halves = [(source, out.with_suffix(f".{at}"), size * at // 2, size * (at + 1) // 2) for at in range(2)]
    pool.starmap(part, halves)
    with out.open("wb") as made:
        for _, half, _, _ in halves:
            with half.open("rb") as given:
                shutil.copyfileobj(given, made, 1 << 20)


def column_by_hand(pool: Any, texts: list[bytes]) -> Any:
    """A column on two processes."""
    return pa.array([None if made is None else made.decode() for made in pool.map(hand, texts, 512)])


def one_by_one(column: Any) -> Any:
    """A column by a loop over `convert_json`."""
    made = []
    for row in column:
        try:
            made.append(tw.convert_json(row.as_py(), "anthropic", source="openai").payload.decode())
        except tw.TurnwireError:
            made.append(None)
    return pa.array(made)


def files(home: Path, given: list[bytes], pool: Any, rounds: int) -> None:
    """The rows of JSON Lines."""
    source, out = home / "in.jsonl", home / "out.jsonl"
    source.write_bytes(b"".join(line + b"\n" for line in given))
    contenders: dict[str, side_by_side.Contender] = {
        "one": lambda: batch.convert_file(source, out, "anthropic", source="openai", threads=1),
        "two": lambda: batch.convert_file(source, out, "anthropic", source="openai", threads=2),
        "hand": lambda: by_lines(source, out, hand),
        "typed": lambda: by_lines(source, out, typed),
        "two processes": lambda: by_processes(pool, source, out),
        "copy": lambda: shutil.copyfile(source, out),
    }
    took = side_by_side.medians(contenders, rounds=rounds, before=lambda: remove(home, source))
    size = source.stat().st_size / 1e6
    longest = max(map(len, given)) / 1e6
    title = f"JSONL to JSONL, OpenAI to Anthropic, {len(given)} lines, {size:.0f} MB, the longest {longest:.2f} MB"
    table = side_by_side.Table(title)
    table.row("one thread", took["one"], "hand-written with orjson", took["hand"], at_least=2)
    table.row("one thread", took["one"], "msgspec typed + Python", took["typed"], at_least=1.7)
    table.row("two threads", took["two"], "hand-written, two processes", took["two processes"], at_least=1.7)
    table.row("two threads", took["two"], "one thread", took["one"])
    table.row("two threads", took["two"], "a plain copy of the file", took["copy"])
    table.print()
    print(f"  MB/s: {', '.join(f'{name} {size / seconds:.0f}' for name, seconds in took.items())}")


def remove(home: Path, source: Path) -> None:
    """Remove an output file. Overwriting it would free its pages in the timed run, and hold twice the memory."""
    for path in home.iterdir():
        if path != source:
            path.unlink()


def sample(home: Path, given: list[bytes], rounds: int) -> None:
    """The row of a rival that is too slow for all of it."""
    source, out, convert = home / "sample.jsonl", home / "sample.out", with_litellm()
    source.write_bytes(b"".join(line + b"\n" for line in given))
    contenders: dict[str, side_by_side.Contender] = {
        "one": lambda: batch.convert_file(source, out, "anthropic", source="openai", threads=1),
        "litellm": lambda: by_lines(source, out, convert),
    }
    took = side_by_side.medians(contenders, rounds=rounds, before=lambda: remove(home, source))
    table = side_by_side.Table(f"the first {len(given)} lines, {source.stat().st_size / 1e6:.0f} MB")
    table.row("one thread", took["one"], "LiteLLM and orjson", took["litellm"])
    table.print()


def columns(given: list[bytes], pool: Any, rounds: int) -> None:
    """The rows of a column."""
    column = pa.array([line.decode() for line in given])
    contenders: dict[str, side_by_side.Contender] = {
        "one": lambda: arrow.convert(column, "anthropic", source="openai"),
        "two": lambda: arrow.convert(column, "anthropic", source="openai", threads=2),
        "loop": lambda: one_by_one(column),
        "pool": lambda: column_by_hand(pool, given),
    }
    took = side_by_side.medians(contenders, rounds=rounds)
    table = side_by_side.Table(f"a column of {len(given)} payloads, {column.nbytes / 1e6:.0f} MB")
    table.row("one thread", took["one"], "a loop over convert_json", took["loop"], at_least=1.7)
    table.row("two threads", took["two"], "hand-written in a pool of two", took["pool"], at_least=3)
    table.print()


def main() -> None:
    """Print the tables."""
    chosen = side_by_side.options(__doc__ or "")
    rounds = 3 if chosen.quick else 9
    given = lines(30 if chosen.quick else 600)
    memory = Path("/dev/shm")
    with (
        tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as home,
        multiprocessing.get_context("forkserver").Pool(2) as pool,
    ):
        pool.map(hand, given[:2])
        files(Path(home), given, pool, rounds)
        if chosen.rivals:
            sample(Path(home), given[:2_000], rounds)
        columns([line for line in given if len(line) < 20_000], pool, rounds)


if __name__ == "__main__":
    main()
