"""Bodies for Gemini: accepted, refused, and flagged."""

from . import PNG, SCHEMA, Cases

CASES = Cases("gemini")
ok, bad, flag, quiet = CASES.ok, CASES.bad, CASES.flag, CASES.quiet

GE_TOOL = {"functionDeclarations": [{"name": "f", "description": "d", "parametersJsonSchema": SCHEMA}]}


def ge(*contents, tools=(GE_TOOL,), **more):
    body = {"contents": list(contents), **more}
    return {**body, "tools": list(tools)} if tools else body


def gu(*parts):
    return {"role": "user", "parts": [{"text": p} if isinstance(p, str) else p for p in parts]}


def gm(*parts):
    return {"role": "model", "parts": [{"text": p} if isinstance(p, str) else p for p in parts]}


def gcall(ident=None, sign=True, **more):
    part = {"functionCall": {"name": "f", "args": {"x": 1}, **({"id": ident} if ident else {}), **more}}
    return {**part, "thoughtSignature": "c2ln"} if sign else part


def gres(ident=None, **more):
    return {"functionResponse": {"name": "f", "response": {"output": "ok"}, **({"id": ident} if ident else {}), **more}}


GE_IMG = {"inlineData": {"mimeType": "image/png", "data": PNG}}

ok("text", ge(gu("q"), gm("a"), gu("q"), tools=None, systemInstruction={"parts": [{"text": "s"}]}))
ok("media", ge(gu("q", GE_IMG, {"fileData": {"fileUri": "gs://b/a.pdf", "mimeType": "application/pdf"}}), tools=None))
ok("call", ge(gu("q"), gm(gcall("1")), gu(gres("1"))))
ok("parallel, only first signed", ge(gu("q"), gm(gcall("a"), gcall("b", sign=False)), gu(gres("a"), gres("b"))))
ok("image in result", ge(gu("q"), gm(gcall("1")), gu(gres("1", parts=[GE_IMG]))))
ok(
    "error result, two steps",
    ge(gu("q"), gm(gcall("1")), gu(gres("1", response={"error": "no"})), gm(gcall("2")), gu(gres("2"))),
)
ok(
    "thoughts and signed empty text",
    ge(
        gu("q"),
        gm({"text": "hm", "thought": True}, "a", {"text": "", "thoughtSignature": "c2ln"}),
        gu("q"),
        tools=None,
        generationConfig={"temperature": 1, "maxOutputTokens": 9, "thinkingConfig": {"includeThoughts": True}},
    ),
)
ok(
    "documented dummy signature",
    ge(gu("q"), gm({**gcall("1", sign=False), "thoughtSignature": "skip_thought_signature_validator"}), gu(gres("1"))),
)
ok("generation 2 without signatures", ge(gu("q"), gm(gcall(sign=False)), gu(gres())), generation=2)
ok("old unsigned turn", ge(gu("q"), gm(gcall("1", sign=False)), gu(gres("1")), gm("a"), gu("q2")))
ok(
    "free-form keys stay",
    ge(gu("q"), gm(gcall("1", args={"snake_key": {"inner_key": 1}})), gu(gres("1", response={"some_key": 1}))),
)

