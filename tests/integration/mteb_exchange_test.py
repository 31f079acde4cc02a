#!/usr/bin/env python3
"""mteb_exchange_test.py BUILD -- results leave as files that mteb loads beside its own, and come back. What the files say is
always tried; that mteb loads them, where the Python that SENTEVAL_MTEB_PYTHON names (python3) has it."""
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
VECTORS = SOURCE / "data/samples/vectors/sample.50d.txt"
PROGRAM = os.environ.get("SENTEVAL_PROGRAM") or pathlib.Path(sys.argv[1]) / "senteval"
PYTHON = os.environ.get("SENTEVAL_MTEB_PYTHON", "python3")
REVISION = "0123456789abcdef0123456789abcdef01234567"
LANGUAGES = {"en": ["eng-Latn"], "de-en": ["deu-Latn", "eng-Latn"]}
# Loads our files beside one that mteb itself writes, and prints what it makes of them.
LOAD = '''
import json, pathlib, sys
import mteb
from mteb.cache import ResultCache
from mteb.results import TaskResult
ours, cache = map(pathlib.Path, sys.argv[1:])
own = cache / "results" / "own__model" / "1"
own.mkdir(parents=True)
(own / "model_meta.json").write_text(json.dumps({"name": "own/model", "revision": "1"}))
for name in ("STS22.v2", "Banking77Classification"):
    task = mteb.get_task(name)
    scores = {split: {subset: {"main_score": 0.5} for subset in task.hf_subsets} for split in task.eval_splits}
    TaskResult.from_task_results(task, scores, evaluation_time=1).to_disk(own / (name + ".json"))
(cache / "results" / ours.name).symlink_to(ours)
for file in ours.glob("*/*.json"):
    if file.name != "model_meta.json":
        TaskResult.from_disk(file, load_historic_data=False)
all = ResultCache(cache).load_results(validate_and_filter=False)
said = {model.model_name: {one.task_name: {
    "score": one.get_score(), "languages": sorted(one.languages), "subsets": sorted(one.hf_subsets), "splits": sorted(one.eval_splits),
    "revision": one.dataset_revision, "version": one.mteb_version} for one in model.task_results} for model in all.model_results}
frame = all.to_dataframe(format="wide")
print(json.dumps({"said": said, "columns": sorted(map(str, frame.columns))}))
'''


def senteval(*words, code=0):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


def write_rows(file, rows):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))


def about(task, keys, parts, **other):
    return {"task": task, "mteb": "2.26.24", "revision": REVISION, "files": {}, "parts": [
        {"subset": subset, "split": split, "main_score": "accuracy" if "train" in keys else "cosine_spearman",
         "keys": {**keys, "test": f"{subset}/{split}/test.jsonl"}}
        for subset, split in parts], **other}


def fetched(data):
    """Tasks as `data fetch` writes them."""
    words = ["good red film", "bad blue day", "a red day", "the good film", "one bad thing", "blue and red"]
    pairs = [{"sentence1": one, "sentence2": other, "score": float(at % 6)} for at, (one, other) in
             enumerate((one, other) for one in words for other in words if one != other)]
    sts = data / "mteb/STS22.v2"
    for subset in LANGUAGES:
        write_rows(sts / subset / "test/test.jsonl", pairs if subset == "en" else pairs[::2])
    (sts / "mteb.json").write_text(json.dumps(about("STS22.v2", {
        "protocol": "similarity", "metric": "spearman", "first": "sentence1", "second": "sentence2", "target": "score"},
        [(subset, "test") for subset in LANGUAGES], languages=LANGUAGES, type="STS", prompt="match")))
    banking = data / "mteb/Banking77Classification"
    rows = [{"text": f"{one} {number}", "label": at % 2} for number in range(10) for at, one in enumerate(words)]
    for name in ("train", "test"):
        write_rows(banking / f"default/test/{name}.jsonl", rows)
    (banking / "mteb.json").write_text(json.dumps(about("Banking77Classification", {
        "protocol": "few-shot", "metric": "accuracy", "train": "default/test/train.jsonl"}, [("default", "test")],
        languages=["eng-Latn"])))


def hub_folder(folder):
    """A snapshot of the hub's cache."""
    inside = folder / f"datasets--mteb--biosses-sts/snapshots/{REVISION}"
    write_rows(inside / "test.jsonl", [
        {"sentence1": one, "sentence2": other, "score": at + .5} for at, (one, other) in enumerate((
            ("good red film", "blue film"), ("a bad day", "a good day"), ("one thing", "the bad film"), ("red", "blue")))])
    return inside.parent.parent


