"""Writes what providers and frameworks say of refused requests: an index, and a page for each of them."""

import re
from typing import Any, get_args

import turnwire
from turnwire.answers import Kind, answers, shown
from turnwire.answers.said import OTHERS, SERVERS, UNFIXED, Said, Taught, Unfixed, anchor, find, said, taught, unfixed
from turnwire.answers.said import pages as page_of

INDEX = """\
# Troubleshooting

Paste the message on your screen into the search of this site, or look under who said it. Ids, indices and names in the
messages are examples. Each has its cause, the line of code that fixes it, and a request before and after. In the line,
`messages` is your list or body. Some requests [need more than that]({unfixed}.md).

The same in a terminal. With `-`, paste the message or a whole traceback, then press Ctrl-D:

```sh
turnwire explain "No tool output found for function call call_1."
turnwire explain -
python agent.py 2>&1 | turnwire explain -
```

To see what is wrong with a request and change nothing, call `turnwire.check(messages, "anthropic")`.
"""
MOST = 10
"""How many messages the index shows, those with the most reports."""


def pages() -> dict[str, str]:
    """The index, a page for each provider, and one for what `prepare` alone does not fix."""
    names = sorted(page_of(), key=str.lower)
    own = [by for by in names if page_of()[by] != OTHERS]
    found = {f"troubleshooting/{page_of()[by]}.md": f"# {by}\n" + messages(by) for by in own}
    others = [by for by in names if by not in own]
    found[f"troubleshooting/{OTHERS}.md"] = "# Other providers and frameworks\n" + "".join(
        f"\n## {by}\n" + messages(by) for by in others
    )
    found[f"troubleshooting/{UNFIXED}.md"] = not_fixed()
    found[f"troubleshooting/{SERVERS}.md"] = of_servers()
    return {"troubleshooting/index.md": index(own, others)} | found


def index(own: list[str], others: list[str]) -> str:
    """Who says something, and what is said most."""
    text = INDEX.replace("{unfixed}", UNFIXED) + "\n| who | messages |\n|---|---|\n"
    counts = {by: sum(one.by == by for one in said()) for by in (*own, *others)}
    text += "".join(f"| [{by}]({page_of()[by]}.md) | {counts[by]} |\n" for by in own)
    text += f"| [{', '.join(others)}]({OTHERS}.md) | {sum(counts[by] for by in others)} |\n"
    text += f"| [Not fixed by `prepare`]({UNFIXED}.md) | {len(unfixed())} |\n"
    text += f"| [About a server's row]({SERVERS}.md) | {len(taught())} |\n"
    text += "\n## Reported most\n\n| message | says | code |\n|---|---|---|\n"
    for one in sorted(said(), key=lambda one: (-len(one.seen), one.text))[:MOST]:
        link = f"[{title(one.text).replace('|', '&#124;')}]({page_of()[one.by]}.md#{anchor(one.text)})"
        text += f"| {link} | {one.by} | [`{one.code}`](../codes/{one.code}.md) |\n"
    return text


def messages(by: str) -> str:
    """What one provider says."""
    return "".join(trouble(one) for one in said() if one.by == by)


def trouble(one: Said) -> str:
    """One message: its words, its cause and the line. The request before and after is there for who wants to see it."""
    after: turnwire.Rendered[Any] = eval(one.line, {"tw": turnwire, "messages": one.messages})
    before, made = (f"```json\n{shown(payload)}\n```" for payload in (one.messages, after.payload))
    kinds = ", ".join(kind for kind in get_args(Kind) if one.code in answers(kind))
    return f"""
{heading(one.text)}

{one.cause} `check` reports it as [`{one.code}`](../codes/{one.code}.md) ({kinds}).{seen(one)}

```py
{one.line}
```
{stated(one.text)}
<details markdown="1"><summary>Before and after</summary>

{before}

{made}

</details>
"""


def not_fixed() -> str:
    """The messages about requests that need a budget, another setting, or a change that only you can make."""
    text = "# Not fixed by `prepare`\n\nThese requests need a budget, another setting, or a change that only you can "
    text += "make.\n"
    for one in sorted(unfixed(), key=lambda one: one.by.lower()):
        # The links of the data are those of the folder above.
        do = re.sub(r"\]\((?=[\w-]+\.md)", "](../", one.do)
        text += f"\n{heading(one.text)}\n\n**{one.by}.** {do}{seen(one)}\n{stated(one.text)}"
    return text


OF_SERVERS = """\
# What a server's row does not fit

A server that speaks another's format may refuse what the original takes. Each text has the line that states it for the
server: pass the result as `target`. The base in the line is an example. [Servers](../servers.md) has more, and
`turnwire.learn` finds the line for your row and your request.
"""


def of_servers() -> str:
    """The messages of servers that no other page has."""
    text = OF_SERVERS
    for one in sorted(taught(), key=lambda one: (one.by.lower(), one.text)):
        line = f"\n```py\n{one.server}\n```\n" if one.server else ""
        text += f"\n{heading(one.text)}\n\n**{one.by}.** {one.cause}{seen(one)}\n{line}"
    return text


def stated(text: str) -> str:
    """The line that states what a message of another page says about a server's row."""
    found = find(text)
    if found is None or not found.server:
        return ""
    return f"\nState it for a server that says so, and pass that as target:\n\n```py\n{found.server}\n```\n"


def heading(text: str) -> str:
    """A message as a heading, with the anchor that the package prints."""
    return f"### {title(text)} {{#{anchor(text)}}}"


def seen(one: Said | Unfixed | Taught) -> str:
    """Where people reported a message, as links. GitHub leads from an issue's address to a pull request's."""
    links = [f"[{place}](https://github.com/{place.replace('#', '/issues/')})" for place in one.seen]
    return f" Seen in {', '.join(links)}." if links else ""


def title(text: str) -> str:
    """A message as a heading. Its angle brackets, braces and stars are not markup."""
    return text.replace("<", "&lt;").replace("{", "&#123;").replace("* ", "\\* ")
