"""Records which model signed which reasoning, because Strands' messages do not say: the adapter watches replies.

The record is in the reply's metadata, under the key that Strands keeps for applications. Sessions store it, and it is
never sent to a model. For messages without metadata, the process remembers the signatures.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from threading import Lock
from typing import Any, Final
from weakref import WeakKeyDictionary

from strands.hooks import AfterModelCallEvent

__all__ = ["Signers", "maker_of", "module_of"]

_MOST: Final = 16_384
"""The number of signatures that are remembered, as hashes. The least recently seen are forgotten first."""
_PACKAGE: Final = "strands.models."
# What is stored in sessions is read by later versions: these words stay.
_NOTE: Final = "turnwire"
_SIGNED_BY: Final = "signed_by"


class Signers:
    """The signatures that one adapter has seen. Threads may share it. It keeps no texts, and no agents alive."""

    def __init__(self) -> None:
        self._makers: OrderedDict[int, str] = OrderedDict()
        # For each agent, the maker of the model that answers next.
        self._asked: WeakKeyDictionary[Any, str | None] = WeakKeyDictionary()
        self._lock = Lock()

    def listen(self, agent: Any, model: Any) -> None:
        """Watch the agent's next reply, which comes from this model."""
        hooks = getattr(agent, "hooks", None)
        if hooks is None:
            return
        with self._lock:
            is_new = agent not in self._asked
            self._asked[agent] = maker_of(model)
        if is_new:
            hooks.add_callback(AfterModelCallEvent, self._heard)

    def _heard(self, event: AfterModelCallEvent) -> None:
        said: Any = event.stop_response and event.stop_response.message
        marks = [*_marks(said["content"])] if said else []
        with self._lock:
            maker = self._asked.get(event.agent)
            if not marks or maker is None:
                return
            said.setdefault("metadata", {}).setdefault("custom", {})[_NOTE] = {_SIGNED_BY: maker}
            for mark in marks:
                self._makers[mark] = maker
            while len(self._makers) > _MOST:
                self._makers.popitem(last=False)

    def maker(self, message: Any, block: Any) -> str | None:
        """The maker of signed reasoning; None if it is not known."""
        for mark in _marks([block]):
            with self._lock:
                if mark in self._makers:
                    self._makers.move_to_end(mark)
                    return self._makers[mark]
        if (noted := _noted(message)) is not None:
            return noted
        # Only Gemini signs calls.
        calls = (one.get("toolUse") for one in message["content"] if isinstance(one, dict))
        return "gemini" if any(call and call.get("reasoningSignature") for call in calls) else None


def _noted(message: Any) -> str | None:
    """The maker that a message's metadata names, which anybody may have written."""
    here = message
    for key in ("metadata", "custom", _NOTE, _SIGNED_BY):
        here = here.get(key) if isinstance(here, dict) else None
    return here if isinstance(here, str) else None


def _marks(content: Any) -> Iterator[int]:
    for block in content:
        thought = block.get("reasoningContent") or {}
        signed = thought.get("redactedContent") or (thought.get("reasoningText") or {}).get("signature")
        if signed:
            yield hash(signed)


def module_of(model: Any) -> str:
    """The module of Strands' class for a model."""
    modules = (one.__module__ for one in type(model).__mro__)
    return next((module[len(_PACKAGE) :] for module in modules if module.startswith(_PACKAGE)), "")


def maker_of(model: Any) -> str | None:
    """The maker whose signatures a model makes and takes. Claude's are the same at Anthropic and at Bedrock."""
    module = module_of(model)
    if module == "bedrock":
        name = str(model.get_config().get("model_id")).lower()
        if "claude" in name or "anthropic" in name:
            return "anthropic"
        # The name of an inference profile does not say which maker's model is behind it.
        return None if name.startswith("arn:") or "." not in name else module
    return module or None
