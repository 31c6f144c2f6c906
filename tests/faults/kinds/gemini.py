"""Faults that only Gemini contents can have: two spellings, signatures, results by name, parts with two data keys."""

from typing import Any

from faults.fault import fault
from faults.payload import ABSENT, PDF, PNG, Json, NoPlaceError, Payload, put
from faults.payload.gemini import RESULTS, SIGNATURE, SIGNATURES, call, declarations, got, inline, of

GEMINI = "gemini"


def held(value: Any) -> Any:
    """A copy, so that two cases never share one."""
    holder: Json = {}
    put(holder, "it", value)
    return holder.get("it")


def add(p: Payload, part: Any, role: str = "user") -> None:
    """Puts a part before or after a content's parts."""
    parts = p.blocks(p.some(p.plain(role)))
    parts.insert(p.dice.choice([0, 99]), held(part))


def signed(p: Payload) -> list[tuple[Json, str]]:
    parts = [part for _, turn in p.roles() for part in p.blocks(turn) if isinstance(part, dict)]
    return [(part, key) for part in parts for key in SIGNATURES if key in part]


# --- Contents ---

ROLES: Json = {
    "function": "function",
    "tool": "tool",
    "assistant": "assistant",
    "system": "system",
    "capital": "User",
    "empty": "",
    "null": None,
    "absent": ABSENT,
    "number": 1,
}


@fault(GEMINI, ROLES)
def role_of_words(p: Payload, role: Any) -> None:
    put(p.some(p.plain("user", "assistant")), "role", role)


@fault(GEMINI, ROLES | {"user": "user"})
def role_of_calls(p: Payload, role: Any) -> None:
    put(p.some(p.calls()).turn, "role", role)


@fault(GEMINI, ROLES | {"model": "model"})
def role_of_results(p: Payload, role: Any) -> None:
    put(p.some(p.results()).element, "role", role)


PARTS: Json = {
    "null": None,
    "absent": ABSENT,
    "empty": [],
    "text": "hello",
    "part": {"text": "hello"},
    "texts": ["hello", "there"],
    "null part": [None],
    "empty part": [{}],
    "list": [[]],
    "number": 7,
}


@fault(GEMINI, PARTS)
def parts_of_a_user(p: Payload, value: Any) -> None:
    put(p.some(p.plain("user")), "parts", value)


@fault(GEMINI, PARTS)
def parts_of_a_model(p: Payload, value: Any) -> None:
    put(p.some(p.plain("assistant")), "parts", value)


SAID: Json = {
    "none": {},
    "null": None,
    "plain": "hello",
    "list": [],
    "null text": {"text": None},
    "number": {"text": 7},
    "texts": {"text": ["hello"]},
    "empty": {"text": ""},
    "blank": {"text": " \n"},
    "typed": {"type": "text", "text": "hello"},
    "unknown": {"hologram": {"a": 1}},
    "only an unknown word": {"x_trace": "a"},
    "text and unknown": {"text": "hello", "x_trace": {"a": 1}},
    "null call": {"functionCall": None},
    "null beside text": {"text": "hello", "functionCall": None},
    "text and call": {"text": "hello", **call("look")},
    "text and image": {"text": "hello", **inline("image/png", PNG)},
    "image and file": {
        **inline("image/png", PNG),
        "fileData": {"fileUri": "https://example.com/a.png", "mimeType": "image/png"},
    },
    "call and result": call("look") | got("look", {"output": "a"}),
    "film without a film": {"videoMetadata": {"startOffset": "1s"}},
    "film beside text": {"text": "hello", "videoMetadata": {"startOffset": "1s"}},
    "code as text": {"executableCode": "print(1)"},
    "null code": {"executableCode": None},
    "code without language": {"executableCode": {"code": "print(1)"}},
    "result of code": {"codeExecutionResult": {"outcome": "OUTCOME_OK"}},
    "unknown outcome": {"codeExecutionResult": {"outcome": "FINE", "output": "1"}},
}


