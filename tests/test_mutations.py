"""Any JSON as a request: the target accepts what is sent, or an error says why not (promises P6 and P7)."""

import json
import logging
import re

import pytest
import turnwire as tw
from faults import checkers
from faults.fault import EVERY
from faults.mutate import mutants
from faults.payload import VIEWS
from random_runs import tries

COUNT = tries(700)


@pytest.fixture(autouse=True)
def quiet():
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def sent(body, source, target):
    """What `prepare` sends, in two steps, or None where it refuses before anything is written."""
    try:
        built = tw.MessageBuilder().set_messages(body, source, **VIEWS[source].READ).build(target=target)
    except (tw.ParseError, tw.BuildError, TypeError):
        return None
    # Everything that cannot be sent was found before: this must not raise.
    return built.render(target).payload


# What cannot be judged: the tools that a provider will add later, and their results.
OPEN = (
    r"messages\[\]\.content\[\]\.content Input tag",
    r"messages\[\]\.content\[\]\.name Input should be 'web_search'",
)


def is_open(findings, problem):
    """Whether it is one of these, or a finding about a type that no list has."""
    text = f"{problem.place} {problem.message.partition('type rejects it: ')[2]}"
    told = [one.path.lstrip("$.") for one in findings if one.code.startswith("unknown_")]
    # About system text, the checker only says that something is beside it.
    spelled = [path.replace("system_instruction", "systemInstruction") for path in told]
    beside = problem.code == "system.parts" and any(path.startswith(f"{problem.path}.") for path in spelled)
    # Of a tool that only the SDK's beta types know, the checker says no more than that one of its keys does not fit.
    tagged = problem.code == "type" and re.fullmatch(r"tools\[\d+\]", problem.path) and "Input tag" in problem.message
    beside = beside or (tagged and any(path.startswith(f"{problem.path}.") for path in told))
    return beside or any(re.match(known, text) for known in OPEN) or any(path in problem.path for path in told)


@pytest.mark.parametrize("dialect", EVERY)
def test_mutants_are_repaired_or_refused(dialect):
    if why := checkers.missing(dialect):
        pytest.skip(why)
    left = []
    for done, sound, body in mutants(dialect, COUNT, seed=1):
        payload = sent(body, dialect, dialect)
        if payload is None:
            continue
        # Only the caller knows what the server holds of the conversation.
        if VIEWS[dialect].CONTINUES and isinstance(body, dict):
            payload = {key: body[key] for key in VIEWS[dialect].CONTINUES if key in body} | payload
        accepted = checkers.problems(dialect, sound)
        found = checkers.beyond(checkers.problems(dialect, payload), accepted)
        # A server has accepted this, so there may be more of it.
        known = {(one.place, one.message) for one in accepted if one.code == "type"}
        found = [one for one in found if checkers.excuse(dialect, one, payload) is None]
        found = [one for one in found if (one.place, one.message) not in known]
        found = [one for one in found if not one.path.startswith(VIEWS[dialect].CONTINUES)]
        findings = tw.check(payload, dialect, dialect) if found else ()
        left += [f"{done}: {one}" for one in found if not is_open(findings, one)]
        again = tw.MessageBuilder().set_messages(payload, dialect, **VIEWS[dialect].READ).build(target=dialect)
        left += [f"{done}: {entry} at the second time" for entry in again.receipt]
    assert left == []


@pytest.mark.parametrize("target", VIEWS)
def test_mutants_of_other_dialects_are_repaired_or_refused(target):
    left = []
    for dialect in EVERY:
        if dialect == target:
            continue
        for done, sound, body in mutants(dialect, COUNT // 15, seed=f"{dialect} to {target}"):
            payload = sent(body, dialect, target)
            if payload is None:
                continue
            again = tw.MessageBuilder().set_messages(payload, target, **VIEWS[target].READ).build(target=target)
            left += [f"{dialect}: {done}: {entry} at the second time" for entry in again.receipt]
            if checkers.missing(target):
                continue
            found = checkers.problems(target, payload)
            if found and (whole := sent(sound, dialect, target)) is not None:
                found = checkers.beyond(found, checkers.problems(target, whole))
                left += [f"{dialect}: {done}: {one}" for one in found if checkers.excuse(target, one, payload) is None]
    assert left == []


@pytest.mark.parametrize("dialect", EVERY)
def test_both_functions_agree_on_mutants(dialect):
    differ = []
    for done, _, body in mutants(dialect, COUNT // 4, seed=2):
        outcomes = []
        for convert in (tw.convert, lambda body, *way: tw.convert_json(json.dumps(body), *way)):
            try:
                outcomes.append(convert(body, dialect, dialect).losses)
            except (tw.TurnwireError, TypeError) as error:
                outcomes.append((getattr(error, "code", None), getattr(error, "path", None)))
        if outcomes[0] != outcomes[1]:
            differ.append((done, outcomes))
    assert differ == []
