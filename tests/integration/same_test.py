#!/usr/bin/env python3
"""same_test.py BUILD -- `senteval same` names what a server does otherwise than the model's folder says."""
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "same"))
from tiny import Server, Tiny, other_form, write_vectors

PROGRAM = os.environ.get("SENTEVAL_PROGRAM") or pathlib.Path(sys.argv[1]) / "senteval"
os.environ["SENTEVAL_PYTHON"] = sys.executable  # which has NumPy
LOWER = {"lower": True, "dense": True, "pooling": "cls"}  # of another folder

# What the server does, the cause that is to be named, and what is changed of which folder.
TABLE = [
    ("reads further", "limit", {"limit": 512}, {}),
    ("reads less", "limit", {"limit": 128}, {}),
    ("loses the start", "truncation", {"side": "left"}, {}),
    ("puts a usual prefix", "prefix", {"prefix": "query: "}, {}),
    ("puts the folder's prompt", "prefix", {"prefix": "ask: "}, {}),
    ("pools the first token", "pooling", {"pooling": "cls"}, {}),
    ("pools the last token", "pooling", {"pooling": "lasttoken"}, {}),
    ("pools the mean", "pooling", {"pooling": "mean"}, LOWER),
    ("does not normalise", "normalisation", {"normalize": False}, {}),
    ("lowers case", "case", {"lower": True}, {}),
    ("keeps case", "case", {"lower": False}, LOWER),
    ("strips", "white space", {"of_text": str.strip}, {}),
    ("collapses white space", "white space", {"of_text": lambda text: " ".join(text.split())}, {}),
    ("has blanks for line ends", "white space", {"of_text": lambda text: " ".join((text + ".").splitlines())[:-1]}, {}),
    ("composes accents", "normal form", {"of_text": other_form("NFC")}, {}),
    ("decomposes accents", "normal form", {"of_text": other_form("NFD")}, {}),
    ("forgets the end token", "special tokens", {"special": "start"}, {}),
    ("forgets both special tokens", "special tokens", {"special": "none"}, {}),
    ("pools the first token and reads further", "pooling and limit", {"pooling": "cls", "limit": 512}, {}),
    ("leaves out the dense layer", "dense layers", {"dense": False}, LOWER),
    ("has weights of 8 bits", "precision", {"bits": 8}, {}),
    ("has weights of 7 bits", "precision", {"bits": 7}, {}),
]


def same(*words, code):
    done = subprocess.run([PROGRAM, "same", *map(str, words), "--json", "-"], capture_output=True, text=True, check=False)
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return json.loads(done.stdout)


def http(server):
    return ["http", "--set", f"url={server.url}", "--set", "model=m", "--set", "retries=0"]


def encoder(model, bits=None, **changes):
    weights = model.rounded(bits) if bits else None
    return lambda text: model.encode(text, weights, **changes)


def check_causes(folder, models):
    for what, cause, changes, settings in TABLE:
        model = models[bool(settings)]
        with Server(encoder(model, **changes)) as server:
            first, second = folder / str(int(bool(settings))), http(server)
            for words in ([first, *second], [*second, first]):  # whichever stands first
                found = same(*words, code=3)
                named = "precision" if found["rounding"] else found["named"]
                assert named == cause, (what, named, found["fits"])
                assert found["same"] < found["texts"] == len(found["differing"]) + found["same"]
                assert cause in ("normalisation", "precision") or found["changed"] == first.name, what
    assert len({cause for _, cause, _, _ in TABLE}) >= 10
    lines = [f"the {i}th of a few short texts" for i in range(60)] + [" ".join(f"word {i * j}" for j in range(50)) for i in range(4)]
    (folder / "lines.txt").write_text("\n".join(lines))
    with Server(encoder(models[0], bits=8, limit=512)) as server:  # both at once, as of quantised models
        found = same(folder / "0", *http(server), "--texts", folder / "lines.txt", code=3)
        assert found["rounding"] and found["named"] == "limit", found["fits"]


def check_passes(folder, model):
    for settings, how in (({"mixes": True}, "of_other_texts"), ({"pads": True}, "differing")):
        with Server(encoder(model), **settings) as server:
            found = same(folder / "0", *http(server), code=3)
            assert found["same"] == found["texts"] and not found["fits"] and found["named"] is None
            passes = {one["how"]: one for one in found["encoders"][1]["passes"]}
            assert sum(len(one[how]) for one in passes.values()) > 0, (how, passes)
            clean = next(one for name, one in passes.items() if ("requests" in name) == (how == "differing"))
            assert not clean["of_other_texts"] and not clean["differing"], (how, clean)
    with Server(encoder(model), refuses=1000) as server:
        found = same(folder / "0", *http(server), code=3)
        assert found["same"] == found["texts"]
        assert {len(text) > 1000 for text in found["encoders"][1]["failed"] if text} == {True}


