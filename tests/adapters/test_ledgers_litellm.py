"""LiteLLM with a ledger, against a Claude that refuses stale reasoning."""

import asyncio

import pytest
import turnwire as tw
from binding import FIRST, Life, Server, breaks, thoughts
from needs import framework

litellm = framework("litellm", "litellm")
from turnwire.adapters._litellm_call import prepared  # noqa: E402
from turnwire.adapters._policy import Policy  # noqa: E402
from turnwire.adapters.litellm import callback, completion  # noqa: E402

STEPS = 100
BUDGET = 100_000
SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}}
TOOLS = [{"type": "function", "function": {"name": "read", "description": "Reads.", "parameters": SCHEMA}}]


def asked(server, life, messages, step, **more):
    system = {"role": "system", "content": life.system(step)}
    base = {"model": "anthropic/claude-opus-5-5", "api_key": "none", "api_base": server.url, "max_tokens": 99}
    return {**base, "num_retries": 0, "tools": TOOLS, "messages": [system, *messages], **more}


def goes_on(life, messages, message, step):
    """What comes of the calls: now, later or never. The reply is kept as LiteLLM's own object, or as a dict."""
    news = life.after(step, [call.id for call in message.tool_calls or ()])
    reply = message if step % 2 else message.model_dump(exclude_none=True)
    results = [{"role": "tool", "tool_call_id": call, "content": text} for call, text in news if call]
    messages += [reply, *results, *({"role": "user", "content": text} for call, text in news if not call)]


def begun():
    return [{"role": "user", "content": FIRST}]


