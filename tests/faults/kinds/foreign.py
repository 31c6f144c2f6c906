"""Messages and blocks of another dialect among one's own."""

from typing import Any

from faults.fault import BLOCKS, FAMILY, MESSAGES, fault
from faults.payload import PNG, Json, Payload, put, text
from faults.payload.anthropic import got, use
from faults.payload.openai import PICTURE, fn, said


def inline() -> Json:
    return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}


def exchange(p: Payload, asked: Json, told: Json) -> None:
    """A whole exchange in another dialect, before a user's turn."""
    at = p.at(p.some(p.plain("user")))
    p.elements[at:at] = [p.message("user", f"So {p.word()}"), asked, told]


@fault(FAMILY)
def exchange_of_anthropic(p: Payload) -> None:
    asked = {"role": "assistant", "content": [text(f"Look {p.word()}"), use("look", "toolu_x")]}
    exchange(p, asked, {"role": "user", "content": [got("toolu_x", f"said {p.word()}")]})


@fault(BLOCKS)
def exchange_of_openai(p: Payload) -> None:
    asked = {"role": "assistant", "content": None, "tool_calls": [fn("look", "call_x")]}
    exchange(p, asked, said("call_x", f"said {p.word()}"))


@fault(MESSAGES)
def exchange_of_bedrock(p: Payload) -> None:
    asked = {"role": "assistant", "content": [{"toolUse": {"toolUseId": "t1", "name": "look", "input": {}}}]}
    result = {"toolUseId": "t1", "content": [{"text": f"said {p.word()}"}], "status": "success"}
    exchange(p, asked, {"role": "user", "content": [{"toolResult": result}]})


@fault(MESSAGES)
def exchange_of_gemini(p: Payload) -> None:
    asked = {"role": "model", "parts": [{"functionCall": {"name": "look", "args": {"q": p.word()}}}]}
    told = {"functionResponse": {"name": "look", "response": {"output": p.word()}}}
    exchange(p, asked, {"role": "user", "parts": [told]})


@fault(MESSAGES)
def exchange_of_responses(p: Payload) -> None:
    asked = {"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"}
    exchange(p, asked, {"type": "function_call_output", "call_id": "c1", "output": f"said {p.word()}"})


@fault(MESSAGES)
def exchange_of_amazon_q(p: Payload) -> None:
    asked = {"assistantResponseMessage": {"content": f"So {p.word()}"}}
    exchange(p, asked, {"userInputMessage": {"content": f"And {p.word()}"}})


@fault(FAMILY)
def legacy_function_call(p: Payload) -> None:
    asked = {"role": "assistant", "content": None, "function_call": {"name": "look", "arguments": "{}"}}
    exchange(p, asked, {"role": "function", "name": "look", "content": f"said {p.word()}"})


STRANGE: dict[str, Any] = {
    "input_text": {"type": "input_text", "text": "hello"},
    "output_text": {"type": "output_text", "text": "hello", "annotations": []},
    "bedrock text": {"text": "hello"},
    "gemini image": {"inlineData": {"mimeType": "image/png", "data": PNG}},
    "input_image": {"type": "input_image", "image_url": "https://example.com/a.png"},
    "mcp image": {"type": "image", "data": PNG, "mimeType": "image/png"},
    "mcp resource": {"type": "resource", "resource": {"uri": "file:///a", "text": "hello"}},
    "document_url": {"type": "document_url", "document_url": "https://example.com/a.pdf"},
    "video_url": {"type": "video_url", "video_url": {"url": "https://example.com/a.mp4"}},
    "thinking": {"type": "thinking", "thinking": "well", "signature": "c2ln"},
    "tool_use": use("look", "toolu_b"),
    "tool_call": {"type": "tool_call", "id": "c1", "name": "look", "args": {}},
}


@fault(MESSAGES, STRANGE)
def block_of_a_user(p: Payload, block: Any) -> None:
    holder: Json = {}
    put(holder, "block", block)
    p.blocks(p.some(p.plain("user"))).append(holder["block"])


@fault(MESSAGES, STRANGE)
def block_of_an_assistant(p: Payload, block: Any) -> None:
    holder: Json = {}
    put(holder, "block", block)
    p.blocks(p.some(p.plain("assistant"))).append(holder["block"])


@fault(FAMILY)
def image_of_anthropic(p: Payload) -> None:
    p.blocks(p.some(p.plain("user"))).append(inline())


@fault(BLOCKS)
def image_of_openai(p: Payload) -> None:
    holder: Json = {}
    put(holder, "block", PICTURE)
    p.blocks(p.some(p.plain("user"))).append(holder["block"])
