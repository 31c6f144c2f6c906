"""The verdict on a case: turnwire's findings about the payload, the result, and which promises that keeps."""

import json
import random
from dataclasses import dataclass, field
from typing import Any

import turnwire as tw
from judges.problem import Problem

from . import checkers, paths
from .generate import Case
from .payload import VIEWS, payload, plain

# The outcomes for a payload: it is built, or it cannot be read, is refused, fails in rendering, or fails in an
# unplanned way.
OUTCOMES = ("built", "unreadable", "refused", "render error", "crash")

# The promises, beside those that a fault is reported and that the result is accepted.
PROMISES = {
    "check": "check raises only what cannot be read",
    "mirrored": "check tells of all that build would change or refuse",
    "untouched": "the input is not changed",
    "twice": "what was built is not changed by a second build",
    "again": "what was written is read and built without a change",
    "accounted": "every word is in what was written, or told of",
    "prefix": "all before the first changed index is as it came",
    "kept": "a turn of which nothing is told is as it came",
    "doors": "JSON bytes and Python objects say the same",
    "places": "every path leads to a place in the caller's payload",
}


@dataclass
class Verdict:
    """All facts about one case, for one target."""

    case: Case
    target: str
    # What the target would refuse without a build, beyond what it would refuse in the original.
    wrong: list[Problem] | None = None
    findings: list[Any] = field(default_factory=list)
    outcome: str = "built"
    error: BaseException | None = None
    made: Any = None
    told: bool = True
    # What the target's checker finds in the result beyond the original: with a reason that P7 names, and without one.
    excused: list[str] = field(default_factory=list)
    left: list[Problem] = field(default_factory=list)
    # How a promise was broken, by its name.
    broken: dict[str, str] = field(default_factory=dict)

    @property
    def needless(self) -> bool:
        """Whether something was changed or refused that the target's checker accepts as it is, in its own dialect."""
        if self.wrong != [] or self.case.dialect != self.target or KNOWN.problems(self.case, self.target):
            return False
        return self.raised or (
            self.outcome == "built" and _bodies(self.target, self.made) != _bodies(self.target, plain(self.case.faulty))
        )

    @property
    def mended(self) -> bool:
        return self.outcome == "built" and not self.left

    @property
    def raised(self) -> bool:
        return self.outcome in ("unreadable", "refused")

    def __str__(self) -> str:
        what = f"{self.case.name}: {self.outcome}"
        return f"{what} ({self.error})" if self.error else what


def judge(case: Case, target: str) -> Verdict:
    """Runs check and build on the faulty payload and compares both with the promises."""
    verdict = Verdict(case, target)
    judged = checkers.missing(target) is None
    if judged:
        verdict.wrong = _wrong(case, target)
    before = repr(case.faulty)
    try:
        verdict.findings = [
            one for one in tw.check(case.faulty, case.dialect, target, **_read(case.dialect)) if one.severity != "info"
        ]
        refused = None
    except BaseException as error:
        _unless_control(error)
        refused = error
        if _outcome(error) != "unreadable":
            verdict.broken["check"] = f"check raised {error!r}"
    built = rendered = None
    try:
        built = _builder(case.faulty, case.dialect).build(target=target)
        rendered = built.render(target)
        verdict.made = rendered.payload
    except BaseException as error:
        _unless_control(error)
        verdict.error, verdict.outcome = error, _outcome(error)
    if repr(case.faulty) != before:
        verdict.broken["untouched"] = "the input was changed"
    if built is not None and rendered is not None:
        if judged:
            _hold_against_the_target(verdict)
        _built_twice(verdict, built, rendered)
        _accounted(verdict, built, rendered)
        _kept(verdict, built, rendered)
    _mirrored(verdict, built, refused)
    if verdict.wrong:
        verdict.told = bool(verdict.findings) or (refused is not None and "check" not in verdict.broken)
    _doors(verdict, built, rendered)
    _places(verdict, built, rendered)
    return verdict


def _read(dialect: str) -> dict[str, Any]:
    """How the dialect's payloads are read."""
    return VIEWS[dialect].READ


def _builder(messages: Any, dialect: str) -> tw.MessageBuilder:
    return tw.MessageBuilder().set_messages(messages, dialect, **_read(dialect))


def _unless_control(error: BaseException) -> None:
    if isinstance(error, KeyboardInterrupt | SystemExit | GeneratorExit):
        raise error


def _outcome(error: BaseException) -> str:
    if isinstance(error, tw.BuildError):
        return "refused"
    if isinstance(error, tw.RenderError):
        return "render error"
    # The tree's own base class is the error for a value that JSON cannot hold.
    if isinstance(error, tw.TurnwireError):
        return "unreadable"
    return "crash"


