"""One history with models that sign their thoughts, in turn: none gets a signature of another maker.

The servers are strict: each refuses a signature that none of its kind has given out, as the providers do.
"""

import base64
import itertools
import json
import random
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import binding
import loopback
import pytest
from needs import framework

framework("strands", "strands-agents")
from strands import Agent  # noqa: E402
from strands.agent.conversation_manager import NullConversationManager  # noqa: E402
from strands.hooks import BeforeModelCallEvent  # noqa: E402
from strands.middleware import InvokeModelStage  # noqa: E402
from strands.session import FileSessionManager, SnapshotSessionManager  # noqa: E402
from strands.storage import LocalFileStorage  # noqa: E402
from strands.types.session import decode_bytes_values, encode_bytes_values  # noqa: E402
from test_strands_switch import MODELS, bedrock, gemini, look  # noqa: E402
from turnwire.adapters.strands import middleware  # noqa: E402

MAKERS = {
    "claude": MODELS["anthropic"],
    "gemini": MODELS["gemini"],
    "gemini 2": lambda url: gemini(url, "gemini-2.5-pro"),
    "claude at bedrock": MODELS["bedrock"],
    "nova": lambda url: bedrock(url, "us.amazon.nova-2-lite-v1:0"),
}
CLAUDE = ("claude", "claude at bedrock")
STEPS = 30


class Server(ThreadingHTTPServer):
    """All of these providers: each thinks, then calls the tool or says something; `given` holds the signatures."""

    daemon_threads = True

    def __init__(self, seed):
        super().__init__(("127.0.0.1", 0), Handler)
        self.dice, self.given, self.seen, self.refused, self.count = random.Random(seed), {}, [], [], itertools.count()
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self):
        Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *error):
        self.shutdown()
        self.server_close()

    def answer(self, kind, body):
        """The signatures of a request that are of another kind; and the next reply."""
        signed = [*signatures(body)]
        foreign = [sign for sign in signed if self.given.get(sign) not in (kind, None)]
        unknown = [sign for sign in signed if sign not in self.given]
        self.seen.append((kind, signed, body))
        self.refused += foreign + unknown
        if kind == "gemini" and "gemini-3" in self.path_of(body) and not all(map(first_is_signed, newest(body))):
            self.refused.append("a call without a signature")
        number = next(self.count)
        sign = base64.b64encode(f"{kind} has signed {number} ...".encode() + b"\xff\xfe" * 3).decode()
        self.given[plain(sign)] = kind
        return number, sign, self.dice.random() < 0.6

    def path_of(self, body):
        return body["path"]


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        kind = "gemini" if "Generate" in self.path else "nova" if "nova" in self.path else "claude"
        number, sign, calls = self.server.answer(kind, {**body, "path": self.path})
        write = gemini_said if kind == "gemini" else converse_said if "converse" in self.path else claude_said
        data = write(number, sign, calls)
        self.send_response(200)
        event = "application/vnd.amazon.eventstream" if write is converse_said else "text/event-stream"
        self.send_header("content-type", event)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format, *args):
        pass


def claude_said(number, sign, calls):
    blocks = [{"type": "thinking", "thinking": f"thought {number}", "signature": sign}]
    if calls:
        blocks.append({"type": "tool_use", "id": f"toolu_{number}", "name": "look", "input": {"q": str(number)}})
    else:
        blocks.append({"type": "text", "text": f"said {number}"})
    said = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": blocks, "stop_sequence": None}
    reason = "tool_use" if calls else "end_turn"
    return binding.streamed({**said, "stop_reason": reason, "usage": binding.USAGE})


def gemini_said(number, sign, calls):
    parts = [{"text": f"thought {number}", "thought": True}]
    if calls:
        # The calls themselves are signed.
        call = {"id": f"g_{number}", "name": "look", "args": {"q": str(number)}}
        parts.append({"functionCall": call, "thoughtSignature": sign})
    else:
        parts[0]["thoughtSignature"] = sign
        parts.append({"text": f"said {number}"})
    chunks = [{"candidates": [{"content": {"role": "model", "parts": [part]}}]} for part in parts]
    chunks[-1]["candidates"][0]["finishReason"] = "STOP"
    return loopback.sse(chunks)


