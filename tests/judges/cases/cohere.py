"""Bodies for Cohere: accepted, refused, and flagged."""

from . import DATA_PNG, PNG, Cases, asst, user
from .openai_chat import oc, oc_call, oc_tool

CASES = Cases("cohere")
ok, bad, flag, quiet = CASES.ok, CASES.bad, CASES.flag, CASES.quiet


def co_calls(*idents, **more):
    return {"role": "assistant", "tool_calls": [oc_call(i) for i in idents or ("c1",)], **more}


DOC = {"type": "document", "document": {"id": "d", "data": {"x": 1}}}

ok("text", oc({"role": "system", "content": "s"}, user("q"), asst("a"), user("q"), tools=None))
ok(
    "image",
    oc(user([{"type": "text", "text": "q"}, {"type": "image_url", "image_url": {"url": DATA_PNG}}]), tools=None),
)
ok("call with plan", oc(user("q"), co_calls(tool_plan="p"), oc_tool(content='{"x": 1}'), asst("a")))
ok(
    "parallel, documents",
    oc(user("q"), co_calls("a", "b"), oc_tool("a", [DOC]), oc_tool("b", [{"type": "text", "text": "t"}])),
)
ok(
    "thinking",
    oc(
        user("q"),
        asst([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "a"}]),
        user("q"),
        tools=None,
        stream=True,
    ),
)
ok(
    "thinking beside calls",
    oc(user("q"), co_calls(content=[{"type": "thinking", "thinking": "hm"}]), oc_tool(content=[DOC])),
)

bad("type", oc({**user("q"), "zz": 1}, tools=None))
bad("type", oc(user([{"type": "text", "text": "x", "zz": 1}]), tools=None))
bad("type", oc(user("q"), tools=None, max_completion_tokens=1))
bad("type", {"messages": [user("q")]})
bad("type", oc({"role": "bogus", "content": "q"}, tools=None))
bad("type", oc(user("q"), co_calls(), oc_tool(content=[{"type": "image_url", "image_url": {"url": DATA_PNG}}])))
bad("type", {"model": "m", "messages": "q"})
bad("json", oc(user("q"), tools=None, temperature=float("nan")))
bad("messages.empty", oc(tools=None))
bad("content.missing", oc(user("q"), {"role": "assistant"}, user("q"), tools=None))
bad("text-with-calls", oc(user("q"), co_calls(content="hm"), oc_tool(content=[DOC])))
bad(
    "call.incomplete",
    oc(user("q"), {"role": "assistant", "tool_calls": [{"id": "a", "type": "function"}]}, oc_tool("a", [DOC])),
)
bad("call.duplicate", oc(user("q"), co_calls("a", "a"), oc_tool("a", [DOC]), oc_tool("a", [DOC])))
bad(
    "arguments.not-object",
    oc(user("q"), {"role": "assistant", "tool_calls": [oc_call(arguments="")]}, oc_tool(content=[DOC])),
)
bad("tool.orphan", oc(user("q"), oc_tool(content=[DOC])))
bad("tool.unanswered", oc(user("q"), co_calls("a", "b"), oc_tool("a", [DOC]), user("x")))
bad("image.url", oc(user([{"type": "image_url", "image_url": {"url": PNG}}]), tools=None))
flag("tool.duplicate", oc(user("q"), co_calls(), oc_tool(content=[DOC]), oc_tool(content=[DOC])))
flag(
    "arguments.null",
    oc(user("q"), {"role": "assistant", "tool_calls": [oc_call(arguments="null")]}, oc_tool(content=[DOC])),
)
quiet(
    "no arguments",
    oc(user("q"), {"role": "assistant", "tool_calls": [oc_call(arguments="{}")]}, oc_tool(content=[DOC])),
)
flag("tool.not-json", oc(user("q"), co_calls(), oc_tool(content="plain")))
flag("document.data", oc(user("q"), co_calls(), oc_tool(content=[{"type": "document", "document": {"data": "{}"}}])))
