"""Interrupts, approvals and restarts from a checkpoint: calls that wait for a person stay as they are."""

import asyncio
import copy
import json

import pytest
from needs import framework

LARGE = "x" * 3_000
BUDGET = 8_000


def test_langgraph_continues_from_a_checkpoint():
    framework("langchain", "langchain")
    from langchain.agents import create_agent
    from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
    from langchain_core.tools import tool
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.types import Command, interrupt
    from test_langchain import model
    from turnwire.adapters.langchain import middleware

    @tool
    def send(to: str) -> str:
        """Ask a person, then send."""
        return f"{interrupt({'to': to})} {LARGE}"

    def call(number):
        name = {"name": "send", "args": {"to": f"p{number}"}, "id": f"c{number}", "type": "tool_call"}
        return AIMessage("", tool_calls=[name, {**name, "id": f"d{number}"}])

    saver, receipts, asked = InMemorySaver(), [], []
    here = {"configurable": {"thread_id": "t"}}

    def agent(*script):
        # A new process has nothing but the checkpoint.
        made = middleware(BUDGET, on_receipt=receipts.append)
        asked.append(model(*script))
        return create_agent(asked[-1], [send], middleware=[made], checkpointer=saver)

    state = agent(call(0)).invoke({"messages": [HumanMessage("TASK")]}, here)
    for number in range(1, 6):
        waiting = state["messages"][-1]
        assert len(state["__interrupt__"]) == 2 and [one["id"] for one in waiting.tool_calls] == [
            f"c{number - 1}",
            f"d{number - 1}",
        ]
        before = copy.deepcopy(state["messages"])
        answers = {one.id: "yes" for one in state["__interrupt__"]}
        state = agent(call(number)).invoke(Command(resume=answers), here)
        assert state["messages"][: len(before)] == before
        seen = asked[-1].seen[0]
        # The model gets what the person allowed, unchanged, and everything before it within the budget.
        assert seen[-3] == waiting and [type(one) for one in seen[-2:]] == [ToolMessage] * 2
        assert {one.tool_call_id for one in seen[-2:]} == {one["id"] for one in waiting.tool_calls}
    codes = {change.code for receipt in receipts for change in receipt}
    assert codes and codes <= {"cut_result", "dropped_exchange"}


def test_openai_agents_wait_for_approval():
    agents = framework("agents", "openai-agents")
    if not hasattr(agents, "RunState"):
        pytest.skip("this version has no approvals")
    from agents import Agent, RunConfig, Runner, RunState, function_tool
    from test_openai_agents import Fake, calls
    from turnwire.adapters.openai_agents import input_filter

    @function_tool(needs_approval=True)
    def look(q: str) -> str:
        """Look."""
        return f"allowed-{q} {LARGE}"

    async def run():
        fake, receipts = Fake([calls("c0"), calls("c1")], [calls("c2")]), []
        agent = Agent(name="a", model=fake, tools=[look])
        config = RunConfig(call_model_input_filter=input_filter(BUDGET, on_receipt=receipts.append))
        ended = await Runner.run(agent, "TASK", run_config=config)
        assert len(ended.interruptions) == 2
        told = 0
        while ended.interruptions:
            # A restart: the state goes through JSON.
            state = await RunState.from_json(agent, json.loads(json.dumps(ended.to_state().to_json())))
            for waiting in state.get_interruptions():
                state.approve(waiting)
                told += 1
            ended = await Runner.run(agent, state, run_config=config)
        return fake, receipts, told, ended

    fake, receipts, told, ended = asyncio.run(run())
    assert (told, ended.final_output) == (3, "done")
    for items in fake.seen[1:]:
        made = [item["call_id"] for item in items if item.get("type") == "function_call"]
        answered = [item["call_id"] for item in items if item.get("type") == "function_call_output"]
        assert made == answered != []
    last = json.dumps(fake.seen[-1])
    assert "allowed-c2" in last
    assert {change.code for receipt in receipts for change in receipt} == {"cut_result"}


def test_pydantic_ai_defers_tools():
    framework("pydantic_ai", "pydantic-ai-slim")
    from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults
    from pydantic_ai.messages import ModelMessagesTypeAdapter, ModelResponse, ToolCallPart, ToolReturnPart
    from test_pydantic_ai import Fake
    from turnwire.adapters.pydantic_ai import capability

    def calls(*names):
        return ModelResponse(parts=[ToolCallPart("look", {"q": name}, name) for name in names])

    fake, receipts = Fake(calls("c0", "c1"), calls("c2")), []
    made = capability(BUDGET, on_receipt=receipts.append)
    agent = Agent(fake.model, output_type=[str, DeferredToolRequests], capabilities=[made])

    @agent.tool_plain(requires_approval=True)
    def look(q: str) -> str:
        return f"allowed-{q} {LARGE}"

    ended, waited = agent.run_sync("TASK"), []
    while isinstance(ended.output, DeferredToolRequests):
        before = ended.all_messages()
        waiting = [call.tool_call_id for call in ended.output.approvals]
        waited += waiting
        # A restart: the history goes through JSON.
        stored = ModelMessagesTypeAdapter.validate_json(ModelMessagesTypeAdapter.dump_json(before))
        assert stored == before
        answers = DeferredToolResults(approvals=dict.fromkeys(waiting, True))
        ended = agent.run_sync(message_history=stored, deferred_tool_results=answers)
        parts = [part for message in fake.seen[-1] for part in message.parts]
        returned = {part.tool_call_id: part for part in parts if isinstance(part, ToolReturnPart)}
        called = [part.tool_call_id for part in parts if isinstance(part, ToolCallPart)]
        assert [*returned] == called and {*waiting} <= {*called}
        assert all(f"allowed-{ident}" in str(returned[ident].content) for ident in waiting)
    assert (waited, ended.output) == (["c0", "c1", "c2"], "done")
    assert {change.code for receipt in receipts for change in receipt} == {"cut_result"}
