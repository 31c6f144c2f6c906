"""Callbacks that raise, and options that exclude each other, in each framework: nothing is sent that nobody wanted."""

import asyncio
import contextlib
import importlib
import logging

import pytest
import turnwire as tw
from agents_of import RUNS, Servers, needed
from generator import told
from histories import calls, result, says, user
from proof import refused
from provider import Step
from test_forty_steps import conversation, dialect_of, end_of
from turnwire.adapters import _hosts

# The module of each framework's adapter, and what makes it, for those whose names differ.
NOUNS = {
    "langchain": ("langchain", "middleware"),
    "pydantic_ai": ("pydantic_ai", "capability"),
    "strands": ("strands", "middleware"),
    "agents": ("openai_agents", "input_filter"),
    "litellm": ("litellm", "callback"),
    "google_adk": ("google_adk", "before_model"),
    "smolagents": ("smolagents", "step_callback"),
}
OF_ALL = pytest.mark.parametrize("name", RUNS)


class OurError(Exception):
    """What a callback raises."""


def boom(_):
    raise OurError("of the callback")


def long(name):
    """A history with a result that is longer than the budget, without images, which Strands holds as bytes."""
    one = told(f"callbacks {name}", faults=0)
    for message in one.messages:
        if isinstance(message["content"], list):
            message["content"] = message["content"][0]["text"]
    one.messages += [calls("call_long"), result("call_long", "line of text\n" * 4_000), says("Read."), user("And now?")]
    return one


def run_once(name, monkeypatch, **settings):
    """The bodies that one run sends, and what the run raised."""
    # An unknown server would also get what OpenAI does not know but that server might.
    monkeypatch.setitem(_hosts._HOSTS, "127.0.0.1", "openai")
    run, raised = needed(name), None
    script = [end_of(0) if name == "smolagents" else Step("done")]
    with contextlib.ExitStack() as stack:
        servers = Servers(stack, script * 3, 30_000, **settings)
        try:
            asyncio.run(run(servers, long(name), False, "async"))
        except BaseException as error:
            raised = error
    return servers.bodies, raised


def causes(error):
    """An exception, and all that it was raised from or holds."""
    seen = []
    while error is not None:
        seen.append(error)
        error = error.__cause__ or error.__context__
    return seen


@OF_ALL
def test_a_callback_that_raises_ends_the_request_before_it_is_sent(name, monkeypatch):
    bodies, raised = run_once(name, monkeypatch, on_receipt=boom)
    assert any(isinstance(error, OurError) or "of the callback" in str(error) for error in causes(raised)), raised
    # smolagents has no hook before a request: its callback runs after a step.
    assert bodies == [] or name == "smolagents"


@OF_ALL
def test_with_on_error_log_what_was_prepared_is_sent(name, monkeypatch, caplog):
    with caplog.at_level(logging.ERROR, "turnwire"):
        bodies, raised = run_once(name, monkeypatch, on_receipt=boom, on_error="log")
    assert raised is None and bodies
    for body in bodies:
        assert refused(dialect_of(body), conversation(body)) == []
    assert "of the callback; what was prepared is sent" in caplog.text


@pytest.mark.parametrize("name", NOUNS)
@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"budget": -1}, "negative_budget"),
        ({"summary": {"summary": "s", "indices": []}, "budget": tw.Budget(summarise=str)}, "conflicting_options"),
        ({"ledger": True, "budget": tw.Budget(summarise=lambda gone: "s")}, "conflicting_options"),
        ({"target": "openai", "settings": "convert"}, "unknown_option"),
        ({"reasoning": "maybe"}, "unknown_option"),
    ],
    ids=lambda value: ", ".join(value) if isinstance(value, dict) else value,
)
def test_options_that_exclude_each_other_raise_when_the_adapter_is_made(name, options, code):
    needed(name)
    module, noun = NOUNS[name]
    make = getattr(importlib.import_module(f"turnwire.adapters.{module}"), noun)
    if name == "smolagents" and ("ledger" in options or isinstance(options.get("budget"), tw.Budget)):
        code = "unknown_option"
    with pytest.raises(tw.TurnwireError) as info:
        make(**options)
    assert info.value.code == code
