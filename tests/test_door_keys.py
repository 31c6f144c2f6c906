"""One key more, less or misspelt, at each level of a payload: the detected dialect is the one that reads it.

For every payload and target, reading it as `auto` is reading it as what `detect` names, or the target knows every key.
So nothing that was not read is in the output without a word.
"""

import copy
import json
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw
from turnwire import arrow, batch

VECTORS = Path(__file__).parent / "vectors"
TARGETS = ("openai", "anthropic", "gemini", "openai-responses", "mistral", "cohere", "ollama", "bedrock", "openai:hf")
UNREAD = "said-by-nobody"
PAYLOADS = 2
"""How many payloads of each dialect are changed."""
PLACES = 9
"""How many objects of each payload are changed."""


def samples(most: int = PAYLOADS) -> dict[str, list[Any]]:
    """Valid payloads of each dialect, of which the largest say most."""
    found: dict[str, list[Any]] = {}
    for file in sorted(VECTORS.glob("*.json")):
        for vector in json.loads(file.read_text("utf-8")):
            if isinstance(vector, dict) and "payload" in vector and "source" in vector and "error" not in vector:
                found.setdefault(vector["source"], []).append(vector["payload"])
    return {name: sorted(all, key=lambda one: -len(json.dumps(one)))[:most] for name, all in found.items()}


SAMPLES = samples()
VALID = [payload for payloads in samples(most=40).values() for payload in payloads]


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in a list of a payload: elements, blocks, calls, tools. The keys of a body are the caller's."""
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        if isinstance(value, list) and isinstance(inner, dict):
            yield inner
        yield from objects(inner)


def changed(payload: Any) -> Iterator[tuple[str, Any]]:
    """The payload with one key added, left out or misspelt, in one object each, and which of these."""
    count = min(PLACES, sum(1 for _ in objects(payload)))
    for place in range(count):
        for way in ("add", "drop", "rename"):
            other = copy.deepcopy(payload)
            (here,) = (one for at, one in enumerate(objects(other)) if at == place)
            keys = [key for key in here if key not in ("messages", "contents", "input", "conversations")]
            if way == "add":
                here["unread_key"] = UNREAD
            elif not keys:
                continue
            elif way == "drop":
                del here[keys[place % len(keys)]]
            else:
                here[keys[-1] + "z"] = here.pop(keys[-1])
            yield way, other


def outcome(payload: Any, source: str, target: str) -> tuple[Any, ...]:
    """What becomes of it: the output with its losses, or the code and place of the error."""
    try:
        made = tw.convert(payload, target, source=source)
    except tw.TurnwireError as error:
        return error.code, error.path
    return made.payload, [(loss.code, loss.path) for loss in made.receipt]


def unknown(payload: Any, dialect: str) -> set[str]:
    """The places of the keys that a dialect neither reads nor lists, as far as it reads the payload at all."""
    try:
        return {one.path for one in tw.check(payload, source=dialect) if one.code == "unknown_key"}
    except tw.TurnwireError:
        return set()


def claims(payload: Any, target: str, found: str) -> bool:
    """Whether a target knows every key that the dialect which is found knows."""
    return unknown(payload, target) <= unknown(payload, found)


@pytest.mark.parametrize("source", sorted(SAMPLES))
def test_auto_is_what_detection_names(source):
    wrong = []
    for payload in SAMPLES[source]:
        for way, one in changed(payload):
            try:
                found = tw.detect(one)
            except tw.TurnwireError as error:
                # Each element may have a dialect of its own. What has no sign has none for any target either.
                if error.code == "no_dialect":
                    wrong += [
                        (error.code, target, one)
                        for target in TARGETS
                        if "no_dialect" not in outcome(one, "auto", target)
                    ]
                continue
            for target in TARGETS:
                auto = outcome(one, "auto", target)
                if auto == outcome(one, found, target):
                    continue
                # A key that is in no format is nobody's. Without it, the target may win a tie.
                if way == "add" or not claims(one, target, found):
                    wrong.append((found, target, one))
    assert not wrong, (len(wrong), wrong[:3])


def made_by(door: str, payload: Any, source: str, target: str) -> tuple[Any, ...]:
    """What becomes of it at another door, as in `outcome`."""
    try:
        if door == "prepare":
            made: Any = tw.prepare(payload, target, source=source)
        elif door == "ledger":
            made = tw.Ledger(target).prepare(payload, source=source)
        else:
            pa = pytest.importorskip("pyarrow")
            column = arrow.convert(pa.array([json.dumps(payload)]), target, source=source).to_pylist()[0]
            error = column["error"] or {}
            losses = [(loss["code"], loss["path"]) for loss in column["changes"] or ()]
            return column["payload"], losses, error.get("code"), error.get("path")
    except tw.TurnwireError as error:
        return error.code, error.path
    return made.payload, [(loss.code, loss.path) for loss in made.receipt]


