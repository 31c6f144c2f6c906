"""A history of any provider is sent to each of Strands' other models, whose own writer makes the request."""

import base64
import copy

import pytest
import turnwire as tw
from generator import PNG
from needs import framework
from proof import refused
from provider import provider

framework("strands", "strands-agents")
import boto3  # noqa: E402
from strands import Agent, tool  # noqa: E402
from strands.agent.conversation_manager import NullConversationManager  # noqa: E402
from strands.middleware import InvokeModelStage  # noqa: E402
from strands.models.anthropic import AnthropicModel  # noqa: E402
from strands.models.bedrock import BedrockModel  # noqa: E402
from strands.models.gemini import GeminiModel  # noqa: E402
from strands.models.openai import OpenAIModel  # noqa: E402
from strands.models.openai_responses import OpenAIResponsesModel  # noqa: E402
from turnwire.adapters.strands import middleware  # noqa: E402

PDF = b"%PDF-1.4\n%%EOF\n"
MODELS = {
    "openai": lambda url: OpenAIModel(client_args=keys(f"{url}/v1"), model_id="gpt-5"),
    "openai-responses": lambda url: OpenAIResponsesModel(client_args=keys(f"{url}/v1"), model_id="gpt-5"),
    "anthropic": lambda url: AnthropicModel(client_args=keys(url), model_id="claude-opus-4-5", max_tokens=9),
    "gemini": lambda url: gemini(url, "gemini-3-pro-preview"),
    "gemini:2": lambda url: gemini(url, "gemini-2.5-pro"),
    "bedrock": lambda url: bedrock(url, "us.anthropic.claude-opus-4-5-v1:0"),
    "bedrock:nova": lambda url: bedrock(url, "us.amazon.nova-pro-v1:0"),
}


def gemini(url, name):
    return GeminiModel(client_args={"api_key": "none", "http_options": {"base_url": url}}, model_id=name)


def bedrock(url, name):
    keys = {"aws_access_key_id": "x", "aws_secret_access_key": "x", "region_name": "us-east-1"}
    return BedrockModel(boto_session=boto3.Session(**keys), endpoint_url=url, model_id=name)


def keys(url):
    return {"api_key": "none", "base_url": url, "max_retries": 0}


@tool
def look(q: str) -> str:
    """Looks."""
    return q


def cited(text):
    source = {"title": "L", "location": {"web": {"url": "https://lake"}}, "sourceContent": [{"text": "c"}]}
    return {"citationsContent": {"content": [{"text": text}], "citations": [source]}}


def thought(text, **more):
    return {"reasoningContent": {"reasoningText": {"text": text, **more}}}


def history():
    use = {"toolUseId": "t1", "name": "look", "input": {"q": "x"}}
    result = {"toolUseId": "t1", "status": "success", "content": [{"text": "a lake"}]}
    far = {"format": "pdf", "name": "b", "source": {"location": {"type": "s3", "uri": "s3://bucket/b.pdf"}}}
    media = [
        {"image": {"format": "png", "source": {"bytes": base64.b64decode(PNG)}}},
        {"document": {"format": "pdf", "name": "a", "source": {"bytes": PDF}}},
        {"document": far},
        {"video": {"format": "mp4", "source": {"bytes": b"moving"}}},
        {"guardContent": {"text": {"text": "Guarded.", "qualifiers": ["query"]}}},
    ]
    return [
        {"role": "user", "content": [{"text": "TASK"}, *media]},
        {"role": "assistant", "content": [thought("Where?", signature="c2ln"), {"text": "I look."}, {"toolUse": use}]},
        {"role": "user", "content": [{"toolResult": result}]},
        {"role": "assistant", "content": [thought("Unsigned."), cited("There is one."), {"text": "A lake."}]},
        {"role": "user", "content": [{"text": "Think."}]},
        {"role": "assistant", "content": [{"reasoningContent": {"redactedContent": b"red"}}]},
    ]


def asked(target, messages, *, ours=True, **settings):
    """What a server gets from an agent that continues a history."""
    with provider() as server:
        manager = NullConversationManager()
        agent = Agent(
            model=MODELS[target](server.url),
            messages=messages,
            tools=[look],
            callback_handler=None,
            conversation_manager=manager,
        )
        if ours:
            agent.add_middleware(InvokeModelStage.Input, middleware(**settings))
        agent("And now?")
    return server.bodies, agent.messages


def conversation(body):
    """The conversation in a request; for an image, Strands writes one key too many, or one too few."""
    kept = copy.deepcopy({key: body[key] for key in ("messages", "input", "system", "contents") if key in body})
    for message in kept.get("messages") or kept.get("input") or ():
        for block in message["content"] if isinstance(message.get("content"), list) else ():
            if "type" not in block:
                continue
            if isinstance(block.get("image_url"), dict):
                block["image_url"].pop("format", None)
            elif block["type"] == "input_image":
                block.setdefault("detail", "auto")
    return kept


LOST = {
    "openai": ["media", "media", "key", "reasoning", "reasoning", "key", "reasoning"],
    "openai-responses": ["media", "media", "key", "reasoning", "reasoning", "key", "reasoning"],
    "anthropic": ["media", "media", "key", "reasoning", "key"],
    "gemini": ["media", "key", "key", "reasoning"],
    "gemini:2": ["media", "key", "key", "reasoning"],
    "bedrock": ["reasoning"],
    "bedrock:nova": ["reasoning", "reasoning"],
}
# What reaches the model of thoughts, and of content that only some writers know.
SENT = {
    "anthropic": {"c2ln", "cmVk"},
    "gemini": {"c2ln", "Unsigned.", "Where?"},
    "gemini:2": {"c2ln", "Unsigned.", "Where?"},
    "bedrock": {"c2ln", "cmVk", "s3://", "https://lake"},
    # Strands keeps what it cannot read.
    "bedrock:nova": {"cmVk", "s3://", "https://lake"},
}


