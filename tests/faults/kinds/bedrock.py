"""Faults that only Converse can have: unions with no member or two, document names, marks, the tools' configuration."""

from typing import Any

from faults.fault import fault
from faults.payload import ABSENT, PDF, PNG, Json, NoPlaceError, Payload, put
from faults.payload.bedrock import CACHE, IMAGE, THOUGHT, document, got, specs, use

BEDROCK = "bedrock"


def held(value: Any) -> Any:
    """A copy, so that two cases never share one."""
    holder: Json = {}
    put(holder, "it", value)
    return holder.get("it")


def add(p: Payload, block: Any, role: str = "user") -> None:
    """Puts a block before or after a turn's content."""
    blocks = p.blocks(p.some(p.plain(role)))
    blocks.insert(p.dice.choice([0, 99]), held(block))


# --- Blocks ---

BLOCKS: Json = {
    "none": {},
    "null": None,
    "text": "hello",
    "list": [],
    "null text": {"text": None},
    "typed": {"type": "text", "text": "hello"},
    "only a type": {"type": "text"},
    "unknown": {"hologram": {"a": 1}},
    "text and image": {"text": "hello", **IMAGE},
    "text and mark": {"text": "hello", **CACHE},
    "text and call": {"text": "hello", **use("look", "tooluse_both")},
    "image and document": {**IMAGE, **document("both")},
    "null beside text": {"text": "hello", "image": None},
    "null image": {"image": None},
    "text in a list": {"text": ["hello"]},
    "number": {"text": 7},
    "empty": {"text": ""},
    "blank": {"text": " \n"},
}


@fault(BEDROCK, BLOCKS)
def block_of_a_user(p: Payload, value: Any) -> None:
    add(p, value)


@fault(BEDROCK, BLOCKS)
def block_of_an_assistant(p: Payload, value: Any) -> None:
    add(p, value, "assistant")


CONTENTS: Json = {
    "null": None,
    "absent": ABSENT,
    "empty": [],
    "text": "hello",
    "block": {"text": "hello"},
    "texts": ["hello"],
    "number": 7,
}


@fault(BEDROCK, CONTENTS)
def content_of_a_user(p: Payload, value: Any) -> None:
    put(p.some(p.plain("user")), "content", value)


@fault(BEDROCK, CONTENTS)
def content_of_an_assistant(p: Payload, value: Any) -> None:
    put(p.some(p.plain("assistant")), "content", value)


ROLES: Json = {
    "tool": "tool",
    "system": "system",
    "model": "model",
    "capital": "User",
    "empty": "",
    "null": None,
    "absent": ABSENT,
    "number": 1,
}


@fault(BEDROCK, ROLES)
def role_of_words(p: Payload, role: Any) -> None:
    put(p.some(p.plain("user", "assistant")), "role", role)


@fault(BEDROCK, ROLES | {"user": "user"})
def role_of_calls(p: Payload, role: Any) -> None:
    put(p.some(p.calls()).turn, "role", role)


@fault(BEDROCK, ROLES | {"assistant": "assistant"})
def role_of_results(p: Payload, role: Any) -> None:
    put(p.some(p.results()).element, "role", role)


@fault(BEDROCK, {"first": 0, "second": 1, "last": 99})
def system_turn(p: Payload, at: int) -> None:
    p.insert(at, p.message("system", f"Mind {p.word()}."))


# --- Calls and results ---


@fault(BEDROCK)
def call_of_a_user(p: Payload) -> None:
    add(p, use("look", "tooluse_user"))


@fault(BEDROCK)
def result_of_an_assistant(p: Payload) -> None:
    p.blocks(p.some(p.calls()).turn).append(p.take(p.some(p.results())))


@fault(BEDROCK)
def words_before_results(p: Payload) -> None:
    p.some(p.results()).siblings.insert(0, {"text": f"Here {p.word()}"})


@fault(BEDROCK)
def results_in_two_turns(p: Payload) -> None:
    last = p.results_of(p.parallel())[-1]
    index = p.at(last.element)
    p.insert(index + 1, p.result_element(p.take(last)))


