"""Kills writers of one stored history at random moments, and checks after each that acknowledged messages are there.

Run as a program: `python kills.py FOLDER KILLS SEED`. It forks writers from one warm interpreter, so that a kill costs
milliseconds. It prints a line of JSON: kills, acknowledged messages, torn lines.
"""

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

import turnwire as tw

WORDS = "東京 \\ \n"
# A writer gets the time for a few messages, and this many seconds at most.
MESSAGES, MOST = 4, 0.03


def text(kill: int, number: int, large: int) -> str:
    """A writer's text, always the same for the same numbers. Every other message is large, for kills to hit."""
    return f"{kill}:{number} {WORDS * large * (number % 2)}"


def measured(path: Path) -> tuple[int, float]:
    """How many words make a large message, and how long adding one takes: few words, also where the build is slow."""
    seconds = {}
    for large in (400, 4_000, 40_000):
        with tw.MessageHistory.open(path) as history:
            start = time.perf_counter()
            history.add_user_message(text(0, 1, large))
            seconds[large] = time.perf_counter() - start
        path.unlink()
    large = max((large for large in seconds if seconds[large] < MOST / MESSAGES), default=400)
    return large, seconds[large]


def write(path: Path, kill: int, large: int, out: int) -> None:
    """Adds messages without end, and prints each one's number once it has been added."""
    with tw.MessageHistory.open(path) as history:
        number = 0
        while True:
            history.add_user_message(text(kill, number, large))
            os.write(out, b".")
            number += 1


def killed(path: Path, kill: int, large: int, moment: float) -> int:
    """How many messages a writer acknowledged before it was killed."""
    heard, said = os.pipe()
    writer = os.fork()
    if writer == 0:
        try:
            os.close(heard)
            write(path, kill, large, said)
        finally:
            os._exit(1)
    os.close(said)
    acknowledged = len(os.read(heard, 1))
    time.sleep(moment)
    os.kill(writer, signal.SIGKILL)
    _, status = os.waitpid(writer, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL, f"the writer ended by itself: {status}"
    while more := os.read(heard, 1 << 16):
        acknowledged += len(more)
    os.close(heard)
    return acknowledged


def main(folder: Path, kills: int, seed: int) -> None:
    moments = random.Random(seed)
    path = folder / "history.jsonl"
    large, seconds = measured(path)
    known = acknowledged = torn = 0
    for kill in range(kills):
        if kill % 10 == 0:
            # The file is read again and again, so it is kept small.
            path.unlink(missing_ok=True)
            known = 0
        heard = killed(path, kill, large, moments.random() * min(seconds * MESSAGES, MOST))
        with tw.MessageHistory.open(path) as history:
            new = [turn.parts[0].text for turn in history.conversation[known:]]
            # The last write may be whole without an acknowledgement.
            assert len(new) in (heard, heard + 1), f"{heard} acknowledged, {len(new)} there"
            assert new == [text(kill, number, large) for number in range(len(new))]
            known += len(new)
        acknowledged += heard
        if (aside := Path(f"{path}.torn")).exists():
            torn += 1
            aside.unlink()
    print(json.dumps({"kills": kills, "acknowledged": acknowledged, "torn": torn}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
