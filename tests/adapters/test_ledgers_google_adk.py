"""The ADK's agents with a ledger: each request begins with all that the one before it was."""

import asyncio
from itertools import pairwise

import pytest
import turnwire as tw
from needs import framework

framework("google.adk", "google-adk")
from google.adk.agents import LlmAgent  # noqa: E402
from google.adk.models import LlmRequest  # noqa: E402
from google.adk.runners import InMemoryRunner  # noqa: E402
from google.genai.types import GenerateContentConfig  # noqa: E402
from test_google_adk import Fake, answer, call, says, size, user, whole  # noqa: E402
from turnwire.adapters.google_adk import before_model  # noqa: E402

STEPS = 100
BUDGET = 100_000


def look(q: str) -> dict[str, str]:
    """Looks."""
    return {"result": f"{q}: " + "x" * 3_000}


def plain(contents):
    return [content.model_dump(exclude_none=True) for content in contents]


def breaks(seen):
    sent = [plain(contents) for contents in seen]
    return sum(after[: len(before)] != before for before, after in pairwise(sent))


def agent(script, callback):
    fake = Fake(model="gemini-2.5-pro", script=script)
    made = LlmAgent(name="a", model=fake, instruction="Be brief.", tools=[look], before_model_callback=callback)
    return fake, InMemoryRunner(made, app_name="t")


async def talk(runner, text):
    session = await runner.session_service.create_session(app_name="t", user_id="u")
    asked = {"user_id": "u", "session_id": session.id, "new_message": user(text)}
    return [event async for event in runner.run_async(**asked)]


def test_a_hundred_steps_under_a_budget():
    script = [says(call(f"c{step}a"), call(f"c{step}b")) for step in range(STEPS - 1)]
    fake, runner = agent(script, before_model(BUDGET, ledger=True))
    asyncio.run(talk(runner, "TASK"))
    assert len(fake.seen) == STEPS
    for contents in fake.seen:
        assert whole(contents) == [] and size(contents) <= BUDGET
    # 600 kB in all; a cut leaves a half.
    assert 5 < breaks(fake.seen) <= 12


def test_fifty_sessions_at_once():
    callback = before_model(ledger=True)
    both = [agent([says(call(f"c{step}")) for step in range(5)], callback) for _ in range(50)]

    async def run():
        await asyncio.gather(*(talk(runner, "TASK") for _, runner in both))

    asyncio.run(run())
    assert all(len(fake.seen) == 6 and breaks(fake.seen) == 0 for fake, _ in both)


def asked(callback, contents, system="Be brief."):
    request = LlmRequest(model="gemini-2.5-pro", contents=contents)
    request.config = GenerateContentConfig(system_instruction=system)
    callback(None, request)
    return request


@pytest.mark.parametrize("given", [True, tw.Ledger("gemini:2", on_system_change="freeze")])
def test_late_results_come_after_what_was_sent_and_new_system_text_is_sent(given):
    callback, contents, sent = before_model(ledger=given), [user("TASK")], []
    for step in range(20):
        request = asked(callback, [*contents], f"Be brief. Step {step // 5}.")
        assert request.config.system_instruction == f"Be brief. Step {step // 5}."
        sent.append(request.contents)
        contents += [says(call(f"c{step}")), user(f"And {step}?")]
        contents += [user(answer(f"c{step - 1}"))] if step else []
    assert breaks(sent) == 0
    assert all(whole(contents) == [] for contents in sent)


def test_ledgers_that_cannot_be():
    with pytest.raises(tw.TurnwireError, match="expected a ledger for gemini:2") as error:
        asked(before_model(ledger=tw.Ledger("anthropic")), [user("TASK")])
    assert error.value.code == "conflicting_options"
    with pytest.raises(TypeError, match="ledger: expected a bool or a Ledger, got int"):
        before_model(ledger=3)