def check_vectors(folder, model, texts):
    """Files of vectors: the same, shorter ones, rows in another order, noise, another model."""
    vectors = numpy.array([model.encode(text) for text in texts])
    wide = numpy.array([model.encode(text, normalize=False) for text in texts])
    shifted = vectors.copy()
    shifted[:20] = vectors[1:21]
    rotation = numpy.linalg.qr(numpy.random.default_rng(5).normal(size=(32, 32)))[0]
    without = vectors.copy()
    without[5] = 0
    cases = (("same", vectors, 0, None), ("rounded lengths", 1.003 * vectors, 3, None), ("zeros", without, 3, None),
             ("half precision", vectors.astype(numpy.float16), 0, None),
             ("shortened", vectors[:, :16], 3, "dimensions"), ("rotated", vectors @ rotation, 3, None),
             ("other rows", shifted, 3, None), ("lengths", 2 * wide, 3, "normalisation"),
             ("another model", [Tiny(9).encode(text) for text in texts], 3, None))
    for name, rows, code, named in cases:
        words = write_vectors(folder, texts, rows)
        found = same(folder / "0", *words, "--texts", folder / "texts.jsonl", code=code)
        assert found["named"] == named and found["texts"] == len(texts), (name, found["named"])
        assert not found["rounding"] or name == "rounded lengths", name
        assert len(found["swapped"]) == (19 if name == "other rows" else 0), (name, found["swapped"])


def check_script(folder, texts):
    """A script that does not repeat itself: a little noise is allowed for, much of it leaves nothing to be told."""
    (folder / "noisy.py").write_text("""import numpy, zlib, os
noise = float(os.environ["NOISE"])
def encode(texts):
    return [numpy.random.default_rng(zlib.crc32(t.encode())).normal(size=32) + noise * numpy.random.default_rng().normal(size=32)
            for t in texts]
""")
    lines = folder / "texts.txt"
    lines.write_text("\n".join(text for text in texts if text and text.isprintable()))
    for noise, code, answer in ((.03, 0, "yes"), (.3, 4, "could not tell"), (10, 4, "could not tell")):
        os.environ["NOISE"] = str(noise)
        words = ["python", "--set", f"script={folder / 'noisy.py'}"]
        found = same(*words, *words, "--texts", lines, "--count", 60, code=code) if code else None
        if not code:  # one text of many may lie beyond three times the noise of nine of ten
            found = json.loads(subprocess.run([PROGRAM, "same", *words, *words, "--texts", lines, "--json", "-"], capture_output=True,
                                              text=True, check=False).stdout)
            assert found["same"] >= .95 * found["texts"] and found["named"] is None
            assert found["encoders"][0]["limit_of_direction"] > 1e-4
        else:
            assert found["answer"] == answer
    del os.environ["NOISE"]


def check_wrong_use(folder):
    for words in ((folder / "0",), ("--set", "a=b", folder / "0", folder / "0"), (folder / "0", "bm25"), (folder / "0", "nothing"),
                  (folder / "0", folder / "0", "--set", "max_length=5000"), (folder / "0", folder / "0", "--texts", folder / "none.txt")):
        done = subprocess.run([PROGRAM, "same", *map(str, words)], capture_output=True, text=True, check=False)
        assert done.returncode == 2 and done.stderr, (words, done)
    own = ["--set", "max_length=128"]
    assert same(folder / "0", folder / "0", *own, code=3)["named"] == "limit"  # the first has the second's limit
    assert same(folder / "0", *own, folder / "0", *own, code=0)["answer"] == "yes"


def check_tasks(folder, texts):
    faq = folder / "faq"
    (faq / "qrels").mkdir(parents=True)
    with contextlib.ExitStack() as stack:
        corpus, queries, qrels = (stack.enter_context(open(faq / name, "w", encoding="utf-8"))
                                  for name in ("corpus.jsonl", "queries.jsonl", "qrels/test.tsv"))
        print("query-id\tcorpus-id\tscore", file=qrels)
        for i, text in enumerate(one for one in texts if len(one) > 3):
            print(json.dumps({"_id": f"d{i}", "title": f"Title {i}", "text": text}), file=corpus)
            print(json.dumps({"_id": f"q{i}", "text": text[:30] + " please"}), file=queries)
            print(f"q{i}\td{i}\t1", file=qrels)
    found = same(folder / "0", folder / "0", "--set", "pooling=cls", "--texts", faq / "corpus.jsonl", "--tasks", faq, "--margin", 30, code=3)
    assert found["texts"] == sum(len(one) > 3 for one in texts) and found["named"] == "pooling"
    assert found["differing"][0]["text"].startswith("Title ")
    (task,) = found["tasks"]
    (task,) = task["tasks"]
    assert task["low"] <= task["difference"] <= task["high"] and (task["answer"] == "yes") == (task["low"] > -30)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        models = [Tiny(1), Tiny(2, **LOWER)]
        for i, model in enumerate(models):
            model.write(folder / str(i))
        everything = same(folder / "0", folder / "0", "--set", "max_length=5", code=3)
        texts = [one["text"] for one in everything["differing"]]
        assert len(texts) > 80
        check_causes(folder, models)
        check_passes(folder, models[0])
        check_vectors(folder, models[0], texts)
        check_script(folder, texts)
        check_wrong_use(folder)
        check_tasks(folder, texts)
    print("same: passed")


if __name__ == "__main__":
    main()
