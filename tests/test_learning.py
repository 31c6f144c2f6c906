"""Wrapped clients learn what a server refuses, from its words: one more request for each rule, and none after it."""

import asyncio
import json
import logging
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import turnwire as tw
from random_runs import seeds
from strict_servers import FAMILIES, REPLIES, Family, Rule, Server, client, send
from turnwire.lessons.rows import request_of, rows

pytest.importorskip("openai", reason="the official SDKs are not installed (dependency group wire)")
pytest.importorskip("anthropic", reason="the official SDKs are not installed (dependency group wire)")

Json = dict[str, Any]

ASKED: Json = {"role": "user", "content": "Hello"}
WORDING = {"opening": "Go on.", "bridge": "OK."}
DEVELOPER: Json = {"messages": [{"role": "developer", "content": "Be brief."}, ASKED]}
REFUSES_DEVELOPER = Rule("Unexpected message role.", lambda body: body["messages"][0]["role"] == "developer")
WIRES = {"openai": "openai", "openai-responses": "openai-responses", "anthropic": "anthropic"}


def wrapped(server: Server, wire: str = "openai", *, awaits: bool = False, retries: int = 0, **options: Any) -> Any:
    return tw.wrap(client(wire, server, awaits=awaits, retries=retries), **options)


def learned(made: Any, model: str = "") -> tw.Server:
    return tw.learned(made)[model]


def text_of(reply: Any) -> str:
    held: Any = getattr(reply, "choices", None)
    return str(held[0].message.content if held else getattr(reply, "output_text", None) or reply.content[0].text)


# --- one rule


@pytest.mark.parametrize("awaits", [False, True])
@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("status", [400, 404, 422, 500])
def test_a_rule_costs_one_more_request_and_then_none(awaits: bool, stream: bool, status: int) -> None:
    server = Server((Rule(REFUSES_DEVELOPER.text, REFUSES_DEVELOPER.refuses, status),))
    lessons: list[tw.Lesson] = []
    made = wrapped(server, awaits=awaits, target="openai", learn=True, on_learn=lessons.append)
    for count in (2, 3):
        reply = send(made, "openai", DEVELOPER, stream=stream)
        if awaits:
            asyncio.run(finished(reply, stream))
        elif stream:
            assert "".join(chunk.choices[0].delta.content or "" for chunk in reply if chunk.choices) == "done"
        else:
            assert text_of(reply) == "done"
        assert len(server.bodies) == count
    assert [body["messages"][0]["role"] for body in server.bodies] == ["developer", "system", "system"]
    # Nothing else has changed.
    first, second = ({**body, "messages": body["messages"][1:]} for body in server.bodies[:2])
    assert first == second
    assert [(one.column, one.value) for one in lessons] == [("developer", False)]
    assert learned(made) == "openai+developer=no"
    assert "developer = false" in learned(made).toml()


async def finished(reply: Any, stream: bool) -> None:
    held = await reply
    if stream:
        assert [chunk async for chunk in held]
    else:
        assert text_of(held) == "done"


def test_every_way_to_send_learns() -> None:
    ways: list[Callable[[Any], Any]] = [
        lambda made: made.chat.completions.parse(model="m", **DEVELOPER),
        lambda made: made.chat.completions.with_raw_response.create(model="m", **DEVELOPER).parse(),
        lambda made: made.with_raw_response.chat.completions.create(model="m", **DEVELOPER),
        lambda made: made.with_options(timeout=5).chat.completions.create(model="m", **DEVELOPER),
        lambda made: made.chat.completions.stream(model="m", **DEVELOPER).__enter__().get_final_completion(),
        lambda made: made.chat.completions.with_streaming_response.create(model="m", **DEVELOPER).__enter__().parse(),
    ]
    for way in ways:
        server = Server((REFUSES_DEVELOPER,))
        made = wrapped(server, target="openai", learn=True)
        way(made)
        way(made)
        assert [body["messages"][0]["role"] for body in server.bodies] == ["developer", "system", "system"]


