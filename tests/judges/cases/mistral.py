"""Bodies for Mistral: accepted, refused, and flagged."""

from . import DATA_PNG, HTTPS_PNG, PNG, Cases, asst, user
from .openai_chat import oc, oc_call

CASES = Cases("mistral")
ok, bad, flag, quiet = CASES.ok, CASES.bad, CASES.flag, CASES.quiet


def mi_tool(ident="abcdef123", content="ok", **more):
    return {"role": "tool", "tool_call_id": ident, "name": "f", "content": content, **more}


def mi_calls(*idents, content="", **more):
    return asst(content, tool_calls=[oc_call(i, **more) for i in idents or ("abcdef123",)])


ok("text", oc({"role": "system", "content": "s"}, user("q"), asst("a"), user("q"), tools=None))
ok(
    "image forms",
    oc(
        user(
            [
                {"type": "text", "text": "q"},
                {"type": "image_url", "image_url": DATA_PNG},
                {"type": "image_url", "image_url": {"url": HTTPS_PNG}},
            ]
        ),
        tools=None,
    ),
)
ok("call", oc(user("q"), mi_calls(), mi_tool(), asst("a"), user("q")))
ok("parallel", oc(user("q"), mi_calls("abcdef123", "abcdef124"), mi_tool("abcdef123"), mi_tool("abcdef124")))
ok("prefix", oc(user("q"), asst("A", prefix=True), tools=None))
ok(
    "thinking chunk",
    oc(
        user("q"),
        asst([{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "a"}]),
        user("q"),
        tools=None,
    ),
)
ok(
    "as the official client sends it",
    oc(user("q"), asst("", prefix=False, tool_calls=[{**oc_call("abcdef123"), "index": 0}]), mi_tool()),
)
ok("old tokenizer", oc(user("q"), mi_calls(), mi_tool()), tokenizer="v3")

bad("type", oc({**user("q"), "zz": 1}, tools=None))
bad("type", oc(user("q"), tools=None, max_completion_tokens=1))
bad("type", oc(user([{"type": "text", "text": 1}]), tools=None))
bad("type", oc({"role": "bogus", "content": "q"}, tools=None))
bad("type", {"messages": [user("q")]})
bad("type", oc(user("q"), asst("", tool_calls=[{"id": "abcdef123", "name": "f"}]), mi_tool()))
bad("json", oc(user("q"), tools=None, temperature=float("nan")))
bad("vendor", oc(user("q"), asst("a"), tools=None))
bad("vendor", oc(tools=None))
bad("vendor", oc(user("q"), mi_calls("abcdef123", "abcdef124"), mi_tool("abcdef123"), asst("a"), user("q")))
bad("vendor", oc(user("q"), mi_calls("call_123"), mi_tool("call_123")), tokenizer="v3")
bad("vendor", oc(user("q"), mi_calls(name="a.b"), mi_tool()))
bad("vendor", oc(user("q"), {"role": "system", "content": "late"}, asst("x"), tools=None))
bad("chunk.unknown", oc(user([{"type": "input_text", "text": "q"}]), tools=None))
bad("tool.id-missing", oc(user("q"), mi_calls(), {"role": "tool", "name": "f", "content": "r"}))
bad("tool.orphan", oc(user("q"), mi_calls(), mi_tool("zzzzzz123")))
bad("image.url", oc(user([{"type": "image_url", "image_url": PNG}]), tools=None))
flag("arguments.not-object", oc(user("q"), mi_calls(arguments="[]"), mi_tool()))
flag("user-after-tool", oc(user("q"), mi_calls(), mi_tool(), user("and")))
flag("call-id.nine", oc(user("q"), mi_calls("call_1"), mi_tool("call_1")))
bad("vendor", oc(user("q"), mi_calls("null"), mi_tool("null")))
bad("vendor", oc(user("q"), mi_calls("call_1"), mi_tool("call_1")), tokenizer="v11")
THEN = oc(user("q"), mi_calls(), mi_tool(), user("and"))
SEEN = oc(user("q"), mi_calls(), mi_tool(content=[{"type": "image_url", "image_url": {"url": DATA_PNG}}]))
for version in ("v13", "v15"):
    bad("old.call-id", oc(user("q"), mi_calls("call_1"), mi_tool("call_1")), tokenizer=version, oldest="1.11.7")
    quiet(f"nine, everywhere, {version}", oc(user("q"), mi_calls(), mi_tool()), tokenizer=version, oldest="1.11.0")
bad("old.user-after-tool", THEN, oldest="1.11.0")
flag("user-after-tool", THEN, oldest="1.11.7")
quiet("an assistant between", oc(user("q"), mi_calls(), mi_tool(), asst("Done."), user("and")), oldest="1.11.0")
bad("old.tool-image", SEEN, tokenizer="v15", oldest="1.11.0")
quiet("image in a result", SEEN, tokenizer="v15", oldest="1.11.7")
bad("vendor", SEEN)
CHUNKS = [
    {"type": "text", "text": "s"},
    {"type": "thinking", "thinking": [{"type": "text", "text": "t"}], "closed": True},
]
for version in ("v7", "v11", "v13"):
    quiet(
        f"thinking in the system message, {version}",
        oc({"role": "system", "content": CHUNKS}, user("q"), tools=None),
        tokenizer=version,
    )
for version in ("v3", "v15"):
    bad("vendor", oc({"role": "system", "content": CHUNKS}, user("q"), tools=None), tokenizer=version)
