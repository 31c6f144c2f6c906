"""What the packages that own them say about the formats of front ends and traces.

| kind | values | judged by |
|---|---|---|
| `interactions` | a body, steps, a reply, or events of a stream | google-genai's types |
| `otel` | messages, attributes `gen_ai.*`, or a trace in OTLP's JSON | the schema of the semantic conventions |
| `agui` | messages, `RunAgentInput`, or events | ag-ui-protocol's models |
| `ui` | UIMessages, or chunks of their streams | Pydantic AI's types, for AI SDK 6 |
| `model` | ModelMessages | AI SDK 7's types, by hand |

A finding has a level: `error` is a wrong shape, `unknown` a kind or key that the package does not know, `pairing` a
result without its call, or a call without its result.
"""

import json
import warnings
from pathlib import Path

from judges.sdks import imported

HERE = Path(__file__).parent
FREE = {"FunctionResultStepResult", "MCPServerToolResultStepResult", "FunctionResultDeltaResult"}  # any JSON object


def _walk(m, at="$", out=None):
    """Unknown kinds (open unions) and keys that no model lists."""
    out = out or []
    if isinstance(m, imported("pydantic").BaseModel):
        if getattr(m, "is_unknown", False) is True:
            return [*out, ("unknown", at, f"unknown kind {str(m.raw)[:60]}")]
        if type(m).__name__ not in FREE:
            out = out + [("unknown", f"{at}.{k}", "key not in the model") for k in m.__pydantic_extra__ or {}]
        for f in type(m).model_fields:
            out = _walk(getattr(m, f, None), f"{at}.{f}", out)
    elif isinstance(m, (list, tuple)):
        for i, x in enumerate(m):
            out = _walk(x, f"{at}[{i}]", out)
    elif isinstance(m, dict):
        for k, x in m.items():
            out = _walk(x, f"{at}.{k}", out)
    return out


def _model(tp, value, context=None):
    pydantic = imported("pydantic")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the SDKs' own types have deprecated fields, which pydantic reads
        try:
            return _walk(pydantic.TypeAdapter(tp).validate_python(value, context=context))
        except pydantic.ValidationError as error:
            return [("error", ".".join(map(str, one["loc"])), one["msg"]) for one in error.errors()[:8]]


def _pairs(items):
    """Findings about (where, "call" or "result", id), in order: a result answers an open call before it, once."""
    out, opened = [], {}
    for at, what, i in items:
        if what == "call":
            out += [("pairing", at, f"id {i!r} used twice")] if i in opened else []
            opened[i] = at
        elif opened.get(i) is None:
            out.append(("pairing", at, f"result {i!r} without an open call before it"))
        else:
            opened[i] = None
    return out + [("pairing", at, f"call {i!r} unanswered") for i, at in opened.items() if at]


def interactions(v):
    types = imported("google.genai._gaos.types.interactions")
    lenient = imported("google.genai._gaos.utils.serializers").ALLOW_UNKNOWN_UNION_VARIANTS

    leniently = {lenient: True}  # what the SDK itself sets for replies
    if isinstance(v, list) and v and all(isinstance(e, dict) and "event_type" in e for e in v):
        # The start of a server tool's step comes without arguments or result.
        return _model(list[types.InteractionSSEEvent], v, leniently)
    if isinstance(v, dict) and "status" in v:
        out, steps, tail = _model(types.Interaction, v, leniently), v.get("steps") or [], True
    elif isinstance(v, dict) and v.get("type") is None:
        body = {"model": "gemini-3.8-flash", **v} if "agent" not in v else v
        out = _model(types.CreateAgentInteraction if "agent" in v else types.CreateModelInteraction, body)
        steps, tail = v.get("input"), bool(v.get("previous_interaction_id"))
    else:
        out, steps, tail = _model(types.InteractionsInput, v), v, False
    items, steps = [], steps if isinstance(steps, list) else []
    for n, s in enumerate(steps):
        t = s.get("type", "") if isinstance(s, dict) else ""
        if t.endswith("_call"):
            items.append((f"$[{n}]", "call", s.get("id")))
        elif t.endswith("_result"):
            items.append((f"$[{n}]", "result", s.get("call_id")))
        elif t == "user_input" and any(c.get("type") == "function_result" for c in s.get("content") or []):
            out.append(
                ("unknown", f"$[{n}]", "function_result inside user_input (AI SDK's form, not in Google's types)")
            )
    found = _pairs(items)
    return out + [p for p in found if not (tail and ("without an open" in p[2] or "unanswered" in p[2]))]


