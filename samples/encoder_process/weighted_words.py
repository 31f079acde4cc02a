"""An encoder in a Python process of its own: random word vectors, weighted by how rare a word is in the task.

    senteval run --encoder process --set command="python3 samples/encoder_process/weighted_words.py" \
        --tasks STS12 --data DIR
"""
import pathlib
import random
import sys
from collections import Counter
from functools import lru_cache

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "sdk/clients/python"))
from senteval_client import serve  # noqa: E402  (or copy it beside this file)

DIMENSION = 128
counts = Counter()


@lru_cache(maxsize=None)
def vector(word):
    stream = random.Random(word)
    return [stream.gauss(0, 1) for _ in range(DIMENSION)]


def prepare(task, sentences):
    counts.clear()
    counts.update(word for sentence in sentences for word in sentence.split())


def encode(sentences):
    rows = []
    for sentence in sentences:
        row = [0.0] * DIMENSION
        for word in sentence.split():
            weight = 1 / (1 + counts[word])
            row = [value + weight * more for value, more in zip(row, vector(word))]
        rows.append(row)
    return rows


serve(encode, name="weighted words", version="1.0", dimension=DIMENSION, prepare=prepare)
