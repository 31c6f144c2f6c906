"""Numbers of sessions and traces keep their spelling, and other values are read and written as Python's `json` does."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from random_runs import tries
from turnwire import batch
from turnwire.batch.spelled import dumped, loads

NUMBERS = ["1.10", "-0", "-0.0", "1e5", "1E+5", "1.0", "0.1", "12345678901234567890123", "9" * 5000, "3", "-17", "0"]
ARGS = json.dumps({f"n{at}": at for at in range(len(NUMBERS))})
for at, number in reversed(list(enumerate(NUMBERS))):
    ARGS = ARGS.replace(f'"n{at}": {at}', f'"n{at}": {number}')

USER = '{"role": "user", "content": "x"}'
CLAUDE = f"""{{"sessionId": "s", "type": "user", "uuid": "u", "parentUuid": null, "message": {USER}}}
{{"sessionId": "s", "type": "assistant", "uuid": "a", "parentUuid": "u", "message": {{"role": "assistant", "content": \
[{{"type": "tool_use", "id": "t", "name": "w", "input": {ARGS}}}]}}}}"""
CODEX = f"""{{"type": "session_meta", "payload": {{"id": "s"}}}}
{{"type": "response_item", "payload": {{"type": "message", "role": "user", "content": \
[{{"type": "input_text", "text": "x"}}]}}}}
{{"type": "response_item", "payload": {{"type": "function_call", "call_id": "t", "name": "w", \
"arguments": {json.dumps(ARGS)}}}}}"""
GEMINI = f"""{{"sessionId": "s", "projectHash": "p", "kind": "main"}}
{{"id": "m1", "type": "user", "content": [{{"text": "x"}}]}}
{{"id": "m2", "type": "gemini", "content": "", "toolCalls": [{{"id": "t", "name": "w", "args": {ARGS}}}]}}"""
CALL = f'[{{"role": "assistant", "parts": [{{"type": "tool_call", "id": "t", "name": "w", "arguments": {ARGS}}}]}}]'
OTEL = """{"traceId": "t", "spanId": "s", "attributes": {"gen_ai.input.messages": \
[{"role": "user", "parts": [{"type": "text", "content": "x"}]}], "gen_ai.output.messages": %s}}"""
TOLD = "llm.output_messages.0.message"
NUMBERED = json.dumps(
    {
        "name": "llm",
        "context": {"trace_id": "t", "span_id": "s"},
        "attributes": {
            "openinference.span.kind": "LLM",
            "llm.input_messages.0.message.role": "user",
            "llm.input_messages.0.message.content": "x",
            f"{TOLD}.role": "assistant",
            f"{TOLD}.tool_calls.0.tool_call.function.name": "w",
            f"{TOLD}.tool_calls.0.tool_call.function.arguments": ARGS,
        },
    }
)
FILES = {
    "claude-code": CLAUDE,
    "codex": CODEX,
    "gemini-cli": GEMINI,
    "otel": OTEL % CALL,
    "otel-as-text": OTEL % json.dumps(CALL),
    "openinference": NUMBERED,
}


@pytest.mark.parametrize("name", FILES)
def test_a_number_in_arguments_is_written_as_it_came(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(FILES[name] + "\n")
    [found] = batch.read_file(path)
    [row] = batch.convert_lines([found.payload], "openai:hf", source=found.dialect, stop=True)
    written = row.decode().replace(" ", "")
    for number in ARGS.replace(" ", "").strip("{}").split(","):
        assert number in written, (number, written)


def made(rng: random.Random, depth: int = 0) -> Any:
    """A value of JSON."""
    pick = rng.randrange(5 if depth > 3 else 7)
    if pick < 3:
        return rng.choice(["", "ä", "\ud800", '"', "1.10", None, True, False, 7, 0, -3, 2**70])
    if pick < 5:
        return "".join(rng.choice('ab"\\\n😀') for _ in range(4))
    if pick == 5:
        return [made(rng, depth + 1) for _ in range(3)]
    return {str(made(rng, 9)): made(rng, depth + 1) for _ in range(3)}


def test_other_values_are_those_of_json() -> None:
    rng = random.Random(1)
    for _ in range(tries(200)):
        value = made(rng)
        text = json.dumps(value)
        assert loads(text) == loads(text.encode()) == value
        assert json.loads(dumped(value)) == value
        assert dumped(value).encode()
    for number in NUMBERS:
        assert dumped(loads(number)) == number
        assert bool(loads(number)) == any(digit in "123456789" for digit in number)
    with pytest.raises(TypeError, match="expected a value of JSON, got set"):
        dumped({1})
