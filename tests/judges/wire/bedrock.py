"""Bodies of Bedrock's Converse."""

import math
import re
from functools import lru_cache
from typing import Any

from judges.sdks import imported

from .findings import Problem, Report
from .models import check_bedrock
from .values import check_json, child, decoded, each


@lru_cache(maxsize=1)
def _converse_shape() -> Any:
    session = imported("botocore.session").get_session()
    return session.get_service_model("bedrock-runtime").operation_model("Converse").input_shape


def check(payload: Any, *, blobs: str = "base64", model: str = "") -> list[Problem]:
    """A Converse request: the JSON body (`blobs="base64"`) or boto3 keywords (`blobs="raw"`). The JSON body
    does not name the model: without `model` (or `modelId`) the rules about single models are left out."""
    report = Report("bedrock")
    check_json(report, payload, allow_bytes=blobs == "raw")
    if not isinstance(payload, dict):
        report.add("type", "", "the body is not an object")
        return report.problems
    shape = _converse_shape()
    params = _blobs(report, shape, {"modelId": "model", **payload}, "", blobs)
    seen = imported("botocore.validate").ParamValidator().validate(params, shape)
    if seen.has_errors():
        for line in seen.generate_report().splitlines():
            report.add("type", "", line)
    _constraints(report, shape, params, "")
    model = model or str(payload.get("modelId") or "")

    msgs = list(each(params.get("messages")))
    if not msgs:
        report.add("messages.empty", "messages")
    if msgs and msgs[0][1].get("role") != "user":
        report.add("first-role", "messages[0]")
    names: set = set()
    uses_tools = False
    turns = [(i, m) for i, m in msgs if m.get("role") != "system"]
    if len(turns) != len(msgs):
        report.add("system.role", "messages")
    for n, (i, m) in enumerate(turns):
        path, role = f"messages[{i}]", m.get("role")
        blocks = list(each(m.get("content")))
        if n and turns[n - 1][1].get("role") == role:
            report.add("alternate", path, f"{role} after {role}")
        if not blocks:
            report.add("content.empty", path)
        for j, b in blocks:
            uses_tools |= "toolUse" in b or "toolResult" in b
            _block(report, b, role, f"{path}.content[{j}]")
            if model:
                _model(report, b, model, f"{path}.content[{j}]")
        _media(report, blocks, path, names)
        before = [b for _, b in each(turns[n - 1][1].get("content"))] if n else []
        after = [b for _, b in each(turns[n + 1][1].get("content"))] if n + 1 < len(turns) else []
        _pairs(report, [b for _, b in blocks], before, after, path)
    if turns and turns[-1][1].get("role") == "assistant":
        report.add("end.assistant", f"messages[{turns[-1][0]}]")
        last = [b for _, b in each(turns[-1][1].get("content"))]
        text = last[-1].get("text") if last else None
        if isinstance(text, str) and text != text.rstrip():
            report.add("end.whitespace", f"messages[{turns[-1][0]}]")
    if uses_tools and not params.get("toolConfig"):
        report.add("toolConfig.missing", "toolConfig")
    config = child(params, "toolConfig")
    specs = [
        t.get("toolSpec", {}).get("name") for _, t in each(config.get("tools")) if isinstance(t.get("toolSpec"), dict)
    ]
    if len(specs) != len(set(specs)):
        report.add("tool.duplicate", "toolConfig.tools")
    for i, b in each(params.get("system")):
        _text(report, b, f"system[{i}]")
    marks = [b for _, m in msgs for _, b in each(m.get("content"))]
    marks += [b for key in (params.get("system"), config.get("tools")) for _, b in each(key)]
    if sum("cachePoint" in b for b in marks) > 4:
        report.add("cache.many", "messages")
    thinking = child(child(params, "additionalModelRequestFields"), "thinking")
    if thinking.get("type") == "enabled" and {"any", "tool"} & set(child(config, "toolChoice")):
        report.add("thinking.toolChoice", "toolConfig.toolChoice")
    check_bedrock(report, params, model)
    return report.problems


