"""Exact truncation: what is kept, that it is canonical, and that nothing else happens."""

import ctypes
import inspect
import json
import subprocess
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import reference
import turnwire as tw
from hypothesis import example, given
from hypothesis import strategies as st

VECTORS = json.loads((Path(__file__).parent / "vectors/text.json").read_text(encoding="utf-8"))["truncate"]
KEEPS = ["head", "tail", "middle"]

# The storage that CPython picks depends on the widest character, so each alphabet is also drawn separately.
ALPHABETS = {
    "ascii": st.characters(max_codepoint=0x7F),
    "latin1": st.characters(max_codepoint=0xFF),
    "ucs2": st.characters(max_codepoint=0xFFFF),
    "ucs4": st.characters(),
    "surrogates": st.characters(min_codepoint=0xD7FE, max_codepoint=0xE001, categories=["Cs", "Co", "Cn", "Lo"]),
}
TEXTS = st.one_of(
    *(st.text(alphabet, max_size=40) for alphabet in ALPHABETS.values()),
    # Long enough for the wide loops.
    st.lists(st.builds(str.__mul__, st.text(max_size=3), st.integers(1, 400)), max_size=5).map("".join),
)


def piece(value) -> str:
    match value:
        case str():
            return value
        case int():
            return chr(value)
        case [inner, times]:
            return piece(inner) * times
    raise TypeError(value)


def joined(pieces) -> str:
    return "".join(map(piece, pieces))


def is_canonical(text: str) -> bool:
    """Whether a string is stored as CPython itself stores one of these characters."""
    fresh = "".join(list(text))
    # Doubled, because CPython has one object for each short text, which may hold its UTF-8 as well.
    return text == fresh and hash(text) == hash(fresh) and sys.getsizeof(text * 2) == sys.getsizeof(fresh * 2)


@pytest.mark.parametrize("case", VECTORS, ids=lambda case: case["name"])
def test_vector(case):
    text, expect = joined(case["text"]), joined(case["expect"])
    options = {"keep": case["keep"]} if "keep" in case else {}
    if "suffix" in case:
        options["suffix"] = joined(case["suffix"])
    cut = tw.truncate(text, case["max_bytes"], **options)
    assert cut == expect
    assert is_canonical(cut)
    assert reference.truncate(
        text, case["max_bytes"], options.get("suffix", tw.constants.TRUNCATED_SUFFIX), options.get("keep", "head")
    ) == (expect)


@given(TEXTS, st.integers(0, 1_100), st.text(max_size=9), st.sampled_from(KEEPS))
@example("a" * 100 + "🙂", 900, "", "head")
@example("🙂" + "a" * 100, 900, "", "tail")
@example("é" * 50 + "a" * 50, 300, "", "tail")
def test_promises(text, per_mille, suffix, keep):
    max_bytes = tw.text.utf8_len(text) * per_mille // 1000
    cut = tw.truncate(text, max_bytes, suffix=suffix, keep=keep)
    assert cut == reference.truncate(text, max_bytes, suffix, keep)
    assert reference.utf8_len(cut) <= max_bytes
    assert is_canonical(cut)
    assert tw.truncate(cut, max_bytes, suffix=suffix, keep=keep) is cut
    assert (cut is text) == (tw.text.utf8_len(text) <= max_bytes)


@given(st.text(max_size=12), st.text(max_size=3), st.sampled_from(KEEPS))
def test_every_budget(text, suffix, keep):
    for max_bytes in range(reference.utf8_len(text) + 2):
        cut = tw.truncate(text, max_bytes, suffix=suffix, keep=keep)
        assert cut == reference.truncate(text, max_bytes, suffix, keep)
        assert tw.text.truncate_safe(text, max_bytes) == reference.head(text, max_bytes)


@given(TEXTS)
def test_utf8_len(text):
    assert tw.text.utf8_len(text) == reference.utf8_len(text)


@pytest.mark.parametrize("unit", ["a", "é", "東", "🙂", "\ud83d"])
@pytest.mark.parametrize("keep", KEEPS)
def test_boundaries_of_large_budgets(unit, keep):
    width = reference.utf8_len(unit)
    text = unit * 30_000
    for max_bytes in [*range(20_000, 20_013), width * 30_000 - 1]:
        cut = tw.truncate(text, max_bytes, suffix="…", keep=keep)
        room = (max_bytes - 3) // width
        assert cut.count(unit) == room
        assert len(cut) == room + 1
    assert tw.truncate(text, width * 30_000, keep=keep) is text


@pytest.mark.parametrize("wide", ["é", "東", "🙂"])
def test_a_part_without_the_wide_character_is_stored_narrow(wide):
    text = "a" * 1_000 + wide
    for cut in (tw.truncate(text, 1_000), tw.truncate(text, 1_000, suffix=""), tw.text.truncate_safe(text, 10)):
        assert cut.isascii()
        assert sys.getsizeof(cut) == sys.getsizeof("a" * len(cut))
        assert {cut: 1}["".join(list(cut))] == 1
    tail = tw.truncate(wide + "é" * 1_000, 1_000, suffix="", keep="tail")
    assert sys.getsizeof(tail) == sys.getsizeof("é" * 500)


