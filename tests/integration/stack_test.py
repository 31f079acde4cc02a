#!/usr/bin/env python3
"""stack_test.py BUILD -- fusions, rerankers and chunks of a search, computed again in plain Python from what its parts found."""
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
VECTORS = SOURCE / "data/samples/vectors/sample.50d.txt"
PROGRAM = os.environ.get("SENTEVAL_PROGRAM") or pathlib.Path(sys.argv[1]) / "senteval"
QUERIES, DOCUMENTS = 40, 120
RERANKER = """
def prepare(params, samples):
    params.query = [set(sentence) for sentence in samples]
    assert len(samples) == 1
def batcher(params, batch):
    return [[len(params.query[0] & set(sentence)) / (1 + len(sentence))] for sentence in batch]
"""


def senteval(*words, code=0):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == code, (words, done.returncode, done.stderr)
    return done.stdout + done.stderr


def make(folder):
    """Documents of words that have vectors; a query has words of the two documents that are relevant, and others."""
    words = [line.split(" ")[0] for line in VECTORS.read_text(encoding="utf-8").splitlines()[1:400]]
    words = [word for word in words if word.isalpha()]
    draw = (x * 1103515245 % 2147483647 for x in range(12345, 10**9, 7919))
    texts = [[words[next(draw) // 65536 % len(words)] for _ in range(6 + i % 9)] for i in range(DOCUMENTS)]
    (folder / "faq/qrels").mkdir(parents=True)
    judged = {}
    with open(folder / "faq/queries.jsonl", "w", encoding="utf-8") as file:
        for i in range(QUERIES):
            first, second = next(draw) % DOCUMENTS, next(draw) % DOCUMENTS
            text = texts[first][:2] + texts[second][:1] + [words[next(draw) // 65536 % len(words)] for _ in range(3)]
            print(json.dumps({"_id": f"q{i}", "text": " ".join(text)}), file=file)
            judged[f"q{i}"] = {f"d{second}": 1, f"d{first}": 2}
    with open(folder / "faq/corpus.jsonl", "w", encoding="utf-8") as file:
        for i, text in enumerate(texts):
            print(json.dumps({"_id": f"d{i}", "text": " ".join(text)}), file=file)
    lines = [f"{query}\t{document}\t{grade}" for query, own in judged.items() for document, grade in own.items()]
    (folder / "faq/qrels/test.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *lines]))
    (folder / "words.py").write_text(RERANKER)
    return judged


def read_trec(folder, label):
    """{query: [(document, score)]} of the file whose lines bear the label."""
    for path in folder.rglob("*.trec"):
        lines = [line.split() for line in path.read_text().splitlines()]
        if lines[0][5] == label:
            found = {}
            for query, _, document, _, score, _ in lines:
                found.setdefault(query, []).append((document, float(score)))
            return found
    raise AssertionError(label)


def ndcg(ranked, grades, k=10):
    gain = sum(grades.get(document, 0) / math.log2(i + 2) for i, document in enumerate(ranked[:k]))
    best = sum(grade / math.log2(i + 2) for i, grade in enumerate(sorted(grades.values(), reverse=True)[:k]))
    return gain / best


def single(value):
    import struct
    return struct.unpack("f", struct.pack("f", value))[0]


def by_score(scores):
    return [document for document, _ in sorted(scores.items(), key=lambda one: (single(one[1]), one[0]), reverse=True)]


def fuse(lists, weights, part):
    scores = {}
    for ranked, weight in zip(lists, weights):
        values = part([score for _, score in ranked])
        for (document, _), value in zip(ranked, values):
            scores[document] = scores.get(document, 0) + weight * value
    return by_score(scores)


def reciprocal(scores):
    return [1 / (60 + rank) for rank in range(1, len(scores) + 1)]


def min_max(scores):
    return [(score - min(scores)) / max(max(scores) - min(scores), 1e-9) for score in scores]


def close(a, b):
    return abs(a - b) < 1e-4


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        judged = make(folder)
        command = ["run", "--mteb", folder / "faq", "--encoder", "glove", "--set", f"vectors={VECTORS}", "--label", "mean",
                   "--encoder", "glove", "--set", f"vectors={VECTORS}", "--set", "pooling=max", "--label", "max",
                   "--fuse", "mean+max:rrf@30", "--fuse", "mean+max:minmax@30,.3,.7", "--fuse", "mean+max:rrf,*",
                   "--rerank", "python", "--set", f"script={folder / 'words.py'}", "--label", "words", "--depth", "5,20",
                   "--rankings", folder / "trec", "--output", folder / "results"]
        out = json.loads(senteval(*command, "-q", "--json", "-"))
        cells = {one["encoder"]: one["document"] for one in out["results"]}
        parts = [read_trec(folder / "trec", "mean"), read_trec(folder / "trec", "max")]
        queries = [json.loads(line) for line in open(folder / "faq/queries.jsonl", encoding="utf-8")]
        texts = {one["_id"]: one["text"].split() for one in map(json.loads, open(folder / "faq/corpus.jsonl", encoding="utf-8"))}

        def mean_of(ranked):
            return 100 * sum(ndcg(ranked[query], judged[query]) for query in judged) / len(judged)

        def value(label):
            return cells[label]["metrics"]["ndcg_at_10"]

        fused = {query: fuse([part[query][:30] for part in parts], [1, 1], reciprocal) for query in judged}
        weighted = {query: fuse([part[query][:30] for part in parts], [.3, .7], min_max) for query in judged}
        assert close(value("mean+max:rrf@30"), mean_of(fused)), (value("mean+max:rrf@30"), mean_of(fused))
        assert close(value("mean+max:minmax@30,.3,.7"), mean_of(weighted))

        # Both halves have a weight of the eleven, and no single weight of all queries is better than the best.
        chosen = cells["mean+max:rrf,*"]["encoder"]["stated"]["weights_of_first"]
        assert len(chosen) == 2 and all(close(10 * one, round(10 * one)) for one in chosen), chosen
        by_weight = [{query: fuse([part[query] for part in parts], [step / 10, 1 - step / 10], reciprocal)
                      for query in judged} for step in range(11)]
        halves = [{query: by_weight[round(10 * one)][query] for query in judged} for one in chosen]
        each = [[ndcg(half[query], judged[query]) for query in judged] for half in halves]
        assert 100 * sum(map(min, *each)) / QUERIES - 1e-4 <= value("mean+max:rrf,*") <= 100 * sum(map(max, *each)) / QUERIES + 1e-4

        for first, ranked in (("mean", {query: [one for one, _ in parts[0][query]] for query in judged}),
                              ("mean+max:rrf@30", fused)):
            for depth in (5, 20):
                again = {}
                for query in queries:
                    own, asked = ranked[query["_id"]], set(query["text"].split())
                    scores = {one: len(asked & set(texts[one])) / (1 + len(texts[one])) for one in own[:depth]}
                    again[query["_id"]] = by_score(scores) + own[depth:]
                label = f"{first} > words@{depth}"
                assert close(value(label), mean_of(again)), (label, value(label), mean_of(again))

        # What is there is kept, and rows with chunks join it.
        changed = [*command, "--chunks", "4:1"]
        again = json.loads(senteval(*changed, "-q", "--json", "-"))
        cut = [one["document"] for one in again["results"] if one["document"]["protocol"]["settings"].get("chunks")]
        assert len(cut) == 2 and all(one["details"]["chunks"] > 2 * DOCUMENTS for one in cut)
        whole = [one for one in again["results"] if one["document"] not in cut]
        assert [one["metrics"] for one in whole] == [one["metrics"] for one in out["results"]]

        table = json.loads(senteval("compare", folder / "results", "--stack", "--format", "json", "--margin", "50"))[0]
        assert table["verdict"] and table["queries"] == QUERIES
        rows = {one["row"]: one for one in table["rows"]}
        labels = [one["row"] for one in table["rows"]]
        assert labels.index("mean > words@20") == labels.index("mean > words@5") - 1
        assert rows["mean > words@20"]["over"] == "mean" and rows["mean > words@5"]["over"] == "mean > words@20"
        assert rows["mean > words@5"]["within_margin"]
        nearest = max(("mean", "max"), key=value)
        assert rows["mean+max:rrf@30"]["over"] == nearest
        assert close(rows["mean+max:rrf@30"]["difference"], value("mean+max:rrf@30") - value(nearest))
        differences = [100 * (ndcg(fused[query], judged[query]) - ndcg([one for one, _ in parts[nearest == "max"][query]],
                                                                       judged[query])) for query in judged]
        mean = sum(differences) / QUERIES
        error = math.sqrt(sum((one - mean) ** 2 for one in differences) / (QUERIES - 1) / QUERIES)
        row = rows["mean+max:rrf@30"]
        critical = (row["high"] - row["low"]) / 2 / error
        assert 2.9 < critical < 4.2 and close(row["high"] + row["low"], 2 * mean), critical  # of some 30 comparisons
        assert row["gain"] == (row["low"] > 0)

        # A single document has no other order, also where the query finds none: those that it does not find stay behind.
        with open(folder / "faq/queries.jsonl", "a", encoding="utf-8") as file:
            print(json.dumps({"_id": "q99", "text": "zzzz"}), file=file)
        with open(folder / "faq/qrels/test.tsv", "a", encoding="utf-8") as file:
            file.write("\nq99\td119\t1")
        out = json.loads(senteval("run", "-q", "--mteb", folder / "faq", "--encoder", "bm25", "--rerank", "python", "--set",
                                  f"script={folder / 'words.py'}", "--label", "words", "--depth", "1,20", "--chunks", "4:1",
                                  "--output", folder / "lexical", "--json", "-"))
        metrics = {one["encoder"]: one["document"]["metrics"] for one in out["results"]
                   if "chunks" not in one["document"]["protocol"]["settings"]}
        assert all(metrics["bm25"][key] == metrics["bm25 > words@1"][key] for key in ("ndcg_at_10", "recall_at_100"))
        table = json.loads(senteval("compare", folder / "lexical", "--stack", "--format", "json"))[0]
        assert [one["row"] for one in table["rows"]] == ["bm25", "bm25 > words@20", "bm25 > words@1", "bm25 @4:1 words"]
        assert 0 < table["not_found_in_100"] < 50

        # An object may judge by the company that a document has: all of a query come in one call.
        (folder / "ranks.py").write_text("class Model:\n    def rank(self, query, documents):\n        assert len(documents) == 40, "
                                         "len(documents)\n        return [{'corpus_id': i, 'score': -i} for i in range(40)]\n"
                                         "model = Model()\n")
        out = json.loads(senteval("run", "-q", "--mteb", folder / "faq", "--encoder", "glove", "--set", f"vectors={VECTORS}",
                                  "--rerank", "python", "--set", f"script={folder / 'ranks.py'}", "--set", "style=encode",
                                  "--label", "ranks", "--depth", "40", "--output", folder / "ranked", "--json", "-"))
        assert [one["encoder"] for one in out["results"]] == ["glove", "glove > ranks@40"]

        for recipe, said in (("mean:rrf", "two parts"), ("mean+other:rrf", "other"), ("mean+max:best", "best"),
                             ("mean+max:rrf,1", "weights"), ("mean+max:rrf,-1,1", "-1"), ("mean+max", "PART+PART")):
            changed = [recipe if word == "mean+max:rrf@30" else word for word in command]
            assert said in senteval(*changed, code=2), recipe
        (folder / "two.py").write_text("def batcher(params, batch):\n    return [[1, 2] for _ in batch]\n")
        changed = [f"script={folder / 'two.py'}" if str(word).startswith("script=") else word for word in command]
        assert "2 numbers" in senteval(*changed, "-q", code=1)
    print("ok")


main()
