#!/usr/bin/env python3
"""Writes the sample datasets and the word counts: the same bytes on every Python from 3.9 on.

    data/generate_samples.py [--output DIR]      write everything below DIR (data/samples)
    data/generate_samples.py --check DIR         compare what is below DIR, write nothing
    data/generate_samples.py --corpus FILE       write the text that the word vectors are trained on
"""

import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from sample_grammar import corpus, datasets  # noqa: E402

COUNTS = "vectors/sample_counts.txt"


def files():
    made = datasets.everything()
    made[COUNTS] = "".join(f"{word} {count}\n" for word, count in corpus.counts()).encode("utf-8")
    return made


def check(folder):
    """The paths that are missing or differ, and those nobody generates."""
    made = files()
    wrong = [path for path, content in made.items()
             if not (folder / path).is_file() or (folder / path).read_bytes() != content]
    there = {path.relative_to(folder).as_posix() for part in ("downstream", "probing")
             for path in (folder / part).rglob("*") if path.is_file()}
    return wrong, sorted(there - made.keys())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent / "samples")
    parser.add_argument("--check", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--corpus", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    if options.check:
        wrong, unknown = check(options.check)
        for path in wrong:
            print(f"{path}: missing or not what the generator writes", file=sys.stderr)
        for path in unknown:
            print(f"{path}: not written by the generator", file=sys.stderr)
        return 1 if wrong or unknown else 0
    if options.corpus:
        with options.corpus.open("w", encoding="utf-8", newline="\n") as out:
            for words in corpus.sentences():
                out.write(" ".join(words) + "\n")
        return 0
    made = files()
    for path, content in made.items():
        target = options.output / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    print(f"{len(made)} files, {sum(map(len, made.values()))} bytes below {options.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
