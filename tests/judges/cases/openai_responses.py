"""Bodies for OpenAI's Responses: accepted, refused, and flagged."""

from . import DATA_PNG, FN_TOOL, HTTPS_PNG, PDF, PNG, SCHEMA, Cases, asst, user

CASES = Cases("openai_responses")
ok, bad, flag, quiet = CASES.ok, CASES.bad, CASES.flag, CASES.quiet

RESP_TOOL = {"type": "function", "name": "f", "parameters": SCHEMA, "strict": False}


def rs(*items, tools=(RESP_TOOL,), **more):
    body = {"model": "m", "input": list(items), **more}
    return {**body, "tools": list(tools)} if tools else body


def rs_call(ident="c1", **more):
    return {"type": "function_call", "call_id": ident, "name": "f", "arguments": "{}", **more}


def rs_out(ident="c1", output="ok"):
    return {"type": "function_call_output", "call_id": ident, "output": output}


def rs_think(**more):
    return {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "s"}], **more}


OUT_MSG = {
    "type": "message",
    "role": "assistant",
    "id": "msg_1",
    "status": "completed",
    "content": [{"type": "output_text", "text": "a", "annotations": []}],
}

ok("string input", {"model": "m", "input": "hi", "instructions": "be brief"})
ok("easy messages", rs(user("hi"), asst("yo"), user([{"type": "input_text", "text": "x"}]), tools=None))
ok("call", rs(user("q"), rs_call(), rs_out(), tools=[RESP_TOOL]))
ok("parallel", rs(user("q"), rs_call("a"), rs_call("b"), rs_out("b"), rs_out("a")))
ok(
    "image in result",
    rs(
        user("q"),
        rs_call(),
        rs_out(
            output=[
                {"type": "input_text", "text": "t"},
                {"type": "input_image", "detail": "auto", "image_url": DATA_PNG},
            ]
        ),
    ),
)
ok(
    "stateless reasoning",
    rs(
        user("q"),
        rs_think(encrypted_content="gAAA"),
        rs_call(),
        rs_out(),
        store=False,
        include=["reasoning.encrypted_content"],
        stream=True,
    ),
)
ok("output message and phase", rs(user("q"), {**OUT_MSG, "phase": "final_answer"}, user("more"), tools=None))
ok("remote call", rs(rs_out("call_from_before"), previous_response_id="resp_1"))
ok(
    "file",
    rs(
        user([{"type": "input_file", "filename": "a.pdf", "file_data": f"data:application/pdf;base64,{PDF}"}]),
        tools=None,
    ),
)

bad("type", rs(user([{"type": "text", "text": "x"}]), tools=None))
bad("type", rs({"role": "tool", "content": "x"}, tools=None))
bad("type", rs({"type": "function_call", "call_id": "c", "name": "f", "arguments": {}}, rs_out("c")))
bad("type", rs(user("q"), rs_call(), rs_out(output={"x": 1})))
bad("type", rs(user("q"), tools=[FN_TOOL]))
bad("type", {"model": "m", "messages": [user("q")]})
bad("type", rs(user([{"type": "input_image", "detail": "auto", "image_url": {"url": HTTPS_PNG}}]), tools=None))
bad("json", rs(user("q"), tools=None, temperature=float("inf")))
bad("input.missing", rs(tools=None))
bad("assistant.part", rs(user("q"), asst([{"type": "input_text", "text": "x"}]), tools=None))
bad("id.prefix", rs(user("q"), rs_call(id="call_1"), rs_out()))
bad("id.bad", rs(user("q"), rs_call(id="fc:1"), rs_out()))
bad("call-id.bad", rs(user("q"), rs_call("c" * 65), rs_out("c" * 65)))
bad("call.duplicate", rs(user("q"), rs_call(), rs_out(), rs_call(), rs_out()))
bad("name.bad", rs(user("q"), rs_call(name="a b"), rs_out()))
bad("output.orphan", rs(user("q"), rs_out()))
bad("output.orphan", rs(user("q"), rs_out(), rs_call()))
bad("output.duplicate", rs(user("q"), rs_call(), rs_out(), rs_out()))
bad("call.unanswered", rs(user("q"), rs_call("a"), rs_call("b"), rs_out("a")))
bad("reasoning.alone", rs(user("q"), rs_think(), user("next"), tools=None))
bad("reasoning.alone", rs(user("q"), rs_call(), rs_think(), rs_out()))
bad("reasoning.unencrypted", rs(user("q"), rs_think(), OUT_MSG, tools=None, store=False))
bad("image.url", rs(user([{"type": "input_image", "detail": "auto", "image_url": PNG}]), tools=None))
bad("file.source", rs(user([{"type": "input_file", "filename": "a.pdf"}]), tools=None))
bad("tools.missing", rs(user("q"), tools=None, tool_choice="auto"))
bad("tools.many", rs(user("q"), tools=[{**RESP_TOOL, "name": f"f{i}"} for i in range(129)]))
flag("arguments.not-object", rs(user("q"), rs_call(arguments="nope"), rs_out()))
flag("tools.empty", {**rs(user("q"), tools=None), "tools": []})