@fault(BEDROCK)
def results_alone_and_words_behind(p: Payload) -> None:
    element = p.some(p.results()).element
    p.insert(p.at(element) + 1, p.message("user", f"And {p.word()}"))


@fault(BEDROCK, {"reply": "tool_use", "null": None, "number": 7})
def type_of_a_call(p: Payload, value: Any) -> None:
    put(p.some(p.calls()).inner, "type", value)


@fault(BEDROCK, {"reply": "tool_result", "null": None, "number": 7})
def type_of_a_result(p: Payload, value: Any) -> None:
    put(p.some(p.results()).inner, "type", value)


@fault(BEDROCK, {"call": "toolUse", "result": "toolResult"})
def null_inside(p: Payload, key: str) -> None:
    add(p, {key: None})


RESULTS: Json = {
    "no blocks": [],
    "null": None,
    "absent": ABSENT,
    "empty text": [{"text": ""}],
    "blank text": [{"text": " "}],
    "empty text beside": [{"text": ""}, {"text": "a"}],
    "empty object": [{}],
    "null text": [{"text": None}],
    "null json": [{"json": None}],
    "json text": [{"json": "a"}],
    "json list": [{"json": [1]}],
    "json number": [{"json": 7}],
    "text and json": [{"text": "a", "json": {}}],
    "plain text": "a",
    "plain object": {"text": "a"},
    "number": [{"text": 7}],
    "typed block": [{"type": "text", "text": "a"}],
    "null block": [None],
    "list of texts": ["a"],
    "mark": [{"text": "a"}, CACHE],
    "call": [use("look", "tooluse_in")],
    "result": [got("tooluse_in", {"text": "a"})],
    "reasoning": [THOUGHT],
    "guard": [{"guardContent": {"text": {"text": "a"}}}],
    "sound": [{"audio": {"format": "wav", "source": {"bytes": "UklGRiQAAABXQVZF"}}}],
    "unknown": [{"hologram": {"a": 1}}],
    "jpg": [{"image": {"format": "jpg", "source": {"bytes": "/9j/4AAQ"}}}],
    "paper with a dot": [document("a.pdf")],
}


@fault(BEDROCK, RESULTS)
def result_content(p: Payload, value: Any) -> None:
    put(p.some(p.results()).inner, "content", value)


@fault(BEDROCK, {"capitals": "Success", "unknown": "done", "null": None, "empty": "", "true": True})
def result_status(p: Payload, value: Any) -> None:
    put(p.some(p.results()).inner, "status", value)


# --- Media ---

NAMES: Json = {
    "dot": "a.pdf",
    "underscore": "a_b",
    "two spaces": "a  b",
    "space before": " a",
    "space behind": "a ",
    "newline": "a\nb",
    "unicode": "příloha",
    "wide": "報告書",
    "empty": "",
    "blank": " ",
    "absent": ABSENT,
    "null": None,
    "number": 7,
    "201 characters": "n" * 201,
}


@fault(BEDROCK, NAMES)
def document_name(p: Payload, name: Any) -> None:
    block = document("a")
    put(block["document"], "name", name)
    p.blocks(p.some(p.plain("user"))).append(block)


@fault(BEDROCK, {"in one": 0, "in another": -1})
def document_name_twice(p: Payload, at: int) -> None:
    turns = p.plain("user")
    p.blocks(p.some(turns)).append(document("same"))
    p.blocks(turns[at]).append(document("same", text=f"said {p.word()}"))


@fault(BEDROCK)
def document_name_of_a_result_again(p: Payload) -> None:
    p.some(p.results()).inner["content"] = [document("same")]
    p.blocks(p.some(p.plain("user"))).append(document("same"))


@fault(
    BEDROCK, {"alone": [document("a")], "with an image": [document("a"), IMAGE], "with a mark": [document("a"), CACHE]}
)
def document_without_words(p: Payload, blocks: Any) -> None:
    put(p.some(p.plain("user")), "content", blocks)


@fault(BEDROCK)
def document_beside_results(p: Payload) -> None:
    p.some(p.results()).siblings.append(document("a"))


