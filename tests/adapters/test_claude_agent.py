"""The hook of the Claude Agent SDK, behind a transport that plays the command line's part."""

import asyncio
import copy
import json

import pytest
import turnwire as tw
from histories import LARGE
from needs import framework, rows

framework("claude_agent_sdk", "claude-agent-sdk")
from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, HookMatcher, Transport  # noqa: E402
from turnwire.adapters.claude_agent import post_tool_use  # noqa: E402

BUDGET = 5_000
BASH = {"stdout": LARGE, "stderr": "", "interrupted": False, "isImage": False}
GREP = {"mode": "files", "numFiles": 3_000, "filenames": [f"src/file{n}.py" for n in range(3_000)]}
READ = {"type": "text", "file": {"filePath": "/a/b.py", "content": LARGE, "numLines": 1_000, "startLine": 1}}
IMAGE = {"type": "image", "file": {"base64": "aGk" * 9_000, "type": "image/png"}}
BLOCKS = [{"type": "text", "text": LARGE, "mine": 1}, {"type": "image", "data": "aGk" * 9_000}]


class CommandLine(Transport):
    """Runs tools, calls the hooks for each, and then says that it is done."""

    def __init__(self, outputs):
        self.outputs, self.answers, self.queue = outputs, {}, asyncio.Queue()
        self.hooks = []

    async def connect(self):
        pass

    async def write(self, data):
        for line in data.splitlines():
            message = json.loads(line)
            if message["type"] == "control_request":
                self.hooks = [
                    ident
                    for matcher in message["request"].get("hooks", {}).get("PostToolUse", [])
                    for ident in matcher["hookCallbackIds"]
                ]
                told = {"subtype": "success", "request_id": message["request_id"], "response": {"commands": []}}
                await self.queue.put({"type": "control_response", "response": told})
            elif message["type"] == "user":
                for at, output in enumerate(self.outputs):
                    await self.queue.put(self.asked(at, output))
            elif message["type"] == "control_response":
                self.answers[message["response"]["request_id"]] = message["response"]
                if len(self.answers) == len(self.outputs):
                    await self.queue.put(self.done())

    def asked(self, at, output):
        used = {"hook_event_name": "PostToolUse", "session_id": "s", "transcript_path": "/t", "cwd": "/"}
        used |= {"tool_name": "Bash", "tool_input": {}, "tool_response": output, "tool_use_id": f"toolu_{at}"}
        request = {
            "subtype": "hook_callback",
            "callback_id": self.hooks[0],
            "input": used,
            "tool_use_id": f"toolu_{at}",
        }
        return {"type": "control_request", "request_id": f"r{at}", "request": request}

    def done(self):
        counts = {"duration_ms": 1, "duration_api_ms": 1, "num_turns": 1, "is_error": False}
        return {"type": "result", "subtype": "success", "session_id": "s", "result": "done", **counts}

    async def read_messages(self):
        while (message := await self.queue.get()) is not None:
            yield message

    async def close(self):
        await self.queue.put(None)

    def is_ready(self):
        return True

    async def end_input(self):
        pass

    def output(self, at):
        """What the model reads of a tool's output, where a hook has replaced it."""
        return self.answers[f"r{at}"]["response"].get("hookSpecificOutput", {}).get("updatedToolOutput")


def run(outputs, **settings):
    async def go():
        matcher = HookMatcher(hooks=[post_tool_use(**settings)])
        line = CommandLine(outputs)
        async with ClaudeSDKClient(ClaudeAgentOptions(hooks={"PostToolUse": [matcher]}), transport=line) as client:
            await client.query("TASK")
            said = [message async for message in client.receive_response()]
        return line, said

    return asyncio.run(asyncio.wait_for(go(), 60))


def size(value):
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def test_outputs_are_cut_and_keep_their_shape(receipts):
    outputs = [BASH, GREP, READ, LARGE, BLOCKS, {"content": BLOCKS}, IMAGE, {"stdout": "short"}, "short", None]
    before = copy.deepcopy(outputs)
    line, said = run(outputs, budget=BUDGET, on_receipt=receipts.append)
    assert said[-1].result == "done"
    bash, grep, read, text, blocks, content, image, *short = (line.output(at) for at in range(len(outputs)))
    assert all(size(one) <= BUDGET for one in (bash, grep, read))
    assert (bash["stderr"], bash["interrupted"], [*bash]) == ("", False, [*BASH])
    assert (grep["mode"], grep["numFiles"]) == ("files", 3_000) and grep["filenames"][0] == "src/file0.py"
    assert (read["type"], read["file"]["filePath"], read["file"]["numLines"]) == ("text", "/a/b.py", 1_000)
    assert len(text.encode()) <= BUDGET
    assert len(blocks[0]["text"].encode()) <= BUDGET and blocks[0]["mine"] == 1 and blocks[1] == BLOCKS[1]
    assert content == {"content": blocks}
    assert image is None and short == [None] * 3
    assert outputs == before
    assert sum(bool(receipt) for receipt in receipts) == 6


def test_thirty_tools_at_once(receipts):
    line, _ = run([f"{n}:" + "x" * 20_000 for n in range(30)], budget=BUDGET, on_receipt=receipts.append)
    for n in range(30):
        assert line.output(n).startswith(f"{n}:x") and len(line.output(n)) <= BUDGET
    assert len(receipts) == 30


def test_errors_by_option(caplog):
    hook = post_tool_use(budget=5)
    given = {"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_response": LARGE}
    with pytest.raises(tw.BuildError):
        asyncio.run(hook(given, "t", {"signal": None}))
    assert asyncio.run(post_tool_use(budget=5, on_error="log")(given, "t", {"signal": None})) == {}
    assert "what there was is sent" in caplog.text
    assert asyncio.run(hook({**given, "tool_response": object()}, "t", {"signal": None})) == {}
    assert "does not know builtins.object" in caplog.text
    # It is a hook of one event, and returns nothing for others.
    assert asyncio.run(hook({**given, "hook_event_name": "PreToolUse"}, "t", {"signal": None})) == {}
    with pytest.raises(TypeError):
        post_tool_use(max_byte=1)


def test_the_line_of_the_page():
    names = {"post_tool_use": post_tool_use, "HookMatcher": HookMatcher, "ClaudeAgentOptions": ClaudeAgentOptions}
    exec(rows()["claude_agent"], names)
    (matcher,) = names["options"].hooks["PostToolUse"]
    given = {"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_response": LARGE * 9}
    told = asyncio.run(matcher.hooks[0](given, "t", {"signal": None}))
    assert len(told["hookSpecificOutput"]["updatedToolOutput"].encode()) <= 50_000


def test_the_marker_of_on_cut_stands_where_the_output_was_cut():
    cuts = []

    def marker(cut):
        cuts.append((cut.id, cut.tool))
        return f"[{len(cut.text)} characters are kept]"

    hook = post_tool_use(tw.Budget(400, on_cut=marker))
    given = {"hook_event_name": "PostToolUse", "tool_name": "Read", "tool_response": "x" * 2_000}
    told = asyncio.run(hook(given, "toolu_1", {}))
    assert "[2000 characters are kept]" in told["hookSpecificOutput"]["updatedToolOutput"]
    assert cuts == [("toolu_1", "Read")]
