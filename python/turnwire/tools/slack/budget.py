"""Keeps the texts of a concise answer within one budget of bytes, so that long messages cannot flood a context."""

from collections.abc import Sequence
from typing import Any

from turnwire._core import split_budget, truncate, utf8_len

__all__ = ["fit_texts"]


def fit_texts(matches: Sequence[dict[str, Any]], max_bytes: int) -> int:
    """Cut the ``text`` of ``matches`` in place so that all together are at most ``max_bytes`` UTF-8 bytes.

    What short texts leave of their share goes to the long ones.

    Returns:
        How many texts were cut.
    """
    with_text = [match for match in matches if isinstance(match["text"], str)]
    sizes = [utf8_len(match["text"]) for match in with_text]
    cut = 0
    for match, size, share in zip(with_text, sizes, split_budget(sizes, max_bytes, split="fair"), strict=True):
        if size > share:
            match["text"] = truncate(match["text"], share)
            cut += 1
    return cut