@fault(GEMINI, SAID)
def part_of_a_user(p: Payload, value: Any) -> None:
    add(p, value)


@fault(GEMINI, SAID)
def part_of_a_model(p: Payload, value: Any) -> None:
    add(p, value, "assistant")


@fault(GEMINI)
def parts_in_contents_of_their_own(p: Payload) -> None:
    turn = p.some([turn for _, turn in p.roles() if len(p.blocks(turn)) > 1])
    at = p.at(turn)
    p.elements[at : at + 1] = [{"role": turn.get("role"), "parts": [part]} for part in turn["parts"]]


CONTENTS: Json = {"text": "hello", "texts": ["hello"], "object": {}, "null": None, "absent": ABSENT}


@fault(GEMINI, CONTENTS | {"content": {"role": "user", "parts": [{"text": "hello"}]}, "number": 7})
def the_list(p: Payload, value: Any) -> None:
    put(p.body, "contents", value)


ELEMENTS: Json = {
    "null": None,
    "empty": {},
    "text": "hello",
    "part": {"text": "hello"},
    "list": [],
    "candidate": {"content": {"role": "model", "parts": [{"text": "hello"}]}, "finishReason": "STOP", "index": 0},
    "reply": {"candidates": [{"content": {"role": "model", "parts": [{"text": "hello"}]}}], "usageMetadata": {}},
    "openai": {"role": "user", "content": "hello"},
}


@fault(GEMINI, ELEMENTS)
def element(p: Payload, value: Any) -> None:
    p.insert(p.dice.randrange(len(p.elements) + 1), held(value))


# --- Calls and results ---


@fault(GEMINI, {"user": "user", "assistant": "assistant"})
def call_without_a_result(p: Payload, role: str) -> None:
    add(p, call("look", None, {"q": p.word()}), role)


@fault(GEMINI)
def result_of_a_model(p: Payload) -> None:
    p.blocks(p.some(p.calls()).turn).append(p.take(p.some(p.results())))


@fault(GEMINI, {"before": 0, "behind": 99})
def words_beside_results(p: Payload, at: int) -> None:
    p.some(p.results()).siblings.insert(at, {"text": f"Here {p.word()}"})


@fault(GEMINI)
def results_in_two_contents(p: Payload) -> None:
    last = p.results_of(p.parallel())[-1]
    index = p.at(last.element)
    p.insert(index + 1, p.result_element(p.take(last)))


@fault(GEMINI)
def result_too_many(p: Payload) -> None:
    result = p.some(p.results())
    result.siblings.append(got(result.inner.get("name"), {"output": f"again {p.word()}"}))


NAMES: Json = {"absent": ABSENT, "null": None, "empty": "", "another": "nobody", "number": 7}


@fault(GEMINI, NAMES)
def name_of_a_result(p: Payload, name: Any) -> None:
    put(p.some(p.results()).inner, "name", name)


@fault(GEMINI)
def names_of_two_results_exchanged(p: Payload) -> None:
    first, second = p.results_of(p.parallel())[:2]
    first.inner["name"], second.inner["name"] = second.inner["name"], first.inner["name"]


@fault(GEMINI, {"call": "calls", "result": "results"})
def id_on_one_side(p: Payload, side: str) -> None:
    """Only the call, or only the result, keeps its id."""
    calls = p.some([[one] for one in p.calls() if one.id])
    for one in calls if side == "results" else p.results_of(calls):
        one.id = ABSENT


@fault(GEMINI)
def no_ids_at_all(p: Payload) -> None:
    if not any(one.id for one in p.calls()):
        raise NoPlaceError
    for one in [*p.calls(), *p.results()]:
        one.id = ABSENT


RESPONSES: Json = {
    "absent": ABSENT,
    "null": None,
    "text": "seen",
    "json text": '{"output": "seen"}',
    "list": ["seen"],
    "number": 7,
    "empty": {},
    "null output": {"output": None},
    "empty output": {"output": ""},
    "null error": {"error": None},
    "no error": {"error": False},
    "output and error": {"output": "seen", "error": "it failed"},
    "half a character": {"output": "\ud83d"},
    "not a number": {"output": float("nan")},
}


