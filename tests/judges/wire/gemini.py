"""Bodies of Gemini's generateContent."""

import json
import re
import warnings
from typing import Any

from judges.sdks import imported

from .findings import Problem, Report
from .models import check_gemini
from .sdk_types import report_validation
from .values import check_json, each

_FIELDS = {
    "contents",
    "systemInstruction",
    "tools",
    "toolConfig",
    "generationConfig",
    "safetySettings",
    "cachedContent",
    "labels",
    "model",
    "store",
    "serviceTier",
    "modelArmorConfig",
}
_DATA = (
    "text",
    "inlineData",
    "fileData",
    "functionCall",
    "functionResponse",
    "executableCode",
    "codeExecutionResult",
    "toolCall",
    "toolResponse",
)
_FREE = {
    "args",
    "response",
    "parameters",
    "parametersJsonSchema",
    "responseSchema",
    "responseJsonSchema",
    "partMetadata",
    "labels",
}
_SNAKE = re.compile(r"_([a-z])")


def _camel(value: Any, found: list[str]) -> Any:
    """camelCase the protocol keys (never the free-form args/response objects)."""
    if isinstance(value, list):
        return [_camel(v, found) for v in value]
    if not isinstance(value, dict):
        return value
    out = {}
    for key, item in value.items():
        new = _SNAKE.sub(lambda m: m[1].upper(), key) if isinstance(key, str) else key
        if new != key:
            found.append(str(key))
        out[new] = item if new in _FREE else _camel(item, found)
    return out


def check(payload: Any, *, generation: int = 3, model: str = "") -> list[Problem]:
    """A `POST .../models/{model}:generateContent` body. Without `model` the rules about single models are left out."""
    report = Report("gemini")
    check_json(report, payload)
    if not isinstance(payload, dict):
        report.add("type", "", "the body is not an object")
        return report.problems
    snake: list[str] = []
    body = _camel(payload, snake)
    if snake:
        report.add("key.snake", "", ", ".join(sorted(set(snake))))
    for key in body:
        if key not in _FIELDS:
            report.add("key.unknown", key)
    _types(report, body)

    contents = body.get("contents")
    if isinstance(contents, dict):
        contents = [contents]
    if not contents:
        report.add("contents.empty", "contents")
    listed = list(each(contents))
    turns = _turns(report, listed, generation)
    inline = 0
    for i, c in listed:
        path, role = f"contents[{i}]", c.get("role")
        if role is None:
            report.add("role.missing", path)
        elif role not in ("user", "model"):
            report.add("role.bad", f"{path}.role", repr(role))
        parts = list(each(c.get("parts")))
        if not parts:
            report.add("parts.empty", path)
        for j, p in parts:
            inline += _part(report, p, role or "user", f"{path}.parts[{j}]")
    for n, (i, _) in enumerate(turns):
        _pairs(report, turns, n, f"contents[{i}]")
    if inline > 20 * 1024 * 1024:
        report.add("inline.size", "contents", f"{inline} characters")
    if listed and listed[-1][1].get("role") == "model":
        report.add("end.model", f"contents[{listed[-1][0]}]")
    if generation >= 3:
        _signatures(report, listed)
    system = body.get("systemInstruction")
    if isinstance(system, dict):
        for j, p in each(system.get("parts")):
            if set(p) - {"text", "thought"} or not p.get("text"):
                report.add("system.parts", f"systemInstruction.parts[{j}]")
    check_gemini(report, body, model)
    return report.problems


def _types(report: Report, body: dict) -> None:
    pydantic = imported("pydantic")

    g = imported("google.genai.types")
    jobs: list[tuple[str, Any, Any]] = []
    for key, tp in (("contents", g.Content), ("tools", g.Tool), ("safetySettings", g.SafetySetting)):
        value = body.get(key)
        if isinstance(value, list):
            jobs += [(f"{key}[{i}]", tp, v) for i, v in enumerate(value)]
        elif value is not None:
            jobs.append((key, tp, value))
    for key, tp in (
        ("systemInstruction", g.Content),
        ("toolConfig", g.ToolConfig),
        ("generationConfig", g.GenerationConfig),
    ):
        if body.get(key) is not None:
            jobs.append((key, tp, body[key]))
    for path, tp, value in jobs:
        try:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                tp.model_validate_json(json.dumps(value, default=str), strict=True)
            for w in caught:
                if "is not a valid" in str(w.message):
                    report.add("enum.unknown", path, str(w.message))
        except pydantic.ValidationError as exc:
            report_validation(report, value, exc, path)


