"""Bodies for Bedrock's Converse: accepted, refused, and flagged."""

from . import PDF, PNG, SCHEMA, Cases

CASES = Cases("bedrock")
ok, bad, flag, quiet = CASES.ok, CASES.bad, CASES.flag, CASES.quiet

BR_TOOLS = {"tools": [{"toolSpec": {"name": "f", "description": "d", "inputSchema": {"json": SCHEMA}}}]}


def br(*messages, tools=BR_TOOLS, **more):
    body = {"messages": list(messages), **more}
    return {**body, "toolConfig": tools} if tools else body


def bu(*blocks):
    return {"role": "user", "content": [{"text": b} if isinstance(b, str) else b for b in blocks]}


def ba(*blocks):
    return {"role": "assistant", "content": [{"text": b} if isinstance(b, str) else b for b in blocks]}


def buse(ident="t1", **more):
    return {"toolUse": {"toolUseId": ident, "name": "f", "input": {"x": 1}, **more}}


def bres(ident="t1", content=({"text": "ok"},), **more):
    return {"toolResult": {"toolUseId": ident, "content": list(content), **more}}


def bimg(data=PNG, fmt="png"):
    return {"image": {"format": fmt, "source": {"bytes": data}}}


def bdoc(name="a", data=PDF):
    return {"document": {"format": "pdf", "name": name, "source": {"bytes": data}}}


ok("text", br(bu("q"), ba("a"), bu("q"), tools=None, system=[{"text": "s"}], inferenceConfig={"maxTokens": 5}))
ok("image and document", br(bu("q", bimg(), bdoc("my doc (1)")), tools=None))
ok("call, json result", br(bu("q"), ba("hm", buse()), bu(bres(content=[{"json": {"a": [1, None]}}], status="success"))))
ok("parallel", br(bu("q"), ba(buse("a"), buse("b")), bu(bres("b"), bres("a", status="error"))))
ok("image in result", br(bu("q"), ba(buse()), bu(bres(content=[{"text": "t"}, bimg()]))))
ok(
    "reasoning",
    br(bu("q"), ba({"reasoningContent": {"reasoningText": {"text": "t", "signature": "s"}}}, buse()), bu(bres())),
)
ok(
    "redacted reasoning and cache point",
    br(
        bu("q", {"cachePoint": {"type": "default"}}),
        ba({"reasoningContent": {"redactedContent": "AAAA"}}, "a"),
        bu("q"),
        tools=None,
    ),
)
ok("boto3 form", {"modelId": "m", **br(bu("q", bimg(b"\x89PNG")), tools=None)}, blobs="raw")

