"""Every code has an answer, and the answer's example first shows the code and then avoids it."""

import ast
import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw
from turnwire.answers import Kind, answers, rows
from turnwire.answers import run as made
from turnwire.errors import SITE

CODES: dict[Kind, Callable[[], Any]] = {
    "error": tw._core.error_codes,
    "change": tw._core._change_codes,
    "diff": tw._core.diff_codes,
}
ALL = [(kind, code) for kind in CODES for code in CODES[kind]()]

# Codes that no payload can show: no memory, four GiB, nothing left after pairing, and content that every dialect
# accepts today.
NEVER = {
    "error": {"no_memory", "too_large", "leading_tool_result", "orphan_tool_result"},
    # An adapter says `learned`.
    "change": {"wrong_role", "empty_result", "learned"},
}


def reported(row: dict[str, Any]) -> list[str]:
    """The codes that a row's example shows."""
    if "first" in row:
        return [tw.diff(json.loads(row["first"]), json.loads(row["second"])).code]
    if "before" in row:
        return codes_of(row["before"])
    return [one.code for one in made(row).receipt]


def codes_of(code: str) -> list[str]:
    """The code of an example's exception, or the codes in the value of its last line."""
    *body, last = ast.parse(code).body
    names: dict[str, Any] = {"tw": tw}
    try:
        exec(compile(ast.Module(body, []), "before", "exec"), names)
        if not isinstance(last, ast.Expr):
            exec(compile(ast.Module([last], []), "before", "exec"), names)
            return []
        value = eval(compile(ast.Expression(last.value), "before", "eval"), names)
    except tw.TurnwireError as error:
        return [error.code]
    except TypeError:
        return ["wrong_argument"]
    return [one.code for one in value] if isinstance(value, tw.Receipt | tuple) else []


@pytest.mark.parametrize("kind", CODES)
def test_every_code_has_an_answer_and_no_other_has(kind: Kind) -> None:
    assert set(answers(kind)) == set(rows(kind)) == set(CODES[kind]())


@pytest.mark.parametrize(("kind", "code"), ALL)
def test_an_answer_says_what_to_do_and_shows_it(kind: Kind, code: str) -> None:
    answer = answers(kind)[code]
    assert answer.do.endswith(".")
    assert answer.meaning.endswith(".")
    assert (answer.before == "") == (code in NEVER.get(kind, ()))
    assert answer.page == f"{SITE}codes/{code}/"