@pytest.mark.parametrize("door", ["prepare", "ledger", "columns"])
@pytest.mark.parametrize("source", sorted(SAMPLES))
def test_every_door_detects_alike(source: str, door: str) -> None:
    wrong = []
    for payload in SAMPLES[source]:
        for turn, (way, one) in enumerate(changed(payload)):
            try:
                found = tw.detect(one)
            except tw.TurnwireError:
                continue
            target = TARGETS[turn % len(TARGETS)]
            auto = made_by(door, one, "auto", target)
            # A key that is in no format is nobody's. Without it, the target may win a tie.
            if auto != made_by(door, one, found, target) and (way != "drop" or not claims(one, target, found)):
                wrong.append((found, target, one))
    assert not wrong, (len(wrong), wrong[:3])


@pytest.mark.parametrize("target", ["anthropic", "mistral", "cohere", "openai-responses", "openai:hf"])
def test_a_loss_of_a_lost_tie_names_the_way_out(target: str) -> None:
    messages = [{"role": "user", "content": "Hi", "unread_key": UNREAD}]
    way_out = f"to keep it, name the source {json.dumps(target)}"
    for made in (
        tw.convert(messages, target),
        tw.prepare(messages, target),
        tw.Ledger(target).prepare(messages),
    ):
        (loss,) = made.receipt
        assert (loss.code, loss.path) == ("key", "$[0].unread_key")
        assert way_out in loss.reason
    assert UNREAD in json.dumps(tw.convert(messages, target, source=target).payload), "the way out is one"
    # Who named the source needs no way out.
    (loss,) = tw.convert(messages, target, source="openai").receipt
    assert "name the source" not in loss.reason
    history = tw.MessageHistory()
    history.add_raw_message(messages[0])
    assert [loss.path for loss in history.render(target).receipt] == ["$[0].unread_key"]
    file = [json.dumps({"messages": messages}).encode()]
    (row,) = batch.convert_lines(file, target, end="request")
    assert UNREAD not in row.decode()


@pytest.mark.parametrize(
    "beside",
    [
        {"reasoning": {"effort": "low"}},
        {"provider": {"order": ["a"]}},
        {"unread_key": UNREAD},
        {"tools": [{"type": "mcp", "server_label": "a", "server_url": "https://a.example"}]},
    ],
    ids=lambda beside: next(iter(beside)),
)
@pytest.mark.parametrize("target", ["anthropic", "mistral", "cohere", "ollama"])
def test_a_tie_is_lost_by_what_the_target_does_not_have(target: str, beside: dict[str, Any]) -> None:
    """A setting or a tool that the target does not know is not sent to it without a word, whatever it is read as."""
    body = {"messages": [{"role": "user", "content": "Hi"}], **beside}
    assert tw.detect(body) == "openai"
    made, named = (tw.prepare(body, target, source=source, settings="convert") for source in ("auto", "openai"))
    assert made.payload == named.payload
    assert [(loss.code, loss.path) for loss in made.receipt] == [(loss.code, loss.path) for loss in named.receipt]
    assert not beside.keys() & made.payload.keys()
    (told, *_) = [loss for loss in made.receipt if loss.path != "$"]
    assert told.path.startswith(f"$.{next(iter(beside))}")


def names() -> list[str]:
    """Every row that can be read."""
    return sorted(typing.get_args(tw.DialectName))


@pytest.mark.parametrize("target", names())
def test_every_valid_payload_is_read_as_what_it_is_called(target: str) -> None:
    """For each payload and each row as the target: `auto` is what `detect` names, or the target knows every key."""
    wrong, tried = [], 0
    for payload in VALID:
        try:
            found = tw.detect(payload)
        except tw.TurnwireError:
            continue
        tried += 1
        if outcome(payload, "auto", target) != outcome(payload, found, target) and not claims(payload, target, found):
            wrong.append((found, payload))
    assert tried > 100
    assert not wrong, (len(wrong), wrong[:3])


MISSPELT = {"role": "user", "contnet": "Hi"}


@pytest.mark.parametrize("dialect", names())
def test_no_reader_takes_a_message_that_says_nothing(dialect: str) -> None:
    for payload in ([MISSPELT], {"messages": [MISSPELT]}, {"input": [MISSPELT]}, {"contents": [MISSPELT]}):
        with pytest.raises(tw.ParseError) as caught:
            tw.convert(payload, dialect, source=dialect)
        assert caught.value.path.startswith("$")


def test_every_dialect_with_vectors_is_changed():
    assert {"openai", "anthropic", "gemini", "openai-responses", "bedrock", "openai:hf"} <= set(SAMPLES)
