"""Writes the files that later versions must read: `python tests/stored/write.py`, once for each version.

It makes a new folder. An existing folder is never written again.
"""

from __future__ import annotations

import base64
import json
import os
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import turnwire as tw

Json = dict[str, Any]
HERE = Path(__file__).parent

PNG = b"\x89PNG\r\n\x1a\n"
SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}}
CALL = {"id": "call_1", "type": "function", "function": {"name": "search", "arguments": '{"q": "東京"}'}}
CHAT: list[Json] = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Find it."},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "call_1", "content": "here"},
    {"role": "assistant", "content": "It is here.", "x_unknown": [1, None]},
]
# One exchange in each dialect, as its provider writes it.
MESSAGES: dict[str, list[Json]] = {
    "openai": CHAT,
    "openai-responses": [
        {"role": "user", "content": "Find it."},
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "c2VjcmV0"},
        {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "search", "arguments": '{"q": "東京"}'},
        {"type": "function_call_output", "call_id": "call_1", "output": "here"},
    ],
    "anthropic": [
        {"role": "user", "content": "Find it."},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Where?", "signature": "c2lnbmVk"},
                {"type": "tool_use", "id": "toolu_1", "name": "search", "input": {"q": "東京"}},
            ],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "here"}]},
    ],
    "gemini": [
        {"role": "user", "parts": [{"text": "Find it."}]},
        {
            "role": "model",
            "parts": [{"functionCall": {"name": "search", "args": {"q": "東京"}}, "thoughtSignature": "c2ln"}],
        },
        {"role": "user", "parts": [{"functionResponse": {"name": "search", "response": {"output": "here"}}}]},
    ],
    "bedrock": [
        {"role": "user", "content": [{"text": "Look."}, {"image": {"format": "png", "source": {"bytes": PNG}}}]},
        {"role": "assistant", "content": [{"toolUse": {"toolUseId": "t_1", "name": "search", "input": {"q": "東京"}}}]},
        {"role": "user", "content": [{"toolResult": {"toolUseId": "t_1", "content": [{"text": "here"}]}}]},
    ],
    "mistral": [*CHAT[1:2], {**CHAT[2], "content": ""}, {**CHAT[3], "name": "search"}],
    "ollama": [
        {"role": "user", "content": "Look.", "images": ["iVBORw0KGgo="]},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"function": {"name": "search", "arguments": {"q": "東京"}}}],
        },
        {"role": "tool", "tool_name": "search", "content": "here"},
    ],
    "cohere": [
        {"role": "user", "content": "Find it."},
        {"role": "assistant", "tool_plan": "I search.", "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "call_1", "content": [{"type": "text", "text": "here"}]},
    ],
    "sharegpt": [{"from": "human", "value": "Find it."}, {"from": "gpt", "value": "It is here."}],
    "llama": [{"role": "user", "content": "Find it."}, {"role": "assistant", "content": "It is here."}],
    "structured": [{"role": "user", "content": [{"type": "text", "content": "Find it."}]}],
    "amazon-q": [
        {"userInputMessage": {"content": "Find it."}},
        {"assistantResponseMessage": {"messageId": "m_1", "content": "It is here."}},
    ],
}


def mixed(history: tw.MessageHistory) -> None:
    """Messages of several dialects and of spec 003, typed messages, and texts that JSON escapes."""
    history.add_user_message("half a character \ud83d, a line\nbreak, \u2028 and \x00")
    history.add_raw_message(tw.Turn("assistant", [tw.parts.Text("typed")]))
    history.add_raw_message(MESSAGES["anthropic"][1], "anthropic")
    history.add_tool_result("toolu_1", "here", "search")
    spelled = b'[{"role": "user", "content": "numbers", "odd": [1.10, 0.1E+2, 12345678901234567890123]}]'
    history.add_raw_message(tw.Conversation.parse(spelled, "openai").turns[0])
    history.add_raw_message(tw.ToolUseResult("toolu_2", "late", status="error"))


