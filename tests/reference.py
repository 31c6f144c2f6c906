"""The slow, plain meaning of the text functions: what the tests compare them with."""


def utf8_len(text: str) -> int:
    return sum(len(letter.encode("utf-8", "surrogatepass")) for letter in text)


def head(text: str, budget: int) -> str:
    """The longest prefix of whole characters in `budget` bytes."""
    for at, letter in enumerate(text):
        budget -= utf8_len(letter)
        if budget < 0:
            return text[:at]
    return text


def tail(text: str, budget: int) -> str:
    """The longest end of whole characters in `budget` bytes."""
    return head(text[::-1], budget)[::-1]


def truncate(text: str, max_bytes: int, suffix: str, keep: str) -> str:
    if utf8_len(text) <= max_bytes:
        return text
    if utf8_len(suffix) > max_bytes:
        suffix = ""
    budget = max_bytes - utf8_len(suffix)
    if keep == "head":
        return head(text, budget) + suffix
    if keep == "tail":
        return suffix + tail(text, budget)
    start = head(text, budget - budget // 2)
    end = tail(text[len(start) :], budget - utf8_len(start))
    start = head(text[: len(text) - len(end)], budget - utf8_len(end))
    return start + suffix + end


def fair(sizes: list[int], max_bytes: int) -> list[int]:
    """Water-filling by handing out one byte after the other, round after round."""
    shares = [0] * len(sizes)
    while max_bytes > 0 and shares != sizes:
        for at, size in enumerate(sizes):
            if shares[at] < size and max_bytes > 0:
                shares[at] += 1
                max_bytes -= 1
    return shares
