"""A decorator for the tools of an MCP server that cuts their text and structured content to a budget."""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Callable
from typing import Any, Final, TypeVar, Unpack

from turnwire._core import Budget
from turnwire._signature import spelled_out
from turnwire.types import AdapterOptions

from ._framework import missing, tested
from ._policy import Policy, unknown
from ._result import compact, fitted

try:
    from mcp.types import CallToolResult, EmbeddedResource, TextContent, TextResourceContents
    from pydantic import BaseModel
except ImportError as error:
    raise missing("mcp", error) from error

__all__ = ["limit"]

tested("mcp", "1.22.0", "2.3.0")

_T = TypeVar("_T", bound=Callable[..., Any])
_BLOCKS: Final = (TextContent, EmbeddedResource)
# The two generations of the SDK spell this field differently.
_STRUCTURED: Final = next(name for name in CallToolResult.model_fields if name.lower().startswith("structured"))


@spelled_out
def limit(budget: int | Budget | None = None, **settings: Unpack[AdapterOptions]) -> Callable[[_T], _T]:
    """Keep the results of a tool, synchronous or not, within a budget: below `server.tool()`, or around `call_tool`.

        @server.tool()
        @limit(50_000, on_receipt=print)
        async def search(query: str) -> list[str]: ...

    Texts are cut in their middle, where `on_cut`'s marker is. In JSON, structured content too, long strings are cut,
    and lists lose their last elements: keys stay, without the marker. Text that repeats it still does. Media stay.

    Args:
        budget: UTF-8 bytes, or a `Budget`, of text and compact JSON, for the text and the structured content together.
        settings: `on_receipt`, `on_error`, `wording` with `cut`. Options about lists of messages have no effect.

    Raises:
        TurnwireError: What `prepare` raises: here for a wrong option, and `budget_too_small` from a call.
    """
    policy = Policy(budget, settings, no_summary="it cuts results, and no message goes", heeds_options=False)

    def decorate(tool: Any) -> Any:
        name = getattr(tool, "__name__", type(tool).__name__)
        if inspect.iscoroutinefunction(tool):

            @functools.wraps(tool)
            async def limited_later(*args: Any, **named: Any) -> Any:
                return _limited(policy, name, await tool(*args, **named))

            return limited_later

        @functools.wraps(tool)
        def limited(*args: Any, **named: Any) -> Any:
            return _limited(policy, name, tool(*args, **named))

        return limited

    return decorate


def _limited(policy: Policy, name: str, result: Any) -> Any:
    if isinstance(result, CallToolResult):
        content, value = _both(policy, name, result.content, getattr(result, _STRUCTURED))
        if content is result.content:
            return result
        return result.model_copy(update={"content": content, _STRUCTURED: value})
    if isinstance(result, tuple) and len(result) == 2 and isinstance(result[0], list):
        content, value = _both(policy, name, result[0], result[1])
        return result if content is result[0] else (content, value)
    if isinstance(result, _BLOCKS):
        return _limited(policy, name, [result])[0]
    if isinstance(result, list) and any(isinstance(block, _BLOCKS) for block in result):
        return _both(policy, name, result, None)[0]
    if isinstance(result, str):
        cut = fitted(policy, name, [result])
        return result if cut is None else cut[0][0]
    if isinstance(result, BaseModel):
        cut = fitted(policy, name, [], result.model_dump(mode="json", by_alias=True))
        return result if cut is None else type(result).model_validate(cut[1])
    if isinstance(result, dict | list):
        cut = fitted(policy, name, [], result)
        return result if cut is None else cut[1]
    if not isinstance(result, bool | int | float | type(None)):
        unknown(result)
    return result


def _both(policy: Policy, name: str, content: list[Any], value: Any) -> tuple[list[Any], Any]:
    """Blocks and structured content. The same list if nothing had to be cut."""
    texts = [_text(block) for block in content]
    try:
        echo = value is not None and json.loads(*texts) == value
    except (TypeError, ValueError):  # several texts or none, or text that is not JSON
        echo = False
    cut = fitted(policy, name, [] if echo else texts, value)
    if cut is None:
        return content, value
    new = [compact(cut[1])] if echo else cut[0]
    return [_with_text(block, text) for block, text in zip(content, new, strict=True)], cut[1]


def _text(block: Any) -> str:
    inner = getattr(block, "resource", block)
    return inner.text if isinstance(inner, TextContent | TextResourceContents) else ""


def _with_text(block: Any, text: str) -> Any:
    if text == _text(block):
        return block
    if isinstance(block, EmbeddedResource):
        return block.model_copy(update={"resource": _with_text(block.resource, text)})
    return block.model_copy(update={"text": text})
