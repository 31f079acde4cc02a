"""Manual pages say what help says, and are pages: manual_test.py BUILD"""
import pathlib
import re
import shutil
import subprocess
import sys

BUILD = pathlib.Path(sys.argv[1])
FOLDERS = [BUILD / "framework" / room / "share/man/man1" for room in ("host", "annex")]
ESCAPES = {r"\-": "-", r"\(aq": "'", r"\(ga": "`", r"\(ti": "~", r"\(ha": "^", r"\fB": "", r"\fI": "", r"\fR": "",
           r"\&": "", r"\e": "\\"}
problems = []


def plain(roff):
    return re.sub("|".join(map(re.escape, ESCAPES)), lambda found: ESCAPES[found.group()], roff)


def commands(path):
    """Every command below `path`, by its help."""
    text = subprocess.run([BUILD / "senteval", *path, "--help"], capture_output=True, text=True, check=True).stdout
    yield path, text
    if " COMMAND" not in text.split("\n\n")[1]:
        return
    for line in text.splitlines():
        if name := re.match(r"  ([a-z][a-z-]+)  ", line):
            yield from commands([*path, name.group(1)])


pages = {page.name: page for folder in FOLDERS for page in folder.iterdir()}
for path, text in commands([]):
    name = "-".join(["senteval", *path]) + ".1"
    if name not in pages:
        problems.append(f"there is no page {name}")
        continue
    file = pages.pop(name)
    page = plain(file.read_text())
    for line in text.splitlines():
        for option in re.findall(r"--[a-z][a-z-]*", line) if line.startswith("  -") else []:
            if option not in page:
                problems.append(f"{name} lacks {option}")
    for tool, lint in (("mandoc", ["-Tlint", "-Wwarning"]), ("groff", ["-man", "-Tutf8", "-ww", "-z"])):
        if shutil.which(tool):
            done = subprocess.run([tool, *lint, file], capture_output=True, text=True)
            if done.stdout or done.stderr:
                problems.append(f"{tool}: {done.stdout}{done.stderr}")
problems += [f"{name} is of no command" for name in sorted(pages)]
print("\n".join(problems))
sys.exit(bool(problems))