def _text(report: Report, b: dict, path: str) -> None:
    if isinstance(b.get("text"), str) and not b["text"].strip():
        report.add("text.white" if re.fullmatch(r"[\r\n]+", b["text"]) else "text.blank", path)


def _model(report: Report, b: dict, model: str, path: str) -> None:
    """What single models refuse, as recorded or reported."""
    claude, nova = "claude" in model, "nova" in model
    result = b.get("toolResult") if isinstance(b.get("toolResult"), dict) else {}
    for block, nested in [(b, False)] + [(x, True) for _, x in each(result.get("content"))]:
        linked = any("s3Location" in child(child(block, k), "source") for k in ("image", "document"))
        if claude and ("video" in block or (linked and not (nested and "document" in block))):
            report.add("model.media", path)
        if nova and nested and ("document" in block or "video" in block):
            report.add("model.media", path)
        if "searchResult" in block and not claude:
            report.add("model.search", path)
    if "redactedContent" in child(b, "reasoningContent") and not claude:
        report.add("model.redacted", path)


def _blobs(report: Report, shape: Any, value: Any, path: str, mode: str) -> Any:
    """Decode wire base64 into bytes, or insist on bytes in boto3 form (boto3 would encode a str again)."""
    kind = shape.type_name
    if kind == "blob":
        if mode == "raw":
            if isinstance(value, str):
                report.add("blob", path, "str given to boto3: it would be base64 encoded a second time")
            return value
        data = decoded(value)
        if data is None:
            report.add("blob", path, "not base64")
        return data if data is not None else b"?"
    if kind == "structure" and isinstance(value, dict) and not shape.is_document_type:
        return {
            k: _blobs(report, shape.members[k], v, f"{path}.{k}" if path else k, mode) if k in shape.members else v
            for k, v in value.items()
        }
    if kind == "list" and isinstance(value, list):
        return [_blobs(report, shape.member, v, f"{path}[{i}]", mode) for i, v in enumerate(value)]
    if kind == "map" and isinstance(value, dict):
        return {k: _blobs(report, shape.value, v, f"{path}.{k}", mode) for k, v in value.items()}
    return value


def _constraints(report: Report, shape: Any, value: Any, path: str) -> None:
    """enum, pattern and max from the service model; botocore's ParamValidator checks none of them."""
    kind, meta = shape.type_name, shape.metadata
    if kind == "structure" and isinstance(value, dict) and not shape.is_document_type:
        for k, v in value.items():
            if k in shape.members:
                _constraints(report, shape.members[k], v, f"{path}.{k}" if path else k)
    elif kind == "list" and isinstance(value, list):
        if "max" in meta and len(value) > meta["max"]:
            report.add("constraint", path, f"{len(value)} items, at most {meta['max']}")
        for i, v in enumerate(value):
            _constraints(report, shape.member, v, f"{path}[{i}]")
    elif kind == "string" and isinstance(value, str):
        if meta.get("enum") and value not in meta["enum"]:
            report.add("constraint", path, f"{value!r} is not one of {', '.join(meta['enum'])}")
        if "max" in meta and len(value) > meta["max"]:
            report.add("constraint", path, f"{len(value)} characters, at most {meta['max']}")
        if meta.get("pattern") and not re.fullmatch(meta["pattern"], value):
            report.add("constraint", path, f"{value!r} does not match {meta['pattern']}")
    elif kind in ("integer", "float", "double", "long") and isinstance(value, (int, float)) and value > _most(meta):
        report.add("constraint", path, f"{value} is above {meta['max']}")


def _most(meta: dict) -> float:
    return meta.get("max", math.inf)


