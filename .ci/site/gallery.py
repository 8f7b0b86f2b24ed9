"""Makes the gallery: `gallery.py WORK PAGES` runs the commands of gallery.md in the folder
WORK, and writes its page and their results to PAGES. A section whose commands fail is left
out, and named at the end."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent.resolve()
WORK, PAGES = map(Path, sys.argv[1:])
COMMANDS = re.compile(r"^```sh\n(.*?)^```$", re.M | re.S)
RESULTS = {".html", ".svg", ".png"}
LINK = re.compile(r"^\[(.+)\]\((.+\.html)\)$", re.M)
# A small view of a page, with a link over it.
VIEW = (
    r'<div class="view"><iframe src="\2" title="\1" tabindex="-1" loading="lazy"></iframe>'
    r'<a href="\2"><span>\1</span></a></div>'
)


def succeeds(section):
    """Runs the commands of a section."""
    environment = {**os.environ, "PATH": f"{HERE / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    for commands in COMMANDS.findall(section):
        print(commands, flush=True)
        done = subprocess.run(["sh", "-eu", "-c", commands], cwd=WORK, env=environment, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            return False
    return True


WORK.mkdir()
for name in ("santorini", "santorini.html"):
    (WORK / name).symlink_to(Path(name).absolute())
introduction, *sections = re.split(r"^(?=## )", (HERE / "gallery.md").read_text(), flags=re.M)
made = [section for section in sections if succeeds(section)]
for file in WORK.rglob("*"):
    if file.suffix in RESULTS and not file.is_symlink():
        target = PAGES / file.relative_to(WORK)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)
(PAGES / "index.md").write_text(LINK.sub(VIEW, introduction + "".join(made)))
missing = [section.splitlines()[0].removeprefix("## ") for section in sections if section not in made]
if missing:
    sys.exit(f"cannot be made here: {', '.join(missing)}")
