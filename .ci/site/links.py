"""Checks a site: `links.py SITE`. All links and anchors between its pages must lead
somewhere, no page may load anything from another server, and links to other servers go to
known ones only. Prints each page with a link that is wrong."""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

SITE = Path(sys.argv[1]).resolve()
KNOWN = {"doc.rust-lang.org", "docs.rs", "rust-random.github.io"}
# Attributes by which a page loads a file or leads to one.
ATTRIBUTES = {"href", "src", "srcset", "data", "poster", "action", "formaction"}
IN_STYLE = re.compile(r"""(?:url\(\s*|@import\s+)["']?([^"')\s]+)""")
IN_SCRIPT = re.compile(r"""(?:fetch|import|importScripts|Worker|WebSocket|open)\s*\(?\s*["'`]((?:\w+:)?//[^"'`]+)""")
# The pages with games open a game, or one of its turns, by a script.
BY_SCRIPT = re.compile(r"game-\d+(-turn-\d+)?")
# rustdoc asks for a file that it writes for some traits only, and repeats links in the
# documentation of other crates that lead to their own items.
BY_RUSTDOC = re.compile(r"(?:\.\./)+trait\.impl/.+\.js|\w+::\w+")


class Page(HTMLParser):
    """The anchors of a page, its links, and what it loads."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loads, self.inside = set(), set(), set(), None
        self.feed(text)

    def has(self, anchor):
        """Whether a link can lead to this anchor. rustdoc names lines of a file by the first
        and the last, such as 12-15."""
        lines = anchor.split("-") if re.fullmatch(r"\d+-\d+", anchor) else [anchor]
        return self.anchors.issuperset(lines) or unquote(anchor) in self.anchors or BY_SCRIPT.fullmatch(anchor)

    def handle_starttag(self, tag, attributes):
        self.inside = tag
        for name, value in attributes:
            if name == "id" or (tag, name) == ("a", "name"):
                self.anchors.add(value)
            elif name == "style":
                self.loads.update(IN_STYLE.findall(value or ""))
            # A script draws what `use` shows.
            elif name in ATTRIBUTES and tag != "use":
                (self.links if tag == "a" else self.loads).add(value or "")

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside == "style":
            self.loads.update(IN_STYLE.findall(data))
        elif self.inside == "script":
            self.loads.update(IN_SCRIPT.findall(data))


def wrong(file, link, loaded):
    """What is wrong with a link of a file, or None."""
    parts = urlsplit(link)
    if parts.netloc:
        if loaded:
            return "is loaded from another server"
        return None if parts.scheme in ("http", "https") and parts.netloc in KNOWN else "leads to an unknown server"
    if parts.scheme:
        return None if parts.scheme == ("data" if loaded else "javascript") else "is of an unknown kind"
    if parts.path.startswith("/"):
        return "does not begin at its page, so the site cannot be in a folder"
    target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
    if target.is_dir():
        target /= "index.html"
    if not target.is_file() or SITE not in target.parents:
        return "leads nowhere"
    if target in PAGES and parts.fragment and not PAGES[target].has(parts.fragment):
        return "leads to no anchor of that page"
    return None


def all_links():
    """Each link of the site: its file, the link, and whether a browser loads it."""
    for file, page in PAGES.items():
        yield from ((file, link, False) for link in page.links)
        yield from ((file, link, True) for link in page.loads)
    for suffix, loads in (("css", IN_STYLE), ("js", IN_SCRIPT)):
        for file in SITE.rglob(f"*.{suffix}"):
            yield from ((file, link, True) for link in loads.findall(file.read_text()))


PAGES = {file: Page(file.read_text()) for file in SITE.rglob("*.html")}
faults = 0
for file, link, loaded in sorted(set(all_links())):
    if not BY_RUSTDOC.fullmatch(link) and (fault := wrong(file, link, loaded)):
        print(f"{file.relative_to(SITE)}: {link} {fault}", file=sys.stderr)
        faults = 1
sys.exit(faults)