def _block(report: Report, b: dict, role: Any, path: str) -> None:
    kind = next(iter(b), "")
    served = kind == "toolResult" and bool(child(b, "toolResult").get("type"))  # of a tool that the server ran
    if (role == "user" and kind in ("toolUse", "reasoningContent")) or (
        role == "assistant" and kind in ("toolResult", "image", "document", "video", "audio") and not served
    ):
        report.add("block.role", path, f"{kind} in {role}")
    _text(report, b, path)
    if any(
        "searchResultLocation" in child(c, "location") for _, c in each(child(b, "citationsContent").get("citations"))
    ):
        report.add("citations.search", path)
    use, result, reason = b.get("toolUse"), b.get("toolResult"), b.get("reasoningContent")
    if isinstance(use, dict) and not isinstance(use.get("input"), dict):
        report.add("toolUse.input", path)
    if isinstance(result, dict):
        texts = [x.get("text") for _, x in each(result.get("content"))]
        if not any(x != "" for x in texts) and isinstance(result.get("content"), list):
            report.add("toolResult.error-empty" if result.get("status") == "error" else "toolResult.blank", path)
        for k, x in each(result.get("content")):
            if "json" in x and not isinstance(x["json"], dict):
                report.add("toolResult.json", f"{path}.toolResult.content[{k}]", type(x["json"]).__name__)
            if isinstance(x.get("text"), str) and not x["text"].strip():
                report.add("toolResult.blank", f"{path}.toolResult.content[{k}]")
    spoken = reason.get("reasoningText") if isinstance(reason, dict) else None
    if isinstance(spoken, dict) and not spoken.get("signature"):
        report.add("reasoning.signature", path)


def _media(report: Report, blocks: list, path: str, names: set) -> None:
    flat = [b for _, b in blocks]
    flat += [
        x for _, b in blocks if isinstance(b.get("toolResult"), dict) for _, x in each(b["toolResult"].get("content"))
    ]
    images = [b["image"] for b in flat if isinstance(b.get("image"), dict)]
    docs = [b["document"] for b in flat if isinstance(b.get("document"), dict)]

    def size(x: dict) -> int:
        data = x.get("source", {}).get("bytes") if isinstance(x.get("source"), dict) else None
        return len(data) if isinstance(data, (bytes, bytearray)) else 0

    if len(images) > 20 or any(size(x) > 3.75 * 1024 * 1024 for x in images):
        report.add("limit.images", path)
    if len(docs) > 5 or any(size(x) > 4.5 * 1024 * 1024 for x in docs):
        report.add("limit.documents", path)
    for doc in docs:
        name = doc.get("name")
        if isinstance(name, str):
            if not re.fullmatch(r"[A-Za-z0-9\-()\[\]]+(\s[A-Za-z0-9\-()\[\]]+)*", name.replace("_", "-")):
                report.add("document.name", path, repr(name))
            elif "_" in name:
                report.add("document.underscore", path, repr(name))
            if name in names:
                report.add("document.duplicate", path, repr(name))
            names.add(name)
    direct = [b for _, b in blocks if "document" in b]
    if direct and not any("text" in b for _, b in blocks):
        report.add("document.text", path)


def _pairs(report: Report, blocks: list, before: list, after: list, path: str) -> None:
    def ids(bs: list, kind: str) -> list:
        return [
            b[kind].get("toolUseId")
            for b in bs
            if isinstance(b.get(kind), dict) and (kind == "toolResult" or b[kind].get("type") != "server_tool_use")
        ]

    if any(child(b, "toolUse").get("type") == "server_tool_use" for b in blocks):  # its result is in the same message
        served = [
            child(b, "toolUse").get("toolUseId") for b in blocks if child(b, "toolUse").get("type") == "server_tool_use"
        ]
        blocks = [b for b in blocks if "toolResult" not in b or child(b, "toolResult").get("toolUseId") not in served]
    called, results = ids(blocks, "toolUse"), ids(blocks, "toolResult")
    if len(called) != len(set(called)):
        report.add("toolUse.duplicate", path)
    missing = [c for c in called if c not in ids(after, "toolResult")]
    if missing:
        report.add("toolUse.unanswered", path, ", ".join(map(str, missing)))
    for n, ident in enumerate(results):
        if ident not in ids(before, "toolUse"):
            report.add("toolResult.orphan", path, repr(ident))
        elif ident in results[:n]:
            report.add("toolResult.duplicate", path, repr(ident))
    if results and len(results) != len([b for b in blocks if "cachePoint" not in b]):
        report.add("toolResult.mixed", path)
