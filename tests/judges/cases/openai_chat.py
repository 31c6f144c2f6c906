"""Bodies for OpenAI's Chat Completions: accepted, refused, and flagged."""

from . import DATA_PNG, FN_TOOL, HTTPS_PNG, PDF, PNG, Cases, asst, user

CASES = Cases("openai_chat")
ok, bad, flag, quiet = CASES.ok, CASES.bad, CASES.flag, CASES.quiet


def oc(*messages, tools=(FN_TOOL,), **more):
    body = {"model": "m", "messages": list(messages), **more}
    return {**body, "tools": list(tools)} if tools else body


def oc_call(ident="c1", name="f", arguments='{"x": 1}'):
    return {"id": ident, "type": "function", "function": {"name": name, "arguments": arguments}}


def oc_calls(*calls, content=None):
    return asst(content, tool_calls=list(calls))


def oc_tool(ident="c1", content="ok"):
    return {"role": "tool", "tool_call_id": ident, "content": content}


ok("text", oc({"role": "system", "content": "s"}, user("hi"), asst("yo"), user("bye"), tools=None))
ok(
    "developer and parts",
    oc(
        {"role": "developer", "content": [{"type": "text", "text": "s"}]},
        user([{"type": "text", "text": "a"}]),
        tools=None,
    ),
)
ok(
    "images",
    oc(
        user(
            [
                {"type": "image_url", "image_url": {"url": HTTPS_PNG, "detail": "low"}},
                {"type": "image_url", "image_url": {"url": DATA_PNG}},
            ]
        ),
        tools=None,
    ),
)
ok("one call", oc(user("q"), oc_calls(oc_call()), oc_tool(), asst("done")))
ok("parallel calls, any order", oc(user("q"), oc_calls(oc_call("a"), oc_call("b")), oc_tool("b"), oc_tool("a")))
ok(
    "text beside call, parts in result",
    oc(
        user("q"),
        oc_calls(oc_call(), content="let me see"),
        oc_tool(content=[{"type": "text", "text": "r"}]),
        stream=True,
    ),
)
ok("refusal", oc(user("q"), asst(None, refusal="no"), user("why"), tools=None))
ok(
    "file",
    oc(
        user([{"type": "file", "file": {"filename": "a.pdf", "file_data": f"data:application/pdf;base64,{PDF}"}}]),
        tools=None,
    ),
)
ok("empty string results and no arguments", oc(user("q"), oc_calls(oc_call(arguments="{}")), oc_tool(content="")))