def _part(report: Report, p: dict, role: str, path: str) -> int:
    """Checks one part; returns the size of its inline data."""
    present = [k for k in _DATA if p.get(k) is not None]
    if len(present) != 1:
        report.add("part.oneof", path, ", ".join(present) or "none set")
    if p.get("text") == "" and not p.get("thoughtSignature"):
        report.add("text.empty", path)
    if p.get("thought") and role != "model":
        report.add("thought.role", path)
    call, resp, size = p.get("functionCall"), p.get("functionResponse"), 0
    if isinstance(call, dict):
        if role != "model":
            report.add("call.role", path)
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.:-]{0,127}", str(call.get("name") or "")):
            report.add("call.name", f"{path}.functionCall.name", repr(call.get("name")))
        if call.get("partialArgs") is not None or call.get("willContinue") is not None:
            report.add("call.partial", path)
    blobs = [(path, p)]
    if isinstance(resp, dict):
        if role != "user":
            report.add("response.role", path)
        if not resp.get("name"):
            report.add("response.name", path)
        if not isinstance(resp.get("response"), dict):
            report.add("response.object", path)
        blobs = [(f"{path}.functionResponse.parts[{k}]", x) for k, x in each(resp.get("parts"))]
    for where, holder in blobs:
        blob = holder.get("inlineData")
        if isinstance(blob, dict):
            size += len(blob.get("data") or "") if isinstance(blob.get("data"), str) else 0
            if not blob.get("mimeType") or not blob.get("data"):
                report.add("blob.mime", where)
    return size


def _of(content: dict, key: str) -> list[dict]:
    return [p[key] for _, p in each(content.get("parts")) if isinstance(p.get(key), dict)]


def _turns(report: Report, listed: list, generation: int) -> list:
    """The contents, calls that follow one another in model contents joined into one turn (Gemini 3)."""
    turns: list[tuple[int, dict]] = []
    for i, c in listed:
        last = turns[-1][1] if turns else {}
        if (
            generation >= 3
            and c.get("role") == last.get("role") == "model"
            and _of(c, "functionCall")
            and _of(last, "functionCall")
        ):
            report.add("call.split", f"contents[{i}]")
            turns[-1] = (turns[-1][0], {**last, "parts": last["parts"] + c["parts"]})
        else:
            turns.append((i, c))
    return turns


def _pairs(report: Report, listed: list, n: int, path: str) -> None:
    content = listed[n][1]
    before = listed[n - 1][1] if n else None
    calls, responses = _of(content, "functionCall"), _of(content, "functionResponse")
    if calls:
        if before is None or before.get("role", "user") != "user":
            report.add("call.first", path)
        if n + 1 >= len(listed) or not _of(listed[n + 1][1], "functionResponse"):
            report.add("call.unanswered", path)
    if responses:
        if len(responses) != len(list(each(content.get("parts")))):
            report.add("response.mixed", path)
        asked = _of(before, "functionCall") if before else []
        if not asked:
            report.add("response.orphan", path)
            return
        if len(asked) != len(responses):
            report.add("response.count", path, f"{len(responses)} for {len(asked)}")
        open_calls = list(asked)
        for resp in responses:
            ident, name = resp.get("id"), resp.get("name")
            match = next((c for c in open_calls if (c.get("id") == ident if ident else c.get("name") == name)), None)
            if match is None:
                report.add("response.id" if ident else "response.name", path, repr(ident or name))
                continue
            open_calls.remove(match)
            if ident and name and match.get("name") != name:
                report.add("response.name", path, f"{name!r} answers {match.get('name')!r}")
            if not ident and match.get("id"):
                report.add("response.id-missing", path, repr(match["id"]))


def _signatures(report: Report, listed: list) -> None:
    """Current turn = everything after the last user content that is not only function responses."""
    start = 0
    for n, (_, c) in enumerate(listed):
        ordinary = any("functionResponse" not in p for _, p in each(c.get("parts")))
        if c.get("role", "user") == "user" and ordinary and not _of(c, "functionResponse"):
            start = n
    for i, c in listed[start:]:
        first = next(((j, p) for j, p in each(c.get("parts")) if isinstance(p.get("functionCall"), dict)), None)
        if c.get("role") == "model" and first and not first[1].get("thoughtSignature"):
            report.add("signature.missing", f"contents[{i}].parts[{first[0]}]")