MEDIA: Json = {
    "image": IMAGE,
    "document": document("a"),
    "video": {"video": {"format": "mp4", "source": {"bytes": "AAAAIGZ0eXBpc29t"}}},
    "sound": {"audio": {"format": "wav", "source": {"bytes": "UklGRiQAAABXQVZF"}}},
}


@fault(BEDROCK, MEDIA)
def media_of_an_assistant(p: Payload, block: Any) -> None:
    add(p, block, "assistant")


@fault(BEDROCK, MEDIA)
def only_media_of_an_assistant(p: Payload, block: Any) -> None:
    put(p.some(p.plain("assistant")), "content", [block])


def image(kind: Any, data: Any) -> Json:
    made: Json = {"source": {}}
    put(made, "format", kind)
    put(made["source"], "bytes", data)
    return {"image": made}


IMAGES: Json = {
    "jpg": image("jpg", "/9j/4AAQ"),
    "tiff": image("tiff", "SUkqAA=="),
    "capitals": image("PNG", PNG),
    "media type": image("image/png", PNG),
    "no format": image(ABSENT, PNG),
    "null format": image(None, PNG),
    "declared as jpeg": image("jpeg", PNG),
    "pdf": image("pdf", PDF),
    "empty": image("png", ""),
    "null": image("png", None),
    "number": image("png", 7),
    "octets": image("png", [1, 2]),
    "no base64": image("png", "not base64!"),
    "url-safe": image("png", "iVBORw0KGgo_-_8="),
    "broken padding": image("png", PNG.rstrip("=")),
    "line breaks": image("png", PNG[:20] + "\n" + PNG[20:]),
    "data url": image("png", f"data:image/png;base64,{PNG}"),
    "no source": {"image": {"format": "png"}},
    "null source": {"image": {"format": "png", "source": None}},
    "empty source": {"image": {"format": "png", "source": {}}},
    "text source": {"image": {"format": "png", "source": PNG}},
    "two sources": {"image": {"format": "png", "source": {"bytes": PNG, "s3Location": {"uri": "s3://films/a.png"}}}},
    "flat": {"image": {"format": "png", "bytes": PNG}},
    "words": {"image": {"format": "png", "source": {"text": "a picture"}}},
    "web": {"image": {"format": "png", "source": {"s3Location": {"uri": "https://example.com/a.png"}}}},
    "no bucket": {"image": {"format": "png", "source": {"s3Location": {"uri": "s3://"}}}},
    "short bucket": {"image": {"format": "png", "source": {"s3Location": {"uri": "s3://b/a.png"}}}},
    "capital bucket": {"image": {"format": "png", "source": {"s3Location": {"uri": "s3://Films/a.png"}}}},
    "no address": {"image": {"format": "png", "source": {"s3Location": {}}}},
    "plain address": {"image": {"format": "png", "source": {"s3Location": "s3://films/a.png"}}},
    "strange owner": {
        "image": {"format": "png", "source": {"s3Location": {"uri": "s3://films/a.png", "bucketOwner": "me"}}}
    },
    "error": {"image": {"format": "png", "source": {"bytes": PNG}, "error": {"message": "too large"}}},
}


@fault(BEDROCK, IMAGES)
def image_of_a_user(p: Payload, block: Any) -> None:
    add(p, block)


def paper(**source: Any) -> Json:
    return document("a paper", **source)


PAPERS: Json = {
    "empty text": paper(text=""),
    "blank text": paper(text=" "),
    "null text": paper(text=None),
    "no blocks": paper(content=[]),
    "empty block": paper(content=[{"text": ""}]),
    "blocks": paper(content=[{"text": "said"}]),
    "text and bytes": paper(text="said", bytes=PDF),
    "no pdf": paper(bytes=PNG),
    "docx": {"document": {"format": "docx", "name": "a", "source": {"bytes": "UEsDBBQ="}}},
    "unknown": {"document": {"format": "odt", "name": "a", "source": {"bytes": "UEsDBBQ="}}},
    "no format": {"document": {"name": "a", "source": {"bytes": PDF}}},
    "null citations": {"document": {"format": "pdf", "name": "a", "source": {"bytes": PDF}, "citations": None}},
    "citations without a word": {"document": {"format": "pdf", "name": "a", "source": {"bytes": PDF}, "citations": {}}},
    "empty context": {"document": {"format": "pdf", "name": "a", "source": {"bytes": PDF}, "context": ""}},
}


