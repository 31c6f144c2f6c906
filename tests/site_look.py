"""Looks at the site in a real Chromium: every page in light, dark, 360 pixels wide and on paper, and every search.

``python tests/site_look.py [FOLDER]``, or `make site-look`. It is not part of the test run, because it needs a browser:
Debian's package is `chromium`. It keeps a picture of each page in FOLDER to look at.
"""

import json
import os
import re
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, Route, sync_playwright
from turnwire.answers.said import known
from turnwire.errors import SITE as ADDRESS
from turnwire.errors import address

SITE = Path(__file__).parent.parent / "target/site"
# Width, colours and medium. Paper is A4 without its margins.
WAYS = {
    "light": (1280, "light", "screen"),
    "dark": (1280, "dark", "screen"),
    "narrow": (360, "light", "screen"),
    "print": (718, "light", "print"),
}
# A search is good if the answer is among the first results. A section comes after its page, so only its own page may
# come before a code.
FIRST = {"code": 2, "message": 3, "word": 1, "words": 3}
# How long a search may take: a busy machine is slow.
PATIENCE_MS = 10_000
# How long anything else may take: a picture of the longest page has 100 million pixels.
LONGEST_MS = 180_000

# What is cut off: the page scrolls sideways, or an element sticks out and neither it nor a parent scrolls. Paper never
# scrolls.
CUT_OFF = """paper => {
    const root = document.documentElement, width = root.clientWidth, found = [];
    const scrolls = one => !paper && /auto|scroll/.test(getComputedStyle(one).overflowX);
    if (root.scrollWidth > width) found.push(`the page is ${root.scrollWidth} wide`);
    for (const one of document.querySelectorAll("article *")) {
        const box = one.getBoundingClientRect();
        const wider = one.clientWidth && one.scrollWidth > one.clientWidth + 1;
        const inner = /pre|code|table|div/i.test(one.tagName) && wider;
        if (!box.width || !(box.right > width + 1 || inner)) continue;
        let parent = one;
        while (parent && !scrolls(parent)) parent = parent.parentElement;
        if (!parent) found.push(`${one.tagName} ${one.className}: ${one.textContent.trim().slice(0, 60)}`);
    }
    return found.slice(0, 3);
}"""
# How many screens a page has, and how many it may have.
SCREENS = "() => document.documentElement.scrollHeight / innerHeight"
MOST_SCREENS = 30
NARROW = 400
# Where the first results lead to, without the words that they highlight.
RESULTS = """() => [...document.querySelectorAll("a.md-search-result__link")].filter(one => one.offsetParent)
    .map(one => new URL(one.href)).map(url => url.pathname.slice(1) + url.hash)"""


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a log."""

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a server of the folder on this machine."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


class Look:
    """The problems, as they are found."""

    def __init__(self, browser: Browser, base: str, pictures: Path) -> None:
        self.browser, self.base, self.pictures = browser, base, pictures
        self.wrong: list[str] = []
        self.done = dict.fromkeys(("pages", "judged by axe", "searches"), 0)

    def say(self, wrong: str) -> None:
        """Notes a problem."""
        self.wrong.append(wrong)
        print(wrong)

    def context(self, way: str) -> BrowserContext:
        """A browser that shows pages this way, and reaches no other machine."""
        width, colours, _ = WAYS[way]
        context = self.browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=colours, reduced_motion="reduce"
        )

        def pass_on(route: Route) -> None:
            if route.request.url.startswith((self.base, "data:", "blob:")):
                route.continue_()
            else:
                self.say(f"{way}: a request leaves the machine: {route.request.url}")
                route.abort()

        context.route("**/*", pass_on)
        context.set_default_timeout(LONGEST_MS)
        return context

    def walk(self, way: str, pages: list[str]) -> None:
        """Visits every page, shown one way."""
        width, _, medium = WAYS[way]
        context = self.context(way)
        page = context.new_page()
        page.emulate_media(media=medium)
        page.on("console", lambda line: line.type in ("error", "warning") and self.say(f"{page.url}: {line.text}"))
        page.on("pageerror", lambda error: self.say(f"{page.url}: {error}"))
        for name in pages:
            page.goto(self.base + name, wait_until="load")
            where = f"{way} {name or 'index'}"
            if width > NARROW and medium == "screen" and (screens := page.evaluate(SCREENS)) > MOST_SCREENS:
                self.say(f"{where}: {screens:.0f} screens")
            for cut in page.evaluate(CUT_OFF, medium == "print"):
                self.say(f"{where}: cut off: {cut}")
            if medium == "screen":
                self.judge(page, where)
            file = re.sub(r"\W+", "-", name).strip("-") or "index"
            page.screenshot(path=self.pictures / way / f"{file}.png", full_page=True)
            self.done["pages"] += 1
        context.close()

    def judge(self, page: Page, where: str) -> None:
        """What axe calls serious or critical."""
        found = Axe().run(page).response["violations"]
        for one in (one for one in found if one["impact"] in ("serious", "critical")):
            for node in one["nodes"][:3]:
                html = " ".join(node["html"].split())[:120]
                self.say(f"{where}: axe: {one['impact']} {one['id']}: {node['target']} {html}")
        self.done["judged by axe"] += 1

    def search(self) -> None:
        """Every code and every message of a provider, pasted into the search."""
        context = self.context("light")
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = context.new_page()
        page.goto(self.base)
        page.locator("input.md-search__input").click()
        for kind, query, places in wanted():
            page.evaluate("text => navigator.clipboard.writeText(text)", query)
            page.keyboard.press("Control+A")
            page.keyboard.press("Control+V")
            found = f"places => ({RESULTS})().slice(0, {FIRST[kind]}).some(one => places.includes(one))"
            try:
                page.wait_for_function(found, arg=places, timeout=PATIENCE_MS)
            except Exception:
                self.say(f"search for {query!r} finds {page.evaluate(RESULTS)[: FIRST[kind]]}, not {places}")
            self.done["searches"] += 1
        context.close()


WORDS = {
    "prepare": "reference/requests/#turnwireprepare",
    "check": "reference/requests/#turnwirecheck",
    "budget": "reference/budgets/#class-turnwirebudget",
    "ledger": "reference/ledgers/#class-turnwireledger",
}
"""Names that people search for: the first result is the function itself."""
TOPICS = {"gemini client": "send/", "benchmark": "benchmarks/"}
"""What people search for, and a page that is among the first results."""


def wanted() -> Iterator[tuple[str, str, list[str]]]:
    """What people search for, a code, a message or a name, and the place of its answer."""
    index = json.loads((SITE / "search/search_index.json").read_text(encoding="utf-8"))["docs"]
    locations = {one["location"] for one in index}
    codes = sorted(path.parent.name for path in SITE.glob("codes/*/index.html"))
    yield from (("code", code, [address(code).removeprefix(ADDRESS)]) for code in codes)
    places: dict[str, list[str]] = {}
    for message in known():
        places.setdefault(message.text, []).append(message.page.removeprefix(ADDRESS))
    yield from (("message", text, there) for text, there in places.items())
    yield from (("word", word, [there]) for word, there in WORDS.items())
    for query, page in TOPICS.items():
        yield "words", query, [one for one in locations if one.startswith(page)]


def main(pictures: Path) -> None:
    """Looks at every page in every way, and searches."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        sys.exit("site-look needs Chromium: apt-get install chromium")
    if not (SITE / "index.html").exists():
        sys.exit("There is no site: make site")
    # Chromium has no sandbox for root.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    pages = sorted(str(one.parent.relative_to(SITE)) + "/" for one in SITE.glob("**/index.html") if one.parent != SITE)
    # The pages of single codes are made alike, so some of them stand for all.
    codes = [page for page in pages if page.startswith("codes/") and page != "codes/"]
    pages = ["", *(page for page in pages if page not in codes or page in codes[::20]), "404.html"]
    with served(SITE) as base, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=arguments)
        look = Look(browser, base, pictures)
        for way in WAYS:
            look.walk(way, pages)
        look.search()
        browser.close()
    print(f"{', '.join(f'{count} {what}' for what, count in look.done.items())}; pictures are in {pictures}")
    if look.wrong:
        sys.exit(f"{len(look.wrong)} things are wrong")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else SITE.parent / "site-look")
