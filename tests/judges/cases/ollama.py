"""Bodies for Ollama: accepted, refused, and flagged."""

from . import DATA_PNG, FN_TOOL, HTTPS_PNG, PNG, SCHEMA, Cases, asst, user

CASES = Cases("ollama")
ok, bad, flag, quiet = CASES.ok, CASES.bad, CASES.flag, CASES.quiet


def ol(*messages, tools=(FN_TOOL,), **more):
    body = {"model": "m", "messages": list(messages), **more}
    return {**body, "tools": list(tools)} if tools else body


def ol_call(name="f", arguments=None, **more):
    return {"function": {"name": name, "arguments": {"x": 1} if arguments is None else arguments}, **more}


def ol_tool(content="ok", **more):
    return {"role": "tool", "content": content, **more}


ok("text", ol({"role": "system", "content": "s"}, user("q"), asst("a"), user("q"), tools=None, stream=False))
ok("image", ol({**user("q"), "images": [PNG]}, tools=None))
ok("call by name", ol(user("q"), asst("", tool_calls=[ol_call()]), ol_tool(tool_name="f")))
ok(
    "parallel by position",
    ol(user("q"), asst("", tool_calls=[ol_call(), ol_call("g")]), ol_tool(tool_name="f"), ol_tool(tool_name="g")),
)
ok("thinking", ol(user("q"), asst("a", thinking="hm"), user("q"), tools=None, think=True))
ok("options and format", ol(user("q"), tools=None, options={"temperature": 0.1, "num_ctx": 4096}, format=SCHEMA))
ok("call by id", ol(user("q"), asst("", tool_calls=[ol_call(id="1")]), ol_tool(tool_name="f", tool_call_id="1")))

bad("type", ol({**user("q"), "bogus": 1}, tools=None))
bad("type", ol(user("q"), tools=None, max_tokens=1))
bad("type", {"messages": "q", "model": 1})
bad("type", ol(user("q"), asst("", tool_calls=[{"name": "f", "arguments": {}}]), ol_tool(tool_name="f")))
bad("type", ol({**user("q"), "images": [PNG], "image_url": HTTPS_PNG}, tools=None))
bad("type", ol(user(5), tools=None))
bad("json", ol(user("q"), tools=None, options={"temperature": float("nan")}))
bad("role.bad", ol({"role": "developer", "content": "s"}, user("q"), tools=None))
bad("content.list", ol(user([{"type": "text", "text": "q"}]), tools=None))
bad("image.base64", ol({**user("q"), "images": [DATA_PNG]}, tools=None))
bad("image.base64", ol({**user("q"), "images": [HTTPS_PNG]}, tools=None))
bad("arguments.object", ol(user("q"), asst("", tool_calls=[ol_call(arguments="{}")]), ol_tool(tool_name="f")))
bad("tool.orphan", ol(user("q"), ol_tool(tool_name="f")))
bad(
    "tool.order",
    ol(user("q"), asst("", tool_calls=[ol_call(), ol_call("g")]), ol_tool(tool_name="g"), ol_tool(tool_name="f")),
)
bad("tool.order", ol(user("q"), asst("", tool_calls=[ol_call(id="1")]), ol_tool(tool_call_id="2")))
bad("think.value", ol(user("q"), tools=None, think="xhigh"))
for level in ("max", "low", True, False):
    quiet(f"think {level}", ol(user("q"), tools=None, think=level))
flag("messages.empty", ol(tools=None))
flag("sdk.drops", ol(user("q"), asst("", tool_calls=[ol_call(id="1")]), ol_tool(tool_call_id="1")))
flag("image.role", ol(user("q"), {**asst("a"), "images": [PNG]}, tools=None))
flag("tool.unnamed", ol(user("q"), asst("", tool_calls=[ol_call()]), ol_tool()))
flag("tool.unanswered", ol(user("q"), asst("", tool_calls=[ol_call(), ol_call()]), ol_tool(tool_name="f")))
flag("thinking.role", ol({**user("q"), "thinking": "hm"}, tools=None))