@fault(GEMINI, RESPONSES)
def response(p: Payload, value: Any) -> None:
    put(p.some(p.results()).inner, "response", value)


BESIDE: Json = {
    "null": None,
    "empty": [],
    "text": [{"text": "a"}],
    "empty part": [{}],
    "null part": [None],
    "object": inline("image/png", PNG),
    "gif": [inline("image/gif", "R0lGODlhAQABAAAAACw=")],
    "sound": [inline("audio/wav", "UklGRiQAAABXQVZF")],
    "no type": [{"inlineData": {"data": PNG}}],
    "no data": [{"inlineData": {"mimeType": "image/png"}}],
    "declared as jpeg": [inline("image/jpeg", PNG)],
    "file": [{"fileData": {"fileUri": "gs://films/a.png", "mimeType": "image/png"}}],
    "call": [call("look")],
    "signed": [inline("image/png", PNG) | {"thoughtSignature": SIGNATURE}],
}


@fault(GEMINI, BESIDE)
def parts_of_a_result(p: Payload, value: Any) -> None:
    put(p.some(p.results()).inner, "parts", value)


@fault(GEMINI)
def parts_of_a_failed_result(p: Payload) -> None:
    result = p.some(p.results())
    p.failed(result)
    result.inner["parts"] = [inline("image/png", PNG)]


WAITS: Json = {"partialArgs": [], "willContinue": True, "partial_args": [{"jsonPath": "$.q", "stringValue": "x"}]}


@fault(GEMINI, {key: (key, value) for key, value in WAITS.items()})
def piece_of_a_call(p: Payload, pair: tuple[str, Any]) -> None:
    put(p.some(p.calls()).inner, *pair)


@fault(GEMINI, {"scheduling": "SILENT", "willContinue": False})
def key_of_a_live_result(p: Payload, value: Any) -> None:
    put(p.some(p.results()).inner, "willContinue" if value is False else "scheduling", value)


# --- Thoughts and signatures ---

FLAGS: Json = {"true": True, "false": False, "text": "yes", "null": None, "number": 1}


@fault(GEMINI, FLAGS)
def thought_of_a_user(p: Payload, flag: Any) -> None:
    add(p, {"text": f"so {p.word()}", "thought": flag})


@fault(GEMINI, FLAGS)
def thought_of_a_model(p: Payload, flag: Any) -> None:
    add(p, {"text": f"so {p.word()}", "thought": flag}, "assistant")


@fault(GEMINI, {"call": True, "nothing": False})
def thought_without_words(p: Payload, of_a_call: bool) -> None:
    if of_a_call:
        p.some(p.calls()).node["thought"] = True
    else:
        add(p, {"thought": True}, "assistant")


@fault(GEMINI)
def only_thoughts(p: Payload) -> None:
    p.some(p.plain("assistant"))["parts"] = [{"text": f"so {p.word()}", "thought": True}]


WORDS: Json = {"null": None, "empty": "", "no base64": "not base64!", "number": 7, "absent": ABSENT}


@fault(GEMINI, WORDS)
def signature(p: Payload, value: Any) -> None:
    holder, key = p.some(signed(p))
    put(holder, key, value)


@fault(GEMINI)
def no_signatures(p: Payload) -> None:
    if not signed(p):
        raise NoPlaceError
    for holder, key in signed(p):
        del holder[key]


@fault(GEMINI)
def no_signature_on_the_last_step(p: Payload) -> None:
    turn = p.calls()[-1].turn if p.calls() else {}
    first = next((part for part in turn.get("parts", []) if any(key in part for key in SIGNATURES)), None)
    if first is None:
        raise NoPlaceError
    for key in SIGNATURES:
        first.pop(key, None)


@fault(GEMINI)
def signature_on_the_second_call(p: Payload) -> None:
    calls = p.parallel()
    for key in SIGNATURES:
        if key in calls[0].node:
            calls[1].node[key] = calls[0].node.pop(key)


