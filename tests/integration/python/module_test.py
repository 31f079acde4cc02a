"""The module `senteval` as scripts written for the original use it."""
import importlib
import inspect
import json
import logging
import math
import os
import pathlib
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import unittest
import zipfile

import numpy as np

import senteval

SOURCE = pathlib.Path(os.environ["SENTEVAL_SOURCE_DIR"])
BINARY = pathlib.Path(os.environ["SENTEVAL_BINARY_DIR"])
SHARED = pathlib.Path(os.environ.get("SENTEVAL_SHARED", SOURCE.parent / "shared"))
SAMPLES = SOURCE / "data/samples"
OF_NO_OTHER = {key: value for key, value in os.environ.items() if key != "SENTEVAL_PROGRAM"}
VECTORS = SAMPLES / "vectors/sample.50d.txt"

sys.path.insert(0, str(SOURCE / "samples/encoder_python"))
import bow

logging.getLogger("senteval").setLevel(logging.ERROR)  # sample data gets a data warning


def settings(**more):
    return {"task_path": str(SAMPLES), "vectors": str(VECTORS), "kfold": 3, "classifier": {"nhid": 0}, **more}


def engine(**more):
    return senteval.engine.SE(settings(**more), bow.batcher, bow.prepare)


def host(tasks, *options, data=SAMPLES, vectors=VECTORS):
    """{task: metrics} of glove as `senteval run` has them."""
    run = subprocess.run([senteval.program.path(), "run", "-q", "--encoder", "glove", "--set", f"vectors={vectors}",
                          "--tasks", ",".join(tasks), "--data", data, "--json", "-", *options],
                         check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return {one["task"]: one["metrics"] for one in json.loads(run.stdout)["results"]}


class SignatureAndDefaults(unittest.TestCase):
    def test_the_signature_is_the_originals(self):
        self.assertEqual(str(inspect.signature(senteval.engine.SE)), "(params, batcher, prepare=None)")
        self.assertIs(senteval.SE, senteval.engine.SE)

    def test_defaults(self):
        given = {"task_path": "data"}
        params = senteval.engine.SE(given, bow.batcher).params
        self.assertEqual((params.usepytorch, params.seed, params.batch_size, params.nhid, params.kfold,
                          params.classifier), (True, 1111, 128, 0, 5, {"nhid": 0}))
        self.assertIsNone(params.no_such_parameter)
        self.assertEqual(given, {"task_path": "data"})

    def test_what_is_wrong_is_said(self):
        def complaint(task="CR", **more):
            with self.assertRaises(senteval.Error) as raised:
                engine(**more).eval(task)
            return str(raised.exception)

        self.assertIn("SST1 not in ['CR', 'MR'", complaint(["CR", "SST1"]))
        self.assertIn("did you mean STS12?", complaint("STS-12"))
        self.assertIn("has no nhid", complaint(classifier={"optim": "adam"}))
        self.assertIn("task_path is missing", complaint(task_path=None))
        for task, key, option in (("STS12", "normalise", {"normalise": ["none", "z"]}),
                                  ("CR", "classifier", {"classifier": ["softmax", "logreg-newton"]}),
                                  ("STS12", "projection", {"equal_dimension": 10})):
            self.assertIn(f"several results, which differ in {key}", complaint(task, senteval=option))
        self.assertIn("data folder '/no/such' does not exist", complaint(task_path="/no/such"))
        self.assertIn("optim", complaint(classifier={"nhid": 0, "optim": "adamm"}))
        self.assertIn("there is no option '--kfolds'", complaint(senteval={"kfolds": 3}))
        self.assertIn("params.batch_size is 0", complaint(batch_size=0))
        self.assertIn("params.similarity is no function", complaint(similarity="cosine"))


class WhatTheFunctionsSee(unittest.TestCase):
    def test_tokens_batches_and_the_task(self):
        seen = []

        def prepare(params, samples):
            seen.append((params.current_task, samples))
            params.left = params.current_task

        def batcher(params, batch):
            self.assertIs(threading.current_thread(), threading.main_thread())
            self.assertLessEqual(len(batch), 7)
            self.assertEqual(params.left, params.current_task)
            self.assertTrue(all(isinstance(word, str) and word for sentence in batch for word in sentence))
            return np.array([[len(sentence), 1.0] for sentence in batch], dtype=np.float32)

        se = senteval.engine.SE(settings(batch_size=7), batcher, prepare)
        se.eval(["CR", "STS14"])
        self.assertEqual([task for task, _ in seen], ["CR", "STS14"])
        first = (SAMPLES / "downstream/CR/custrev.pos").read_text("latin-1").splitlines()
        self.assertEqual(seen[0][1][:len(first)], [line.split() for line in first])

    def test_what_prepare_makes_of_the_samples_is_what_batches_show(self):
        shown = []

        def prepare(params, samples):
            for number, sentence in enumerate(samples):
                if number % 2 == 0:
                    sentence.append("more")
            samples[1] = ["other"]

        def batcher(params, batch):
            shown.extend(batch)
            return np.array([[len(sentence), 1] for sentence in batch], dtype=float)

        senteval.engine.SE(settings(), batcher, prepare).eval("STS12")
        self.assertTrue(any(sentence[-1] == "more" for sentence in shown))
        self.assertIn(["other"], shown)

    def test_an_unknown_task_is_asserted(self):
        with self.assertRaises(AssertionError):
            engine().eval("STS11")
        with self.assertRaises(senteval.Error):
            engine().eval(["STS12", "STS11"])

    def test_without_prepare(self):
        self.assertEqual(senteval.engine.SE(settings(), lambda params, batch: np.ones((len(batch), 2)))
                         .eval("CR")["ntest"], 300)

    def test_a_similarity_function(self):
        pairs = []

        def dot(u, v):
            pairs.append((u, v))
            return np.dot(u, v)

        found = engine(similarity=dot).eval("STS14")
        expected = engine(senteval={"similarity": "dot"}).eval("STS14")
        self.assertEqual(len(pairs), sum(one["nsamples"] for name, one in found.items() if name != "all"))
        self.assertEqual((pairs[0][0].shape, pairs[0][0].dtype), ((50,), np.float32))
        for mean in ("mean", "wmean"):
            self.assertAlmostEqual(found["all"]["pearson"][mean], expected["all"]["pearson"][mean], 4)
        self.assertNotAlmostEqual(found["all"]["pearson"]["mean"], engine().eval("STS14")["all"]["pearson"]["mean"], 4)

    def test_an_exception_comes_out_as_it_is(self):
        class Broken(Exception):
            pass

        def batcher(params, batch):
            raise Broken(params.current_task)

        se = senteval.engine.SE(settings(), batcher)
        try:
            se.eval("CR")
            self.fail("nothing was raised")
        except Broken as error:
            self.assertEqual(str(error), "CR")
            self.assertEqual(traceback.extract_tb(error.__traceback__)[-1].name, "batcher")
        with self.assertRaisesRegex(senteval.Error, r"shape \(1, 2\) for \d+ sentences"):
            senteval.engine.SE(settings(), lambda params, batch: [[1, 2]]).eval("CR")
        with self.assertRaisesRegex(senteval.Error, "nan"):
            senteval.engine.SE(settings(), lambda params, batch: [[math.nan]] * len(batch)).eval("CR")
        with self.assertRaises(ZeroDivisionError):
            engine(similarity=lambda u, v: 1 / 0).eval("STS14")

    def test_results_of_finished_tasks_outlive_a_failure(self):
        def batcher(params, batch):
            if params.current_task == "TREC":
                raise KeyError("TREC")
            return np.ones((len(batch), 1))

        se = senteval.engine.SE(settings(), batcher)
        with self.assertRaises(KeyError):
            se.eval(["CR", "TREC"])
        self.assertEqual(list(se.results), ["CR"])


class Results(unittest.TestCase):
    def test_keys_and_types(self):
        accuracy = {"devacc": float, "acc": float, "ndev": int, "ntest": int}
        relatedness = {"devpearson": float, "pearson": float, "spearman": float, "mse": float,
                       "yhat": np.ndarray, "ndev": int, "ntest": int}
        expected = {"CR": accuracy, "TREC": accuracy, "SST2": accuracy, "SICKEntailment": accuracy,
                    "SNLI": accuracy, "Tense": accuracy, "MRPC": {**accuracy, "f1": float},
                    "SICKRelatedness": relatedness, "STSBenchmark": relatedness}
        se = engine()
        results = se.eval(list(expected))
        self.assertEqual(list(results), list(expected))
        for task, types in expected.items():
            self.assertEqual({key: type(value) for key, value in results[task].items()}, types, task)
            self.assertEqual(se.documents[task][0]["task"]["name"], task)
        self.assertIs(se.results, results)

    def test_similarity_tasks(self):
        result = engine().eval("STS14")
        self.assertEqual(list(result)[-1], "all")
        self.assertEqual({measure: sorted(result["all"][measure]) for measure in result["all"]},
                         {"pearson": ["all", "mean", "wmean"], "spearman": ["all", "mean", "wmean"]})
        for name, one in result.items():
            if name != "all":
                self.assertEqual(list(one), ["pearson", "spearman", "nsamples"])
                (r, p), n = one["pearson"], one["nsamples"]
                self.assertEqual((r, p), (one["pearson"].statistic, one["pearson"].pvalue))
                self.assertEqual(tuple(one["spearman"]),
                                 (one["spearman"].correlation, one["spearman"].pvalue))
                self.assertEqual((type(r), type(p), type(n)), (float, float, int))

    def test_what_scripts_for_simcse_read(self):
        expected = host(["STSBenchmarkUnsupervised"])["STSBenchmarkUnsupervised"]
        result = engine().eval("STSBenchmark")
        self.assertNotIn("test", result)
        self.assertEqual(result["test"]["spearman"].correlation, expected["spearman"])
        self.assertEqual(result["dev"]["spearman"][0], expected["devspearman"])
        self.assertEqual(result["test"]["nsamples"], expected["ntest"])
        untrained = engine().eval("STSBenchmarkUnsupervised")
        self.assertEqual(untrained["test"], result["test"])
        self.assertEqual(type(pickle.loads(pickle.dumps(result))), dict)
        for part in ("train", "all"):
            for one in (result, untrained):
                with self.assertRaisesRegex(KeyError, "no training part"):
                    one[part]
        with self.assertRaisesRegex(KeyError, "^'tset'$"):
            untrained["tset"]

    def test_several_seeds(self):
        se = engine(senteval={"seed": [1, 2, 3]})
        for task in ("CR", "SICKRelatedness"):
            result = se.eval(task)
            headline = "acc" if task == "CR" else "pearson"
            values = [document["metrics"][headline] for document in se.documents[task]]
            self.assertEqual(len(values), 3)
            self.assertAlmostEqual(result[headline], np.mean(values), 10)
            self.assertAlmostEqual(result["sd"][headline], np.std(values, ddof=1), 10)
            self.assertIsInstance(result["ntest"], int)

    def test_what_the_original_has_and_this_has_not(self):
        for module in ("senteval.tools.validation", "senteval.utils"):
            with self.assertRaisesRegex(ImportError, "a \\[\\[task\\]\\]"):
                importlib.import_module(module).SplitClassifier

    def test_retrieval(self):
        result = engine().eval("ImageCaptionRetrieval")
        self.assertEqual(list(result), ["devacc", "acc", "ndev", "ntest"])
        self.assertEqual([len(way) for way in result["acc"]], [4, 4])
        self.assertIsInstance(result["acc"][0], tuple)

    def test_predictions_of_relatedness_stand_in_the_originals_order(self):
        result = engine().eval("SICKRelatedness")
        lines = (SAMPLES / "downstream/SICK/SICK_test_annotated.txt").read_text("utf-8").splitlines()[1:]
        rows = [line.split("\t") for line in lines if line.strip()]
        gold = sorted((len(row[1].split()), len(row[2].split()), float(row[3])) for row in rows)
        self.assertAlmostEqual(float(np.corrcoef(result["yhat"], [one[2] for one in gold])[0, 1]), result["pearson"], 10)

    def test_the_scores_are_those_of_the_program(self):
        tasks = ["CR", "TREC", "SICKEntailment", "SICKRelatedness", "STS14"]
        expected = host(tasks, "--kfold", "3")
        results = engine().eval(tasks)
        for task in tasks[:-1]:
            for key, value in results[task].items():
                if key != "yhat":
                    self.assertEqual(value, expected[task][key], (task, key))
        for mean in ("all", "mean", "wmean"):
            self.assertEqual(results["STS14"]["all"]["pearson"][mean], expected["STS14"]["all"]["pearson"][mean])

    def test_the_sample_runs_as_a_script(self):
        run = subprocess.run([sys.executable, SOURCE / "samples/encoder_python/bow.py"], check=True, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                             env={**os.environ, "DATA": str(SAMPLES), "VECTORS": str(VECTORS)})
        expected = host(["CR"], "--profile", "prototype")["CR"]
        self.assertIn(f"CR {expected}\n", run.stdout)

    def test_settings_reach_the_classifier(self):
        for params, options in [
                ({"classifier": {"nhid": 8, "optim": "rmsprop", "batch_size": 32, "tenacity": 2, "epoch_size": 3,
                                 "dropout": 0.1}, "seed": 5},
                 ["--classifier", "mlp", "--nhid", "8", "--optim", "rmsprop", "--batch-size", "32", "--tenacity",
                  "2", "--epoch-size", "3", "--dropout", "0.1", "--seed", "5", "--kfold", "3"]),
                ({"usepytorch": False}, ["--classifier", "logreg-newton", "--kfold", "3"])]:
            self.assertEqual(engine(**params).eval("TREC"), host(["TREC"], *options)["TREC"])

    def test_further_options(self):
        with tempfile.TemporaryDirectory() as folder:
            se = engine(senteval={"limit": 40, "threads": 1, "output": folder, "name": "mine"})
            self.assertEqual(se.eval("STS14")["images"]["nsamples"], 40)
            self.assertEqual(len(list(pathlib.Path(folder).glob("process-*/STS14-*.json"))), 1)

    def test_a_training_loop_has_the_numbers_of_each_epoch(self):
        asked = []

        def batcher(params, batch):
            asked.extend(batch)
            return np.array([[len(words), sum(map(len, words)), 1 + weight * len(words)] for words in batch])

        for prepare in (None, lambda params, samples: None):
            with tempfile.TemporaryDirectory() as folder:
                found = []
                for weight in (1, 2, 3, 4, 2):
                    asked.clear()
                    se = senteval.engine.SE(settings(senteval={"output": folder, "name": "mine"}), batcher, prepare)
                    found.append([se.eval(task)["all"]["pearson"]["mean"] for task in ("STS12", "STS14")])
                self.assertEqual(len(set(map(tuple, found))), 4)
                self.assertEqual(found[4], found[1])
                self.assertLess(len(asked), 400)  # a few texts to know it again, the first batch to know its dimension
                rows = [name.parent.name for name in pathlib.Path(folder).glob("*/STS1?-*.json")]
                self.assertEqual(sorted(map(rows.count, set(rows))), [2, 2, 2, 2])

    def test_threads_that_are_no_number(self):
        with self.assertRaisesRegex(senteval.Error, 'threads.*"a"'):
            engine(senteval={"threads": "a"}).eval("STS14")

    def test_real_data(self):
        vectors = pathlib.Path.home() / ".cache/senteval-vectors/glove.6B.100d.tasks.txt"
        if not (SHARED / "senteval_data").is_dir() or not vectors.exists():
            self.skipTest(f"skipped: no {SHARED}/senteval_data, or no {vectors}")
        data = SHARED / "senteval_data"
        classifier = {"nhid": 0, "optim": "rmsprop", "batch_size": 128, "tenacity": 3, "epoch_size": 2}
        se = engine(task_path=str(data), vectors=str(vectors), kfold=5, classifier=classifier)
        results = se.eval(["TREC", "STS14"])
        expected = host(["TREC", "STS14"], "--profile", "prototype", data=data, vectors=vectors)
        self.assertEqual(results["TREC"], expected["TREC"])
        self.assertEqual(results["STS14"]["all"]["pearson"]["wmean"], expected["STS14"]["all"]["pearson"]["wmean"])
        self.assertAlmostEqual(results["STS14"]["all"]["pearson"]["wmean"], 0.4736, 4)


class Interruption(unittest.TestCase):
    def test_control_c_ends_an_evaluation_wherever_it_is(self):
        se = engine()
        before = signal.getsignal(signal.SIGINT)
        begun = threading.Event()

        def interrupt():
            begun.wait()
            time.sleep(0.2)
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        with self.assertRaises(KeyboardInterrupt):
            begun.set()
            while True:
                se.eval(["SUBJ", "MR"])
        thread.join()
        self.assertIs(signal.getsignal(signal.SIGINT), before)
        self.assertEqual(se.eval("CR"), engine().eval("CR"))

    def test_masked_arrays_are_refused(self):
        masked = np.ma.masked_array(np.ones(2), mask=[False, True])
        for batcher in (lambda params, batch: np.ma.stack([masked] * len(batch)),
                        lambda params, batch: [masked] * len(batch)):
            with self.assertRaisesRegex(senteval.Error, "masked array"):
                senteval.engine.SE(settings(), batcher).eval("CR")

    def test_without_numpy_the_command_for_this_python_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            numpy = pathlib.Path(folder, "numpy")
            numpy.mkdir()
            (numpy / "__init__.py").write_text("raise ImportError('not here')")
            for prefix, command in (("/usr", "apt install python3-numpy"),
                                    ("/venv", f"{sys.executable} -m pip install numpy")):
                run = subprocess.run([sys.executable, "-c", f"import sys; sys.prefix = {prefix!r}; import senteval"],
                                     env={**os.environ, "PYTHONPATH": f"{folder}:{os.environ.get('PYTHONPATH', '')}"},
                                     capture_output=True, text=True)
                self.assertIn(command, run.stderr)

    def test_control_c_in_a_function(self):
        def batcher(params, batch):
            signal.raise_signal(signal.SIGINT)
            return np.ones((len(batch), 1))

        with self.assertRaises(KeyboardInterrupt):
            senteval.engine.SE(settings(), batcher).eval("CR")

    def test_other_threads_run_python_meanwhile(self):
        stop = threading.Event()
        counts = []

        def count():
            while not stop.is_set():
                counts.append(1)
                time.sleep(0)

        thread = threading.Thread(target=count)
        thread.start()
        engine().eval("CR")
        stop.set()
        thread.join()
        self.assertGreater(len(counts), 0)

    def test_from_another_thread(self):
        found = []
        thread = threading.Thread(target=lambda: found.append(engine().eval("CR")))
        thread.start()
        thread.join()
        self.assertEqual(found, [engine().eval("CR")])


class Installed(unittest.TestCase):
    def test_the_module_finds_the_program_of_its_installation(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["cmake", "--install", BINARY, "--prefix", folder], check=True, stdout=subprocess.DEVNULL)
            packages = pathlib.Path(folder, "lib/python3/dist-packages")
            run = subprocess.run([sys.executable, "-c", "import senteval.program; print(senteval.program.path())"],
                                 env={**OF_NO_OTHER, "PYTHONPATH": str(packages)}, check=True, text=True,
                                 stdout=subprocess.PIPE)
            self.assertEqual(run.stdout.strip(), os.path.realpath(f"{folder}/bin/senteval"))

    def test_a_wheel_has_all_that_it_needs(self):
        if not shutil.which("patchelf"):
            self.skipTest("skipped: no patchelf")
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            subprocess.run(["cmake", "--install", BINARY, "--prefix", folder / "prefix"], check=True, stdout=subprocess.DEVNULL)
            made = subprocess.run([sys.executable, SOURCE / "framework/python/make_wheel.py", "--prefix", folder / "prefix",
                                   "--version", senteval.__version__, "--output", folder], text=True, capture_output=True)
            if "needs GLIBCXX_" in made.stderr:
                self.skipTest("skipped: for a wheel, the C++ library of this system is too new")
            self.assertEqual(made.returncode, 0, made.stderr)
            wheel = pathlib.Path(made.stdout.strip())
            self.assertRegex(wheel.name, r"^senteval-[0-9.]+-py3-none-manylinux_2_\d+_.+\.whl$")
            with zipfile.ZipFile(wheel) as archive:
                record = archive.read(f"senteval-{senteval.__version__}.dist-info/RECORD").decode()
                self.assertEqual([line.split(",")[0] for line in record.splitlines()], archive.namelist())
                archive.extractall(folder / "site")
            for file in (folder / "site/senteval/bin").iterdir():
                file.chmod(0o755)  # as pip does
            program = ("import senteval, sys; se = senteval.engine.SE({'task_path': sys.argv[1]}, lambda p, b: [[len(s)] for s in b]); "
                       "print(senteval.program.path(), se.eval('STS14')['all']['pearson']['mean'])")
            run = subprocess.run([sys.executable, "-c", program, SAMPLES], cwd=folder, check=True, text=True,
                                 env={**OF_NO_OTHER, "PYTHONPATH": str(folder / "site")}, stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL)
            self.assertTrue(run.stdout.startswith(os.path.realpath(folder / "site/senteval/bin/senteval")))
            needed = subprocess.run(["ldd", folder / "site/senteval/bin/senteval"], text=True, capture_output=True).stdout
            self.assertNotIn("not found", needed)
            self.assertIn("bin/../lib/bundled/libcurl", needed)


if __name__ == "__main__":
    unittest.main(verbosity=2)