def item(kind, ident="c1", **more):
    return {"type": kind, "call_id": ident, **more}


# Every call that the caller runs, and its own output.
SHELL = item("shell_call", action={"commands": ["ls"]})
SHELL_OUT = item(
    "shell_call_output", output=[{"stdout": "a", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}]
)
LOCAL = item("local_shell_call", id="lsh_1", status="completed", action={"type": "exec", "command": ["ls"], "env": {}})
LOCAL_OUT = {"type": "local_shell_call_output", "id": "c1", "output": "a"}
PATCH = item("apply_patch_call", status="completed", operation={"type": "delete_file", "path": "a"})
PATCH_OUT = item("apply_patch_call_output", status="failed", output="no")
SCREEN = item("computer_call", id="cu_1", pending_safety_checks=[], status="completed", action={"type": "screenshot"})
SCREEN_OUT = item("computer_call_output", output={"type": "computer_screenshot", "image_url": DATA_PNG})
FIND = item("tool_search_call", execution="client", arguments={"q": "x"}, status="completed")
FIND_OUT = item("tool_search_output", execution="client", tools=[RESP_TOOL], status="completed")
CUSTOM, CUSTOM_OUT = item("custom_tool_call", name="f", input="x"), item("custom_tool_call_output", output="r")
for call, out in (
    (SHELL, SHELL_OUT),
    (LOCAL, LOCAL_OUT),
    (PATCH, PATCH_OUT),
    (SCREEN, SCREEN_OUT),
    (FIND, FIND_OUT),
    (CUSTOM, CUSTOM_OUT),
):
    quiet(call["type"], rs(user("q"), call, out, user("q")))
    quiet(f"{call['type']}, answered later", rs(user("q"), call, user("wait"), out))
    bad("call.unanswered", rs(user("q"), call, user("q")))
    bad("output.orphan", rs(user("q"), out))
    bad("output.orphan", rs(user("q"), out, call))
    bad("output.duplicate", rs(user("q"), call, out, out))
    bad("call.duplicate", rs(user("q"), call, out, {**call, "id": "x2"}, out))