def test_every_way_of_anthropics_client_learns() -> None:
    body: Json = {"model": "claude-opus-5", "max_tokens": 99, "messages": [ASKED, {"role": "system", "content": "A."}]}
    said = FAMILIES["deepseek-messages"].rules[0]
    ways: list[Callable[[Any], Any]] = [
        lambda made: made.messages.create(**body),
        lambda made: made.messages.with_raw_response.create(**body).parse(),
        lambda made: made.messages.stream(**body).__enter__().get_final_message(),
        lambda made: made.beta.messages.create(**body),
        lambda made: [*made.messages.create(**body, stream=True)],
    ]
    for way in ways:
        server = Server((said,))
        made = wrapped(server, "anthropic", target="anthropic", learn=True)
        way(made)
        way(made)
        assert [len(sent["messages"]) for sent in server.bodies] == [2, 1, 1]
        assert server.bodies[1]["system"] == "A."

    async def later(server: Server) -> None:
        made = wrapped(server, "anthropic", awaits=True, target="anthropic", learn=True)
        async with made.messages.stream(**body) as stream:
            assert await stream.get_final_text() == "done"
        await made.messages.create(**body)

    awaited = Server((said,))
    asyncio.run(later(awaited))
    assert [len(sent["messages"]) for sent in awaited.bodies] == [2, 1, 1]


def test_copies_of_a_client_share_what_was_learned() -> None:
    server = Server((REFUSES_DEVELOPER,))
    made = wrapped(server, target="openai", learn=True)
    send(made.with_options(timeout=5), "openai", DEVELOPER)
    send(made.copy(), "openai", DEVELOPER)
    assert len(server.bodies) == 3 and learned(made) == "openai+developer=no"


# What an adapter has mended before a server sees it: these texts are for programs that send without one.
MENDED = ("blank-mistral", "blank-vllm", "items-status", "ids-length", "media-result")
TAUGHT = [row for row in rows() if row.texts and row.name not in MENDED and (row.rule is None or row.leave)]


@pytest.mark.parametrize("row", TAUGHT, ids=lambda row: row.name)
def test_each_text_teaches_a_client_what_it_teaches(row: Any) -> None:
    """The server says the text until the request has changed, and then answers."""
    body: Json = json.loads(request_of(row))
    wire = row.wire or ("openai-responses" if "input" in body else "openai")
    server = Server(())
    first: list[Json] = []

    def is_as_before(sent: Json) -> bool:
        first.append(sent)
        return sent == first[0]

    # Keys that only replies have are left out before a server sees them.
    text = row.texts[0].replace("'metadata'", "'kind'").replace("'finish_reason'", "'kind'")
    server.rules = (Rule(text, is_as_before, 500 if row.raised else 400),)
    lessons: list[tw.Lesson] = []
    options: Json = {"learn": "all", "on_learn": lessons.append, "wording": WORDING}
    tried = []
    for base in (f"{wire}:compatible", wire):
        server.bodies.clear()
        first.clear()
        made = wrapped(server, wire, target=base, **options)
        try:
            send(made, wire, body)
        except Exception as error:
            tried.append((base, str(error), getattr(error, "__notes__", [])))
            continue
        assert len(server.bodies) == 2 and server.bodies[0] != server.bodies[1]
        # From now on the same request is sent right away.
        send(made, wire, body)
        assert server.bodies[2] == server.bodies[1]
        assert [one._row.name for one in lessons] == [row.name]
        return
    pytest.fail(f"{tried}")


def test_a_short_name_stands_for_the_row_with_its_rules_for_models() -> None:
    tw.server("lab-short", base="openai", models={"m": {"developer": False}})
    server = Server((REFUSES_DEVELOPER,))
    send(wrapped(server, target="lab-short"), "openai", DEVELOPER)
    tw.server("lab-kept", base="openai", developer=False)
    for target in ("lab-kept", "openai+developer=no"):
        send(wrapped(server, target=target, ledger=tw.Ledger("lab-kept")), "openai", DEVELOPER)
    # The row for the model is another one than that of the ledger.
    with pytest.raises(tw.TurnwireError, match=r"expected a ledger for openai\+developer=no, got one for openai "):
        send(wrapped(server, target="lab-short", ledger=tw.Ledger("lab-short")), "openai", DEVELOPER)
    assert server.refusals == []


# --- what is not learned


def test_by_default_only_the_exception_says_what_would_have_helped() -> None:
    server = Server((REFUSES_DEVELOPER,))
    with pytest.raises(Exception, match="Unexpected message role") as raised:
        send(wrapped(server, target="openai"), "openai", DEVELOPER)
    [note] = raised.value.__notes__
    assert 'server("…", base="openai", developer=False)' in note and "learn=True" in note
    assert len(server.bodies) == 1


