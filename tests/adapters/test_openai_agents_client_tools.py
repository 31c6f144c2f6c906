"""Agents that run a shell, patches and a computer: forty steps through the filter, under a budget."""

import asyncio

import pytest
import turnwire as tw
from judges import wire
from needs import framework
from test_openai_agents import Fake, says

agents = framework("agents", "openai-agents")
from agents import Agent, ApplyPatchTool, Computer, ComputerTool, RunConfig, Runner, ShellTool  # noqa: E402
from agents.editor import ApplyPatchResult  # noqa: E402
from agents.tool import ShellCallOutcome, ShellCommandOutput, ShellResult  # noqa: E402
from openai.types.responses import (  # noqa: E402
    ResponseApplyPatchToolCall,
    ResponseComputerToolCall,
    ResponseFunctionShellToolCall,
)
from turnwire.adapters.openai_agents import input_filter  # noqa: E402

STEPS, BUDGET = 40, 30_000
PNG = "iVBORw0KGgo="
TOOLS = [{"type": "shell", "environment": {"type": "local"}}, {"type": "apply_patch"}, {"type": "computer"}]


class Editor:
    def change(self, operation):
        return ApplyPatchResult(status="completed", output=f"changed {operation.path} " + "p" * 2_000)

    create_file = update_file = delete_file = change


class Screen(Computer):
    def screenshot(self):
        return PNG

    def nothing(self, *args, **more):
        return None

    click = double_click = scroll = type = wait = move = keypress = drag = nothing


def runs(request):
    said = [
        ShellCommandOutput(stdout=f"out of {one} " + "o" * 2_000, stderr="e" * 500)
        for one in request.data.action.commands
    ]
    for one in said:
        one.outcome = ShellCallOutcome(type="exit", exit_code=1)
    return ShellResult(output=said)


def calls(step):
    """What the model asks for in a step: each tool in turn, and sometimes two at once."""
    shell = {"commands": [f"ls {step}", "pwd"][: 1 + step % 2], "timeout_ms": None, "max_output_length": None}
    made = [
        ResponseFunctionShellToolCall.model_validate(
            {
                "type": "shell_call",
                "id": f"sh_{step}",
                "call_id": f"call_s{step}",
                "status": "completed",
                "action": shell,
            }
        ),
        ResponseApplyPatchToolCall.model_validate(
            {
                "type": "apply_patch_call",
                "id": f"apc_{step}",
                "call_id": f"call_p{step}",
                "status": "completed",
                "operation": {"type": "create_file", "path": f"{step}.py", "diff": "+x"},
            }
        ),
        ResponseComputerToolCall.model_validate(
            {
                "type": "computer_call",
                "id": f"cu_{step}",
                "call_id": f"call_c{step}",
                "status": "completed",
                "pending_safety_checks": [],
                "action": {"type": "screenshot"},
            }
        ),
    ]
    return [made[step % 3]] if step % 4 else made[:2]


@pytest.mark.parametrize("budget", [None, BUDGET])
def test_forty_steps_with_tools_that_the_agent_runs(budget):
    script = [calls(step) for step in range(STEPS)]
    fake = Fake(*script, [says("done")])
    tools = [ShellTool(executor=runs), ApplyPatchTool(editor=Editor()), ComputerTool(computer=Screen())]
    agent = Agent(name="a", model=fake, tools=tools)
    receipts = []
    config = RunConfig(call_model_input_filter=input_filter(budget, on_receipt=receipts.append))
    asyncio.run(Runner.run(agent, "go", run_config=config, max_turns=STEPS + 2))
    assert len(fake.seen) == STEPS + 1
    for items in fake.seen:
        body = {"model": "m", "store": False, "input": items, "tools": TOOLS}
        assert wire.refused("openai-responses", body) == []
        assert [one for one in tw.check(body, source="openai-responses") if one.severity == "error"] == []
    last = [item.get("type") for item in fake.seen[-1]]
    asked = sum(len(one) for one in script)
    kept = sum(kind in ("shell_call", "apply_patch_call", "computer_call") for kind in last)
    assert kept == asked if budget is None else 5 < kept < asked
    told = {entry.code for receipt in receipts for entry in receipt}
    assert told == (
        set() if budget is None else {"dropped_exchange"} | (told & {"cut_result", "dropped_turn", "json_as_text"})
    )
