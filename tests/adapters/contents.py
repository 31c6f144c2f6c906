"""The generator's histories as contents of Google's SDK."""

import base64

from generator import PNG, arguments, images, texts
from google.genai.types import Blob, Content, FunctionCall, FunctionResponse, Part


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