bad("type", oc(user("q"), {"role": "bogus", "content": "x"}, tools=None))
bad("type", oc({**user("q"), "unknown_key": 1}, tools=None))
bad("type", oc(user([{"type": "input_text", "text": "x"}]), tools=None))
bad("type", oc(user("q"), oc_calls(oc_call(arguments={"x": 1})), oc_tool()))
bad("type", oc(user("q"), oc_calls({"id": "c1", "name": "f", "arguments": "{}"}), oc_tool()))
bad(
    "type",
    oc(user("q"), oc_calls(oc_call()), oc_tool(content=[{"type": "image_url", "image_url": {"url": HTTPS_PNG}}])),
)
bad("type", oc(user("q"), oc_calls(oc_call()), oc_tool(content={"x": 1})))
bad("type", oc(user([{"type": "image_url", "image_url": HTTPS_PNG}]), tools=None))
bad("type", {"messages": [user("q")]})
bad("type", oc(user("q"), tools=None, max_output_tokens=1))
bad("json", oc(user("q"), tools=None, temperature=float("nan")))
bad("json", oc(user("\ud800"), tools=None))
bad("messages.empty", oc(tools=None))
bad("content.missing", oc(user(None), tools=None))
bad("content.missing", oc(user("q"), asst(None), user("x"), tools=None))
bad("tool_calls.empty", oc(user("q"), asst("a", tool_calls=[]), tools=None))
bad("tool_calls.duplicate", oc(user("q"), oc_calls(oc_call("a"), oc_call("a")), oc_tool("a"), oc_tool("a")))
bad("call-id.empty", oc(user("q"), oc_calls(oc_call("")), oc_tool("")))
bad("call-id.long", oc(user("q"), oc_calls(oc_call("c" * 41)), oc_tool("c" * 41)))
bad("name.bad", oc(user("q"), oc_calls(oc_call(name="a.b")), oc_tool()))
bad("author.bad", oc({**user("q"), "name": "Ann Lee"}, tools=None))
bad("tool.orphan", oc(user("q"), oc_tool()))
bad("tool.orphan", oc(user("q"), oc_calls(oc_call()), user("wait"), oc_tool()))
bad("tool.duplicate", oc(user("q"), oc_calls(oc_call()), oc_tool(), oc_tool()))
bad("tool.unanswered", oc(user("q"), oc_calls(oc_call("a"), oc_call("b")), oc_tool("a"), asst("x")))
bad("tool.unanswered", oc(user("q"), oc_calls(oc_call())))
bad("image.url", oc(user([{"type": "image_url", "image_url": {"url": PNG}}]), tools=None))
bad("image.url", oc(user([{"type": "image_url", "image_url": {"url": "data:image/tiff;base64,AAAA"}}]), tools=None))
bad("file.data", oc(user([{"type": "file", "file": {"filename": "a.pdf", "file_data": PDF}}]), tools=None))
bad("tools.empty", {**oc(user("q"), tools=None), "tools": []})
bad("tools.missing", oc(user("q"), tools=None, parallel_tool_calls=True))
bad("tools.many", oc(user("q"), tools=[{"type": "function", "function": {"name": f"f{i}"}} for i in range(129)]))
flag("arguments.not-object", oc(user("q"), oc_calls(oc_call(arguments="")), oc_tool()))
flag("tool_calls.reused", oc(user("q"), oc_calls(oc_call()), oc_tool(), oc_calls(oc_call()), oc_tool()))
flag("content.empty-array", oc(user([]), tools=None))


def media(kind, **value):
    return oc(user([{"type": "text", "text": "q"}, {"type": kind, kind: value}]), tools=None)


def file_of(mime, data=PDF):
    return media("file", filename="a", file_data=f"data:{mime};base64,{data}")


