"""What single models refuse in the settings of a body: words for effort, thinking, sampling, choices of tools."""

import re
from typing import Any

from .findings import Report
from .values import child

# Each: the providers, a pattern of the model's name, the words for effort that it takes. The first that fits counts.
_EFFORT: list[tuple[str, str, str]] = [
    ("openai", r"gpt-5\.5-pro", "medium high xhigh"),
    ("openai", r"gpt-5\.[24]-pro", "low medium high xhigh"),
    ("openai", r"gpt-5\.1(?!-chat|-codex-max)", "none low medium high"),
    ("openai", r"gpt-5\.(2(?!-chat)|3-codex|4|5|6)", "none low medium high xhigh"),
    ("openai", r"gpt-5(?!\.|-chat|-codex|-search)", "minimal low medium high"),
    ("openai", r"gpt-6-(astra|rosalind)|gpt-6\.1-sol", "low medium high xhigh max"),
    ("openai", r"gpt-6", "none low medium high xhigh max"),
    ("openai", r"o[134]|gpt-oss", "low medium high"),
    ("openai", r"gpt-[34]|gpt-5(\.\d)?-chat", ""),
    ("claude", r"claude-(opus|sonnet)-4-6", "low medium high max"),
    ("claude", r"claude-(opus-4-[78]|opus-5|sonnet-5|haiku-5|fable|mythos)", "low medium high xhigh max"),
    ("claude", r"claude-(haiku|sonnet|opus)-4|claude-[23]", ""),
    ("gemini", r"gemini-3\.1-flash(-lite)?-image", "minimal high"),
    ("gemini", r"gemini-3-pro", "low high"),
    ("gemini", r"gemini-3(-flash|\.1-flash-lite|\.[56]-flash)", "minimal low medium high"),
    ("gemini", r"gemini-4-hydrogen", "low medium high xhigh"),
    ("gemini", r"gemini-[34]", "low medium high"),
    ("gemini", r"gemini-(1|2\.)", ""),
    ("converse", r"openai\.gpt-oss", "low medium high"),
    ("converse", r"openai\.gpt-6-astra", "low medium high xhigh max"),
    ("converse", r"openai\.gpt-(5\.6|6)", "none low medium high xhigh max"),
]
# Claude: no thinking by hand, no rest, no sampling, no forced call.
_ADAPTIVE = r"claude-(opus-4-[78]|opus-5|sonnet-5|haiku-5|fable|mythos)"
_NEVER_RESTS = r"claude-(fable|mythos|opus-5-5|sonnet-5-5)"
_UNFORCED = r"claude-((fable|mythos)-5-1|(opus|sonnet)-5-5)"
# OpenAI's models that take no tools beside any effort in Chat Completions, and those that are only in Responses.
_REST_BESIDE_TOOLS = r"gpt-5\.[456](?!-pro)|gpt-6"
_NOT_IN_CHAT = r"o[13]-pro|.*-deep-research|gpt-5(\.\d)?-(pro|codex)"
_UNSAMPLED = r"gemini-3\.(5-flash-lite|[678]-flash)"


def is_model(pattern: str, model: str) -> bool:
    """Whether a name begins so, perhaps behind its provider's."""
    return re.search(rf"(^|[/.])({pattern})", model.lower()) is not None


def _words(provider: str, model: str) -> list[str] | None:
    found = (words for one, pattern, words in _EFFORT if one == provider and is_model(pattern, model))
    words = next(found, None)
    return None if words is None else words.split()


def _effort(report: Report, provider: str, model: str, path: str, word: Any) -> None:
    words = _words(provider, model)
    if words is not None and isinstance(word, str) and word.lower() not in words:
        report.add("model.effort", path, f"{word!r} for {model}")


def check_openai(report: Report, body: dict[str, Any], *, chat: bool) -> None:
    """Bodies of Chat Completions and of Responses."""
    model = str(body.get("model"))
    word = body.get("reasoning_effort") if chat else child(body, "reasoning").get("effort")
    _effort(report, "openai", model, "reasoning_effort" if chat else "reasoning.effort", word)
    if not chat:
        return
    if is_model(_NOT_IN_CHAT, model):
        report.add("model.only-responses", "model", model)
    always = (_words("openai", model) or ["none"])[0] != "none"
    if body.get("tools") and is_model(_REST_BESIDE_TOOLS, model) and (always or word not in (None, "none")):
        report.add("model.tools", "reasoning_effort", model)


def check_claude(report: Report, body: dict[str, Any], version: str) -> None:
    """Bodies of Anthropic's Messages."""
    model, thinking = str(body.get("model")), child(body, "thinking")
    _effort(report, "claude", model, "output_config.effort", child(body, "output_config").get("effort"))
    _thinking(report, model, "thinking", thinking)
    if is_model(_UNFORCED, model) and child(body, "tool_choice").get("type") in ("any", "tool"):
        report.add("model.tool_choice", "tool_choice", model)
    sampled = [key for key in ("temperature", "top_p", "top_k") if body.get(key) is not None]
    if version < "2026-10-21" and sampled and is_model(_ADAPTIVE, model):
        report.add("model.sampling", sampled[0], model)


def _thinking(report: Report, model: str, path: str, thinking: dict[str, Any]) -> None:
    kind = thinking.get("type")
    if (kind == "enabled" and is_model(_ADAPTIVE, model)) or (kind == "disabled" and is_model(_NEVER_RESTS, model)):
        report.add("model.thinking", f"{path}.type", f"{kind!r} for {model}")


def check_gemini(report: Report, body: dict[str, Any], model: str) -> None:
    """Bodies of Gemini."""
    config = child(body, "generationConfig")
    level = child(config, "thinkingConfig").get("thinkingLevel")
    _effort(report, "gemini", model, "generationConfig.thinkingConfig.thinkingLevel", level)
    if any(config.get(key) is not None for key in ("temperature", "topP", "topK")) and is_model(_UNSAMPLED, model):
        report.add("model.sampling", "generationConfig", model)


def check_bedrock(report: Report, body: dict[str, Any], model: str) -> None:
    """Bodies of Converse."""
    more = child(body, "additionalModelRequestFields")
    if "claude" in model:
        _effort(report, "claude", model, "outputConfig.effort", child(body, "outputConfig").get("effort"))
        _thinking(report, model, "additionalModelRequestFields.thinking", child(more, "thinking"))
        if is_model(_UNFORCED, model) and {"any", "tool"} & {*child(child(body, "toolConfig"), "toolChoice")}:
            report.add("model.toolChoice", "toolConfig.toolChoice", model)
        return
    if not is_model(r"openai\.", model):
        return
    if more.get("thinking") or child(body, "outputConfig").get("effort"):
        report.add("model.fields", "additionalModelRequestFields", model)
    for path, word in (
        ("reasoning.effort", child(more, "reasoning").get("effort")),
        ("reasoning_effort", more.get("reasoning_effort")),
    ):
        _effort(report, "converse", model, f"additionalModelRequestFields.{path}", word)
