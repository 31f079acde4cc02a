"""Pages that keep and pages that break their promises."""
import pathlib
import subprocess
import sys
import tempfile

RUN = pathlib.Path(__file__).with_name("run_page.py")
PAGES = [
    (True, "```console\n$ echo  one; echo two; echo three\none\nthree\n```"),
    (True, "```console\n$ printf 'a   b 12 s\\n'\na b ... s\n```"),
    (True, "```console\n$ echo a \\\n> b\na b\n```"),
    (True, "```text file=deep/x\nhello\n```\n```console\n$ cat deep/x\nhello\n```"),
    (True, "```console\n$ exit 3 # fails\n```"),
    (True, "<!-- needs: no-such-program -->\n\n```console\n$ false\n```\n```sh\ntrue\n```"),
    (True, "```console\n$ sleep 3600 &\n$ echo a\na\n```"),
    (False, "```console\n$ echo one; echo two\ntwo\none\n```"),
    (False, "```console\n$ echo one\n1\n```"),
    (False, "```console\n$ false\n```"),
    (False, "```console\n$ true # fails\n```"),
    (False, "```sh\nfalse\ntrue\n```"),
    (False, "```cpp\nint x;\n```"),
]

failures = 0
with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    (root / "build").mkdir()
    for number, (good, text) in enumerate(PAGES):
        page = root / f"{number}.md"
        page.write_text(text + "\n")
        run = subprocess.run([sys.executable, RUN, page, "--source", root, "--build", root / "build"],
                             capture_output=True, text=True)
        if (run.returncode == 0) != good:
            failures += 1
            print(f"{text!r} should {'pass' if good else 'fail'}:\n{run.stdout}{run.stderr}")
sys.exit(failures > 0)