IMAGE, VIDEO, AUDIO = (
    media("image_url", url=DATA_PNG),
    media("video_url", url="https://e.x/a.mp4"),
    media("input_audio", data="AAAA", format="wav"),
)
bad("file.mime", file_of("text/plain", "aGk="))
bad("file.mime", file_of("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "AAAA"))
quiet("a PDF", file_of("application/pdf"))
quiet("a text in place of a text file", oc(user([{"type": "text", "text": "a.txt\nhi"}]), tools=None))
bad("type", VIDEO)
bad("media.refused", file_of("application/pdf"), profile="qwen")
bad("media.refused", IMAGE, profile="deepseek")
bad("media.url", media("image_url", url=HTTPS_PNG), profile="kimi")
flag("media.kind", AUDIO, profile="groq")
flag("media.kind", AUDIO, profile="qwen")
flag("media.kind", file_of("application/pdf"), profile="compatible")
for profile, body in (
    ("qwen", VIDEO),
    ("qwen", media("video", video=["a"])),
    ("kimi", VIDEO),
    ("kimi", IMAGE),
    ("groq", IMAGE),
    ("openrouter", VIDEO),
    ("openrouter", media("file", filename="a.pdf", file_data="https://e.x/a.pdf")),
    ("compatible", media("audio_url", url="https://e.x/a.mp3")),
    ("kimi", media("image_url", url="ms://f1")),
    ("qwen", {**AUDIO, "model": "qwen3-omni"}),
    ("deepseek", oc(user("q"), tools=None)),
):
    quiet(f"media of {profile}", body, profile=profile)
bad("type", oc(user("q"), asst("a", reasoning_content="r"), user("q"), tools=None))
quiet("reasoning_content", oc(user("q"), asst("a", reasoning_content="r"), user("q"), tools=None), profile="deepseek")
quiet(
    "a gateway's keys, null keys, settings",
    oc(
        user([{"type": "text", "text": "q", "cache_control": {"type": "ephemeral"}}]),
        {
            **asst(
                "a",
                reasoning_details=[
                    {"type": "reasoning.encrypted", "id": "r", "format": "openai-responses-v1", "data": "x"}
                ],
            ),
            "tool_calls": None,
        },
        user("q"),
        {"role": "system", "content": "", "configuration_update": {"reasoning": {"effort": "low"}}},
        tools=None,
        provider={"only": ["x"]},
        models=["m"],
    ),
    profile="openrouter",
)
bad("type", oc({**user("q"), "zz": 1}, tools=None), profile="openrouter")
bad("tool.orphan", oc(user("q"), oc_tool()), profile="compatible")
DETAILS = [{"type": "reasoning.encrypted", "id": "r1", "format": "openai-responses-v1", "data": "x"}]
bad(
    "reasoning.duplicate",
    oc(
        user("q"),
        asst("a", reasoning_details=DETAILS),
        user("q"),
        asst("b", reasoning_details=DETAILS),
        user("q"),
        tools=None,
    ),
    profile="openrouter",
)
quiet(
    "summary and proof of one id",
    oc(
        user("q"),
        asst("a", reasoning_details=[{**DETAILS[0], "type": "reasoning.summary", "summary": "s"}, *DETAILS]),
        user("q"),
        tools=None,
    ),
    profile="openrouter",
)
flag(
    "cache.many",
    oc(*[{**user("q"), "cache_control": {"type": "ephemeral"}} for _ in range(5)], tools=None),
    profile="qwen",
)
quiet(
    "four marks",
    oc(*[{**user("q"), "cache_control": {"type": "ephemeral"}} for _ in range(4)], tools=None),
    profile="qwen",
)
SIGNED = {"extra_content": {"google": {"thought_signature": "c2ln"}}}
bad(
    "signature.missing",
    oc(user("q"), oc_calls(oc_call("a"), oc_call("b")), oc_tool("a"), oc_tool("b")),
    profile="gemini",
)
quiet(
    "first call signed",
    oc(user("q"), oc_calls({**oc_call("a"), **SIGNED}, oc_call("b")), oc_tool("a"), oc_tool("b")),
    profile="gemini",
)
quiet(
    "an old turn, an old model", oc(user("q"), oc_calls(oc_call()), oc_tool(), asst("a"), user("q")), profile="gemini"
)
quiet("Gemini 2.5", {**oc(user("q"), oc_calls(oc_call()), oc_tool()), "model": "gemini-2.5-pro"}, profile="gemini")
quiet(
    "a cache breakpoint",
    oc(user([{"type": "text", "text": "q", "prompt_cache_breakpoint": {"mode": "explicit"}}]), tools=None),
)


def oc_by(model, tools=None, **more):
    """A body for one model."""
    return {**oc(user("q"), tools=tools, **more), "model": model}


bad("model.effort", oc_by("gpt-5.1", reasoning_effort="minimal"))
bad("model.effort", oc_by("gpt-5-mini", reasoning_effort="none"))
bad("model.effort", oc_by("o3", reasoning_effort="xhigh"))
quiet("a word that the model has", oc_by("gpt-5.1", reasoning_effort="none"))
bad("model.tools", oc_by("gpt-5.6-terra", (FN_TOOL,), reasoning_effort="low"))
bad("model.tools", oc_by("gpt-6-astra", (FN_TOOL,)))
quiet("tools beside a model that rests", oc_by("gpt-5.6-terra", (FN_TOOL,), reasoning_effort="none"))
quiet("tools beside a model that may think", oc_by("gpt-5.2", (FN_TOOL,), reasoning_effort="high"))
bad("model.only-responses", oc_by("gpt-5.3-codex"))
quiet("another server's model", oc_by("gpt-5.1", reasoning_effort="minimal"), profile="compatible")