bad("type", ge(gu({"text": "q", "bogus": 1}), tools=None))
bad("type", ge({"role": "user", "content": "q"}, tools=None))
bad("type", ge(gu("q"), gm(gcall("1", args="{}")), gu(gres("1"))))
bad("type", ge(gu({"inlineData": {"mimeType": "image/png", "data": "@@@"}}), tools=None))
bad("type", ge(gu("q"), tools=None, generationConfig={"temperature": "hot"}))
bad("type", ge(gu("q"), gm(gcall("1")), gu(gres("1", response="ok"))))
bad("json", ge(gu("q"), tools=None, generationConfig={"temperature": float("nan")}))
bad("enum.unknown", ge(gu("q"), toolConfig={"functionCallingConfig": {"mode": "REQUIRED"}}))
bad("contents.empty", ge(tools=None))
bad("key.unknown", ge(gu("q"), tools=None, messages=[]))
bad("role.bad", ge(gu("q"), {"role": "assistant", "parts": [{"text": "a"}]}, gu("q"), tools=None))
bad("parts.empty", ge({"role": "user", "parts": []}, tools=None))
bad("part.oneof", ge(gu({"text": "q", **GE_IMG}), tools=None))
bad("part.oneof", ge(gu({}), tools=None))
bad("call.role", ge(gu("q"), gu(gcall("1")), gu(gres("1"))))
bad("call.first", ge(gm(gcall("1")), gu(gres("1"))))
bad("call.first", ge(gu("q"), gm("a"), gm(gcall("1")), gu(gres("1"))))
bad("call.name", ge(gu("q"), gm(gcall("1", name="1f")), gu(gres("1", name="1f"))))
bad("call.partial", ge(gu("q"), gm(gcall("1", willContinue=True)), gu(gres("1"))))
bad("call.unanswered", ge(gu("q"), gm(gcall("1")), gu("never mind")))
bad("response.role", ge(gu("q"), gm(gcall("1")), gm(gres("1"))))
bad("response.orphan", ge(gu("q"), gm("a"), gu(gres("1"))))
bad("response.count", ge(gu("q"), gm(gcall("a"), gcall("b")), gu(gres("a"))))
bad("response.name", ge(gu("q"), gm(gcall("1")), gu(gres("1", name=""))))
bad("response.name", ge(gu("q"), gm(gcall("1")), gu(gres("1", name="g"))))
bad("response.id", ge(gu("q"), gm(gcall("1")), gu(gres("2"))))
bad("response.object", ge(gu("q"), gm(gcall("1")), gu({"functionResponse": {"name": "f", "id": "1"}})))
bad("thought.role", ge(gu({"text": "q", "thought": True}), tools=None))
bad("signature.missing", ge(gu("q"), gm(gcall("1", sign=False)), gu(gres("1"))))
bad("blob.mime", ge(gu({"inlineData": {"data": PNG}}), tools=None))
bad("system.parts", ge(gu("q"), tools=None, systemInstruction={"parts": [GE_IMG]}))
flag("key.snake", ge(gu({"inline_data": {"mime_type": "image/png", "data": PNG}}), tools=None))
flag("role.missing", ge({"parts": [{"text": "q"}]}, tools=None))
flag("text.empty", ge(gu("q", ""), tools=None))
flag("response.id-missing", ge(gu("q"), gm(gcall("1")), gu(gres())))
flag("response.mixed", ge(gu("q"), gm(gcall("1")), gu(gres("1"), "and")))
flag("end.model", ge(gu("q"), gm("a"), tools=None))
flag("call.split", ge(gu("q"), gm(gcall("a")), gm(gcall("b")), gu(gres("a"), gres("b"))))
bad("call.unanswered", ge(gu("q"), gm(gcall("a")), gm(gcall("b")), gu(gres("a"), gres("b"))), generation=2)
bad("response.count", ge(gu("q"), gm(gcall("a")), gm(gcall("b")), gu(gres("b"))))
bad("call.first", ge(gu("q"), gm("a"), gm(gcall("1")), gu(gres("1")), gm("b")))
quiet("two steps", ge(gu("q"), gm(gcall("a")), gu(gres("a")), gm(gcall("b")), gu(gres("b"))))
quiet("Vertex's model armor", ge(gu("q"), tools=None, modelArmorConfig={"promptTemplateName": "p"}))
flag("inline.size", ge(gu({"inlineData": {"mimeType": "image/png", "data": "AAAA" * 5_300_000}}), tools=None))
LOW = {"generationConfig": {"thinkingConfig": {"thinkingLevel": "LOW"}}}
bad("model.effort", ge(gu("q"), tools=None, **LOW), model="gemini-2.5-pro")
quiet("a level that the model has", ge(gu("q"), tools=None, **LOW), model="models/gemini-3-pro")
bad("model.sampling", ge(gu("q"), tools=None, generationConfig={"topP": 0.5}), model="gemini-3.7-flash")
quiet("a model with sampling", ge(gu("q"), tools=None, generationConfig={"topP": 0.5}), model="gemini-3-flash")
