#!/usr/bin/env python3
"""same.py BUILD [SAME [OTHER]] -- how often `senteval same` names a cause where there is none: SAME pairs of encoders with the
same vectors (default 1000), and OTHER pairs (300) that differ by what is not among the changes that it tries."""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration/same"))
from tiny import LAYERS, Tiny, write_vectors

PROGRAM = pathlib.Path(sys.argv[1]) / "senteval"


def words_of(change):
    return lambda text: " ".join(change(text.split()))


def shuffled(text):
    words = text.split()
    numpy.random.default_rng(len(text)).shuffle(words)
    return " ".join(words)


def rotation(seed):
    return numpy.linalg.qr(numpy.random.default_rng(seed).normal(size=(32, 32)))[0]


def nudged(model, share, seed):
    """A further checkpoint: all weights are a little different."""
    draw = numpy.random.default_rng(seed)
    return {name: one + share * one.std() * draw.normal(size=one.shape) for name, one in model.tensors.items()}


def without_layer(model):
    return {name: 0 * one if f"layer.{LAYERS - 1}." in name and "LayerNorm" not in name else one for name, one in model.tensors.items()}


TEXTS = {  # what happens to texts before they are encoded
    "words shuffled": shuffled,
    "every fifth word lost": words_of(lambda words: [word for i, word in enumerate(words) if i % 5 != 4]),
    "last word lost": words_of(lambda words: words[:-1]),
    "first word lost": words_of(lambda words: words[1:]),
    "words doubled": words_of(lambda words: [word for word in words for _ in range(2)]),
    "turned round": lambda text: text[::-1],
    "punctuation lost": lambda text: "".join(c for c in text if c.isalnum() or c.isspace()),
    "digits as noughts": lambda text: "".join("0" if c.isdigit() else c for c in text),
    "upper case": str.upper,
    "first letter upper": lambda text: text[:1].upper() + text[1:],
    "a full stop added": lambda text: text + ".",
    "an unknown prefix": lambda text: "embed: " + text,
    "a suffix": lambda text: text + " \n",
    "quoted": lambda text: json.dumps(text),
    "only ASCII": lambda text: text.encode("ascii", "ignore").decode(),
    "the first line": lambda text: text.split("\n")[0],
    "40 characters at most": lambda text: text[:40],
    "stop words lost": words_of(lambda words: [word for word in words if word not in {"a", "the", "of", "is", "and", "in", "to"}]),
    "zero width lost": lambda text: text.replace("\u200b", "").replace("\ufeff", ""),
    "HTML escaped": lambda text: text.replace("&", "&amp;").replace("<", "&lt;"),
}
CAUSES = {"limit": "limit", "prefix": "prefix", "lower": "case", "pooling": "pooling", "special": "special tokens"}
SETTINGS = {  # two causes, or another value
    "limit and prefix": {"limit": 128, "prefix": "query: "},
    "limit and case": {"limit": 512, "lower": True},
    "pooling and case": {"pooling": "cls", "lower": True},
    "an odd limit": {"limit": 200},
    "limit and end token": {"limit": 128, "special": "start"},
}
VECTORS = {
    "rotated": lambda rows, seed: rows @ rotation(seed),
    "dimensions swapped": lambda rows, seed: rows[:, numpy.random.default_rng(seed).permutation(32)],
    "signs turned": lambda rows, seed: rows * numpy.sign(numpy.random.default_rng(seed).normal(size=32)),
    "centred": lambda rows, seed: rows - rows.mean(0),
    "whitened": lambda rows, seed: (rows - rows.mean(0)) / rows.std(0),
    "noise of a tenth": lambda rows, seed: rows + .1 / 32 ** .5 * numpy.random.default_rng(seed).normal(size=rows.shape),
    "squared": lambda rows, seed: rows * abs(rows),
    "signs alone": lambda rows, seed: numpy.sign(rows),
    "one constant added": lambda rows, seed: rows + .1 * numpy.random.default_rng(seed).normal(size=32),
    "a tenth of rows random": lambda rows, seed: numpy.where(numpy.arange(len(rows))[:, None] % 10 == 3,
                                                             numpy.random.default_rng(seed).normal(size=rows.shape), rows),
}
MODELS = {
    "another model": lambda model, seed: Tiny(seed + 5000).tensors,
    "a layer less": lambda model, seed: without_layer(model),
    "a further checkpoint, 30 %": lambda model, seed: nudged(model, .3, seed),
    "a further checkpoint, 10 %": lambda model, seed: nudged(model, .1, seed),
    "a further checkpoint, 3 %": lambda model, seed: nudged(model, .03, seed),
}