@fault(GEMINI)
def signature_of_a_user(p: Payload) -> None:
    add(p, {"text": f"so {p.word()}", "thoughtSignature": SIGNATURE})


@fault(GEMINI)
def signature_of_a_result(p: Payload) -> None:
    p.some(p.results()).node["thoughtSignature"] = SIGNATURE


@fault(GEMINI)
def signature_alone(p: Payload) -> None:
    add(p, {"thoughtSignature": SIGNATURE}, "assistant")


@fault(GEMINI)
def signature_of_no_words(p: Payload) -> None:
    add(p, {"text": "", "thoughtSignature": SIGNATURE}, "assistant")


# --- Spelling ---


@fault(GEMINI)
def call_in_both_spellings(p: Payload) -> None:
    node = p.some(p.calls()).node
    other = "function_call" if "functionCall" in node else "functionCall"
    node[other] = held(call("look", None, {"q": p.word()}))["functionCall"]


@fault(GEMINI)
def result_in_both_spellings(p: Payload) -> None:
    node = p.some(p.results()).node
    other = "function_response" if "functionResponse" in node else "functionResponse"
    node[other] = held(node[of(node, RESULTS) or ""])


@fault(GEMINI)
def signature_in_both_spellings(p: Payload) -> None:
    holder, key = p.some(signed(p))
    holder[SIGNATURES[SIGNATURES.index(key) - 1]] = SIGNATURE


@fault(GEMINI, {"same": "image/png", "another": "image/jpeg"})
def type_in_both_spellings(p: Payload, kind: str) -> None:
    add(p, {"inlineData": {"mimeType": "image/png", "mime_type": kind, "data": PNG}})


@fault(GEMINI)
def data_in_both_spellings(p: Payload) -> None:
    add(
        p,
        {"inlineData": {"mimeType": "image/png", "data": PNG}, "inline_data": {"mime_type": "image/png", "data": PNG}},
    )


@fault(GEMINI, {"null": None, "words": {"parts": [{"text": "Be long."}]}})
def system_in_both_spellings(p: Payload, value: Any) -> None:
    for key in ("systemInstruction", "system_instruction"):
        p.body.setdefault(key, held(value))


@fault(GEMINI)
def spelling_of_one_part(p: Payload) -> None:
    node = p.some(p.calls()).node
    for key, other in (("functionCall", "function_call"), ("thoughtSignature", "thought_signature")):
        if key in node:
            node[other] = node.pop(key)


# --- Media ---


def blob(kind: Any, data: Any) -> Json:
    made: Json = {}
    put(made, "mimeType", kind)
    put(made, "data", data)
    return made


BLOBS: Json = {
    "no type": blob(ABSENT, PNG),
    "null type": blob(None, PNG),
    "empty type": blob("", PNG),
    "number for type": blob(7, PNG),
    "word for type": blob("png", PNG),
    "jpg": blob("image/jpg", "/9j/4AAQ"),
    "capitals": blob("IMAGE/PNG", PNG),
    "parameter": blob("image/png; a=b", PNG),
    "declared as jpeg": blob("image/jpeg", PNG),
    "gif": blob("image/gif", "R0lGODlhAQABAAAAACw="),
    "svg": blob("image/svg+xml", "PHN2Zy8+"),
    "octets": blob("application/octet-stream", "AAAA"),
    "word file": blob("application/msword", "0M8R4KGxGuE="),
    "plain text": blob("text/plain", "aGVsbG8="),
    "markdown": blob("text/markdown", "aGVsbG8="),
    "midi": blob("audio/midi", "TVRoZA=="),
    "film": blob("video/mp4", "AAAAIGZ0eXBpc29t"),
    "absent": blob("image/png", ABSENT),
    "null": blob("image/png", None),
    "empty": blob("image/png", ""),
    "number": blob("image/png", 7),
    "no base64": blob("image/png", "not base64!"),
    "url-safe": blob("image/png", "iVBORw0KGgo_-_8="),
    "broken padding": blob("image/png", PNG.rstrip("=")),
    "line breaks": blob("image/png", PNG[:20] + "\n" + PNG[20:]),
    "data url": blob("image/png", f"data:image/png;base64,{PNG}"),
    "pdf": blob("application/pdf", PDF),
    "null name": blob("application/pdf", PDF) | {"displayName": None},
    "extra": blob("application/pdf", PDF) | {"x_trace": "a"},
    "text": PNG,
    "nothing": None,
}


