"""The generator's histories in the formats that are plain dicts."""

from __future__ import annotations

from typing import Any

from generator import PNG, Told, arguments, images, texts

Json = dict[str, Any]


def openai(one: Told) -> list[Json]:
    """Chat Completions, with thinking in LiteLLM's fields."""
    made = []
    for message in one.messages:
        plain = {key: value for key, value in message.items() if key not in ("thinking", "error")}
        if "thinking" in message:
            thought = {"type": "thinking", "thinking": message["thinking"], "signature": "c2ln"}
            plain["thinking_blocks"] = [thought]
        made.append(plain)
    return made


def responses(one: Told) -> list[Json]:
    """Items of Responses."""
    made: list[Json] = []
    image = {"type": "input_image", "image_url": f"data:image/png;base64,{PNG}", "detail": "auto"}
    for at, message in enumerate(one.messages):
        content, said = message["content"], texts(message["content"])
        parts = [*({"type": "input_text", "text": text} for text in said), *[image] * images(content)]
        if message["role"] == "tool":
            output = parts if images(content) else said[0]
            made.append({"type": "function_call_output", "call_id": message["tool_call_id"], "output": output})
        elif message["role"] != "assistant":
            made.append({"role": message["role"], "content": parts if images(content) else said[0]})
        else:
            if "thinking" in message:
                summary = [{"type": "summary_text", "text": message["thinking"]}]
                made.append({"type": "reasoning", "id": f"rs_{at}", "summary": summary, "encrypted_content": "c2ln"})
            if content is not None:
                output = [{"type": "output_text", "text": text, "annotations": []} for text in said]
                item = {"type": "message", "id": f"msg_{at}", "role": "assistant", "status": "completed"}
                made.append({**item, "content": output})
            calls = message.get("tool_calls") or ()
            made += [{"type": "function_call", "call_id": call["id"], **call["function"]} for call in calls]
    return made


def anthropic(one: Told) -> list[Json]:
    """Messages of Anthropic, results in one message or in several."""
    made: list[Json] = []
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
    for message in one.messages:
        content, said = message["content"], texts(message["content"])
        parts = [*({"type": "text", "text": text} for text in said), *[image] * images(content)]
        if message["role"] == "tool":
            block = {"type": "tool_result", "tool_use_id": message["tool_call_id"]}
            block["content"] = parts if images(content) else said[0]
            if message.get("error"):
                block["is_error"] = True
            behind = made and made[-1]["role"] == "user" and isinstance(made[-1]["content"], list)
            if behind and one.dice.random() < 0.8:
                made[-1]["content"].append(block)
            else:
                made.append({"role": "user", "content": [block]})
        elif message["role"] == "user":
            made.append({"role": "user", "content": parts if images(content) or one.dice.random() < 0.5 else said[0]})
        elif message["role"] == "system":
            made.append({"role": "system", "content": said[0]})
        else:
            blocks: list[Json] = []
            if "thinking" in message:
                blocks.append({"type": "thinking", "thinking": message["thinking"], "signature": "c2ln"})
            blocks += parts if content is not None else []
            for call in message.get("tool_calls") or ():
                use = {"type": "tool_use", "id": call["id"], "name": call["function"]["name"]}
                blocks.append({**use, "input": arguments(call)})
            made.append({"role": "assistant", "content": blocks})
    return made


def bedrock(one: Told) -> list[Json]:
    """Messages of Converse."""
    made: list[Json] = []
    image = {"image": {"format": "png", "source": {"bytes": PNG}}}
    for message in one.messages:
        content, said = message["content"], texts(message["content"])
        parts = [*({"text": text} for text in said), *[image] * images(content)]
        if message["role"] == "tool":
            result = {"toolUseId": message["tool_call_id"], "content": parts}
            result["status"] = "error" if message.get("error") else "success"
            behind = made and made[-1]["role"] == "user"
            if behind and one.dice.random() < 0.8:
                made[-1]["content"].append({"toolResult": result})
            else:
                made.append({"role": "user", "content": [{"toolResult": result}]})
        elif message["role"] == "assistant":
            blocks: list[Json] = []
            if "thinking" in message:
                thought = {"text": message["thinking"], "signature": "c2ln"}
                blocks.append({"reasoningContent": {"reasoningText": thought}})
            blocks += parts if content is not None else []
            for call in message.get("tool_calls") or ():
                use = {"toolUseId": call["id"], "name": call["function"]["name"], "input": arguments(call)}
                blocks.append({"toolUse": use})
            made.append({"role": "assistant", "content": blocks})
        else:
            made.append({"role": "user", "content": parts})
    return made
