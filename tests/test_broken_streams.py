"""A stream that broke, was damaged or held an error never looks like a complete reply, and a split changes nothing.

The judge of what a client sees is a plain assembler that knows nothing of turnwire, and for some of the streams the
official client. Which streams are complete is known from their making.
"""

import contextlib
import itertools
import json
from random import Random
from typing import Any

import pytest
import sdk_clients
import stream_faults as faults
import stream_readers as readers
import turnwire as tw
from random_runs import tries

Json = Any
TARGETS = list(readers.READERS)
PAIRS = [(source, target) for source in faults.SOURCES for target in TARGETS if source != target]
SEEDS = range(100, 104)


def converted(source: Any, target: Any, pieces: list[bytes]) -> tuple[list[bytes], bool]:
    """What a gateway writes: it stops reading at an error, and `finish` tells the client. Whether it drops the line."""
    converter = tw.replies.StreamConverter(source=source, target=target)
    written: list[bytes] = []
    with contextlib.suppress(tw.TurnwireError):
        written.extend(map(converter.feed_bytes, pieces))
    written.append(converter.finish())
    return written, converter.abort


def others(source: str) -> list[str]:
    return [target for target in TARGETS if target != source]


def fails(source: str, target: str, pieces: list[bytes]) -> bool:
    """Whether a client of the target can tell that the reply is not complete."""
    written, abort = converted(source, target, pieces)
    try:
        got = readers.read(target, readers.events_of(target, b"".join(written)))
    except json.JSONDecodeError:
        # Pieces of a call's arguments are no JSON when the reply breaks off, or when one came twice. No reader gets
        # that far in a complete one.
        return abort or b"error" in b"".join(written).lower()
    assert not (got.failed and got.finish)
    return got.failed or (abort and got.finish is None)


@pytest.mark.parametrize("source", faults.SOURCES)
def test_a_stream_that_ends_at_any_byte_before_its_end_fails(source: str) -> None:
    for seed in SEEDS[: tries(len(SEEDS))]:
        one = faults.stream(source, seed)
        targets = itertools.cycle(others(source))
        for at in range(one.end):
            target = next(targets)
            assert fails(source, target, [one.body[:at]]), (seed, at, target)


@pytest.mark.parametrize("source", faults.SOURCES)
def test_a_stream_that_is_split_at_any_byte_is_the_same(source: str) -> None:
    for seed in SEEDS[: tries(len(SEEDS))]:
        one = faults.stream(source, seed)
        whole = {target: converted(source, target, [one.body]) for target in others(source)}
        for target, (written, abort) in whole.items():
            got = readers.read(target, readers.events_of(target, b"".join(written)))
            assert not (got.failed or abort) and got.finish, (seed, target)
            by_byte, _ = converted(source, target, [bytes([byte]) for byte in one.body])
            assert b"".join(by_byte) == b"".join(written), (seed, target)
        targets = itertools.cycle(whole)
        for at in range(len(one.body)):
            target = next(targets)
            split, _ = converted(source, target, [one.body[:at], one.body[at:]])
            assert b"".join(split) == b"".join(whole[target][0]), (seed, at, target)


@pytest.mark.parametrize("how", faults.DAMAGES)
@pytest.mark.parametrize("source", faults.SOURCES)
def test_a_damaged_event_makes_the_stream_fail(source: str, how: str) -> None:
    for seed in SEEDS:
        one = faults.stream(source, seed)
        targets = itertools.cycle(others(source))
        for at in range(one.last + 1):
            broken = faults.damaged(one, at, how)
            for pieces in ([broken.body], [*broken.events, broken.mark]):
                target = next(targets)
                assert fails(source, target, pieces), (seed, at, target)


@pytest.mark.parametrize("source", faults.SOURCES)
def test_the_mark_of_the_end_completes_no_reply(source: str) -> None:
    """Only these servers may leave out the reason, once they have said something whole."""
    for seed in SEEDS:
        one = faults.stream(source, seed)
        targets = itertools.cycle(others(source))
        for at in range(one.last):
            target = next(targets)
            body = b"".join(one.events[: at + 1]) + faults.MARK
            if source in ("openai", "openai-responses", "mistral") and not fails(source, target, [body]):
                converter = tw.replies.StreamConverter(source=source, target=target)  # type: ignore[arg-type]
                converter.feed_bytes(body)
                converter.finish()
                # A call is a reason by itself.
                assert one.said.calls or "finish" in {change.code for change in converter.receipt}
                continue
            assert fails(source, target, [body]), (seed, at, target)
        assert fails(source, next(targets), [faults.MARK])


