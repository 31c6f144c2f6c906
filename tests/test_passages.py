"""Text inside a document or a search result is text: one to one between Claude's formats, readable elsewhere."""

import base64
import itertools
import json
import random
import re
from typing import Any

import pytest
import turnwire as tw
from judges import gemini_interactions, wire

FOUND: Any = {
    "type": "search_result",
    "source": "https://e.x/a",
    "title": "T",
    "content": [{"type": "text", "text": "P1"}, {"type": "text", "text": "P2"}],
}
HIT: Any = {"searchResult": {"source": "https://e.x/a", "title": "T", "content": [{"text": "P1"}, {"text": "P2"}]}}
WORDS = "T\nhttps://e.x/a\nP1\nP2"
CITES: Any = {"citations": {"enabled": True}}
TEXTS: Any = ("openai", "openai-responses", "gemini", "gemini-interactions", "mistral", "cohere", "ollama")
TARGETS: Any = ("anthropic", "bedrock", *TEXTS)
GO: Any = {"type": "text", "text": "go"}
PNG: Any = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}


def coded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def asked(*blocks: Any) -> list[Any]:
    return [{"role": "user", "content": [*blocks]}]


def found_by_tool(block: Any, dialect: str) -> list[Any]:
    if dialect == "bedrock":
        call: Any = {"toolUse": {"toolUseId": "c1", "name": "f", "input": {}}}
        result: Any = {"toolResult": {"toolUseId": "c1", "content": [block]}}
        return [*asked({"text": "go"}), {"role": "assistant", "content": [call]}, *asked(result)]
    call = {"type": "tool_use", "id": "c1", "name": "f", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "c1", "content": [block]}
    return [*asked(GO), {"role": "assistant", "content": [call]}, *asked(result)]


def elements(payload: Any) -> Any:
    if isinstance(payload, list):
        return payload
    return next(payload[key] for key in ("messages", "input", "contents") if key in payload)


def judged(made: Any, target: Any) -> None:
    """No server refuses the payload: the judges say nothing."""
    body: Any = made
    if target == "gemini-interactions":
        assert not [*gemini_interactions.check(made if isinstance(made, dict) else {"input": made})]
        return
    if ":" in target:
        assert not wire.refused(target, made)
        return
    name, beside = wire.PROVIDERS[target]
    if isinstance(made, list):
        key = {"gemini": "contents", "openai-responses": "input"}.get(target, "messages")
        body = {key: made}
    tools: dict[str, Any] = {
        "anthropic": {"tools": [{"name": "f", "input_schema": {"type": "object"}}]},
        "bedrock": {
            "toolConfig": {"tools": [{"toolSpec": {"name": "f", "inputSchema": {"json": {"type": "object"}}}}]}
        },
    }
    raw = {"blobs": "raw"} if target == "bedrock" else {}
    assert not wire.errors(wire.check(name, {**beside, **tools.get(target, {}), **body}, **raw))


def strings(value: Any) -> str:
    """Every text in a payload, the texts inside JSON texts, too."""
    if isinstance(value, str):
        return value
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return "\n".join(map(strings, values))


@pytest.mark.parametrize("inside", ["a message", "a result"])
@pytest.mark.parametrize(("block", "source"), [(FOUND, "anthropic"), (HIT, "bedrock")])
@pytest.mark.parametrize("target", TARGETS)
def test_a_search_result_is_itself_or_text(target: Any, block: Any, source: Any, inside: str) -> None:
    text = {"text": "go"} if source == "bedrock" else GO
    given = asked(block, text) if inside == "a message" else found_by_tool(block, source)
    made = tw.prepare(given, target, source=source)
    judged(made.payload, target)
    own = {"anthropic": FOUND, "bedrock": HIT}.get(target)
    if own:
        assert json.dumps(own) in json.dumps(made.payload)
        assert not made.receipt.changed
    else:
        assert WORDS in strings(made.payload)
        assert [(loss.kind, loss.code) for loss in made.receipt if loss.code == "media"] == [("restated", "media")]
        assert all(loss.kind != "lost" for loss in made.receipt)
    again = tw.prepare(made.payload, target, source=target)
    assert again.payload == made.payload


