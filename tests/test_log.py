"""What turnwire writes to the log: nothing by default, one line for a build, spec 001's words for its changes."""

import logging
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
import turnwire as tw
from hypothesis import given, settings
from hypothesis import strategies as st
from turnwire import answers
from turnwire.adapters._policy import Policy

PACKAGE = str(Path(tw.__file__).parent.parent)

# Builds that change something, warn of something or fail, and every other line that a build may log.
LOOP = """
import sys
sys.path.insert(0, sys.argv[1])
import turnwire as tw
exec(sys.argv[2])
call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
messages = [{"role": "user", "content": "q"}, {"role": "tool", "tool_call_id": "zz", "content": "r"}]
summary = {"summary": "s", "startMessageId": "nobody", "messageIds": []}
for step in range(10):
    messages += [{"role": "assistant", "content": ""}, {"role": "assistant", "content": None, "tool_calls": [call]}]
    tw.MessageBuilder().set_messages(messages).set_compression_summary(summary).build("anthropic")
    try:
        tw.MessageBuilder().set_messages(messages).set_budget(1).build()
    except tw.BuildError:
        continue
    raise SystemExit("a budget of one byte was enough")
"""

GONE = """
import os, sys, tempfile
sys.path.insert(0, sys.argv[1])
import turnwire as tw
exec(sys.argv[2])
os.chdir(tempfile.mkdtemp())
os.rmdir(os.getcwd())
assert tw.UserEnvContext.generate_new().env_state.current_working_directory is None
"""


def printed_by(code: str, setup: str = "") -> str:
    """What a program writes to its standard error; it must not fail."""
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, PACKAGE, setup], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return run.stderr


CASES = [
    LOOP,
    pytest.param(GONE, marks=pytest.mark.skipif(sys.platform == "win32", reason="a directory in use stays there")),
]


@pytest.mark.parametrize("code", CASES, ids=["builds", "environment"])
def test_nothing_is_printed_by_default(code):
    assert printed_by(code) == ""


@pytest.mark.parametrize("code", CASES, ids=["builds", "environment"])
def test_the_check_sees_what_is_printed(code):
    assert "WARNING:turnwire" in printed_by(code, "import logging; logging.basicConfig()")


def ask(text="q"):
    return {"role": "user", "content": text}


def say(text):
    return {"role": "assistant", "content": text}


def call(one, arguments="{}"):
    function = {"name": "f", "arguments": arguments}
    return say(None) | {"tool_calls": [{"id": one, "type": "function", "function": function}]}


def answer(one, text="r"):
    return {"role": "tool", "tool_call_id": one, "content": text}


@pytest.fixture
def lines(caplog):
    """The level and the text of everything that the builder has logged so far."""
    caplog.set_level(logging.DEBUG, "turnwire")

    def read():
        assert {record.name for record in caplog.records} <= {"turnwire.builder"}
        return [(record.levelname, record.getMessage()) for record in caplog.records]

    return read


def test_a_build_in_the_words_of_spec_001(lines):
    tw.spec.MessageBuilder().set_messages([ask(), say(" "), answer("zz"), call("c1"), ask("x")]).build()
    assert lines() == [
        (
            "DEBUG",
            "[MessageBuilder] Filtering empty assistant message: dropped empty_assistant at $[1]: "
            "an assistant turn without text and without calls; it is left out",
        ),
        (
            "DEBUG",
            "[MessageBuilder] Removing orphaned tool message: dropped orphan_result at $[2].content (zz), "
            "1 -> 0 bytes: no call has this id; the result is left out",
        ),
        (
            "DEBUG",
            "[MessageBuilder] added missing_result at $[3].tool_calls[0] (c1), 0 -> 42 bytes: "
            "no result is recorded for this call; an error result is added",
        ),
        ("DEBUG", "[MessageBuilder] Validation passed: 4 messages"),
        (
            "INFO",
            "[MessageBuilder] 5 messages in, 4 out: 1 empty_assistant, 1 orphan_result, 1 missing_result, "
            "the first at index 1",
        ),
    ]


def test_a_build_that_changes_nothing_is_one_line(lines):
    tw.spec.MessageBuilder().set_messages([ask()]).build()
    assert lines() == [
        ("DEBUG", "[MessageBuilder] Validation passed: 1 messages"),
        ("INFO", "[MessageBuilder] 1 messages in, 1 out: nothing changed"),
    ]


def test_the_warning_of_spec_001_is_one(lines):
    summary = {"summary": "s", "startMessageId": "nobody", "messageIds": []}
    tw.spec.MessageBuilder().set_messages([ask()]).set_compression_summary(summary).build()
    assert lines()[0] == ("WARNING", "[MessageBuilder] startMessageId not found, using all messages")
    assert lines()[-1] == ("INFO", "[MessageBuilder] 1 messages in, 1 out: nothing changed, 1 warning")


def test_other_warnings_are_not_repeated_at_every_step_of_an_agent(lines):
    built = tw.spec.MessageBuilder().set_messages([ask(), call("c1"), answer("c1")]).build("anthropic")
    (warning,) = built.receipt.only("warning")
    assert lines()[0] == ("DEBUG", f"[MessageBuilder] {warning.path}: {warning.reason}")
    assert {level for level, _ in lines()} == {"DEBUG", "INFO"}