def converse_said(number, sign, calls):
    frame = loopback.frame
    frames = [frame("messageStart", {"role": "assistant"})]
    frames += [frame("contentBlockDelta", {"delta": {"reasoningContent": {"text": f"thought {number}"}}}, 0)]
    frames += [frame("contentBlockDelta", {"delta": {"reasoningContent": {"signature": sign}}}, 0)]
    frames.append(frame("contentBlockStop", {}, 0))
    if calls:
        start = {"toolUse": {"toolUseId": f"tooluse_{number}", "name": "look"}}
        frames.append(frame("contentBlockStart", {"start": start}, 1))
        frames.append(frame("contentBlockDelta", {"delta": {"toolUse": {"input": json.dumps({"q": str(number)})}}}, 1))
    else:
        frames.append(frame("contentBlockDelta", {"delta": {"text": f"said {number}"}}, 1))
    frames.append(frame("contentBlockStop", {}, 1))
    frames.append(frame("messageStop", {"stopReason": "tool_use" if calls else "end_turn"}))
    usage = {"inputTokens": 1, "outputTokens": 2, "totalTokens": 3}
    return b"".join([*frames, frame("metadata", {"usage": usage, "metrics": {"latencyMs": 1}})])


def plain(sign):
    """A signature, whichever way it is written."""
    return sign.replace("-", "+").replace("_", "/").rstrip("=")


def signatures(body):
    """All signatures of a request, except the placeholder that Gemini documents for a missing one."""
    if isinstance(body, dict):
        for key, value in body.items():
            if key in ("signature", "thoughtSignature") and value != "skip_thought_signature_validator":
                yield plain(value)
            yield from signatures(value)
    elif isinstance(body, list):
        for value in body:
            yield from signatures(value)


def newest(body):
    """The model's contents since the question."""
    contents = body["contents"]
    said = [one["role"] == "model" or "functionResponse" in one["parts"][0] for one in contents]
    asked = max(at for at, is_said in enumerate(said) if not is_said)
    return [one for one in contents[asked:] if one["role"] == "model"]


def first_is_signed(content):
    calls = [part for part in content["parts"] if "functionCall" in part]
    return not calls or "thoughtSignature" in calls[0]


def agent(model, messages, ours, **more):
    manager = NullConversationManager()
    made = Agent(model, messages=messages, tools=[look], callback_handler=None, conversation_manager=manager, **more)
    if ours:
        made.add_middleware(InvokeModelStage.Input, ours)
    return made


def each_gets_its_own(server, often=5):
    """Each maker gets back what it signed, at every step since, and nothing else."""
    assert server.refused == []
    for at, (kind, signed, _) in enumerate(server.seen):
        own = [sign for sign, maker in list(server.given.items())[:at] if maker == kind]
        expected = {} if kind == "nova" else {*own}
        assert {*signed} == {*expected}, (at, kind)
    kinds = Counter(kind for kind, _, _ in server.seen)
    assert min(kinds.values()) > often and len(kinds) == 3


@pytest.mark.parametrize("fresh", [False, True], ids=["another at each call", "an agent for each step"])
def test_a_signature_of_another_maker_is_not_sent(fresh):
    losses, made = [], None
    ours = middleware(on_receipt=losses.extend)
    dice = random.Random(f"signers {fresh}")
    with Server(f"signers {fresh}") as server:
        models = {name: make(server.url) for name, make in MAKERS.items()}

        def another(event):
            event.agent.model = models[dice.choice([*models])]

        for step in range(STEPS):
            name = dice.choice([*models])
            if made is None or fresh:
                made = agent(models[name], [] if made is None else made.messages, ours)
                if not fresh:
                    made.hooks.add_callback(BeforeModelCallEvent, another)
            made(f"question {step}")
    each_gets_its_own(server)
    # Where the maker changes between a call and its result, Gemini gets its placeholder for a signature.
    assert {loss.code for loss in losses} == ({"reasoning"} if fresh else {"reasoning", "stand_in"})


