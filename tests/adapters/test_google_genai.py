"""The wrapped client of Google, against a server on this machine that refuses what Gemini refuses."""

import asyncio
import copy
import gc
import logging
from itertools import pairwise

import pytest
import turnwire as tw
from histories import LARGE
from needs import framework, rows
from proof import judged, refused
from provider import WHOLE, Handler, Step, provider, within

genai = framework("google.genai", "google-genai")
from google.genai import types  # noqa: E402
from turnwire.adapters.google_genai import wrap  # noqa: E402

BUDGET = 60_000
MODEL = "gemini-3-pro"
NEW = (
    "models.generate_content",
    "models.generate_content_stream",
    "aio.models.generate_content",
    "aio.models.generate_content_stream",
)
DECLARED = {"name": "look", "parameters": {"type": "OBJECT", "properties": {"q": {"type": "STRING"}}}}
CONFIG = {"system_instruction": "Be brief.", "temperature": 0.5, "tools": [{"function_declarations": [DECLARED]}]}


class Strict(Handler):
    """Answers 400 to what Google's own types and rules refuse."""

    def do_POST(self):
        self.server.paths.append(self.path)
        super().do_POST()

    def send_response(self, code, message=None):
        dialect = "gemini:2" if "gemini-2" in self.path else "gemini"
        wrong = refused(dialect, self.server.bodies[-1])
        self.server.wrong += wrong
        super().send_response(400 if wrong else code, message)


@pytest.fixture
def server():
    judged("gemini")
    with provider() as running:
        running.RequestHandlerClass, running.wrong, running.paths = Strict, [], []
        yield running


def plain(server, **more):
    options = types.HttpOptions(base_url=server.url, **more)
    return genai.Client(api_key="none", vertexai=False, http_options=options)


def text_of(reply):
    return "".join(chunk.text or "" for chunk in reply)


async def asked(client, way, **more):
    """The answer's text, by one of the client's methods."""
    made = client
    for name in way.split("."):
        made = getattr(made, name)
    given = {"model": MODEL, "contents": broken(), "config": CONFIG, **more}
    if not way.startswith("aio"):
        reply = made(**given)
        return text_of(reply) if way.endswith("stream") else reply.text
    reply = await made(**given)
    return text_of([chunk async for chunk in reply]) if way.endswith("stream") else reply.text


def ask(client, way=NEW[0], **more):
    return asyncio.run(asked(client, way, **more))


def call(ident, args=None):
    function = types.FunctionCall(id=ident, name="look", args=args or {"q": "x"})
    return types.Part(function_call=function, thought_signature=b"signed")


def answer(ident, text):
    return types.Part(function_response=types.FunctionResponse(id=ident, name="look", response={"result": text}))


def broken():
    """Typed contents and dicts; comments name the faults."""
    return [
        types.Content(role="user", parts=[types.Part(text="TASK")]),
        types.Content(role="model", parts=[call("c1"), call("c2")]),
        # Only one of two results, and it is too large.
        types.Content(role="user", parts=[answer("c1", LARGE * 4)]),
        {"role": "model", "parts": [{"text": " "}]},
        # A result without a call.
        {"role": "user", "parts": [{"function_response": {"id": "c9", "name": "look", "response": {"result": "x"}}}]},
        {"role": "user", "parts": [{"text": "And now?"}]},
    ]


@pytest.mark.parametrize("way", NEW)
def test_what_is_sent_is_whole_and_within_the_budget(server, receipts, way):
    given = broken()
    before = copy.deepcopy(given)
    assert ask(wrap(plain(server), BUDGET, on_receipt=receipts.append), way, contents=given) == "done"
    (body,) = server.bodies
    within(body, "gemini", BUDGET)
    assert server.wrong == [] and given == before
    assert {entry.code for entry in receipts[0]} >= {"missing_result", "orphan_result", "cut_result"}
    assert body["generationConfig"] == {"temperature": 0.5}
    assert body["systemInstruction"]["parts"] == [{"text": "Be brief."}]
    first = body["contents"][1]["parts"][0]
    assert first["thoughtSignature"] == "c2lnbmVk" and first["functionCall"]["id"] == "c1"


@pytest.mark.parametrize("contents", ["hi", ["hi"], [types.Part(text="hi")], {"text": "hi"}, types.Part(text="hi")])
def test_what_is_valid_is_sent_as_the_client_itself_sends_it(server, receipts, contents):
    client = plain(server)
    ask(client, contents=contents)
    ask(wrap(client, BUDGET, on_receipt=receipts.append), contents=contents)
    assert server.bodies[0] == server.bodies[1] and server.paths[0] == server.paths[1]
    assert receipts == []


