"""Replies of Responses with tools of groups and calls of their own kind, for clients of other formats: whole, streamed,
and as an agent's loop reads them."""

import json

import pytest
import turnwire as tw
from judges import wire
from turnwire.replies import StreamAssembler, StreamConverter, convert_reply

GO = {"role": "user", "content": "go"}
NOTHING = {"type": "object", "properties": {}}
CLIENTS = (
    "openai",
    "anthropic",
    "gemini",
    "gemini-interactions",
    "bedrock",
    "mistral",
    "cohere",
    "ollama",
    "ag-ui",
    "ai-sdk-ui",
)
TOP = {"type": "function", "name": "a__status", "description": "top", "parameters": NOTHING, "strict": False}
USAGE = {
    "input_tokens": 1,
    "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
    "output_tokens": 1,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 2,
}


def group(name):
    tools = [{"type": "function", "name": "status", "parameters": NOTHING}]
    return {"type": "namespace", "name": name, "description": name, "tools": tools}


def called(key, namespace=None, name="status"):
    item = {"type": "function_call", "id": f"fc_{key}", "call_id": key, "name": name, "arguments": "{}"}
    return {**item, "status": "completed", **({"namespace": namespace} if namespace is not None else {})}


SHELL = {"type": "shell_call", "id": "sh_1", "call_id": "c1", "action": {"commands": ["ls"]}, "status": "completed"}
TWO = [called("c1", "a"), called("c2", "b")]