def test_without_it_any_provider_gets_the_signatures():
    with Server("without") as server:
        models = {name: make(server.url) for name, make in MAKERS.items()}
        made = agent(models["gemini"], [], None)
        made("question")
        made.model = models["claude"]
        made("question")
        made.model = models["gemini"]
        made("question")
    assert server.refused


def test_after_a_restart_calls_that_gemini_signed_say_whose_the_thought_is():
    thought = {"reasoningContent": {"reasoningText": {"text": "Where?", "signature": "c2ln"}}}
    use = {"toolUseId": "g_1", "name": "look", "input": {"q": "x"}, "reasoningSignature": "c2ln"}
    result = {"toolUseId": "g_1", "status": "success", "content": [{"text": "a lake"}]}
    history = [
        {"role": "user", "content": [{"text": "TASK"}]},
        {"role": "assistant", "content": [thought, {"toolUse": use}]},
        {"role": "user", "content": [{"toolResult": result}]},
        {"role": "assistant", "content": [{"text": "A lake."}]},
    ]
    losses = []
    with Server("restart") as server:
        agent(MAKERS["claude"](server.url), history, middleware(on_receipt=losses.extend))("And now?")
    assert all("c2ln" not in signed for _, signed, _ in server.seen)
    assert [(loss.code, loss.path) for loss in losses][:1] == [("reasoning", "$.messages[1].content[0]")]


def stored_in(kind, folder, saved):
    """How an agent of the next process loads its messages, in one of Strands' ways."""
    if kind == "files":
        return {"session_manager": FileSessionManager("s", storage_dir=str(folder))}
    if kind == "snapshots":
        return {"session_manager": SnapshotSessionManager("s", storage=LocalFileStorage(str(folder)))}
    return {"messages": decode_bytes_values(json.loads(saved))}


@pytest.mark.parametrize("kind", ["files", "snapshots", "messages as JSON"])
def test_who_signed_a_thought_outlives_the_process(kind, tmp_path):
    losses, saved = [], "[]"
    dice = random.Random(f"restart {kind}")
    with Server(f"restart {kind}") as server:
        for step in range(STEPS // 2):
            # Of the process before, only what Strands stored is left.
            ours = middleware(on_receipt=losses.extend)
            model = MAKERS[dice.choice([*MAKERS])](server.url)
            made = agent(model, ours=ours, **{"messages": None, **stored_in(kind, tmp_path, saved)})
            made(f"question {step}")
            saved = json.dumps(encode_bytes_values(made.messages))
    each_gets_its_own(server, often=2)
    assert len(made.messages) > STEPS and {loss.code for loss in losses} == {"reasoning"}


def test_what_is_stored_is_read():
    """A message as version 0.1 left it in a session, and others without anything useful."""
    from turnwire.adapters._strands_signers import Signers

    thought = {"reasoningContent": {"reasoningText": {"text": "Where?", "signature": "c2ln"}}}
    stored = {"metadata": {"usage": {}, "custom": {"pinned": True, "turnwire": {"signed_by": "anthropic"}}}}
    cases = [(stored, "anthropic"), ({}, None)]
    cases += [({"metadata": {"custom": custom}}, None) for custom in ({}, None, [], {"turnwire": 3})]
    cases += [({"metadata": metadata}, None) for metadata in (None, "x", {"custom": {"turnwire": {"signed_by": 3}}})]
    for more, maker in cases:
        assert Signers().maker({"role": "assistant", "content": [thought], **more}, thought) == maker, more


def test_so_many_signatures_are_remembered(monkeypatch):
    from turnwire.adapters import _strands_signers as signers

    monkeypatch.setattr(signers, "_MOST", 3)
    known = signers.Signers()
    with Server("bounded") as server:
        made = agent(MAKERS["claude"](server.url), [], middleware())
        known.listen(made, made.model)
        for step in range(6):
            made(f"question {step}")
    # The messages that were stored without metadata.
    bare = [{key: message[key] for key in ("role", "content")} for message in made.messages]
    thoughts = [(m, b) for m in bare for b in m["content"] if "reasoningContent" in b]
    assert len(thoughts) > 3
    assert [known.maker(*one) for one in thoughts] == [None] * (len(thoughts) - 3) + ["anthropic"] * 3
