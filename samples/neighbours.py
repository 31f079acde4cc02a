#!/usr/bin/env python3
"""The words nearest to some in a model of `senteval train paragram`, after and before training.

    neighbours.py my.paragram unlike ladies [--count 7] [--common 10000]
    neighbours.py my.paragram --norms         words with the longest and the shortest vectors

framework/paragram_model/model_file.hpp describes the file.
"""
import argparse
import array
import math


def integers(data):
    return array.array("I", data)


def read(path):
    """Words, two functions from a word's number to its vector (after and before training), and how often the
    training pairs had each word."""
    with open(path, "rb") as file:
        data = file.read()
    blocks, end = {}, len(data)
    while data[end - 8:end] == b"SEVBLOCK":
        size = int.from_bytes(data[end - 24:end - 16], "little")
        blocks[data[end - 40:end - 24].rstrip(b"\0").decode()] = data[end - 40 - size:end - 40]
        end -= 40 + size
    if "model" not in blocks:
        raise SystemExit(f"{path}: is no model of 'senteval train', or is cut short")
    head, at = data[:data.index(b"\n")].split(), data.index(b"\n") + 1
    count, bytes_of_vector = int(head[0]), 4 * int(head[1])
    words, places = [], []
    for _ in range(count):
        space = data.index(b" ", at)
        words.append(data[at:space].decode())
        places.append(space + 1)
        at = space + 2 + bytes_of_vector
    initial = blocks["initial"]
    changed = int.from_bytes(initial[:4], "little")
    moved = {row: i for i, row in enumerate(integers(initial[4:4 + 4 * changed]))}

    def after(word):
        return array.array("f", data[places[word]:places[word] + bytes_of_vector])

    def before(word):
        if word not in moved:
            return after(word)
        begin = 4 + 4 * changed + moved[word] * bytes_of_vector
        return array.array("f", initial[begin:begin + bytes_of_vector])

    return words, after, before, integers(blocks["counts"])


def product(one, other):
    return sum(a * b for a, b in zip(one, other))


def listed(words, values, count):
    return ", ".join(f"{words[i]} {value:.2f}" for value, i in values[:count])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("words", nargs="*")
    parser.add_argument("--count", type=int, default=7)
    parser.add_argument("--common", type=int, default=10000, help="among so many frequent words")
    parser.add_argument("--norms", action="store_true")
    options = parser.parse_args()
    words, after, before, counts = read(options.model)
    known = (i for i, count in enumerate(counts) if count > 0 and words[i] != "UUUNKKK")
    common = sorted(known, key=lambda i: -counts[i])[:options.common]
    places = {word: i for i, word in enumerate(words)}
    for name, vector in (("after", after), ("before", before)):
        vectors = {i: vector(i) for i in common}
        norms = {i: math.sqrt(product(v, v)) for i, v in vectors.items()}
        if options.norms:
            order = sorted(((norm, i) for i, norm in norms.items()), reverse=True)
            print(f"{name:8}longest   {listed(words, order, options.count)}")
            print(f"        shortest  {listed(words, order[::-1], options.count)}")
        for word in options.words:
            if word not in places:
                raise SystemExit(f"the model has no word '{word}'; its words are in lower case")
            query = vector(places[word])
            length = math.sqrt(product(query, query))
            near = sorted(((product(query, vectors[i]) / (length * norms[i]), i) for i in common
                           if i != places[word] and length * norms[i] > 0), reverse=True)
            print(f"{word} {name:8}{listed(words, near, options.count)}")


main()
