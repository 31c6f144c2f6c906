"""Sound conversations of Gemini, and their judge."""

import re
from collections.abc import Iterator
from typing import Any

from judges.problem import Problem

from faults import paths
from faults.judge import Judge
from faults.payload import PDF, PNG, Json
from faults.payload.gemini import CALLS, RESULTS, SCHEMA, SIGNATURE, SIGNATURES, call, declarations, got, inline, of

KEYS = ("systemInstruction", "contents", "tools", "toolConfig")

EXTRA = "Extra inputs are not permitted"
# For the camelCase spelling of a key.
SPELLED = re.compile("_([a-z])")


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


JUDGE = Judge(wire="gemini", sdk="google.genai", check=check, wired=wired, read=read)

WAV = "UklGRiQAAABXQVZF"
FILM = {"fileUri": "gs://films/a.mp4", "mimeType": "video/mp4"}
LINK = {"fileUri": "https://example.com/a.png", "mimeType": "image/png"}


def user(*parts: Json) -> Json:
    return {"role": "user", "parts": list(parts)}


def model(*parts: Json) -> Json:
    return {"role": "model", "parts": list(parts)}


def text(words: str, **more: Any) -> Json:
    return {"text": words, **more}


def snake(name: str, call_id: str, **more: Any) -> Json:
    return {"function_call": {"id": call_id, "name": name, "args": {"q": "x"}}, **more}


def told(name: str, call_id: str, response: Json) -> Json:
    return {"function_response": {"id": call_id, "name": name, "response": response}}


SIGNED: Json = {"thoughtSignature": SIGNATURE}
RAN = [
    {"executableCode": {"language": "PYTHON", "code": "print(1)"}, **SIGNED},
    {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1"}},
]
SEARCHED = [
    {"toolCall": {"id": "s1", "toolType": "GOOGLE_SEARCH_WEB", "args": {"queries": ["a"]}}, **SIGNED},
    {"toolResponse": {"id": "s1", "toolType": "GOOGLE_SEARCH_WEB", "response": {"found": "b"}}, **SIGNED},
]

OWN: list[Any] = [
    {
        "systemInstruction": {"parts": [text("Be brief.")]},
        "contents": [user(text("What is this?")), model(text("A test.")), user(text("Thank you."))],
    },
    {
        "systemInstruction": {"role": "user", "parts": [text("Look closely."), text("And listen.")]},
        "contents": [
            user(
                text("Many things."),
                inline("image/png", PNG),
                inline("application/pdf", PDF, displayName="a.pdf"),
                inline("audio/wav", WAV),
            ),
            model(text("I see."), text("And more.", **SIGNED), inline("image/png", PNG)),
            user(text("And these?"), {"fileData": FILM, "videoMetadata": {"startOffset": "1s"}}, {"fileData": LINK}),
            model(text("I thought.", thought=True), text("Well.")),
            user(text("Good."), {"fileData": {"fileUri": "https://www.youtube.com/watch?v=a"}}),
        ],
    },
    {
        "contents": [
            user(text("Look twice.")),
            model(
                text("I will look."),
                call("look", "call_1", **SIGNED),
                call("find", "call_2", {"q": "y", "n": [1, {"a": None}]}),
            ),
            user(got("look", {"output": "first"}, "call_1"), got("find", {"rows": ["second", 2]}, "call_2")),
            model(text("Both are there.")),
            user(text("Once more.")),
            model(call("look", "call_3", {}, **SIGNED)),
            user(got("look", {"error": "it failed"}, "call_3")),
            model(call("find", "call_4", **SIGNED)),
            user(got("find", {"output": "seen"}, "call_4", parts=[inline("image/png", PNG)])),
        ],
        "tools": [declarations("look", "find"), {"googleSearch": {}}],
        "toolConfig": {"functionCallingConfig": {"mode": "AUTO"}},
    },
    {
        "contents": [
            user(text("Begin.")),
            user(text("At once.")),
            model(call("look", **SIGNED), call("look", None, {"q": "y"}), call("find")),
            user(got("look", {"output": "one"}), got("look", {"output": ["two"]}), got("find", {})),
            model(text("Done.")),
            model(text("Really.")),
            user(text("Good.")),
        ],
        "tools": [declarations("look"), declarations("find")],
        "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["look"]}},
    },
    {
        "system_instruction": {"parts": [text("Be brief.")]},
        "contents": [
            user(text("Look."), {"inline_data": {"mime_type": "image/png", "data": PNG}}),
            model(snake("look", "call_1", thought_signature=SIGNATURE), snake("look", "call_2")),
            user(told("look", "call_1", {"output": "one"}), told("look", "call_2", {"output": "two"})),
            model(text("Seen.")),
            user(text("And this?"), {"file_data": {"file_uri": LINK["fileUri"], "mime_type": "image/png"}}),
        ],
        "tools": [{"function_declarations": [{"name": "look", "description": "To look.", "parameters": SCHEMA}]}],
        "tool_config": {"function_calling_config": {"mode": "AUTO"}},
    },
    {
        "contents": [
            user(text("Count.")),
            model(*RAN, text("It is one.")),
            user(text("Search.")),
            model(*SEARCHED, text("Found.")),
            user(text("Thanks.")),
        ],
        "tools": [{"codeExecution": {}}, {"googleSearch": {}}],
    },
    {"contents": [user(text("Just this."))]},
]


def without_media(body: Any) -> Any:
    """The same check, and no result may hold media."""
    if isinstance(body, dict):
        inside = {key: without_media(value) for key, value in body.items()}
        return {key: value for key, value in inside.items() if key != "parts" or "response" not in body}
    return [without_media(item) for item in body] if isinstance(body, list) else body


MEDIA = ("inlineData", "inline_data", "fileData", "file_data")


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


TWO = Judge(wire="gemini", sdk="google.genai", options={"generation": 2}, check=check_2, read=read)
PROFILES: dict[str, tuple[Judge, list[Any]]] = {"2": (TWO, [without_media(body) for body in OWN])}
