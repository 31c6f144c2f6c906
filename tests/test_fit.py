"""Fitting to a budget: never over, never far under, task and pins uncut, prefixes unchanged; in bytes or tokens."""

import copy
import json
import pickle
import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_runs import tries
from world import size as words

Json = dict[str, Any]
TASK = "TASK: 東京の天気 ☂"


def user(text):
    return {"role": "user", "content": text}


# --- Random histories: each exchange with the user's next message ---

TEXTS = st.one_of(
    st.builds(
        lambda unit, times: unit * times, st.sampled_from(["x", "word ", "語", "🚧 ", "\n", '"']), st.integers(0, 400)
    ),
    st.sampled_from(["", "ok", "a b c"]),
)
SPOKEN = TEXTS.filter(lambda text: text.strip())
ARGUMENTS = st.dictionaries(
    st.sampled_from(["path", "content", "ключ"]),
    st.one_of(TEXTS, st.integers(), st.lists(TEXTS, max_size=2)),
    max_size=3,
)
DATA = st.integers(1, 300).map(lambda length: "A" * 4 * length)


@dataclass
class Call:
    """A call with its result."""

    arguments: Json
    free: str | None
    spaced: bool
    invalid: bool
    text: str
    image: str | None
    error: bool


@dataclass
class Exchange:
    """The assistant's text and calls, and the user's next message."""

    says: str
    thinks: str | None
    calls: list[Call]
    asks: str | None


CALLS = st.builds(
    Call,
    arguments=ARGUMENTS,
    free=st.one_of(st.none(), st.none(), SPOKEN),
    spaced=st.booleans(),
    invalid=st.sampled_from([False, False, False, True]),
    text=TEXTS,
    image=st.one_of(st.none(), st.none(), DATA),
    error=st.sampled_from([False, False, True]),
)
EXCHANGES = st.builds(
    Exchange,
    says=SPOKEN,
    thinks=st.one_of(st.none(), SPOKEN),
    calls=st.lists(CALLS, max_size=3),
    asks=st.one_of(st.none(), SPOKEN),
)


def as_openai(at: int, exchange: Exchange) -> list[Json]:
    """The messages of an exchange in OpenAI's form."""
    said: Json = {"role": "assistant", "content": exchange.says}
    messages = [said]
    for number, call in enumerate(exchange.calls):
        one = f"{at}.{number}"
        if call.free is not None:
            made = {"id": one, "type": "custom", "custom": {"name": "run", "input": call.free}}
        else:
            text = json.dumps(call.arguments, indent=2 if call.spaced else None, ensure_ascii=call.spaced)
            function = {"name": "f", "arguments": text[:-1] if call.invalid else text}
            made = {"id": one, "type": "function", "function": function}
        said.setdefault("tool_calls", []).append(made)
        text = tw.constants.ERROR_PREFIX * call.error + call.text
        content: str | list[Json] = text
        if call.image:
            url = {"url": "data:image/png;base64," + call.image}
            content = [{"type": "text", "text": text}, {"type": "image_url", "image_url": url}]
        messages.append({"role": "tool", "tool_call_id": one, "content": content})
    return messages


def as_anthropic(at: int, exchange: Exchange) -> list[Json]:
    """The messages of an exchange in Anthropic's form."""
    blocks: list[Json] = [{"type": "text", "text": exchange.says}]
    if exchange.thinks:
        blocks.insert(0, {"type": "thinking", "thinking": exchange.thinks, "signature": "c2lnbmVk"})
    results = []
    for number, call in enumerate(exchange.calls):
        one = f"c{at}_{number}"
        blocks.append({"type": "tool_use", "id": one, "name": "f", "input": call.arguments})
        said: list[Json] = [{"type": "text", "text": call.text or "-"}]
        if call.image and not call.error:
            source = {"type": "base64", "media_type": "image/png", "data": call.image}
            said.append({"type": "image", "source": source})
        results.append({"type": "tool_result", "tool_use_id": one, "content": said, "is_error": call.error})
    messages: list[Json] = [{"role": "assistant", "content": blocks}]
    return [*messages, {"role": "user", "content": results}] if results else messages


WRITERS = {"openai": as_openai, "anthropic": as_anthropic}