@pytest.mark.parametrize(
    ("block", "source"),
    [({**FOUND, **CITES}, "anthropic"), ({"searchResult": {**HIT["searchResult"], **CITES}}, "bedrock")],
)
@pytest.mark.parametrize("target", TARGETS)
def test_a_search_result_that_is_to_be_cited(target: Any, block: Any, source: Any) -> None:
    made = tw.prepare(asked(block, {"text": "go"} if source == "bedrock" else GO), target, source=source)
    lost = [loss.code for loss in made.receipt if loss.kind == "lost"]
    assert lost == ([] if target in ("anthropic", "bedrock") else ["key"])


def test_what_the_assistant_found_is_text() -> None:
    given = [*asked({"text": "go"}), {"role": "assistant", "content": [HIT]}, *asked({"text": "go"})]
    made = tw.prepare(given, "anthropic", source="bedrock")
    assert elements(made.payload)[1] == {"role": "assistant", "content": WORDS}
    judged(made.payload, "anthropic")


def test_a_cache_mark_goes_along() -> None:
    mark = {"cache_control": {"type": "ephemeral"}}
    made = tw.prepare(asked({**FOUND, **mark}, GO), "bedrock", source="anthropic")
    assert elements(made.payload)[0]["content"] == [HIT, {"cachePoint": {"type": "default"}}, {"text": "go"}]
    back = tw.prepare(made.payload, "anthropic", source="bedrock")
    assert elements(back.payload)[0]["content"] == [{**FOUND, **mark}, GO]
    assert not made.receipt.changed
    assert not back.receipt.changed


@pytest.mark.parametrize(
    "block", [{"type": "search_result", "source": "s", "content": [GO]}, {**FOUND, "content": [PNG]}]
)
def test_what_is_no_search_result_stays_opaque(block: Any) -> None:
    made = tw.prepare(asked(block, GO), "openai", source="anthropic")
    assert [loss.code for loss in made.receipt] == ["opaque"]


# The sources of a document, and the source that Converse gets.
SOURCES: Any = {
    "text": (
        {"type": "text", "media_type": "text/plain", "data": "P1"},
        {"format": "txt", "source": {"bytes": b"P1"}},
        "P1",
    ),
    "texts": (
        {"type": "content", "content": [{"type": "text", "text": "P1"}, {"type": "text", "text": "P2"}]},
        {"source": {"content": [{"text": "P1"}, {"text": "P2"}]}},
        "P1\nP2",
    ),
}


@pytest.mark.parametrize("kind", SOURCES)
@pytest.mark.parametrize("target", ["bedrock", *TEXTS])
def test_a_document_is_itself_or_text(target: Any, kind: str) -> None:
    source, wanted, words = SOURCES[kind]
    block = {"type": "document", "source": source, "title": "A_b", "context": "C", **CITES}
    made = tw.prepare(asked(block, GO), target, source="anthropic")
    judged(made.payload, target)
    if target == "bedrock":
        held = elements(made.payload)[0]["content"][0]["document"]
        assert held == {"name": "A-b", **wanted, "context": "C", **CITES}
        assert [loss.kind for loss in made.receipt] == ["restated"]
    else:
        assert f"A_b\nC\n{words}" in strings(made.payload)
        told = {(loss.kind, loss.code) for loss in made.receipt}
        assert told - {("restated", "joined")} == {("restated", "media"), ("lost", "key")}


