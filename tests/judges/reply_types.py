"""What the types of the SDKs refuse in a reply or an event, though their clients let it through.

    strict("openai-responses", reply)       the SDK's model of a reply
    strict("anthropic", event, "any name")  of one event of a stream; for Bedrock, the event's own name

It lists required keys that are missing and values outside their list: what a typed client may choke on.
"""

from judges.sdks import imported


def strict(wire: str, payload: dict, event: str | None = None) -> list[str]:
    pydantic = imported("pydantic")

    if wire == "bedrock":
        session, validate = imported("botocore.session"), imported("botocore.validate")

        model = session.get_session().get_service_model("bedrock-runtime")
        shape = (
            model.shape_for("ConverseResponse")
            if event is None
            else model.shape_for("ConverseStreamOutput").members[event]
        )
        report = validate.ParamValidator().validate(payload, shape)
        return [report.generate_report()] if report.has_errors() else []
    chat, r = imported("openai.types.chat"), imported("openai.types.responses")
    a, g = imported("anthropic.types"), imported("google.genai.types")

    kinds = {
        "openai": (chat.ChatCompletion, chat.ChatCompletionChunk),
        "openai-responses": (r.Response, r.ResponseStreamEvent),
        "anthropic": (a.Message, a.RawMessageStreamEvent),
        "gemini": (g.GenerateContentResponse, g.GenerateContentResponse),
    }
    try:
        pydantic.TypeAdapter(kinds[wire][event is not None]).validate_python(payload)
    except pydantic.ValidationError as error:
        return [f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()[:8]]
    return []