def test_the_log_says_the_line(caplog: pytest.LogCaptureFixture) -> None:
    server = Server((REFUSES_DEVELOPER,))
    made = wrapped(server, target="openai", learn="log")
    with caplog.at_level(logging.WARNING, "turnwire"), pytest.raises(Exception, match="Unexpected") as raised:
        send(made, "openai", DEVELOPER)
    assert ["developer=False" in record.message for record in caplog.records] == [True]
    assert len(raised.value.__notes__) == len(server.bodies) == 1


MEANING: Json = {
    "messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://a.b/c"}}]}]
}
REFUSES_IMAGES = Rule(
    "image input is not supported for this model",
    lambda body: any(isinstance(one["content"], list) for one in body["messages"]),
)


def test_meaning_is_learned_only_with_all() -> None:
    server = Server((REFUSES_IMAGES,))
    with pytest.raises(Exception, match="image input") as raised:
        send(wrapped(server, target="openai", learn=True), "openai", MEANING)
    assert len(server.bodies) == 1 and 'learn="all"' in raised.value.__notes__[0]
    text = {"type": "text", "text": "What is this?"}
    asked: Json = {"messages": [{"role": "user", "content": [text, *MEANING["messages"][0]["content"]]}]}
    rule = Rule(REFUSES_IMAGES.text, lambda body: "image_url" in json.dumps(body))
    strict, all_ = Server((rule,)), Server((rule,))
    with pytest.raises(Exception, match="image input"):
        send(wrapped(strict, target="openai", learn="all", strict=True), "openai", asked)
    assert len(strict.bodies) == 1
    made = wrapped(all_, target="openai", learn="all")
    assert text_of(send(made, "openai", asked)) == "done"
    assert len(all_.bodies) == 2 and learned(made, "m").row["media"] == ("audio", "document")


def test_a_server_that_always_says_it_teaches_nothing() -> None:
    server = Server((Rule("Unexpected message role.", lambda body: True),))
    lessons: list[Any] = []
    made = wrapped(server, target="openai", learn=True, on_learn=lessons.append)
    with pytest.raises(Exception, match="Unexpected message role") as raised:
        send(made, "openai", DEVELOPER)
    assert len(server.bodies) == 2 and "the server said" in raised.value.__notes__[0]
    assert (lessons, learned(made)) == ([], "openai")
    # Each lesson is tried twice, and then no more.
    for count in (4, 5, 6):
        with pytest.raises(Exception, match="Unexpected message role"):
            send(made, "openai", DEVELOPER)
        assert len(server.bodies) == count


@pytest.mark.parametrize("status", [401, 403, 408, 409, 413, 429, 502, 503])
def test_other_statuses_teach_nothing(status: int) -> None:
    server = Server((Rule("Unexpected message role.", lambda body: True, status),))
    with pytest.raises(Exception, match="Unexpected message role") as raised:
        send(wrapped(server, target="openai", learn=True), "openai", DEVELOPER)
    assert len(server.bodies) == 1 and not getattr(raised.value, "__notes__", [])


def test_a_500_teaches_only_what_a_template_raises() -> None:
    server = Server((Rule("role param error", lambda body: True, 500),))
    with pytest.raises(Exception, match="role param error"):
        send(wrapped(server, target="openai", learn=True), "openai", DEVELOPER)
    assert len(server.bodies) == 1


def test_the_retries_of_the_client_come_first() -> None:
    server = Server((Rule(REFUSES_DEVELOPER.text, REFUSES_DEVELOPER.refuses, 500),))
    made = wrapped(server, target="openai", learn=True, retries=1)
    assert text_of(send(made, "openai", DEVELOPER)) == "done"
    assert len(server.bodies) == 3


def test_a_lost_connection_teaches_nothing() -> None:
    server = Server(())

    def lose(*_: Any) -> Any:
        server.bodies.append({})
        raise RuntimeError("Unexpected message role.")

    server.answer = lose  # type: ignore[method-assign]
    with pytest.raises(Exception, match=r"Connection error|Unexpected"):
        send(wrapped(server, target="openai", learn=True), "openai", DEVELOPER)
    assert len(server.bodies) == 1


@pytest.mark.parametrize(
    "options", [{"extra_headers": {"Idempotency-Key": "a"}}, {"extra_headers": {"idempotency-key": "a"}}]
)
def test_a_request_with_an_idempotency_key_is_sent_once(options: Json) -> None:
    server = Server((REFUSES_DEVELOPER,))
    made = wrapped(server, target="openai", learn=True)
    with pytest.raises(Exception, match="Unexpected message role") as raised:
        made.chat.completions.create(model="m", **DEVELOPER, **options)
    assert len(server.bodies) == 1 and raised.value.__notes__


