"""Completes command lines in the shells that are there: completion_test.py BUILD bash|zsh|fish

Bash is driven as readline drives it (COMP_WORDS and the like) and once through a terminal; zsh through its function,
with its builtins of a completion replaced; fish by `complete --do-complete`.
"""
import os
import pathlib
import pty
import re
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
    ("senteval run --encoder ", {"glove", "borep", "precomputed", "http", "python"}, {"folder/"}),
    ("senteval run --encoder glove --set ", {"vectors=", "pooling="}, {"reservoir="}),
    ("senteval run --encoder glove --encoder esn --set ", {"sparsity=", "vectors="}, {"sif="}),
    ("senteval run --encoder glove --set vectors=fold", {"vectors=folder/"}, set()),
    ("senteval run --tasks STS1", {"STS12", "STS16"}, {"MR"}),
    ("senteval run --tasks MR ST", {"STS12"}, {"MR"}),
    ("senteval run --tasks MR,SICK", {"MR,SICKEntailment", "MR,SICKRelatedness"}, {"SICKEntailment"}),
    ("senteval run --tasks pro", {"probing"}, set()),
    ("senteval run --kernels a", {"auto", "avx2", "avx512"}, {"portable"}),
    ("senteval run --classifier softmax,m", {"softmax,mlp"}, set()),
    ("senteval run --data f", {"folder/"}, {"file.toml"}),
    ("senteval run fi", {"file.toml"}, set()),
    ("senteval compare --format ", {"latex", "json"}, set()),
    ("senteval check ./fo", {"./folder/"}, {"folder/"}),
    ("senteval completion ", {"bash", "zsh", "fish"}, set()),
    ("senteval run --threads ", set(), {"file.toml", "--data"}),
]
WORD_BREAKS = re.compile(r"([=:]+)")


def run(command, folder, **more):
    done = subprocess.run(command, cwd=folder, env=environment(folder), capture_output=True, text=True,
                          timeout=PATIENCE, **more)
    if done.stderr:
        raise AssertionError(f"noise from {command[0]}: {done.stderr}")
    return done.stdout.splitlines()


def environment(folder):
    return {"PATH": f"{BUILD}:{os.environ['PATH']}", "HOME": str(folder), "TERM": "dumb", "LC_ALL": "C.UTF-8"}


def bash(line, folder):
    """The words that Bash would put in, in full: it only gets what stands behind the last = or :."""
    words = []
    for word in line.split(" "):
        words += [part for part in WORD_BREAKS.split(word) if part] or [""]
    quoted = " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)
    script = (f"compopt() {{ :; }}; source '{BASH}'; COMP_LINE=$1 COMP_POINT=${{#1}} COMP_WORDS=({quoted}); "
              f"COMP_CWORD={len(words) - 1}; _senteval; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
    last = line.split(" ")[-1]
    before = last[: len(last) - len(WORD_BREAKS.split(last)[-1])]
    offered = run(["bash", "--norc", "-c", script, "bash", line], folder)
    return {before + word + ("/" if word and (folder / word).is_dir() else "") for word in offered if word}


def zsh(line, folder):
    words = line.split(" ")
    script = r"""
        compdef() { : }
        compset() { offset=$2 }
        _describe() { local -a all; all=("${(@P)2}"); local one; for one in $all; do
            one=${one//\\:/$'\1'}; print -r -- ${${one%%:*}//$'\1'/:}; done
            shift 2; (( $# % 2 )) && print -u2 -r -- "an option lacks its value: $@"; return 0 }
        _files() { local begin=${PREFIX[1,offset]} one
            for one in "${PREFIX[offset+1,-1]}"*(N-/); do print -r -- "$begin$one/"; done
            [[ $1 == -/ ]] || for one in "${PREFIX[offset+1,-1]}"*(N-.); do print -r -- "$begin$one"; done }
        source $1; shift; words=("$@"); CURRENT=$#words; PREFIX=$words[-1]; _senteval"""
    return set(run(["zsh", "-f", "-c", script, "zsh", str(ZSH), *words], folder))


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
        os.write(terminal, b"--encoder glove --set vect\t")
        wait_for("ors=")
        os.write(terminal, b"fold\t")
        wait_for("er/")
        os.write(terminal, b"\x03exit\n")
    finally:
        os.close(terminal)
        os.kill(child, 9)
        os.waitpid(child, 0)


def main():
    if not shutil.which(SHELL):
        print(f"skipped: there is no {SHELL}")
        return
    with tempfile.TemporaryDirectory(prefix="senteval-completion-") as scratch:
        folder = pathlib.Path(scratch)
        (folder / "folder").mkdir()
        (folder / "file.toml").write_text("")
        complete = {"bash": bash, "zsh": zsh, "fish": fish}[SHELL]
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