def test_thoughts_media_and_choices_stay(server):
    image = types.Part.from_bytes(data=b"\xff\xfe", mime_type="image/png")
    thought = types.Part(text="Hm.", thought=True, thought_signature=b"\xff\xfb")
    contents = [types.Content(role="user", parts=[image]), types.Content(role="model", parts=[thought, call("c1")])]
    contents.append(types.Content(role="user", parts=[answer("c1", "seen")]))
    choice = {"function_calling_config": {"mode": "ANY"}, "retrieval_config": {"language_code": "de"}}
    client, config = plain(server), {**CONFIG, "tool_config": choice}
    for one in (client, wrap(client, BUDGET)):
        ask(one, contents=contents, config=config)
    assert server.bodies[0] == server.bodies[1]


def test_the_target_is_that_of_the_model(server):
    without = [
        types.Content(role="user", parts=[types.Part(text="TASK")]),
        types.Content(role="model", parts=[types.Part(function_call=types.FunctionCall(name="look", args={}))]),
        types.Content(role="user", parts=[answer(None, "seen")]),
    ]
    client = wrap(plain(server))
    for model in ("gemini-2.5-flash", "gemini-3-pro"):
        ask(client, model=model, contents=without)
    ask(wrap(plain(server), target="gemini"), model="tunedModels/gemini-2-mine", contents=without)
    signed = ["thoughtSignature" in body["contents"][1]["parts"][0] for body in server.bodies]
    assert signed == [False, True, True]
    assert server.paths[0].endswith("/models/gemini-2.5-flash:generateContent")


def test_functions_that_the_sdk_calls_itself(server):
    def look(q: str) -> str:
        """Looks."""
        return q + "x" * 30_000

    server.script[:0] = [Step(calls=((f"c{at}", "look", {"q": str(at)}),)) for at in range(3)]
    assert ask(wrap(plain(server), BUDGET), contents="TASK", config={"tools": [look]}) == "done"
    assert [len(body["contents"]) for body in server.bodies] == [1, 3, 5, 7]
    for body in server.bodies:
        within(body, "gemini", BUDGET)
    assert server.wrong == []


@pytest.mark.parametrize("stream", [False, True])
def test_chats(server, stream):
    chat = wrap(plain(server), 1_000).chats.create(model=MODEL)
    for at in range(8):
        said = f"{at}: {LARGE[:200]}"
        assert (text_of(chat.send_message_stream(said)) if stream else chat.send_message(said).text) == "done"
    assert len(chat.get_history()) == (24 if stream else 16)
    for body in server.bodies:
        within(body, "gemini", 1_000)
    assert len(server.bodies[-1]["contents"]) < 15


def test_wrapped_twice(server):
    first, second = [], []
    client = wrap(wrap(plain(server), 5_000, on_receipt=second.append), BUDGET, on_receipt=first.append)
    for way in NEW:
        assert ask(client, way) == "done"
    # The new one acts first: of its repairs nothing is left for the other, only the cuts to its smaller budget.
    assert "missing_result" in {entry.code for entry in first[0]}
    assert {entry.code for entry in second[0]} == {"cut_result"}
    for body in server.bodies:
        within(body, "gemini", 5_000)


def test_the_rest_is_the_client_itself(server, monkeypatch):
    monkeypatch.setitem(WHOLE, ":countTokens", lambda step: {"totalTokens": 7})
    client = plain(server)
    made = wrap(client, BUDGET)
    assert isinstance(made, genai.Client) and type(made).__name__ == "Client"
    assert made._api_client._httpx_client is client._api_client._httpx_client
    with pytest.raises(genai.errors.ClientError):
        ask(client)
    assert "c9" in str(server.bodies[0])
    # The SDK closes connections when a client is no longer used; these two share theirs.
    del made
    gc.collect()
    ask(client, contents="hi")
    made = wrap(client, BUDGET)
    del client
    gc.collect()
    for way in NEW:
        assert ask(made, way) == "done"
    # The content to count may be any part of a history.
    part = [{"role": "user", "parts": [{"text": " "}, {"text": "x"}]}]
    made.models.count_tokens(model=MODEL, contents=part)
    assert server.bodies[-1]["contents"] == part


