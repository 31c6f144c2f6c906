"""A wrapped client with a ledger: a server that checks reasoning blocks refuses none, and prefixes do not change."""

import asyncio
import json
import random
import threading
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise

import pytest
import turnwire as tw
from agent_runs import Run
from bound_reasoning import Provider as Binding
from bound_reasoning import listed, plain
from needs import framework

anthropic = framework("anthropic", "anthropic")
from turnwire.adapters.anthropic import wrap  # noqa: E402

EVENTS = frozenset({"parallel", "late", "interrupted", "tools", "system", "marks"})


class Server(ThreadingHTTPServer):
    """Claude's check of a prefix, over HTTP: 400 for a block that is stale."""

    request_queue_size = 128

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.binding, self.runs, self.bodies, self.refused, self.betas = Binding(), {}, {}, 0, set()
        self.lock = threading.Lock()

    def __enter__(self):
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *error):
        self.shutdown()
        self.server_close()

    def client(self, kind="Anthropic"):
        return getattr(anthropic, kind)(
            api_key="none", base_url=f"http://127.0.0.1:{self.server_address[1]}", max_retries=0
        )


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        server, name = self.server, self.headers["x-run"]
        with server.lock:
            bodies = server.bodies.setdefault(name, [])
            bodies.append(body)
            server.betas |= {one.strip() for one in self.headers.get("anthropic-beta", "").split(",")}
            stale = server.binding.stale(body, body["model"])
            server.refused += bool(stale)
            content = server.binding.reply(body, server.runs[name].reply(len(bodies)), body["model"])
        said = {"id": "msg_1", "type": "message", "role": "assistant", "model": body["model"], "content": content}
        said |= {"stop_reason": "end_turn", "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
        data = json.dumps({"error": {"message": str(stale)}} if stale else said).encode()
        self.send_response(400 if stale else 200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format, *args):
        pass


def asked(run, name, step):
    system, tools = run.head(step)
    more = {"extra_headers": {"x-run": name, "anthropic-beta": "mine"}}
    return {"model": run.model, "max_tokens": 9, "messages": run.marked(), "system": system, "tools": tools, **more}


def took(run, reply, step):
    run.goes_on([block.to_dict() for block in reply.content], step)


def begun(server, name, seed, events=EVENTS):
    run = server.runs[name] = Run(seed, frozenset(events), 60)
    run.messages[0]["content"] += f" It is run {name}."
    return run


def read(body):
    """What a cache reads: texts as blocks, without marks."""
    body = plain({key: body[key] for key in ("tools", "system", "messages")})
    return {**body, "messages": [{**one, "content": listed(one["content"])} for one in body["messages"]]}


def is_read_again(before, after):
    """Whether the next request begins with this whole one; tools that are shown later may come after its own."""
    before, after = read(before), read(after)
    return before["system"] == after["system"] and all(
        after[key][: len(before[key])] == before[key] for key in ("tools", "messages")
    )


def thoughts(body):
    return sum(
        block["type"] == "thinking" for one in body["messages"] for block in one["content"] if block != str(block)
    )


@pytest.mark.parametrize("how", ["True", "a ledger"])
def test_sixty_steps_are_never_refused(how):
    with Server() as server:
        run = begun(server, "one", 7)
        given = True if how == "True" else tw.Ledger("anthropic")
        made = wrap(server.client(), ledger=given)
        for step in range(60):
            took(run, made.messages.create(**asked(run, "one", step)), step)
    bodies = server.bodies["one"]
    assert (len(bodies), server.refused) == (60, 0)
    # Every reply had one thought, and the last request holds all but its own reply's.
    assert thoughts(bodies[-1]) == 59
    assert all(is_read_again(*pair) for pair in pairwise(bodies))
    assert server.betas >= {"mine", "mid-conversation-tool-changes-2026-07-01"}


def test_without_a_ledger_the_server_refuses():
    with Server() as server:
        run = begun(server, "one", 7)
        made = wrap(server.client())
        with pytest.raises(anthropic.BadRequestError):
            for step in range(60):
                took(run, made.messages.create(**asked(run, "one", step)), step)


def test_a_budget_makes_few_cuts():
    with Server() as server:
        run = begun(server, "one", 3)
        made = wrap(server.client(), 30_000, ledger=True)
        for step in range(60):
            took(run, made.messages.create(**asked(run, "one", step)), step)
    bodies = server.bodies["one"]
    broken = sum(not is_read_again(*pair) for pair in pairwise(bodies))
    whole = len(json.dumps(run.messages))
    assert server.refused == 0
    assert 0 < broken <= -(-whole // 15_000)


def test_fifty_conversations_through_one_client():
    dice = random.Random(50)
    with Server() as server:
        runs = {str(seed): begun(server, str(seed), seed) for seed in range(50)}
        made = wrap(server.client(), ledger=True)

        def step(name):
            took(runs[name], made.messages.create(**asked(runs[name], name, len(server.bodies.get(name, ())))), 1)

        with ThreadPoolExecutor(8) as pool:
            for _ in range(12):
                names = [*runs]
                dice.shuffle(names)
                [*pool.map(step, names)]
    assert server.refused == 0
    for bodies in server.bodies.values():
        assert len(bodies) == 12
        assert all(is_read_again(*pair) for pair in pairwise(bodies))


def test_conversations_that_begin_alike_keep_their_own_system_text():
    with Server() as server:
        runs = {name: begun(server, name, 5, {"parallel"}) for name in ("a", "b")}
        made = wrap(server.client(), ledger=True)
        for name, run in runs.items():
            run.messages[0]["content"], run.system = "Hello", f"You are {name}."
        for step in range(12):
            for name, run in runs.items():
                took(run, made.messages.create(**asked(run, name, step)), step)
    assert server.refused == 0
    for name, bodies in server.bodies.items():
        assert {json.dumps(body["system"]) for body in bodies} == {f'"You are {name}."'}


def test_asynchronous():
    async def run_all(server):
        runs = {str(seed): begun(server, str(seed), seed) for seed in range(6)}
        async with wrap(server.client("AsyncAnthropic"), ledger=True) as made:
            for step in range(10):
                replies = await asyncio.gather(
                    *(made.beta.messages.create(**asked(run, name, step)) for name, run in runs.items())
                )
                for run, reply in zip(runs.values(), replies, strict=True):
                    took(run, reply, step)

    with Server() as server:
        asyncio.run(run_all(server))
    assert server.refused == 0
    assert all(len(bodies) == 10 for bodies in server.bodies.values())


def edited(messages):
    messages[4]["content"][0]["content"] = "This was edited."


def shortened(messages):
    del messages[1:9]


def reordered(messages):
    messages[1:9] = [*messages[5:9], *messages[1:5]]


@pytest.mark.parametrize("change", [edited, shortened, reordered])
def test_a_list_that_was_changed_is_a_break_and_not_refused(change):
    with Server() as server:
        run = begun(server, "one", 7, {"parallel"})
        made = wrap(server.client(), ledger=True)
        for step in range(30):
            if step == 20:
                change(run.messages)
            took(run, made.messages.create(**asked(run, "one", step)), step)
    bodies = server.bodies["one"]
    assert (len(bodies), server.refused) == (30, 0)
    assert sum(not is_read_again(*pair) for pair in pairwise(bodies)) == 1


def test_a_ledger_for_another_provider():
    with Server() as server, pytest.raises(tw.TurnwireError, match="expected a ledger for anthropic"):
        wrap(server.client(), ledger=tw.Ledger("openai")).messages.create(
            model="m", max_tokens=9, messages=[{"role": "user", "content": "Hello"}]
        )