OTEL_SCHEMA = json.loads((HERE / "otel_schema.json").read_text(encoding="utf-8"))
OTEL_KEYS = {
    "gen_ai.input.messages": "InputMessages",
    "gen_ai.output.messages": "OutputMessages",
    "gen_ai.system_instructions": "SystemInstructions",
    "gen_ai.tool.definitions": "ToolDefinitions",
}
OLD_PARTS = {
    "function_call",
    "function_call_output",
    "thinking",
    "image-url",
    "audio-url",
    "video-url",
    "document-url",
    "binary",
    "tool-call",
    "tool_result",
    "tool_use",
}


def _otel(name, v):
    jsonschema = imported("jsonschema")

    # In the published schemas, a broken known part passes as a generic one. Here it must meet its own definition.
    defs = OTEL_SCHEMA["$defs"]
    out = [
        ("error", ".".join(map(str, e.absolute_path)), e.message[:160])
        for e in jsonschema.Draft202012Validator({**OTEL_SCHEMA, "$ref": f"#/$defs/{name}"}).iter_errors(v)
    ]
    if out or name == "ToolDefinitions":
        return out
    items = []
    for n, m in enumerate(v):
        for k, p in enumerate([m] if name == "SystemInstructions" else m["parts"]):
            at, d = f"$[{n}].parts[{k}]", OTEL_SCHEMA["x-parts"].get(p["type"])
            if d is None:
                sort = "older or foreign spelling" if p["type"] in OLD_PARTS else "generic"
                out.append(("unknown", at, f"part type {p['type']!r} ({sort})"))
                continue
            out += [
                ("error", at, e.message[:160])
                for e in jsonschema.Draft202012Validator({**OTEL_SCHEMA, "$ref": f"#/$defs/{d}"}).iter_errors(p)
            ]
            out += [("unknown", f"{at}.{x}", "key not in the schema") for x in p if x not in defs[d]["properties"]]
            if p["type"] in ("tool_call", "tool_call_response") and p.get("id"):
                items.append((at, "call" if p["type"] == "tool_call" else "result", p["id"]))
    found = _pairs(items) if name == "InputMessages" else []
    return out + [p for p in found if "unanswered" not in p[2]]


def _plain(v):
    """OTLP AnyValue -> plain JSON."""
    ((k, x),) = v.items()
    if k == "arrayValue":
        return [_plain(y) for y in x.get("values", [])]
    if k == "kvlistValue":
        return {y["key"]: _plain(y["value"]) for y in x.get("values", [])}
    return int(x) if k == "intValue" else x


def attributes(v):
    """Every {gen_ai.*: value} found in a tree: OTLP spans, events, log records, or a plain attributes dict."""
    if isinstance(v, dict):
        a = v.get("attributes")
        if isinstance(a, list):
            a = {x["key"]: _plain(x["value"]) for x in a if "value" in x}
        if isinstance(a, dict):
            yield a
        for k, x in v.items():
            if k != "attributes":
                yield from attributes(x)
    elif isinstance(v, list):
        for x in v:
            yield from attributes(x)


def otel(v):
    if isinstance(v, list):
        return _otel(
            "OutputMessages" if any("finish_reason" in m for m in v if isinstance(m, dict)) else "InputMessages", v
        )
    if not any(k in v for k in OTEL_KEYS):
        return trace(v)
    out = []
    for key, name in OTEL_KEYS.items():
        if key in v:
            x = v[key]
            try:
                out += [
                    (level, f"{key}: {at}", what)
                    for level, at, what in _otel(name, json.loads(x) if isinstance(x, str) else x)
                ]
            except ValueError as e:
                out.append(("error", key, f"not JSON: {e}"))
    return out


def trace(v):
    found = [a for a in attributes(v) if any(k in a for k in OTEL_KEYS)]
    return [r for a in found for r in otel(a)] if found else [("error", "$", "no gen_ai messages found")]