bad("type", br({"role": "user", "content": "q"}, tools=None))
bad("type", br(bu("q"), tools=None, max_tokens=5))
bad("type", br(bu({"type": "text", "text": "q"}), tools=None))
bad("type", br(bu("q"), ba({"toolUse": {"name": "f", "input": {}}}), bu(bres())))
bad("type", br(bu({"text": "a", **bimg()}), tools=None))
bad("type", br(bu("q"), tools=None, system="s"))
bad("type", br(bu("q"), tools={"tools": []}))
bad("json", br(bu("q"), ba(buse(input={"x": float("nan")})), bu(bres())))
bad("blob", br(bu("q", bimg("???")), tools=None))
bad("blob", br(bu("q", bimg(PNG)), tools=None), blobs="raw")
bad("constraint", br(bu("q", bimg(fmt="tiff")), tools=None))
bad("constraint", br(bu("q"), ba(buse("a b")), bu(bres("a b"))))
bad("constraint", br(bu("q"), ba(buse("t" * 65)), bu(bres("t" * 65))))
bad("constraint", br({"role": "tool", "content": [{"text": "x"}]}, tools=None))
bad("constraint", br(bu("q"), ba(buse()), bu(bres(status="ok"))))
bad("constraint", br(bu("q"), tools=None, inferenceConfig={"temperature": 1.5}))
bad("messages.empty", br(tools=None))
bad("first-role", br(ba("a"), bu("q"), tools=None))
bad("alternate", br(bu("q"), bu("q"), tools=None))
bad("end.whitespace", br(bu("q"), ba("a "), tools=None))
bad("content.empty", br(bu("q"), ba(), bu("q"), tools=None))
bad("text.blank", br(bu(""), tools=None))
bad("text.blank", br(bu(" "), tools=None))
bad("text.blank", br(bu("q"), tools=None, system=[{"text": ""}]))
flag("text.white", br(bu("q", "\n"), tools=None))
bad("text.blank", br(bu("q"), ba("", buse()), bu(bres())))
bad("block.role", br(bu("q"), ba(bimg()), bu("q"), tools=None))
bad("toolUse.duplicate", br(bu("q"), ba(buse(), buse()), bu(bres(), bres())))
bad("toolUse.input", br(bu("q"), ba(buse(input=[1])), bu(bres())))
bad("toolUse.unanswered", br(bu("q"), ba(buse("a"), buse("b")), bu(bres("a"))))
bad("toolResult.orphan", br(bu("q"), ba("a"), bu(bres())))
bad("toolResult.duplicate", br(bu("q"), ba(buse()), bu(bres(), bres())))
bad("toolResult.json", br(bu("q"), ba(buse()), bu(bres(content=[{"json": [1]}]))))
bad("toolConfig.missing", br(bu("q"), ba(buse()), bu(bres()), tools=None))
bad("tool.duplicate", br(bu("q"), tools={"tools": BR_TOOLS["tools"] * 2}))
bad("document.name", br(bu("q", bdoc("a.pdf")), tools=None))
bad("document.text", br(bu(bdoc()), tools=None))
bad("document.duplicate", br(bu("q", bdoc(), bdoc()), tools=None))
flag("system.role", br(bu("q"), {"role": "system", "content": [{"text": "s"}]}, ba("a"), bu("q"), tools=None))
flag("end.assistant", br(bu("q"), ba("a"), tools=None))
flag("toolResult.blank", br(bu("q"), ba(buse()), bu(bres(content=[{"text": ""}]))))
flag("toolResult.blank", br(bu("q"), ba(buse()), bu(bres(content=[]))))
for empty in ([], [{"text": ""}]):
    bad("toolResult.error-empty", br(bu("q"), ba(buse()), bu(bres(content=empty, status="error"))))
quiet("an error that says something", br(bu("q"), ba(buse()), bu(bres(status="error"))))
flag("document.underscore", br(bu("q", bdoc("company_policy")), tools=None))
bad("document.name", br(bu("q", bdoc("a_b.pdf")), tools=None))
quiet(
    "a document's other sources",
    br(
        bu(
            "q",
            *[
                {"document": {"format": "txt", "name": f"d{i}", "source": source}}
                for i, source in enumerate(
                    [{"text": "t"}, {"content": [{"text": "t"}]}, {"s3Location": {"uri": "s3://bkt/k"}}]
                )
            ],
        ),
        tools=None,
    ),
)
quiet(
    "context and citations",
    br(
        bu("q", {"document": {"name": "d", "source": {"text": "t"}, "context": "c", "citations": {"enabled": True}}}),
        tools=None,
    ),
)
FOUND = {
    "searchResult": {"source": "https://e.x", "title": "T", "content": [{"text": "p"}], "citations": {"enabled": True}}
}
quiet("search results", br(bu("q", FOUND), ba(buse()), bu(bres(content=[FOUND]))))
CLAUDE, NOVA = "us.anthropic.claude-sonnet-4-5-20250929-v1:0", "us.amazon.nova-2-lite-v1:0"
FILM = {"video": {"format": "mp4", "source": {"bytes": "AAAA"}}}
FAR = {"s3Location": {"uri": "s3://bkt/k"}}
bad("model.media", br(bu("q", FILM), tools=None), model=CLAUDE)
bad("model.media", br(bu("q", {"image": {"format": "png", "source": FAR}}), tools=None), model=CLAUDE)
bad("model.media", {"modelId": NOVA, **br(bu("q"), ba(buse()), bu(bres(content=[FILM])))})
quiet("a film for Nova", br(bu("q", FILM), tools=None), model=NOVA)
quiet("a film for a model without a name", br(bu("q", FILM), tools=None))
quiet("an image in a result for Nova", br(bu("q"), ba(buse()), bu(bres(content=[bimg()]))), model=NOVA)
quiet(
    "a stored document in a result for Claude",
    br(bu("q"), ba(buse()), bu(bres(content=[{"document": {"format": "pdf", "name": "d", "source": FAR}}]))),
    model=CLAUDE,
)
flag("model.search", br(bu("q", FOUND), tools=None), model=NOVA)
HIDDEN = {"reasoningContent": {"redactedContent": "AAAA"}}
bad("model.redacted", br(bu("q"), ba(HIDDEN, "a"), bu("q"), tools=None), model=NOVA)
quiet("redacted reasoning for Claude", br(bu("q"), ba(HIDDEN, "a"), bu("q"), tools=None), model=CLAUDE)
FORCED = {**BR_TOOLS, "toolChoice": {"any": {}}}
MANUAL = {"additionalModelRequestFields": {"thinking": {"type": "enabled", "budget_tokens": 1024}}}
bad("thinking.toolChoice", br(bu("q"), tools=FORCED, **MANUAL))
quiet("thinking, free choice", br(bu("q"), tools=BR_TOOLS, **MANUAL))
quiet(
    "adaptive thinking, forced choice",
    br(bu("q"), tools=FORCED, additionalModelRequestFields={"thinking": {"type": "adaptive"}}),
)
POINT = {"cachePoint": {"type": "default"}}
flag(
    "cache.many",
    br(bu("a", POINT, "b", POINT, "c", POINT), tools=None, system=[{"text": "s"}, POINT, {"text": "t"}, POINT]),
)
quiet(
    "four cache points", br(bu("a", POINT, "b", POINT), tools=None, system=[{"text": "s"}, POINT, {"text": "t"}, POINT])
)


