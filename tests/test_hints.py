"""Errors for names and arguments that do not exist write the call that works."""

import ast
import re
from typing import Any

import pytest
import turnwire as tw
from turnwire import _hints

CHAT = [{"role": "user", "content": "q"}]
MOVED = {
    "parts": "Text Opaque Reasoning",
    "replies": "convert_reply convert_reply_json RenderedReply StreamConverter Tokens",
    "text": "split_budget utf8_len",
    "constants": "ERROR_PREFIX MAX_DEPTH MISSING_RESULT",
    "types": "LedgerOptions ReasoningChoice",
}
ARGUMENTS: list[tuple[dict[str, Any], str]] = [
    ({"to": "openai"}, "pass target="),
    ({"provider": "openai"}, "pass target="),
    ({"from_": "openai"}, "pass source="),
    ({"max_bytes": 3}, "pass budget=3"),
    ({"max_tokens": 3}, "pass budget=Budget(max_tokens=3, count=your_tokenizer)"),
    ({"count": len}, "pass budget=Budget(max_tokens=…, count=your_tokenizer)"),
    ({"max_result_bytes": 3}, "pass budget=Budget(…, per_result=…)"),
    ({"reserve": 0.5}, "pass budget=Budget(…, reserve=…)"),
    ({"on_cut": print}, "pass budget=Budget(…, on_cut=…)"),
    ({"summarise": print}, "pass budget=Budget(…, summarise=…)"),
    ({"keep_open": True}, 'pass end="calls"'),
    ({"row": True}, 'pass end="row"'),
    ({"prefill": True}, 'pass end="prefill"'),
    ({"thinking": "keep"}, "pass reasoning="),
    ({"opening": "go"}, 'pass wording={"opening": …}'),
    ({"bridge": "ok"}, 'pass wording={"bridge": …}'),
    ({"missing_result": "none"}, 'pass wording={"missing_result": …}'),
    ({"rest": "keep"}, "pass settings="),
    ({"defaults": {}}, 'pass settings={"defaults": …}'),
    ({"after": None}, "use a Ledger: Ledger.load(state).prepare(messages)"),
]


@pytest.mark.parametrize(("given", "hint"), ARGUMENTS, ids=str)
def test_an_argument_of_another_name_is_told(given: dict[str, Any], hint: str) -> None:
    (name,) = given
    for call in (tw.prepare, tw.prepare_json):
        with pytest.raises(TypeError, match=re.escape(f"{call.__name__}() got an unexpected keyword")) as raised:
            call(CHAT, "openai", **given)
        assert str(raised.value) == f"{call.__name__}() got an unexpected keyword argument '{name}': {hint}"


def test_an_argument_that_nobody_knows_has_no_hint() -> None:
    with pytest.raises(TypeError, match=r"^convert\(\) got an unexpected keyword argument 'nonsense'$"):
        tw.convert(CHAT, "openai", nonsense=1)  # type: ignore[call-arg]


def test_an_option_that_only_another_function_takes_is_refused() -> None:
    with pytest.raises(TypeError, match=r"^convert\(\) got an unexpected keyword argument 'pinned'"):
        tw.convert(CHAT, "openai", pinned=[0])  # type: ignore[call-arg]


@pytest.mark.parametrize("call", [tw.prepare, tw.prepare_json, tw.convert, tw.convert_json])
def test_a_call_without_a_target_is_told_what_there_is(call: Any) -> None:
    with pytest.raises(TypeError, match=rf"^{call.__name__}\(\) needs a target, the API that you call: \"openai\""):
        call(CHAT)


@pytest.mark.parametrize("name", [*_hints._MEANT, *_hints._GONE])
def test_a_name_that_does_not_exist_writes_the_call(name: str) -> None:
    with pytest.raises(AttributeError, match=f"has no attribute '{name}': ") as raised:
        getattr(tw, name)
    said = str(raised.value).partition(": ")[2]
    for call in re.findall(r"(?<![.\w])\w[\w.]*\([^()]*(?:\([^()]*\)[^()]*)*\)", said):
        ast.parse(call)
        head = call.partition("(")[0]
        if not head.startswith("client."):
            holder: Any = tw
            for part in head.removeprefix("turnwire.").split("."):
                holder = getattr(holder, part)
            assert callable(holder), head


@pytest.mark.parametrize(("module", "names"), MOVED.items())
def test_a_name_in_a_module_is_told(module: str, names: str) -> None:
    for name in names.split():
        with pytest.raises(AttributeError, match=rf"has no attribute '{name}': it is in turnwire\.{module}$"):
            getattr(tw, name)


def test_names_of_the_specifications_are_there() -> None:
    for name in tw.spec.__all__:
        assert getattr(tw, name) is getattr(tw.spec, name)


def test_a_misspelt_name_is_corrected() -> None:
    with pytest.raises(AttributeError, match="Did you mean: 'prepare'"):
        _ = tw.prepair
    with pytest.raises(AttributeError, match=r"^module 'turnwire' has no attribute 'zzzzzz'$"):
        _ = tw.zzzzzz


@pytest.mark.parametrize(("option", "value"), [("wording", {"opened": "x"}), ("settings", {"default": {}})])
def test_a_wrong_key_of_a_group_names_the_keys(option: str, value: Any) -> None:
    with pytest.raises(TypeError, match=f"^{option}: expected the keys .*, got '{next(iter(value))}'"):
        tw.prepare(CHAT, "openai", **{option: value})