@fault(BEDROCK, PAPERS)
def paper_of_a_user(p: Payload, block: Any) -> None:
    p.blocks(p.some(p.plain("user"))).append(held(block))


FILMS: Json = {
    "unknown": {"video": {"format": "avi", "source": {"bytes": "AAAA"}}},
    "media type": {"video": {"format": "video/mp4", "source": {"bytes": "AAAAIGZ0eXBpc29t"}}},
    "3gp": {"video": {"format": "3gp", "source": {"bytes": "AAAAIGZ0eXAzZ3A0"}}},
    "no source": {"video": {"format": "mp4"}},
    "sound": {"audio": {"format": "midi", "source": {"bytes": "TVRoZA=="}}},
}


@fault(BEDROCK, FILMS)
def film_of_a_user(p: Payload, block: Any) -> None:
    add(p, block)


# --- Marks, guards, citations, reasoning ---


@fault(BEDROCK, {"first": 0, "last": 99})
def mark_beside_words(p: Payload, at: int) -> None:
    p.blocks(p.some(p.turns("user"))).insert(at, held(CACHE))


MARKS: Json = {
    "null": {"cachePoint": None},
    "empty": {"cachePoint": {}},
    "unknown type": {"cachePoint": {"type": "forever"}},
    "unknown time": {"cachePoint": {"type": "default", "ttl": "2h"}},
    "anthropic": {"cache_control": {"type": "ephemeral"}},
}


@fault(BEDROCK, MARKS)
def mark(p: Payload, block: Any) -> None:
    p.blocks(p.some(p.turns("user"))).append(held(block))


@fault(BEDROCK, {"user": "user", "assistant": "assistant"})
def only_a_mark(p: Payload, role: str) -> None:
    put(p.some(p.plain(role)), "content", [CACHE])


@fault(BEDROCK)
def marks_too_many(p: Payload) -> None:
    blocks = p.blocks(p.some(p.plain("user")))
    for _ in range(5):
        blocks += [{"text": f"And {p.word()}"}, held(CACHE)]


@fault(BEDROCK)
def mark_before_results(p: Payload) -> None:
    p.some(p.results()).siblings.insert(0, held(CACHE))


GUARDS: Json = {
    "null": None,
    "empty": {},
    "plain text": {"text": "safe?"},
    "no text": {"text": {}},
    "empty text": {"text": {"text": ""}},
    "unknown qualifier": {"text": {"text": "safe?", "qualifiers": ["all"]}},
    "image": {"image": {"format": "png", "source": {"bytes": PNG}}},
    "gif": {"image": {"format": "gif", "source": {"bytes": "R0lGODlhAQABAAAAACw="}}},
    "both": {"text": {"text": "safe?"}, "image": {"format": "png", "source": {"bytes": PNG}}},
}


@fault(BEDROCK, GUARDS)
def guard(p: Payload, value: Any) -> None:
    add(p, {"guardContent": value})


@fault(BEDROCK)
def guard_of_an_assistant(p: Payload) -> None:
    add(p, {"guardContent": {"text": {"text": f"safe {p.word()}"}}}, "assistant")


CITED: Json = {
    "null": None,
    "empty": {},
    "null content": {"content": None, "citations": []},
    "no content": {"content": [], "citations": []},
    "no citations": {"content": [{"text": "so"}]},
    "null citations": {"content": [{"text": "so"}], "citations": None},
    "empty text": {"content": [{"text": ""}], "citations": [{"title": "a"}]},
    "two texts": {"content": [{"text": "so"}, {"text": " it is"}], "citations": [{"title": "a"}]},
    "plain text": {"content": "so", "citations": []},
}


@fault(BEDROCK, CITED)
def cited(p: Payload, value: Any) -> None:
    add(p, {"citationsContent": value}, "assistant")


@fault(BEDROCK)
def cited_by_a_user(p: Payload) -> None:
    add(p, {"citationsContent": {"content": [{"text": f"so {p.word()}"}], "citations": [{"title": "a"}]}})


