#!/usr/bin/env python3
"""Runs the commands of a Markdown page from top to bottom, as a reader would.

    run_page.py PAGE --source ROOT --build BUILD

In a scratch folder that looks like the root of the source tree (its folders, and build/release, are links),
with the built program on PATH:

- a fenced block whose first line names a file (```python file=embed.py) is written to that file;
- of a ```console block, lines that begin with "$ " are commands, "> " goes on with one, and what
  stands below a command is promised: each line of it must occur in the output, in this order, white
  space apart; "..." stands for anything;
- a ```sh block is one script. A command that fails, fails the page, except where it ends in "# fails".

`<!-- needs: rustc -->` above a block skips it where the program is not there, and says so.
"""
import argparse
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```(\w*)[ \t]*(?:file=(\S+))?[ \t]*$")
NEEDS = re.compile(r"^<!-- needs: (.*?) -->$")


def blocks(page):
    """(line, language, file, needed programs, text) of every fenced block."""
    needs, lines = [], iter(enumerate(page.splitlines(), 1))
    for number, line in lines:
        if match := NEEDS.match(line):
            needs = match.group(1).split()
        elif match := FENCE.match(line):
            text = []
            for _, inner in lines:
                if inner.startswith("```"):
                    break
                text.append(inner)
            yield number, match.group(1), match.group(2), needs, text
            needs = []
        elif line.strip():
            needs = []


def console(lines):
    """(command, promised lines) of a console block."""
    commands = []
    for line in lines:
        if line.startswith("$ "):
            commands.append((line[2:], []))
        elif line.startswith("> ") and not commands[-1][1]:
            commands[-1] = (commands[-1][0] + "\n" + line[2:], [])
        elif commands:
            commands[-1][1].append(line)
    return commands


def occurs(promised, output):
    """The first promised line that does not occur, or None."""
    rest = [" ".join(line.split()) for line in output.splitlines()]
    for line in promised:
        wanted = " ".join(line.split())
        if wanted in ("", "..."):
            continue
        pattern = re.compile(".*?".join(map(re.escape, wanted.split("..."))) + "$")
        found = next((at for at, have in enumerate(rest) if pattern.match(have)), None)
        if found is None:
            return line
        rest = rest[found + 1 :]
    return None


class Page:
    def __init__(self, path, source, build, scratch):
        self.path, self.scratch, self.groups, self.commands = path, scratch, [], 0
        for entry in source.iterdir():
            if entry.name not in ("build", "results") and not entry.name.startswith("."):
                (scratch / entry.name).symlink_to(entry)
        (scratch / "build").mkdir()
        (scratch / "build/release").symlink_to(build)
        (scratch / ".bin").mkdir()
        (scratch / ".bin/python3").symlink_to("/usr/bin/python3")
        self.environment = {**os.environ, "PATH": f"{scratch}/.bin:{build}:{os.environ['PATH']}",
                            "HOME": str(scratch), "no_proxy": "*"}
        self.environment.pop("XDG_CACHE_HOME", None)
        for tool in ("CARGO_HOME", "RUSTUP_HOME"):
            self.environment.setdefault(tool, str(pathlib.Path.home() / f".{tool.split('_')[0].lower()}"))

    def has(self, tool):
        """Whether it is there and starts: a manager of versions may stand for one that is not installed."""
        found = shutil.which(tool, path=self.environment["PATH"])
        return found is not None and subprocess.run([found, "--version"], env=self.environment,
                                                    capture_output=True).returncode == 0

    def run(self, number, command, promised):
        self.commands += 1
        with open(self.scratch / ".output", "w+b") as output:
            process = subprocess.Popen(["bash", "-e", "-c", command], cwd=self.scratch, env=self.environment,
                                       stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                                       start_new_session=True)
            self.groups.append(process.pid)
            failed = process.wait() != 0
            output.seek(0)
            text = output.read().decode(errors="replace")
        problem = None
        if failed != command.rstrip().endswith("# fails"):
            problem = f"it ended with status {process.returncode}"
        elif (missing := occurs(promised, text)) is not None:
            problem = f"its output lacks the line\n  {missing}"
        if problem:
            sys.exit(f"{self.path}:{number}: $ {command}\n{problem}\nIts output:\n{text}")

    def run_all(self):
        for number, language, file, needs, lines in blocks(self.path.read_text()):
            missing = [tool for tool in needs if not self.has(tool)]
            if missing:
                print(f"{self.path}:{number}: skipped: there is no {', '.join(missing)}")
            elif file:
                (self.scratch / file).parent.mkdir(parents=True, exist_ok=True)
                (self.scratch / file).write_text("\n".join(lines) + "\n")
            elif language == "console":
                for command, promised in console(lines):
                    self.run(number, command, promised)
            elif language == "sh":
                self.run(number, "\n".join(lines), [])
        if self.commands == 0:
            sys.exit(f"{self.path}: has no command to run")
        print(f"{self.path}: {self.commands} commands")

    def end(self):
        for group in self.groups:
            try:
                os.killpg(group, signal.SIGKILL)
            except ProcessLookupError:
                pass


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="senteval-page-") as scratch:
        page = Page(arguments.page, arguments.source.resolve(), arguments.build.resolve(), pathlib.Path(scratch))
        try:
            page.run_all()
        finally:
            page.end()


if __name__ == "__main__":
    main()