quiet("local_shell_call_output by the item's id", rs(user("q"), LOCAL, {**LOCAL_OUT, "id": "lsh_1"}))
quiet("function_call_output for local_shell_call", rs(user("q"), LOCAL, rs_out()))
quiet("function_call_output for tool_search_call", rs(user("q"), FIND, rs_out()))
flag("output.local-shell", rs(user("q"), LOCAL, item("local_shell_call_output", output="a")))
flag("output.form", rs(user("q"), SHELL, rs_out()))
flag("output.form", rs(user("q"), PATCH, rs_out()))
flag("output.form", rs(user("q"), rs_call(), CUSTOM_OUT))
flag("output.call-id", rs(user("q"), rs_call(), {"type": "function_call_output", "name": "f", "output": "r"}))
bad("call-id.bad", rs(user("q"), rs_call(), {"type": "function_call_output", "output": "r"}))
bad(
    "call.unanswered",
    rs(user("q"), rs_call("a"), rs_call("b"), {"type": "function_call_output", "name": "f", "output": "r"}),
)
bad("call.unanswered", rs(user("q"), rs_call(), {"type": "function_call_output", "name": "g", "output": "r"}))
bad("call-id.bad", rs(user("q"), {**SHELL, "call_id": "c" * 65}, {**SHELL_OUT, "call_id": "c" * 65}))
SERVED = {"type": "tool_search_call", "execution": "server", "call_id": None, "arguments": {}, "status": "completed"}
SERVED_OUT = {**SERVED, "type": "tool_search_output", "tools": []}
del SERVED_OUT["arguments"]
quiet("tool search of the server, either half", rs(user("q"), SERVED, SERVED_OUT, SERVED, user("q"), SERVED_OUT))
quiet(
    "hosted shell",
    rs(user("q"), {**SHELL, "environment": {"type": "container_reference", "container_id": "k"}}, SHELL_OUT),
)
flag(
    "call.hosted",
    rs(user("q"), {**SHELL, "environment": {"type": "container_reference", "container_id": "k"}}, user("q")),
)
flag(
    "call.hosted", rs(user("q"), SHELL, user("q"), tools=[{"type": "shell", "environment": {"type": "container_auto"}}])
)
bad("call.unanswered", rs(user("q"), SHELL, user("q"), tools=[{"type": "shell", "environment": {"type": "local"}}]))
bad("call.unanswered", rs(user("q"), {**SHELL, "environment": None}, user("q"), tools=[{"type": "shell"}]))
quiet("an open async call", rs(user("q"), rs_call(**{"async": True}), asst("meanwhile"), user("q")))
quiet("a late async result", rs(user("q"), rs_call(**{"async": True}), asst("meanwhile"), user("q"), rs_out()))
bad("call.unanswered", rs(user("q"), rs_call(**{"async": False}), asst("meanwhile"), user("q")))
bad("output.duplicate", rs(user("q"), rs_call(**{"async": True}), rs_out(), user("q"), rs_out()))
flag("call.codex", rs(user("q"), {k: v for k, v in LOCAL.items() if k != "id"}, rs_out()))
flag(
    "call.codex",
    rs(user("q"), {**LOCAL, "action": {"type": "exec", "command": ["ls"], "env": None, "user": None}}, rs_out()),
)
flag("call.codex", rs(user("q"), {**CUSTOM, "status": "completed"}, {**CUSTOM_OUT, "name": "f"}))
bad(
    "type",
    rs(user("q"), {"type": "web_search_call", "status": "completed", "action": {"type": "search", "query": "x"}}),
)
bad("type", rs(user("q"), {"type": "context_compaction", "encrypted_content": "x"}, user("q")))
bad("call.null", rs(user("q"), rs_call(status=None), rs_out()))
flag("call.null-status", rs(user("q"), rs_call(status=None), rs_out()), server="openai")
bad("type", rs(user("q"), rs_call(status="done"), rs_out()))
LATER = {**RESP_TOOL, "defer_loading": True}
SPACE = {"type": "namespace", "name": "mcp__a", "description": "d", "tools": [RESP_TOOL]}
bad("call.namespace", rs(user("q"), rs_call(), rs_out(), tools=[{"type": "tool_search"}, LATER]))
bad("call.namespace", rs(user("q"), rs_call(), rs_out(), tools=[SPACE]))
bad(
    "call.namespace",
    rs(user("q"), FIND, FIND_OUT, rs_call("c2"), rs_out("c2"), tools=[{"type": "tool_search", "execution": "client"}]),
)
quiet(
    "deferred, with its namespace",
    rs(user("q"), rs_call(namespace="f"), rs_out(), tools=[{"type": "tool_search"}, LATER]),
)
quiet("in a namespace and plain", rs(user("q"), rs_call(), rs_out(), tools=[SPACE, RESP_TOOL]))
quiet("a function that nobody defines", rs(user("q"), rs_call(name="g"), rs_out(), tools=[SPACE]))
ADDED = {"type": "additional_tools", "role": "developer", "tools": [RESP_TOOL]}
flag("call.namespace-added", rs(user("q"), ADDED, rs_call(), rs_out(), tools=None))
quiet(
    "tools only in additional_tools",
    rs(user("q"), ADDED, rs_call(namespace="f"), rs_out(), tools=None, tool_choice="auto"),
)
bad(
    "id.duplicate",
    rs(
        user("q"),
        rs_think(encrypted_content="g"),
        OUT_MSG,
        user("q"),
        rs_think(encrypted_content="g"),
        {**OUT_MSG, "id": "msg_2"},
        tools=None,
    ),
)
quiet(
    "ids once each",
    rs(
        user("q"),
        rs_think(encrypted_content="g"),
        OUT_MSG,
        user("q"),
        rs_think(id="rs_2", encrypted_content="g"),
        {**OUT_MSG, "id": "msg_2"},
        tools=None,
    ),
)
BARE = {"role": "assistant", "content": [{"type": "output_text", "text": "a"}]}
flag("assistant.bare", rs(user("q"), BARE, user("q"), tools=None))
flag("assistant.bare", rs(user("q"), {"type": "message", **BARE}, user("q"), tools=None))
bad("type", rs(user("q"), {**BARE, "id": None}, user("q"), tools=None))
bad("type", rs(user("q"), {"role": "user", "content": BARE["content"]}, tools=None))
bad("assistant.status", rs(user("q"), BARE, user("q"), tools=None), server="vllm")
quiet("assistant text is taken everywhere", rs(user("q"), asst("a"), user("q"), tools=None), server="vllm")
quiet("assistant list with id and status", rs(user("q"), OUT_MSG, user("q"), tools=None), server="vllm")
flag(
    "assistant.texts",
    rs(user("q"), {**OUT_MSG, "content": OUT_MSG["content"] * 2}, user("q"), tools=None),
    server="vllm",
)
quiet("two texts", rs(user("q"), {**OUT_MSG, "content": OUT_MSG["content"] * 2}, user("q"), tools=None))
NO_ID = {"type": "reasoning", "summary": [], "encrypted_content": "g"}
flag("reasoning.id-missing", rs(user("q"), NO_ID, rs_call(), rs_out(), store=False))
bad("type", rs(user("q"), {"type": "reasoning", "summary": []}, rs_call(), rs_out()))
flag("reasoning.linked", rs(user("q"), NO_ID, OUT_MSG, user("q"), tools=None))
flag("reasoning.linked", rs(user("q"), NO_ID, rs_call(id="fc_1"), rs_out()))
bad("type", rs(user("q"), {**NO_ID, "id": None}, rs_call(), rs_out()))
READ = {"content": [{"type": "reasoning_text", "text": "t"}]}
bad("reasoning.content", rs(user("q"), rs_think(encrypted_content="g", **READ), OUT_MSG, tools=None))
quiet("empty reasoning content", rs(user("q"), rs_think(encrypted_content="g", content=[]), OUT_MSG, tools=None))
quiet("reasoning content elsewhere", rs(user("q"), rs_think(**READ), OUT_MSG, tools=None), server="vllm")
quiet(
    "reasoning content, by the model's name",
    {**rs(user("q"), rs_think(**READ), OUT_MSG, tools=None), "model": "deepseek-chat"},
)
bad("reasoning.encrypted", rs(user("q"), rs_think(encrypted_content="g"), OUT_MSG, tools=None), server="vllm")
flag("reasoning.status", rs(user("q"), rs_think(encrypted_content="g", status="completed"), OUT_MSG, tools=None))
bad("reasoning.follower", rs(user("q"), rs_think(encrypted_content="g"), asst("a"), user("q"), tools=None))
flag("reasoning.follower-call", rs(user("q"), rs_think(encrypted_content="g"), rs_call(), rs_out()))
quiet("follower with an id", rs(user("q"), rs_think(encrypted_content="g"), rs_call(id="fc_1"), rs_out()))
bad(
    "reasoning.alone",
    rs(
        user("q"),
        rs_think(encrypted_content="g"),
        {"type": "configuration_update", "reasoning": {"effort": "low"}},
        user("q"),
        tools=None,
    ),
)
EFFORT = {"type": "configuration_update", "reasoning": {"effort": "low"}}
bad(
    "config.adjacent",
    rs(user("q"), asst("a"), EFFORT, {**EFFORT, "reasoning": {"effort": "high"}}, user("q"), tools=None),
)
quiet(
    "updates with a turn between", rs(user("q"), asst("a"), EFFORT, user("q"), asst("a"), EFFORT, user("q"), tools=None)
)
bad("config.model", {**rs(user("q"), asst("a"), EFFORT, user("q"), tools=None), "model": "gpt-6-pro"})
flag("config.mode", rs(user("q"), asst("a"), EFFORT, user("q"), tools=None, truncation="auto"))
bad("compaction.last", rs(user("q"), {"type": "compaction_trigger"}, user("q"), tools=None))
quiet("compaction_trigger at the end", rs(user("q"), {"type": "compaction_trigger"}, tools=None))
ASK = {"type": "mcp_approval_request", "id": "mcpr_1", "name": "f", "server_label": "s", "arguments": "{}"}
SAY = {"type": "mcp_approval_response", "approval_request_id": "mcpr_1", "approve": False}
flag("approval.orphan", rs(user("q"), SAY, tools=None))
quiet("approval asked and given, and open", rs(user("q"), ASK, SAY, {**ASK, "id": "mcpr_2"}, user("q"), tools=None))
flag("image.detail", rs(user([{"type": "input_image", "image_url": DATA_PNG}]), tools=None))
quiet(
    "image without detail in a result",
    rs(user("q"), rs_call(), rs_out(output=[{"type": "input_image", "image_url": DATA_PNG}])),
)
flag("image_generation.bare", rs(user("q"), {"type": "image_generation_call", "id": "ig_1"}, user("q"), tools=None))
bad(
    "file.mime",
    rs(user([{"type": "input_file", "filename": "a", "file_data": "data:audio/mpeg;base64,AAAA"}]), tools=None),
)
quiet(
    "a text file",
    rs(user([{"type": "input_file", "filename": "a", "file_data": "data:text/plain;base64,aGk="}]), tools=None),
)
bad("type", rs(user("q"), tools=None, provider={"only": ["x"]}))
quiet("another server's settings", rs(user("q"), tools=None, provider={"only": ["x"]}), server="openrouter")
quiet(
    "another server's ids",
    rs(user("q"), rs_think(id="76f8", **READ), rs_call(id="call_1"), rs_out()),
    server="deepseek",
)
bad("model.effort", {**rs(user("q"), tools=None, reasoning={"effort": "max"}), "model": "gpt-5.5"})
quiet("a word that the model has", {**rs(user("q"), tools=None, reasoning={"effort": "max"}), "model": "gpt-6-sol"})
