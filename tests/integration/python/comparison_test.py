"""senteval.compare and senteval.Evaluator: models of Python under the program's verdict."""
import ast
import csv
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import numpy as np

import senteval

SOURCE = pathlib.Path(os.environ["SENTEVAL_SOURCE_DIR"])
SAMPLES = SOURCE / "data/samples"


class Lengths:
    """Vectors of lengths and counts, of which `weight` is learned."""

    def __init__(self, weight):
        self.weight = weight

    def encode(self, sentences):
        return np.array([[len(text), self.weight * text.count(" "), 1 + text.count("e")] for text in sentences])


class Sided(Lengths):
    """Queries apart from documents."""

    def encode_query(self, sentences):
        return np.roll(self.encode(sentences), 1, axis=1)


class Comparisons(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def faq(self):
        (self.folder / "faq/qrels").mkdir(parents=True)
        for name in ("corpus", "queries"):
            lines = [json.dumps({"_id": f"{name}{i}", "text": f"{'word ' * i}{'e' * (i % 7)}."}) for i in range(30)]
            (self.folder / f"faq/{name}.jsonl").write_text("\n".join(lines))
        rows = [f"queries{i}\tcorpus{i}\t1" for i in range(30)]
        (self.folder / "faq/qrels/test.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *rows]))
        return self.folder / "faq"

    def table(self, name, header, rows):
        with open(self.folder / name, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([header, *rows])
        return str(self.folder / name)

    def test_the_notebook_runs(self):
        shutil.copytree(SAMPLES, self.folder / "data/samples")
        (self.folder / "samples").mkdir()
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder / "samples")
        names, shown = {}, []
        for cell in json.loads((SOURCE / "samples/compare.ipynb").read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] != "code":
                continue
            tree = ast.parse("".join(cell["source"]))
            last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, "cell", "exec"), names)
            if last:
                shown.append(eval(compile(ast.Expression(last.value), "cell", "eval"), names))
        value, better = shown[1]
        self.assertIn(f"{value:.3f}"[1:], shown[0]._repr_html_())
        self.assertIs(better, True)
        self.assertEqual(shown[2]["glove"]["topics"], 100)
        self.assertGreater(os.path.getsize(shown[3]), 10000)

    def test_models_of_every_kind_under_one_verdict(self):
        labelled = self.table("topics.csv", ["text", "label"], [[f"thing {i}{' e' * (i % 2)}", "ab"[i % 2]] for i in range(60)])
        scored = self.table("pairs.csv", ["sentence1", "sentence2", "score"],
                            [[f"a {i}", f"a {'e ' * (i % 5)}{i}", i % 5] for i in range(60)])
        models = {"object": Lengths(1), "function": Lengths(3).encode, "onehot": senteval.encoder("onehot")}
        found = senteval.compare(models, [labelled, scored, self.faq(), "STS12"], data=SAMPLES, output=self.folder / "store")
        self.assertEqual(sorted({cell["task"] for cell in found.cells}), ["STS12", "faq", "pairs", "topics"])
        self.assertEqual(len(found.cells), 12)
        self.assertEqual(found["object"]["topics"], 100)
        self.assertIs(found["onehot"].better_than("object", "STS12"), True)
        self.assertIs(found["object"].better_than("onehot", "STS12"), False)
        with self.assertRaises(KeyError):
            found["nobody"]
        self.assertIn("STS12", str(found))
        self.assertEqual(found._repr_html_().count("<tr>"), 4)
        self.assertGreater(os.path.getsize(found.report(self.folder / "report.html")), 10_000)

    def test_what_is_in_the_store_is_kept_and_another_model_is_another_row(self):
        store = self.folder / "store"
        for weight in (1, 1, 2):
            senteval.compare({"mine": Lengths(weight)}, "STS12", data=SAMPLES, output=store)
        self.assertEqual(len(list(store.glob("*/STS12-*.json"))), 2)

    def test_queries_and_documents_have_encoders_of_their_own(self):
        values = [senteval.compare({"one": model}, self.faq() if model.weight == 1 else self.folder / "faq")["one"]["faq"]
                  for model in (Lengths(1), Sided(2))]
        self.assertGreater(values[0], values[1])

    def test_only_what_was_given_is_compared_and_under_its_label(self):
        scored = self.table("sts.csv", ["sentence1", "sentence2", "score"],  # a group of the program has that name, too
                            [[f"a {i}", f"a {'e ' * (i % 5)}{i}", i % 5] for i in range(60)])
        store = str(self.folder / "kept")
        senteval.compare({"old": Lengths(3), "tuned": Lengths(1)}, tasks=scored, output=store)
        found = senteval.compare({"tuned": Lengths(2), "base": Lengths(3)}, tasks=scored, output=store)
        self.assertEqual(sorted(found), ["base", "tuned"])
        self.assertEqual(dict(found["tuned"]), {"sts-own": found["tuned"]["sts-own"]})
        self.assertIsInstance(found["tuned"]["sts-own"], float)

    def test_files_of_one_name_are_two_tasks_or_an_error(self):
        rows = [[f"a {i}", f"a {'e ' * (i % 5)}{i}", i % 5] for i in range(60)]
        names = [self.table(f"pairs.{year}.csv", ["sentence1", "sentence2", "score"], rows) for year in (2023, 2024)]
        self.assertEqual(sorted(senteval.compare({"l": Lengths(1)}, tasks=names)["l"]), ["pairs.2023", "pairs.2024"])
        (self.folder / "other").mkdir()
        names.append(self.table("other/pairs.2024.csv", ["sentence1", "sentence2", "score"], rows))
        with self.assertRaisesRegex(senteval.Error, "other/pairs.2024.csv"):
            senteval.compare({"l": Lengths(1)}, tasks=names)

    def test_nothing_to_compare_is_said(self):
        for models, tasks in (({}, "STS12"), ([Lengths(1)], "STS12"), ({"": Lengths(1)}, "STS12"), ({"l": Lengths(1)}, []),
                              ({"l": Lengths(1)}, "nofile.csv")):
            with self.assertRaises(senteval.Error):
                senteval.compare(models, tasks=tasks, data=str(SAMPLES))

    def test_what_is_wrong_is_said(self):
        strange = self.table("strange.csv", ["a", "b"], [[1, 2]])
        for model, tasks, message in ((Lengths(1), strange, "senteval inspect"), (Lengths, "STS12", "a model is"),
                                      (Lengths(1), "STS99", "STS99")):
            with self.assertRaisesRegex(senteval.Error, message):
                senteval.compare({"one": model}, tasks, data=SAMPLES)

        def broken(sentences):
            raise ZeroDivisionError

        with self.assertRaises(ZeroDivisionError):
            senteval.compare({"one": broken}, "STS12", data=SAMPLES)

    def test_the_program_ends_with_its_caller(self):
        script = self.folder / "caller.py"
        script.write_text("import senteval, sys, time\n"
                          "def slow(sentences):\n    print('asked', flush=True); time.sleep(60)\n"
                          f"senteval.compare({{'slow': slow}}, 'STS12', data={str(SAMPLES)!r}, output=sys.argv[1])\n")
        store = str(self.folder / "of_the_killed")
        caller = subprocess.Popen([sys.executable, script, store], stdout=subprocess.PIPE)
        caller.stdout.readline()
        caller.kill()
        caller.wait()
        caller.stdout.close()

        def is_running():
            return any(store.encode() in path.read_bytes() for path in pathlib.Path("/proc").glob("[0-9]*/cmdline")
                       if path.exists())

        for _ in range(100):
            if not is_running():
                return
            time.sleep(0.1)
        self.fail("the program goes on")

    def test_an_evaluator_of_a_trainer(self):
        evaluate = senteval.Evaluator(self.faq(), primary="ndcg_at_10", name="faq", output=str(self.folder / "store"))
        found = evaluate(Lengths(1), self.folder / "out", 1, 10)
        evaluate(Lengths(0), self.folder / "out", 2, 20)
        whole = senteval.compare({"one": Lengths(1)}, self.folder / "faq")["one"]["faq"]
        self.assertAlmostEqual(found["ndcg_at_10"], whole / 100, 12)
        with open(self.folder / "out/senteval_faq_results.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([(row["epoch"], row["steps"]) for row in rows], [("1", "10"), ("2", "20")])
        self.assertEqual(float(rows[0]["ndcg_at_10"]), found["ndcg_at_10"])
        stored = {json.loads(path.read_text())["encoder"]["label"] for path in (self.folder / "store").glob("*/*.json")}
        self.assertEqual(stored, {"faq/step-10", "faq/step-20"})
        self.assertEqual((evaluate.primary_metric, evaluate.greater_is_better), ("ndcg_at_10", True))
        with self.assertRaisesRegex(senteval.Error, "ndcg_at_10"):
            senteval.Evaluator(self.folder / "faq", primary="ndcg")(Lengths(1))

    def test_an_evaluator_is_one_of_sentence_transformers(self):
        try:
            from sentence_transformers.evaluation import SentenceEvaluator
        except ImportError:
            self.skipTest("skipped: no sentence-transformers")
        self.assertIsInstance(senteval.Evaluator("STS12"), SentenceEvaluator)

    def test_a_frame(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("skipped: no pandas")
        found = senteval.compare({"one": Lengths(1)}, "STS12", data=SAMPLES)
        self.assertEqual(found.frame()["value"][0], found["one"]["STS12"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
