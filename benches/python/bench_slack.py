"""Sizes of a search answer: concise must be at most a quarter of detailed, in Japanese and in English.

The sizes are bytes of compact UTF-8 JSON, as the MCP server sends it. Nothing is timed, so `--quick` changes nothing
and there are no rivals to install. The last column is the same concise answer as many servers print it, indented and
with \\u escapes.
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "slack"))

from matches import answer_of, corpus
from turnwire.tools.slack import user_search_messages

LIMIT = 0.25
COUNTS = (20, 100)


class Canned:
    def __init__(self, answer: dict[str, Any]):
        self.answer = answer

    async def get_current_user_id(self) -> str:
        return "U0ME"

    async def search(self, **params: Any) -> dict[str, Any]:
        return self.answer


def size(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


async def main() -> int:
    print("slack answer    messages  detailed  concise   ratio  per message  printed")
    worst = 0.0
    for language in ("ja", "en"):
        for count in COUNTS:
            client = Canned(answer_of(corpus(count * 3, language), per_page=count))
            detailed, concise = [
                await user_search_messages("incident", count=count, response_format=form, client=client)
                for form in ("detailed", "concise")
            ]
            ratio = size(concise) / size(detailed)
            worst = max(worst, ratio)
            printed = len(json.dumps(concise, indent=2))
            print(
                f"{language:<14}{count:>10}{size(detailed):>10}{size(concise):>9}{ratio:>8.1%}"
                f"{size(concise) // count:>13}{printed:>9}"
            )
    print(f"concise is at most {worst:.1%} of detailed (limit {LIMIT:.0%})")
    return 0 if worst <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