def history(dialect: str, exchanges: list[Exchange]) -> tuple[list[Json], list[list[Json]]]:
    """The messages, and those of each exchange with the user's message before it, where both are dropped together."""
    messages, groups, asked = [user(TASK)], [], []
    joins = False
    for at, exchange in enumerate(exchanges):
        written = WRITERS[dialect](at, exchange)
        messages += written
        # Assistant turns with nothing between them are one run.
        if joins:
            groups[-1] += written
        else:
            groups.append(written)
        joins = not exchange.calls and exchange.asks is None
        if exchange.asks is not None:
            groups[-1] = [*asked, *groups[-1]]
            asked = [user(exchange.asks)]
            messages.append(asked[0])
    return messages, groups


def through(door: str, messages: list[Json], dialect: str) -> tw.Conversation:
    """The messages through one of the two functions."""
    payload = json.dumps(messages).encode() if door == "json" else messages
    return tw.Conversation.parse(payload, dialect)


def listed(rendered: tw.Rendered[Any]) -> list[Json]:
    payload = rendered.payload
    lists = ("messages", "contents", "input")
    return payload if isinstance(payload, list) else next(payload[key] for key in lists if key in payload)


def step_of(budget: int, reserve: float) -> int:
    return max(1, int(reserve * budget))


BUDGETS = st.integers(150, 6_000)
RESERVES = st.sampled_from([0, 0.1, 0.25, 0.5, 1])
DOORS = st.sampled_from(["dict", "json"])
DIALECTS = st.sampled_from(sorted(WRITERS))


@settings(deadline=None, max_examples=tries(300))
@given(DIALECTS, DOORS, st.lists(EXCHANGES, min_size=1, max_size=12), BUDGETS, RESERVES, st.data())
def test_what_is_left(dialect, door, exchanges, budget, reserve, data):
    messages, groups = history(dialect, exchanges)
    pins = data.draw(st.sets(st.integers(1, len(messages) - 1), max_size=2).map(sorted))
    before = copy.deepcopy(messages)
    conversation = through(door, messages, dialect)
    builder = (
        tw.spec.MessageBuilder().set_messages(conversation, pinned=pins).set_budget(tw.Budget(budget, reserve=reserve))
    )
    try:
        built = builder.build()
    except tw.BuildError as error:
        assert error.code == "budget_too_small"
        return
    assert messages == before
    left, totals = listed(built.render(dialect)), built.receipt.totals
    loose = 4 * len(messages)
    assert words.size(left) <= totals["after"] <= budget
    assert totals["before"] - totals["after"] == sum(totals["freed"].values())
    assert 0 <= totals["before"] - words.size(messages) <= loose
    if totals["before"] <= budget:
        assert not built.receipt.changed
        assert left == messages
        return
    assert left[0] == messages[0]
    assert all(messages[pin] in left for pin in pins)
    largest = max(map(words.size, groups))
    assert totals["after"] + largest + loose >= budget - step_of(budget, reserve)
    again = tw.spec.MessageBuilder().set_messages(built).set_budget(tw.Budget(budget, reserve=reserve)).build()
    assert not again.receipt.changed
    assert again == built


