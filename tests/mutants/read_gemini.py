"""The judge's findings about Gemini: as the body spells its keys, and what it does not check."""

import re
from collections.abc import Iterator
from typing import Any

from judges.problem import Problem

from . import paths

Json = dict[str, Any]
CALLS = ("functionCall", "function_call")
RESULTS = ("functionResponse", "function_response")
SIGNATURES = ("thoughtSignature", "thought_signature")
MEDIA = ("inlineData", "inline_data", "fileData", "file_data")
EXTRA = "Extra inputs are not permitted"
# For the camelCase spelling of a key.
SPELLED = re.compile("_([a-z])")


def of(part: Json, keys: tuple[str, ...]) -> str | None:
    """The one of these keys that holds an object in a part."""
    return next((key for key in keys if isinstance(part.get(key), dict)), None)


def spelled(body: Any, path: str) -> str:
    """A path as the body spells it: the wire checker reads every key as proto JSON does."""
    made, here = "", body
    for key, number in re.findall(r"([^.\[\]]+)|\[(\d+)\]", path):
        if number:
            made, here = f"{made}[{number}]", here[int(number)] if isinstance(here, list) else None
            continue
        keys = list(here) if isinstance(here, dict) else []
        same = (one for one in keys if SPELLED.sub(lambda big: big[1].upper(), str(one)) == key)
        found = key if key in keys else next(same, key)
        made, here = f"{made}.{found}" if made else found, here.get(found) if isinstance(here, dict) else None
    return made


def wired(body: Any) -> Any:
    """With the calls of one step in one content: Gemini 3 accepts them in several (recorded), the checker does not."""
    contents = body.get("contents")
    if not isinstance(contents, list):
        return body
    made: list[Any] = []
    for content in contents:
        both = [made[-1], content] if made else []
        if len(both) == 2 and all(of_model(one) and calls(one) for one in both):
            made[-1] = {**both[0], "parts": [*both[0]["parts"], *both[1]["parts"]]}
        else:
            made.append(content)
    return {**body, "contents": made}


def of_model(content: Any) -> bool:
    return isinstance(content, dict) and content.get("role") == "model" and isinstance(content.get("parts"), list)


def calls(content: Any) -> list[Any]:
    return [part for part in content["parts"] if isinstance(part, dict) and of(part, CALLS)]


def check(payload: Any) -> Iterator[Problem]:
    """The rest of the checks: a signature on the first call of each content, and one spelling of each key."""
    contents = payload.get("contents") if isinstance(payload, dict) else payload
    contents = contents if isinstance(contents, list) else []
    asks = [at for at, one in enumerate(contents) if isinstance(one, dict) and not of_model(one) and not answers(one)]
    for at, one in enumerate(contents):
        first = calls(one)[:1] if of_model(one) and at > max(asks, default=-1) else []
        if first and not any(first[0].get(key) for key in SIGNATURES):
            yield Problem("signature.missing", f"contents[{at}]", "")
    yield from twice(payload, "")


def answers(content: Json) -> bool:
    parts = content.get("parts")
    return isinstance(parts, list) and any(isinstance(part, dict) and of(part, RESULTS) for part in parts)


def twice(value: Any, at: str) -> Iterator[Problem]:
    """One key in both spellings."""
    for key, item in value.items() if isinstance(value, dict) else ():
        other = SPELLED.sub(lambda big: big[1].upper(), str(key))
        if key in ("args", "response", "parametersJsonSchema", "parameters_json_schema", "parameters"):
            continue
        if other != key and value.get(other) is not None and item is not None:
            yield Problem("spelling", f"{at}.{key}" if at else key, other)
        yield from twice(item, f"{at}.{key}" if at else key)
    for index, item in enumerate(value if isinstance(value, list) else ()):
        yield from twice(item, f"{at}[{index}]")


def read(body: Any, told: list[Problem]) -> Iterator[Problem]:
    """A part or a tool that has only unknown keys is an unknown one."""
    strange = [one.path.rpartition(".")[0] for one in told if EXTRA in one.message]
    for one in told:
        if one.code == "part.oneof" and "none set" in one.message and one.path in strange:
            part = paths.value(body, f"$.{spelled(body, one.path)}")
            yield Problem("unknown-block", one.path, next(iter(part), "") if isinstance(part, dict) else "")
        elif one.code != "signature.missing":
            yield Problem(one.code, spelled(body, one.path) if EXTRA in one.message else one.path, one.message)


def check_2(payload: Any) -> Iterator[Problem]:
    """What the wire checker does not check for Gemini 2: no result may hold media."""
    contents = payload.get("contents") if isinstance(payload, dict) else payload
    for at, one in enumerate(contents if isinstance(contents, list) else ()):
        parts = one.get("parts") if isinstance(one, dict) else None
        for index, part in enumerate(parts if isinstance(parts, list) else ()):
            key = of(part, RESULTS) if isinstance(part, dict) else None
            held = part[key].get("parts") if key else None
            for number, media in enumerate(held if isinstance(held, list) else ()):
                at_part = f"contents[{at}].parts[{index}].{key}.parts[{number}]"
                found = media if isinstance(media, dict) else {}
                if any(found.get(one) is not None for one in MEDIA):
                    yield Problem("response.media", at_part, "")
                else:
                    yield Problem("unknown-block", at_part, next(iter(found), "part"))
    yield from twice(payload, "")
