"""The mean of a sentence's word vectors, as the encoder glove computes it: bag_of_vectors.py VECTORS.txt"""
import sys

import numpy as np
from senteval_client import serve

vectors = {}
with open(sys.argv[1], encoding="utf-8") as file:
    for line in file:
        word, *values = line.rstrip().split(" ")
        vectors[word] = np.array(values, dtype=np.float64)
dimension = len(next(iter(vectors.values())))


def encode(sentences):
    rows = np.zeros((len(sentences), dimension))
    for row, sentence in zip(rows, sentences):
        known = [vectors[word] for word in (sentence or ".").split(" ") if word in vectors]
        if known:
            row[:] = np.mean(known, axis=0)
    return rows


serve(encode, name="bag of vectors", version="1.0", dimension=dimension)
