"""What each request of a run has to keep."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import stand_ins
import turnwire as tw
from bound_reasoning import THINKING, listed

from .formats import messages_of

if TYPE_CHECKING:
    from .makers import Json
    from .records import Reply, Sent, Side
    from .world import World


def turned(value: Any) -> Any:
    """The value with the keys of each object in reverse, except in data, whose order a model reads."""
    if isinstance(value, dict):
        return {key: value[key] if key in ("input", "input_schema") else turned(value[key]) for key in reversed(value)}
    return [turned(one) for one in value] if isinstance(value, list) else value


def mark_last(message: Json) -> None:
    message["content"] = listed(message.get("content"))
    if message["content"] and message["content"][-1].get("type") not in THINKING:
        message["content"][-1]["cache_control"] = {"type": "ephemeral"}


def unmarked(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: unmarked(held) for key, held in value.items() if key != "cache_control"}
    return [unmarked(one) for one in value] if isinstance(value, list) else value


def is_said(element: Json) -> bool:
    """Whether a model has said it."""
    kinds = ("function_call", "reasoning", "compaction")
    return element.get("role") in ("assistant", "model") or element.get("type") in kinds


# Which request a reply answers.


def first_seen(world: World) -> None:
    """Judges each reply that is in the list for the first time: whether nothing else fits it than its own request."""
    talk = world.talk
    texts = [json.dumps(one) for one in talk.messages]
    for at, element in enumerate(talk.messages):
        reply = world.made_by.get(id(element))
        if reply is None or reply.certain is not None or element is not reply.elements[0]:
            continue
        asked = reply.asked
        if asked.side is not world.side:
            continue
        alike = {one.bound for one in world.sents if one.side is asked.side and one.texts == texts[:at]}
        # Requests since then of the same conversation: the reply could be theirs, with messages changed.
        since = [one for one in world.sents[asked.number + 1 :] if one.side is asked.side and one.texts != asked.texts]
        mine = replies_in(asked.texts)
        near = [one for one in since if one.texts[:1] == asked.texts[:1] or not replies_in(one.texts).isdisjoint(mine)]
        in_place = asked.texts == texts[:at]
        reply.certain = in_place and len(alike) == 1 and not near and asked.number > world.misplaced
        if not in_place:
            # In another place, it may have been taken for the reply to any request that waited.
            world.misplaced = len(world.sents)


def replies_in(texts: list[str]) -> set[str]:
    return {text for text in texts if is_said(json.loads(text))}


def is_due(world: World, reply: Reply, shown: list[str]) -> bool:
    """Whether a request has to show a reply's reasoning: it is shown anyway, or it was certain what it answers."""
    mine = {*reply.asked.side.maker.shown(reply.elements)}
    return (bool(reply.certain) and not mine & reply.asked.side.gone) or not mine.isdisjoint(shown)


# The promises. Each says what is wrong, or nothing.


def nothing_stale(world: World, sent: Sent) -> Any:
    return sent.side.maker.stale(sent.body, sent.model)


def all_that_verifies(world: World, sent: Sent) -> Any:
    maker = sent.side.maker
    shown = maker.shown(sent.elements)
    given = {*maker.shown(sent.messages)}
    mine = [one for one in world.replies if one.asked.side is sent.side and given & {*maker.shown(one.elements)}]
    due = {name for reply in mine if is_due(world, reply, shown) for one in reply.elements for name in maker.names(one)}
    best = maker.best(sent.body, due)
    # A model that does not check is shown no less.
    if shown == best or (not maker.checks(sent.model) and not {*best} - {*shown}):
        return None
    return f"{len(shown)} thoughts are shown, {len(best)} verify: {[one for one in best if one not in shown][:3]}"


def counted(world: World, sent: Sent) -> Any:
    maker = sent.side.maker
    if len(world.sides) > 1 or not maker.thinks:
        return None
    shown, given = len(maker.shown(sent.elements)), len(maker.shown(sent.messages))
    told = sent.ready.receipt.reasoning
    return None if told == {"kept": shown, "dropped": given - shown} else f"{told}, but {shown} of {given} are shown"


def told(world: World, sent: Sent) -> Any:
    """Reasoning that is left out is reported, by itself or with its exchange."""
    maker = sent.side.maker
    if sent.side.name != "claude" or len(world.sides) > 1:
        return None
    shown = {*maker.shown(sent.elements)}
    said = {str(entry.path).partition("]")[0] for entry in sent.ready.receipt}
    dropped = {str(entry.path).partition("]")[0] for entry in sent.ready.receipt if entry.code == "dropped_exchange"}
    for at, element in enumerate(sent.messages):
        first = at
        while first and is_said(sent.messages[first - 1]):
            first -= 1
        is_told = f"$[{at}" in said or any(f"$[{n}" in dropped for n in range(first, at + 1))
        if {*maker.shown([element])} - shown and not is_told:
            return f"no entry for the reasoning of element {at}"
    return None