@pytest.mark.parametrize("given", [{"ledger": True, "budget": BUDGET}, {"ledger": tw.Ledger("anthropic", BUDGET)}])
def test_a_hundred_steps_under_a_budget_are_never_refused(given):
    life, messages, complete = Life("one", 3_000), begun(), completion(**given)
    steps = STEPS if given["ledger"] is True else 30
    with Server() as server:
        for step in range(1, steps + 1):
            reply = complete(**asked(server, life, messages, step))
            goes_on(life, messages, reply.choices[0].message, step)
    bodies = server.bodies["one"]
    assert (len(bodies), server.refused) == (steps, [])
    if given["ledger"] is not True:
        return
    whole = sum(len(str(one).encode()) for one in messages)
    assert whole > 2 * BUDGET
    # New system text is a break, and there are cuts.
    assert 0 < breaks(bodies) <= -(-whole * 2 // BUDGET) + len(life.rules)
    assert max(thoughts(body) for body in bodies) > 10


def test_without_a_ledger_the_server_refuses():
    life, messages, complete = Life("one", 3_000), begun(), completion(BUDGET)
    with Server() as server, pytest.raises(litellm.BadRequestError):
        for step in range(1, STEPS):
            reply = complete(**asked(server, life, messages, step))
            goes_on(life, messages, reply.choices[0].message, step)


def test_fifty_conversations_at_once():
    every = [Life(str(number)) for number in range(50)]

    async def run(server, life, streams):
        messages = begun()
        for step in range(1, 5):
            more = {"stream": streams, "litellm_session_id": life.name}
            reply = await litellm.acompletion(**asked(server, life, messages, step, **more))
            if streams:
                chunks = [chunk async for chunk in reply]
                reply = litellm.stream_chunk_builder(chunks)
            goes_on(life, messages, reply.choices[0].message, step)

    async def run_all(server):
        await asyncio.gather(*(run(server, life, at % 2 == 1) for at, life in enumerate(every)))

    before, litellm.callbacks = litellm.callbacks, [callback(ledger=True)]
    try:
        with Server() as server:
            asyncio.run(run_all(server))
    finally:
        litellm.callbacks = before
    assert server.refused == []
    for life in every:
        assert len(server.bodies[life.name]) == 4
        assert breaks(server.bodies[life.name]) <= len(life.rules) - 1


def edited(messages):
    messages[0] = {"role": "user", "content": "Do something else."}


def shortened(messages):
    del messages[1:9]


def reordered(messages):
    messages[1:9] = [*messages[5:9], *messages[1:5]]


@pytest.mark.parametrize("change", [edited, shortened, reordered])
def test_a_list_that_was_changed_is_not_refused(change):
    life, messages, complete = Life("one"), begun(), completion(ledger=True)
    with Server() as server:
        for step in range(1, 31):
            if step == 20:
                change(messages)
            reply = complete(**asked(server, life, messages, step, litellm_session_id="talk"))
            goes_on(life, messages, reply.choices[0].message, step)
    assert (len(server.bodies["one"]), server.refused) == (30, [])


def test_what_other_providers_need_of_a_reply_stays():
    """LiteLLM keeps Gemini's signatures in its notes on calls, and Gemini refuses calls without them."""
    function = {"name": "read", "arguments": "{}", "provider_specific_fields": {"x": 1}}
    noted = {"index": 0, "provider_specific_fields": {"thought_signature": "c2ln"}}
    call = {"id": "c", "type": "function", "function": function, **noted}
    blocks = [{"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}]
    said = {"role": "assistant", "content": None, "tool_calls": [call], "thinking_blocks": blocks}
    said |= {"reasoning_content": "Hm.", "provider_specific_fields": {"thought_signatures": ["c2ln"]}}
    messages, told = [*begun(), said, {"role": "tool", "tool_call_id": "d", "content": "x"}], []
    policy = Policy(None, {"ledger": True, "on_receipt": told.append}, takes_ledger=True)
    for plain in (said, litellm.Message(**said)):
        messages[1] = plain
        sent = prepared(policy, {"model": "gemini/gemini-3-pro", "messages": messages})["messages"]
        assert sent[1] is plain and [one["role"] for one in sent[1:]] == ["assistant", "tool"]
        # A call that is renamed keeps its notes, too.
        twice = [*messages[:2], {**messages[2], "tool_call_id": "c"}, said, {**messages[2], "tool_call_id": "c"}]
        renamed = prepared(policy, {"model": "gemini/gemini-3-pro", "messages": twice})["messages"][3]
        ident = renamed["tool_calls"][0].pop("id")
        assert ident != "c" and renamed == {**said, "tool_calls": [{key: call[key] for key in call if key != "id"}]}
    mended = {change.code for receipt in told for change in receipt if change.kind != "warning"}
    assert mended <= {"missing_result", "orphan_result", "renamed_id"}


def test_a_signature_in_an_id_stays_and_its_late_result_has_it_too(receipts):
    """LiteLLM may write Gemini's signature behind a call's id, which is then longer than other providers take."""
    ident = "call_1__thought__" + "c2lnbmF0dXJl" * 20
    function = {"name": "look", "arguments": '{"q": "x"}'}
    call = {"role": "assistant", "tool_calls": [{"id": ident, "type": "function", "function": function}]}
    user = {"role": "user", "content": "q"}
    policy = Policy(None, {"ledger": True, "on_receipt": receipts.append}, takes_ledger=True)
    healthy = [user, call, {"role": "tool", "tool_call_id": ident, "content": "r"}, user]
    assert prepared(policy, {"model": "gemini/gemini-3-pro", "messages": healthy})["messages"] == healthy
    assert receipts == []
    made = prepared(policy, {"model": "gemini/gemini-3-pro", "messages": [user, call, user]})["messages"]
    assert made[1] == call and made[2]["role"] == "tool" and made[2]["tool_call_id"] == ident
    assert [change.code for change in receipts[0]] == ["missing_result"]


@pytest.mark.parametrize("content", [{"a": 1}, 3, True, None, [], [{"type": "text"}], [{"type": "later"}]])
def test_results_that_are_no_text(content):
    """LiteLLM gets them as they are, as without a ledger."""
    call = {"id": "c", "type": "function", "function": {"name": "read", "arguments": "{}"}}
    seen = {"role": "tool", "tool_call_id": "c", "content": content}
    messages = [*begun(), {"role": "assistant", "content": None, "tool_calls": [call]}, seen]
    policy = Policy(None, {"ledger": True}, takes_ledger=True)
    assert prepared(policy, {"model": "anthropic/claude-opus-5-5", "messages": messages})["messages"][2] is seen


def test_ledgers_that_cannot_be():
    life = Life("one")
    with Server() as server, pytest.raises(tw.TurnwireError, match="expected a ledger for anthropic") as error:
        completion(ledger=tw.Ledger("openai"))(**asked(server, life, begun(), 1))
    assert error.value.code == "conflicting_options"
    with pytest.raises(TypeError, match="ledger: expected a bool or a Ledger, got int"):
        callback(ledger=3)