@fault(GEMINI, BLOBS)
def data_of_a_user(p: Payload, value: Any) -> None:
    add(p, {"inlineData": value})


FILES: Json = {
    "no address": {"mimeType": "image/png"},
    "null address": {"fileUri": None, "mimeType": "image/png"},
    "empty address": {"fileUri": "", "mimeType": "image/png"},
    "number": {"fileUri": 7, "mimeType": "image/png"},
    "no type": {"fileUri": "https://example.com/a.png"},
    "null type": {"fileUri": "https://example.com/a.png", "mimeType": None},
    "empty type": {"fileUri": "https://example.com/a.png", "mimeType": ""},
    "strange type": {"fileUri": "https://example.com/a.gif", "mimeType": "image/gif"},
    "path": {"fileUri": "/tmp/a.png", "mimeType": "image/png"},
    "bucket": {"fileUri": "gs://films/a.png", "mimeType": "image/png"},
    "data url": {"fileUri": f"data:image/png;base64,{PNG}", "mimeType": "image/png"},
    "file of the service": {"fileUri": "https://generativelanguage.googleapis.com/v1beta/files/a"},
    "text": "https://example.com/a.png",
}


@fault(GEMINI, FILES)
def file_of_a_user(p: Payload, value: Any) -> None:
    add(p, {"fileData": value})


@fault(GEMINI)
def image_of_a_model(p: Payload) -> None:
    add(p, p.image(), "assistant")


# --- Around the contents ---

SYSTEMS: Json = {
    "null": None,
    "text": "Be brief.",
    "empty text": "",
    "texts": ["Be brief.", "Be kind."],
    "list of parts": [{"text": "Be brief."}],
    "part": {"text": "Be brief."},
    "empty": {},
    "no parts": {"parts": []},
    "null parts": {"parts": None},
    "one part": {"parts": {"text": "Be brief."}},
    "empty part": {"parts": [{}]},
    "no words": {"parts": [{"text": ""}]},
    "blank words": {"parts": [{"text": " "}]},
    "empty words beside": {"parts": [{"text": ""}, {"text": "Be brief."}]},
    "null words": {"parts": [{"text": None}]},
    "role": {"role": "system", "parts": [{"text": "Be brief."}]},
    "image": {"parts": [{"text": "Be brief."}, inline("image/png", PNG)]},
    "only an image": {"parts": [inline("image/png", PNG)]},
    "thought": {"parts": [{"text": "Be brief.", "thought": True}]},
    "signed": {"parts": [{"text": "Be brief.", "thoughtSignature": SIGNATURE}]},
    "number": 7,
    "extra": {"parts": [{"text": "Be brief."}], "x_trace": "a"},
}


@fault(GEMINI, SYSTEMS)
def system(p: Payload, value: Any) -> None:
    p.body.pop("system_instruction", None)
    put(p.body, "systemInstruction", value)


TOOLS: Json = {
    "null": None,
    "empty": [],
    "object": declarations("look"),
    "empty entry": [{}],
    "null entry": [None],
    "no declarations": [{"functionDeclarations": []}],
    "null declarations": [{"functionDeclarations": None}],
    "one declaration": [{"functionDeclarations": {"name": "look"}}],
    "null declaration": [{"functionDeclarations": [None]}],
    "bare": [{"name": "look", "description": "To look."}],
    "anthropic": [{"name": "look", "description": "To look.", "input_schema": {"type": "object"}}],
    "openai": [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}],
    "unknown": [{"hologram": {}}],
    "null search": [{"googleSearch": None}],
    "text": ["look"],
    "both spellings": [declarations("look") | {"function_declarations": [{"name": "find"}]}],
}