FOUND: Json = {
    "null": None,
    "empty": {},
    "no citations": {"source": "s", "title": "t", "content": [{"text": "found"}]},
    "no content": {"source": "s", "title": "t", "content": [], "citations": {"enabled": True}},
}


@fault(BEDROCK, FOUND)
def search_result(p: Payload, value: Any) -> None:
    add(p, {"searchResult": value})


@fault(BEDROCK)
def search_result_of_an_assistant(p: Payload) -> None:
    found = {"source": "s", "title": "t", "content": [{"text": f"found {p.word()}"}], "citations": {"enabled": True}}
    add(p, {"searchResult": found}, "assistant")


THOUGHTS: Json = {
    "no signature": {"reasoningText": {"text": "so"}},
    "empty signature": {"reasoningText": {"text": "so", "signature": ""}},
    "null signature": {"reasoningText": {"text": "so", "signature": None}},
    "no text": {"reasoningText": {"signature": "c2ln"}},
    "null text": {"reasoningText": {"text": None, "signature": "c2ln"}},
    "empty text": {"reasoningText": {"text": "", "signature": "c2ln"}},
    "plain text": {"reasoningText": "so"},
    "hidden null": {"redactedContent": None},
    "hidden empty": {"redactedContent": ""},
    "hidden no base64": {"redactedContent": "not base64!"},
    "both": {"reasoningText": {"text": "so", "signature": "c2ln"}, "redactedContent": "aGlk"},
    "null": None,
    "empty": {},
    "anthropic": {"type": "thinking", "thinking": "so"},
}


@fault(BEDROCK, THOUGHTS)
def reasoning(p: Payload, value: Any) -> None:
    p.blocks(p.some(p.turns("assistant"))).insert(0, {"reasoningContent": held(value)})


@fault(BEDROCK)
def reasoning_of_a_user(p: Payload) -> None:
    add(p, THOUGHT)


@fault(BEDROCK)
def reasoning_last(p: Payload) -> None:
    p.elements.append(p.message("assistant", [{"text": f"Well {p.word()}"}, held(THOUGHT)]))


@fault(BEDROCK)
def only_reasoning(p: Payload) -> None:
    p.some(p.plain("assistant"))["content"] = [held(THOUGHT)]


# --- Around the messages ---

CONFIGS: Json = {
    "absent": ABSENT,
    "null": None,
    "empty": {},
    "no tools": {"tools": []},
    "null tools": {"tools": None},
    "list": specs("look"),
    "only a mark": {"tools": [CACHE]},
    "empty tool": {"tools": [{}]},
    "null tool": {"tools": [None]},
    "only a choice": {"toolChoice": {"auto": {}}},
}


@fault(BEDROCK, CONFIGS)
def configuration(p: Payload, value: Any) -> None:
    put(p.body, "toolConfig", value)


CHOICES: Json = {
    "null": None,
    "empty": {},
    "text": "auto",
    "any": {"any": {}},
    "none": {"none": {}},
    "typed": {"type": "auto"},
    "two": {"auto": {}, "any": {}},
    "null auto": {"auto": None},
    "unknown tool": {"tool": {"name": "nobody"}},
    "tool without name": {"tool": {}},
    "plain name": {"tool": "look"},
}


@fault(BEDROCK, CHOICES)
def choice(p: Payload, value: Any) -> None:
    p.some(p.tools())
    put(p.body["toolConfig"], "toolChoice", value)