def cleared(history: tw.MessageHistory) -> None:
    """Messages that were forgotten, and those after them."""
    history.add_user_message("forgotten")
    history.clear()
    history.add_user_message("kept")


TOOLS = [{"name": "search", "description": "Search.", "input_schema": SCHEMA}]


def ledger(history: tw.MessageHistory) -> None:
    """A run of requests: an interrupted call whose result comes late, and reasoning."""
    run = history.ledger("anthropic", 50_000, model="claude-opus-5-5")
    history.add_user_message("Find it.")
    run.prepare(system="Be exact.", tools=TOOLS)
    for number in (1, 2):
        thought = {"type": "thinking", "thinking": "Where?", "signature": f"c2lnbmVk{number}"}
        call = {"type": "tool_use", "id": f"toolu_{number}", "name": "search", "input": {"q": "東京"}}
        history.add_raw_message({"role": "assistant", "content": [thought, call]}, "anthropic")
        if number == 1:
            history.add_user_message("Go on.")
        else:
            history.add_tool_result("toolu_2", "here")
            history.add_tool_result("toolu_1", "there")
        run.prepare(system="Be exact.", tools=TOOLS)
    history.add_user_message("Be quick.")


def of_dialect(name: Any) -> Callable[[tw.MessageHistory], None]:
    def fill(history: tw.MessageHistory) -> None:
        for message in MESSAGES[name]:
            history.add_raw_message(message, name)

    return fill


HISTORIES: dict[str, Callable[[tw.MessageHistory], None]] = {
    **{name: of_dialect(name) for name in MESSAGES},
    "mixed": mixed,
    "cleared": cleared,
    "ledger": ledger,
}


def values() -> dict[str, Any]:
    """A value of each class that can be pickled, with nothing of this machine in it."""
    os.chdir("/")
    user = tw.spec.UserMessage.new_prompt("Find it.", "2026-01-02T03:04:05Z").with_additional_context("be quick")
    call = tw.parts.AssistantToolUse("call_1", "search", {"q": "東京"})
    built = tw.spec.MessageBuilder().set_messages([*CHAT[:3], CHAT[1]]).set_budget(300).build("anthropic")
    history = tw.MessageHistory()
    mixed(history)
    return {
        "Conversation": tw.Conversation.parse({"messages": CHAT}, "openai"),
        "Conversation-of-json": tw.Conversation.parse(json.dumps(MESSAGES["anthropic"]).encode(), "anthropic"),
        "Conversation-built": built,
        "MessageHistory": history,
        "Turn": tw.Turn("assistant", [tw.parts.Text("It is here."), call]),
        "UserMessage": user,
        "UserMessage-results": tw.spec.UserMessage.new_tool_use_results([tw.ToolUseResult("call_1", {"a": [1, "x"]})]),
        "AssistantMessage": tw.spec.AssistantMessage.new_tool_use("m_1", "I search.", [call]),
        "AssistantToolUse": call,
        "ToolUseResult": tw.ToolUseResult("call_1", "no", status="error", name="search"),
        "Media": tw.Media(PNG, media_type="image/png", name="p.png"),
        "ImageBlock": tw.parts.ImageBlock("png", PNG),
        "Receipt": built.receipt,
        "Losses": tw.convert(CHAT, "gemini", source="openai").receipt,
        "Findings": tw.check([*CHAT[:3], CHAT[1]], target="openai"),
    }


def plain(value: Any) -> Any:
    """The content of a value, in a form that JSON can hold."""
    match value:
        case tw.Conversation():
            return {"payload": plain(value.render(_dialect(value)).payload), "receipt": plain(value.receipt)}
        case tw.MessageHistory():
            return {"messages": plain(value.get_messages())}
        case tw.Receipt() | tw.Change():
            return value.to_dict()
        case tw.spec.UserMessage():
            return {"text": value.content_with_context(), "results": plain(value.tool_use_results)}
        case tw.spec.AssistantMessage():
            return {"id": value.message_id, "text": value.content, "calls": plain(value.tool_uses)}
        case tw.Media():
            return {key: plain(getattr(value, key)) for key in ("kind", "media_type", "data", "url", "file_id", "name")}
        case bytes():
            return {"base64": base64.b64encode(value).decode("ascii")}
        case dict():
            return {key: plain(inner) for key, inner in value.items()}
        case list() | tuple():
            return [plain(inner) for inner in value]
        case None | str() | int() | float():
            return value
    names = getattr(type(value), "__match_args__", None)
    return {name: plain(getattr(value, name)) for name in names} if names else str(value)


