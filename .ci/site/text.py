"""Writes what MkDocs needs for the text of the site: `text.py PAGES SITE` adds the guides to
the folder PAGES, and puts mkdocs.yml beside it. The header links to what is there already:
in PAGES the gallery and the Python documents, in SITE the page to play on and the
documentation of the Rust library."""

import html
import re
import subprocess
import sys
import textwrap
import urllib.parse
from pathlib import Path

import yaml
from pygments.formatters import HtmlFormatter

HERE = Path(__file__).parent.resolve()
PYTHON = Path("src/python").absolute()
PAGES, SITE = (Path(path).absolute() for path in sys.argv[1:])
PROGRAM = "./santorini"


def said(*words):
    """What the program prints for `help`."""
    return subprocess.run([PROGRAM, "help", *words], check=True, capture_output=True, text=True).stdout


def topics():
    """The guides by name, each with its description."""
    listed = re.search(r"^Topics .*:\n((?:  .*\n)+)", said(), re.M)
    return dict(re.findall(r"^  (\S+) +(.+)$", listed[1], re.M))


def inline(text):
    """A paragraph in HTML: code stands between backticks, and may name a guide."""
    parts = html.escape(text, quote=False).split("`")
    for index in range(1, len(parts), 2):
        code = f"<code>{parts[index]}</code>"
        named = re.fullmatch(r"(?:\./)?santorini help (\w+)", parts[index])
        parts[index] = f'<a href="{named[1]}.html">{code}</a>' if named and named[1] in TOPICS else code
    return "".join(parts)


# A heading, which is underlined; a list; indented lines, such as a table; a paragraph.
BLOCKS = re.compile(
    r"^(?P<heading>\S.*)\n=+\n"
    r"|(?P<list>(?:^- .*\n(?:^ {2}.*\n)*)+)"
    r"|(?P<indented>(?:(?:^ {2}.*)?\n)*^ {2}.*\n)"
    r"|(?P<paragraph>(?:^\S.*\n)+)",
    re.M,
)


def markdown(block):
    """A block of a guide in Markdown. Below its title, all headings are of one level."""
    words = block[0].strip("\n")
    match block.lastgroup:
        case "heading":
            return f"## {block['heading']}"
        case "list":
            items = re.split(r"^- ", words, flags=re.M)[1:]
            return "<ul>" + "".join(f"<li>{inline(item)}</li>" for item in items) + "</ul>"
        case "indented":
            return f"<pre><code>{html.escape(textwrap.dedent(words), quote=False)}</code></pre>"
        case "paragraph":
            return f"<p>{inline(words)}</p>"


def guide(name):
    """A guide in Markdown, with the words that the program prints."""
    text = said(name)
    blocks = list(BLOCKS.finditer(text))
    if "".join(block[0] for block in blocks).split() != text.split():
        sys.exit(f"text.py: words of the guide {name} would be lost")
    title = TOPICS[name]
    if blocks[0].lastgroup == "heading":
        title = blocks.pop(0)["heading"]
    parts = [markdown(block) for block in blocks]
    return "\n\n".join([f"# {title}", f"`{PROGRAM} help {name}` prints this guide.", *parts, ""])


def write_guides():
    """Writes the guides and a list of them."""
    folder = PAGES / "guides"
    folder.mkdir()
    rows = [f"[{name}]({name}.md) | {about}" for name, about in TOPICS.items()]
    table = "\n".join(["guide | about", "---|---", *rows])
    words = f"`{PROGRAM} help` lists these guides, and all commands."
    (folder / "index.md").write_text(f"# Guides\n\n{words}\n\n{table}\n")
    for name in TOPICS:
        (folder / f"{name}.md").write_text(guide(name))


def write_icon():
    """The icon of the page to play on."""
    page = Path("src/people/page/web/page.html").read_text()
    drawn = re.search(r'<link rel="icon" href="data:image/svg\+xml,([^"]+)"', page)[1]
    (PAGES / "icon.svg").write_text(urllib.parse.unquote(drawn))


def write_style():
    """The style of the site, and the colours of code in light and dark."""
    light = HtmlFormatter(style="default").get_style_defs(".highlight")
    dark = HtmlFormatter(style="github-dark").get_style_defs('[data-bs-theme="dark"] .highlight')
    (PAGES / "site.css").write_text(f"{light}\n{dark}\n{(HERE / 'theme/site.css').read_text()}")


def python_pages(entries):
    """The navigation of the Python documents, without groups."""
    for entry in entries:
        for title, page in entry.items():
            yield from python_pages(page) if isinstance(page, list) else [{title: f"python/{page}"}]


def configuration():
    """The configuration of the Python documents, extended to the whole site."""
    config = yaml.safe_load((PYTHON / "mkdocs.yml").read_text())
    guides = [{about.split(":")[0].replace("`", ""): f"guides/{name}.md"} for name, about in TOPICS.items()]
    nav = [{"Guides": ["guides/index.md", *guides]}]
    home = "guides/index.html"
    if (SITE / "index.html").exists():
        home = "./"
        nav.insert(0, {"Play": home})
    if (PAGES / "gallery/index.md").exists():
        nav.append({"Gallery": "gallery/index.md"})
    if (PAGES / "python").exists():
        nav.append({"Python": list(python_pages(config["nav"]))})
        config["hooks"] = [str(PYTHON / hook) for hook in config["hooks"]]
        [mkdocstrings] = [plugin["mkdocstrings"] for plugin in config["plugins"] if "mkdocstrings" in plugin]
        handler = mkdocstrings["handlers"]["python"]
        handler["paths"] = [str(PYTHON / path) for path in handler["paths"]]
        handler["options"]["extensions"] = [str(PYTHON / path) for path in handler["options"]["extensions"]]
    else:
        del config["hooks"]
        config["plugins"] = ["search"]
    if (SITE / "rust").exists():
        nav.append({"Rust": "rust/santorini/index.html"})
    config["theme"]["custom_dir"] = str(HERE / "theme")
    return config | {
        "site_name": "Santorini",
        "site_favicon": "icon.svg",
        "docs_dir": str(PAGES),
        "site_dir": str(PAGES.parent / "html"),
        # All links are checked later, in the whole site.
        "strict": False,
        "nav": nav,
        "extra": {"home": home},
        "extra_css": ["site.css"],
    }


TOPICS = topics()
write_guides()
write_icon()
write_style()
(PAGES.parent / "mkdocs.yml").write_text(yaml.safe_dump(configuration(), sort_keys=False))
