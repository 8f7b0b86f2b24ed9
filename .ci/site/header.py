"""Puts links to the other parts of the site on pages that have no header of the site:
`header.py SITE`. These are the page to play on, which becomes the first page, and the
documentation of the Rust library."""

import sys
from pathlib import Path

SITE = Path(sys.argv[1])
PARTS = {"Play": "", "Guides": "guides/", "Gallery": "gallery/", "Python": "python/", "Rust": "rust/santorini/"}
STYLE = """<style>.site { display: flex; gap: 1.1rem; width: 100%; padding: .2rem; }
.site a { padding-block: .35rem; font-size: .9rem; }</style>"""


def links(page, name):
    """Links from a page to all parts but its own."""
    up = "../" * (len(page.relative_to(SITE).parts) - 1)
    items = "".join(
        f'<a href="{up}{folder}{"index.html" if folder else ""}">{other}</a>'
        for other, folder in PARTS.items()
        if other != name and (SITE / folder / "index.html").exists()
    )
    return f'<div class="site" role="navigation" aria-label="Site">{items}</div>'


def replace(text, old, new):
    if text.count(old) != 1:
        sys.exit(f"header.py: {old!r} must be there once, not {text.count(old)} times")
    return text.replace(old, new)


def play():
    """Puts the links on the page to play on. Its address becomes that of the site, also in the
    manifest and the service worker."""
    page = SITE / "index.html"
    top = '<header class="top">'
    text = replace(page.read_text(), top, top + links(page, "Play"))
    text = replace(text, "</head>", STYLE + "</head>")
    page.write_text(replace(text, '"/santorini.html"', '"/"'))
    for name in ("santorini.webmanifest", "santorini-worker.js"):
        text = (SITE / name).read_text()
        (SITE / name).write_text(text.replace('"santorini.html"', '"./"'))


def rust():
    for page in (SITE / "rust").rglob("*.html"):
        text = page.read_text()
        # Some pages only lead to another one.
        if "<main>" in text:
            page.write_text(text.replace("<main>", f"{STYLE}<main>{links(page, 'Rust')}", 1))


if (SITE / "index.html").exists():
    play()
rust()
