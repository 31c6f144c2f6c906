"""Runs something without an adapter and with it, against strict servers, and compares what the servers got."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from proof import judged
from provider import provider
from strict import Strict

# What frameworks make anew for each run.
_MADE_UP = re.compile(r"adk-[0-9a-f-]{36}|pyd_ai_[0-9a-f-]+|tooluse_[\w-]+|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32}")


# Strands writes the format of an image beside its address, which OpenAI's types do not have.
_OF_STRANDS = "image_url.format"


def both(
    run: Callable[[Any, dict[str, Any] | None], Any], script: Sequence[Any], *, broken: bool | None = False
) -> Any:
    """Run it with `settings=None` and then with callbacks; return what each returned, and the last request's body.

    Without `broken`, nothing was wrong before: then the adapter changes nothing and reports nothing. With it, a strict
    server refuses a request without the adapter, none with it, and the adapter says what it changed. With None, some
    servers do: those that are as strict as the format of the framework.
    """
    judged("openai")
    told: list[Any] = []
    returned, bodies, wrong = [], [], []
    for settings in (None, {"on_receipt": told.append}):
        with provider(*script) as server:
            server.RequestHandlerClass = Strict
            returned.append(run(server, settings))
            bodies.append([_plain(body) for body in server.bodies])
            wrong.append([line for line in server.wrong if _OF_STRANDS not in line])
    assert wrong[1] == [], f"{wrong[0]}"
    if broken or broken is None:
        assert told and (wrong[0] or broken is None)
    else:
        assert wrong[0] == told == [], f"{wrong[0]} {told}"
        assert bodies[0] == bodies[1]
    return *returned, json.dumps(bodies[1][-1])


def _plain(body: Any) -> Any:
    return json.loads(_MADE_UP.sub("made-up", json.dumps(body)))