@pytest.mark.parametrize("source", faults.SOURCES)
def test_an_error_of_the_server_makes_the_stream_fail_whatever_follows(source: str) -> None:
    for seed in SEEDS:
        one = faults.stream(source, seed)
        targets = itertools.cycle(others(source))
        for at in range(one.last + 1):
            broken = faults.with_error(one, at)
            for pieces in ([broken.body], broken.events[: at + 1], [*broken.events[: at + 1], faults.MARK]):
                target = next(targets)
                assert fails(source, target, pieces), (seed, at, target)


@pytest.mark.parametrize("source", faults.SOURCES)
def test_an_event_that_comes_twice_makes_no_new_call(source: str) -> None:
    """Pieces of arguments are twice in them. No call is new, and none loses its arguments."""
    for seed in range(100, 100 + tries(40)):
        one = faults.stream(source, seed)
        targets = itertools.cycle(others(source))
        for at in range(len(one.events)):
            target = next(targets)
            written, abort = converted(source, target, [faults.doubled(one, at).body])
            reader = tw.StreamAssembler(target)  # type: ignore[arg-type]
            reader.feed_bytes(b"".join(written))
            reply = reader.finish()
            if reply.finish == "error":
                continue
            assert not abort
            names = [use.name for use in reply.tool_uses if use.args is not None]
            assert len(names) <= len(one.said.calls), (seed, at, target)
            bare = [use.name for use in reply.tool_uses if use.args == {}]
            known = [name for _, name, args in one.said.calls if args == {}]
            assert all(bare.count(name) <= known.count(name) for name in bare), (seed, at, target)


@pytest.mark.parametrize("source", faults.SOURCES)
def test_two_faults_at_once_make_the_stream_fail(source: str) -> None:
    rng = Random(source)
    for seed in range(100, 100 + tries(100)):
        one = faults.stream(source, seed)
        for _ in range(4):
            at, other = rng.randrange(one.last + 1), rng.randrange(one.last + 1)
            broken = rng.choice(
                [
                    lambda one=one, at=at: faults.damaged(one, at, rng.choice(list(faults.DAMAGES))),
                    lambda one=one, at=at: faults.with_error(one, at),
                ]
            )()
            broken = rng.choice(
                [
                    lambda broken=broken, other=other: faults.damaged(broken, other, "scrambled"),
                    lambda broken=broken, other=other: faults.doubled(broken, other),
                    lambda broken=broken: broken,
                ]
            )()
            # A piece that is scrambled twice is as it was.
            if broken.body == one.body:
                continue
            body = broken.body
            if rng.random() < 0.3:
                body = body[: rng.randrange(one.end)]
            cuts = sorted(rng.randint(0, len(body)) for _ in range(rng.randint(0, 8)))
            pieces = [body[start:end] for start, end in zip([0, *cuts], [*cuts, len(body)], strict=True)]
            target = rng.choice(others(source))
            assert fails(source, target, pieces), (seed, target, pieces)


@pytest.mark.parametrize("source", faults.SOURCES)
@pytest.mark.parametrize("other", faults.SOURCES)
def test_a_stream_of_another_format_fails(source: str, other: str) -> None:
    alike = {"openai", "mistral"}
    if source == other or {source, other} <= alike:
        return
    for seed, target in zip(range(100, 130), itertools.cycle(others(source)), strict=False):
        one = faults.stream(other, seed)
        assert fails(source, target, [one.body]), (seed, target)


@pytest.mark.parametrize(("source", "target"), [pair for pair in PAIRS if pair[1] != "ai-sdk-ui"])
def test_official_clients_notice(source: str, target: str) -> None:
    rng = Random(f"{source} {target}")
    for seed in range(100, 100 + tries(10)):
        one = faults.stream(source, seed)
        at = rng.randrange(one.last + 1)
        bodies = [
            one.body[: rng.randrange(one.end)],
            faults.damaged(one, at, rng.choice(list(faults.DAMAGES))).body,
            faults.with_error(one, at).body,
        ]
        for body in bodies:
            written, abort = converted(source, target, [body])
            assert sdk_clients.read(target, written, cut=abort).error or abort, (seed, body)
        written, abort = converted(source, target, [one.body])
        got = sdk_clients.read(target, written, cut=abort)
        # OpenAI's helper has an exception of its own for an answer that was cut at the limit.
        limited = target == "openai" and one.said.finish == "length"
        assert abort is False, seed
        assert "LengthFinishReasonError" in str(got.error) if limited else got.error is None and got.stop, (seed, got)
