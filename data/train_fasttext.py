#!/usr/bin/env python3
"""Trains the sample fastText model (skipgram with character n-grams). Needs the program fasttext.

    data/train_fasttext.py [--output FILE]    write the model (data/samples/vectors/sample.fasttext.bin)
    data/train_fasttext.py --check FILE       compare its sentence vectors with those of FILE, write nothing

Bojanowski et al. (2017), "Enriching Word Vectors with Subword Information", on the text that the other
sample vectors are made from. One thread: the same program then writes the same bytes. Few dimensions and
few buckets of n-grams keep the file small.
"""

import argparse
import math
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from sample_grammar import corpus  # noqa: E402

SETTINGS = "-dim 24 -bucket 1000 -minn 3 -maxn 5 -minCount 20 -epoch 5 -thread 1".split()
COMPARED = 200  # sentences
LIKE = 0.95     # cosine


def train(sentences, output):
    """Writes the model to `output`."""
    with tempfile.TemporaryDirectory() as folder:
        text = pathlib.Path(folder, "text")
        text.write_text("".join(" ".join(words) + "\n" for words in sentences), encoding="utf-8")
        model = pathlib.Path(folder, "model")
        subprocess.run(["fasttext", "skipgram", "-input", text, "-output", model, *SETTINGS], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        output.write_bytes(model.with_suffix(".bin").read_bytes())


def sentence_vectors(model, sentences):
    text = "".join(" ".join(words) + "\n" for words in sentences)
    printed = subprocess.run(["fasttext", "print-sentence-vectors", model], input=text, check=True,
                             capture_output=True, text=True, encoding="utf-8").stdout
    return [[float(value) for value in line.split()[-24:]] for line in printed.splitlines()]


def cosine(a, b):
    return sum(x * y for x, y in zip(a, b)) / (math.hypot(*a) * math.hypot(*b))


def check(sentences, path):
    """What is wrong with the file, or None."""
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder, "made.bin")
        train(sentences, made)
        some = sentences[:COMPARED]
        worst = min(map(cosine, sentence_vectors(made, some), sentence_vectors(path, some)))
    return f"a sentence vector has a cosine of {worst:.3f} with that of a new model" if worst < LIKE else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = pathlib.Path(__file__).resolve().parent / "samples/vectors/sample.fasttext.bin"
    parser.add_argument("--output", type=pathlib.Path, default=default)
    parser.add_argument("--check", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    sentences = list(corpus.sentences())
    if options.check:
        problem = check(sentences, options.check)
        if problem:
            print(f"{options.check}: {problem}", file=sys.stderr)
        return 1 if problem else 0
    train(sentences, options.output)
    print(f"{options.output.stat().st_size} bytes in {options.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
