#!/usr/bin/env python3
"""The words nearest to some in a model of `senteval train paragram`, after and before training.

    neighbours.py my.paragram unlike ladies [--count 7] [--common 10000]
    neighbours.py my.paragram --norms         words with the longest and the shortest vectors

Needs NumPy. framework/paragram_model/model_file.hpp describes the file.
"""
import argparse

import numpy as np


def read(path):
    """Words, vectors after and before training, and how often the training pairs had each word."""
    data = open(path, "rb").read()
    blocks, end = {}, len(data)
    while data[end - 8:end] == b"SEVBLOCK":
        size = int.from_bytes(data[end - 24:end - 16], "little")
        blocks[data[end - 40:end - 24].rstrip(b"\0").decode()] = data[end - 40 - size:end - 40]
        end -= 40 + size
    if "model" not in blocks:
        raise SystemExit(f"{path}: is no model of 'senteval train', or is cut short")
    head, at = data[:data.index(b"\n")].split(), data.index(b"\n") + 1
    count, width = int(head[0]), int(head[1])
    words, after = [], np.empty((count, width), "<f4")
    for i in range(count):
        space = data.index(b" ", at)
        words.append(data[at:space].decode())
        after[i] = np.frombuffer(data, "<f4", width, space + 1)
        at = space + 2 + 4 * width
    before, initial = after.copy(), blocks["initial"]
    changed = int.from_bytes(initial[:4], "little")
    rows = np.frombuffer(initial, "<u4", changed, 4)
    before[rows] = np.frombuffer(initial, "<f4", changed * width, 4 + 4 * changed).reshape(-1, width)
    return words, after, before, np.frombuffer(blocks["counts"], "<u4")


def listed(words, places, values):
    return ", ".join(f"{words[i]} {values[i]:.2f}" for i in places)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("words", nargs="*")
    parser.add_argument("--count", type=int, default=7)
    parser.add_argument("--common", type=int, default=10000, help="among so many frequent words")
    parser.add_argument("--norms", action="store_true")
    options = parser.parse_args()
    words, after, before, counts = read(options.model)
    common = np.argsort(-counts.astype(np.int64), kind="stable")[:options.common]
    common = np.array([i for i in common if counts[i] > 0 and words[i] != "UUUNKKK"])
    places = {word: i for i, word in enumerate(words)}
    for name, vectors in (("after", after), ("before", before)):
        norms = np.linalg.norm(vectors, axis=1)
        if options.norms:
            order = common[np.argsort(-norms[common], kind="stable")]
            print(f"{name:8}longest   {listed(words, order[:options.count], norms)}")
            print(f"        shortest  {listed(words, order[::-1][:options.count], norms)}")
        for word in options.words:
            if word not in places:
                raise SystemExit(f"the model has no word '{word}'; its words are in lower case")
            query = places[word]
            cosines = vectors @ vectors[query] / np.maximum(norms * norms[query], 1e-30)
            near = [i for i in common[np.argsort(-cosines[common], kind="stable")] if i != query]
            print(f"{word} {name:8}{listed(words, near[:options.count], cosines)}")


main()
