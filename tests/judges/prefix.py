"""A simulator of Anthropic's documented check that thinking blocks stand behind the prefix they were made with.

    made = server(body, reply)          # the reply with signatures, or the error of status 400
    for seen in check(exchanges): ...   # the stale blocks of each request, and where their prefix first differs

`docs/contributing/thinking.md` says what is compared and what is not, with sources.
"""

import base64
import copy
import hashlib
import hmac
import json
from collections import namedtuple

KEY = b"simulator"
URLS = {}  # what stands behind a URL, where a test says so
CHECKED = (
    "claude-fable-5-1",
    "claude-fable-5-2",
    "claude-mythos-5-2",
    "claude-opus-5-5",
    "claude-sonnet-5-5",
    "claude-haiku-5-5",
)
RECORDS = (*CHECKED, "claude-mythos-5-1")  # Mythos 5.1 signs the prefix and does not check it
BOUND_TO_ACCOUNT = ("claude-sonnet-5-5", "claude-haiku-5-5")
READS = {  # reader: makers whose thinking it reads, beside its own
    "claude-fable-5-1": ("claude-opus-5", "claude-opus-5-5", "claude-fable-5"),
    "claude-mythos-5-1": ("claude-opus-5", "claude-opus-5-5", "claude-fable-5"),
    "claude-opus-5-5": ("claude-opus-5",),
    "claude-sonnet-5-5": ("claude-sonnet-5", "claude-opus-4-8", "claude-haiku-5-5", "claude-haiku-4-5"),
}
THINKING = ("thinking", "redacted_thinking")
REFUSAL = (
    "{path}: Invalid `signature` in `thinking` block. The block is bound to a different conversation. "
    'Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block". {detail}'
)
MODIFIED = (
    "{path}: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. {detail}"
)
# The reason is one of `input_transformations`, or `thinking_modified`.
Fault = namedtuple("Fault", "path reason detail signature")
Answer = namedtuple("Answer", "status content error faults")