def cited(**location):
    return ba(
        {
            "citationsContent": {
                "content": [{"text": "a"}],
                "citations": [{"title": "T", "sourceContent": [{"text": "p"}], "location": location}],
            }
        }
    )


flag(
    "citations.search",
    br(bu("q", FOUND), cited(searchResultLocation={"searchResultIndex": 0, "start": 0, "end": 1}), bu("q"), tools=None),
)
quiet(
    "another citation",
    br(bu("q", bdoc()), cited(documentPage={"documentIndex": 0, "start": 1, "end": 2}), bu("q"), tools=None),
)
RAN = [
    buse("s1", type="server_tool_use"),
    {"toolResult": {"toolUseId": "s1", "content": [{"json": {"stdOut": "1"}}], "type": "r"}},
]
quiet("a tool that the server ran", br(bu("q"), ba(*RAN, "a"), bu("q"), tools=BR_TOOLS))
quiet("beside a call of the client's", br(bu("q"), ba(*RAN, buse()), bu(bres()), tools=BR_TOOLS))
bad("toolUse.unanswered", br(bu("q"), ba(*RAN, buse()), bu("q"), tools=BR_TOOLS))
bad("block.role", br(bu("q"), ba(buse(), bres()), bu("q"), tools=BR_TOOLS))
flag("toolResult.mixed", br(bu("q"), ba(buse()), bu(bres(), "and")))
flag("limit.images", br(bu("q", *[bimg()] * 21), tools=None))
flag("limit.documents", br(bu("q", *[bdoc(f"d{i}") for i in range(6)]), tools=None))
flag(
    "reasoning.signature",
    br(bu("q"), ba({"reasoningContent": {"reasoningText": {"text": "t"}}}, "a"), bu("q"), tools=None),
)


def br_by(model, tools=None, **more):
    """A body for one model."""
    return {**br(bu("q"), tools=tools, **more), "modelId": model}


BY_HAND = {"thinking": {"type": "enabled", "budget_tokens": 1024}}
ANY = {**BR_TOOLS, "toolChoice": {"any": {}}}
bad("model.effort", br_by("openai.gpt-5.6-sol", additionalModelRequestFields={"reasoning": {"effort": "minimal"}}))
quiet(
    "a word that the model has",
    br_by("openai.gpt-6-sol", additionalModelRequestFields={"reasoning": {"effort": "max"}}),
)
bad("model.fields", br_by("openai.gpt-5.6-sol", additionalModelRequestFields={"thinking": {"type": "adaptive"}}))
bad("model.thinking", br_by("us.anthropic.claude-opus-4-7-v1:0", additionalModelRequestFields=BY_HAND))
quiet("thinking by hand", br_by("anthropic.claude-sonnet-4-5", additionalModelRequestFields=BY_HAND))
bad("model.toolChoice", br_by("anthropic.claude-opus-5-5-v1:0", ANY))
quiet("a model that may have to call", br_by("anthropic.claude-opus-5-v1:0", ANY))
