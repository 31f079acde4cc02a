#!/usr/bin/env python3
"""mteb.py PROGRAM DATA VECTORS BATCHES [NOISE] -- how often two equal encoders are told apart, on tasks after MTEB.

DATA is a folder of sets of MTEB, VECTORS a file of word vectors. Each draw takes some items of a real set and their mean
word vectors, and adds to these the noise of two encoders, as good as each other. Documents that are searched have none,
as a verdict is about other queries over the same documents. A batch has DRAWS draws of every task.
Prints the share that is called different, in per cent, and its standard error. Needs NumPy; run by hand.
"""

import collections
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy

PROGRAM, DATA, VECTORS = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
NOISE = float(sys.argv[5]) if len(sys.argv) > 5 else .5  # beside the deviation of a component of the vectors
DRAWS = 100


def rows(path):
    with open(DATA / path, encoding="utf-8", newline="") as file:
        return (list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)) if path.endswith(".tsv")
                else [json.loads(line) for line in file])


def identity(row):
    return row.get("_id", row.get("id"))


SEARCHED = {name: {kind: rows(f"{folder}/{file}") for kind, file in (
    ("corpus", "corpus.jsonl"), ("queries", "queries.jsonl"), ("judged", "qrels/test.tsv"))}
    for name, folder in (("Cranfield", "cranfield"), ("WikiQA", "wikiqa"))}
CANDIDATES = {row["query-id"]: row["corpus-ids"] for row in rows("wikiqa/top_ranked/test.jsonl")}
PAIRS = rows("parade/test.jsonl")
CLUSTERED = rows("stackoverflow/test.jsonl")
LEARNED, TESTED = rows("snips/train.jsonl"), rows("snips/test.jsonl")


class Vectors:
    """Mean word vectors."""

    def __init__(self, texts):
        words = {word for text in texts for word in text.split()}
        self.table = {}
        with open(VECTORS, encoding="utf-8") as lines:
            for line in lines:
                word, values = line.split(" ", 1)
                if word in words:
                    self.table[word] = numpy.array(values.split(), dtype="f4")
        self.zero = 0 * next(iter(self.table.values()))

    def __call__(self, text):
        found = [self.table[word] for word in text.split() if word in self.table]
        return numpy.mean(found, axis=0) if found else self.zero


class Batch:
    """Tasks whose texts are numbers, and the vectors that two encoders give these."""

    def __init__(self, folder, vectors, random):
        self.folder, self.vectors, self.random = folder, vectors, random
        self.plain, self.noisy, self.tasks = [], [], []

    def text(self, text, noise=True):
        self.plain.append(self.vectors(text))
        self.noisy.append(noise)
        return f"t{len(self.plain)}"

    def write(self, name, lines):
        (self.folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
        return name

    def some(self, values, count):
        return [values[i] for i in self.random.permutation(len(values))[:count]]

    def task(self, name, **keys):
        self.tasks.append(f'[[task]]\nname = "{name}"\n' + "".join(f"{k} = {json.dumps(v)}\n" for k, v in keys.items()))

    def search(self, draw, name, corpus, count):
        parts = SEARCHED[name]
        queries = self.some(parts["queries"], count)
        taken = {identity(query) for query in queries}
        keys = {"corpus": corpus,
                "queries": self.write(f"{name}{draw}.queries.jsonl", [
                    {"_id": identity(query), "text": self.text(query["text"])} for query in queries]),
                "judgements": self.write(f"{name}{draw}.judged.jsonl", [
                    row for row in parts["judged"] if row["query-id"] in taken])}
        if name == "WikiQA":
            keys["candidates"] = self.write(f"{name}{draw}.candidates.jsonl", [
                {"query-id": query, "corpus-ids": CANDIDATES[query]} for query in taken])
        self.task(f"{name}-{draw}", protocol="reranking" if name == "WikiQA" else "search", **keys)

    def rows(self, name, draw, taken, fields, **keys):
        file = self.write(f"{name}{draw}.jsonl", [
            {**row, **{field: self.text(row[field]) for field in fields}} for row in taken])
        self.task(f"{name}-{draw}", test=file, **keys)

    def run(self):
        """The p-values of each kind of task."""
        for name, parts in SEARCHED.items():
            file = self.write(f"{name}.jsonl", [{"_id": identity(row), "text": self.text(
                (row.get("title") or "") + " " + row["text"], False)} for row in parts["corpus"]])
            for draw in range(DRAWS):
                self.search(draw, name, file, {"Cranfield": 100, "WikiQA": 200}[name])
        for draw in range(DRAWS):
            self.rows("PARADE", draw, self.some(PAIRS, 300), ("sentence1", "sentence2"), protocol="pair-threshold")
            taken = self.some(CLUSTERED, 300)
            self.rows("StackOverflow", draw, taken, ("sentences",), protocol="clustering")
            self.rows("Drawn", draw, taken, ("sentences",), protocol="clustering", sampling="mteb", max_fraction=0,
                      cluster_size=2000)
            file = self.write(f"train{draw}.jsonl", [{**row, "text": self.text(row["text"])} for row in LEARNED])
            self.rows("SNIPS", draw, self.some(TESTED, 300), ("text",), protocol="few-shot", train=file)
        plain = numpy.array(self.plain, dtype="f4")
        noise = NOISE * plain.std() * numpy.array(self.noisy, dtype="f4")[:, None]
        (self.folder / "texts").write_text("".join(f"t{i + 1}\n" for i in range(len(plain))))
        text = '[run]\ntasks = ["custom"]\nseeds = 5\n'
        for label in "AB":
            numpy.save(self.folder / label, plain + noise * self.random.standard_normal(plain.shape, dtype="f4"))
            text += (f'[[encoder]]\nname = "precomputed"\nlabel = "{label}"\n[encoder.parameters]\n'
                     f'vectors = "{label}.npy"\nsentences = "texts"\n')
        (self.folder / "run.toml").write_text(text + "".join(self.tasks))
        store = self.folder / "results"
        subprocess.run([PROGRAM, "run", "-q", self.folder / "run.toml", "--output", store], check=True,
                       stdout=subprocess.DEVNULL)
        for metric in (None, "map_at_1000"):
            words = ["--metric", metric, "--tasks", "Cranfield*"] if metric else []
            done = subprocess.run([PROGRAM, "compare", store, "--format", "json", *words], check=True,
                                  capture_output=True)
            for cell in json.loads(done.stdout)["cells"]:
                if cell["against"]:
                    yield cell["task"].split("-")[0] + " " + cell["metric"], cell["p"]


def main():
    vectors = Vectors([row[field] for row in [*PAIRS, *CLUSTERED, *LEARNED, *TESTED] + [
        row for parts in SEARCHED.values() for row in parts["corpus"] + parts["queries"]]
        for field in ("sentence1", "sentence2", "sentences", "text", "title") if isinstance(row.get(field), str)])
    found = collections.defaultdict(list)
    for batch in range(int(sys.argv[4])):
        with tempfile.TemporaryDirectory() as folder:
            for kind, p in Batch(pathlib.Path(folder), vectors, numpy.random.default_rng(batch)).run():
                found[kind].append(p)
        for kind, values in found.items():
            known = [p for p in values if p is not None]
            share = sum(p < .05 for p in known) / max(len(known), 1)
            error = (share * (1 - share) / max(len(known), 1)) ** .5
            print(f"{kind:30} {100 * share:5.1f} +- {100 * error:.1f} of {len(known)}, "
                  f"{len(values) - len(known)} without p", flush=True)


if __name__ == "__main__":
    main()
