#!/usr/bin/env python3
"""stack.py RESULTS [DRAWS] -- the level of `compare --stack`: how often some step of a task is marked that has no effect, where
the scores of its two systems are swapped query by query, at random; and how often a true gain of two points is found.

RESULTS is a store with fusions and rerankers. SENTEVAL_PROGRAM names the program. Needs NumPy and SciPy."""
import json
import os
import pathlib
import struct
import subprocess
import sys

import numpy
from scipy import stats

PROGRAM = os.environ.get("SENTEVAL_PROGRAM", "build/release/senteval")


def values_of(path):
    """nDCG@10 in points, by query, of the file beside a result; framework/results/items.hpp has its layout."""
    data = path.read_bytes()
    (size,) = struct.unpack_from("<I", data, 8)
    head = json.loads(data[12:12 + size])
    before = head["count"] * (8 * 4 + 3 * 8 + 8 * head["further"].index("ndcg_at_10"))
    return 100 * numpy.frombuffer(data, "<f8", head["count"], 12 + size + before)


def steps_of(store):
    """(task, comparisons, [(values of a row, values of what it is compared with)])"""
    rows = {}
    for path in pathlib.Path(store).rglob("*.json"):
        document = json.loads(path.read_text(encoding="utf-8"))
        rows.setdefault(document["task"]["name"], {})[document["encoder"]["label"]] = values_of(path.with_suffix(".items"))
    table = subprocess.run([PROGRAM, "compare", store, "--stack", "--format", "json"], check=True, stdout=subprocess.PIPE).stdout
    for task in json.loads(table):
        own = rows[task["task"]]
        best = max(own, key=lambda name: own[name].mean())
        pairs = [(own[one["row"]], own[one["over"]]) for one in task["rows"] if one["over"]]
        pairs += [(own[name], own[best]) for name in own if name != best]
        yield task["task"], task["comparisons"], pairs


def main():
    draws = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    random = numpy.random.Generator(numpy.random.PCG64(1))
    for task, comparisons, pairs in steps_of(sys.argv[1]):
        differences = numpy.array([a - b for a, b in pairs])
        n = differences.shape[1]
        limit = stats.t.ppf(1 - .05 / 2 / comparisons, n - 1)

        def marked(values):
            error = values.std(axis=1, ddof=1) / numpy.sqrt(n)
            return numpy.abs(values.mean(axis=1)) > limit * numpy.maximum(error, 1e-12)
        wrong = found = 0
        for _ in range(draws):
            swapped = differences * random.choice([-1, 1], n)
            wrong += marked(swapped).any()
            found += marked(swapped + 2).mean()
        print(f"{task}: {n} queries, {comparisons} comparisons: some step marked wrongly in {100 * wrong / draws:.1f} %, a gain of "
              f"two points found in {100 * found / draws:.0f} %")


main()