def test_a_failed_build_logs_and_has_its_receipt(lines):
    made = tw.spec.MessageBuilder().set_messages([say(""), answer("zz"), answer("zz")])
    with pytest.raises(tw.BuildError, match=r"^\[MessageBuilder\] Messages cannot be empty") as caught:
        made.build()
    receipt = caught.value.receipt
    assert [entry.code for entry in receipt] == ["empty_assistant", "orphan_result", "orphan_result"]
    assert receipt.first_changed_index is None
    assert [level for level, _ in lines()] == ["DEBUG", "DEBUG", "DEBUG", "INFO"]
    assert lines()[-1][1] == (
        "[MessageBuilder] 3 messages in, none out: Messages cannot be empty; "
        "before that 1 empty_assistant, 2 orphan_result"
    )


def test_a_build_that_fails_at_once_has_an_empty_receipt(lines):
    with pytest.raises(tw.BuildError) as caught:
        tw.spec.MessageBuilder().build()
    assert ([*caught.value.receipt], [told.reason for told in caught.value.receipt.only("warning")]) == ([], [])
    assert lines() == [
        ("INFO", "[MessageBuilder] 0 messages in, none out: Messages cannot be empty; before that nothing changed")
    ]


def test_an_error_made_by_hand_has_an_empty_receipt():
    error = tw.BuildError("text", code="empty_messages")
    assert error.receipt == tw.Receipt()
    assert not error.receipt.changed


def test_a_build_error_survives_pickling():
    with pytest.raises(tw.BuildError) as caught:
        tw.spec.MessageBuilder().set_messages([say("")]).build()
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (type(copy), str(copy), copy.code, copy.path) == (
        tw.BuildError,
        str(caught.value),
        "empty_messages",
        caught.value.path,
    )
    assert copy.receipt == caught.value.receipt
    assert copy.receipt


def test_refused_arguments_are_no_build(lines):
    with pytest.raises(tw.UnknownDialectError):
        tw.spec.MessageBuilder().set_messages([ask()]).build("smoke-signals")
    with pytest.raises(tw.TurnwireError, match="keep"):
        tw.spec.MessageBuilder().set_messages([ask()]).build(reasoning="sometimes")
    assert lines() == []


def test_checks_do_not_log(lines):
    assert tw.check([ask(), call("c1"), answer("zz")])
    assert lines() == []


def test_builds_of_turnwire_itself_do_not_log(lines):
    # Every example of an answer is made by a build, and so is the first look for a provider's message.
    tw.explain("messages: roles must alternate between user and assistant")
    made = [answers.run(row) for row in answers.rows("change").values() if "messages" in row]
    assert len(made) > 20
    for options in (
        {},
        {"cache": "auto"},
        {"settings": "convert"},
        {"strict": True, "reasoning": "text"},
        {"ledger": True},
    ):
        Policy(900, options, takes_ledger=True, no_rest="", no_cache="")
    assert lines() == []


@pytest.mark.parametrize("settings", [{}, {"settings": "convert"}, {"ledger": True}])
def test_a_request_of_an_adapter_is_a_build_of_the_caller(lines, settings):
    policy = Policy(None, settings, takes_ledger=True, no_rest="")
    policy.prepared({"messages": [ask()]}, "openai", "openai", None)
    assert lines()[-1] == ("INFO", "[MessageBuilder] 1 messages in, 1 out: nothing changed")
    assert [level for level, _ in lines()].count("INFO") == 1


def test_an_id_cannot_forge_a_line(lines):
    forged = "c1\nERROR:root:the key is sk-1\x1b[2J"
    tw.spec.MessageBuilder().set_messages([ask(), call(forged), ask("x")]).build()
    assert len(lines()) == 3
    assert all(text.isprintable() for _, text in lines())
    assert r"c1\nERROR:root:the key is sk-1\x1b[2J" in lines()[0][1]


SECRET = "geheim"
MESSAGES = st.one_of(
    st.just(ask(SECRET)),
    st.sampled_from([say(""), say(SECRET), say(f"{SECRET} \ud83d")]),
    st.builds(call, st.sampled_from(["c1", "c2"]), st.sampled_from(["{}", f'{{"q": "{SECRET}"}}', SECRET])),
    st.builds(answer, st.sampled_from(["c1", "c2", "c3"]), st.sampled_from([SECRET, SECRET * 100])),
)


@settings(deadline=None)
@given(
    messages=st.lists(MESSAGES, max_size=12),
    budget=st.one_of(st.none(), st.integers(50, 2000)),
    target=st.sampled_from([None, "anthropic", "openai"]),
)
def test_one_line_at_info_and_no_word_of_a_message(messages, budget, target):
    seen = []

    class Keep(logging.Handler):
        def emit(self, record):
            seen.append(record)

    logger, keep = logging.getLogger("turnwire"), Keep()
    level = logger.level
    logger.addHandler(keep)
    logger.setLevel(logging.DEBUG)
    try:
        receipt = tw.spec.MessageBuilder().set_messages(messages).set_budget(budget).build(target).receipt
        passed = 1
    except tw.BuildError as error:
        receipt, passed = error.receipt, 0
    finally:
        logger.removeHandler(keep)
        logger.setLevel(level)
    levels = [record.levelno for record in seen]
    assert levels == [logging.DEBUG] * (len(receipt) + passed) + [logging.INFO]
    assert all(SECRET not in record.getMessage() for record in seen)
