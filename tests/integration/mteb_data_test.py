#!/usr/bin/env python3
"""mteb_data_test.py BUILD -- tasks of MTEB by name, and Parquet, with packages that stand in for mteb and pyarrow; and the
files of the shared data where the Python has pyarrow itself."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("SENTEVAL_SHARED", SOURCE.parent / "shared"))
VECTORS = SOURCE / "data/samples/vectors/sample.50d.txt"
PROGRAM = os.environ.get("SENTEVAL_PROGRAM") or pathlib.Path(sys.argv[1]) / "senteval"
MTEB = '''
__version__ = "2.26.0"
class Rows:
    column_names = property(lambda self: list(self.columns))
    def __init__(self, **columns):
        self.columns = columns
    def __len__(self):
        return len(next(iter(self.columns.values())))
    def __getitem__(self, at):
        if isinstance(at, str):
            return self.columns[at]
        return {name: values[at] for name, values in self.columns.items()}
    def select(self, places):
        return Rows(**{name: [values[at] for at in places] for name, values in self.columns.items()})
class Metadata:
    license, eval_langs, prompt = "cc0", ["eng-Latn"], None
    def __init__(self, name, type, main_score):
        self.name, self.type, self.main_score = name, type, main_score
        self.dataset = {"path": "owner/" + name, "revision": "0123"}
class AbsTask:
    is_aggregate, eval_splits, loads = False, ["test"], 0
    def __init__(self):
        self.hf_subsets = ["default"]
class AbsTaskClassification(AbsTask):
    samples_per_label, n_experiments, train_split, is_cross_validation = 8, 10, "train", False
    input_column_name, label_column_name = "text", "label"
class AbsTaskRetrieval(AbsTask):
    k_values, ignore_identical_ids, skip_first_result = (1, 3, 5, 10, 20, 100, 1000), False, False
class Alpha(AbsTaskClassification):
    metadata = Metadata("Alpha", "Classification", "accuracy")
    samples_per_label, eval_splits, train_split = 16, ["validation", "test"], "learn"
    def load_data(self):
        print("loads Alpha")
        one = Rows(words=["good red", "bad blue", "good", "bad"] * 3, label=[True, False, 1.0, 0] * 3)
        self.dataset = {"learn": one, "validation": one, "test": one}
    input_column_name = "words"
class Beta(AbsTaskRetrieval):
    metadata, ignore_identical_ids = Metadata("Beta", "Retrieval", "ndcg_at_10"), True
    def __init__(self):
        self.hf_subsets = ["de", "en"]
    def load_data(self):
        one = {"corpus": Rows(id=["a", "b"], title=["T", ""], text=["good ", "bad"]), "queries": Rows(
            id=["a", "q"], text=["good", "bad"], instruction=["Find it", None]), "relevant_docs": {"q": {"b": 1}}, "top_ranked": None}
        self.dataset = {subset: {"test": one} for subset in self.hf_subsets}
class AbsTaskBitextMining(AbsTask):
    parallel_subsets = True
class Epsilon(AbsTaskBitextMining):
    metadata = Metadata("Epsilon", "BitextMining", "f1")
    def __init__(self):
        self.hf_subsets = ["a-b", "a-c", "b-c"]
    def load_data(self):
        self.dataset = {"test": Rows(a=["good red", "bad"], b=["good", "blue bad"], c=["red", "good bad"])}
class AbsTaskClustering(AbsTask):
    max_document_to_embed, max_fraction_of_documents_to_embed, max_documents_per_cluster, n_clusters = 3, None, 10, 2
    max_depth, input_column_name, label_column_name = None, "sentences", "labels"
class Gamma(AbsTaskClustering):
    metadata, eval_splits = Metadata("Gamma", "Clustering", "v_measure"), ["validation", "test"]
    def __init__(self):
        self.hf_subsets = ["de", "en"]
    def load_data(self):
        rows = Rows(sentences=["good", "bad", "red", "blue"], labels=[["a", "x"], ["b"], ["a", "y"], ["b"]])
        self.dataset = {subset: {"validation": rows.select(range(4)), "test": rows.select(range(3))} for subset in self.hf_subsets}
class AbsTaskPairClassification(AbsTask):
    input1_column_name, input2_column_name, label_column_name = "sentence1", "sentence2", "labels"
    input1_prompt_type = input2_prompt_type = None
class Delta(AbsTaskPairClassification):
    metadata = Metadata("Delta", "PairClassification", "max_ap")
    def load_data(self):
        self.dataset = {"test": Rows(sentence1=["good", "bad"], sentence2=["good red", "good blue"], labels=[1, 0])}
class Private(Alpha):
    metadata = Metadata("Private", "Classification", "accuracy")
    def load_data(self):
        raise OSError("it is gated")
class Offline(Alpha):
    metadata = Metadata("Offline", "Classification", "accuracy")
    def load_data(self):
        raise ConnectionError("Couldn't reach it")
class Slope(AbsTask):
    metadata = Metadata("Slope", "Regression", "kendalltau")
class Bench:
    name, tasks = "Bench(eng, v1)", [Private(), Alpha()]
def get_benchmarks():
    return [Bench]
def get_benchmark(name):
    return Bench
def get_task(name):
    return {"Alpha": Alpha, "Beta": Beta, "Gamma": Gamma, "Delta": Delta, "Epsilon": Epsilon, "Slope": Slope,
            "Offline": Offline}[name]()
AbsTaskRegression = type("AbsTaskRegression", (AbsTask,), {})
Slope.__bases__ = (AbsTaskRegression,)
'''
USER = '''
import mteb
class MockUser(mteb.Beta):
    metadata = mteb.Metadata("MockUser", "Retrieval", "ndcg_at_10")
class Mean:
    is_aggregate, tasks = True, [MockUser()]
TASKS = [Mean()]
'''
PYARROW = '''
import json
class Batch(list):
    def to_pylist(self):
        return self
class ParquetFile:
    num_row_groups = 1
    def __init__(self, path):
        mark, *self.lines = open(path).read().splitlines()
    def iter_batches(self, size, row_groups):
        yield Batch(map(json.loads, self.lines))
'''


def senteval(*words, code=0, **environment):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False,
                          env={**os.environ, **{name: str(value) for name, value in environment.items()}})
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


def stand_in(folder):
    (folder / "with/pyarrow").mkdir(parents=True)
    (folder / "without").mkdir()
    (folder / "with/mteb.py").write_text(MTEB)
    (folder / "with/pyarrow/__init__.py").touch()
    (folder / "with/pyarrow/parquet.py").write_text(PYARROW)
    for package in ("mteb", "pyarrow", "polars", "duckdb", "fastparquet"):  # which this Python may have
        (folder / f"without/{package}.py").write_text("raise ImportError('hidden')\n")
    return {"SENTEVAL_PYTHON": sys.executable, "PYTHONPATH": folder / "with"}


def test_catalogue(data):
    listed = json.loads(senteval("tasks", "mteb:*Banking*", "--json"))
    assert {"Banking77Classification", "Banking77Classification.v2"} <= {one["name"] for one in listed}
    assert len(json.loads(senteval("tasks", "mteb:MTEB(eng, v2)", "--json"))) == 41
    listed = json.loads(senteval("tasks", "mteb:STS22.v2", "--json", "--data", data))
    assert (listed[0]["parts"], listed[0]["present"]) == (18, 0)
    assert "--keys" not in senteval("tasks", "mteb:NoSuch", code=2)


def test_fetch(data, python):
    def fetch(*words, code=0, **other):
        return senteval("data", "fetch", *words, "--data", data, code=code, **{**python, **other})

    assert "-m pip install mteb" in fetch("mteb:Alpha", code=2, PYTHONPATH=pathlib.Path(python["PYTHONPATH"]).parent / "without")
    assert not (data / "mteb").exists()
    said = fetch("mteb:Bench(eng, v1)", "mteb:Beta", "mteb:Slope", "mteb:Nowhere", "--subsets", "de,default", code=1)
    assert "Private: FAILED: OSError: it is gated" in said and "Nowhere: FAILED" in said and "Slope: left out" in said, said
    assert sorted(os.listdir(data / "mteb")) == ["Alpha", "Beta"]
    alpha = json.loads((data / "mteb/Alpha/mteb.json").read_text())
    assert (alpha["mteb"], alpha["repository"], alpha["revision"], alpha["licence"]) == ("2.26.0", "owner/Alpha", "0123", "cc0")
    assert [part["keys"]["samples_per_label"] for part in alpha["parts"]] == [16, 16]
    rows = [json.loads(line) for line in (data / "mteb/Alpha/default/test/test.jsonl").read_text().splitlines()]
    assert rows[:2] == [{"text": "good red", "label": 1}, {"text": "bad blue", "label": 0}]
    beta = data / "mteb/Beta/de/test"
    assert [json.loads(line)["text"] for line in (beta / "corpus.jsonl").read_text().splitlines()] == ["T good", "bad"]
    assert json.loads((beta / "queries.jsonl").read_text()) == {"_id": "q", "text": "bad"}
    assert json.loads((beta / "qrels/test.jsonl").read_text()) == {"query-id": "q", "corpus-id": "b", "score": 1}
    assert not (data / "mteb/Beta/en").exists()
    assert "loads Alpha" in said and "loads Alpha" not in fetch("mteb:Alpha")
    fetch("mteb:Beta")  # the other subset, too
    assert (data / "mteb/Beta/en").exists() and beta.exists()
    alpha["revision"] = "older"
    (data / "mteb/Alpha/mteb.json").write_text(json.dumps(alpha))
    assert "loads Alpha" in fetch("mteb:Alpha")
    said = fetch("mteb:Offline", "mteb:Offline", code=1)
    assert said.count("HTTPS_PROXY") == 1, said
    for subsets, draws in (("en", [[4, 2], [3, 2]]), ("de", [[4, 2], [4, 2], [3, 2], [3, 2]])):  # of the parts that are there
        fetch("mteb:Gamma", "mteb:Delta", "--subsets", subsets + ",default")
        parts = json.loads((data / "mteb/Gamma/mteb.json").read_text())["parts"]
        assert [part["keys"].get("earlier", []) for part in parts] == [draws[:at] for at in range(len(draws))], parts


def test_run(data, folder, python):
    run = ["run", "-q", "--data", data, "--encoder", "glove", "--set", f"vectors={VECTORS}", "--output", folder / "results"]
    senteval(*run, "--tasks", "mteb:Alpha,mteb:Beta,mteb:Gamma,mteb:Delta,mteb:Beta", "--json", folder / "run.json")
    results = {one["task"]: one["document"] for one in json.loads((folder / "run.json").read_text())["results"]}
    assert sorted(results) == ["Alpha-test", "Alpha-validation", "Beta-de-test", "Beta-en-test", "Delta", "Gamma-de-test",
                               "Gamma-de-validation", "Gamma-en-test", "Gamma-en-validation"], sorted(results)
    assert results["Delta"]["task"]["headline"] == "max_ap"
    assert results["Gamma-en-test"]["protocol"]["settings"]["earlier"] == [[4, 2], [4, 2], [3, 2]]
    assert "mteb:Banking77Classification" in senteval(*run, "--tasks", "mteb:Banking77Classification", code=2)
    # of many tasks what is there is run, and what is not is said
    done = subprocess.run([*map(str, [PROGRAM, *run, "--tasks", "mteb:*"])], capture_output=True, text=True, check=True)
    said = " ".join(done.stderr.split())
    assert "and 1" in said and 'data fetch "mteb:*"' in said and len(said) < 3000, said
    assert "no task or benchmark" in senteval(*run, "--tasks", "MTEB(nothing, v2)", code=2)
    assert "MTEB(cmn, v1)" in str(json.loads(senteval("tasks", "mteb:CMTEB", "--json"))[0]["benchmarks"])
    assert "good" in senteval("data", "verify", "--data", data)
    said = " ".join(senteval("data", "verify", "mteb:MTEB(eng, v2)", "mteb:Alpha", "--data", data, code=1).split())
    assert "wrong" in said and "and 36 more are missing: 0 of 41 tasks are there" in said and "good" in said, said
    with open(data / "mteb/Alpha/default/test/test.jsonl", "a") as file:
        file.write("\n")
    assert "Alpha/default/test/test.jsonl has another checksum" in " ".join(
        senteval("data", "verify", "mteb:Alpha", "--data", data, code=1).split())
    senteval("data", "verify", "mteb:Beta", "--data", data)
    senteval("data", "fetch", "mteb:Alpha", "--data", data, **python)  # it is written anew
    assert "good" in senteval("data", "verify", "mteb:Alpha", "--data", data)


def test_parts(data, folder, python):
    """Parts are one task, their mean; each text of a shared file is embedded once."""
    senteval("data", "fetch", "mteb:Epsilon", "--data", data, **python)
    senteval("run", "-q", "--data", data, "--encoder", "glove", "--set", f"vectors={VECTORS}", "--output", folder / "results",
             "--tasks", "mteb:Epsilon", "--json", folder / "run.json")
    results = [one["document"] for one in json.loads((folder / "run.json").read_text())["results"]]
    assert [one["run"]["sentences_encoded"] for one in results] == [4, 2, 0], results
    assert not list((folder / "results").glob(".vectors*"))
    f1 = [one["metrics"]["f1"] for one in results]

    def compare(*words):
        cells = json.loads(senteval("compare", folder / "results", "--format", "json", *words))["cells"]
        return {one["task"]: one["value"] for one in cells}

    both = compare()
    assert sorted(both) == ["Alpha", "Beta", "Delta", "Epsilon", "Gamma"], both
    assert abs(both["Epsilon"] - sum(f1) / 3) < 1e-9, (both, f1)
    by_part = compare("--parts", "--tasks", "mteb:Epsilon")
    assert by_part == {"Epsilon-a-b-test": f1[0], "Epsilon-a-c-test": f1[1], "Epsilon-b-c-test": f1[2]}, by_part
    assert list(compare("--tasks", "Epsilon/a-b*")) == ["Epsilon (a-b/test)"]
    assert len(list(senteval("results", folder / "results", "--tasks", "Beta").splitlines())) == 4


def test_own_tasks(folder, python):
    """Tasks of a Python file are known by what was fetched."""
    data, file = folder / "user", folder / "own_tasks.py"
    file.write_text(USER)
    fetch = ["data", "fetch", file, "--data", data]
    assert "MockUser: 2 parts" in senteval(*fetch, "--dry-run", **python) and not data.exists()
    senteval(*fetch, **python)
    for name in ("mteb:MockUser", "mteb:Mock*"):
        listed = json.loads(senteval("tasks", name, "--json", "--data", data))
        assert [(one["name"], one["parts"], one["present"]) for one in listed] == [("MockUser", 2, 2)], listed
        assert "data present" in senteval("data", "fetch", name, "--dry-run", "--data", data)
        assert "good" in senteval("data", "verify", name, "--data", data)
    senteval("run", "-q", "--data", data, "--encoder", "glove", "--set", f"vectors={VECTORS}", "--output", folder / "ran",
             "--tasks", "mteb:Mock*")
    senteval("export", folder / "ran", "--output", folder / "left")
    assert "not known" in senteval("import", folder / "left", "--output", folder / "back", code=2)
    senteval("import", folder / "left", "--data", data, "--output", folder / "back")
    cells = [json.loads(senteval("compare", folder / store, "--format", "json"))["cells"] for store in ("ran", "back")]
    assert [[(one["task"], round(one["value"], 6)) for one in some] for some in cells] == 2 * [
        [("MockUser", round(cells[0][0]["value"], 6))]], cells
    for bad, why in (("TASKS = 3", "no list TASKS"), ("", "no list TASKS"), ("TASKS = [3]", "has 3, which is no task"),
                     ("import mteb; TASKS = [mteb.Alpha]", "which is no task object"), ("x = ", "invalid syntax")):
        file.write_text(bad)
        said = senteval(*fetch, code=1, **python)
        assert why in said and "Traceback" not in said, said


def test_parquet(folder, python):
    rows = [json.dumps({"text": f"text {at}", "label": at % 2}) for at in range(8)]
    (folder / "one.jsonl").write_text("\n".join(rows))
    (folder / "one.parquet").write_text("\n".join(["PAR1", *rows]))
    words = ["--text", "text", "--label", "label"]
    lines = senteval("inspect", folder / "one.jsonl", *words)
    assert lines.replace("one.jsonl", "one.parquet") == senteval("inspect", folder / "one.parquet", *words, **python)
    said = senteval("inspect", folder / "one.parquet", code=2, **{**python, "PYTHONPATH": folder / "without"})
    assert "pip install pyarrow" in said and "one.parquet" in said, said
    (folder / "one.parquet").write_text("PAR1\n{")
    assert "one.parquet cannot be read as Parquet" in senteval("inspect", folder / "one.parquet", code=2, **python)
    inside = folder / "datasets--mteb--banking77/snapshots/abc/data"
    inside.mkdir(parents=True)
    (inside / "train-00000-of-00002.parquet").write_text("\n".join(["PAR1", *rows[:3]]))
    (inside / "train-00001-of-00002.parquet").write_text("\n".join(["PAR1", *rows[3:]]))
    (inside / "test-00000-of-00001.parquet").write_text("\n".join(["PAR1", *rows]))
    said = senteval("inspect", folder / "datasets--mteb--banking77", **python)
    assert "Banking77Classification (few-shot): train 8, test 8" in said, said
    said = senteval("run", "--mteb", folder, "--encoder", "onehot", code=2)
    assert "hub's cache: give one of its folders, datasets--mteb--banking77" in said, said


def test_shared_parquet():
    """The program reads each file as its rows as JSON lines."""
    files = sorted(SHARED.glob("reference/mteb_tasks/parquet/[0b]*.parquet"))
    python = os.environ.get("SENTEVAL_PYTHON", sys.executable)
    if not files or subprocess.run([python, "-c", "import pyarrow.parquet"], capture_output=True).returncode:
        print("skipped: needs the shared data (SENTEVAL_SHARED) and a Python with pyarrow (SENTEVAL_PYTHON)")
        return
    for file in files:
        is_bad = file.name.startswith("bad_")
        said = senteval("inspect", file, code=2 if is_bad else 0, SENTEVAL_PYTHON=python)
        assert file.name in said, said
        if not is_bad:
            lines = file.with_suffix(".jsonl")
            assert said.replace(".parquet", ".jsonl") == senteval("inspect", lines), file
            script = (SOURCE / "framework/text/parquet_lines.py").read_text()
            done = subprocess.run([python, "-c", script, file], capture_output=True, text=True, check=True)
            assert [json.loads(one) for one in done.stdout.split("\n") if one] == \
                [json.loads(one) for one in lines.read_text().split("\n") if one], file


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        python = stand_in(folder)
        data = folder / "data"
        data.mkdir()
        test_catalogue(data)
        test_fetch(data, python)
        test_run(data, folder, python)
        test_parts(data, folder, python)
        test_own_tasks(folder, python)
        test_parquet(folder, python)
    test_shared_parquet()


if __name__ == "__main__":
    main()
