"""Bodies of OpenAI's Responses, and of servers that have its form."""

import re
from typing import Any

from .findings import Problem, Report
from .models import check_openai
from .openai_response_items import CALLS, OPENAI_SERVERS, OUTPUTS, as_typed, check_ids, check_parts, kind_of, runs_here
from .openai_tools import check_function, check_tools
from .sdk_types import typed
from .values import check_json, child, each

_FORMS = {("function_call_output", "local_shell_call"), ("function_call_output", "tool_search_call")}
# Items that no model writes, so that none of them is the follower that a reasoning item needs.
_INPUTS = {"configuration_update", "additional_tools", "mcp_approval_response", "compaction_trigger"}
_SERVERS = OPENAI_SERVERS | {"vllm", "deepseek", "openrouter", "compatible"}


def check(payload: Any, *, server: str = "") -> list[Problem]:
    """A `POST /v1/responses` body. `server` names another server of that form: OpenAI's own rules about
    reasoning, ids and namespaces are left out then, and so are settings that OpenAI does not know. Without it
    the model's name decides: `deepseek-…` and `maker/model` are not OpenAI's; any other is judged for both
    OpenAI and Azure."""
    if not server:
        model = str(payload.get("model")) if isinstance(payload, dict) else ""
        server = "deepseek" if model.startswith("deepseek") else "openrouter" if "/" in model else "azure"
    if server not in _SERVERS:
        raise ValueError(f"server {server!r} is none of {', '.join(sorted(_SERVERS))}")
    own = server in OPENAI_SERVERS
    report = Report("openai_responses")
    check_json(report, payload)
    stream = isinstance(payload, dict) and payload.get("stream")
    typed(
        report,
        as_typed(report, payload, server),
        "openai.types.responses.response_create_params",
        "ResponseCreateParamsStreaming" if stream else "ResponseCreateParamsNonStreaming",
    )
    if not isinstance(payload, dict):
        return report.problems
    remote = payload.get("previous_response_id") or payload.get("conversation")
    items = payload.get("input")
    if items in (None, [], "") and not (remote or payload.get("prompt")):
        report.add("input.missing", "input")

    listed = [(i, item, kind_of(item)) for i, item in each(items)]
    outside, added = _outside(payload, listed) if own else (set(), set())
    calls: dict[str, tuple[int, dict, str]] = {}
    shells: dict[Any, str] = {}  # item id of a local_shell_call -> its call_id
    answered: set = set()
    asked: set = set()
    idents: set = set()
    for n, (i, item, kind) in enumerate(listed):
        path, before = f"input[{i}]", listed[n - 1][2] if n else ""
        check_ids(report, item, kind, path, own, idents)
        if kind == "message":
            check_parts(report, item.get("content"), item.get("role"), f"{path}.content")
            if server == "vllm" and item.get("role") == "assistant" and len(list(each(item.get("content")))) > 1:
                report.add("assistant.texts", path)
        elif kind in CALLS and runs_here(item, kind):
            call_id = item.get("call_id")
            if isinstance(call_id, str):
                if call_id in calls:
                    report.add("call.duplicate", path, repr(call_id))
                calls[call_id] = (i, item, kind)
                if kind == "local_shell_call" and isinstance(item.get("id"), str):
                    shells[item["id"]] = call_id
            if kind == "function_call":
                check_function(report, item, path)
                name = str(item.get("name"))
                if name in outside | added and not item.get("namespace"):
                    report.add("call.namespace" if name in outside else "call.namespace-added", path, name)
        elif kind in OUTPUTS and runs_here(item, kind):
            check_parts(report, item.get("output"), "tool", f"{path}.output")
            call_id = _answers(item, kind, calls, shells, answered)
            if call_id is None:
                continue
            if call_id in answered:
                report.add("output.duplicate", path, repr(call_id))
            elif call_id not in calls and not remote:
                report.add("output.orphan", path, repr(call_id))
            elif call_id in calls and CALLS[calls[call_id][2]] != kind and (kind, calls[call_id][2]) not in _FORMS:
                report.add("output.form", path, f"{kind} for {calls[call_id][2]}")
            answered.add(call_id)
        elif kind == "reasoning":
            _reasoning(report, payload, item, listed[n + 1 :], path, server)
        elif kind == "item_reference" and payload.get("store") is False:
            report.add("reasoning.unencrypted", path, "item_reference")
        elif kind == "configuration_update":
            if before == kind:
                report.add("config.adjacent", path)
            if re.search(r"-pro\b", str(payload.get("model"))):
                report.add("config.model", path, str(payload["model"]))
            elif payload.get("truncation") == "auto" or payload.get("context_management"):
                report.add("config.mode", path)
        elif kind == "compaction_trigger" and n + 1 < len(listed):
            report.add("compaction.last", path)
        elif kind == "mcp_approval_request":
            asked.add(str(item.get("id")))
        elif kind == "mcp_approval_response" and not remote and str(item.get("approval_request_id")) not in asked:
            report.add("approval.orphan", path)
    for call_id, (i, item, kind) in calls.items():
        if call_id not in answered and item.get("async") is not True:  # an async call is answered in a later request
            hosted = kind == "shell_call" and _in_container(item, payload)
            report.add("call.hosted" if hosted else "call.unanswered", f"input[{i}]", repr(call_id))
    loaded = any(kind in ("additional_tools", "tool_search_output") and item.get("tools") for _, item, kind in listed)
    check_tools(report, payload, lambda t: t if t.get("type") == "function" else None, loaded=loaded)
    if own:
        check_openai(report, payload, chat=False)
    return report.problems