def agui(v):
    core = imported("ag_ui.core")

    if isinstance(v, dict):
        out, msgs = _model(core.RunAgentInput, v), v.get("messages", [])
    elif v and all(str(e.get("type", "")).isupper() for e in v):
        return _model(list[core.Event], v)
    else:
        out, msgs = _model(list[core.Message], v), v
    items, seen = [], set()
    for n, m in enumerate(msgs):
        if m.get("id") in seen:
            out.append(("pairing", f"$[{n}]", f"message id {m.get('id')!r} used twice"))
        seen.add(m.get("id"))
        items += [(f"$[{n}]", "call", c.get("id")) for c in m.get("toolCalls") or m.get("tool_calls") or []]
        if m.get("role") == "tool":
            items.append((f"$[{n}]", "result", m.get("toolCallId") or m.get("tool_call_id")))
    return out + _pairs(items)


def ui(v):
    response_types = imported("pydantic_ai.ui.vercel_ai.response_types")
    message_type = imported("pydantic_ai.ui.vercel_ai.request_types").UIMessage

    if v and all("type" in e and "role" not in e for e in v):
        chunks = [
            c
            for c in vars(response_types).values()
            if isinstance(c, type) and issubclass(c, response_types.BaseChunk) and c is not response_types.BaseChunk
        ]
        return _model(list[tuple(chunks)], v)

    # Pydantic AI has the types of AI SDK 6. What version 7 added is set aside, because its models forbid other keys.
    def v6(p):
        return {
            k: (
                {a: b for a, b in x.items() if a not in ("isAutomatic", "signature")}
                if k == "approval" and isinstance(x, dict)
                else x
            )
            for k, x in p.items()
            if k not in ("providerReference", "resultProviderMetadata", "toolMetadata")
        }

    return _model(
        list[message_type],
        [
            {**m, "parts": [v6(p) for p in m.get("parts", []) if p.get("type") not in ("custom", "reasoning-file")]}
            for m in v
        ],
    )


MODEL = {
    "text": {"text": str},
    "reasoning": {"text": str},
    "file": {"mediaType": str, "data": object},
    "image": {"image": object},
    "custom": {"kind": str},
    "reasoning-file": {"data": object, "mediaType": str},
    "tool-call": {"toolCallId": str, "toolName": str, "input": object},
    "tool-result": {"toolCallId": str, "toolName": str, "output": dict},
    "tool-approval-request": {"approvalId": str, "toolCallId": str},
    "tool-approval-response": {"approvalId": str, "approved": bool},
}
ROLE = {
    "system": set(),
    "user": {"text", "image", "file"},
    "tool": {"tool-result", "tool-approval-response"},
    "assistant": {
        "text",
        "file",
        "custom",
        "reasoning",
        "reasoning-file",
        "tool-call",
        "tool-result",
        "tool-approval-request",
    },
}
OUTPUT = {"text", "json", "error-text", "error-json", "content", "execution-denied"}


def model(v):
    out, items = [], []
    for n, m in enumerate(v):
        role, content = m.get("role"), m.get("content")
        if isinstance(content, str) and role in ("system", "user", "assistant"):
            continue
        if role not in ROLE or not isinstance(content, list):
            out.append(("error", f"$[{n}]", f"role {role!r}, content {type(content).__name__}"))
            continue
        for k, p in enumerate(content):
            at, t = f"$[{n}].content[{k}]", p.get("type")
            if t not in ROLE[role]:
                out.append(("error", at, f"{t!r} in a {role} message"))
                continue
            out += [
                ("error", at, f"needs {x}")
                for x, tp in MODEL[t].items()
                if not isinstance(p.get(x), tp) or (tp is object and x not in p)
            ]
            if t == "tool-result" and p.get("output", {}).get("type") not in OUTPUT:
                out.append(("error", at, "output.type"))
            if t in ("tool-call", "tool-result"):
                items.append((at, "call" if t == "tool-call" else "result", p.get("toolCallId")))
    return out + _pairs(items)


KINDS = {"interactions": interactions, "otel": otel, "trace": trace, "agui": agui, "ui": ui, "model": model}


def check(kind, value):
    try:
        return KINDS[kind](value)
    except (TypeError, AttributeError, KeyError, ValueError) as e:
        return [("error", "$", f"not of this form: {type(e).__name__}: {e}")]
