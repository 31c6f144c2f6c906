"""Writes the pages that are made from the code, so that no list stands twice: `make docs`."""

import re
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import api_reference
import layouts_page
import pictures
import signatures
import turnwire
from turnwire.answers import Answer, Kind, answers, shown
from turnwire.answers.said import Said, Unfixed, said, unfixed
from turnwire.errors import PAGES as PAGES_OF

HERE = Path(__file__).parent

ERRORS = """\
# Errors

<!-- Written by docs/generate.py: change error.rs or answers/errors.toml, then `make docs`. -->

Bad data raises a `TurnwireError`, which is a `ValueError`, or one of its four children. Its `.code` is one of the names
below and never changes. Its `.path` says where in the payload (`$.messages[3].content[0]`), and its `.dialect` names
the wire format that was being read or written. The message ends with the code. A wrong argument type is a plain
`TypeError`.
"""

LOSSES = """\
# Losses

<!-- Written by docs/generate.py: change report/register.rs or answers/losses.toml, then `make docs`. -->

A conversion keeps what the target can express and lists everything else in `Rendered.losses`, each with one of these
codes. With `strict=True` the first loss of kind `lost` is a `RenderError`. With `prepare`, what
the receipt tells is not listed here again. The first word of each code says what happens to the content.
"""

CHANGES = """\
# Changes

<!-- Written by docs/generate.py: change report/register.rs or answers/changes.toml, then `make docs`. -->

`prepare` and `MessageBuilder.build` return a `.receipt` that lists everything they changed. Each entry has one of these
codes, the index of your own message, the id of the call, sizes in bytes and a sentence. `.totals` adds up what a budget
freed. The first word of each code says what happens to the content. The examples show what `prepare` gets and returns.
"""

FINDINGS = """\
# Findings

<!-- Written by docs/generate.py: change notice.rs or answers/findings.toml, then `make docs`. -->

`turnwire.check` reports what is wrong with messages and changes nothing. A finding has the code of a
[change](changes.md) that `prepare` would make, of an [error](errors.md) that it would raise, of a [diff](diffs.md), or
one of the codes below, which `receipt.warnings` reports as well.
"""

DIFFS = """\
# Two requests in a row

<!-- Written by docs/generate.py: change prefix/cause.rs or answers/diffs.toml, then `make docs`. -->

`turnwire.diff(a, b)` says where a request first differs from the one before it, and what that costs: reasoning that the
newest models refuse or drop, and bytes that a cache has to read again. Its `.code` is one of these. An *edit* changes
something that was already sent. `turnwire diff` is the command that compares.
"""

TAIL = """
`turnwire.{}_codes()` lists these codes; `turnwire explain CODE` and `turnwire.explain(code)` print what this page says.
"""

HEADS: dict[Kind, str] = {"error": ERRORS, "change": CHANGES, "loss": LOSSES, "finding": FINDINGS, "diff": DIFFS}


def answers_page(kind: Kind) -> str:
    """The page of one list of codes: what each means, an example before and after, and what to do."""
    return HEADS[kind] + TAIL.format(kind) + "".join(_answer(answer) for answer in answers(kind).values())


def _answer(answer: Answer) -> str:
    names = ("First request", "Second request") if answer.kind == "diff" else ("Before", "After")
    examples = [
        f"{name}:\n\n```{answer.language}\n{example}\n```\n"
        for name, example in zip(names, (answer.before, answer.after), strict=True)
        if example
    ]
    if answer.call:
        examples.insert(1, f"```py\n{answer.call}\n```\n")
    return "\n".join(
        [f"\n## `{answer.code}`\n\n{_kind(answer)}{answer.meaning}\n", f"**What to do:** {answer.do}\n", *examples]
    )


def _kind(answer: Answer) -> str:
    """What the answer's list says of a code beside its meaning."""
    match answer.kind:
        case "error":
            return f"`{turnwire.error_codes()[answer.code][0].__name__}`. "
        case "diff":
            return "An edit. " if turnwire.diff_codes()[answer.code][0] else "No edit. "
        case "change" | "loss":
            return " or ".join(turnwire._core._edit_kinds()[answer.code]).capitalize() + ". "
    return ""


TROUBLES = """\
# Troubleshooting

<!-- Written by docs/generate.py: change answers/providers.toml or answers/unfixed.toml, then
`make docs`. -->

Search this page for the message on your screen. Ids, indices and names in it are examples. Each message has its cause,
the line of code that fixes it, and a request before and after. In the line, `messages` is your list or body. Some
requests [need more than that](#not-fixed-by-prepare).

The same in a terminal. With `-`, paste the message or a whole traceback, then press Ctrl-D:

```sh
turnwire explain "No tool output found for function call call_1."
turnwire explain -
python agent.py 2>&1 | turnwire explain -
```

To see what is wrong with a request and change nothing, call `turnwire.check(messages, target="anthropic")`.
"""


