"""What the site needs beside the pages: its navigation, links out of the folder, and proof that nothing is loaded.

mkdocs calls these functions by their names (`hooks` in mkdocs.yml).
"""

import json
import re
import sys
from html import unescape
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import api_reference
from turnwire.answers.said import known
from turnwire.errors import SITE

HERE = Path(__file__).parent
REPOSITORY = "https://github.com/turnwire/turnwire/blob/main/"

SECTIONS = {
    "Start": ["index", "getting-started", "send", "troubleshooting/index", "cookbook", "faq", "moving"],
    "Guides": [
        "agent-loop", "receipts", "budgets", "ledgers", "history", "switch-provider", "images", "replies", "streams",
        "gateway", "batch", "batches", "training-rows", "traces", "sessions", "command-line", "engines", "servers",
        "adapters", "frameworks", "logging", "slack",
    ],
    "Reference": [
        "reference/index", *(f"reference/{topic}" for topic in api_reference.TOPICS), "reference/commands", "dialects",
        "layouts", "settings", "codes/index",
    ],
    "Project": ["compatibility", "benchmarks", "specifications", "spec-names", "glossary"],
}  # fmt: skip
"""Pages by section. A page of a code or of a provider is led to by its index."""


def on_config(config: Any) -> Any:
    """The navigation: the sections above, and those for contributors."""
    contributing = sorted(page.stem for page in (HERE / "contributing").glob("*.md"))
    order = SECTIONS | {"Contributing": [f"contributing/{name}" for name in contributing]}
    config.nav = [{title: [f"{name}.md" for name in names]} for title, names in order.items()]
    return config


def on_page_markdown(markdown: str, page: Any = None, **_: Any) -> str:
    """Links to files outside of the folder lead to the repository."""
    outside = "../" * (1 + (page.file.src_path.count("/") if page else 0))
    return re.sub(rf"\]\({re.escape(outside)}([^)]+)\)", rf"]({REPOSITORY}\1)", markdown)


LOADED = re.compile(
    r"<(?:script|img|iframe|source)[^>]*\ssrc=[\"']?https?:"
    r"|<link(?![^>]*rel=[\"']?canonical)[^>]*\shref=[\"']?https?:"
)


THEME = {
    # The theme asks GitHub for the stars of the repository.
    ' class="md-source" data-md-component="source"': ' class="md-source"',
    # A dialog needs a name for those who hear the page.
    'class="md-search" data-md-component="search" role="dialog"': (
        'class="md-search" data-md-component="search" role="dialog" aria-label="Search"'
    ),
}
"""What is repaired in the theme's own HTML."""


def on_post_template(output_content: str, template_name: str, **_: Any) -> str:
    """The page of a wrong address is repaired like the others."""
    return repaired(output_content, template_name) if template_name == "404.html" else output_content


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """Every page is repaired, and none loads anything from elsewhere."""
    return repaired(output, page.file.src_path)


def repaired(html: str, name: str) -> str:
    """A page that loads no fonts, scripts or images from elsewhere, with the theme's HTML repaired."""
    if found := LOADED.search(html):
        raise SystemExit(f"{name} loads something from elsewhere: {found[0]}")
    return replaced(html, name, THEME)


def replaced(text: str, name: str, changes: dict[str, str]) -> str:
    """A text of the theme with these changes, each of which must find its place."""
    for theirs, ours in changes.items():
        if theirs not in text:
            raise SystemExit(f"{name}: the theme no longer writes {theirs!r}")
        text = text.replace(theirs, ours)
    return text


WORKER = {
    # The search fails on some single letters, such as the last one of "doesn't".
    "search(e){": (
        "search(e){const "
        'plain=one=>one.replace(/<[^>]+>/g,"").replace(/&\\w+;/g," ").toLowerCase().split(/[^\\p{L}\\p{N}_]+/u)'
        '.filter(word=>!/^$|\\d/.test(word)).join(" "),asked=plain(e);'
        'e=e.replace(/(?<![\\p{L}\\p{N}_])\\p{L}(?![\\p{L}\\p{N}_])/gu," ");'
    ),
    # A title with the query's words comes first, even if they are common, and so does the name of a function. Words
    # with digits are ids and numbers.
    "score:a*(1+K(g,2))": (
        'score:a*(1+K(g,2))*(plain(this.map.get(o).title).replace(/^(?:class )?turnwire (?=[^ ]+$)/,"")===asked?1e3:1)'
    ),
}
"""What is changed in the theme's search."""


def on_post_build(config: Any, **_: Any) -> None:
    """Search finds every code and every message of a provider, and exact titles first."""
    index = json.loads(Path(config.site_dir, "search/search_index.json").read_text(encoding="utf-8"))
    titles = [unescape(re.sub(r"<[^>]+>", "", page["title"])) for page in index["docs"]]
    found = {" ".join(re.findall(r"\w+", title)) for title in titles}
    codes = [page.stem for page in Path(config.docs_dir, "codes").glob("*.md") if page.stem != "index"]
    wanted = [*codes, *(one.text for one in known())]
    missing = [one for one in wanted if " ".join(re.findall(r"\w+", one)) not in found]
    if missing:
        raise SystemExit(f"search does not find: {missing}")
    Path(config.site_dir, "llms.txt").write_text(llms(config), encoding="utf-8")
    for worker in Path(config.site_dir, "assets/javascripts/workers").glob("search.*.js"):
        worker.write_text(replaced(worker.read_text(encoding="utf-8"), worker.name, WORKER), encoding="utf-8")


def llms(config: Any) -> str:
    """The pages as a list for language models (llmstxt.org): the sections of the first page, with links to Markdown."""
    sections = (HERE / "index.md").read_text(encoding="utf-8").partition("\n## ")[2]
    linked = re.sub(r"\]\((?:\.\./)?([\w/-]+)\.md\)", lambda found: f"]({markdown(found[1])})", sections)
    return f"# {config.site_name}\n\n> {config.site_description}\n\n## {linked}"


def markdown(page: str) -> str:
    """The address of a page's Markdown, or of a page that is only on the site."""
    for folder in ("docs/", ""):
        if (HERE.parent / f"{folder}{page}.md").exists():
            return f"{REPOSITORY.replace('/blob/', '/raw/')}{folder}{page}.md"
    return f"{SITE}{page.removesuffix('index')}".rstrip("/") + "/"
