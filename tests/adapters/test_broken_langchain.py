"""LangChain's messages that are broken in many ways, as LangChain itself writes them for providers."""

import copy

import pytest
from generator import Told, arguments, texts, told, without_other_arguments
from needs import framework
from proof import SEEDS, prove

framework("langchain", "langchain")
from langchain_core.messages import (  # noqa: E402
    AIMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    convert_to_openai_messages,
)
from turnwire.adapters.langchain import middleware  # noqa: E402


def says(at, message):
    valid, invalid = [], []
    for call in message.get("tool_calls") or ():
        args, name = arguments(call), call["function"]["name"]
        made = {"id": call["id"], "name": name, "args": args}
        if isinstance(args, dict):
            valid.append({"type": "tool_call", **made})
        else:
            invalid.append({"type": "invalid_tool_call", **made, "error": None})
    content = message["content"] or ""
    if "thinking" in message:
        thought = {"type": "thinking", "thinking": message["thinking"], "signature": "c2ln"}
        said = [{"type": "text", "text": text} for text in texts(content) if text]
        uses = [{"type": "tool_use", "id": call["id"], "name": call["name"], "input": call["args"]} for call in valid]
        content = [thought, *said, *uses]
    return AIMessage(content, tool_calls=valid, invalid_tool_calls=invalid, response_metadata={"at": at}, id=f"id{at}")


def spelled(one: Told):
    names, made = one.names(), []
    for at, message in enumerate(one.messages):
        content = copy.deepcopy(message["content"]) or ""
        if message["role"] == "assistant":
            made.append(says(at, message))
        elif message["role"] == "tool":
            ident = message["tool_call_id"]
            more = {"name": names.get(ident, "look"), "artifact": {"at": at}, "id": f"id{at}"}
            status = "error" if message.get("error") else "success"
            made.append(ToolMessage(content, tool_call_id=ident, status=status, **more))
        else:
            kind = HumanMessage if message["role"] == "user" else SystemMessage
            made.append(kind(content, id=f"id{at}", name="Ann"))
    return made


def said(messages):
    return [[message.content, getattr(message, "tool_calls", [])] for message in messages]


def openai(messages):
    """The payload for OpenAI."""
    wire = convert_to_openai_messages(messages)
    for message in wire:
        if message["content"] == []:
            message["content"] = None
    return {"messages": wire}


def send(target, opening=None):
    def sent(messages, **settings):
        made = middleware(target=target, wording={"opening": opening}, **settings)
        got = made.runnable.invoke(messages)
        by_id = {message.id: message for message in messages}
        for message in got:
            old = by_id.get(message.id)
            if message.id is not None:
                kept = ("name", "artifact", "status", "response_metadata")
                assert [getattr(message, key, None) for key in kept] == [getattr(old, key, None) for key in kept]
        return got

    return sent


@pytest.mark.parametrize("seed", SEEDS)
def test_what_reaches_openai(seed):
    one = told(seed)
    for message in one.messages:
        # Thoughts of another provider's model are removed: `test_langchain_switch` tests that.
        message.pop("thinking", None)
    given = spelled(one)
    without_other_arguments(one)
    prove(one, given, send("openai"), said, openai, "openai")


@pytest.mark.parametrize("seed", SEEDS)
def test_what_reaches_anthropic(seed):
    models = pytest.importorskip("langchain_anthropic")
    one = told(seed)
    # LangChain itself refuses more than one of these, and media in a failed result.
    one.messages = [message for message in one.messages if message["role"] != "system"]
    for message in one.messages:
        if isinstance(message["content"], list):
            message.pop("error", None)
    given = spelled(one.closed())
    without_other_arguments(one)
    model = models.ChatAnthropic(model="claude-opus-4-8", api_key="none")

    def wire(messages):
        body = model._get_request_payload(messages)
        return {key: body[key] for key in ("system", "messages") if key in body}

    prove(one, given, send("anthropic", "(begin)"), said, wire, "anthropic")
