#!/usr/bin/env python3
"""Trains the sample word vectors: positive pointwise mutual information, then a truncated SVD. Needs NumPy.

    data/train_vectors.py [--output FILE]     write the vectors (data/samples/vectors/sample.50d.txt)
    data/train_vectors.py --check FILE        compare the likeness of words with that of FILE, write nothing

Levy, Goldberg and Dagan (2015), "Improving Distributional Similarity with Lessons Learned from Word
Embeddings": window 8 weighted by 1/distance, context counts smoothed by the power 0.75, word vectors
U * S^0 (their eigenvalue weighting with p = 0). Lengths are drawn together by their square root, so that
function words keep the weight that SIF then takes from them, as it does with published vectors.
UUUNKKK, the unknown word of the paragram vectors, is the mean of the rarest words.
"""

import argparse
import pathlib
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from sample_grammar import corpus  # noqa: E402

DIMENSION = 50
WINDOW = 8
SMOOTHING = 0.75
MIN_COUNT = 5
LENGTH = 3.0  # of the median word


def cooccurrences(sentences, index):
    table = numpy.zeros((len(index), len(index)))
    for words in sentences:
        ids = [index[word] for word in words if word in index]
        for distance in range(1, WINDOW + 1):
            for one, other in zip(ids, ids[distance:]):
                table[one, other] += 1.0 / distance
    return table + table.T


def positive_pmi(table):
    context = table.sum(axis=0) ** SMOOTHING
    expected = numpy.outer(table.sum(axis=1), context / context.sum())
    with numpy.errstate(divide="ignore"):
        return numpy.maximum(numpy.log(table / expected), 0.0)


def vectors(table):
    left = numpy.linalg.svd(positive_pmi(table))[0][:, :DIMENSION]
    # The sign of a singular vector is arbitrary: its largest element is made positive.
    largest = numpy.argmax(numpy.abs(left), axis=0)
    left = left * numpy.sign(left[largest, numpy.arange(DIMENSION)])
    lengths = numpy.linalg.norm(left, axis=1, keepdims=True)
    return left / lengths * numpy.sqrt(lengths / numpy.median(lengths)) * LENGTH


def train():
    """(word, vector) of every word, most frequent first, and of the unknown word."""
    words = [word for word, count in corpus.counts() if count >= MIN_COUNT]
    index = {word: i for i, word in enumerate(words)}
    embedded = vectors(cooccurrences(corpus.sentences(), index))
    return list(zip(words, embedded)) + [("UUUNKKK", embedded[-100:].mean(axis=0))]


def check(rows, path):
    """What is wrong with the file, or None. Cosines are compared: other BLAS libraries may turn the axes."""
    lines = [line.split(" ") for line in path.read_text(encoding="utf-8").splitlines()]
    if [line[0] for line in lines] != [word for word, _ in rows]:
        return "other words, or in another order"
    there = numpy.array([line[1:] for line in lines], dtype=float)
    made = numpy.array([vector for _, vector in rows])
    units = [matrix / numpy.linalg.norm(matrix, axis=1, keepdims=True) for matrix in (made, there)]
    cosines = [matrix @ matrix.T for matrix in units]
    worst = numpy.max(numpy.abs(cosines[0] - cosines[1]))
    return f"cosines differ by up to {worst:.3f}" if worst > 0.05 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = pathlib.Path(__file__).resolve().parent / "samples/vectors/sample.50d.txt"
    parser.add_argument("--output", type=pathlib.Path, default=default)
    parser.add_argument("--check", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    rows = train()
    if options.check:
        problem = check(rows, options.check)
        if problem:
            print(f"{options.check}: {problem}", file=sys.stderr)
        return 1 if problem else 0
    options.output.parent.mkdir(parents=True, exist_ok=True)
    with options.output.open("w", encoding="utf-8", newline="\n") as out:
        for word, vector in rows:
            out.write(word + " " + " ".join(f"{value:.2f}" for value in numpy.round(vector, 2) + 0.0) + "\n")
    print(f"{len(rows)} vectors, {options.output.stat().st_size} bytes in {options.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