def test_an_unknown_text_and_one_of_two_rows_teach_nothing() -> None:
    for text in ("Param Incorrect", "Unexpected message role. System message must be at the beginning."):
        server = Server((Rule(text, lambda body: True),))
        with pytest.raises(Exception, match=text[:15]):
            send(wrapped(server, target="openai", learn=True), "openai", DEVELOPER)
        assert len(server.bodies) == 1


def test_what_cannot_be_written_by_the_new_rule_raises_the_first_error() -> None:
    server = Server((Rule("Jinja Exception: No user query found in messages.", lambda body: True),))
    body: Json = {"messages": [{"role": "system", "content": "Say hello."}]}
    with pytest.raises(Exception, match="No user query") as raised:
        send(wrapped(server, target="openai", learn=True), "openai", body)
    assert len(server.bodies) == 1 and "cannot write" in raised.value.__notes__[0]


# --- several rules


def test_two_rules_cost_one_error_and_two_requests_each() -> None:
    rules = FAMILIES["minimax"].rules[:2]
    body: Json = {"messages": [{"role": "developer", "content": "A."}, {"role": "system", "content": "B."}, ASKED]}
    server = Server(rules)
    lessons: list[tw.Lesson] = []
    made = wrapped(server, target="openai", learn=True, on_learn=lessons.append)
    with pytest.raises(Exception, match="role param error") as raised:
        send(made, "openai", body)
    assert len(server.bodies) == 2 and "invalid chat setting" in "".join(raised.value.__notes__)
    assert (lessons, learned(made)) == ([], "openai")
    assert text_of(send(made, "openai", body)) == "done"
    assert len(server.bodies) == 4
    assert text_of(send(made, "openai", body)) == "done"
    assert len(server.bodies) == 5
    assert [one.column for one in lessons] == ["developer", "system"]
    assert learned(made) == "openai+system=one+developer=no"


def test_a_tentative_rule_is_forgotten_if_nothing_confirms_it() -> None:
    unknown = Rule("Something else is wrong.", lambda body: True)
    server = Server((REFUSES_DEVELOPER, unknown))
    made = wrapped(server, target="openai", learn=True)
    with pytest.raises(Exception, match="Unexpected message role"):
        send(made, "openai", DEVELOPER)
    server.rules = ()
    send(made, "openai", DEVELOPER)
    assert server.bodies[-1]["messages"][0]["role"] == "developer"


def test_a_client_learns_eight_lessons() -> None:
    names = [f"key_{letter}" for letter in "abcdefghij"]
    server = Server(tuple(Rule(f"Unknown parameter: '{name}'", lambda body, name=name: name in body) for name in names))
    made = wrapped(server, target="openai", learn=True)
    for count, name in enumerate(names):
        asks = lambda name=name: made.chat.completions.create(model="m", messages=[ASKED], extra_body={name: 1})  # noqa: E731
        if count < 8:
            asks()
        else:
            with pytest.raises(Exception, match=name):
                asks()
    assert len(server.bodies) == 8 * 2 + 2
    assert learned(made).row["refuses"] == tuple(names[:8])


def test_a_rule_of_one_model_is_for_that_model() -> None:
    text = "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is."
    server = Server((Rule(text, lambda body: body["model"] == "o9" and "temperature" in body),))
    made = wrapped(server, target="openai", learn=True)
    for model in ("o9", "o9", "m"):
        made.chat.completions.create(model=model, messages=[ASKED], temperature=0.2)
    assert ["temperature" in body for body in server.bodies] == [True, False, False, True]
    assert learned(made, "o9") == "openai+refuses=temperature" and learned(made) == "openai"


def test_reasoning_that_was_refused_is_left_out_and_new_one_is_not() -> None:
    def block(secret: str) -> Json:
        return {"type": "thinking", "thinking": "Look.", "signature": secret}

    def body(*secrets: str) -> Json:
        said = [{"role": "assistant", "content": [block(one), {"type": "text", "text": "Hi."}]} for one in secrets]
        return {"messages": [ASKED, *(turn for one in said for turn in (one, ASKED))]}

    text = "messages.1.content.0: Invalid `signature` in `thinking` block"
    server = Server((Rule(text, lambda sent: "b2xk" in json.dumps(sent)),))
    made = wrapped(server, "anthropic", target="anthropic", learn="all", model="claude-opus-5")
    for secrets in (("b2xk",), ("b2xk",), ("b2xk", "bmV3")):
        made.messages.create(model="claude-opus-5", max_tokens=99, **body(*secrets))
    assert len(server.bodies) == 4
    assert "bmV3" in json.dumps(server.bodies[-1])