def _dialect(value: tw.Conversation) -> Any:
    """The dialect that the stored conversations are replayed in."""
    return "anthropic" if value.receipt or len(value.turns) == len(MESSAGES["anthropic"]) else "openai"


def texts_of(value: Any) -> Iterator[str]:
    """Every text in a payload."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from texts_of(inner)


def added(given: list[Json], made: Any) -> list[str]:
    """The sentences of a payload that none of the given messages has; a format's keywords are shorter."""
    known = set(texts_of(given))
    return [text for text in texts_of(made) if text not in known and len(text) > 16]


FAILED = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "no such file", "is_error": True}
PICTURE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
CUT_OFF = {"id": "call_1", "type": "function", "function": {"name": "search", "arguments": '{"q": "to'}}
NO_OBJECT = {"id": "call_1", "type": "function", "function": {"name": "search", "arguments": "[1]"}}


def result(block: Json) -> list[Json]:
    """An exchange of Anthropic's with this result."""
    return [*MESSAGES["anthropic"][:2], {"role": "user", "content": [block]}]


# What to send, and for which dialect: later versions must never change the texts that turnwire adds.
SENT: dict[str, tuple[list[Json], Any]] = {
    "a missing result": (CHAT[:3] + CHAT[1:2], "openai"),
    "a missing result, with a flag": (CHAT[:3] + CHAT[1:2], "anthropic"),
    "arguments that end in the middle": ([CHAT[1], {**CHAT[2], "tool_calls": [CUT_OFF]}, CHAT[1]], "openai"),
    "arguments that are no object": ([CHAT[1], {**CHAT[2], "tool_calls": [NO_OBJECT]}, CHAT[1]], "openai"),
    "a failed result": (result(FAILED), "openai"),
    "media of a result": (result({**FAILED, "content": [PICTURE], "is_error": False}), "openai"),
    "no signature": (CHAT[:4], "gemini"),
}


def sent() -> dict[str, list[str]]:
    """The texts that turnwire adds to each of these."""
    made = {name: added(given, tw.prepare(given, target).payload) for name, (given, target) in SENT.items()}
    summary = tw.MessageHistory(CHAT[1:] * 3).summarise("They searched.", turns=4)
    cuts = [tw.truncate("0123456789" * 20, 60, keep=keep) for keep in ("head", "tail", "middle")]
    return {**made, "a summary": added(CHAT, [summary.messages[0]]), "a cut text": cuts}


def constants() -> dict[str, str]:
    """The texts that turnwire exports."""
    names = sorted({name for module in (tw.constants, tw.spec) for name in module.__all__ if name.isupper()})
    texts = {name: getattr(tw.constants, name, None) or getattr(tw.spec, name) for name in names}
    return {name: text for name, text in texts.items() if isinstance(text, str)}


def main() -> None:
    """Writes the folder of this version, which must not exist yet."""
    folder = HERE / tw.__version__.rpartition(".")[0]
    for name in ("histories", "pickles"):
        (folder / name).mkdir(parents=True)
    for name, fill in HISTORIES.items():
        with tw.MessageHistory.open(folder / "histories" / f"{name}.jsonl") as history:
            fill(history)
    whole = (folder / "histories" / "openai.jsonl").read_bytes()
    (folder / "histories" / "torn.jsonl").write_bytes(whole[:-20])
    said = {}
    for name, value in values().items():
        (folder / "pickles" / f"{name}.pickle").write_bytes(pickle.dumps(value, protocol=4))
        said[name] = plain(value)
    files = {"pickles.json": said, "texts.json": {"constants": constants(), "sent": sent()}}
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
