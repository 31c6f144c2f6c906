"""The gateway of `examples/gateway.py`: OpenAI's clients in front of an Anthropic server, beside other gateways.

Each one is a process of its own, as users start it. All run at the same time and take turns, so that other load on the
machine affects all of them. `gateway_rivals.py` says where the others come from. A gateway that is not installed is
left out.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import gateway_rivals
import results
import side_by_side
from gateway_rivals import KEY, MODEL, free_port

ROOT = Path(__file__).parent.parent.parent
CLIENTS = 16
COLUMNS = {"turnwire": "ours", "hand-written": "by hand", "pass-through": "pass-through"}
"""The names of the table's columns that are not those of the gateways."""
WEATHER = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
CALL = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Rome"}'}}
ASKED: dict[str, Any] = {
    "model": MODEL,
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "The weather in Rome?"},
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "call_1", "content": '{"t": 3}'},
        {"role": "user", "content": "And in Oslo?"},
    ],
    "tools": [{"type": "function", "function": {"name": "weather", "description": "Tells.", "parameters": WEATHER}}],
    "max_tokens": 200,
    "stop": ["END"],
}


@dataclass
class Gateway:
    """One contender: its address, its process, and the seconds of each answer by the kind of request."""

    name: str
    port: int
    process: subprocess.Popen[bytes]
    #: What the end of its streams has.
    mark: bytes = b"[DONE]"
    took: dict[bool, list[float]] = field(default_factory=lambda: {False: [], True: []})
    rates: dict[bool, list[float]] = field(default_factory=lambda: {False: [], True: []})

    def p99(self, stream: bool) -> float:
        """The time that one answer in a hundred takes longer than."""
        return sorted(self.took[stream])[int(len(self.took[stream]) * 0.99)]

    def memory(self) -> str:
        """The memory of the process in MB, where the system has a file that reports it."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        except OSError:
            return "unknown"
        return f"{int(status.partition('VmRSS:')[2].split()[0]) / 1000:.0f} MB"


@contextlib.contextmanager
def started(name: str, command: list[Any], port: int, within: float = 100) -> Iterator[Gateway]:
    """A process that listens on `port`, until the end of the block."""
    quiet_litellm = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_TELEMETRY": "False"}
    environment = {**os.environ, **quiet_litellm, "GATEWAY_KEY": KEY}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([str(part) for part in command], env=environment, **quiet) as process:
        try:
            until = time.monotonic() + within
            while True:
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                    break
                if process.poll() is not None or time.monotonic() > until:
                    raise RuntimeError(f"{name} does not start: {' '.join(map(str, command))}")
                time.sleep(0.05)
            yield Gateway(name, port, process)
        finally:
            process.terminate()


def request(stream: bool) -> bytes:
    """What a client sends."""
    more = {"stream": True, "stream_options": {"include_usage": True}} if stream else {}
    body = json.dumps({**ASKED, **more}).encode()
    lines = [
        "POST /v1/chat/completions HTTP/1.1",
        "Host: 127.0.0.1",
        "Content-Type: application/json",
        f"Authorization: Bearer {KEY}",
        f"Content-Length: {len(body)}",
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


async def client(gateway: Gateway, stream: bool, until: float) -> int:
    """Send requests one after another on one connection; how many answers came."""
    reader, writer = await asyncio.open_connection("127.0.0.1", gateway.port, limit=1 << 20)
    asked, count = request(stream), 0
    while (start := time.perf_counter()) < until:
        writer.write(asked)
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = head.partition(b"content-length:")[2].split(b"\r\n")[0]
        said = await (reader.readexactly(int(length)) if length else reader.readuntil(b"\r\n0\r\n\r\n"))
        if b" 200 " not in head or b"toolu_1" not in said or (gateway.mark in said) is not stream:
            raise RuntimeError(f"{gateway.name}: {head!r} {said[:500]!r}")
        gateway.took[stream].append(time.perf_counter() - start)
        count += 1
    writer.close()
    return count


async def load(gateway: Gateway, stream: bool, seconds: float) -> None:
    """Send requests with all clients at once for some time."""
    start = time.perf_counter()
    clients = (client(gateway, stream, start + seconds) for _ in range(CLIENTS))
    counts = await asyncio.gather(*clients)
    gateway.rates[stream].append(sum(counts) / (time.perf_counter() - start))


def contenders(stack: contextlib.ExitStack, folder: Path) -> list[Gateway]:
    """Ours first, then the others that are installed."""
    here = Path(__file__).parent
    port, our_port, by_hand_port, passing_port = (free_port() for _ in range(4))
    upstream = f"http://127.0.0.1:{port}"
    stack.enter_context(started("the server", [sys.executable, here / "gateways.py", "server", port], port))
    ours: list[Any] = [sys.executable, ROOT / "examples/gateway.py", "--upstream", upstream]
    ours += ["--to", "anthropic", "--port", our_port]
    by_hand = [sys.executable, here / "gateways.py", "by-hand", by_hand_port, upstream]
    passing = [sys.executable, here / "gateways.py", "pass-through", passing_port, upstream]
    each = [
        ("turnwire", ours, our_port),
        ("pass-through", passing, passing_port),
        ("hand-written", by_hand, by_hand_port),
    ]
    made = [stack.enter_context(started(*one)) for one in (*each, *gateway_rivals.installed(folder, upstream))]
    # It converts nothing, so its streams end as the server's do.
    made[1].mark = b"message_stop"
    return made


def take_turns(made: list[Gateway], rounds: int, seconds: float) -> None:
    """Load each in turn. The first round is not counted: it includes whatever a gateway loads and compiles then."""
    for turn in range(rounds + 1):
        for gateway in made[turn % len(made) :] + made[: turn % len(made)]:
            for stream in (False, True):
                asyncio.run(load(gateway, stream, seconds))
        if turn == 0:
            for gateway in made:
                gateway.rates, gateway.took = {False: [], True: []}, {False: [], True: []}


def measured(made: list[Gateway], memory: dict[str, str]) -> list[dict[str, object]]:
    """The numbers of the first table, with a column for each gateway. Memory is in MB."""
    rows: dict[str, Callable[[Gateway], float]] = {
        "whole replies a second": lambda one: statistics.median(one.rates[False]),
        "p99 of whole replies": lambda one: one.p99(False),
        "streams a second": lambda one: statistics.median(one.rates[True]),
        "p99 of streams": lambda one: one.p99(True),
        "memory after all of them": lambda one: float(memory[one.name].split()[0]),
    }
    return [
        {"table": "", "job": job, **{COLUMNS.get(one.name, one.name): value(one) for one in made}}
        for job, value in rows.items()
    ]


def main() -> None:
    """Print the table."""
    options = side_by_side.options("A gateway between OpenAI's clients and an Anthropic server")
    rounds, seconds = (2, 1.0) if options.quick else (5, 3.0)
    with contextlib.ExitStack() as stack:
        made = contenders(stack, Path(stack.enter_context(tempfile.TemporaryDirectory())))
        take_turns(made, rounds, seconds)
        memory = {gateway.name: gateway.memory() for gateway in made}
    table = side_by_side.Table(f"A gateway, openai to anthropic, {CLIENTS} clients, the time of one request")
    ours, *others = made
    for stream, goal in ((False, 10), (True, 20)):
        for other in others:
            each = [1 / statistics.median(gateway.rates[stream]) for gateway in (ours, other)]
            at_least = goal if other.name == "LiteLLM" else None
            table.row(
                "a stream of 51 events" if stream else "a whole reply", each[0], other.name, each[1], at_least=at_least
            )
    table.print()
    for gateway in made:
        for stream in (False, True):
            rate, kind = statistics.median(gateway.rates[stream]), "streams" if stream else "replies"
            print(f"  {gateway.name}: {rate:,.0f} {kind} a second, p99 {side_by_side.duration(gateway.p99(stream))}")
        print(f"  {gateway.name}: {memory[gateway.name]} resident after all of them")
    if options.save:
        results.save("Gateway", __file__, measured(made, memory))
    if missing := gateway_rivals.COMMANDS.keys() - {gateway.name for gateway in made}:
        print(f"  Not installed, so left out: {', '.join(sorted(missing))}.")


if __name__ == "__main__":
    main()