WRONG = {
    "another dialect": {"target": "openai"},
    "no such target": {"target": "gemini:9"},
    "a cache": {"cache": "auto"},
    "settings": {"settings": "convert"},
    "a budget below zero": {"budget": -1},
    "a ledger and a summary": {"ledger": True, "budget": tw.Budget(summarise=str)},
    "a ledger and open calls": {"ledger": True, "end": "calls"},
    "a ledger of another target": {"ledger": tw.Ledger("anthropic"), "target": "gemini"},
}


@pytest.mark.parametrize("name", WRONG)
def test_contradicting_options_are_errors_of_the_constructor(server, name):
    with pytest.raises(tw.TurnwireError):
        wrap(plain(server), **WRONG[name])


def test_wrong_types(server):
    for given in ("client", plain(server).aio, plain(server).models):
        with pytest.raises(TypeError, match=r"expected a Client of google\.genai, got"):
            wrap(given)
    with pytest.raises(TypeError):
        wrap(plain(server), on_receipt=3)


def fails(*_):
    raise LookupError("mine")


@pytest.mark.parametrize("way", NEW)
def test_callbacks_that_raise(server, caplog, way):
    said = [{"role": ("user", "model")[at % 2], "parts": [{"text": f"{at} " + "x" * 100}]} for at in range(21)]
    asks = tw.Budget(700, summarise=fails)
    for options, contents in (({"on_receipt": fails, "budget": BUDGET}, broken()), ({"budget": asks}, said)):
        with pytest.raises(LookupError, match="mine"):
            ask(wrap(plain(server), **options), way, contents=contents)
        assert server.bodies == []
        with caplog.at_level(logging.ERROR):
            assert ask(wrap(plain(server), on_error="log", **options), way, contents=contents) == "done"
        assert "mine" in caplog.text
        server.bodies.clear()
        caplog.clear()


def test_errors_by_option(server):
    with pytest.raises(tw.BuildError):
        ask(wrap(plain(server), 1))
    assert server.bodies == []
    with pytest.raises(genai.errors.ClientError):
        ask(wrap(plain(server), 1, on_error="log"))
    assert "c9" in str(server.bodies[0]) and server.wrong


async def told(gone):
    return f"{len(gone)} went."


def test_summaries(server):
    said = [{"role": ("user", "model")[at % 2], "parts": [{"text": f"{at} " + "x" * 100}]} for at in range(21)]
    for way in NEW:
        ask(wrap(plain(server), tw.Budget(700, summarise=lambda gone: f"{len(gone)} went.")), way, contents=said)
    for way in NEW[2:]:
        ask(wrap(plain(server), tw.Budget(700, summarise=told)), way, contents=said)
    assert len(server.bodies) == 6
    for body in server.bodies:
        assert "went." in str(body)
        within(body, "gemini", 700)
    for way in NEW[:2]:
        with pytest.raises(tw.TurnwireError, match="in a synchronous call, it is not awaited"):
            ask(wrap(plain(server), tw.Budget(700, summarise=told)), way, contents=said)


def test_a_ledger(server):
    client = wrap(plain(server), 4_000, ledger=True)
    contents = [{"role": "user", "parts": [{"text": "TASK"}]}]
    for at in range(30):
        ask(client, NEW[at % 4], contents=contents)
        contents += [types.Content(role="model", parts=[call(f"c{at}")])]
        contents += [types.Content(role="user", parts=[answer(f"c{at}", f"{at} " + "x" * 300)])]
    sent = [body["contents"] for body in server.bodies]
    breaks = sum(after[: len(before)] != before for before, after in pairwise(sent))
    assert 0 < breaks < 8
    for body in server.bodies:
        within(body, "gemini", 4_000)


def test_vertex(server, monkeypatch):
    options = types.HttpOptions(base_url=server.url, api_version="v1", headers={"authorization": "Bearer none"})
    client = genai.Client(vertexai=True, api_key="none", http_options=options)
    for way in NEW:
        assert ask(wrap(client, BUDGET), way) == "done"
    for body in server.bodies:
        within(body, "gemini", BUDGET)
    assert server.paths[0].startswith("/v1/publishers/google/models/gemini-3-pro:generateContent")


def test_the_line_of_the_page(server, monkeypatch):
    monkeypatch.setenv("GOOGLE_API_KEY", "none")
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.url)
    names = {"tw": tw, "Client": genai.Client}
    exec(rows()["google_genai"], names)
    ask(names["client"])
    within(server.bodies[0], "gemini", 300_000)
