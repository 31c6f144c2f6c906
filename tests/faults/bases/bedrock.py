"""Sound conversations of Converse, and their judge."""

import re
from collections.abc import Iterator
from typing import Any

from judges.problem import Problem

from faults import paths
from faults.judge import Judge
from faults.payload import Json
from faults.payload.bedrock import CACHE, IMAGE, THOUGHT, document, got, specs, use

KEYS = ("system", "messages", "toolConfig")

# Every member of the unions: a misplaced one is not an unknown block.
TYPES = {"text", "image", "document", "video", "audio", "toolUse", "toolResult", "guardContent", "cachePoint", "json"}
TYPES |= {"reasoningContent", "citationsContent", "searchResult", "toolAddition", "toolRemoval"}
STRANGER = re.compile(r'.*Unknown parameter in (\S+): "(.*)", must be one of: (.*)', re.DOTALL)
SEVERAL = re.compile(r".*(?:tagged union structure|tagged unionstructure) ([\w.\[\]]+?)[.:] .*", re.DOTALL)


def read(body: Any, told: list[Problem]) -> Iterator[Problem]:
    """The SDK's messages hold their paths. An unknown key in a union has two messages about it."""
    strange = [found for one in told if (found := STRANGER.fullmatch(one.message))]
    for one in told:
        if found := STRANGER.fullmatch(one.message):
            at, key, known = found.groups()
            holder = paths.value(body, f"$.{at}")
            alone = isinstance(holder, dict) and not set(holder) & set(known.split(", "))
            block = alone and at.endswith("]") and not at.startswith("toolConfig")
            yield Problem("unknown-block", at, key) if block else Problem("unknown-key", f"{at}.{key}", one.message)
        elif found := SEVERAL.fullmatch(one.message):
            holder = paths.value(body, f"$.{found[1]}")
            names = next((other[3].split(", ") for other in strange if other[1] == found[1]), None)
            if names is None or not isinstance(holder, dict) or len(set(holder) & set(names)) > 1:
                yield Problem("union", found[1], one.message)
        else:
            yield one


JUDGE = Judge(wire="bedrock", sdk="boto3", types=TYPES, read=read)

FILM = {
    "video": {"format": "mp4", "source": {"s3Location": {"uri": "s3://films/a.mp4", "bucketOwner": "123456789012"}}}
}
SOUND = {"audio": {"format": "wav", "source": {"bytes": "UklGRiQAAABXQVZF"}}}
HIDDEN = {"reasoningContent": {"redactedContent": "aGlkZGVu"}}
GUARDED = {"guardContent": {"text": {"text": "Is this safe?", "qualifiers": ["query"]}}}
FOUND = {"searchResult": {"source": "s", "title": "t", "content": [{"text": "found"}], "citations": {"enabled": True}}}
PLACE = {"documentChar": {"documentIndex": 0, "start": 0, "end": 3}}
CITED = {"citationsContent": {"content": [{"text": "It says so."}], "citations": [{"title": "a", "location": PLACE}]}}
NOTES = {"format": "txt", "name": "notes (2)", "source": {"text": "plain words"}, "citations": {"enabled": True}}


def user(*blocks: Json) -> Json:
    return {"role": "user", "content": list(blocks)}


def model(*blocks: Json) -> Json:
    return {"role": "assistant", "content": list(blocks)}


def text(words: str) -> Json:
    return {"text": words}


OWN: list[Any] = [
    {
        "system": [text("Be brief.")],
        "messages": [user(text("What is this?")), model(text("A test.")), user(text("Thank you."))],
    },
    {
        "system": [text("Look closely."), CACHE],
        "messages": [
            user(text("Three things."), IMAGE, document("the paper"), FILM),
            model(text("I see."), text("And more.")),
            user(text("And this?"), {"document": NOTES}, CACHE, SOUND),
            model(CITED, text("And so on.")),
            user(
                text("Is it?"),
                GUARDED,
                FOUND,
                {"image": {"format": "jpeg", "source": {"s3Location": {"uri": "s3://films/a.jpeg"}}}},
            ),
        ],
    },
    {
        "messages": [
            user(text("Look twice.")),
            model(
                text("I will look."),
                use("look", "tooluse_1"),
                use("find", "tooluse_2", {"q": "y", "n": [1, {"a": None}]}),
            ),
            user(
                got("tooluse_1", text("first")),
                got("tooluse_2", {"json": {"second": [2]}}, status="success"),
                text("Go on."),
            ),
            model(text("Both are there.")),
            user(text("Once more.")),
            model(use("look", "tooluse_3", {})),
            user(got("tooluse_3", text("third")), CACHE),
        ],
        "toolConfig": {"tools": [*specs("look", "find"), CACHE], "toolChoice": {"auto": {}}},
    },
    {
        "system": [text("Think."), {"guardContent": {"text": {"text": "Mind this."}}}],
        "messages": [
            user(text("Begin.")),
            model(THOUGHT, text("First."), use("look", "tooluse_a")),
            user(got("tooluse_a", text("it failed"), status="error")),
            model(HIDDEN, use("look", "tooluse_b"), use("look", "tooluse_c"), use("look", "tooluse_d")),
            user(
                got("tooluse_c", text("a picture"), IMAGE),
                got("tooluse_b", document("a result"), {"json": {"a": 1}}),
                got("tooluse_d", FILM, FOUND),
            ),
            model(text("Done.")),
            user(text("Good.")),
        ],
        "toolConfig": {"tools": specs("look"), "toolChoice": {"tool": {"name": "look"}}},
    },
    {"messages": [user(text("Just this."))]},
]
