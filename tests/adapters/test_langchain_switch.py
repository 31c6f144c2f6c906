"""A history of each provider is sent to each other one, by LangChain's own integrations, which write the request."""

import pytest
from generator import PNG
from needs import framework
from proof import refused

framework("langchain", "langchain")
framework("langchain_openai", "langchain-openai")
framework("langchain_google_genai", "langchain-google-genai")
from langchain.agents import create_agent  # noqa: E402
from langchain_anthropic import ChatAnthropic  # noqa: E402
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage  # noqa: E402
from langchain_google_genai import ChatGoogleGenerativeAI  # noqa: E402
from langchain_openai import ChatOpenAI  # noqa: E402
from turnwire.adapters.langchain import middleware  # noqa: E402

PDF = "JVBERi0xLjQKJSVFT0YK"
CALL = {"name": "look", "args": {"q": "x"}, "id": "toolu_01A", "type": "tool_call"}


def of_anthropic():
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
    paper = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": PDF}}
    note = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "A note."}}
    cited = [
        {
            "type": "web_search_result_location",
            "url": "https://lake",
            "title": "L",
            "cited_text": "c",
            "encrypted_index": "e",
        }
    ]
    found = {"type": "web_search_result", "url": "https://lake", "title": "L", "encrypted_content": "e"}
    said = [
        {"type": "thinking", "thinking": "Where?", "signature": "c2ln"},
        {"type": "server_tool_use", "id": "srvtoolu_01", "name": "web_search", "input": {"query": "lake"}},
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_01", "content": [found]},
        {"type": "text", "text": "There is one.", "citations": cited},
        {"type": "tool_use", "id": "toolu_01A", "name": "look", "input": {"q": "x"}},
    ]
    return "anthropic", said, [image, paper, note], {"reasoning", "opaque", "key"}


def of_openai():
    image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}
    paper = {"type": "file", "file": {"filename": "a.pdf", "file_data": f"data:application/pdf;base64,{PDF}"}}
    said = [
        {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Where?"}]},
        {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "lake"}},
        {"type": "text", "text": "There is one.", "annotations": [{"type": "url_citation", "url": "https://lake"}]},
        {"type": "function_call", "id": "fc_1", "call_id": "toolu_01A", "name": "look", "arguments": '{"q": "x"}'},
    ]
    return "openai", said, [image, paper], {"reasoning", "opaque", "key"}


def of_google():
    media = [
        {"type": "media", "mime_type": kind, "data": data}
        for kind, data in (("image/png", PNG), ("application/pdf", PDF))
    ]
    said = [
        {"type": "thinking", "thinking": "Where?", "signature": "c2ln"},
        {"type": "executable_code", "executable_code": "print(1)", "language": "PYTHON", "id": "x"},
        {"type": "code_execution_result", "code_execution_result": "1", "outcome": 1},
        {"type": "text", "text": "There is one."},
    ]
    return "google_genai", said, media, {"reasoning", "opaque"}


def history(provider, said, media, named=True):
    metadata = {"model_provider": provider} if named else {}
    return [
        HumanMessage([{"type": "text", "text": "TASK"}, *media]),
        AIMessage(said, tool_calls=[CALL], response_metadata=metadata),
        ToolMessage("a lake", tool_call_id="toolu_01A"),
        AIMessage("A lake.", response_metadata=metadata),
        HumanMessage("And now?"),
    ]


def to_openai(messages):
    payload = ChatOpenAI(model="gpt-5", api_key="none")._get_request_payload(messages)
    assert refused("openai", payload) == []
    return payload["messages"]


def to_anthropic(messages):
    payload = ChatAnthropic(model="claude-opus-4-5", api_key="none")._get_request_payload(messages)
    assert refused("anthropic", {key: payload[key] for key in ("messages", "system") if key in payload}) == []
    return payload["messages"]


def to_google(messages):
    model = ChatGoogleGenerativeAI(model="gemini-2.5-pro", google_api_key="none")
    request = model._prepare_request(messages)
    return [content.model_dump(mode="json", exclude_none=True, by_alias=True) for content in request["contents"]]


MODELS = {
    "openai": (to_openai, lambda: ChatOpenAI(model="gpt-5", api_key="none")),
    "anthropic": (to_anthropic, lambda: ChatAnthropic(model="claude-opus-4-5", api_key="none")),
    "google_genai": (to_google, lambda: ChatGoogleGenerativeAI(model="gemini-2.5-pro", google_api_key="none")),
}


def through(model, messages, **settings):
    """What a model gets from an agent with our middleware."""
    seen = []

    class Seen(type(model)):
        def _generate(self, messages, *args, **more):
            from langchain_core.outputs import ChatGeneration, ChatResult

            seen.extend(messages)
            return ChatResult(generations=[ChatGeneration(message=AIMessage("done"))])

    model.__class__ = Seen
    create_agent(model, [], middleware=[middleware(**settings)]).invoke({"messages": messages})
    return seen


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("target", MODELS)
@pytest.mark.parametrize("source", [of_anthropic, of_openai, of_google])
def test_a_switch_of_provider(source, target, named):
    provider, said, media, codes = source()
    given = history(provider, said, media, named)
    write, model = MODELS[target]
    lost = []
    seen = through(model(), given, on_receipt=lost.append)
    if provider == target:
        assert seen[1].content == said and lost == []
        return
    # Google writes URL-safe base64.
    sent = str(write(seen)).translate(str.maketrans("-_", "+/"))
    for word in ("TASK", "There is one.", "a lake", "A lake.", "And now?", PNG, PDF):
        assert word in sent, (word, sent)
    for foreign in ("srvtoolu", "web/search", "executable/code", "rs/1", "ws/1", "c2ln"):
        assert foreign not in sent
    (losses,) = lost
    assert {loss.code for loss in losses} == codes
    assert all(loss.path.startswith("$.messages[1].content[") for loss in losses)
    # The agent's own messages did not change.
    assert [message.content for message in given] == [one.content for one in history(provider, said, media, named)]


def test_losses_are_reported_once_and_thoughts_may_be_texts():
    provider, said, media, _ = of_anthropic()
    given, lost = history(provider, said, media), []
    runnable = middleware(target="openai", on_receipt=lost.append).runnable
    runnable.invoke(given)
    runnable.invoke([*given, AIMessage("Well."), HumanMessage("And?")])
    assert len(lost) == 1
    spoken = middleware(target="openai", reasoning="text", on_receipt=lost.append).runnable.invoke(given)
    assert "Where?" in str(to_openai(spoken)) and "reasoning" not in {loss.code for loss in lost[-1]}