def test_files(folder, ours):
    files = {file.name: json.loads(file.read_text()) for file in ours.glob("*/*.json")}
    assert sorted(files) == ["BIOSSES.json", "Banking77Classification.json", "STS22.v2.json", "model_meta.json"], sorted(files)
    sts, banking, hub = (files[name + ".json"] for name in ("STS22.v2", "Banking77Classification", "BIOSSES"))
    for file in (sts, banking):
        assert (file["dataset_revision"], file["mteb_version"]) == (REVISION, "2.26.24"), file
    assert (hub["dataset_revision"], hub["mteb_version"]) == (REVISION, None)
    assert list(sts["scores"]) == list(banking["scores"]) == list(hub["scores"]) == ["test"]
    assert {part["hf_subset"]: part["languages"] for part in sts["scores"]["test"]} == LANGUAGES
    assert [part["hf_subset"] for part in banking["scores"]["test"] + hub["scores"]["test"]] == ["default", "default"]
    assert [part["languages"] for part in hub["scores"]["test"]] == [["eng-Latn"]]
    assert banking["scores"]["test"][0]["main_score"] == banking["scores"]["test"][0]["accuracy"]
    values = json.loads((folder / "run.json").read_text())["results"]
    scores = {one["task"]: one["document"]["metrics"] for one in values}
    for part in sts["scores"]["test"]:
        assert abs(part["main_score"] - scores[f"STS22.v2-{part['hf_subset']}-test"]["spearman"]) < 1e-6, part
    return files


def test_import(folder, ours):
    """What was exported comes back with the same numbers, beside an old file of another model."""
    old = folder / "old/two__b/9"
    old.mkdir(parents=True)
    (old / "STS22.v2.json").write_text(json.dumps({
        "mteb_dataset_name": "STS22.v2", "mteb_version": "1.0.0", "dataset_revision": "x",
        "test": {"en": {"cos_sim": {"pearson": .5, "spearman": .75}}, "evaluation_time": 3}}))
    shutil.copytree(ours, folder / "old" / ours.name)
    said = senteval("import", folder / "old", "-o", folder / "imported")
    assert "5 results of 2 encoders" in said, said
    table = json.loads(senteval("compare", folder / "imported", "--format", "json", "--across-tasks"))
    assert "across_tasks" in table
    values = {}
    for file in (folder / "imported").glob("*/*.json"):
        result = json.loads(file.read_text())
        values[result["encoder"]["label"], result["task"]["name"]] = result["metrics"]
    assert values["two/b", "STS22.v2-en-test"]["spearman"] == .75, values
    there = json.loads((ours.glob("*/STS22.v2.json").__next__()).read_text())["scores"]["test"]
    for part in there:
        assert abs(values["glove", f"STS22.v2-{part['hf_subset']}-test"]["spearman"] - part["main_score"]) < 1e-6


def test_names(folder):
    """A result of MTEB's stands in the column of the task that a run has."""
    data, theirs = folder / "sts", folder / "theirs/three__c/1"
    write_rows(data / "mteb/STS12/default/test/test.jsonl", [
        {"sentence1": one, "sentence2": other, "score": at} for at, (one, other) in enumerate((
            ("good red film", "blue film"), ("a bad day", "a good day"), ("one thing", "the bad film"), ("red", "red day")))])
    (data / "mteb/STS12/mteb.json").write_text(json.dumps(about("STS12", {
        "protocol": "similarity", "metric": "spearman", "first": "sentence1", "second": "sentence2", "target": "score"},
        [("default", "test")])))
    store = folder / "named"
    senteval("run", "-q", "--data", data, "--tasks", "mteb:STS12", "--encoder", "glove", "--set", f"vectors={VECTORS}", "--output", store)
    theirs.mkdir(parents=True)
    (theirs / "STS12.json").write_text(json.dumps({"task_name": "STS12", "dataset_revision": "x", "scores": {"test": [
        {"hf_subset": "default", "languages": ["eng-Latn"], "main_score": .75, "cosine_spearman": .75, "cosine_pearson": .5}]}}))
    senteval("import", folder / "theirs", "--output", store)
    table = json.loads(senteval("compare", store, "--format", "json"))
    cells = {(one["encoder"], one["task"], one["metric"]): one["value"] for one in table["cells"]}
    assert sorted(cells) == [("glove", "STS12-mteb", "spearman"), ("three/c", "STS12-mteb", "spearman")], cells
    assert cells["three/c", "STS12-mteb", "spearman"] == .75


