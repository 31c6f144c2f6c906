"""Writes `layouts.md`: every layout of records that turnwire reads, from the core's table."""

import re

import turnwire

LAYOUTS = """\
# Records of other shapes

Many files hold conversations in no provider's format: rows of a data set, or the messages of a framework. turnwire
reads them by a table of layouts. If no dialect reads a record, the first layout of this page that claims it does. Every
command reads such files, and so do `turnwire.batch`, `turnwire.arrow` and `convert`. They are read and never written:
repairs and `truncate` refuse them. `--source` and `source=` take the name of a layout.

A record of a layout is a row of training data: it may end with calls or with the assistant's text, and keeps its other
keys. Paths in errors and changes are those of the record itself.

A record with two answers becomes a prompt and two lists. The function `convert` writes one conversation, so it refuses
such a record. A key of its own that the new row needs for something else is a loss.

In a column, a dot leads to a key inside, and a number to an item of a list; `$` is the record itself. Of several keys,
the first counts that is there and not null. Behind `=` is the word that a key must hold.

Messages lose the keys that no column names, and parts of other types: each is a loss with its path. A key that is
null, `false` or empty says nothing. What a failed tool says begins with `[tool error]`.
"""

COLUMNS = {
    "apart.texts": "texts that stand elsewhere in the record than where they are said",
    "apart.mark": "what stands before the name of such a text where it is said",
    "system": "system text",
    "history": "pairs of earlier texts of the user and the assistant",
    "user": "what the user says; several are joined by line ends",
    "answer": "what the assistant says",
    "better": "the better of two answers",
    "worse": "the worse of two answers",
    "talk.text": "a talk in one text",
    "talk.ends": "in a talk, the word that ends what is said",
    "talk.call": "in a talk, the word before a call",
    "talk.tools": "a text with definitions of tools; the rest of it is system text",
    "given": "messages in any dialect",
    "answer_at": "the answer to them: text, a message, a list of messages or a whole reply",
    "json": "texts that may be JSON",
    "tools": "definitions of tools",
    "calls": "the calls with which the assistant answers",
    "list": "the messages",
    "tree.nodes": "the tree of messages",
    "tree.leaf": "the id of the last message that is shown; without it, the last one",
    "tree.id": "in a node of the tree, its id",
    "tree.parent": "in a node, the id of the one before it",
    "tree.message": "in a node, its message",
    "addressee": "in a message, to whom it is; if that is not `all`, it is a call",
    "attached": "in a message, files",
    "attached_text": "in a file, its text, which stands behind what is said",
    "unwrap": "in a message, the key in which it is wrapped",
    "role": "in a message, who speaks",
    "about": "in a message, system text; that of the last one counts",
    "thought": "in a message, reasoning",
    "text": "in a message, what is said: text or a list of parts",
    "parts": "in a message, its parts",
    "kind": "in a part, its type",
    "calls_at": "in a message, its calls",
    "broken_at": "in a message, its calls whose arguments could not be read",
    "call.id": "in a call, its id",
    "call.name": "in a call, the name of the tool",
    "call.args": "in a call, the arguments",
    "sent.failed": "signs of a message that failed: it is not sent",
    "sent.stopped": "signs of a message that was only stopped: it is sent if it says something",
    "sent.mark": "signs of a message that asks for a compaction; once that is done, nothing before is sent",
    "sent.tail": "in such a message, the id of the first one before it that is sent nevertheless",
    "sent.id": "in a message, its id",
    "sent.summary": "signs of a summary",
    "sent.done": "signs of a message that is done",
    "sent.parent": "in a summary, the id of the message that asks for it",
    "outcome.id": "in a call with its result, the id",
    "outcome.name": "in a call with its result, the name of the tool",
    "outcome.says": "in a call with its result, what the tool says",
    "outcome.failed": "in a call with its result, the sign that the tool failed",
    "results_at": "in a message, the results of calls",
    "result.id": "in a result, the id of its call",
    "result.name": "in a result, the name of the tool",
    "result.says": "in a result, what the tool says",
    "result.failed": "in a result, the sign that the tool failed",
    "skips": "signs of what is left out, which is a loss",
    "passes": "keys that say nothing of the conversation",
}
WORDS = {"words": "speaker", "pair": "key", "kinds": "type of a part", "marks": "mark"}


def page() -> str:
    """Every layout, with what a record must have and what its keys mean."""
    text = LAYOUTS
    for name, kept_by, claims, columns, words in turnwire._core._layout_table():
        text += f"\n## {name}\n\n{kept_by}.\n\nA record has " + "; or ".join(map(_coded, claims)) + ".\n\n"
        text += "| what | where |\n|---|---|\n"
        text += "".join(f"| {COLUMNS[column]} | {_ways(ways)} |\n" for column, ways in columns)
        text += "".join(f"| the {WORDS[kind]} {_word(kind, word)} | {meaning} |\n" for kind, word, meaning in words)
    return text


def _coded(claim: str) -> str:
    return re.sub(r'"([^"]+)"', r"`\1`", claim)


def _word(kind: str, word: str) -> str:
    return f"`{word.strip()}`" if kind == "marks" else _ways(word)


def _ways(ways: str) -> str:
    return " and ".join(", ".join(f"`{way}`" for way in some.split()) for some in ways.split(" + "))
