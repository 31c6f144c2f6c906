"""LiteLLM's proxy as a shell starts it, with the callback in its configuration, between a client and a server."""

import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from histories import broken, faults, long, valid
from needs import framework
from provider import Step, provider, within

framework("litellm_proxy_extras", "litellm[proxy]")

BUDGET = 60_000
KEY = f"sk-{secrets.token_hex(32)}"
HOOKS = f"""
from turnwire.adapters.litellm import callback

def told(receipt):
    with open("receipts", "a") as file:
        print(len(receipt), file=file)

prepared = callback(budget={BUDGET}, on_receipt=told)
"""


class Proxy:
    def __init__(self, url: str, folder: Path) -> None:
        self.url, self.folder = url, folder

    def ask(self, model, messages, **more):
        body = json.dumps({"model": model, "messages": messages, **more}).encode()
        headers = {"content-type": "application/json", "authorization": f"Bearer {KEY}"}
        request = urllib.request.Request(f"{self.url}/v1/chat/completions", body, headers)
        with urllib.request.urlopen(request, timeout=60) as reply:
            return reply.read()

    def receipts(self):
        file = self.folder / "receipts"
        told = [int(line) for line in file.read_text().splitlines()] if file.exists() else []
        file.unlink(missing_ok=True)
        return told


def is_up(url, process):
    try:
        urllib.request.urlopen(f"{url}/health/liveliness", timeout=5).close()
    except OSError:
        assert process.poll() is None, "the proxy has ended"
        return False
    return True


@pytest.fixture(scope="module")
def server():
    with provider() as running:
        yield running


@pytest.fixture(scope="module")
def proxy(server, tmp_path_factory):
    folder = tmp_path_factory.mktemp("proxy")
    (folder / "hooks.py").write_text(HOOKS)
    keyed = {"api_key": "none", "max_retries": 0}
    models = {
        "gpt": {"model": "openai/gpt-4o", "api_base": f"{server.url}/v1", **keyed},
        "claude": {"model": "anthropic/claude-opus-4-8", "api_base": server.url, **keyed},
    }
    config = {
        "model_list": [{"model_name": name, "litellm_params": params} for name, params in models.items()],
        "general_settings": {"master_key": KEY},
        "litellm_settings": {"callbacks": ["hooks.prepared"]},
    }
    # JSON is YAML.
    (folder / "config.yaml").write_text(json.dumps(config))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = [Path(sys.executable).with_name("litellm"), "--config", "config.yaml", "--host", "127.0.0.1"]
    environment = {**os.environ, "LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_TELEMETRY": "False"}
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [*command, "--port", port], cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT
        )
        try:
            made = Proxy(f"http://127.0.0.1:{port}", folder)
            until = time.monotonic() + 100
            while not is_up(made.url, process):
                assert time.monotonic() < until, (folder / "log").read_text()
                time.sleep(0.2)
            yield made
        finally:
            process.terminate()
            process.wait(30)


@pytest.fixture(autouse=True)
def fresh(server, proxy):
    proxy.receipts()
    server.bodies.clear()


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("history", [broken, long])
def test_what_reaches_openai(history, streamed, server, proxy):
    answer = proxy.ask("gpt", history(), stream=streamed)
    assert b"do" in answer
    (body,) = server.bodies
    assert faults(body["messages"]) == []
    within(body, "openai", BUDGET)
    assert len(proxy.receipts()) == 1


@pytest.mark.parametrize("history", [broken, long])
def test_what_reaches_anthropic(history, server, proxy):
    assert b"done" in proxy.ask("claude", history())
    (body,) = server.bodies
    within({key: body[key] for key in ("messages", "system", "tools") if key in body}, "anthropic", BUDGET)
    assert len(proxy.receipts()) == 1


def test_what_is_valid_is_sent_as_it_is(server, proxy):
    proxy.ask("gpt", valid())
    (body,) = server.bodies
    assert [{**message, "content": message.get("content")} for message in body["messages"]] == valid()
    assert proxy.receipts() == []


def test_what_cannot_be_sent_is_the_callers_error(server, proxy):
    too_much = [{"role": "system", "content": "x" * (BUDGET + 1)}, {"role": "user", "content": "TASK"}]
    with pytest.raises(urllib.error.HTTPError) as caught:
        proxy.ask("gpt", too_much)
    assert caught.value.code == 400
    assert "expected a budget of at least" in json.loads(caught.value.read())["error"]["message"]
    assert server.bodies == []
    # No deployment is put on cooldown for it.
    assert b"done" in proxy.ask("gpt", [{"role": "user", "content": "TASK"}])


def test_a_loop_of_tools(server, proxy):
    server.script[:0] = [Step(calls=((f"call_{n}", "look", {"q": str(n)}),)) for n in range(12)]
    messages = [{"role": "user", "content": "TASK"}]
    while True:
        message = json.loads(proxy.ask("gpt", messages))["choices"][0]["message"]
        messages.append(message)
        ids = [call["id"] for call in message.get("tool_calls") or ()]
        messages += [{"role": "tool", "tool_call_id": one, "content": f"{one}: " + "x" * 20_000} for one in ids]
        if not ids:
            break
    assert len(server.bodies) == 13
    for body in server.bodies:
        assert faults(body["messages"]) == []
        within(body, "openai", BUDGET)
        assert body["messages"][0] == messages[0]
