"""Claude over HTTP, whole and streamed: it checks what its reasoning is bound to, and answers 400 where that changed.

The agents that talk to it belong to a framework. What happens to their lists between requests is here, too: it is the
same for all frameworks.
"""

from __future__ import annotations

import hashlib
import json
import random
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from typing import Any

from agent_runs import tool
from bound_reasoning import Provider as Binding
from bound_reasoning import listed, plain
from loopback import sse

Json = dict[str, Any]
WORDS = ("alpha", "beta", "gamma", "délta", "日本語", "epsilon", "zeta")


class Server(ThreadingHTTPServer):
    """The requests, by the run that the system text names as `run=…;`: the first words are the same in all."""

    request_queue_size = 128
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.binding, self.bodies, self.refused, self.betas = Binding(), {}, [], set()
        self.lock = threading.Lock()
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self) -> Server:
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self.shutdown()
        self.server_close()

    def streamed(self, said: Json) -> bytes:
        return streamed(said)

    def answer(self, body: Json) -> tuple[int, Json]:
        name = str(body).partition("run=")[2].partition(";")[0]
        with self.lock:
            bodies = self.bodies.setdefault(name, [])
            bodies.append(body)
            wrong = [*self.binding.stale(body, body["model"]), *unpaired(body)]
            if wrong:
                self.refused.append((name, len(bodies), wrong))
                return 400, {"type": "error", "error": {"type": "invalid_request_error", "message": str(wrong)}}
            content = self.binding.reply(body, reply(name, len(bodies)), body["model"])
        said = {"id": "msg_1", "type": "message", "role": "assistant", "model": body["model"], "content": content}
        reason = "tool_use" if content[-1]["type"] == "tool_use" else "end_turn"
        return 200, {**said, "stop_reason": reason, "stop_sequence": None, "usage": USAGE}