SPECS: Json = {
    "no name": {"inputSchema": {"json": {"type": "object"}}},
    "bad name": {"name": "look up", "inputSchema": {"json": {"type": "object"}}},
    "long name": {"name": "n" * 65, "inputSchema": {"json": {"type": "object"}}},
    "empty description": {"name": "other", "description": "", "inputSchema": {"json": {"type": "object"}}},
    "null description": {"name": "other", "description": None, "inputSchema": {"json": {"type": "object"}}},
    "number description": {"name": "other", "description": 7, "inputSchema": {"json": {"type": "object"}}},
    "no schema": {"name": "other"},
    "empty schema": {"name": "other", "inputSchema": {}},
    "null schema": {"name": "other", "inputSchema": {"json": None}},
    "bare schema": {"name": "other", "inputSchema": {"type": "object"}},
    "schema as text": {"name": "other", "inputSchema": {"json": '{"type": "object"}'}},
    "schema without type": {"name": "other", "inputSchema": {"json": {"properties": {}}}},
    "schema of text": {"name": "other", "inputSchema": {"json": {"type": "string"}}},
    "strict": {"name": "other", "strict": True, "inputSchema": {"json": {"type": "object"}}},
    "unknown key": {"name": "other", "x_trace": "a", "inputSchema": {"json": {"type": "object"}}},
}


@fault(BEDROCK, SPECS)
def specification(p: Payload, value: Any) -> None:
    p.some(p.tools())
    p.body["toolConfig"]["tools"].append({"toolSpec": held(value)})


@fault(BEDROCK, {"flat": None, "anthropic": "input_schema", "openai": "parameters"})
def specification_of_another_dialect(p: Payload, key: str | None) -> None:
    p.some(p.tools())
    made: Json = {"name": "other", "description": f"To {p.word()}."}
    made[key or "inputSchema"] = {"type": "object"} if key else {"json": {"type": "object"}}
    p.body["toolConfig"]["tools"].append({"type": "function", "function": made} if key == "parameters" else made)


@fault(BEDROCK)
def specification_twice(p: Payload) -> None:
    name = p.some(p.tools())["name"]
    p.body["toolConfig"]["tools"] += specs(name)


@fault(BEDROCK)
def mark_of_tools_first(p: Payload) -> None:
    p.some(p.tools())
    p.body["toolConfig"]["tools"].insert(0, held(CACHE))


SYSTEMS: Json = {
    "null": None,
    "no blocks": [],
    "text": "Be brief.",
    "empty text": "",
    "block": {"text": "Be brief."},
    "texts": ["Be brief."],
    "empty block": [{"text": ""}],
    "blank block": [{"text": " "}, {"text": "Be brief."}],
    "empty object": [{}],
    "null block": [None],
    "null text": [{"text": None}],
    "only a mark": [CACHE],
    "mark first": [CACHE, {"text": "Be brief."}],
    "image": [{"text": "Be brief."}, IMAGE],
    "typed": [{"type": "text", "text": "Be brief."}],
    "guard": [{"guardContent": {"text": {"text": "Be brief."}}}],
    "number": 7,
}


@fault(BEDROCK, SYSTEMS)
def system(p: Payload, value: Any) -> None:
    put(p.body, "system", value)


@fault(BEDROCK, {"object": {}, "text": "hello", "null": None, "absent": ABSENT, "message": {"role": "user"}})
def the_list(p: Payload, value: Any) -> None:
    p.elements.clear()
    put(p.body, "messages", value)


ELEMENTS: Json = {
    "null": None,
    "empty": {},
    "text": "hello",
    "list": [],
    "output": {"output": {"message": {"role": "assistant", "content": [{"text": "hello"}]}}, "stopReason": "end_turn"},
    "message": {"message": {"role": "assistant", "content": [{"text": "hello"}]}},
}


@fault(BEDROCK, ELEMENTS)
def element(p: Payload, value: Any) -> None:
    p.insert(p.dice.randrange(len(p.elements) + 1), held(value))


@fault(BEDROCK)
def raw_bytes(p: Payload) -> None:
    """In boto3's form."""
    add(p, {"image": {"format": "png", "source": {"bytes": b"\x89PNG\r\n\x1a\n"}}})


@fault(
    BEDROCK, {"anthropic": {"role": "user", "content": [{"type": "image", "source": {"type": "base64", "data": PNG}}]}}
)
def message_of_another_dialect(p: Payload, value: Any) -> None:
    p.insert(p.dice.randrange(len(p.elements) + 1), held(value))


@fault(BEDROCK)
def every_mark_alone(p: Payload) -> None:
    if len(p.elements) < 3:
        raise NoPlaceError
    p.elements.insert(1, {"role": "user", "content": [held(CACHE)]})
