"""Single blocks of Anthropic: their role, text, media and citations."""

from typing import Any

from .findings import Report
from .values import decoded, each, sniffed

_USER_ONLY = {"tool_result", "image", "document", "search_result", "container_upload"}
_ASSISTANT_ONLY = {"tool_use", "thinking", "redacted_thinking", "server_tool_use"}


def check_blocks(report: Report, turns: list, version: str) -> None:
    images = 0
    held = {"document": 0, "search_result": 0}
    cited: list[tuple[str, str, int]] = []
    for role, blocks, _ in turns:
        for path, b in blocks:
            kind = b.get("type")
            _check_text(report, b, path)
            if role == "user" and kind == "text" and b.get("citations") and version >= "2026-10-21":
                report.add("citations.user", path)
            for k, c in each(b.get("citations") if kind == "text" else None):
                at = {key: c.get(f"{key}_index") for key in held}
                cited += [(f"{path}.citations[{k}]", key, n) for key, n in at.items() if isinstance(n, int)]
            if (role == "user" and kind in _ASSISTANT_ONLY) or (role == "assistant" and kind in _USER_ONLY):
                report.add("block.role", path, f"{kind} in {role}")
            if kind in ("thinking", "redacted_thinking") and not b.get("signature" if kind == "thinking" else "data"):
                report.add("thinking.signature", path)
            inner = [(path, b)]
            if kind == "tool_result":
                nested = list(each(b.get("content")))
                if b.get("is_error") and _nothing(b.get("content")):
                    report.add("tool_result.error-empty", path)
                if b.get("is_error") and any(x.get("type") != "text" for _, x in nested):
                    report.add("tool_result.error", path)
                if (
                    b.get("is_error")
                    and isinstance(b.get("content"), str)
                    and b["content"]
                    and not b["content"].strip()
                ):
                    report.add("tool_result.blank", path)
                inner = [(f"{path}.content[{j}]", x) for j, x in nested]
                for where, x in inner:
                    if isinstance(x.get("text"), str) and not x["text"].strip():
                        report.add("tool_result.blank", where)
            for where, x in inner:
                if x.get("type") in ("document", "search_result"):
                    held[x["type"]] += 1
                if x.get("type") in ("image", "document") and isinstance(x.get("source"), dict):
                    images += x["type"] == "image"
                    _check_source(report, x["source"], where)
    if images > 100:
        report.add("image.many", "messages", str(images))
    for path, key, at in cited:
        if at >= held[key]:
            report.add("citations.index", path, f"{key} {at} of {held[key]}")


def _check_source(report: Report, source: dict, path: str) -> None:
    if source.get("type") != "base64" or not isinstance(source.get("data"), str):
        return
    data = decoded(source["data"])
    if data is None:
        report.add("image.base64", f"{path}.source.data", "a data: URL" if source["data"].startswith("data:") else "")
        return
    actual = sniffed(data)
    if actual and actual != source.get("media_type"):
        report.add("image.base64", f"{path}.source", f"bytes are {actual}, declared {source.get('media_type')}")
    if len(source["data"]) > 10 * 1024 * 1024:
        report.add("image.size", f"{path}.source.data")


def _nothing(content: Any) -> bool:
    """True for no content at all: absent, empty, or empty texts only."""
    if isinstance(content, list):
        return all(isinstance(x, dict) and x.get("type") == "text" and not x.get("text") for x in content)
    return content in (None, "")


def _check_text(report: Report, block: dict, path: str) -> None:
    text = block.get("text")
    if block.get("type") == "text" and isinstance(text, str):
        if not text:
            report.add("text.empty", path)
        elif not text.strip():
            report.add("text.blank", path)