@pytest.mark.parametrize("target", MODELS)
def test_a_switch_of_provider(target):
    given, lost = history(), []
    (body,), kept = asked(target, copy.deepcopy(given), on_receipt=lost.append)
    assert refused(target.removesuffix(":nova"), conversation(body)) == []
    # Gemini's client writes URL-safe base64.
    sent = str(body).replace("_", "/").replace("-", "+") if "gemini" in target else str(body)
    pdf = base64.b64encode(PDF).decode()
    for word in ("TASK", "Guarded.", "I look.", "a lake", "There is one.", "A lake.", "Think.", "And now?", PNG, pdf):
        assert word in sent, word
    for some in ("c2ln", "cmVk", "s3://", "https://lake", "Unsigned."):
        assert (some in sent) == (some in SENT.get(target, ())), some
    (receipt,) = lost
    codes = [change.code for change in receipt if change.kind in ("lost", "restated")]
    assert [code for code in codes if code != "merged_turn"] == LOST[target]
    assert all(change.path.startswith("$.messages[") for change in receipt)
    # The agent keeps all of it.
    assert [message["content"] for message in kept[: len(given)]] == [message["content"] for message in given]


@pytest.mark.parametrize("target", ["openai", "openai-responses", "anthropic", "gemini"])
def test_without_it_the_run_ends_or_things_vanish(target):
    with pytest.raises(Exception, match=r"unsupported type|reasoningText"):
        asked(target, history(), ours=False)


@pytest.mark.parametrize("target", ["openai", "openai-responses"])
def test_thoughts_may_be_texts(target):
    lost = []
    (body,), _ = asked(target, history(), reasoning="text", on_receipt=lost.append)
    assert "Where?" in str(body) and "Unsigned." in str(body)
    assert [loss.code for loss in lost[0]].count("reasoning") == 1


def test_what_a_model_takes_is_the_same_objects():
    from turnwire.adapters._strands_blocks import native
    from turnwire.adapters._strands_signers import Signers

    plain = [{"role": "user", "content": [{"text": "TASK"}]}, {"role": "assistant", "content": [{"text": "A lake."}]}]
    for target, make in MODELS.items():
        messages, losses = native(plain, make("http://127.0.0.1"), False, Signers())
        assert messages is plain and losses == [], target
    assert native(history(), object(), False, Signers())[1] == []


@pytest.mark.parametrize("given", [{}, {"ledger": True}, {"ledger": "own"}])
def test_documents_with_the_same_name_stay_bytes(given, receipts):
    """The second one gets another name, so that it is written anew. Strands' models take no base64."""
    document = {"document": {"format": "pdf", "name": "a", "source": {"bytes": PDF}}}
    if given.get("ledger") == "own":
        given = {"ledger": tw.Ledger("bedrock", wording={"opening": "(begin)"})}
    asked = {"role": "user", "content": [{"text": "q"}, document, copy.deepcopy(document)]}
    with provider("done") as server:
        agent = Agent(model=MODELS["anthropic"](server.url), callback_handler=None)
        agent.add_middleware(InvokeModelStage.Input, middleware(on_receipt=receipts.append, **given))
        agent(asked["content"])
    sent = [block for block in server.bodies[0]["messages"][0]["content"] if block["type"] == "document"]
    assert [base64.b64decode(block["source"]["data"]) for block in sent] == [PDF] * 2
    assert {change.code for receipt in receipts for change in receipt} == {"reshaped"}


@pytest.mark.parametrize("kind", MODELS)
def test_media_in_results_are_sent_or_lost_with_a_word(kind):
    """Chat Completions takes no documents in a result, and only Gemini and Bedrock take videos."""
    document = {"document": {"format": "pdf", "name": "a", "source": {"bytes": PDF}}}
    video = {"video": {"format": "mp4", "source": {"bytes": b"mp4"}}}
    contents = [[{"text": "seen"}, document], [{"document": {**document["document"], "name": "b"}}], [video]]
    calls = [{"toolUse": {"toolUseId": f"t{at}", "name": "look", "input": {}}} for at in range(3)]
    results = [
        {"toolResult": {"toolUseId": f"t{at}", "status": "success", "content": content}}
        for at, content in enumerate(contents)
    ]
    history = [
        {"role": "user", "content": [{"text": "TASK"}]},
        {"role": "assistant", "content": calls},
        {"role": "user", "content": results},
        {"role": "assistant", "content": [{"text": "There."}]},
    ]
    before, lost = copy.deepcopy(history), []
    (body,), kept = asked(kind, history, on_receipt=lost.extend)
    assert refused(kind.removesuffix(":nova"), conversation(body)) == []
    sent = str(body).replace("_", "/").replace("-", "+")
    assert sent.count(base64.b64encode(PDF).decode()) == 2
    takes_video = kind in ("gemini", "gemini:2", "bedrock", "bedrock:nova")
    media = [loss for loss in lost if loss.code == "media"]
    assert [loss.path for loss in media] == ([] if takes_video else ["$.messages[2].content[2]"])
    assert [message["content"] for message in kept[: len(before)]] == [message["content"] for message in before]