@pytest.mark.parametrize(
    ("held", "wanted"),
    [
        ({"source": {"text": "P1"}}, {"type": "text", "media_type": "text/plain", "data": "P1"}),
        ({"source": {"content": [{"text": "P1"}]}}, {"type": "content", "content": [{"type": "text", "text": "P1"}]}),
        (
            {"format": "md", "source": {"bytes": coded("# hi")}},
            {"type": "text", "media_type": "text/plain", "data": "# hi"},
        ),
        (
            {"format": "pdf", "source": {"bytes": coded("%PDF-1.4 x")}},
            {"type": "base64", "media_type": "application/pdf", "data": coded("%PDF-1.4 x")},
        ),
    ],
)
def test_a_document_of_converse_for_claude(held: Any, wanted: Any) -> None:
    block = {"document": {"name": "A", **held, "context": "C", **CITES}}
    made = tw.prepare(asked(block, {"text": "go"}), "anthropic", source="bedrock")
    judged(made.payload, "anthropic")
    assert elements(made.payload)[0]["content"][0] == {
        "type": "document",
        "source": wanted,
        "title": "A",
        "context": "C",
        **CITES,
    }
    assert not [loss for loss in made.receipt if loss.kind == "lost"]


@pytest.mark.parametrize("target", ["bedrock", "openai:deepseek"])
def test_images_inside_a_document_are_told(target: Any) -> None:
    source = {"type": "content", "content": [{"type": "text", "text": "P1"}, PNG, {"type": "text", "text": "P2"}]}
    made = tw.prepare(asked({"type": "document", "source": source}, GO), target, source="anthropic")
    assert {"P1", "P2"} <= set(strings(made.payload).split("\n"))
    assert ("lost", "media") in [(loss.kind, loss.code) for loss in made.receipt]
    judged(made.payload, target)


@pytest.mark.parametrize("source", ["anthropic", "bedrock"])
def test_a_document_made_of_texts_goes_home(source: Any) -> None:
    texts = [{"type": "text", "text": "P1"}] if source == "anthropic" else [{"text": "P1"}]
    block = (
        {"type": "document", "source": {"type": "content", "content": texts}}
        if source == "anthropic"
        else {"document": {"name": "a", "source": {"content": texts}}}
    )
    given = asked(block, {"text": "go"} if source == "bedrock" else GO)
    made = tw.prepare(given, source)
    assert elements(made.payload) == given
    assert not made.receipt.changed


# A citation of Claude's, and Converse's. `None`: the other has no place for it.
def place(kind: str, start: str, end: str) -> dict[str, Any]:
    return {
        "type": kind,
        "cited_text": "c",
        "document_index": 0,
        "document_title": "T",
        f"start_{start}": 1,
        f"end_{end}": 2,
    }


CITATIONS: Any = {
    "characters": (place("char_location", "char_index", "char_index"), "documentChar"),
    "pages": (place("page_location", "page_number", "page_number"), "documentPage"),
    "blocks": (place("content_block_location", "block_index", "block_index"), "documentChunk"),
}
LEFT: Any = {
    "a search result": {
        "type": "search_result_location",
        "cited_text": "c",
        "search_result_index": 0,
        "source": "s",
        "title": "T",
        "start_block_index": 0,
        "end_block_index": 1,
    },
}


def said(block: Any, text: Any) -> list[Any]:
    return [*asked(text), {"role": "assistant", "content": [block]}, *asked(text)]


@pytest.mark.parametrize("kind", CITATIONS)
def test_citations_of_documents_are_translated(kind: str) -> None:
    ours, name = CITATIONS[kind]
    text = {"type": "text", "text": "x", "citations": [ours]}
    theirs = {
        "title": "T",
        "sourceContent": [{"text": "c"}],
        "location": {name: {"documentIndex": 0, "start": 1, "end": 2}},
    }
    block = {"citationsContent": {"content": [{"text": "x"}], "citations": [theirs]}}
    there = tw.prepare(said(text, GO), "bedrock", source="anthropic")
    assert elements(there.payload)[1]["content"] == [block]
    assert not there.receipt.changed
    judged(there.payload, "bedrock")
    back = tw.prepare(said(block, {"text": "go"}), "anthropic", source="bedrock")
    assert elements(back.payload)[1]["content"] == [text]
    assert not back.receipt.changed
    judged(back.payload, "anthropic")