@settings(deadline=None, max_examples=tries(200))
@given(DIALECTS, DOORS, st.lists(EXCHANGES, min_size=2, max_size=12), BUDGETS, RESERVES)
def test_the_newest_results_stay_whole_while_the_zone_can_pay(dialect, door, exchanges, budget, reserve):
    # A text over half of the budget is cut before everything else: here there are none.
    exchanges = [replace(one, says=one.says and one.says[:12], asks=one.asks and one.asks[:12]) for one in exchanges]
    messages, groups = history(dialect, exchanges)
    conversation = through(door, messages, dialect)
    built = tw.spec.MessageBuilder().set_messages(conversation)
    total = built.set_budget(10**9).build().receipt.totals["before"]
    assume(total > budget)
    step = step_of(budget, reserve)
    need = -(-(total - budget) // step) * step
    # Without the newest exchange, unless the user has spoken since; and a little less than is counted.
    old = groups if exchanges[-1].asks is not None else groups[:-1]
    assume(sum(map(words.size, old)) >= need)
    built = built.set_budget(tw.Budget(budget, reserve=reserve)).build()
    left = listed(built.render(dialect))
    # After the zone: what comes after the exchanges that hold the freed bytes and a quarter of the budget.
    held = 0
    for at, group in enumerate(groups):
        if held >= need + budget // 4 or at == len(old):
            assert all(message in left for message in group if message["role"] != "user" or "tool" in str(message))
        held += words.size(group)
    assert not any(entry.code == "cut_text" for entry in built.receipt if entry.kind != "warning")


@settings(deadline=None, max_examples=tries(200))
@given(DIALECTS, st.sampled_from(words.FORMATS), DOORS, st.lists(EXCHANGES, min_size=1, max_size=10), BUDGETS)
def test_never_over_for_another_target(dialect, target, door, exchanges, budget):
    messages, _ = history(dialect, exchanges)
    messages.append(user("go on"))
    builder = tw.spec.MessageBuilder().set_messages(through(door, messages, dialect)).set_budget(budget)
    try:
        built = builder.build(target)
    except tw.BuildError as error:
        assert error.code == "budget_too_small"
        return
    rendered = built.render(target, blobs="base64")
    assert words.size(rendered.payload) <= built.receipt.totals["after"] <= budget
    assert json.loads(built.render_json(target).payload) == rendered.payload
    again = tw.spec.MessageBuilder().set_messages(built).set_budget(budget).build(target)
    assert not again.receipt.changed


def needed(error: tw.BuildError) -> int:
    """The bytes that a refusal asks for."""
    return int(str(error).split("at least ")[1].split(" ")[0])


@settings(deadline=None, max_examples=tries(300))
@given(DIALECTS, DOORS, st.lists(EXCHANGES, min_size=1, max_size=6), st.integers(0, 600), RESERVES)
def test_the_bytes_that_a_refusal_asks_for_are_enough(dialect, door, exchanges, budget, reserve):
    messages, _ = history(dialect, exchanges)
    builder = tw.spec.MessageBuilder().set_messages(through(door, messages, dialect))
    try:
        builder.set_budget(tw.Budget(budget, reserve=reserve)).build()
    except tw.BuildError as error:
        assert error.code == "budget_too_small"
        enough = needed(error)
        assert enough > budget
        assert builder.set_budget(tw.Budget(enough, reserve=reserve)).build().receipt.totals["after"] <= enough


def test_a_text_that_was_cut_to_half_of_the_budget_is_cut_to_the_least():
    messages = [{"role": "system", "content": "s" * 70}, user("a" * 200)]
    with pytest.raises(tw.BuildError) as caught:
        tw.prepare(messages, "openai", 1)
    assert needed(caught.value) == 70 + 64
    ready = tw.prepare(messages, "openai", 70 + 64)
    assert len(ready.payload["messages"][1]["content"]) == 64
    assert ready.payload["messages"][1]["content"].count(tw.constants.TRUNCATED_SUFFIX) == 1


@settings(deadline=None, max_examples=tries(200))
@given(st.sampled_from(words.FORMATS), DOORS, st.lists(EXCHANGES, min_size=1, max_size=10), BUDGETS)
def test_never_over_at_home_and_what_is_left_is_accepted(dialect, door, exchanges, budget):
    messages, _ = history("anthropic", exchanges)
    messages.append(user("go on"))
    given_there = listed(tw.convert(messages, dialect, source="anthropic", blobs="base64"))
    builder = tw.spec.MessageBuilder().set_messages(through(door, given_there, dialect)).set_budget(budget)
    try:
        built = builder.build(dialect)
    except tw.BuildError as error:
        assert error.code == "budget_too_small"
        return
    rendered = built.render(dialect, blobs="base64")
    assert words.size(rendered.payload) <= built.receipt.totals["after"] <= budget
    again = tw.spec.MessageBuilder().set_messages(rendered.payload, dialect).build(dialect)
    assert not again.receipt.changed
    assert not tw.spec.MessageBuilder().set_messages(built).set_budget(budget).build(dialect).receipt.changed


@settings(deadline=None)
@given(DIALECTS, st.lists(EXCHANGES, max_size=8), st.sampled_from([None, *WRITERS]))
def test_both_functions_count_alike(dialect, exchanges, target):
    messages, _ = history(dialect, exchanges)
    messages.append(user("go on"))
    sizes = [
        tw.spec.MessageBuilder()
        .set_messages(through(door, messages, dialect))
        .set_budget(10**9)
        .build(target)
        .receipt.totals["before"]
        for door in ("dict", "json")
    ]
    assert sizes[0] == sizes[1]


@settings(deadline=None, max_examples=tries(40))
@given(st.lists(EXCHANGES, min_size=6, max_size=30), st.integers(1_500, 6_000), st.sampled_from([0.1, 0.25, 0.5]))
def test_a_prefix_does_not_change_within_a_step(exchanges, budget, reserve):
    last = None
    for count in range(1, len(exchanges) + 1):
        messages, groups = history("openai", exchanges[:count])
        builder = tw.spec.MessageBuilder().set_messages(messages).set_budget(tw.Budget(budget, reserve=reserve))
        try:
            built = builder.build()
        except tw.BuildError:
            return
        total, left = built.receipt.totals["before"], listed(built.render("openai"))
        step = -(-max(0, total - budget) // step_of(budget, reserve))
        stays = total - sum(map(words.size, groups[:-1]))
        if last and last[0] == step and max(last[1], stays) <= budget * (0.75 - reserve):
            assert left[: len(last[2])] == last[2]
        last = step, stays, left


# --- Tokens ---


@pytest.fixture(scope="module")
def tekken():
    """A real tokenizer, which includes its vocabulary."""
    mistral = pytest.importorskip("mistral_common", reason="the tokenizer is not installed (dependency group dev)")
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer

    tokenizer = Tekkenizer.from_file(Path(mistral.__file__).parent / "data/tekken_240911.json")
    return lambda text: len(tokenizer.encode(text, bos=False, eos=False))


def silly(text: str) -> int:
    """A count that does not grow with anything."""
    return (len(text) * 7919 + text.count("x") * 31) % 211


def in_tokens(messages: list[Json], budget: int, count: Any, reserve: float) -> None:
    """Builds, and counts the result again."""
    builder = (
        tw.spec.MessageBuilder()
        .set_messages(messages)
        .set_budget(tw.Budget(max_tokens=budget, count=count, reserve=reserve))
    )
    try:
        built = builder.build()
    except tw.BuildError as error:
        assert error.code == "budget_too_small"
        return
    left, totals = listed(built.render("openai")), built.receipt.totals
    assert words.size(left, count) == totals["after"] <= budget
    assert totals["unit"] == "tokens"
    assert totals["before"] - totals["after"] == sum(totals["freed"].values())
    assert left[0] == messages[0] or "cut_text" in totals["freed"]
    again = (
        tw.spec.MessageBuilder()
        .set_messages(built)
        .set_budget(tw.Budget(max_tokens=budget, count=count, reserve=reserve))
        .build()
    )
    assert not again.receipt.changed


@settings(deadline=None, max_examples=tries(60))
@given(exchanges=st.lists(EXCHANGES, min_size=1, max_size=10), budget=st.integers(60, 2_000), reserve=RESERVES)
def test_never_over_with_a_real_tokenizer(tekken, exchanges, budget, reserve):
    in_tokens(history("openai", exchanges)[0], budget, tekken, reserve)


@settings(deadline=None, max_examples=tries(200))
@given(exchanges=st.lists(EXCHANGES, min_size=1, max_size=10), budget=st.integers(60, 4_000), reserve=RESERVES)
def test_never_over_with_a_silly_counter(exchanges, budget, reserve):
    in_tokens(history("openai", exchanges)[0], budget, silly, reserve)


def test_tokens_are_kept_as_bytes_are(tekken):
    messages = [user(TASK)]
    for number in range(40):
        function = {"name": "f", "arguments": '{"q": "weather"}'}
        messages += [
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": f"c{number}", "type": "function", "function": function}],
            },
            {
                "role": "tool",
                "tool_call_id": f"c{number}",
                "content": f"{number} sunny, 23 degrees, wind from the east. " * 30,
            },
        ]
    budget = 4_000
    built = (
        tw.spec.MessageBuilder().set_messages(messages).set_budget(tw.Budget(max_tokens=budget, count=tekken)).build()
    )
    left, totals = listed(built.render("openai")), built.receipt.totals
    assert totals["before"] > 3 * budget
    assert 0.74 * budget <= totals["after"] == words.size(left, tekken) <= budget
    assert messages[-6:] == left[-6:]


def test_a_counter_is_asked_once_for_each_text_that_stays():
    asked = []
    messages = [user("one"), {"role": "assistant", "content": "two"}, user("three"), user("")]
    tw.spec.MessageBuilder().set_messages(messages).set_budget(
        tw.Budget(max_tokens=99, count=lambda text: asked.append(text) or 1)
    ).build()
    assert asked == ["one", "two", "three"]


class Mine(BaseException):
    """Not even an Exception."""


def test_what_a_counter_raises_comes_out_as_it_is():
    mine = Mine()

    def count(text):
        raise mine

    made = tw.spec.MessageBuilder().set_messages([user("q")]).set_budget(tw.Budget(max_tokens=1, count=count))
    for run in (made.build, made.check):
        with pytest.raises(Mine) as caught:
            run()
        assert caught.value is mine


@pytest.mark.parametrize("given", [-1, -(10**30), None, "3", 3.0, True, object()])
def test_what_is_no_count(given):
    made = (
        tw.spec.MessageBuilder().set_messages([user("q")]).set_budget(tw.Budget(max_tokens=1, count=lambda text: given))
    )
    with pytest.raises(tw.TurnwireError, match="an int of 0 or more") as caught:
        made.build()
    assert caught.value.code == "bad_count"


def test_an_object_with_an_index_is_a_count():
    class Index:
        def __index__(self):
            return 10**30

    made = (
        tw.spec.MessageBuilder()
        .set_messages([user("q")])
        .set_budget(tw.Budget(max_tokens=5, count=lambda text: Index()))
    )
    with pytest.raises(tw.BuildError) as caught:
        made.build()
    assert caught.value.code == "budget_too_small"


def test_prepare_takes_a_budget_in_tokens_and_pins():
    messages = [
        user(TASK),
        {"role": "assistant", "content": "a b c " * 8},
        user("x"),
        {"role": "assistant", "content": "a b c " * 8},
        user("y"),
    ]
    options = {"budget": tw.Budget(max_tokens=48, count=lambda text: len(text.split()), reserve=0)}
    ready = tw.prepare(messages, "openai", **options)
    assert ready.receipt.totals["unit"] == "tokens"
    assert ready.payload["messages"] == [messages[0], *messages[2:]]
    with pytest.raises(tw.BuildError):
        tw.prepare(messages, "openai", pinned=[1, 3], **options)


# --- Arguments are checked at the call ---


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"max_bytes": -1}, "negative_budget"),
        ({"max_tokens": -1, "count": len}, "negative_budget"),
        ({"max_bytes": 5, "max_tokens": 5, "count": len}, "conflicting_options"),
        ({"max_tokens": 5}, "conflicting_options"),
        ({"count": len}, "conflicting_options"),
        ({"max_bytes": 5, "count": len}, "conflicting_options"),
        ({"max_bytes": 5, "reserve": -0.1}, "out_of_range"),
        ({"max_bytes": 5, "reserve": 1.01}, "out_of_range"),
        ({"max_bytes": 5, "reserve": float("nan")}, "out_of_range"),
    ],
    ids=str,
)
def test_budgets_that_make_no_sense(given, code):
    with pytest.raises(tw.TurnwireError) as caught:
        tw.spec.MessageBuilder().set_budget(tw.Budget(**given))
    assert (caught.value.code, caught.value.path) == (code, "$")


