"""Writes a page for each code, and an index of them: what it means, an example before and after, and what to do."""

from typing import get_args

import turnwire
from turnwire.answers import Answer, Kind, answers

INDEX = """\
# Codes

Every change, error and difference has a code that never changes. Each code has a page: what it means, an example
before and after, and what to do. `turnwire explain CODE` and `turnwire.explain(code)` print the same, and
`turnwire.codes` lists them as data.
"""

HEADS: dict[str, str] = {
    "change": """\
## Changes

What is done to your messages, and what deserves a look. `receipt` lists every change, with its kind, the path in your
own list, the id of the call, sizes in bytes, the reason and what is done. With `strict=True`, the first of kind `lost`
is a `RenderError`. `check` returns the same receipt and changes nothing.
""",
    "error": """\
## Errors

`TurnwireError.code`. Its `.path` says where in the payload (`$.messages[3].content[0]`), and its `.dialect` names the
wire format that was being read or written.
""",
    "diff": """\
## Differences

Where a request first differs from the one before it, as `turnwire.diff` and `turnwire diff` say, and what that costs:
reasoning that the newest models refuse or drop, and bytes that a cache has to read again. An *edit* changes something
that was already sent.
""",
}
"""What stands over each list of codes in the index."""

KINDS: tuple[Kind, ...] = tuple(sorted(get_args(Kind), key=list(HEADS).index))


def pages() -> dict[str, str]:
    """The index and a page for each code."""
    codes = dict.fromkeys(code for kind in KINDS for code in answers(kind))
    return {"codes/index.md": index()} | {f"codes/{code}.md": page(code) for code in codes}


def index() -> str:
    """Every code with its first sentence."""
    text = INDEX
    for kind in KINDS:
        text += f"\n{HEADS[kind]}\n| code | | meaning |\n|---|---|---|\n"
        for answer in answers(kind).values():
            first = answer.meaning.partition(". ")[0].rstrip(".").replace("|", "\\|")
            text += f"| [`{answer.code}`]({answer.code}.md) | {label(answer)} | {first}. |\n"
    return text


def page(code: str) -> str:
    """The page of one code: an answer for each list that has it."""
    found = [answers(kind)[code] for kind in KINDS if code in answers(kind)]
    text = f"# `{code}`\n"
    for answer in found:
        text += f"\n## As {'an' if answer.kind == 'error' else 'a'} {answer.kind}\n" if len(found) > 1 else ""
        text += f"\n{body(answer)}"
    return text


def body(answer: Answer) -> str:
    """What one answer says."""
    names = ("First request", "Second request") if answer.kind == "diff" else ("Before", "After")
    examples = [
        f"{name}:\n\n```{answer.language}\n{example}\n```\n"
        for name, example in zip(names, (answer.before, answer.after), strict=True)
        if example
    ]
    if answer.call:
        examples.insert(1, f"```py\n{answer.call}\n```\n")
    said = f"*{answer.kind.capitalize()}: {label(answer)}.* {answer.meaning}\n"
    return "\n".join([said, f"**What to do:** {answer.do}\n", *examples])


def label(answer: Answer) -> str:
    """What the answer's list says of a code beside its meaning."""
    match answer.kind:
        case "error":
            return f"`{turnwire.codes.ERRORS[answer.code].error.__name__}`"
        case "diff":
            return "an edit" if turnwire.codes.DIFFS[answer.code].edit else "no edit"
    return ", ".join(turnwire.codes.CHANGES[answer.code].kinds)