@pytest.mark.parametrize("unit", ["é", "東", "🙂"])
def test_nothing_is_kept_on_the_input(unit):
    text = unit * 10_000
    before = sys.getsizeof(text)  # grows when CPython keeps a UTF-8 copy
    tw.text.utf8_len(text)
    tw.truncate(text, 100)
    tw.truncate(text, 100, suffix=text)
    assert sys.getsizeof(text) == before


class Sub(str):
    """A caller's own subclass of str."""

    __slots__ = ()

    def __len__(self):
        raise AssertionError("the data are read, not the methods")


@pytest.mark.parametrize("unit", ["a", "é", "東", "🙂"])
def test_subclass(unit):
    text = Sub(unit * 100)
    assert tw.truncate(text, 400) is text
    assert tw.text.truncate_safe(text, 400) is text
    cut = tw.truncate(text, 50, suffix=Sub("."))
    assert type(cut) is str
    assert cut == unit * (49 // reference.utf8_len(unit)) + "."
    assert type(tw.truncate("a" * 9, 1, suffix=Sub("."))) is str
    assert is_canonical(cut)


def test_the_same_text_in_many_threads():
    texts = ["x" * 200_000, "é" * 200_000, "東京" * 100_000, "a🙂" * 100_000]
    expect = [tw.truncate(text, 1_001) for text in texts]
    start = threading.Barrier(8)

    def work(_):
        start.wait()
        for _ in range(200):
            assert [tw.truncate(text, 1_001) for text in texts] == expect
            assert all(tw.truncate(text, 10**6) is text for text in texts)
        return True

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(8))) == [True] * 8


class Index:
    def __init__(self, number):
        self.number = number

    def __index__(self):
        return self.number


@pytest.mark.parametrize("budget", [Index(3), type("Int", (int,), {})(3)])
def test_budget_by_index(budget):
    assert tw.truncate("東京", budget) == "東"


@pytest.mark.parametrize("budget", [2**62, 2**63 - 1, 2**63, 2**64, 10**30, Index(10**30)])
def test_huge_budgets_are_no_limit(budget):
    text = "東京" * 9
    assert tw.truncate(text, budget) is text
    assert tw.truncate(text, budget, keep="middle") is text


@pytest.mark.parametrize("budget", [-1, -(2**63), -(10**30), Index(-1)])
def test_negative_budgets(budget):
    for call in (lambda: tw.truncate("", budget), lambda: tw.text.truncate_safe("", budget)):
        with pytest.raises(tw.TurnwireError) as caught:
            call()
        assert (caught.value.code, caught.value.path) == ("negative_budget", "$")


@pytest.mark.parametrize("budget", [True, False, 1.0, "1", None, [], Index("x")])
def test_wrong_budgets(budget):
    with pytest.raises(TypeError):
        tw.truncate("text", budget)


@pytest.mark.parametrize("text", [b"x", bytearray(b"x"), None, 1, ["x"]])
def test_wrong_texts(text):
    for call in (tw.truncate, tw.text.utf8_len, lambda text: tw.text.truncate_safe(text, 1)):
        with pytest.raises(TypeError):
            call(text)


@pytest.mark.parametrize("options", [{"suffix": None}, {"suffix": b"."}, {"keep": None}, {"keep": 1}, {"strip": True}])
def test_wrong_options(options):
    with pytest.raises(TypeError):
        tw.truncate("text", 1, **options)


@pytest.mark.parametrize("keep", ["", "HEAD", "head ", "\ud83d", "both"])
def test_unknown_keep(keep):
    with pytest.raises(tw.TurnwireError, match='"head", "tail", "middle"') as caught:
        tw.truncate("text", 1, keep=keep)
    assert caught.value.code == "unknown_option"


def test_signature_shows_the_real_defaults():
    defaults = {name: p.default for name, p in inspect.signature(tw.truncate).parameters.items() if name != "text"}
    assert defaults == {
        "max_bytes": tw.constants.MAX_USER_MESSAGE_SIZE,
        "suffix": tw.constants.TRUNCATED_SUFFIX,
        "keep": "head",
    }
    text = "東" * 200_000
    assert tw.truncate(text) == tw.truncate(text, **defaults)


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="since 3.12 every str is ready from the start")
@pytest.mark.parametrize("letters", ["ready", "né", "東京", "🙂🙂"])
def test_a_string_that_is_not_ready_yet(letters):
    api = ctypes.pythonapi
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        new, data = api.PyUnicode_FromUnicode, api.PyUnicode_AsUnicode
        new.argtypes, new.restype = [ctypes.c_wchar_p, ctypes.c_ssize_t], ctypes.py_object
        data.argtypes, data.restype = [ctypes.py_object], ctypes.c_void_p
        text = new(None, len(letters))
        ctypes.memmove(data(text), ctypes.create_unicode_buffer(letters), 4 * len(letters))
    assert tw.text.truncate_safe(text, 4) == reference.head(letters, 4)
    assert tw.text.utf8_len(text) == reference.utf8_len(letters)


STARVED = """
import resource, sys, turnwire
text = chr(int(sys.argv[1])) * 60_000_000
limit = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize() + 20_000_000
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
for keep in ("head", "middle"):
    try:
        turnwire.truncate(text, 59_999_999, keep=keep)
    except MemoryError:
        print("MemoryError")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's limits")
@pytest.mark.parametrize("letter", ["a", "é"])
def test_no_memory(letter):
    run = subprocess.run([sys.executable, "-c", STARVED, str(ord(letter))], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout.split(), run.stderr) == (0, ["MemoryError", "MemoryError"], "")