@pytest.mark.parametrize(
    "given",
    [
        {"max_bytes": "100k"},
        {"max_bytes": 1.5},
        {"max_tokens": 5, "count": 3},
        {"max_bytes": 5, "reserve": "half"},
        {"max_bytes": 5, "reserve": True},
    ],
    ids=str,
)
def test_budgets_of_another_type(given):
    with pytest.raises(TypeError):
        tw.Budget(**given)


@pytest.mark.parametrize("given", ["100k", 1.5, True, [5], {"max_bytes": 5}])
def test_a_budget_is_a_number_or_a_budget(given):
    with pytest.raises(TypeError):
        tw.spec.MessageBuilder().set_budget(given)
    with pytest.raises(TypeError, match="budget: expected an int, the most bytes, or a Budget"):
        tw.prepare([user("q")], "openai", given)


@pytest.mark.parametrize("pins", [[2], [-1], [0, 10**30]])
def test_pins_that_no_message_has(pins):
    with pytest.raises(tw.TurnwireError, match="there are 2 messages, counted from 0") as caught:
        tw.spec.MessageBuilder().set_messages([user("q"), user("x")], pinned=pins)
    assert caught.value.code == "out_of_range"


@pytest.mark.parametrize("pins", [1, "0", ["0"], [True], [1.0]])
def test_pins_of_another_type(pins):
    with pytest.raises(TypeError):
        tw.spec.MessageBuilder().set_messages([user("q"), user("x")], pinned=pins)