# --- threads


def test_a_hundred_threads_learn_one_lesson() -> None:
    server = Server((REFUSES_DEVELOPER,))
    lessons: list[Any] = []
    made = wrapped(server, target="openai", learn=True, on_learn=lessons.append)
    with ThreadPoolExecutor(100) as pool:
        replies = [*pool.map(lambda _: text_of(send(made, "openai", DEVELOPER)), range(100))]
    assert replies == ["done"] * 100
    assert len(server.refusals) <= 100 and len(lessons) == 1
    before = len(server.refusals)
    send(made, "openai", DEVELOPER)
    assert len(server.refusals) == before


# --- strict servers of each vendor


def history(family: Family, chance: random.Random) -> Json:
    """A short conversation with some of what servers refuse."""

    def maybe(value: Any, other: Any) -> Any:
        return value if chance.random() < 0.5 else other

    def said(text: str) -> Any:
        return maybe(text, [{"type": "text", "text": text}])

    if family.wire == "openai-responses":
        items: list[Json] = [{"type": "message", **ASKED}]
        for at in range(chance.randrange(1, 4)):
            if chance.random() < 0.5:
                summary = [{"type": "summary_text", "text": "Look."}]
                secret = {"encrypted_content": "ZQ=="}
                items.append({"type": "reasoning", "id": f"rs_{at}", "summary": summary, **secret})
            items += [{"role": "assistant", "content": f"Hi {at}."}, {"type": "message", **ASKED}]
        return {"input": items}
    if family.wire == "anthropic":
        turns: list[Json] = [ASKED]
        for at in range(chance.randrange(1, 4)):
            parts: list[Json] = [{"type": "text", "text": f"Hi {at}."}]
            parts = maybe([{"type": "redacted_thinking", "data": "ZQ=="}, *parts], parts)
            turns += [{"role": "assistant", "content": parts}, ASKED]
            if chance.random() < 0.3:
                turns.append({"role": "system", "content": f"Now {at}."})
        return {"messages": turns + [ASKED] * (turns[-1]["role"] == "system")}
    brief = (said(f"Be brief {at}.") for at in range(chance.randrange(3)))
    messages: list[Json] = [{"role": maybe("developer", "system"), "content": content} for content in brief]
    messages.append({"role": "user", "content": said("Hello"), **maybe({"kind": "a"}, {})})
    for at in range(chance.randrange(4)):
        reasoning = maybe({"reasoning_content": "Look."}, {})
        match chance.randrange(4):
            case 0:
                args = maybe('{"at": "x"}', maybe('"x"', '{"at": "x'))
                call = {"id": f"call_{at}", "type": "function", "function": {"name": "look", "arguments": args}}
                calls = [call, *maybe([call | {"id": f"more_{at}"}], [])]
                results = [{"role": "tool", "tool_call_id": one["id"], "content": said("A lake.")} for one in calls]
                messages += [{"role": "assistant", "content": None, "tool_calls": calls, **reasoning}, *results]
            case 1:
                messages.append({"role": "system", "content": said(f"Now {at}.")})
            case 2:
                messages.append({"role": "assistant", "content": said(f"Hi {at}."), **reasoning})
        messages.append({"role": "user", "content": said(f"And {at}?")})
    parameters = maybe({"parameters": {"type": "object", "properties": {}}}, {})
    return {"messages": messages, "tools": [{"type": "function", "function": {"name": "look", **parameters}}]}


# `TURNWIRE_RUNS=200 pytest tests/test_learning.py` tries two hundred.
SEEDS = seeds()


@pytest.mark.parametrize("name", FAMILIES)
def test_a_strict_server_takes_what_its_row_takes(name: str) -> None:
    family = FAMILIES[name]
    server = Server(family.rules)
    made = wrapped(server, family.wire, target=family.row, wording=WORDING)
    for seed in SEEDS:
        send(made, family.wire, history(family, random.Random(seed)))
    assert (len(server.bodies), server.refusals) == (len(SEEDS), [])


