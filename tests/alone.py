#!/usr/bin/env python3
"""Looks whether every source file compiles by itself: a build that compiles the files of a room together does not see
that one of them lacks an include.

    tests/alone.py [PART_OF_PATH ...]        # such as framework/isolation; all files without

Needs what a build needs; some minutes of processor time for all files.
"""

import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = ROOT / "build/alone"


def configure():
    subprocess.run(["cmake", "--preset", "debug", "-B", BUILD, "-DSENTEVAL_BUILD_TESTS=ON", "-DCMAKE_UNITY_BUILD=OFF",
                    "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return json.loads((BUILD / "compile_commands.json").read_text())


def complaints(entry):
    """Of the compiler, about the file of an entry; empty where there are none."""
    words = shlex.split(entry["command"])
    at = words.index("-o")
    words[at:at + 2] = ["-fsyntax-only"]
    done = subprocess.run(words, cwd=entry["directory"], stderr=subprocess.PIPE, text=True, check=False)
    return done.stderr if done.returncode != 0 else ""


def main():
    entries = [entry for entry in configure()
               if not sys.argv[1:] or any(part in entry["file"] for part in sys.argv[1:])]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [text for text in pool.map(complaints, entries) if text]
    print("".join(found), end="")
    print(f"{len(entries)} files, {len(found)} do not compile by themselves")
    return 1 if found or not entries else 0


if __name__ == "__main__":
    sys.exit(main())