def test_the_reserve_is_a_quarter():
    long = [user("q"), {"role": "assistant", "content": "a" * 5_000}, user("x")]
    made = tw.spec.MessageBuilder().set_messages(long)
    assert made.set_budget(4_000).build().receipt == made.set_budget(tw.Budget(4_000, reserve=0.25)).build().receipt


def test_the_totals_of_a_receipt():
    messages = [
        user("q"),
        {"role": "assistant", "content": "a" * 500},
        user("more"),
        {"role": "assistant", "content": "b"},
        user("x"),
    ]
    made = tw.spec.MessageBuilder().set_messages(messages)
    assert made.build().receipt.totals is None
    assert made.set_budget(900).build().receipt.totals == {
        "unit": "bytes",
        "budget": 900,
        "before": 507,
        "after": 507,
        "freed": {},
    }
    receipt = made.set_budget(100).build().receipt
    assert receipt.totals == {"unit": "bytes", "budget": 100, "before": 507, "after": 82, "freed": {"cut_text": 425}}
    assert receipt.to_dict()["totals"] == receipt.totals
    assert pickle.loads(pickle.dumps(receipt)) == receipt
    assert repr(receipt) == "<Receipt: 82 of 100 bytes; 1 cut>" and receipt.first_changed_index == 1


def test_what_is_unknown_is_reported_once_though_the_turns_are_checked_again():
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    body = {
        "messages": [
            {"role": "user", "content": "q", "x_said": 1},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c", "content": "r" * 1000},
            {"role": "user", "content": "go"},
        ],
        "tools": [
            {
                "type": "function",
                "function": {"name": "f", "parameters": {"type": "object", "properties": {}}, "x_new": 1},
            }
        ],
    }
    built = tw.spec.MessageBuilder().set_messages(body, "openai").set_budget(400).build("openai")
    assert [entry.code for entry in built.receipt if entry.kind != "warning"] == ["cut_result"]
    assert (
        len({*[told.reason for told in built.receipt.only("warning")]})
        == len([told.reason for told in built.receipt.only("warning")])
        == 2
    )


