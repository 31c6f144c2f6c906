"""A wrapped client of OpenAI with a ledger: each request begins with all that the one before it was."""

from itertools import pairwise

import pytest
from needs import framework
from provider import Step, provider

openai = framework("openai", "openai")
from turnwire.adapters.openai import wrap  # noqa: E402

LOOK = {"name": "look", "parameters": {"type": "object"}}


def chat(client, said):
    reply = client.chat.completions.create(model="m", messages=said, tools=[{"type": "function", "function": LOOK}])
    message = reply.choices[0].message
    results = [{"role": "tool", "tool_call_id": call.id, "content": "x" * 100} for call in message.tool_calls]
    return [message], results


def responses(client, said):
    reply = client.responses.create(model="m", input=said, tools=[{"type": "function", **LOOK}])
    results = [{"type": "function_call_output", "call_id": call.call_id, "output": "x" * 100} for call in reply.output]
    return reply.output, results


@pytest.mark.parametrize(("ask", "key"), [(chat, "messages"), (responses, "input")])
def test_sent_messages_do_not_change(ask, key):
    said = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "TASK"}]
    script = [Step(calls=((f"call_{step}", "look", {"q": str(step)}),)) for step in range(30)]
    with provider(*script) as server:
        plain = openai.OpenAI(api_key="none", base_url=server.url, max_retries=0)
        client, late = wrap(plain, ledger=True), ()
        for step in range(30):
            reply, results = ask(client, said[:])
            # Some results come late, after the user's next words.
            asked = {"role": "user", "content": f"And {step}?"}
            said += [*reply, *late, *(results if step % 5 else ()), asked]
            late = () if step % 5 else results
    sent = [body[key] for body in server.bodies]
    assert len(sent) == 30
    assert all(after[: len(before)] == before for before, after in pairwise(sent))


@pytest.mark.parametrize("role", ["system", "developer"])
def test_system_text_that_changes_in_a_list_is_added_at_the_end(role, receipts):
    """Chat Completions have the system text in the list, and it is still the same conversation."""
    said = [{"role": "user", "content": "TASK"}]
    with provider(*[Step(calls=((f"call_{step}", "look", {}),)) for step in range(8)]) as server:
        plain = openai.OpenAI(api_key="none", base_url=server.url, max_retries=0)
        client = wrap(plain, ledger=True, on_receipt=receipts.append)
        for step in range(8):
            reply, results = chat(client, [{"role": role, "content": f"It is {step}."}, *said])
            said += [*reply, *results]
    sent = [body["messages"] for body in server.bodies]
    assert all(after[: len(before)] == before for before, after in pairwise(sent))
    assert [messages[-1]["content"] for messages in sent[1:]] == [f"It is {at}." for at in range(1, 8)]
    codes = [[change.code for change in receipt] for receipt in receipts]
    # The schema of the tool lacks its properties, and the row of unlisted servers has no developer.
    first = ["mended_schema", "reshaped"] if role == "developer" else ["mended_schema"]
    assert codes == [first, ["system_frozen", "notice"], *[["notice"]] * 6]