USAGE = {"input_tokens": 1, "output_tokens": 1}


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.betas |= {one.strip() for one in self.headers.get("anthropic-beta", "").split(",")}
        code, said = self.server.answer(body)
        streams = body.get("stream") and code == 200
        data = self.server.streamed(said) if streams else json.dumps(said).encode()
        self.send_response(code)
        self.send_header("content-type", "text/event-stream" if streams else "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        pass


DELTAS = {
    "thinking": [("thinking", "thinking_delta", "thinking"), ("signature", "signature_delta", "signature")],
    "text": [("text", "text_delta", "text")],
    "tool_use": [("input", "input_json_delta", "partial_json")],
}
EMPTY = {"thinking": "", "signature": "", "text": "", "input": {}}


def streamed(said: Json) -> bytes:
    events: list[Json] = [{"type": "message_start", "message": {**said, "content": [], "stop_reason": None}}]
    for index, block in enumerate(said["content"]):
        begun = {key: EMPTY.get(key, value) for key, value in block.items()}
        events.append({"type": "content_block_start", "index": index, "content_block": begun})
        for key, kind, name in DELTAS.get(block["type"], ()):
            whole = json.dumps(block[key]) if key == "input" else block[key]
            # A signature comes as a whole.
            pieces = (whole,) if key == "signature" else (whole[:7], whole[7:])
            deltas = ({"type": kind, name: piece} for piece in pieces)
            events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", "index": index})
    end = {"stop_reason": said["stop_reason"], "stop_sequence": None}
    return sse([*events, {"type": "message_delta", "delta": end, "usage": USAGE}, {"type": "message_stop"}], named=True)


def reply(name: str, step: int) -> list[Json]:
    """The model's reply at a step: it thinks, and makes one to three calls or says that it is done."""
    dice = random.Random(f"{name} {step}")
    blocks: list[Json] = [{"type": "thinking", "thinking": words(dice, 300)}]
    if dice.random() < 0.3:
        blocks.append({"type": "text", "text": f"Step {step}: {words(dice, 60)}"})
    if dice.random() < 0.15:
        return [*blocks, {"type": "text", "text": f"Done with {step}."}]
    for call in range(dice.choice((1, 1, 2, 3))):
        ident = f"toolu_{name}_{step}_{call}"
        blocks.append({"type": "tool_use", "id": ident, "name": "read", "input": {"path": f"{step}/{call}"}})
    return blocks


def words(dice: random.Random, most: int) -> str:
    return " ".join(dice.choice(WORDS) + str(dice.randrange(999)) for _ in range(dice.randrange(1, most) // 8 + 1))


FIRST = "Review every file of the project."


class Life:
    """What happens to a list of messages between two requests, by ids and texts: the same in every framework."""

    def __init__(self, name: str, most: int = 2_000) -> None:
        self.name, self.most, self.dice = name, most, random.Random(name)
        self.slow: list[tuple[int, str]] = []
        self.rules: list[str] = [f"This is run={name}; be exact."]

    def system(self, step: int) -> str:
        if step and self.dice.random() < 0.05:
            self.rules.append(f"Rule of step {step}: {words(self.dice, 40)}")
        return "\n".join(self.rules)

    def tools(self, step: int) -> list[str]:
        return ["read", *(["list"] if step > 30 else [])]

    def after(self, step: int, calls: list[str]) -> list[tuple[str, str]]:
        """What follows a reply: results as the id of their call and a text, and the user's words with no id."""
        dice = self.dice
        if not calls:
            return [*self.late(step), ("", f"And now {step}? {words(dice, 40)}")]
        if dice.random() < 0.08:
            self.slow += [(step + dice.randrange(1, 6), call) for call in calls]
            return [("", f"Stop at {step}. Go on with the next.")]
        if dice.random() < 0.15 and len(calls) > 1:
            self.slow.append((step + dice.randrange(1, 6), calls[-1]))
            calls = calls[:-1]
        now = [(call, f"{call}: {words(dice, self.most)}") for call in calls]
        return [*now, *self.late(step), *([("", f"By the way, {step}.")] if dice.random() < 0.08 else [])]

    def late(self, step: int) -> list[tuple[str, str]]:
        due = [call for when, call in self.slow if when <= step]
        self.slow = [(when, call) for when, call in self.slow if when > step]
        return [(call, f"late {call}: {words(self.dice, self.most)}") for call in due]


def unpaired(body: Json) -> list[str]:
    """The calls whose result is not in the next message, and results without their call."""
    open_calls: list[str] = []
    wrong: list[str] = []
    for message in body["messages"]:
        if message["role"] == "system":
            continue
        results = [one["tool_use_id"] for one in listed(message["content"]) if one["type"] == "tool_result"]
        wrong += {*open_calls} ^ {*results}
        open_calls = [one["id"] for one in listed(message["content"]) if one["type"] == "tool_use"]
    return [*wrong, *open_calls]


def read(body: Json) -> Json:
    """What a cache reads: texts as blocks, without marks."""
    body = plain({key: body.get(key) or [] for key in ("tools", "system", "messages")})
    return {**body, "messages": [{**one, "content": listed(one["content"])} for one in body["messages"]]}


def is_read_again(before: Json, after: Json) -> bool:
    """Whether the next request begins with this whole one; tools that are shown later may come after its own."""
    before, after = read(before), read(after)
    return listed(before["system"]) == listed(after["system"]) and all(
        after[key][: len(before[key])] == before[key] for key in ("tools", "messages")
    )


def breaks(bodies: list[Json]) -> int:
    return sum(not is_read_again(*pair) for pair in pairwise(bodies))


def thoughts(body: Json) -> int:
    return sum(block["type"] == "thinking" for one in body["messages"] for block in listed(one["content"]))


def definitions(names: list[str]) -> list[Json]:
    return [tool(name) for name in names]


class Responses(Server):
    """Responses of a model that binds its reasoning to the instructions, the tools and all items before it."""

    def __init__(self) -> None:
        super().__init__()
        self.bound: dict[str, str] = {}

    def streamed(self, said: Json) -> bytes:
        return sse([{"type": "response.completed", "sequence_number": 1, "response": said}], named=True)

    def answer(self, body: Json) -> tuple[int, Json]:
        name = str(body.get("instructions")).partition("run=")[2].partition(";")[0]
        items = body["input"]
        with self.lock:
            bodies = self.bodies.setdefault(name, [])
            bodies.append(body)
            marks = prefixes(body)
            thoughts = [
                (item["encrypted_content"], mark) for item, mark in zip(items, marks, strict=False) if is_thought(item)
            ]
            wrong = [sign for sign, mark in thoughts if self.bound[sign] != mark]
            calls = [item["call_id"] for item in items if item.get("type") == "function_call"]
            wrong += {*calls} ^ {item["call_id"] for item in items if item.get("type") == "function_call_output"}
            if wrong:
                self.refused.append((name, len(bodies), wrong))
                return 400, {"error": {"message": str(wrong), "type": "invalid_request_error"}}
            sign = f"bound-{name}-{len(bodies)}-{len(self.bound)}"
            self.bound[sign] = marks[-1]
        said = [item_of(block, name, len(bodies), sign) for block in reply(name, len(bodies))]
        base = {"id": "r", "object": "response", "created_at": 1, "model": body["model"], "status": "completed"}
        usage = {**USAGE, "total_tokens": 2, "input_tokens_details": {"cached_tokens": 0}}
        usage |= {"output_tokens_details": {"reasoning_tokens": 0}}
        return 200, {
            **base,
            "output": said,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "usage": usage,
        }


def is_thought(item: Json) -> bool:
    return item.get("type") == "reasoning"


def prefixes(body: Json) -> list[str]:
    """A digest of what comes before each item, and of all items."""
    said = hashlib.sha256(json.dumps([body.get("instructions"), body.get("tools")]).encode())
    marks = [said.hexdigest()]
    for item in body["input"]:
        said.update(json.dumps(item, sort_keys=True).encode())
        marks.append(said.hexdigest())
    return marks


def item_of(block: Json, name: str, step: int, sign: str) -> Json:
    if block["type"] == "thinking":
        return {"type": "reasoning", "id": f"rs_{name}_{step}", "summary": [], "encrypted_content": sign}
    if block["type"] == "tool_use":
        call = {"type": "function_call", "id": f"fc_{block['id']}", "call_id": block["id"], "name": block["name"]}
        return {**call, "arguments": json.dumps(block["input"]), "status": "completed"}
    text = {"type": "output_text", "text": block["text"], "annotations": []}
    # Here a reply has at most one message, which comes before its calls.
    return {
        "type": "message",
        "id": f"msg_{name}_{step}_{len(block['text'])}",
        "role": "assistant",
        "status": "completed",
        "content": [text],
    }