def reply(*items, **more):
    head = {"id": "resp_1", "object": "response", "created_at": 1, "model": "m", "status": "completed"}
    around = {"parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "error": None, "usage": USAGE}
    return {**head, **around, "incomplete_details": None, "output": list(items), **more}


def stream(whole):
    """The same reply as events."""
    begun = {**whole, "status": "in_progress", "output": [], "usage": None}
    events = [{"type": "response.created", "response": begun}]
    for at, item in enumerate(whole["output"]):
        start = {**item, "status": "in_progress"}
        start |= {"arguments": ""} if "arguments" in item else {}
        events.append({"type": "response.output_item.added", "output_index": at, "item": start})
        if "arguments" in item:
            where = {"item_id": item["id"], "output_index": at}
            events.append({"type": "response.function_call_arguments.delta", **where, "delta": item["arguments"]})
            events.append({"type": "response.function_call_arguments.done", **where, "arguments": item["arguments"]})
        events.append({"type": "response.output_item.done", "output_index": at, "item": item})
    events.append({"type": "response.completed", "response": whole})
    return [{**event, "sequence_number": number} for number, event in enumerate(events)]


def told(receipt):
    return [(one.kind, one.code, one.path) for one in receipt if one.code in ("name", "client_tool")]


def names(whole, client, request=None):
    """The names of the calls that a client gets: from the whole reply, and from its stream."""
    made = convert_reply(whole, client, source="openai-responses", request=request)
    read = tw.parse_reply(made.payload, client)
    converter = StreamConverter(source="openai-responses", target=client, request=request)
    chunks = [out for event in stream(whole) for out in converter.feed(event)] + list(converter.finish())
    assembler = StreamAssembler(client)
    for chunk in chunks:
        assembler.feed(chunk)
    streamed = assembler.finish()
    found = [call.name for call in read.tool_uses]
    assert [call.name for call in streamed.tool_uses] == found
    assert told(made.receipt) == told(converter.receipt)
    return found, told(made.receipt)


@pytest.mark.parametrize("client", CLIENTS)
def test_a_group_is_in_the_name_without_a_request(client):
    entries = [("restated", "name", f"$.output[{at}]") for at in range(2)]
    assert names(reply(*TWO), client) == (["a__status", "b__status"], entries)


@pytest.mark.parametrize("client", CLIENTS)
def test_the_table_of_the_request_names_a_tool_of_a_group(client):
    tools = [TOP, group("a"), group("b")]
    asked = {"model": "m", "input": [GO], "tools": tools}
    sent = tw.prepare([GO], "openai-responses", tools=tools)
    assert sent.payload["tools"] == tools
    whole = reply(*TWO, called("c3", None, "a__status"))
    for request in (asked, sent):
        assert names(whole, client, request)[0] == ["a__status_2", "b__status", "a__status"]


@pytest.mark.parametrize("namespace", ("", "status"))
def test_a_tool_in_no_group_keeps_its_name(namespace):
    assert names(reply(called("c1", namespace)), "openai")[0] == ["status"]


def test_a_loop_gets_one_name_for_each_tool():
    whole = reply(*TWO)
    tools = [TOP, group("a"), group("b")]
    asked = {"model": "m", "input": [GO], "tools": tools}
    for request, first in ((None, "a__status"), (asked, "a__status_2")):
        read = tw.parse_reply(whole, "openai-responses", request=request)
        assert [call.name for call in read.tool_uses] == [first, "b__status"]
        assembler = StreamAssembler("openai-responses", request=request)
        events = [one for event in stream(whole) for one in assembler.feed(event)]
        streamed = assembler.finish()
        assert [call.name for call in streamed.tool_uses] == [first, "b__status"]
        assert [one["content"]["name"] for one in events if one["type"] == "tool_call"] == [first, "b__status"]
        # The turns go back as they came.
        again = tw.Conversation.parse([GO], "openai-responses").extended(streamed).render("openai-responses")
        assert [item["namespace"] for item in again.payload["input"][1:]] == ["a", "b"]


def test_a_loop_of_another_provider_gets_the_same_names():
    tools = [group("a"), group("b")]
    call = {"id": "c1", "type": "function", "function": {"name": "b__status", "arguments": "{}"}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
    chat = {"id": "r", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    asked = {"model": "m", "input": [GO], "tools": tools}
    for request in (asked, tw.prepare(asked, "openai")):
        read = tw.parse_reply(chat, "openai", request=request)
        assert [call.name for call in read.tool_uses] == ["b__status"]
    back = convert_reply(chat, "openai-responses", request=asked).payload["output"][0]
    assert (back["name"], back["namespace"]) == ("status", "b")


@pytest.mark.parametrize("client", CLIENTS)
def test_calls_of_their_own_kind_are_told(client):
    assert names(reply(SHELL), client) == (["shell"], [("restated", "client_tool", "$.output[0]")])


def test_such_calls_are_told_of_no_client_that_has_them():
    whole = reply(SHELL, *TWO)
    made = convert_reply(whole, "openai-responses", source="openai-responses")
    assert (made.payload, told(made.receipt)) == (whole, [])


HOSTED = [{"type": "shell", "environment": {"type": "container_auto"}}]


@pytest.mark.parametrize("client", ("openai", "anthropic", "gemini"))
@pytest.mark.parametrize("said_by", ("reply", "request", "prepared"))
def test_a_shell_that_the_provider_runs_is_no_call(said_by, client):
    out = {"type": "shell_call_output", "id": "sho_1", "call_id": "c1", "status": "completed"}
    out["output"] = [{"stdout": "x", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}]
    body = {"model": "m", "input": [GO], "tools": HOSTED}
    request = {"reply": None, "request": body, "prepared": tw.prepare(body, "openai-responses")}[said_by]
    for items in ([SHELL, out], [SHELL]):
        whole = reply(*items, **({"tools": HOSTED} if said_by == "reply" else {}))
        assert names(whole, client, request)[0] == []
        read = tw.parse_reply(whole, "openai-responses", request=request)
        assembler = StreamAssembler("openai-responses", request=request)
        events = [one for event in stream(whole) for one in assembler.feed(event)]
        streamed = assembler.finish()
        assert [one for one in events if one["type"] == "tool_call"] == []
        assert (list(read.tool_uses), read.finish) == (list(streamed.tool_uses), streamed.finish)
        assert list(read.tool_uses) == []
    local = {**SHELL, "environment": {"type": "local"}}
    assert names(reply(local, tools=HOSTED), client, request)[0] == ["shell"]


def test_arguments_that_do_not_fit_come_after_the_beginning():
    asked = {"model": "m", "input": [GO], "tools": [{"type": "shell"}]}
    head = {"id": "r", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    call = {"index": 0, "id": "c1", "type": "function", "function": {"name": "shell", "arguments": '{"commands":"ls"}'}}
    deltas = [{"role": "assistant", "tool_calls": [call]}, {}]
    chunks = [
        {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None if delta else "tool_calls"}]}
        for delta in deltas
    ]
    converter = StreamConverter(source="openai", target="openai-responses", request=asked)
    events = [event for chunk in chunks for event in converter.feed(chunk)] + list(converter.finish())
    [added] = [event["item"] for event in events if event["type"] == "response.output_item.added"]
    [done] = [event["item"] for event in events if event["type"] == "response.output_item.done"]
    said = "".join(event["delta"] for event in events if event["type"] == "response.function_call_arguments.delta")
    assert (added["type"], added["arguments"]) == ("function_call", "")
    assert said == done["arguments"] == '{"commands":"ls"}'
    assert json.loads(said) == {"commands": "ls"}


#: Claude's tools that the client runs, with a call of each.
CLAUDES = {
    "bash_20250124": ("bash", {"command": "ls é"}),
    "text_editor_20250728": ("str_replace_based_edit_tool", {"command": "view", "path": "/a.py", "view_range": [1, 2]}),
    "memory_20250818": ("memory", {"command": "create", "path": "/memories/a", "file_text": "x"}),
}


def answered(target, calls):
    """A reply of the target's server with these calls."""
    if target == "openai-responses":
        spelled = [{**called(key, name=name), "arguments": json.dumps(args)} for key, name, args in calls]
        return reply(*spelled)
    spelled = [
        {"id": key, "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}
        for key, name, args in calls
    ]
    message = {"role": "assistant", "content": None, "refusal": None, "tool_calls": spelled}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    choice = {"index": 0, "finish_reason": "tool_calls", "message": message, "logprobs": None}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}


def pieces(target, whole):
    """The same reply as events."""
    if target == "openai-responses":
        return stream(whole)
    calls = whole["choices"][0]["message"]["tool_calls"]
    deltas = [{"role": "assistant", "content": None}]
    for at, call in enumerate(calls):
        args = call["function"]["arguments"]
        deltas.append({"tool_calls": [{**call, "index": at, "function": {**call["function"], "arguments": ""}}]})
        deltas += [{"tool_calls": [{"index": at, "function": {"arguments": part}}]} for part in (args[:7], args[7:])]
    ends = [(delta, None) for delta in deltas] + [({}, "tool_calls")]
    head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return [{**head, "choices": [{"index": 0, "delta": delta, "finish_reason": end}]} for delta, end in ends]


@pytest.mark.parametrize("budget", [None, 6000])
@pytest.mark.parametrize("target", ["openai", "openai-responses"])
def test_claudes_client_tools_go_to_openai_and_back(target, budget):
    tools = [{"type": kind, "name": name} for kind, (name, _) in CLAUDES.items()]
    history, said = [GO], []
    for step in range(12):
        body = {"model": "claude-opus-5", "max_tokens": 99, "tools": tools, "messages": history}
        ready = tw.prepare(body, target, budget, source="anthropic", model="gpt-5", settings="convert")
        assert not wire.refused(target, ready.payload)
        assert not ready.receipt.only("lost")
        sent = json.dumps(ready.payload, ensure_ascii=False)
        missing = [words for words in said if words not in sent]
        assert not missing or (budget and said[-1] not in missing and ready.receipt.only("dropped", "cut"))
        calls = [(f"call_{step}_{at}", name, args) for at, (name, args) in enumerate(CLAUDES.values())]
        whole = answered(target, calls)
        made = convert_reply(whole, "anthropic", source=target, request=ready)
        converter = StreamConverter(source=target, target="anthropic", request=ready)
        events = [out for event in pieces(target, whole) for out in converter.feed(event)] + list(converter.finish())
        begun = [one["content_block"] for one in events if one["type"] == "content_block_start"]
        used = [block for block in made.payload["content"] if block["type"] == "tool_use"]
        assert [(one["name"], one["input"]) for one in used] == list(CLAUDES.values())
        assert [(one["name"], one["id"]) for one in begun] == [(one["name"], one["id"]) for one in used]
        assert made.payload["stop_reason"] == "tool_use"
        results = []
        for at, one in enumerate(used):
            said.append(f"result {step}.{at}")
            results.append({"type": "tool_result", "tool_use_id": one["id"], "content": f"{said[-1]} {'x' * 200}"})
        history += [{"role": "assistant", "content": made.payload["content"]}, {"role": "user", "content": results}]
    home = tw.prepare({"model": "claude-opus-5", "max_tokens": 99, "tools": tools, "messages": history}, "anthropic")
    assert home.payload["messages"] == history and not wire.refused("anthropic", home.payload)
