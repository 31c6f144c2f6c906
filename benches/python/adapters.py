"""What an adapter costs: its own part of a framework's step, in agents that run with it for 150 steps.

Each agent calls one tool at each step, whose results are about 2 kB, and talks to a server in another process on this
machine. The bench counts the CPU time of the agent's process: the time inside the adapter's hook, and the whole time
between two calls of the model. Of a wrapped client, all counts that comes before and after the SDK's own `post`. Only
the newest steps count. A framework that is not installed is left out: run this in the environments of `make adapters`.

An SDK writes JSON faster from what an adapter hands on than from its own objects, so the time inside the hook is not
all that the adapter changes. Where it is easy to leave out, the same agent also runs without it, in turns.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import functools
import gc
import importlib
import logging
import os
import statistics
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

ROOT = Path(__file__).parents[2]
STEPS, NEWEST = 150, 20
# What the design asks for.
MOST = 0.05
BUDGET = 10_000_000
Json = dict[str, Any]


class Meter:
    """When a hook was entered and left, in seconds of the process, and how long it waited for what is not ours."""

    def __init__(self, bare: bool = False) -> None:
        """No calls yet. `bare`: whether the agent runs without the adapter."""
        self.bare = bare
        self.entered: list[float] = []
        self.left: list[float] = []
        self.beyond: list[float] = []

    def around(self, hook: Callable[..., Any]) -> Callable[..., Any]:
        """The same hook, with its calls timed."""
        if asyncio.iscoroutinefunction(hook):

            @functools.wraps(hook)
            async def waits(*args: Any, **more: Any) -> Any:
                self._enter()
                try:
                    return await hook(*args, **more)
                finally:
                    self.left.append(time.process_time())

            return waits

        @functools.wraps(hook)
        def timed(*args: Any, **more: Any) -> Any:
            self._enter()
            try:
                return hook(*args, **more)
            finally:
                self.left.append(time.process_time())

        return timed

    def of_client(self, client: Any, resource: Any) -> Any:
        """In this block, the `post` of a resource is timed as the hook, without the SDK's own `post`."""
        kind = type(client)
        sdks = kind.post

        def sent(*args: Any, **more: Any) -> Any:
            begun = time.process_time()
            try:
                return sdks(*args, **more)
            finally:
                self.beyond[-1] += time.process_time() - begun

        resource._post = self.around(resource._post)
        return patch.object(kind, "post", sent)

    def _enter(self) -> None:
        self.beyond.append(0.0)
        self.entered.append(time.process_time())

    def newest(self) -> tuple[float, float, float]:
        """The median seconds of a late step: in the hook, in the framework without it, and in both."""
        assert len(self.entered) > STEPS, f"expected {STEPS} steps and more, got {len(self.entered)}"
        first = len(self.entered) - 1 - NEWEST
        steps = range(first, first + NEWEST)
        own = [self.left[at] - self.entered[at] - self.beyond[at] for at in steps]
        whole = [self.entered[at + 1] - self.entered[at] for at in steps]
        rest = [all_ - ours for all_, ours in zip(whole, own, strict=True)]
        return statistics.median(own), statistics.median(rest), statistics.median(whole)