def troubles_page() -> str:
    """`troubleshooting.md`: what providers and frameworks say, each with its cause and the line that ends it."""
    providers = sorted({one.by for one in said()}, key=str.lower)
    links = [f"[{name}](#{_slug(name)})" for name in providers]
    page, by = f"{TROUBLES}\nMessages of {' · '.join(links)}.\n", ""
    for one in sorted(said(), key=lambda one: one.by.lower()):
        page += f"\n## {one.by}\n" if one.by != by else ""
        page += _trouble(one)
        by = one.by
    page += "\n## Not fixed by `prepare`\n\nThese requests need a budget, another setting, or a change that "
    page += "only you can make.\n"
    for other in sorted(unfixed(), key=lambda one: one.by.lower()):
        page += f"\n### {_title(other.text)}\n\n**{other.by}.** {other.do}{_seen(other)}\n"
    return page


def _slug(title: str) -> str:
    """The anchor of a heading."""
    return re.sub(r"[^\w -]", "", title).lower().replace(" ", "-")


def _seen(one: Said | Unfixed) -> str:
    """Where people reported a message, as links. GitHub leads from an issue's address to a pull request's."""
    links = [f"[{place}](https://github.com/{place.replace('#', '/issues/')})" for place in one.seen]
    return f" Seen in {', '.join(links)}." if links else ""


def _trouble(one: Said) -> str:
    """One message: its words, its cause, the line, and the request before and after."""
    after: turnwire.Rendered[Any] = eval(one.line, {"tw": turnwire, "messages": one.messages})
    kinds = [kind for kind in HEADS if one.code in answers(kind)]
    codes = ", ".join(f"[{kind} `{one.code}`]({PAGES_OF[kind]}.md#{one.code})" for kind in kinds)
    examples = [f"```json\n{shown(payload)}\n```\n" for payload in (one.messages, after.payload)]
    return "\n".join(
        [
            f"\n### {_title(one.text)}\n",
            f"{one.cause}{_seen(one)} `check` reports it as {codes}.\n",
            f"```py\n{one.line}\n```\n",
            "Before:\n",
            examples[0],
            "After:\n",
            examples[1],
        ]
    )


def _title(text: str) -> str:
    """A message as a heading. Its angle brackets, braces and stars are not markup."""
    return text.replace("<", "&lt;").replace("{", "&#123;").replace("* ", "\\* ")


NAMES = '''\
"""The names of dialects as types, so that a checker sees a name that is misspelt."""

# Written by docs/generate.py: add the dialect, then `make docs`.

from typing import Literal, TypeAlias

__all__ = ["BodyName", "DialectName", "LayoutName", "ListName", "ReplyName", "SourceName"]

BodyName: TypeAlias = {bodies}
"""Dialects whose payload is a dict."""

ListName: TypeAlias = {lists}
"""Dialects whose payload is a list."""

DialectName: TypeAlias = Literal[BodyName, ListName]
"""Every name in `dialects()`."""

ReplyName: TypeAlias = {replies}
"""Dialects of providers, whose replies can be read, whole or streamed."""

LayoutName: TypeAlias = {layouts}
"""Layouts of records that are read and not written, such as rows of a data set."""

SourceName: TypeAlias = Literal["auto", DialectName, LayoutName]
"""A dialect or a layout to read a payload as, or `"auto"` to detect it."""
'''


def names_module() -> str:
    """`names.py`: every name in `dialects()`, by what its payload is."""
    payloads = {name: turnwire.Conversation(["x"]).render(name).payload for name in turnwire.dialects()}
    kinds = {kind: [name for name, payload in payloads.items() if isinstance(payload, kind)] for kind in (dict, list)}
    replies = [name for name in turnwire.dialects() if _has_replies(name)]
    named = {"bodies": kinds[dict], "lists": kinds[list], "replies": replies}
    layouts = _literal(name for name, *_ in turnwire._core._layout_table())
    return NAMES.format(**{key: _literal(names) for key, names in named.items()}, layouts=layouts)


def _has_replies(name: Any) -> bool:
    try:
        turnwire.StreamAssembler(name)
    except turnwire.UnknownDialectError:
        return False
    return True


def _literal(names: Iterable[str]) -> str:
    return "Literal[\n" + "".join(f'    "{name}",\n' for name in names) + "]"


DIALECTS = """\
# Dialects

<!-- Written by docs/generate.py: change the row of the dialect, then `make docs`. -->

A dialect is one wire format. A name with a colon is a profile: the same format with other limits. `turnwire.dialects()`
lists the names. `parse` takes a payload, a whole request body or a bare list, and `render` writes a payload. If your
messages exceed a limit on this page, a build repairs them, or raises an error before anything is sent.

"""


def dialects_page() -> str:
    """`dialects.md`: every dialect with what its payload is and what its servers take."""
    table = turnwire._core._dialect_table()
    heads = [name for name, _ in table[0][1]]
    wires = [(name, dict(row)) for name, row in table]
    page = DIALECTS
    for start in range(0, len(wires), 5):
        some = wires[start : start + 5]
        page += "| | " + " | ".join(f"`{name}`" for name, _ in some) + " |\n" + "|---" * (len(some) + 1) + "|\n"
        page += "".join(f"| {head} | " + " | ".join(row[head] for _, row in some) + " |\n" for head in heads) + "\n"
    return page.rstrip() + "\n"