def verdict(folder, *words):
    done = subprocess.run([PROGRAM, "same", *map(str, words), "--json", "-"], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 3, 4), done.stderr
    return json.loads(done.stdout)


def sample(everything, draw):
    """A hundred texts: some of the bundled ones, some that are joined of them."""
    texts = list(dict.fromkeys(everything[i] for i in draw.permutation(len(everything))[:70]))
    while len(texts) < 100:
        texts.append(" ".join(everything[i][:80] for i in draw.integers(len(everything), size=draw.integers(2, 9))))
    return list(dict.fromkeys(text for text in texts if text))


def main():
    same_pairs, other_pairs = (int(sys.argv[i]) if len(sys.argv) > i else usual for i, usual in ((2, 1000), (3, 300)))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        models = []
        for seed in range(20):
            draw = numpy.random.default_rng(100 + seed)
            models.append(Tiny(seed, limit=int(draw.choice([64, 256, 512])), pooling=str(draw.choice(["mean", "cls", "lasttoken", "max"])),
                               normalize=bool(draw.integers(2)), lower=bool(draw.integers(4) == 0), dense=bool(draw.integers(3) == 0)))
            models[-1].write(folder / f"m{seed}")
        everything = [one["text"] for one in verdict(folder, folder / "m0", folder / "m1")["differing"]]

        def pair(number, seed, make):
            draw, model = numpy.random.default_rng(seed), models[number]
            texts = sample(everything, draw)
            vectors = make(model, texts, draw)
            if vectors is None:
                return {"answer": "yes"}
            words = write_vectors(folder, texts, vectors)
            return verdict(folder, folder / f"m{number}", *words, "--texts", folder / "texts.jsonl")

        def encoded(model, texts, draw):
            rows = numpy.array([model.encode(text) for text in texts])
            return rows.astype(numpy.float16) if draw.integers(2) else rows

        wrong = collections.Counter()
        for i in range(same_pairs):
            found = pair(i % 20, i, encoded)
            wrong["named"] += found["named"] is not None or bool(found["fits"])
            wrong["not the same"] += found["answer"] != "yes"
        print(f"{same_pairs} same pairs: {wrong['named']} with a name, {wrong['not the same']} not the same", flush=True)

        kinds = [(kind, name) for kind, table in enumerate((TEXTS, SETTINGS, VECTORS, MODELS)) for name in table]

        def other(kind, name, seed):
            def make(model, texts, draw):
                if kind == 0:
                    return [model.encode(text, of_text=TEXTS[name]) for text in texts]
                if kind == 1:
                    vectors = numpy.array([model.encode(text, **SETTINGS[name]) for text in texts])
                    alone = [[model.encode(text, **{key: value}) for text in texts] for key, value in SETTINGS[name].items()]
                    # Where one of two is what the folder says, the other is a single cause.
                    return vectors if len(alone) == 1 or not any(numpy.allclose(one, vectors, atol=1e-5) for one in alone) else None
                if kind == 2:
                    return VECTORS[name](numpy.array([model.encode(text) for text in texts]), seed)
                weights = MODELS[name](model, seed)
                return [model.encode(text, weights) for text in texts]
            return make

        names = collections.Counter()
        rounding = collections.Counter()
        both = collections.Counter()
        asked = alike = 0
        for seed in range(1_000_000, 1_000_000 + 2 * other_pairs):
            if asked == other_pairs:
                break
            kind, name = kinds[seed % len(kinds)]
            found = pair(seed // len(kinds) % 20, seed, other(kind, name, seed))
            if found["answer"] == "yes":  # nothing changes these texts, or only one of two does
                alike += 1
                continue
            asked += 1
            rounding[name] += found["rounding"]
            causes = {CAUSES[key] for key in SETTINGS.get(name, ())}
            if found["named"] and len(causes) == 2 and causes == set(found["named"].split(" and ")):
                both[name] += 1
            elif found["named"]:
                names[f"{name}: {found['named']}"] += 1
        print(f"{asked} other pairs: {sum(names.values())} with a single name {dict(names)}; {alike} more have the same vectors, or one cause")
        print(f"{sum(both.values())} of two causes, and both are named: {dict(both)}")
        print(f"{sum(rounding.values())} differ by little, and alike: {dict(+rounding)}")


if __name__ == "__main__":
    main()