@fault(GEMINI, TOOLS)
def tools(p: Payload, value: Any) -> None:
    put(p.body, "tools", value)


DECLARATIONS: Json = {
    "no name": {"description": "To look."},
    "null name": {"name": None},
    "bad name": {"name": "look up"},
    "digit first": {"name": "3d"},
    "dot": {"name": "srv.look"},
    "129 characters": {"name": "n" * 129},
    "null description": {"name": "other", "description": None},
    "number description": {"name": "other", "description": 7},
    "no schema": {"name": "other"},
    "null schema": {"name": "other", "parametersJsonSchema": None},
    "text schema": {"name": "other", "parametersJsonSchema": "{}"},
    "empty schema": {"name": "other", "parametersJsonSchema": {}},
    "schema of text": {"name": "other", "parametersJsonSchema": {"type": "string"}},
    "two schemas": {"name": "other", "parameters": {"type": "OBJECT"}, "parametersJsonSchema": {"type": "object"}},
    "schema of another": {"name": "other", "input_schema": {"type": "object"}},
    "unknown type": {"name": "other", "parameters": {"type": "HOLOGRAM"}},
    "unknown word": {"name": "other", "parameters": {"type": "OBJECT", "oneOf": []}},
    "unknown behaviour": {"name": "other", "behavior": "LAZY"},
    "unknown key": {"name": "other", "x_trace": "a"},
}


@fault(GEMINI, DECLARATIONS)
def declaration(p: Payload, value: Any) -> None:
    p.some(p.tools())
    p.body["tools"].append({"functionDeclarations": [held(value)]})


@fault(GEMINI)
def declaration_twice(p: Payload) -> None:
    name = p.some(p.tools())["name"]
    p.body["tools"].append(declarations(name))


CONFIGS: Json = {
    "null": None,
    "empty": {},
    "null inside": {"functionCallingConfig": None},
    "empty inside": {"functionCallingConfig": {}},
    "null mode": {"functionCallingConfig": {"mode": None}},
    "small mode": {"functionCallingConfig": {"mode": "auto"}},
    "unknown mode": {"functionCallingConfig": {"mode": "SOMETIMES"}},
    "number": {"functionCallingConfig": {"mode": 1}},
    "text": "AUTO",
    "text inside": {"functionCallingConfig": "ANY"},
    "openai": {"type": "function", "function": {"name": "look"}},
    "unknown tool": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["nobody"]}},
    "no tools": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": []}},
    "one name": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": "look"}},
    "names for auto": {"functionCallingConfig": {"mode": "AUTO", "allowedFunctionNames": ["look"]}},
    "names for none": {"functionCallingConfig": {"mode": "NONE", "allowedFunctionNames": ["look"]}},
    "validated": {"functionCallingConfig": {"mode": "VALIDATED"}},
    "both spellings": {"functionCallingConfig": {"mode": "ANY"}, "function_calling_config": {"mode": "NONE"}},
    "unknown key": {"functionCallingConfig": {"mode": "AUTO"}, "x_trace": "a"},
}


@fault(GEMINI, CONFIGS)
def configuration(p: Payload, value: Any) -> None:
    p.some(p.tools())
    p.body.pop("tool_config", None)
    put(p.body, "toolConfig", value)


@fault(GEMINI)
def configuration_without_tools(p: Payload) -> None:
    if p.calls():
        raise NoPlaceError
    p.body.pop("tools", None)
    p.body["toolConfig"] = {"functionCallingConfig": {"mode": "AUTO"}}


@fault(GEMINI)
def raw_bytes(p: Payload) -> None:
    """In the SDK's form."""
    add(p, {"inlineData": {"mimeType": "image/png", "data": b"\x89PNG\r\n\x1a\n"}})
