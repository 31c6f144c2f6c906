"""Makes the script of a failed run as short as it can be."""

from __future__ import annotations

from .world import InvalidError, World


def fault(lines: list[str]) -> str | None:
    """What is wrong in a run of these lines."""
    try:
        World().run("\n".join(lines))
    except InvalidError:
        return None
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return f"{type(error).__name__} {str(error).partition(':')[0]}"
    return None


def shortest(lines: list[str], tries: int = 600) -> list[str]:
    """Leaves out lines, as long as the same fault stays."""
    wanted = fault(lines)
    if wanted is None:
        return lines
    size = max(1, len(lines) // 2)
    while tries > 0:
        at = 0
        before = len(lines)
        while at < len(lines) and tries > 0:
            fewer = lines[:at] + lines[at + size :]
            tries -= 1
            if fault(fewer) == wanted:
                lines = fewer
            else:
                at += size
        if size == 1 and len(lines) == before:
            break
        size = max(1, size // 2)
    return lines