class _Known:
    """The facts about the originals, which many cases share: their problems, and their form in another dialect."""

    def __init__(self) -> None:
        self._problems: dict[tuple[str, str, int], list[Problem]] = {}
        self._converted: dict[tuple[str, str, int], Any] = {}

    def converted(self, case: Case, target: str) -> Any:
        """The original in the target's dialect."""
        key = (case.dialect, target, id(case.original))
        if key not in self._converted:
            self._converted[key] = tw.convert(case.original, case.dialect, target, **_read(case.dialect)).payload
        return self._converted[key]

    def problems(self, case: Case, target: str) -> list[Problem]:
        """What the target's checker finds in the original, in the target's dialect."""
        key = (case.dialect, target, id(case.original))
        if key not in self._problems:
            try:
                original = case.original if case.dialect == target else self.converted(case, target)
                self._problems[key] = checkers.problems(target, original)
            except tw.RenderError as error:
                # Only a video, for example, for a target without videos.
                self._problems[key] = [Problem("refused", "", str(error))]
        return self._problems[key]


KNOWN = _Known()


def _wrong(case: Case, target: str) -> list[Problem]:
    """What is wrong with the faulty payload as it is, or as it is in the target's dialect without a build."""
    sent = plain(case.faulty)
    if case.dialect != target:
        try:
            sent = tw.convert(case.faulty, case.dialect, target, **_read(case.dialect)).payload
        except tw.RenderError as error:
            return [Problem("refused", "", str(error))]
        except tw.TurnwireError:
            # Either build raises the same error for it, or the checks below notice that it does not.
            return []
    return checkers.beyond(checkers.problems(target, sent), KNOWN.problems(case, target))


def _hold_against_the_target(verdict: Verdict) -> None:
    case, target = verdict.case, verdict.target
    sent = _joined(case, target, verdict.made)
    for one in checkers.beyond(checkers.problems(target, sent), KNOWN.problems(case, target)):
        excuse = checkers.excuse(target, one, verdict.made)
        if excuse and any(excuse.about in f"{said.code} {said.path} {said.message}" for said in verdict.findings):
            verdict.excused.append(excuse.why)
        else:
            verdict.left.append(one)


def _joined(case: Case, target: str, made: Any) -> Any:
    """The result, with the caller's keys about what the server holds."""
    if case.dialect != target or not isinstance(case.faulty, dict):
        return made
    return {key: case.faulty[key] for key in VIEWS[target].CONTINUES if key in case.faulty} | made


def _built_twice(verdict: Verdict, built: tw.Conversation, rendered: Any) -> None:
    target = verdict.target
    for name, messages, dialect in (("twice", built, None), ("again", rendered.payload, target)):
        try:
            messages = _joined(verdict.case, target, messages) if dialect else messages
            builder = _builder(messages, dialect) if dialect else tw.MessageBuilder().set_messages(messages)
            second = builder.build(target=target)
            if second.receipt:
                verdict.broken[name] = f"the second receipt says {second.receipt}"
            elif (made := second.render(target).payload) != rendered.payload:
                verdict.broken[name] = f"{_first_difference(rendered.payload, made)}"
        except BaseException as error:
            _unless_control(error)
            verdict.broken[name] = f"the second build raised {error!r}"


def _accounted(verdict: Verdict, built: tw.Conversation, rendered: Any) -> None:
    written = json.dumps(rendered.payload, default=repr) + paths.decoded(rendered.payload)
    told = _told_paths(built, rendered)
    under = {paths.steps(path) for path in told}
    gone = [
        f"{word} at {at}"
        for at, word in paths.words(plain(verdict.case.faulty))
        if word not in written
        and not any(place[:end] in under for place in (at, _outer(at)) for end in range(len(at) + 1))
    ]
    if gone:
        verdict.broken["accounted"] = f"vanished: {', '.join(gone)}; told of {sorted(set(told))}"


