"""A conversation from a pickle or a stored history is equal to the original, and writes the same payloads."""

import json
import logging
import pickle
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw
from mutants.judged import FORMATS
from mutants.weave import mutants
from turnwire.history import lines as _lines

VECTORS = [
    (path.stem, vector)
    for path in sorted((Path(__file__).parent / "vectors").glob("*.json"))
    for vector in json.loads(path.read_text(encoding="utf-8"))
    if isinstance(vector, dict) and {"source", "target"} <= vector.keys() and vector["source"] in tw.dialects()
]
NAMES = sorted({vector["source"] for _, vector in VECTORS})
TARGETS = 2


@pytest.fixture(autouse=True)
def quiet():
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def written(conversation: tw.Conversation, target: Any) -> Any:
    """The result of a rendering, as bytes too, or what the target refuses."""
    try:
        rendered, as_bytes = conversation.render(target), conversation.render_json(target)
    except tw.TurnwireError as error:
        return error.code, error.path, str(error)
    beside = [(one.receipt, one.sources, one.hoisted, one.receipt) for one in (rendered, as_bytes)]
    return json.dumps(rendered.payload, default=repr), as_bytes.payload, beside


def plain(said: Any) -> Any:
    """The same, with escape sequences replaced by the text that they mean."""
    return [json.loads(one) if isinstance(one, bytes) else one for one in said]


def same(kept: tw.Conversation, given: tw.Conversation, dice: random.Random) -> None:
    assert kept == given
    own = {turn.__reduce__()[1][0][5] for turn in given.turns} - {None}
    for target in {*own, *dice.sample(tw.dialects(), TARGETS)}:
        mine, theirs = written(kept, target), written(given, target)
        # A text that is no longer part of the input is written in a new spelling.
        escapes = isinstance(theirs[1], bytes) and rb"\u" in theirs[1]
        assert (plain(mine) == plain(theirs)) if escapes else (mine == theirs), target
    assert (kept.system, kept.tools, kept.receipt) == (given.system, given.tools, given.receipt)
    again = [tw.spec.MessageBuilder().set_messages(one) for one in (kept, given)]
    assert again[0].check() == again[1].check()


def stored(given: tw.Conversation) -> tuple[tw.Conversation, tw.Conversation] | None:
    """A history of the turns, and the same one from its file.

    None where no dialect writes one of them as a message, and where one has a lone surrogate: JSON text decides what
    becomes of that in the text of a result, or in the words of a loss.
    """
    history, read = tw.MessageHistory(), tw.MessageHistory()
    try:
        for turn in given.turns:
            history.add_raw_message(turn)
    except tw.RenderError:
        return None
    for line in map(_lines.encoded, history._turns):
        if rb"\ud" in line:
            return None
        read._read_line(line)
    return history.conversation, read.conversation


def all_of(given: tw.Conversation, *targets: Any) -> Iterator[tw.Conversation]:
    """A conversation, and its builds for some targets."""
    yield given
    for target in dict.fromkeys(targets):
        try:
            yield tw.spec.MessageBuilder().set_messages(given).build(target)
        except tw.BuildError:
            continue


def keep(given: tw.Conversation, dice: random.Random) -> None:
    same(pickle.loads(pickle.dumps(given)), given, dice)
    assert [pickle.loads(pickle.dumps(turn)) for turn in given.turns] == [*given.turns]
    if pair := stored(given):
        same(pair[1], pair[0], dice)


@pytest.mark.parametrize("name", NAMES)
def test_vectors_are_kept(name):
    dice = random.Random(name)
    for _, vector in VECTORS:
        if vector["source"] != name:
            continue
        payloads = (
            [json.dumps(vector["payload"], ensure_ascii=False)] if "payload" in vector else [vector["payload_text"]]
        )
        payloads += [vector["payload"]] if "payload" in vector and not isinstance(vector["payload"], str) else []
        results = vector.get("options", {}).get("tool_results", False)
        try:
            given = tw.Conversation.parse(dice.choice(payloads), name, tool_results=results)
        except tw.ParseError:
            continue
        for one in all_of(given, name, vector["target"], None):
            keep(one, dice)


@pytest.mark.parametrize("name", FORMATS)
def test_mutants_are_kept(name):
    dice = random.Random(name)
    for mutant in mutants(name, 20, seed="kept"):
        try:
            given = tw.Conversation.parse(mutant.body, name)
        except (tw.ParseError, TypeError):
            continue
        for one in all_of(given, name, dice.choice(tw.dialects())):
            try:
                keep(one, dice)
            except AssertionError as failure:
                raise AssertionError(mutant.done) from failure


def test_calls_and_results_of_stored_histories_without_ids_are_kept():
    call = {"name": "look", "arguments": {"q": 1}}
    history = [
        {"role": "user", "content": "look twice"},
        {"role": "assistant", "content": "", "toolCalls": [{"function": call}, {"function": call}]},
        {"role": "tool", "name": "look", "content": "first"},
        {"role": "tool", "name": "look", "content": "second"},
    ]
    dice = random.Random(0)
    for one in all_of(tw.Conversation.parse(history, "history"), "openai", "anthropic", "history"):
        assert (
            len({use.id for turn in one.turns for use in turn.parts if isinstance(use, tw.parts.AssistantToolUse)}) == 2
        )
        keep(one, dice)


def test_what_the_server_holds_is_still_there():
    result = {"type": "function_call_output", "call_id": "c", "output": "found"}
    body = {"previous_response_id": "resp_1", "input": [result], "model": "m"}
    for given in (tw.Conversation.parse(body), tw.Conversation.parse(body).extended("and now?")):
        kept = pickle.loads(pickle.dumps(given))
        built = tw.spec.MessageBuilder().set_messages(kept).build("openai-responses")
        assert not built.receipt.changed
        assert built.render("openai-responses").payload["input"][0] == result


def test_a_built_conversation_keeps_its_receipt():
    built = tw.spec.MessageBuilder().set_messages([{"role": "user", "content": "half \ud83d"}]).build("openai")
    assert built.receipt
    assert pickle.loads(pickle.dumps(built)).receipt == built.receipt


def test_a_pickle_is_no_larger_than_what_was_read():
    text = json.dumps({"messages": [{"role": "user", "content": "x" * 50}] * 200, "model": "m"})
    for payload in (text, json.loads(text)):
        assert len(pickle.dumps(tw.Conversation.parse(payload, "openai"))) < len(text) + 1000


@pytest.mark.parametrize(
    "state", [(), (1,), ({},), ((),), (("user",),), ((5,) * 12,), (("user", None, "x") + (None,) * 9,)]
)
def test_what_is_no_state_is_an_error(state):
    with pytest.raises((TypeError, ValueError)):
        tw.Turn._restore(*state)
