"""Completes command lines by the program itself, or in a shell that is there: completion_test.py BUILD program|bash|zsh|fish

Bash is driven as readline drives it (COMP_WORDS and the like) and once through a terminal; zsh through its function,
with its builtins of a completion replaced; fish by `complete --do-complete`.
"""
import os
import pathlib
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import time

BUILD, SHELL = pathlib.Path(sys.argv[1]), sys.argv[2]
SCRIPTS = BUILD / "framework/host/share"
BASH, ZSH = SCRIPTS / "bash-completion/completions/senteval", SCRIPTS / "zsh/vendor-completions/_senteval"
FISH = SCRIPTS / "fish/vendor_completions.d/senteval.fish"
PATIENCE = 120

# A line up to the cursor, words that must be offered, words that must not.
LINES = [
    ("senteval ru", {"run"}, {"compare"}),
    ("senteval data f", {"fetch"}, {"list"}),
    ("senteval run --enc", {"--encoder"}, {"--set"}),
    ("senteval run --encoder ", {"glove", "borep", "precomputed", "http", "python"}, set()),
    ("senteval run --tasks STS1", {"STS12", "STS16"}, {"MR"}),
    ("senteval run --tasks MR pro", {"probing"}, {"MR"}),
    ("senteval run --kernels a", {"auto", "avx2", "avx512"}, {"portable"}),
    ("senteval compare --format ", {"latex", "json"}, set()),
    ("senteval completion ", {"bash", "zsh", "fish"}, set()),
    ("senteval run --threads ", set(), {"--data"}),
    ("senteval tra", {"train"}, set()),
    ("senteval train paragram --exclude-overlap STS1", {"STS12"}, {"MR"}),
]


def run(command, folder):
    done = subprocess.run(command, cwd=folder, env=environment(folder), capture_output=True, text=True, timeout=PATIENCE)
    if done.stderr:
        raise AssertionError(f"noise from {command[0]}: {done.stderr}")
    return done.stdout.splitlines()


def environment(folder):
    return {"PATH": f"{BUILD}:{os.environ['PATH']}", "HOME": str(folder), "TERM": "dumb", "LC_ALL": "C.UTF-8"}


def program(line, folder):
    return {word.split("\t")[0] for word in run(["senteval", "__complete", *line.split(" ")[1:]], folder)}


def bash(line, folder):
    words = line.split(" ")
    script = (f"source '{BASH}'; COMP_WORDS=(\"$@\"); COMP_CWORD={len(words) - 1}; _senteval; "
              "printf '%s\\n' \"${COMPREPLY[@]}\"")
    return set(run(["bash", "--norc", "-c", script, "bash", *words], folder))


def zsh(line, folder):
    script = r"""
        compdef() { : }
        _describe() { local -a all; all=("${(@P)2}"); local one; for one in $all; do
            one=${one//\\:/$'\1'}; print -r -- ${${one%%:*}//$'\1'/:}; done }
        _files() { : }
        source $1; shift; words=("$@"); CURRENT=$#words; _senteval"""
    return set(run(["zsh", "-f", "-c", script, "zsh", str(ZSH), *line.split(" ")], folder))


def fish(line, folder):
    script = f"source '{FISH}'; complete --do-complete \"$argv[1]\""
    return {word.split("\t")[0] for word in run(["fish", "--no-config", "-c", script, line], folder)}


def in_a_terminal(folder):
    """What a person sees who types a line and the TAB key."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execvpe("bash", ["bash", "--norc", "--noprofile", "-i"], {**environment(folder), "PS1": "ready> "})
    seen = b""

    def wait_for(text):
        nonlocal seen
        end = time.monotonic() + PATIENCE
        while text.encode() not in seen:
            if time.monotonic() > end or not select.select([terminal], [], [], PATIENCE)[0]:
                raise AssertionError(f"the terminal never showed {text!r}, only {seen!r}")
            seen += os.read(terminal, 4096)
        seen = seen.split(text.encode(), 1)[1]

    try:
        wait_for("ready> ")
        os.write(terminal, f"source '{BASH}'; echo sour''ced\n".encode())
        wait_for("sourced\r\n")
        wait_for("ready> ")
        os.write(terminal, b"senteval run --simil\t")
        wait_for("arity ")
        os.write(terminal, b"eucl\t")
        wait_for("idean ")
        os.write(terminal, b"--encoder glove --set vectors=fold\t")
        wait_for("er/")
        os.write(terminal, b"\x03exit\n")
    finally:
        os.close(terminal)
        os.kill(child, 9)
        os.waitpid(child, 0)


def main():
    if SHELL != "program" and not shutil.which(SHELL):
        print(f"skipped: there is no {SHELL}")
        return
    with tempfile.TemporaryDirectory(prefix="senteval-completion-") as scratch:
        folder = pathlib.Path(scratch)
        (folder / "folder").mkdir()
        complete = {"program": program, "bash": bash, "zsh": zsh, "fish": fish}[SHELL]
        failures = 0
        for line, wanted, unwanted in LINES:
            offered = complete(line, folder)
            if not wanted <= offered or unwanted & offered:
                failures += 1
                print(f"{line!r}: lacks {wanted - offered}, must not have {unwanted & offered}; offered {offered}")
        if SHELL == "bash":
            in_a_terminal(folder)
        print(f"{len(LINES)} lines in {SHELL}")
        sys.exit(failures > 0)


main()