def _outer(at: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """The same path for a tool: a key of its `function` is reported there."""
    return (*at[:2], *at[3:]) if at[:1] == ("tools",) and at[2:3] == ("function",) else at


def _kept(verdict: Verdict, built: tw.Conversation, rendered: Any) -> None:
    """In its own dialect nothing is changed before the first changed index, nor where nothing is reported.

    Nothing can be checked where adjacent messages of one role become one message.
    """
    target = verdict.target
    if verdict.case.dialect != target or VIEWS[target].MERGES:
        return
    came = payload(target, plain(verdict.case.faulty), random.Random(0))
    if not isinstance(came.list_of(came.body), list):
        return
    given, made = _bodies(target, plain(verdict.case.faulty)), _bodies(target, rendered.payload)
    receipt = built.receipt
    first = None if receipt is None else receipt.first_changed_index
    if given[:first] != made[:first]:
        verdict.broken["prefix"] = f"changed before {first}: {_first_difference(given[:first], made[:first])}"
    told = {paths.steps(path) for path in _told_paths(built, rendered)}
    heads = {at[: 2 if at[:1] == (came.LIST,) else 1] for at in told}
    # System text that moved joins the text of the first message.
    if any(change.code == "moved_system" for change in receipt or ()):
        heads.add((came.LIST, 0) if isinstance(verdict.case.faulty, dict) else (0,))
    # A finding about a call covers its results, wherever they are.
    answers = [came.elements.index(result.element) for result in came.results()]
    for index, element in enumerate(given):
        here = (came.LIST, index) if isinstance(verdict.case.faulty, dict) else (index,)
        excepted = heads & {here, (), (came.LIST,)} or (index in answers and heads)
        if not excepted and not any(came.holds(one, element) for one in made):
            verdict.broken["kept"] = f"element {index} is not what it was, and nothing is said: {element!r}"


def _bodies(dialect: str, body: Any) -> list[Any]:
    """The elements of the list, entities without their envelope."""
    elements = VIEWS[dialect].list_of(body)
    return [one["body"] if isinstance(one, dict) and isinstance(one.get("body"), dict) else one for one in elements]


def _told_paths(built: tw.Conversation, rendered: Any) -> list[str]:
    return [one.path for one in (*rendered.losses, *(built.receipt or ()))]


def _mirrored(verdict: Verdict, built: tw.Conversation | None, refused: BaseException | None) -> None:
    """`check` reports everything that `build` would do or refuse."""
    said = {(finding.code, finding.path) for finding in verdict.findings}
    if built is not None:
        entries = {(one.code, one.path) for one in built.receipt or () if one.severity != "info"}
        if entries - said:
            verdict.broken["mirrored"] = f"check does not say {sorted(entries - said)}"
    elif isinstance(verdict.error, tw.BuildError) and (verdict.error.code, verdict.error.path) not in said:
        verdict.broken["mirrored"] = f"check does not say {verdict.error!r}"
    elif verdict.outcome == "unreadable" and refused is None:
        verdict.broken["mirrored"] = f"check reads what build does not: {verdict.error!r}"


def _doors(verdict: Verdict, built: tw.Conversation | None, rendered: Any) -> None:
    """JSON bytes give the same result as Python objects."""
    case, target = verdict.case, verdict.target
    try:
        data = _json(case.faulty)
        if json.loads(data) != case.faulty:
            return
    except (TypeError, ValueError):
        return
    try:
        other = _builder(data, case.dialect).build(target=target)
        text = other.render_json(target)
        if rendered is None or built is None:
            verdict.broken["doors"] = f"bytes are built, objects raise {verdict.error!r}"
        elif str(other.receipt) != str(built.receipt):
            verdict.broken["doors"] = f"receipts: {built.receipt} and {other.receipt}"
        elif "Infinity" in json.dumps(json.loads(text.payload)):
            # JSON text may hold a number that no float holds, and keeps its spelling; objects cannot, and report a
            # loss.
            if not any(loss.code == "arguments" for loss in rendered.losses):
                verdict.broken["doors"] = f"a number that no float holds is gone: {rendered.losses}"
        elif json.loads(text.payload) != rendered.payload:
            verdict.broken["doors"] = _first_difference(rendered.payload, json.loads(text.payload))
        elif text.losses != rendered.losses:
            verdict.broken["doors"] = f"losses: {rendered.losses} and {text.losses}"
    except BaseException as error:
        _unless_control(error)
        got = verdict.error
        if type(error) is not type(got) or str(error) != str(got):
            verdict.broken["doors"] = f"objects: {got!r}; bytes: {error!r}"


def _json(value: Any) -> bytes:
    """As JSON, without escapes where they are not needed: untouched text keeps its own escapes."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()


def _places(verdict: Verdict, built: tw.Conversation | None, rendered: Any) -> None:
    """Every reported path is a place in the caller's payload; its last step may be the missing key."""
    told = [finding.path for finding in verdict.findings]
    told += _told_paths(built, rendered) if built is not None and rendered is not None else []
    if isinstance(verdict.error, tw.TurnwireError):
        told.append(verdict.error.path)
    faulty = plain(verdict.case.faulty)
    wrong = [path for path in told if not paths.is_place(faulty, path)]
    if wrong:
        verdict.broken["places"] = f"no such places: {sorted(set(wrong))}"


def _first_difference(one: Any, other: Any, path: str = "$") -> str:
    if isinstance(one, dict) and isinstance(other, dict) and list(one) == list(other):
        for key in one:
            if one[key] != other[key]:
                return _first_difference(one[key], other[key], f"{path}.{key}")
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, (a, b) in enumerate(zip(one, other, strict=True)):
            if a != b:
                return _first_difference(a, b, f"{path}[{index}]")
    return f"{path}: {one!r} and {other!r}"