SETTINGS = """\
# Settings

<!-- Written by docs/generate.py: change rules/settings/, then `make docs`. -->

`rest="convert"` converts a whole body, settings included, by this table. It has, for each setting, the key in each
dialect, the type of the value, and its bounds. If a dialect has several keys for a setting, the first is written. A
value `its own` exists in one dialect only. In a list of words, `high` = max means that the dialect writes `high` for
what others call `max`.

- A setting that the target does not have is a loss with the code `setting`.
- A setting outside the target's bounds is changed, and a setting that the target requires is added. Both are losses of
  the kind `changed`.
- A body in the target's own format keeps its keys, except for those that another version of the API, or the model in
  `model=`, refuses. `turnwire.check(body)` finds the keys that its provider refuses.
- A body that refers to messages on another server, for example by `previous_response_id`, raises `RenderError`: send
  the whole history. Without `rest="convert"`, such a key is a loss.

`turnwire.settings()` returns this table as data.

"""


def settings_page() -> str:
    """`settings.md`: every setting as each wire says it, and what models take otherwise."""
    table = turnwire.settings()
    page = SETTINGS
    for name, row in table["settings"].items():
        meaning = row["meaning"][0].upper() + row["meaning"][1:]
        page += f"## {name}\n\n{meaning}.\n\n| dialect | keys | value |\n|---|---|---|\n"
        cells = row["wires"].items()
        page += "".join(_row(wire, cell) for wire, cell in cells if cell["kind"] != "none")
        without = ", ".join(f"`{wire}`" for wire, cell in cells if cell["kind"] == "none")
        page += f"\nNot in: {without}.\n\n" if without else "\n"
    page += "## Versions and models\n\nThe exceptions for versions and models, by the beginning of a model's name. "
    page += "For each setting, the first line counts that names the model.\n\n"
    page += "| dialect | models | setting | keys | value |\n|---|---|---|---|---|\n"
    for rule in table["models"]:
        names = ", ".join(f"`{name}`" for name in rule["names"]) or "all others"
        names += " but " + ", ".join(f"`{name}`" for name in rule["but"]) if rule["but"] else ""
        for setting, cell in rule["settings"].items():
            page += f"| `{rule['dialect']}` | {names} " + _row(setting, cell)
    page += "\n## How much a model thinks\n\nThe tokens for each level of effort, for dialects that count tokens. "
    page += "`effort_budgets=` sets others.\n\n"
    heads = list(table["efforts"]["none"])
    page += "| effort | " + " | ".join(f"`{head}`" for head in heads) + " |\n" + "|---" * (len(heads) + 1) + "|\n"
    for word, budgets in table["efforts"].items():
        page += f"| `{word}` | " + " | ".join(_tokens(budgets[head]) for head in heads) + " |\n"
    return page


def _row(head: str, cell: dict[str, Any]) -> str:
    keys = ", ".join(f"`{place}`" for place in cell["places"])
    said = [cell["why"] if "why" in cell else cell["kind"]]
    if "range" in cell:
        said.append(" to ".join("any" if abs(bound) > 2**50 else f"{bound:g}" for bound in cell["range"]))
    if "most" in cell:
        said.append(f"at most {cell['most']}")
    if "words" in cell:
        said.append(", ".join(f"`{wire}`" + ("" if wire == word else f" = {word}") for wire, word in cell["words"]))
    said += [f"required, added as {cell['needed']}"] if "needed" in cell else []
    said += [f"absent means {cell['absent']}"] if "absent" in cell else []
    said += [f"not together with {', '.join(cell['excludes'])}"] if "excludes" in cell else []
    said += [f"only with {', '.join(cell['needs'])}"] if "needs" in cell else []
    said += ["recorded for " + ", ".join(f"`{name}`" for name in cell["recorded"])] if "recorded" in cell else []
    return f"| `{head}` | {keys} | {'; '.join(said)} |\n"


def _tokens(tokens: int | None) -> str:
    return "no limit" if tokens is None else str(tokens)


PAGES: dict[str, Callable[[], str]] = {
    "python/turnwire/_core.pyi": signatures.stub,
    "python/turnwire/history/write.py": partial(signatures.of_history, "write.py", "render", "RenderOptions"),
    "python/turnwire/history/send.py": partial(signatures.of_history, "send.py", "prepare", "Prepared"),
    "python/turnwire/ledger.py": signatures.ledger,
    "rust/turnwire-py/src/prepare.rs": signatures.binding,
    **{f"docs/{PAGES_OF[kind]}.md": partial(answers_page, kind) for kind in HEADS},
    "docs/troubleshooting.md": troubles_page,
    "docs/reference.md": api_reference.page,
    **pictures.PICTURES,
    "docs/dialects.md": dialects_page,
    "docs/layouts.md": layouts_page.page,
    "docs/settings.md": settings_page,
    "python/turnwire/names.py": names_module,
}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (HERE.parent / name).write_text(page(), encoding="utf-8")
        print(f"{name}: written")