@pytest.mark.parametrize("target", TARGETS[1:])
@pytest.mark.parametrize("citation", [*LEFT.values(), CITATIONS["pages"][0]])
def test_a_citation_without_a_place_is_told(target: Any, citation: Any) -> None:
    text = {"type": "text", "text": "x", "citations": [citation]}
    made = tw.prepare(said(text, GO), target, source="anthropic")
    kept = target == "bedrock" and citation not in LEFT.values()
    assert ("lost", "key") in [(loss.kind, loss.code) for loss in made.receipt] or kept
    assert "x" in strings(made.payload)
    judged(made.payload, target)


URL: Any = {"type": "document", "source": {"type": "url", "url": "https://e.x/a.pdf"}}
NOTE: Any = {"type": "document", "title": "N", "source": {"type": "text", "media_type": "text/plain", "data": "note"}}


def citing(index: int) -> Any:
    return {**CITATIONS["characters"][0], "document_index": index}


@pytest.mark.parametrize(("documents", "left"), [((URL, NOTE), []), ((NOTE, URL), [0]), ((NOTE, NOTE), [0, 1])])
def test_citations_of_what_is_lost_go(documents: tuple[Any, Any], left: list[int]) -> None:
    text = {"type": "text", "text": "x", "citations": [citing(0), citing(1)]}
    given = [*asked(*documents, GO), {"role": "assistant", "content": [text]}, *asked(GO)]
    made = tw.prepare(given, "bedrock", source="anthropic")
    block = elements(made.payload)[1]["content"][0]
    cited = block.get("citationsContent", {}).get("citations", [])
    assert [one["location"]["documentChar"]["documentIndex"] for one in cited] == left
    lost = [entry.kind for entry in made.receipt if entry.code == "key" and "counts" in entry.reason]
    assert lost == ["lost"] * (len(left) < 2)
    judged(made.payload, "bedrock")


def test_citations_of_what_a_budget_drops_go() -> None:
    def turns(index: int) -> list[Any]:
        text = {"type": "text", "text": "x" * 3000, "citations": [citing(index)]}
        return [*asked(NOTE, {"type": "text", "text": "y" * 3000}), {"role": "assistant", "content": [text]}]

    given = [*asked(NOTE, GO), *turns(0)[1:], *turns(1), *turns(2), *asked(GO)]
    made = tw.prepare(given, "anthropic", 9000, source="anthropic")
    documents = json.dumps(made.payload).count('"document"')
    pointed = [
        one["document_index"]
        for turn in elements(made.payload)
        for block in turn["content"]
        for one in block.get("citations", [])
    ]
    assert documents < 3
    assert all(index < documents for index in pointed)
    assert tw.prepare(made.payload, "anthropic", 9000).payload == made.payload


def test_hidden_reasoning_goes_between_claudes_formats() -> None:
    hidden = {"type": "redacted_thinking", "data": "abc"}
    text = {"type": "text", "text": "x"}
    given = [*asked(GO), {"role": "assistant", "content": [hidden, text]}, *asked(GO)]
    there = tw.prepare(given, "bedrock", source="anthropic")
    assert elements(there.payload)[1]["content"][0] == {"reasoningContent": {"redactedContent": b"abc"}}
    coded_too = tw.prepare(given, "bedrock", source="anthropic", blobs="base64")
    assert elements(coded_too.payload)[1]["content"][0] == {"reasoningContent": {"redactedContent": coded("abc")}}
    for one in (there, coded_too):
        back = tw.prepare(one.payload, "anthropic", source="bedrock")
        assert elements(back.payload)[1]["content"] == [hidden, text]
        assert not back.receipt.changed


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("block", ["search result", "document"])
def test_a_budget_cuts_the_texts(target: Any, block: str) -> None:
    long = [{"type": "text", "text": letter * 4000} for letter in "ab"]
    made = {
        "search result": {**FOUND, "content": long},
        "document": {"type": "document", "title": "T", "source": {"type": "content", "content": long}},
    }[block]
    given = found_by_tool(made, "anthropic")
    cut = tw.prepare(given, target, source="anthropic", budget=tw.Budget(per_result=1000))
    size = len(strings(cut.payload))
    if block == "search result" or not target.startswith("gemini"):
        assert "T" in strings(cut.payload)
        assert "a" * 100 in strings(cut.payload)
    assert size < 2500
    assert "cut_result" in [entry.code for entry in cut.receipt if entry.kind != "warning"]
    judged(cut.payload, target)
    again = tw.prepare(cut.payload, target, source=target, budget=tw.Budget(per_result=1000))
    assert again.payload == cut.payload