def paired(world: World, sent: Sent) -> Any:
    """The calls and results of each of the assistant's runs are the same, one by one."""
    if sent.side.name != "claude":
        return None
    found: list[Any] = []
    calls: list[str] = []
    results: list[str] = []
    for message in [*sent.elements, {"role": "assistant", "content": []}]:
        blocks = message["content"]
        if message["role"] == "assistant":
            if results or not calls:
                found += [(calls, results)] if sorted(calls) != sorted(results) else []
                calls, results = [], []
            calls = calls + [block["id"] for block in blocks if block["type"] == "tool_use"]
        else:
            results += [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
    return found


def accepted(world: World, sent: Sent) -> Any:
    target = sent.side.maker.target
    found = tw.check(sent.body, target, source=target, tool_results=target.startswith("llama"))
    return [one for one in found if one.severity == "error"]


def goes_on(world: World, sent: Sent) -> Any:
    """What was sent and answered is a prefix of what is sent, or a break says why not."""
    last = sent.side.last
    if last is None or last.talk is not sent.talk or sent.ready.receipt.break_at is not None:
        return None
    replied = len(sent.messages) > len(last.messages) and is_said(sent.messages[len(last.messages)])
    maker = sent.side.maker
    if not maker.thinks:
        # A format may write earlier messages in another way where more follow.
        replied = replied and sent.texts[: len(last.texts)] == last.texts
    if replied and maker.head(sent.body) != maker.head(last.body):
        return f"no break is told, but the head has changed: {maker.head(last.body)}, {maker.head(sent.body)}"
    old, now = unmarked(last.elements), unmarked(sent.elements)
    if not replied or now[: len(old)] == old:
        return None
    at = next((n for n, (a, b) in enumerate(zip(old, now, strict=False)) if a != b), min(len(old), len(now)))
    return f"no break is told, but element {at} has changed: {old[at : at + 1]}, {now[at : at + 1]}"


def no_break(world: World, sent: Sent) -> Any:
    """Where the caller only appended, what was sent stays."""
    last, side = sent.side.last, sent.side
    if last is None or sent.fresh or last.talk is not sent.talk or world.budget.max_bytes is not None:
        return None
    appended = sent.texts[: len(last.texts)] == last.texts and sent.model == last.model
    new = sent.messages[len(last.messages) :]
    replies = [world.made_by[id(one)] for one in new if id(one) in world.made_by]
    if side.maker.target in stand_ins.FORMATS or not appended or any(id(one) in world.covers for one in new):
        return None
    if any(reply.asked is not last or reply.elements[0] is not new[0] for reply in replies):
        return None
    if not side.maker.appends and sent.head != last.head:
        return None
    where = sent.ready.receipt.break_at
    if isinstance(sent.body, dict) and sent.body.get("tools") and not last.body.get("tools"):
        # Claude's cache starts anew, though what its reasoning is bound to stays.
        return None if where == "$.tools" else "no break is told, though these are the first tools"
    return None if where is None else f"a break at {where}, though the caller only appended"


def repeated(world: World, sent: Sent) -> Any:
    """A request that is sent again is the same."""
    last = sent.side.last
    if last is None or sent.fresh or last.talk is not sent.talk or last.model != sent.model:
        return None
    if (last.texts, last.head, last.pins) != (sent.texts, sent.head, sent.pins):
        return None
    return (
        None
        if sent.ready.receipt.break_at is None and last.body == sent.body
        else "a request that is sent again differs"
    )


def no_word_lost(world: World, sent: Sent) -> Any:
    """Without a budget, nothing is left out but what a summary covers, and results of calls that the caller removed."""
    if world.budget.max_bytes is not None or world.budget.per_result is not None:
        return None
    covered = covered_by(world, sent)
    text = json.dumps(sent.body)
    called = set(
        re.findall(r'"(?:id|call_id|toolUseId)": "([^"]*)"', json.dumps([one for one in sent.messages if is_said(one)]))
    )
    for at, element in enumerate(sent.messages):
        if world.origin(element) in covered:
            continue
        for words in said_in(element, called):
            if json.dumps(words.strip())[1:-1] not in text:
                return f"element {at} is lost: {words[:60]!r}"
    return None


def covered_by(world: World, sent: Sent) -> set[int]:
    """The elements of the list that a summary replaces."""
    covered: set[int] = set()
    for at, element in enumerate(sent.messages):
        if id(element) not in world.covers:
            continue
        side, elements = world.covers[id(element)]
        # Another maker reads Claude's summary, which replaces all before it. So does one that came with a reply.
        end = at if is_own_compaction(element) or reads(sent.side, side) else 0
        if side is sent.side:
            # What users said stays before a summary of OpenAI's.
            stays = side.maker.target == "openai-responses"
            mine = {world.origin(one) for one in elements if not (stays and isinstance(one.get("content"), str))}
            covered |= mine
        covered |= {world.origin(one) for one in sent.messages[:end]}
    return covered


def reads(one: Side, other: Side) -> bool:
    return other.maker.target == "anthropic" and one.maker.target != "anthropic"


def is_own_compaction(element: Json) -> bool:
    content = element.get("content")
    return isinstance(content, list) and len(content) > 1 and any(one.get("type") == "compaction" for one in content)


def said_in(element: Json, called: set[str]) -> list[str]:
    if "output" in element:
        return [element["output"]] if isinstance(element["output"], str) and element["call_id"] in called else []
    if isinstance(element.get("content"), str):
        return [element["content"]]
    found = []
    for block in element.get("content") or element.get("parts") or ():
        if block.get("type") == "tool_result" and block["tool_use_id"] not in called:
            continue
        words = block.get("text") or block.get("content")
        if isinstance(words, str) and block.get("type") != "compaction":
            found.append(words)
    return found


def stable(world: World, sent: Sent) -> Any:
    """`stable` names the last element that stays, which is the last one, unless replies continue it."""
    said = messages_of(sent.body)
    grows = sent.side.maker.target == "ai-sdk-ui" and bool(said) and said[-1].get("role") == "assistant"
    return None if sent.ready.stable == len(said) - 1 - grows else f"{sent.ready.stable} of {len(said)}"


def as_pinned(world: World, sent: Sent) -> Any:
    """The newest message is sent for the first time: its results are whole where it is pinned, and cut otherwise."""
    cap = world.budget.per_result
    if cap is None or sent.side.name == "any" or len(world.talks) > 1:
        return None
    at = len(sent.messages) - 1
    long = [text for text in results_in(sent.messages[at]).values() if len(text) > cap]
    was_sent = sent.talk.sent and at < len(sent.talk.sent.messages)
    return [text for text in long if not was_sent and is_whole(sent, text) != (at in sent.pins)]


def placed(world: World, sent: Sent) -> Any:
    """What the request says of the caller's elements names elements that there are."""
    count = sent.given
    places = {at for sources in sent.ready.sources for at in sources if not 0 <= at < count}
    where = re.search(r"\[(\d+)\]", sent.ready.receipt.break_at or "")
    return places or (where and int(where[1]) >= count and where[0]) or None


def results_in(element: Json) -> dict[str, str]:
    """The texts of the results in an element, by their calls."""
    if element.get("role") == "tool" or "output" in element:
        name = element.get("tool_call_id", element.get("call_id"))
        return {str(name): str(element.get("content", element.get("output")))}
    found = {}
    for block in listed(element.get("content")):
        if block.get("type") == "tool_result":
            found[block["tool_use_id"]] = str(block["content"])
        elif "toolResult" in block:
            found[block["toolResult"]["toolUseId"]] = block["toolResult"]["content"][0].get("text", "")
    return found


def is_whole(sent: Sent, text: str) -> bool:
    return json.dumps(text)[1:-1] in json.dumps(sent.body)


def head_told(world: World, sent: Sent) -> Any:
    """The model sees the caller's system text and tools as they are now, wherever they stand, and no other tools."""
    # System text cannot follow an assistant's last turn: it is told later.
    newest = next((one for one in reversed(sent.messages) if id(one) not in world.covers), {})
    if "on_system_change" in world.options or is_said(newest):
        return None
    text = json.dumps(sent.body)
    lost = [line for line in sent.head[0].splitlines() if json.dumps(line)[1:-1] not in text]
    if lost or sent.side.name != "claude":
        return f"the system text is not told: {lost}" if lost else None
    seen = {tool["name"] for tool in sent.body.get("tools", ()) if not tool.get("defer_loading")}
    for block in (block for one in sent.elements for block in one["content"]):
        if block["type"] == "tool_addition":
            seen.add(block["tool"]["name"])
        elif block["type"] == "tool_removal":
            seen.discard(block["tool"]["name"])
    given = {tool["name"] for tool in json.loads(sent.head[1])}
    return None if seen == given else f"the model sees the tools {sorted(seen)} of {sorted(given)}"


def small(world: World, sent: Sent) -> Any:
    """A state holds hashes of the lists, not their words."""
    size = len(sent.side.ledger.state())
    count = sum(len(talk.messages) for talk in world.talks.values())
    head = sum(len(talk.system) + len(json.dumps(talk.tools)) for talk in world.talks.values())
    most = 12_000 + 8 * head + 200 * count
    return f"the state has {size} bytes for {count} elements" if size > most else None


PROMISES: tuple[Callable[[World, Sent], Any], ...] = (
    nothing_stale, all_that_verifies, counted, told, paired, accepted, goes_on, no_break, repeated, no_word_lost,
    head_told, as_pinned, placed, stable, small,
)  # fmt: skip


def ask(world: World, sent: Sent) -> None:
    for promise in PROMISES:
        wrong = promise(world, sent)
        assert not wrong, f"{promise.__name__}: {wrong}"
