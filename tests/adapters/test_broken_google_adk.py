"""Contents of Google's ADK that are broken in many ways."""

import base64

import pytest
from generator import PNG, arguments, images, texts, told, without_other_arguments
from needs import framework
from proof import SEEDS, prove

framework("google.adk", "google-adk")
from google.adk.models import LlmRequest  # noqa: E402
from google.genai.types import (  # noqa: E402
    Blob,
    Content,
    FunctionCall,
    FunctionResponse,
    GenerateContentConfig,
    Part,
)
from turnwire.adapters.google_adk import before_model  # noqa: E402


def parts(content):
    image = Part(inline_data=Blob(data=base64.b64decode(PNG), mime_type="image/png"))
    return [*(Part(text=text) for text in texts(content)), *[image] * images(content)]


def spelled(one):
    """Contents, with the results of one turn in one content or in several."""
    names, made = one.names(), []
    for message in one.messages:
        if message["role"] == "tool":
            ident, said = message["tool_call_id"], "".join(texts(message["content"]))
            key = "error" if message.get("error") else "result"
            answer = FunctionResponse(id=ident, name=names.get(ident, "look"), response={key: said})
            part = Part(function_response=answer)
            behind = made and made[-1].role == "user" and made[-1].parts[0].function_response
            if behind and one.dice.random() < 0.8:
                made[-1] = Content(role="user", parts=[*made[-1].parts, part])
            else:
                made.append(Content(role="user", parts=[part]))
        elif message["role"] == "assistant":
            said = []
            if "thinking" in message:
                said.append(Part(text=message["thinking"], thought=True))
            said += parts(message["content"]) if message["content"] is not None else []
            for call in message.get("tool_calls") or ():
                args = arguments(call)
                args = args if isinstance(args, dict) else {}
                function = FunctionCall(id=call["id"], name=call["function"]["name"], args=args)
                said.append(Part(function_call=function, thought_signature=b"c2ln"))
            made.append(Content(role="model", parts=said))
        else:
            made.append(Content(role="user", parts=parts(message["content"])))
    return made


def plain(contents):
    return [content.model_dump(mode="json", by_alias=True, exclude_none=True) for content in contents]


def send(model):
    def sent(contents, **settings):
        asked = LlmRequest(model=model, contents=contents, config=GenerateContentConfig())
        before_model(opening="(begin)", **settings)(None, asked)
        return asked.contents

    return sent


@pytest.mark.parametrize("seed", SEEDS)
def test_what_reaches_the_model(seed):
    one = told(seed).closed()
    without_other_arguments(one)
    for message in one.messages:
        # The system instruction stands beside.
        message["role"] = "user" if message["role"] == "system" else message["role"]
    prove(one, spelled(one), send("gemini-3-pro-preview"), plain, lambda sent: {"contents": plain(sent)}, "gemini")
