"""How a history passes through each library that repairs or trims one, for `score_rivals.py`: one function each.

A function loads its library when it is called, so that the table can say which are not installed.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
History = list[Json]

#: LiteLLM needs the name of a model to write Anthropic's dialect; nothing is sent.
MODEL = "claude-sonnet-4-5"


class UnreadError(Exception):
    """The adapter cannot write this history in the library's own classes."""


@dataclass
class Library:
    """How a history passes through a library; `into`: the dialect of the result, when it is another one."""

    mend: Callable[[Any, str], Any]
    read: Callable[[History], Any] = copy.deepcopy
    write: Callable[[Any], History] = list
    dialects: tuple[str, ...] = ("openai",)
    into: str | None = None
    trims: bool = False


BOTH = ("openai", "anthropic")


def turnwire(into: str | None = None) -> Library:
    import turnwire as tw

    def mend(messages: History, dialect: str) -> History:
        built = tw.spec.MessageBuilder().set_messages(messages, dialect).build(into)
        payload: Any = built.render(into or dialect).payload
        return payload if isinstance(payload, list) else payload["messages"]

    return Library(mend, dialects=BOTH if into is None else ("openai",), into=into)


def turnwire_to_anthropic() -> Library:
    return turnwire("anthropic")


def turnsafe() -> Library:
    import turnsafe as library

    return Library(lambda messages, dialect: library.repair(messages, dialect), dialects=BOTH)


def tessera() -> Library:
    import tessera as library

    return Library(lambda messages, dialect: library.repair(messages, adapter=dialect).transcript, dialects=BOTH)


def toolrepair_drop() -> Library:
    import toolrepair as library

    return Library(lambda messages, dialect: library.repair(messages, format=dialect), dialects=BOTH)


def toolrepair_synthesize() -> Library:
    import toolrepair as library

    return Library(
        lambda messages, dialect: library.repair(messages, format=dialect, strategy="synthesize"), dialects=BOTH
    )


def litellm() -> Library:
    import litellm as library
    from litellm.litellm_core_utils.prompt_templates import factory

    library.modify_params = True
    return Library(lambda messages, _: factory.sanitize_messages_for_tool_calling(messages))


def litellm_to_anthropic() -> Library:
    litellm()
    from litellm.litellm_core_utils.prompt_templates import factory

    # LiteLLM takes the system messages out before this step.
    return Library(
        lambda messages, _: factory.anthropic_messages_pt(messages, MODEL, "anthropic"),
        read=lambda messages: [copy.deepcopy(one) for one in messages if one["role"] != "system"],
        into="anthropic",
    )


def pydantic_ai() -> Library:
    from pydantic_ai import messages as library

    def read(messages: History) -> list[Any]:
        made: list[Any] = []
        names: dict[str, str] = {}
        for message in messages:
            role, content = message["role"], message.get("content")
            if role == "function" or "function_call" in message or isinstance(content, list):
                raise UnreadError
            if role == "assistant":
                parts: list[Any] = [library.TextPart(content)] if content else []
                for call in message.get("tool_calls", ()):
                    names[call["id"]] = call["function"]["name"]
                    parts.append(library.ToolCallPart(**renamed(call)))
                made.append(library.ModelResponse(parts))
            elif role == "tool":
                one = message["tool_call_id"]
                made.append(library.ModelRequest([library.ToolReturnPart(names.get(one, "f"), content, one)]))
            else:
                part = library.SystemPromptPart if role == "system" else library.UserPromptPart
                made.append(library.ModelRequest([part(content)]))
        return made

    def renamed(call: Json) -> Json:
        made = call["function"]
        return {"tool_name": made["name"], "args": made["arguments"], "tool_call_id": call["id"]}

    def write(messages: list[Any]) -> History:
        made: History = []
        for message in messages:
            if isinstance(message, library.ModelResponse):
                calls = [
                    {
                        "id": part.tool_call_id,
                        "type": "function",
                        "function": {"name": part.tool_name, "arguments": part.args_as_json_str()},
                    }
                    for part in message.tool_calls
                ]
                made.append({"role": "assistant", "content": message.text, **({"tool_calls": calls} if calls else {})})
                continue
            for part in message.parts:
                if isinstance(part, library.ToolReturnPart | library.RetryPromptPart):
                    made.append({"role": "tool", "tool_call_id": part.tool_call_id, "content": str(part.content)})
                else:
                    role = "system" if isinstance(part, library.SystemPromptPart) else "user"
                    made.append({"role": role, "content": part.content})
        return made

    return Library(lambda messages, _: library.repair_messages(messages), read, write)


def langchain_documented() -> Library:
    return langchain(start_on="human", end_on=("human", "tool"), include_system=True)


def langchain(**how: Any) -> Library:
    from langchain_core import messages as library

    def read(messages: History) -> Any:
        if any(message["role"] == "function" or "function_call" in message for message in messages):
            raise UnreadError
        return library.convert_to_messages(messages)

    def mend(messages: Any, _: str) -> Any:
        limit = max(1, len(messages) // 2)
        return library.trim_messages(messages, max_tokens=limit, token_counter=len, strategy="last", **how)

    return Library(mend, read, lambda messages: library.convert_to_openai_messages(messages), trims=True)


#: Title, package and adapter of each row.
LIBRARIES: list[tuple[str, str, Callable[[], Library]]] = [
    ("turnwire", "turnwire", turnwire),
    ("turnsafe repair", "turnsafe", turnsafe),
    ("tessera repair", "tessera-transcript", tessera),
    ("tool-call-repair repair (drop, its default)", "tool-call-repair", toolrepair_drop),
    ("tool-call-repair repair (synthesize)", "tool-call-repair", toolrepair_synthesize),
    ("LiteLLM sanitize_messages_for_tool_calling, modify_params", "litellm", litellm),
    ("pydantic-ai repair_messages", "pydantic-ai-slim", pydantic_ai),
    ("turnwire, openai to anthropic", "turnwire", turnwire_to_anthropic),
    ("LiteLLM anthropic_messages_pt, modify_params", "litellm", litellm_to_anthropic),
    ("LangChain trim_messages to half the messages", "langchain-core", langchain),
    ("the same with the documented start_on, end_on, include_system", "langchain-core", langchain_documented),
]