@pytest.mark.parametrize("target", tw.dialects())
def test_the_first_text_of_a_list_counts_no_separator(target):
    ready = tw.prepare([{"role": "user", "content": "x"}], target, 1)
    assert ready.receipt.totals["after"] == 1


def said(payload):
    """The bytes of all strings that hold a word of the caller."""
    if isinstance(payload, str):
        return len(payload.encode()) if "word" in payload else 0
    inner = payload.values() if isinstance(payload, dict) else payload if isinstance(payload, list) else ()
    return sum(map(said, inner))


@pytest.mark.parametrize("target", tw.dialects())
def test_no_separator_of_a_joined_text_is_forgotten(target):
    for seed in range(tries(200)):
        dice = random.Random(seed)
        messages = [{"role": "user", "content": "word 0"}]
        for at in range(dice.randint(0, 6)):
            role = dice.choice(["user", "user", "assistant"])
            count = dice.randint(1, 3) if role == "user" else 1
            blocks = [{"type": "text", "text": f"word {at} {block}"} for block in range(count)]
            messages.append({"role": role, "content": blocks})
        dice.shuffle(messages)
        messages.append({"role": "user", "content": "a word at last"})
        ready = tw.prepare(messages, target, 10_000, wording={"opening": "a word first"}, source="openai")
        assert said(ready.payload) <= ready.receipt.totals["after"], (seed, ready.payload)
