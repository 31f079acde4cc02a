"""A bag of words, as scripts for SentEval are written: prepare, batcher, and a main part that evaluates.

It runs in three ways, unchanged:

    senteval run --encoder python --set script=bow.py --set args=vectors=VECTORS --tasks CR,STS14 --data DATA
    VECTORS=... DATA=... python3 bow.py          with the module `senteval` of this project
    VECTORS=... DATA=... python3 bow.py          with that of the original
"""
import os
import sys

import numpy as np

PATH_TO_SENTEVAL = "../"
PATH_TO_DATA = os.environ.get("DATA", "../data")
PATH_TO_VECTORS = os.environ.get("VECTORS", "vectors.txt")

sys.path.insert(0, PATH_TO_SENTEVAL)
import senteval


def read_vectors(path, words):
    vectors = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            word, _, numbers = line.rstrip().partition(" ")
            if word in words:
                vectors[word] = np.array(numbers.split(" "), dtype=np.float64)
    return vectors


def prepare(params, samples):
    """Sees every sentence of the task that comes next, each a list of words."""
    words = {".", *(word for sentence in samples for word in sentence)}
    params.word_vectors = read_vectors(params.vectors or PATH_TO_VECTORS, words)
    params.dimension = len(next(iter(params.word_vectors.values()))) if params.word_vectors else 1


def batcher(params, batch):
    """One vector per sentence."""
    rows = []
    for sentence in batch:
        words = sentence or ["."]
        known = [params.word_vectors[word] for word in words if word in params.word_vectors]
        rows.append(np.mean(known, axis=0) if known else np.zeros(params.dimension))
    return np.vstack(rows)


if __name__ == "__main__":
    params = {"task_path": PATH_TO_DATA, "usepytorch": True, "kfold": 5}
    params["classifier"] = {"nhid": 0, "optim": "rmsprop", "batch_size": 128, "tenacity": 3,
                            "epoch_size": 2}
    engine = senteval.engine.SE(params, batcher, prepare)
    for task, result in engine.eval(["MR", "CR", "TREC", "SICKEntailment", "STS14"]).items():
        print(task, result)
