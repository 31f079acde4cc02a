#!/usr/bin/env python3
"""variants_test.py BUILD -- scores of smaller vectors are those of vectors that NumPy made smaller.

Vectors of pairs of one's own and of CR, drawn at random, are made smaller by the program (--variants) and by NumPy; the
vectors of NumPy are then scored as they are.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    print("skipped: NumPy is not there (python3-numpy)")
    sys.exit(0)

SOURCE = pathlib.Path(__file__).resolve().parents[2]
DATA = SOURCE / "data" / "samples"


def run(program, *words):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def results(program, folder, vectors, *words):
    """Of the run file's task and CR, or of one of them."""
    out = run(program, "run", folder / "own.toml", "-q", "--encoder", "precomputed", "--set",
              f"vectors={folder / vectors}.npy", "--set", f"sentences={folder / 'sentences.txt'}", "--data", DATA,
              "--output", folder / f"store-{vectors}", "--json", "-", *words)
    return [result["document"] for result in json.loads(out)["results"]]


def int8(vectors):
    """As sentence_transformers.quantization.quantize_embeddings() has it, clipped, and read again."""
    starts, ends = vectors.min(axis=0), vectors.max(axis=0)
    steps = (ends - starts) / numpy.float32(255)
    stored = numpy.clip(numpy.trunc((vectors - starts) / steps - numpy.float32(128)), -128, 127)
    return starts + (stored + numpy.float32(128)) * steps


def layer(vectors):
    wide = vectors.astype(numpy.float64)
    return ((wide - wide.mean(axis=1, keepdims=True))
            / numpy.sqrt(wide.var(axis=1, keepdims=True) + 1e-5)).astype(numpy.float32)


FORMS = {"8": lambda v: v[:, :8],
         "float16": lambda v: v.astype(numpy.float16).astype(numpy.float32),
         "8:binary": lambda v: numpy.where(v[:, :8] > 0, 1, -1).astype(numpy.float32),
         "layer:8": lambda v: layer(v)[:, :8],
         "int8": int8,
         "8:int8": lambda v: int8(v[:, :8])}


def geometry(program, folder, vectors):
    """How vectors lie in their space is what NumPy makes of the same vectors."""
    out = run(program, "run", folder / "own.toml", "-q", "--encoder", "precomputed", "--set", f"vectors={folder / 'full'}.npy",
              "--set", f"sentences={folder / 'sentences.txt'}", "--tasks", "Pairs", "--output", folder / "geometry", "--cost", "--json", "-")
    found = json.loads(out)["results"][0]["document"]["details"]["geometry"]
    scores = numpy.array([float(line.split("\t")[2]) for line in (folder / "pairs.tsv").read_text().splitlines()])
    unit = vectors.astype(float) / numpy.linalg.norm(vectors.astype(float), axis=1, keepdims=True)
    alike = scores >= scores.max() - .2 * (scores.max() - scores.min())
    apart = ((unit[:, None] - unit[None]) ** 2).sum(axis=2)
    one_of_two = apart[numpy.triu_indices(len(unit), 1)]
    values = numpy.linalg.svd(unit, compute_uv=False)
    shares = values / values.sum()
    nearest = numpy.argsort(apart + 9 * numpy.eye(len(unit)), axis=1)[:, :10]
    times = numpy.bincount(nearest.ravel(), minlength=len(unit)) - 10.0
    expected = {"alignment": (((unit[::2] - unit[1::2]) ** 2).sum(axis=1))[alike].mean(), "texts": len(unit), "pairs": alike.sum(),
                "uniformity": numpy.log(numpy.exp(-2 * one_of_two).mean()),
                "effective_rank": numpy.exp(-(shares * numpy.log(shares)).sum()),
                "hubness": (times ** 3).mean() / (times ** 2).mean() ** 1.5}
    assert found.keys() == expected.keys() and all(abs(found[name] - value) < 1e-5 for name, value in expected.items()), (found, expected)
    words = ["run", folder / "own.toml", "-q", "--encoder", "precomputed", "--set", f"vectors={folder / 'full'}.npy", "--set",
             f"sentences={folder / 'sentences.txt'}", "--data", DATA, "--tasks", "Pairs,CR", "--output", folder / "geometry"]
    run(program, *words, "--vectors", folder / "maps")  # also of what is there already
    for path in sorted((folder / "maps").glob("*/*.npy")):
        written = numpy.load(path)
        texts = [json.loads(line) for line in path.with_suffix(".jsonl").read_text().splitlines()]
        assert written.dtype == numpy.float32 and len(written) == len(texts), path
        if path.name.startswith("Pairs"):
            assert (written == numpy.concatenate([vectors[::2], vectors[1::2]])).all() and texts[1] == {"text": "first 1"}, texts[:2]
        else:
            assert {text.get("label") for text in texts} == {"negative", "positive"}, texts[:2]
    assert len(list((folder / "maps").rglob("*"))) == 5
    shown = json.loads(run(program, "compare", folder / "geometry", "--cost", "--format", "json"))["cost"]["geometry"]
    assert len(shown) == 1 and shown[0]["hubness"] == found["hubness"], shown
    assert "effective rank" in run(program, "compare", folder / "geometry", "--cost")


