"""Runs a notebook and checks how our objects are shown: in tables, where no text of a conversation becomes HTML.

``python tests/notebook.py [page.html]``, or `make notebook`. It is not part of the test run, because a kernel takes
forty packages. With a page's name it writes what a browser would show, for a person to look at.
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

EVIL = "<script>alert(1)</script> & <b>bold</b>"
SETUP = f"""
import turnwire as tw
call = {{"id": "c1", "type": "function", "function": {{"name": "search", "arguments": '{{"q": "東京"}}'}}}}
messages = [
    {{"role": "system", "content": "Be brief."}},
    {{"role": "user", "content": {EVIL!r}}},
    {{"role": "assistant", "content": None, "tool_calls": [call]}},
    {{"role": "user", "content": "Hurry!"}},
    {{"role": "tool", "tool_call_id": "c1", "content": "here\\\\n" * 100_000}},
]
history = tw.MessageHistory(messages)
ready = history.prepare("anthropic", 3_000)
"""
# A cell's code, and what its output must show; None where only text is shown.
CELLS: dict[str, str | None] = {
    "history.conversation": "Conversation of 5 turns",
    "history": "MessageHistory of 5 messages",
    "ready.receipt": "Receipt: ",
    "tw.MessageBuilder().set_messages(messages).build('anthropic')": "Conversation of",
    "ready": "Rendered",
    "tw.Receipt()": None,
    "tw.check(messages, target='anthropic')[0]": "Change",
    "tw.Ledger('anthropic', 3_000)": "Ledger",
    "history.conversation.turns[1].parts[0]": "Text",
    "tw.check(messages, target='anthropic')": None,
}


class Tags(HTMLParser):
    """The tags of a page, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, _: object) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def shown(cell: Any) -> dict[str, str]:
    """The last output of a cell, by media type."""
    (output,) = cell.outputs
    assert output.output_type == "execute_result", output
    return dict(output.data)


def main(page: str | None) -> None:
    """Runs the notebook and checks each cell."""
    cells = [nbformat.v4.new_code_cell(code) for code in (SETUP, *CELLS)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    body = ""
    for cell, (code, title) in zip(notebook.cells[1:], CELLS.items(), strict=True):
        data = shown(cell)
        assert len(data["text/plain"]) < 1_000, f"{code}: {len(data['text/plain'])} characters"
        if title is None:
            assert "text/html" not in data, code
        else:
            seen = Tags(data["text/html"])
            assert "table" in seen.tags <= {"table", "caption", "tr", "th", "td", "br"}, f"{code}: {seen.tags}"
            assert title in seen.text, f"{code}: {seen.text[:200]}"
            assert EVIL in seen.text or title not in ("Conversation of 5 turns", "MessageHistory of 5 messages", "Text")
            assert len(data["text/html"]) < 10_000, code
        body += f"<h4>{code}</h4>\n{data.get('text/html', '<pre>' + data['text/plain'] + '</pre>')}\n"
        print(f"{code}: {', '.join(sorted(data))}")
    if page is not None:
        Path(page).write_text(f'<!doctype html><meta charset="utf-8">{body}', encoding="utf-8")
        print(f"{page}: written")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