@pytest.mark.parametrize("target", TARGETS)
def test_a_budget_cuts_the_texts_of_the_user(target: Any) -> None:
    long = {**FOUND, "content": [{"type": "text", "text": "a" * 9000}]}
    made = tw.prepare(asked(long, GO), target, source="anthropic", budget=2000)
    assert "a" * 200 in strings(made.payload)
    assert "https://e.x/a" in strings(made.payload)
    assert len(strings(made.payload)) < 2600
    judged(made.payload, target)


def some_block(rng: random.Random, count: Any) -> Any:
    texts = [{"type": "text", "text": f"word{next(count)}"} for _ in range(rng.randint(1, 3))]
    return rng.choice(
        [
            {"type": "text", "text": f"word{next(count)}"},
            {"type": "search_result", "source": f"word{next(count)}", "title": f"word{next(count)}", "content": texts},
            {"type": "document", "title": f"word{next(count)}", "source": {"type": "content", "content": texts}},
            {
                "type": "document",
                "context": f"word{next(count)}",
                "source": {"type": "text", "media_type": "text/plain", "data": f"word{next(count)}"},
            },
        ]
    )


@pytest.mark.parametrize("target", TARGETS)
def test_no_text_vanishes_untold(target: Any) -> None:
    for seed in range(60):
        rng, count = random.Random(seed), itertools.count(100)
        given: list[Any] = []
        for turn in range(rng.randint(1, 4)):
            blocks = [some_block(rng, count) for _ in range(rng.randint(1, 3))]
            given += [*asked(*blocks, GO)]
            if rng.random() < 0.5:
                call = {"type": "tool_use", "id": f"c{turn}", "name": "f", "input": {}}
                result = {"type": "tool_result", "tool_use_id": f"c{turn}", "content": [some_block(rng, count)]}
                given += [{"role": "assistant", "content": [call]}, *asked(result)]
            given.append({"role": "assistant", "content": [{"type": "text", "text": f"word{next(count)}"}]})
        given += asked(GO)
        made = tw.prepare(given, target, source="anthropic")
        judged(made.payload, target)
        held = strings(made.payload)
        held += "".join(files(made.payload))
        told = " ".join(loss.reason for loss in made.receipt if loss.kind == "lost")
        for word in sorted(set(re.findall(r"word\d+", json.dumps(given)))):
            lost = word not in held and word not in told
            assert not lost or any(loss.code in ("key", "name") for loss in made.receipt), (seed, word)
        assert tw.prepare(made.payload, target, source=target).payload == made.payload


def files(value: Any) -> list[str]:
    """The texts of the files in a payload."""
    if isinstance(value, list):
        return [one for item in value for one in files(item)]
    if not isinstance(value, dict):
        return []
    found = [value[key] for key in ("bytes", "data") if key in value]
    texts = [one if isinstance(one, bytes) else one.encode() + base64.b64decode(one + "==") for one in found]
    return [*(one.decode(errors="replace") for one in texts), *(one for item in value.values() for one in files(item))]
