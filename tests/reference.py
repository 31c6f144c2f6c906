"""The slow, plain meaning of texts, budgets and results, for the tests to compare ours with."""

import json


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


def json_text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


Block = tuple[str, object]
"""`("text", str)` or `("json", value)`."""


def block_text(block: Block) -> str:
    kind, said = block
    return str(said) if kind == "text" else json_text(said)


def cut_results(results: list[list[Block]], max_bytes: int, suffix: str, split: str) -> list[list[Block]]:
    """Blocks of results: each result is cut to its share, and its blocks to their parts of it by water-filling."""
    sizes = [sum(utf8_len(block_text(block)) for block in blocks) for blocks in results]
    if sum(sizes) <= max_bytes:
        return results
    shares = fair(sizes, max_bytes) if split == "fair" else [max_bytes // len(results) for _ in results]
    return [cut_blocks(blocks, share, suffix) for blocks, share in zip(results, shares, strict=True)]


def cut_blocks(blocks: list[Block], share: int, suffix: str) -> list[Block]:
    sizes = [utf8_len(block_text(block)) for block in blocks]
    if sum(sizes) <= share:
        return blocks
    cut = []
    for block, size, part in zip(blocks, sizes, fair(sizes, share), strict=True):
        cut.append(block if size <= part else ("text", truncate(block_text(block), part, suffix, "head")))
    return cut