def canon(value):
    """A value without what the check leaves out: cache marks, key order, `1` or `1.0`, a URL of the same bytes."""
    if isinstance(value, dict):
        if value.get("type") == "url" and value.get("url") in URLS:
            return {"type": "bytes", "data": URLS[value["url"]]}
        return {key: canon(item) for key, item in sorted(value.items()) if key != "cache_control"}
    if isinstance(value, list):
        return [canon(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def blocks(content):
    """Content as (index, block); a string is one text block, and blank text is left out."""
    listed = [{"type": "text", "text": content}] if isinstance(content, str) else content or []
    for index, block in enumerate(listed):
        if block.get("type") == "text":
            block = {**block, "text": block["text"].strip()}
        if block.get("text") != "":
            yield index, block


def referenced(value):
    """Names of the tools that a block shows to the model, in `tool_addition`, a result, or a tool search's result."""
    if isinstance(value, dict):
        if value.get("type") == "tool_reference":
            yield value.get("name") or value.get("tool_name")
        value = [] if value.get("type") == "tool_removal" else list(value.values())
    for item in value if isinstance(value, list) else ():
        yield from referenced(item)


def walk(body):
    """What the check reads, in its order: (path, kind, value) with kind `base`, `part`, `thinking` or `compaction`."""
    tools = {
        tool.get("name") or tool.get("mcp_server_name") or tool["type"]: canon(tool) for tool in body.get("tools") or ()
    }
    hidden = {name: tools.pop(name) for name in list(tools) if tools[name].get("defer_loading")}
    for index, block in blocks(body.get("system")):
        yield f"system.{index}", "base", canon(block)
    for name in sorted(tools):
        yield f"tools.{name}", "base", tools[name]
    for i, message in enumerate(body["messages"]):
        yield f"messages.{i}", "part", canon({key: item for key, item in message.items() if key != "content"})
        for j, block in blocks(message["content"]):
            kind = (
                block["type"] if block["type"] == "compaction" else "thinking" if block["type"] in THINKING else "part"
            )
            yield f"messages.{i}.content.{j}", kind, block if kind != "part" else canon(block)
            for name in referenced(block) if kind == "part" else ():
                if name in hidden:
                    yield f"tools.{name}", "part", hidden.pop(name)


def digest(*values):
    return hashed(json.dumps(values, ensure_ascii=True))


def hashed(text):
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def sign(record):
    text = json.dumps(record, sort_keys=True).encode()
    return base64.b64encode(hmac.new(KEY, text, "sha256").digest()[:12] + text).decode()


def opened(signature):
    """The record in a signature of `sign`, or None where another server made it."""
    try:
        raw = base64.b64decode(signature, validate=True)
        return (
            json.loads(raw[12:])
            if hmac.compare_digest(raw[:12], hmac.new(KEY, raw[12:], "sha256").digest()[:12])
            else None
        )
    except ValueError:
        return None


def judge(body, *, org="org"):
    """The faults of a request, its parts as (path, digest), and the state that a next block is bound to."""
    model, faults, parts, base, tail, last = body.get("model", CHECKED[0]), [], [], "", "", None
    for path, kind, value in walk(body):
        text = "" if kind == "thinking" else json.dumps(value)
        if kind == "base":
            base = hashed(base + text)
        elif kind == "part":
            tail = hashed(tail + text)
        elif kind == "compaction":  # the check restarts here; an on-demand block brings the state that it replaced
            record = opened(value.get("signature") or "") or {
                "tail": digest("compaction", value.get("content")),
                "last": None,
            }
            tail, last, faults, parts = (
                record["tail"],
                record["last"],
                [],
                [p for p in parts if not p[0].startswith("messages")],
            )
        if kind != "thinking":
            parts.append((path, hashed(text)))
            continue
        signature = value.get("signature") or value.get("data") or ""
        record = opened(signature)
        if record is None:
            continue  # not of this simulator
        detail = reason = ""
        if record["org"] != org and record["model"] in BOUND_TO_ACCOUNT:
            reason = "organization_binding_mismatch"
        elif record["model"] not in (model, *READS.get(model, ()), "claude-haiku-5-5"):
            reason = "model_binding_mismatch"
        elif value.get("thinking") and digest(value["thinking"]) != record["text"]:
            reason, detail = "thinking_modified", "Its text is not what was returned."
        elif model in CHECKED and record["model"] in RECORDS:
            if record["base"] != base:
                detail = "The `system` prompt or the `tools` list differs from the one this block was created with."
            elif record["tail"] != tail:
                detail = "A message before it differs from when this block was created."
            elif last is not None and record["last"] != last:
                detail = "The `thinking` block that preceded this one when it was created is missing from this request."
            reason = "prefix_binding_mismatch" if detail else ""
        if reason:
            faults.append(Fault(path, reason, detail, signature))
        if not detail and record["model"] in RECORDS:
            last = digest(signature)
    return faults, parts, {"base": base, "tail": tail, "last": last}


def server(body, reply, *, org="org", enforced=True):
    """What the API would do: 400 at the first stale block, or `reply` (content blocks) with signatures."""
    faults, _, _ = judge(body, org=org)
    setting = ((body.get("thinking") or {}).get("block_binding") or {}).get("prefix_mismatch_behavior")
    bad = [f for f in faults if f.reason == "thinking_modified"]
    if setting == "error" or (setting is None and enforced):
        bad = [f for f in faults if f.reason in ("thinking_modified", "prefix_binding_mismatch")]
    if bad:
        words = MODIFIED if bad[0].reason == "thinking_modified" else REFUSAL
        return Answer(400, [], words.format(path=bad[0].path, detail=bad[0].detail), faults)
    model, content = body.get("model", CHECKED[0]), []
    for block in copy.deepcopy(reply):
        if block["type"] in THINKING:
            turn = [{"role": "assistant", "content": content}]
            _, _, state = judge({**body, "messages": body["messages"] + turn}, org=org)
            made = sign({**state, "model": model, "org": org, "text": digest(block.get("thinking", ""))})
            block["signature" if block["type"] == "thinking" else "data"] = made
        content.append(block)
    return Answer(200, content, "", faults)


def compact(body, summary):
    """An on-demand compaction block for the messages of `body`, as `compact-2026-09-04` signs it."""
    state = judge(body)[2]
    return {"type": "compaction", "content": summary, "signature": sign({"tail": state["tail"], "last": state["last"]})}


def check(exchanges, *, org="org"):
    """The faults of each (body, reply), each with the first place that differs from the request that made it."""
    made, seen = {}, []
    for number, (body, reply) in enumerate(exchanges):
        faults, parts, _ = judge(body, org=org)
        rows = []
        for fault in faults:
            origin, before = made.get(fault.signature, (None, ()))
            pairs = ((new[0], old[0]) for new, old in zip(parts, before, strict=False) if new[1] != old[1])
            place = next(pairs, (None, None))
            rows.append(
                {
                    "path": fault.path,
                    "reason": fault.reason,
                    "detail": fault.detail,
                    "made_by": origin,
                    "differs_at": place[0],
                    "was": place[1],
                }
            )
        seen.append(
            {
                "request": number,
                "stale": rows,
                "answer": 400 if any(r["reason"] == "prefix_binding_mismatch" for r in rows) else 200,
            }
        )
        for block in reply or ():
            if block["type"] in THINKING:
                made.setdefault(block.get("signature") or block.get("data"), (number, parts))
    return seen