def look(q: str) -> str:
    """Looks.

    Args:
        q: Where.
    """
    line = f"{q}: what the tool has read, für 行, and more of it\n"
    return line * (2_000 // len(line))


PARAMETERS = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
KEYS: Json = {"api_key": "none", "max_retries": 0}


def openai(meter: Meter, url: str) -> None:
    from openai import OpenAI
    from turnwire.adapters.openai import wrap

    plain = OpenAI(base_url=f"{url}/v1", **KEYS)
    client = plain if meter.bare else wrap(plain, BUDGET)
    tools: Any = [{"type": "function", "function": {"name": "look", "parameters": PARAMETERS}}]
    messages: list[Any] = [{"role": "user", "content": "TASK"}]
    with meter.of_client(plain, client.chat.completions):
        while True:
            said = client.chat.completions.create(model="gpt-5", messages=messages, tools=tools).choices[0].message
            if not said.tool_calls:
                return
            messages.append(said)
            messages += [{"role": "tool", "tool_call_id": one.id, "content": look(one.id)} for one in said.tool_calls]


def anthropic(meter: Meter, url: str) -> None:
    from anthropic import Anthropic
    from turnwire.adapters.anthropic import wrap

    plain = Anthropic(base_url=url, **KEYS)
    client = plain if meter.bare else wrap(plain, BUDGET)
    tools: Any = [{"name": "look", "input_schema": PARAMETERS}]
    messages: list[Any] = [{"role": "user", "content": "TASK"}]
    with meter.of_client(plain, client.messages):
        while True:
            reply = client.messages.create(model="claude-opus-4-8", max_tokens=99, messages=messages, tools=tools)
            calls = [block for block in reply.content if block.type == "tool_use"]
            if not calls:
                return
            messages.append({"role": "assistant", "content": reply.content})
            results = [{"type": "tool_result", "tool_use_id": one.id, "content": look(one.id)} for one in calls]
            messages.append({"role": "user", "content": results})


def langchain(meter: Meter, url: str) -> None:
    from langchain.agents import create_agent
    from langchain_openai import ChatOpenAI
    from turnwire.adapters.langchain import middleware

    made = middleware(BUDGET)
    made._of_request = meter.around(made._of_request)  # type: ignore[method-assign]
    model = ChatOpenAI(model="gpt-5", base_url=f"{url}/v1", use_responses_api=False, **KEYS)
    agent = create_agent(model, [look], middleware=[made])
    agent.invoke({"messages": [{"role": "user", "content": "TASK"}]}, {"recursion_limit": 9_999})


def openai_agents(meter: Meter, url: str) -> None:
    from agents import Agent, OpenAIResponsesModel, RunConfig, Runner, function_tool, set_tracing_disabled
    from openai import AsyncOpenAI
    from turnwire.adapters.openai_agents import input_filter

    set_tracing_disabled(True)
    model = OpenAIResponsesModel("gpt-5", AsyncOpenAI(base_url=f"{url}/v1", **KEYS))
    agent: Any = Agent("a", model=model, tools=[function_tool(look)])
    config = RunConfig(call_model_input_filter=meter.around(input_filter(BUDGET)))
    Runner.run_sync(agent, "TASK", max_turns=999, run_config=config)


def litellm(meter: Meter, url: str) -> None:
    import litellm
    from litellm.integrations.custom_logger import CustomLogger
    from turnwire.adapters.litellm import callback

    made: Any = CustomLogger() if meter.bare else callback(BUDGET)
    made.async_pre_call_deployment_hook = meter.around(made.async_pre_call_deployment_hook)
    litellm.callbacks = [made]
    tools = [{"type": "function", "function": {"name": "look", "parameters": PARAMETERS}}]
    asked = {"model": "openai/gpt-5", "tools": tools, "api_base": f"{url}/v1", "api_key": "none", "num_retries": 0}

    async def run() -> None:
        messages: list[Any] = [{"role": "user", "content": "TASK"}]
        while True:
            said = (await litellm.acompletion(messages=messages, **asked)).choices[0].message
            if not said.tool_calls:
                return
            messages.append(said)
            messages += [{"role": "tool", "tool_call_id": one.id, "content": look(one.id)} for one in said.tool_calls]

    asyncio.run(run())


def pydantic_ai(meter: Meter, url: str) -> None:
    from openai import AsyncOpenAI
    from pydantic_ai import Agent, UsageLimits
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider
    from turnwire.adapters.pydantic_ai import capability

    made: Any = capability(BUDGET)
    kind = type(made)
    kind.prepare_model_request = meter.around(kind.prepare_model_request)
    provider = OpenAIProvider(openai_client=AsyncOpenAI(base_url=f"{url}/v1", **KEYS))
    agent = Agent(OpenAIChatModel("gpt-5", provider=provider), capabilities=[made], tools=[look])
    agent.run_sync("TASK", usage_limits=UsageLimits(request_limit=None))


def strands(meter: Meter, url: str) -> None:
    from strands import Agent, tool
    from strands.agent.conversation_manager import NullConversationManager
    from strands.middleware import InvokeModelStage
    from strands.models.openai import OpenAIModel
    from turnwire.adapters.strands import middleware

    model = OpenAIModel(client_args={"base_url": f"{url}/v1", **KEYS}, model_id="gpt-5")
    manager = NullConversationManager()
    agent = Agent(model=model, tools=[tool(look)], callback_handler=None, conversation_manager=manager)
    agent.add_middleware(InvokeModelStage.Input, meter.around(middleware(BUDGET)))
    agent("TASK")


def google_adk(meter: Meter, url: str) -> None:
    from google.adk.agents import LlmAgent, RunConfig
    from google.adk.models import Gemini
    from google.adk.runners import InMemoryRunner
    from google.genai.types import Content, Part
    from turnwire.adapters.google_adk import before_model

    os.environ["GOOGLE_API_KEY"] = "none"
    model = Gemini(model="gemini-3-pro", base_url=url)
    hook = meter.around(before_model(BUDGET))
    agent = LlmAgent(name="a", model=model, tools=[look], before_model_callback=hook)

    async def run() -> None:
        runner = InMemoryRunner(agent, app_name="t")
        session = await runner.session_service.create_session(app_name="t", user_id="u")
        asked = Content(role="user", parts=[Part(text="TASK")])
        config = RunConfig(max_llm_calls=999)
        async for _ in runner.run_async(user_id="u", session_id=session.id, new_message=asked, run_config=config):
            pass

    asyncio.run(run())


def smolagents(meter: Meter, url: str) -> None:
    from smolagents import OpenAIServerModel, ToolCallingAgent, tool
    from turnwire.adapters.smolagents import step_callback

    model = OpenAIServerModel("gpt-5", api_base=f"{url}/v1", api_key="none")
    hook = meter.around(step_callback(BUDGET))
    agent = ToolCallingAgent([tool(look)], model, step_callbacks=[hook], max_steps=999, verbosity_level=0)
    agent.run("TASK")


RUNS: dict[str, tuple[str, Callable[[Meter, str], None]]] = {
    "agents": ("openai_agents", openai_agents),
    "google.adk": ("google_adk", google_adk),
    "pydantic_ai": ("pydantic_ai", pydantic_ai),
    "openai": ("openai", openai),
    "strands": ("strands", strands),
    "langchain": ("langchain", langchain),
    "smolagents": ("smolagents", smolagents),
    "litellm": ("litellm", litellm),
    "anthropic": ("anthropic", anthropic),
}


# The agents that can also run without their adapter, because the SDK itself sends what they have.
BARE = ("openai", "litellm", "anthropic")


@contextlib.contextmanager
def served(final: str) -> Iterator[str]:
    """The address of a server that asks for the tool at each step, and for `final` at last, if that is a tool."""
    command = [sys.executable, __file__, "--serve", final]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def serve(final: str) -> None:
    """Be that server, until the process is ended."""
    sys.path[:0] = [str(ROOT / "tests/adapters"), str(ROOT / "examples")]
    from provider import Step, provider

    script = [Step(calls=((f"call_{at}", "look", {"q": f"file {at}"}),)) for at in range(STEPS + 5)]
    end = Step(calls=(("call_end", final, {"answer": "done"}),)) if final else Step("done")
    running = provider(*script, end)
    bodies: Any = deque[Json](maxlen=1)
    running.bodies = bodies
    print(running.url, flush=True)
    running.serve_forever()


def main() -> None:
    """Print a row for each framework that is installed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one run of each instead of three")
    parser.add_argument("--only", help="one framework")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve is not None:
        serve(options.serve)
        return
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    logging.disable(logging.WARNING)
    print(f"of a step, at steps {STEPS + 5 - NEWEST} to {STEPS + 5}: CPU time of the adapter and of all else")
    for module, (name, run) in RUNS.items():
        if options.only not in (None, name):
            continue
        try:
            importlib.import_module(module)
            importlib.import_module(f"turnwire.adapters.{name}")
        except ImportError:
            continue
        shares, wholes, bares = [], [], []
        for _ in range(1 if options.quick else 3):
            own, rest, whole = measured(name, run, bare=False)
            shares.append((own / rest, own, rest))
            wholes.append(whole)
            if name in BARE:
                bares.append(measured(name, run, bare=True)[2])
        share, own, rest = statistics.median_low(shares)
        said = "" if share <= MOST else f"  MISSED {MOST:.0%}"
        if bares:
            whole, bare = statistics.median(wholes), statistics.median(bares)
            said += f"  whole {whole * 1e3:.2f} ms, without the adapter {bare * 1e3:.2f} ms: {whole / bare - 1:+.1%}"
        print(f"  {name:14} {own * 1e3:8.3f} ms {rest * 1e3:8.2f} ms {share:7.1%}{said}", flush=True)


def measured(name: str, run: Callable[[Meter, str], None], bare: bool) -> tuple[float, float, float]:
    """The seconds of one agent's late step, as `Meter.newest` has them."""
    meter = Meter(bare)
    gc.collect()
    with served("final_answer" if name == "smolagents" else "") as url:
        run(meter, url)
    return meter.newest()


if __name__ == "__main__":
    main()