def test_mean(folder):
    """A mean of tasks is of those that are stored, and comes back."""
    name = "SynPerChatbotConvSAClassification"
    data, store = folder / "members", folder / "mean"
    members = json.loads(senteval("tasks", "mteb:" + name, "--json"))[0]["tasks"]
    for number, task in enumerate(members):
        rows = [{"text": f"{word} {at}", "label": (at + (at < number)) % 2} for at in range(20) for word in ("good red", "bad blue")]
        for part in ("train", "test"):
            write_rows(data / f"mteb/{task}/default/test/{part}.jsonl", rows)
        (data / f"mteb/{task}/mteb.json").write_text(json.dumps(about(task, {
            "protocol": "few-shot", "metric": "accuracy", "train": "default/test/train.jsonl"}, [("default", "test")],
            languages=["fas-Arab"])))

    def run(task):
        senteval("run", "-q", "--data", data, "--tasks", "mteb:" + task, "--encoder", "glove", "--set", f"vectors={VECTORS}",
                 "--output", store, "--json", folder / "run.json")
        return {file: file.stat().st_mtime_ns for file in store.glob("*/*.json")}

    def mean(results):
        cells = json.loads(senteval("compare", results, "--format", "json", "--tasks", "mteb:" + name))["cells"]
        assert [one["task"] for one in cells] == [name], cells
        return cells[0]["value"]

    first = run(members[0])
    assert first.items() <= run(name).items()
    values = [one["document"]["metrics"]["accuracy"] for one in json.loads((folder / "run.json").read_text())["results"]]
    assert len(values) == 9 and len(set(values)) > 1 and abs(mean(store) - sum(values) / 9) < 1e-9, values
    assert mean(store) == json.loads(senteval("compare", store, "--format", "json", "--tasks", name))["cells"][0]["value"]
    senteval("export", store, "--output", folder / "left")
    ours = next((folder / "left").iterdir())
    whole = json.loads(next(ours.glob(f"*/{name}.json")).read_text())
    assert abs(whole["scores"]["test"][0]["main_score"] - sum(values) / 900) < 1e-6, whole
    senteval("import", folder / "left", "--output", folder / "all")
    assert abs(mean(folder / "all") - mean(store)) < 1e-3
    for file in ours.glob("*/SynPer*.json"):
        if file.stem != name:
            file.rename(folder / file.name)
    senteval("import", folder / "left", "--output", folder / "alone")
    assert abs(mean(folder / "alone") - mean(store)) < 1e-3
    cells = json.loads(senteval("compare", store, folder / "alone", "--format", "json"))["cells"]
    assert {one["task"] for one in cells} == {name} and len(cells) == 2, cells
    if not has_mteb():
        return
    done = subprocess.run([PYTHON, "-W", "ignore", "-c", """
import mteb, pathlib, sys
from mteb.results import TaskResult
*members, whole = (TaskResult.from_disk(pathlib.Path(file), load_historic_data=False) for file in sys.argv[2:])
print(mteb.get_task(sys.argv[1]).combine_task_results(members).get_score(), whole.get_score())""",
        name, *(folder / (task + ".json") for task in members), next(ours.glob(f"*/{name}.json"))],
        capture_output=True, text=True, check=False, env={**os.environ, "HF_HUB_OFFLINE": "1"})
    assert done.returncode == 0, done.stderr
    theirs, own = map(float, done.stdout.split()[-2:])
    assert abs(theirs - own) < 1e-6, done


def has_mteb():
    return subprocess.run([PYTHON, "-c", "import mteb"], capture_output=True, check=False).returncode == 0


