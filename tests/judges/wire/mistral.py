"""Bodies of Mistral's chat."""

import re
from typing import Any

from judges.sdks import imported

from .findings import Problem, Report
from .sdk_types import model_extras, report_validation
from .values import check_json, each, image_url_problem, parsed


def check(payload: Any, *, tokenizer: str = "v13", oldest: str = "1.12.0") -> list[Problem]:
    """A `POST /v1/chat/completions` body for Mistral. `tokenizer` picks the vendor's rule set. `oldest` is the
    oldest mistral_common that must take it too ("1.11.0" or "1.11.7"; servers keep old ones for long): what those
    refuse is known by rule, so one installed version judges for all."""
    pydantic = imported("pydantic")

    until = tuple(int(n) for n in oldest.split("."))

    report = Report("mistral")
    check_json(report, payload)
    models = imported("mistralai.client.models")
    if not isinstance(payload, dict):
        report.add("type", "", "the body is not an object")
        return report.problems
    try:
        models.ChatCompletionRequest.model_validate(payload)
        model_extras(
            report,
            models.ChatCompletionRequest,
            payload,
            "",
            lambda model, key: key.startswith("-") or model.__name__ == "UsageInfo",
        )
    except pydantic.ValidationError as exc:
        report_validation(report, payload, exc)
    except ValueError as exc:  # the SDK's own discriminator code
        report.add("type", "", str(exc))

    chunks = imported("mistralai.client.models.contentchunk")._CONTENT_CHUNK_VARIANTS
    pending: set = set()
    previous = None
    for i, m in each(payload.get("messages")):
        path, role = f"messages[{i}]", m.get("role")
        for j, part in each(m.get("content")):
            # The SDK's union turns any chunk it cannot parse into UnknownContentChunk, without an error.
            chunk = chunks.get(part.get("type")) if isinstance(part.get("type"), str) else None
            if chunk is None:
                report.add("chunk.unknown", f"{path}.content[{j}]", repr(part.get("type")))
            else:
                try:
                    chunk.model_validate(part)
                except pydantic.ValidationError as exc:
                    report_validation(report, part, exc, f"{path}.content[{j}]")
            if part.get("type") == "image_url":
                url = part.get("image_url")
                why = image_url_problem(url.get("url") if isinstance(url, dict) else url)
                if why:
                    report.add("image.url", f"{path}.content[{j}]", why)
        if role == "tool":
            if not m.get("tool_call_id"):
                report.add("tool.id-missing", path)
            elif m["tool_call_id"] not in pending:
                report.add("tool.orphan", path, repr(m["tool_call_id"]))
        if role == "user" and previous == "tool":
            report.add("old.user-after-tool" if until <= (1, 11, 0) else "user-after-tool", path)
        if (
            role == "tool"
            and until <= (1, 11, 0)
            and any(p.get("type") == "image_url" for _, p in each(m.get("content")))
        ):
            report.add("old.tool-image", path)
        if role == "assistant":
            pending = set()
            for j, call in each(m.get("tool_calls")):
                where = f"{path}.tool_calls[{j}]"
                ident = call.get("id")
                pending.add(ident)
                if isinstance(ident, str) and not re.fullmatch(r"[a-zA-Z0-9]{9}", ident):
                    old = until <= (1, 11, 7) and tokenizer not in ("v1", "v2")
                    report.add("old.call-id" if old else "call-id.nine", where, repr(ident))
                args = (call.get("function") or {}).get("arguments") if isinstance(call.get("function"), dict) else None
                if isinstance(args, str) and not isinstance(parsed(args), dict):
                    report.add("arguments.not-object", where)
        previous = role
    _vendor(report, payload, tokenizer)
    return report.problems


def _dialect(message: Any) -> Any:
    """Where mistral_common is narrower than the public API: thinking is one string; hosted files,
    documents and references do not exist (stand-in text keeps the turn structure); and a tool call
    has no `index`, which the official client always sends."""
    if not isinstance(message, dict):
        return message
    out = dict(message)
    if isinstance(out.get("content"), list):
        out["content"] = [_chunk(p) for p in out["content"]]
    if isinstance(out.get("tool_calls"), list):
        out["tool_calls"] = [
            {k: v for k, v in c.items() if k != "index"} if isinstance(c, dict) else c for c in out["tool_calls"]
        ]
    return out


def _chunk(part: Any) -> Any:
    if not isinstance(part, dict):
        return part
    if part.get("type") == "thinking" and isinstance(part.get("thinking"), list):
        words = "".join(t["text"] for _, t in each(part["thinking"]) if isinstance(t.get("text"), str))
        return {"type": "thinking", "thinking": words, "closed": part.get("closed") is not False}
    if part.get("type") in ("document_url", "file", "reference", "resource", "resource_link"):
        return {"type": "text", "text": f"<{part['type']}>"}
    return part


def _vendor(report: Report, payload: dict, tokenizer: str) -> None:
    """Hand the conversation to Mistral's own open-source validator, in serving mode."""
    request = imported("mistral_common.protocol.instruct.request")
    validator = imported("mistral_common.protocol.instruct.validator")
    versions = imported("mistral_common.tokens.tokenizers.base").TokenizerVersion
    body = {k: payload[k] for k in ("model", "messages", "tools", "tool_choice") if payload.get(k) is not None}
    if isinstance(body.get("messages"), list):
        body["messages"] = [_dialect(m) for m in body["messages"]]
    if body.get("tool_choice") == "required" or isinstance(body.get("tool_choice"), dict):
        body.pop("tool_choice")
    try:
        request_body = request.ChatCompletionRequest.model_validate(body)
        validator.get_validator(versions(tokenizer), validator.ValidationMode.serving).validate_request(request_body)
    except Exception as exc:
        report.add("vendor", "", f"{type(exc).__name__}: {str(exc).splitlines()[0]}")