@pytest.mark.parametrize(("kind", "code"), [one for one in ALL if one[1] not in NEVER.get(one[0], ())])
def test_the_example_leads_to_the_code(kind: Kind, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert code in reported(rows(kind)[code])


@pytest.mark.parametrize(
    ("kind", "code"), [(kind, code) for kind in CODES for code in rows(kind) if "after" in rows(kind)[code]]
)
def test_the_line_after_avoids_the_code(kind: Kind, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    codes = codes_of(rows(kind)[code]["after"])
    assert codes == [] if kind == "error" else code not in codes


@pytest.mark.parametrize("code", [code for code in rows("change") if "messages" in rows("change")[code]])
def test_what_prepare_makes_needs_no_change(code: str) -> None:
    row = rows("change")[code]
    target = row["target"]
    again = tw.prepare(made(row).payload, target, source=target)
    # A second build does again what the caller asked for; the text of a note or a summary is an ordinary message.
    assert code not in {one.code for one in again.receipt}


@pytest.mark.parametrize(("kind", "code"), [one for one in ALL if answers(one[0])[one[1]].call])
def test_the_call_makes_the_second_example_of_the_first(kind: Kind, code: str) -> None:
    row = rows(kind)[code]
    given = json.loads(row.get("messages") or row["payload"])
    again = eval(answers(kind)[code].call, {"tw": tw, "messages": given, "body": given})
    assert again.payload == made(row).payload


def test_both_examples_of_an_error_differ() -> None:
    for answer in [*answers("error").values(), *(one for one in answers("change").values() if one.language == "py")]:
        assert answer.before == "" or answer.before != answer.after


def test_a_code_in_several_lists_has_several_answers() -> None:
    said = tw.explain("arguments")
    assert [answer.kind for answer in said] == ["change"]
    assert str(said) == repr(said) == str(said[0])


def test_what_has_a_code_is_explained() -> None:
    with pytest.raises(tw.TurnwireError) as raised:
        tw.truncate("text", -1)
    assert tw.explain(raised.value) == tw.explain("negative_budget")
    assert "max(0" in str(tw.explain("negative_budget"))


def test_a_code_that_is_none() -> None:
    with pytest.raises(tw.TurnwireError, match='did you mean "budget_too_small"') as raised:
        tw.explain("budget_to_small")
    assert raised.value.code == "unknown_option"
    with pytest.raises(tw.TurnwireError, match="is not a code of turnwire"):
        tw.explain("")
    with pytest.raises(TypeError, match="code: expected a str or an object with a code, got int"):
        tw.explain(5)


@pytest.mark.parametrize("copied", [lambda error: error, lambda error: pickle.loads(pickle.dumps(error))])
def test_an_error_ends_with_its_code_and_leads_to_its_page(copied: Callable[[Exception], Exception]) -> None:
    with pytest.raises(tw.BuildError) as raised:
        tw.prepare(["x" * 9], "anthropic", 1, system="y")
    error = copied(raised.value)
    assert str(error) == f"{error.args[0]} [budget_too_small]"
    [note] = error.__notes__
    assert note.endswith(f"{SITE}codes/budget_too_small/")
    error.add_note("of mine")
    assert error.__notes__ == [note, "of mine"]


def test_a_specified_sentence_is_the_whole_message() -> None:
    with pytest.raises(tw.BuildError) as raised:
        tw.spec.MessageBuilder().build()
    assert str(raised.value) == "[MessageBuilder] Messages cannot be empty"


def test_an_error_without_a_code_says_nothing_of_it() -> None:
    error = tw.TurnwireError("something")
    assert str(error) == "something"
    assert not hasattr(error, "__notes__")


def test_answers_are_loaded_when_asked_for() -> None:
    code = "import sys, turnwire; print([name for name in sys.modules if name in ('turnwire.answers', 'tomllib')])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    from turnwire.cli import main

    assert main(["explain", "budget_too_small"]) == 0
    assert capsys.readouterr().out == f"{tw.explain('budget_too_small')}\n"
    assert main(["explain", "arguments", "--format=json"]) == 0
    listed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["kind"] for one in listed] == ["change"]
    assert main(["explain", "budget_to_small"]) == 2
    assert "did you mean" in capsys.readouterr().err


def without_packages(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
    """The command's exit code and output where no other package is installed."""
    package = str(Path(tw.__file__).parent.parent)
    code = f"import sys; sys.path.insert(0, {package!r}); from turnwire.cli import main; sys.exit(main(sys.argv[1:]))"
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-X", "utf8", "-c", code, *arguments],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return run.returncode, run.stdout, run.stderr


def test_the_command_needs_no_other_package() -> None:
    assert without_packages("explain", "cut_result") == (0, f"{tw.explain('cut_result')}\n", "")
    asked = "No tool output found for function call call_1."
    assert without_packages("explain", asked) == (0, f"{tw.explain(asked)}\n", "")
    assert without_packages("explain", "-", stdin=asked) == (0, f"{tw.explain(asked)}\n", "")
    code, said, why = without_packages("explain", "nonsense")
    assert (code, said) == (2, "")
    assert '"nonsense" is not a code of turnwire' in why


def test_every_command_works_without_another_package(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"messages": [{"role": "user", "content": "q"}]}\n')
    code, said, _ = without_packages("check", str(tmp_path / "a.jsonl"))
    assert (code, said) == (0, "nothing is wrong in 1 row, 1 file\n")