def test_mteb(folder, ours, files):
    if not has_mteb():
        print(f"skipped: {PYTHON} has no mteb (SENTEVAL_MTEB_PYTHON)")
        return
    done = subprocess.run([PYTHON, "-c", LOAD, ours, folder / "cache"], capture_output=True, text=True, check=False,
                          env={**os.environ, "HF_HUB_OFFLINE": "1"})
    assert done.returncode == 0, done.stderr
    loaded = json.loads(done.stdout.splitlines()[-1])
    said = loaded["said"]
    assert sorted(said) == ["glove", "own/model"], said
    sts = said["glove"]["STS22.v2"]
    scores = [part["main_score"] for part in files["STS22.v2.json"]["scores"]["test"]]
    assert abs(sts.pop("score") - sum(scores) / len(scores)) < 1e-9
    assert sts == {"languages": ["deu", "eng"], "subsets": ["de-en", "en"], "splits": ["test"], "revision": REVISION,
                   "version": "2.26.24"}, sts
    assert said["own/model"]["STS22.v2"]["score"] == .5
    assert any("glove" in column for column in loaded["columns"]), loaded["columns"]


def test_prompts(folder, data):
    """What an encoder with a template is given, and what the cells say of it."""
    script = folder / "heard.py"
    script.write_text(f"""import sys
sys.path.insert(0, {str(SOURCE / "sdk/clients/python")!r})
from senteval_client import serve
def encode(texts):
    with open(sys.argv[1], "a") as heard:
        heard.writelines(text + "\\n" for text in texts)
    return [[float(len(text)), float(sum(text.encode()) % 97)] for text in texts]
serve(encode, name="heard", version="1", dimension=2)
""")

    def heard(*words):
        (folder / "heard").write_text("")
        senteval("run", "-q", "--data", data, "--tasks", "mteb:STS22.v2", "--encoder", "process", "--set",
                 f"command={sys.executable} {script} {folder / 'heard'}", "--output", folder / "prompted", *words)
        documents = [json.loads(file.read_text()) for file in (folder / "prompted").glob("*/*.json")]
        return set((folder / "heard").read_text().splitlines()), [
            one["protocol"]["settings"].get("prompts") for one in documents]

    template = ["--set", "instruction=Do {instruction}: "]
    plain, _ = heard("--no-prompts", *template)
    prompted, prompts = heard(*template)
    assert {"Do match: " + text for text in ("good red film", "blue and red")} <= prompted, prompted
    assert sorted(map(str, prompts)) == ["None"] * 2 + [str({"text": "Do match: ", "query": "Do match: "})] * 2, prompts
    assert not any("Do match" in text for text in plain)

    # The prompts of a model's folder are off, too, unless they are set.
    model = folder / "model"
    words = ["[UNK]", "[CLS]", "[SEP]", "good", "bad"]
    weights = struct.pack("<10f", 0, 0, 0, 0, 0, 0, 3, 4, 5, -2)
    header = json.dumps({"embedding.weight": {"dtype": "F32", "shape": [5, 2], "data_offsets": [0, len(weights)]}}).encode()
    write_rows(model / "0_StaticEmbedding/tokenizer.json", [{
        "added_tokens": [], "normalizer": {"type": "BertNormalizer", "lowercase": True}, "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": None,
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "vocab": {word: at for at, word in enumerate(words)}}}])
    (model / "0_StaticEmbedding/model.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + weights)
    (model / "modules.json").write_text(json.dumps([{"path": "0_StaticEmbedding", "type": "sentence_transformers.models.StaticEmbedding"}]))

    def score(name, *words, default="none"):
        (model / "config_sentence_transformers.json").write_text(json.dumps({"prompts": {"d": "bad bad "}, "default_prompt_name": default}))
        senteval("run", "-q", "--data", data, "--tasks", "mteb:STS22.v2", "--encoder", model, *words, "--output", folder / name)
        return [json.loads(file.read_text())["metrics"]["pearson"] for file in sorted((folder / name).glob("*/*.json"))]

    own = ["--set", "prompt_name=d"]
    bare = score("bare")
    assert bare == score("off", "--no-prompts", default="d") != score("on", default="d") == score("set", "--no-prompts", *own)


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        data = folder / "data"
        fetched(data)
        senteval("run", "-q", "--data", data, "--encoder", "glove", "--set", f"vectors={VECTORS}", "--mteb", hub_folder(folder),
                 "--tasks", "mteb:STS22.v2,mteb:Banking77Classification,BIOSSES", "--output", folder / "results",
                 "--json", folder / "run.json")
        senteval("export", folder / "results", "--format", "mteb", "--output", folder / "mteb")
        ours = next((folder / "mteb").iterdir())
        files = test_files(folder, ours)
        test_import(folder, ours)
        test_names(folder)
        test_mean(folder)
        test_mteb(folder, ours, files)
        test_prompts(folder, data)


if __name__ == "__main__":
    main()
