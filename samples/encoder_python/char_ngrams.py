"""Counts of character trigrams, as an object with encode(sentences): the form of sentence-transformers.

    senteval run --encoder python --set script=char_ngrams.py --set style=encode \
        --set batch_invariant=true --tasks CR,STS14 --data DATA
"""
import zlib

import numpy as np


class CharacterNgrams:
    def __init__(self, dimension, size):
        self.dimension = dimension
        self.size = size

    def encode(self, sentences):
        """One vector per sentence, a string."""
        vectors = np.zeros((len(sentences), self.dimension), dtype=np.float32)
        for row, sentence in zip(vectors, sentences):
            text = f" {sentence} "
            for at in range(len(text) - self.size + 1):
                row[zlib.crc32(text[at:at + self.size].encode()) % self.dimension] += 1
        return vectors


model = CharacterNgrams(dimension=256, size=3)