def costs(program, folder):
    """Measured once, beside the results; compared, merged, drawn."""
    store = folder / "costs"
    words = ["run", "--encoder", "glove", "--set", f"vectors={DATA / 'vectors' / 'sample.50d.txt'}", "--data", DATA,
             "--tasks", "STS14,STS13", "--variants", "40,40:int8,2:binary", "--output", store, "-q"]
    run(program, *words)
    before = {path: path.read_bytes() for path in store.rglob("*") if path.is_file()}
    run(program, *words, "--cost")
    made = [path for path in store.rglob("*") if path.is_file() and path not in before]
    assert len(made) == 1 and all(path.read_bytes() == text for path, text in before.items()), made
    cost = json.loads(made[0].read_text())
    assert cost["sentences_per_second"] > 0 and cost["dimension"] == 50 and cost["peak_bytes"] > 1 << 20, cost
    run(program, *words, "--cost")
    assert json.loads(made[0].read_text()) == cost  # not measured again
    made[0].write_text("{")
    run(program, *words)
    assert "sentences_per_second" not in run(program, "compare", store, "--cost", "--format", "json")
    (folder / "cost.toml").write_text("[run]\ncost = true\n")
    run(program, *words, folder / "cost.toml")
    cost = json.loads(made[0].read_text())  # measured again
    everything = json.loads(run(program, "compare", store, "--cost", "--margin", "2", "--format", "json"))
    compared = everything["cost"]
    losses = {one["encoder"]: one for one in everything["losses"]}
    assert list(losses) == ["glove 40", "glove 40:int8", "glove 2:binary"], losses
    assert losses["glove 40"]["low"] < losses["glove 40"]["mean_loss"] < losses["glove 40"]["high"], losses
    assert losses["glove 2:binary"]["mean_loss"] is None, losses
    rows = {row["encoder"]: row for row in compared["rows"]}
    assert [rows[name]["bytes"] for name in ("glove", "glove 40", "glove 40:int8", "glove 2:binary")] == [200, 160, 40, 1]
    assert rows["glove 40"]["variant_of"] == "glove" and rows["glove"]["peak_bytes"] == cost["peak_bytes"], rows
    assert rows["glove 2:binary"]["quality"] is None and rows["glove 2:binary"]["undefined_on"], rows
    assert rows["glove"]["quality"] > 0 and compared["tasks"] == ["STS13", "STS14"], rows  # of the others it is known
    assert "sentences/s" in run(program, "compare", store, "--cost")
    assert "worst task" in run(program, "compare", store)
    run(program, "merge", store, "-o", folder / "merged")
    assert len(list((folder / "merged").rglob("*.cost"))) == 1
    run(program, "report", store, "-o", folder / "r.html")
    page = (folder / "r.html").read_text()
    assert page.count('<section id="cost"') == 1 and page.count('href="#losses"') == 1
    assert page.split('<section id="losses"')[1].split("</section>")[0].count("<tr><th") == 1 + 3 and "<pre>" not in page
    assert all(f'class="m t q">{tick}</text>' in page for tick in (20, 50, 100, 200)), "ticks"


OWN = """
[[task]]
name = "Pairs"
protocol = "similarity"
test = "pairs.tsv"
"""


def main():
    program = os.environ.get("SENTEVAL_PROGRAM") or pathlib.Path(sys.argv[1]) / "senteval"
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        draw = numpy.random.default_rng(1)
        (folder / "own.toml").write_text(OWN)
        (folder / "pairs.tsv").write_text("".join(f"first {at}\tsecond {at}\t{draw.random():.3f}\n" for at in range(90)))
        run(program, "sentences", "--tasks", "CR", "--data", DATA, "-o", folder / "cr.txt")
        lines = [json.dumps({"text": f"{which} {at}"}) for at in range(90) for which in ("first", "second")]
        own = len(lines)
        lines += [json.dumps({"text": line}) for line in (folder / "cr.txt").read_text().splitlines()]
        (folder / "sentences.txt").write_text("".join(line + "\n" for line in lines))
        vectors = draw.normal(size=(len(lines), 20)).astype(numpy.float32)
        numpy.save(folder / "full.npy", vectors)
        everything = ("--tasks", "Pairs,CR", "--variants", ",".join(FORMS))
        found = results(program, folder, "full", *everything)
        assert len(found) == 2 * (1 + len(FORMS)), len(found)
        assert len({document["run"]["sentences_encoded"] for document in found if document["task"]["name"] == "CR"}) == 1
        for label, form in FORMS.items():
            name = label.replace(":", "-")
            is_int8 = "int8" in label  # whose ranges are of the training part in CR, of which NumPy knows nothing here
            ours = {document["task"]["name"]: document for document in found
                    if document["protocol"]["settings"].get("variant", {}).get("label") == label}
            small = numpy.concatenate([form(vectors[:own]), form(vectors[own:])])
            numpy.save(folder / f"{name}.npy", small)
            for document in results(program, folder, name, "--tasks", "Pairs" if is_int8 else "Pairs,CR"):
                task = document["task"]["name"]
                assert document["metrics"] == ours[task]["metrics"], (label, document["metrics"], ours[task]["metrics"])
            assert ours["Pairs"]["details"].get("transductive", False) == is_int8
            assert ours["Pairs"]["dimension"] == small.shape[1]
        assert results(program, folder, "full", *everything) == found  # kept
        assert len(results(program, folder, "full", "--tasks", "Pairs", "--variants", "20,21:int8,20:int8")) == 2
        geometry(program, folder, vectors[:own])
        costs(program, folder)
    print(f"{len(FORMS)} variants: the scores of NumPy's vectors")


main()