@pytest.mark.parametrize("awaits", [False, True])
@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("name", FAMILIES)
def test_a_client_learns_the_rules_of_a_strict_server(name: str, stream: bool, awaits: bool) -> None:
    family = FAMILIES[name]
    server = Server(family.rules)
    lessons: list[tw.Lesson] = []
    options: Json = {"target": family.unknown, "learn": True, "on_learn": lessons.append, "wording": WORDING}
    made = wrapped(server, family.wire, awaits=awaits, **options)
    taken = 0
    for seed in SEEDS:
        body, before = history(family, random.Random(seed)), len(server.bodies)
        # A program asks again after an error; each error has brought the client one rule further.
        for _ in range(len(family.rules) + 1):
            sent = len(server.bodies)
            try:
                reply = send(made, family.wire, body, stream=stream)
                asyncio.run(finished(reply, stream)) if awaits else stream and [*reply]
                break
            except Exception as error:
                assert any(rule.text in str(error.args[0]) or rule.text[:20] in str(error) for rule in family.rules)
            finally:
                assert len(server.bodies) - sent <= 2
        else:
            pytest.fail(f"seed {seed}: {server.refusals[-3:]}")
        taken += len(server.bodies) - before == 1
    assert len(lessons) <= len(family.rules)
    # Once everything is learned, nothing is refused.
    count = len(server.refusals)
    for seed in SEEDS:
        reply = send(made, family.wire, history(family, random.Random(seed)), stream=stream)
        asyncio.run(finished(reply, stream)) if awaits else stream and [*reply]
    assert len(server.refusals) == count


# --- options


@pytest.mark.parametrize("value", ["yes", "True", 2])
def test_another_value_is_refused(value: Any) -> None:
    with pytest.raises((tw.TurnwireError, TypeError), match=r"learn: expected|as learn, got"):
        wrapped(Server(()), learn=value)


def test_another_function_is_refused() -> None:
    with pytest.raises(TypeError, match="on_learn: expected a function, got int"):
        wrapped(Server(()), learn=True, on_learn=5)


def test_an_error_in_the_callers_function_follows_on_error() -> None:
    def fails(lesson: tw.Lesson) -> None:
        raise KeyError("mine")

    server = Server((REFUSES_DEVELOPER,))
    assert text_of(
        send(wrapped(server, target="openai", learn=True, on_learn=fails, on_error="log"), "openai", DEVELOPER)
    )
    with pytest.raises(KeyError, match="mine"):
        send(wrapped(server, target="openai", learn=True, on_learn=fails), "openai", DEVELOPER)


def test_what_was_learned_fails_no_request() -> None:
    server = Server((Rule("Unknown parameter: 'seed'.", lambda body: "seed" in body),))
    made = wrapped(server, target="openai", learn=True, on_error="log")
    send(made, "openai", {"messages": [ASKED], "seed": 1})
    # It cannot be prepared, so it is sent as it is.
    send(made, "openai", {"messages": [ASKED], "temperature": 1, "tools": "x"})
    assert server.bodies[-1]["tools"] == "x" and server.bodies[-1]["temperature"] == 1
    assert ["seed" in body for body in server.bodies] == [True, False, False]


def test_the_receipt_says_what_was_learned_once() -> None:
    server, receipts = Server((REFUSES_DEVELOPER,)), list[tw.Receipt]()
    made = wrapped(server, target="openai", learn=True, on_receipt=receipts.append)
    send(made, "openai", DEVELOPER)
    send(made, "openai", DEVELOPER)
    told = [change for receipt in receipts for change in receipt if change.code == "learned"]
    assert [(change.kind, change.path) for change in told] == [("warning", "$")]
    assert "Unexpected message role." in told[0].reason and "developer=False" in told[0].reason


def test_a_client_of_google_does_not_learn() -> None:
    google = pytest.importorskip("google.genai", reason="the official SDKs are not installed (dependency group wire)")
    with pytest.raises(tw.TurnwireError, match="expected no learn"):
        tw.wrap(google.Client(api_key="none"), learn=True)


def test_what_was_learned_is_by_model_and_format() -> None:
    made = wrapped(Server(()))
    assert tw.learned(made) == {"": "openai:compatible", "/responses": "openai-responses"}
    assert tw.learned(wrapped(Server(()), "anthropic")) == {"": "anthropic"}
    for other in (client("openai", Server(())), 5, None, "x"):
        with pytest.raises(TypeError, match="client: expected what wrap returned for a client, got"):
            tw.learned(other)


def test_replies_of_the_stand_ins_are_those_of_the_formats() -> None:
    assert REPLIES.keys() == WIRES.keys() == {family.wire for family in FAMILIES.values()}