def _in_container(item: dict, payload: dict) -> bool:
    """True for a shell_call that the provider ran. Without an environment the request's tools say it
    (Azure sends environment null for a tool declared local: agent-framework#8663)."""
    where = child(item, "environment").get("type")
    if where:
        return where == "container_reference"
    return any(
        t.get("type") == "shell" and str(child(t, "environment").get("type")).startswith("container")
        for _, t in each(payload.get("tools"))
    )


def _answers(item: dict, kind: str, calls: dict, shells: dict, answered: set) -> str | None:
    """The call_id that an output answers; None where it names none."""
    ident = item.get("call_id")
    if kind == "local_shell_call_output" and not isinstance(ident, str):
        ident = item.get("id")
        if isinstance(ident, str) and ident not in calls:
            ident = shells.get(ident, ident)
    elif kind == "function_call_output" and ident is None:
        waiting = [
            c for c, (_, x, _) in calls.items() if c not in answered and item.get("name") in (None, x.get("name"))
        ]
        ident = waiting[0] if len(waiting) == 1 else None
    return ident if isinstance(ident, str) else None


def _outside(payload: dict, listed: list) -> tuple[set, set]:
    """Names of functions that this request declares only outside the default namespace: deferred, loaded by a
    tool search or in a namespace; and those of additional_tools."""
    plain: set = set()
    outside: set = set()
    added: set = set()

    def declare(tools: Any, top: set) -> None:
        for _, t in each(tools):
            if t.get("type") == "namespace":
                outside.update(str(x.get("name")) for _, x in each(t.get("tools")))
            elif isinstance(t.get("name"), str):
                (outside if t.get("defer_loading") else top).add(t["name"])

    declare(payload.get("tools"), plain)
    for _, item, kind in listed:
        if kind in ("additional_tools", "tool_search_output"):
            declare(item.get("tools"), added if kind == "additional_tools" else outside)
    return outside - plain, added - outside - plain


def _reasoning(report: Report, payload: dict, item: dict, after: list, path: str, server: str) -> None:
    own = server in OPENAI_SERVERS
    if server == "vllm" and item.get("encrypted_content"):
        report.add("reasoning.encrypted", path)
    if not own:
        return
    if payload.get("store") is False and not item.get("encrypted_content"):
        report.add("reasoning.unencrypted", path)
    if item.get("content"):
        report.add("reasoning.content", f"{path}.content")
    if item.get("status") is not None:
        report.add("reasoning.status", f"{path}.status")
    follower = next(((x, kind) for _, x, kind in after if kind != "reasoning"), None)
    produced = follower is not None and (
        follower[0].get("role") == "assistant"
        if follower[1] == "message"
        else not follower[1].endswith("_output") and follower[1] not in _INPUTS
    )
    if item.get("id") and not produced:
        report.add("reasoning.alone", path)
    elif item.get("id") and follower and not follower[0].get("id"):
        report.add("reasoning.follower" if follower[1] == "message" else "reasoning.follower-call", path)
    elif produced and follower and not item.get("id") and follower[0].get("id"):
        report.add("reasoning.linked", path)
