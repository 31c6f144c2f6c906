"""What providers refuse in the body of a request. Nothing here imports turnwire.

Each check has two halves. *Types*: software of others validates the body, which is the official SDK's types, the
service model of botocore, or Mistral's own validator. *Rules*: what servers refuse and types allow. Their list, and
what each rests on, is `docs/contributing/wire-rules.md`.

A body is what goes over HTTP, as Python objects. Bedrock's blobs are base64 there; `blobs="raw"` is for the bytes in
boto3's keywords. Where servers, models or versions differ, an option names the one that is meant: `profile=` of
`openai_chat`, `server=` of `openai_responses`, `version=` of `anthropic`, `model=` of `bedrock`, `generation=` of
`gemini`, `tokenizer=` and `oldest=` of `mistral`, `result_role=` of `llama_json`.
"""

from collections.abc import Callable
from typing import Any

from judges.sdks import SdkMissingError

from . import anthropic, bedrock, cohere, gemini, llama_json, mistral, ollama, openai_chat, openai_responses
from .findings import RULES, Problem, Rule, errors

__all__ = ["CHECKS", "PROVIDERS", "RULES", "Problem", "Rule", "SdkMissingError", "check", "errors", "refused"]

CHECKS: dict[str, Callable[..., list[Problem]]] = {
    "openai_chat": openai_chat.check,
    "openai_responses": openai_responses.check,
    "anthropic": anthropic.check,
    "gemini": gemini.check,
    "bedrock": bedrock.check,
    "ollama": ollama.check,
    "mistral": mistral.check,
    "cohere": cohere.check,
    "llama_json": llama_json.check,
}

# The check of each dialect of turnwire, and what a body has beside the keys that turnwire writes.
PROVIDERS: dict[str, tuple[str, dict[str, Any]]] = {
    "openai": ("openai_chat", {"model": "m"}),
    "openai-responses": ("openai_responses", {"model": "m"}),
    "anthropic": ("anthropic", {"model": "m", "max_tokens": 4096}),
    "gemini": ("gemini", {}),
    "bedrock": ("bedrock", {}),
    "ollama": ("ollama", {"model": "m"}),
    "mistral": ("mistral", {"model": "m"}),
    "cohere": ("cohere", {"model": "m"}),
}
LISTS = {"openai-responses": "input", "gemini": "contents"}


def check(provider: str, payload: Any, **options: Any) -> list[Problem]:
    """All problems of a body, errors first."""
    problems = CHECKS[provider](payload, **options)
    return sorted(problems, key=lambda one: one.severity != "error")


def refused(dialect: str, payload: Any) -> list[Problem]:
    """The errors of a payload that turnwire wrote for `dialect`: a body or the list of its messages."""
    name, _, profile = dialect.partition(":")
    provider, beside = PROVIDERS[name]
    body = payload if isinstance(payload, dict) else {LISTS.get(name, "messages"): payload}
    # What boto3 takes is bytes, all of it; the body of HTTP is base64.
    form = {"blobs": "raw"} if name == "bedrock" and _holds_bytes(body) else {}
    return errors(check(provider, beside | body, **_options(name, profile), **form))


def _holds_bytes(value: Any) -> bool:
    if isinstance(value, dict | list):
        return any(map(_holds_bytes, value.values() if isinstance(value, dict) else value))
    return isinstance(value, bytes)


def _options(name: str, profile: str) -> dict[str, Any]:
    """The option of the check that a profile of the dialect means."""
    if not profile:
        return {}
    if name == "openai":
        return {"profile": profile if profile in openai_chat.PROFILES else "compatible"}
    options = {
        "anthropic": {"version": profile},
        "bedrock": {"model": f"amazon.{profile}"},
        "gemini": {"generation": 2},
        "mistral": {"tokenizer": profile},
    }
    return options[name]
