"""The judge of request bodies: each rule fires once, and none fires on its neighbour."""

import copy
import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from judges.wire import CHECKS, RULES, SdkMissingError, check, errors
from judges.wire.__main__ import main as command

from .cases.ollama import ol
from .cases.openai_chat import IMAGE, oc, user

TESTS = Path(__file__).parents[1]
CASES = {name: importlib.import_module(f"judges.cases.{name}").CASES for name in CHECKS}


def of(sort):
    return [
        pytest.param(name, code, body, options, id=f"{name}-{at}-{code}")
        for name, cases in CASES.items()
        for at, (code, body, options) in enumerate(getattr(cases, sort))
    ]


@pytest.mark.parametrize(("provider", "name", "body", "options"), of("valid"))
def test_a_valid_body_has_no_error(provider, name, body, options):
    before = copy.deepcopy(body)
    assert errors(check(provider, body, **options)) == []
    assert body == before, "a check must not change the payload"


@pytest.mark.parametrize(("provider", "code", "body", "options"), of("invalid"))
def test_an_invalid_body_has_its_error(provider, code, body, options):
    assert f"{provider}.{code}" in {one.code for one in errors(check(provider, body, **options))}


@pytest.mark.parametrize(("provider", "code", "body", "options"), of("flagged"))
def test_a_flagged_body_has_its_warning_only(provider, code, body, options):
    problems = check(provider, body, **options)
    assert errors(problems) == []
    assert f"{provider}.{code}" in {one.code for one in problems}


@pytest.mark.parametrize(("provider", "name", "body", "options"), of("silent"))
def test_a_neighbour_has_no_problem(provider, name, body, options):
    before = copy.deepcopy(body)
    assert check(provider, body, **options) == []
    assert body == before, "a check must not change the payload"


@pytest.mark.parametrize(
    ("provider", "options"),
    [
        ("openai_chat", {"profile": "zz"}),
        ("openai_responses", {"server": "zz"}),
        ("mistral", {"tokenizer": "zz", "oldest": "zz"}),
    ],
)
def test_an_unknown_option_is_loud(provider, options):
    with pytest.raises((KeyError, ValueError)):
        check(provider, oc(user("q")), **options)


@pytest.mark.parametrize("provider", CHECKS)
def test_there_are_enough_cases(provider):
    assert len(CASES[provider].valid) >= 5
    assert len(CASES[provider].invalid) >= 10


def test_every_rule_of_the_page_fires():
    fired = {f"{name}.{code}" for name, cases in CASES.items() for code, *_ in cases.invalid + cases.flagged}
    assert fired == set(RULES)


def test_every_rule_says_what_it_rests_on():
    assert {rule.severity for rule in RULES.values()} == {"error", "warning"}
    assert {rule.basis for rule in RULES.values()} == {
        "sdk", "doc", "measured", "reported", "vendor-code", "portable",
    }  # fmt: skip
    assert [code for code, rule in RULES.items() if not (rule.text and rule.source)] == []


@pytest.mark.parametrize("provider", CHECKS)
@pytest.mark.parametrize(
    "body",
    [
        None,
        1,
        "x",
        [],
        {},
        {"messages": None},
        {"messages": [None, 1, []]},
        {"messages": [{"role": []}]},
        {"contents": [{"parts": [None]}]},
        {"input": [3]},
    ],
)
def test_garbage_is_refused_without_a_crash(provider, body):
    assert errors(check(provider, body)) or (provider == "ollama" and body == {})


def test_types_as_they_come_would_not_do():
    """Why the SDKs' types are closed first: as they come, they let all of this through."""
    import pydantic
    from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming as Plain

    body = {"model": "m", "messages": [{"role": "bogus", "zzz": 1}, {}], "unknown": 1}
    pydantic.TypeAdapter(Plain).validate_python(body)
    assert errors(check("openai_chat", body))


def test_a_missing_sdk_is_loud(monkeypatch):
    monkeypatch.setitem(sys.modules, "ollama._types", None)
    with pytest.raises(SdkMissingError):
        check("ollama", ol(user("q")))


@pytest.mark.parametrize(
    ("body", "arguments", "code"),
    [
        (oc(user("q"), tools=None), ["--json"], 0),
        (oc(user(None), tools=None), [], 1),
        (oc(user([]), tools=None), ["--strict"], 1),
        (IMAGE, ["--set", "profile=kimi"], 0),
        ("{not json", [], 2),
    ],
)
def test_the_command_line(tmp_path, capsys, body, arguments, code):
    file = tmp_path / "body.json"
    file.write_text(body if isinstance(body, str) else json.dumps(body), encoding="utf-8")
    words = ["openai_chat", str(file), *arguments]
    assert command(words) == code
    if arguments == ["--json"]:
        assert json.loads(capsys.readouterr().out) == []
        # The same as a program.
        done = subprocess.run([sys.executable, "-m", "judges.wire", *words], capture_output=True, text=True, cwd=TESTS)
        assert (done.returncode, json.loads(done.stdout)) == (0, []), done.stderr


def test_no_judge_imports_turnwire():
    files = sorted((TESTS / "judges").rglob("*.py"))
    assert len(files) > 20
    imports = [file for file in files if "turnwire" in _imported(file.read_text(encoding="utf-8"))]
    assert imports == []


def _imported(code):
    """The packages that a file imports anywhere."""
    import ast

    nodes = list(ast.walk(ast.parse(code)))
    whole = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    parts = {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    return {name.partition(".")[0] for name in whole | parts}
