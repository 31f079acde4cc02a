#!/usr/bin/env python3
"""mteb_figures_test.py BUILD -- every figure of the tasks after MTEB beside those of a plain implementation of MTEB.

The sets, the settings and the figures lie in the shared data (mteb_data/suite.json, reference/mteb.json); the vectors
are GloVe 6B 100-d as its vectors/get.sh --full writes them. Where one of them is missing the test is skipped.
"""

import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("SENTEVAL_SHARED", SOURCE.parent / "shared"))
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache"))
VECTORS = CACHE / "senteval-vectors" / "glove.6B.100d.txt"

ROWS = {  # of the suite, in the catalogue
    "clinc150": "CLINC150", "snips": "SNIPS", "agnews": "AGNews", "tweet_irony": "TweetIrony",
    "goemotions": "GoEmotions", "stackoverflow": "StackOverflowClustering", "clinc_clustering": "CLINCClustering",
    "stackoverflow_sets": "StackOverflowSets", "parade": "PARADE", "mrpc_pairs": "MRPCPairs",
    "stsb": "STSBenchmarkRaw", "tatoeba_deu": "TatoebaGerman", "tatoeba_fra": "TatoebaFrench",
    "tatoeba_rus": "TatoebaRussian", "tatoeba_ara": "TatoebaArabic", "tatoeba_cmn": "TatoebaChinese",
    "tatoeba_jpn": "TatoebaJapanese", "tatoeba_hin": "TatoebaHindi", "adi": "ADI", "cranfield": "Cranfield",
    "medline": "Medline", "cisi": "CISI", "wikiqa": "WikiQA", "trecqa": "TrecQA", "summeval_op": "SummEvalOp"}

OWN = {  # the others: keys of a [[task]]; files are relative to the data
    "clinc150_16": {"protocol": "few-shot", "train": "clinc150/train.jsonl", "test": "clinc150/test.jsonl",
                    "samples_per_label": 16, "experiments": 5},
    "snips_cv": {"protocol": "few-shot", "test": "snips/test.jsonl", "folds": 5},
    "stackoverflow_2048": {"protocol": "clustering", "test": "stackoverflow/test.jsonl", "sampling": "mteb",
                           "max_documents": 2048},
    "clinc_clustering_all": {"protocol": "clustering", "test": "clinc_clustering/test.jsonl", "sampling": "mteb",
                             "max_fraction": 0, "cluster_size": 4096, "clusterings": 5, "levels": 1},
    "mrpc_mining": {"protocol": "bitext", "test": "mrpc_pairs/test.tsv"}}


def tolerance(kind, key):
    """By kind of task and figure. Differences have these causes, and no others are known:
    the reference sums similarities in float32, and the ranks of nearly tied pairs and documents follow; retrieval is
    printed there with five digits; where distances are equal, which neighbour votes and which cluster a row goes to is
    open."""
    one_of_several = "/" in key
    if kind in ("clustering", "clustering-legacy"):
        return .02 if one_of_several else .002
    if kind == "multilabel":
        return 1e-3
    if kind in ("retrieval", "reranking"):
        return 1e-5 if key.startswith("nauc") else 5.1e-6
    if kind in ("pair", "sts") and not key.startswith(("cosine", "manhattan", "euclidean", "dot")):
        return 2e-5
    return 1e-6


def run(program, folder, *words):
    command = [program, "run", "-q", "--encoder", "glove", "--set", f"vectors={VECTORS}", "--data",
               SHARED / "mteb_data", "--output", folder / "results", *words]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"exit code {done.returncode} of {command}:\n{done.stderr}")


def results(program, folder):
    """Documents by task."""
    data = SHARED / "mteb_data"
    text = ""
    for name, keys in OWN.items():
        text += f'[[task]]\nname = "{name}"\n'
        for key, value in keys.items():
            value = str(data / value) if key in ("train", "test") else value
            text += f"{key} = {json.dumps(value)}\n"
    run_file = folder / "own.toml"
    run_file.write_text(text)
    run(program, folder, "--tasks", *ROWS.values(), *OWN, "--", run_file)
    found = {}
    for path in (folder / "results").glob("*/*.json"):
        document = json.loads(path.read_text())
        found[document["task"]["name"]] = document
    return found


def flat(value, path=""):
    """Figures by their path, such as scores_per_experiment/0/f1."""
    if isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        return {k: v for key, one in items for k, v in flat(one, f"{path}/{key}").items()}
    return {path[1:]: value}


def ours(documents, name, kind):
    """Our figures under the keys of the reference, as shares."""
    document = documents[name]
    metrics, details = document["metrics"], document["details"]
    figures = {key: value / 100 for key, value in metrics.items() if isinstance(value, float)}
    if kind == "sts":
        figures = {key: metrics[key] for key in ("pearson", "spearman")}
    if kind == "summarization":
        figures = {key: value for key, value in metrics.items() if isinstance(value, float)}
        figures.update({key: figures["cosine_" + key] for key in ("pearson", "spearman")})
    if kind == "bitext":
        figures["recall"] = figures["accuracy"]
    if kind in ("retrieval", "reranking"):
        figures["accuracy"] = figures["recall_at_1"]
    figures.update(metrics.get("mteb", {}))
    for i, experiment in enumerate(details.get("experiments", [])):
        figures.update({f"scores_per_experiment/{i}/{key}": value / 100 for key, value in experiment.items()})
    for key in ("v_measures", "ami_scores"):
        for i, value in enumerate(details.get(key, [])):
            figures[f"{key}/{i}"] = value
    return figures


def main():
    reference = SHARED / "reference" / "mteb.json"
    for needed in (reference, SHARED / "mteb_data" / "suite.json", VECTORS):
        if not needed.exists():
            print(f"skipped: there is no {needed}")
            return
    reference = json.loads(reference.read_text())
    if hashlib.sha256(VECTORS.read_bytes()).hexdigest() != reference["vectors"]["sha256"]:
        print(f"skipped: {VECTORS} is not the file of the reference")
        return
    program = os.environ.get("SENTEVAL_PROGRAM") or pathlib.Path(sys.argv[1]) / "senteval"
    with tempfile.TemporaryDirectory() as folder:
        documents = results(program, pathlib.Path(folder))
        subprocess.run([program, "export", "--format", "mteb", folder + "/results", "-o", folder + "/mteb"], check=True,
                       stdout=subprocess.DEVNULL)
        files = sorted(pathlib.Path(folder).glob("mteb/**/*.json"))
        exported = {path.stem: json.loads(path.read_text()) for path in files}
    compared, beyond, wrong = 0, 0, []
    for name, task in reference["tasks"].items():
        kind, scores = task["type"], task["scores"]
        figures = ours(documents, ROWS.get(name, name), kind)
        figures["main_score"] = figures[task["main"]]
        if kind != "summarization":  # whose means it has by other names
            has = flat(exported[ROWS.get(name, name)]["scores"]["test"][0])
            wrong += [f"{name} {key} is not exported" for key, value in flat(scores).items()
                      if value is not None and key not in has]
        for key in ("v_measures", "ami_scores"):  # by level there, one after the other here
            if isinstance(scores.get(key), dict):
                scores[key] = [value for level in scores[key].values() for value in level]
        greatest = (0, "")
        for key, expected in flat(scores).items():
            found = figures.get(key)
            if expected is None:  # NaN there
                if found is not None:
                    wrong.append(f"{name} {key}: {found}, should have no value")
                continue
            compared += 1
            if found is None:
                wrong.append(f"{name} {key} is missing")
                continue
            difference = abs(found - expected)
            greatest = max(greatest, (difference, key))
            beyond += difference > 5.1e-6
            if not difference <= tolerance(kind, key):
                wrong.append(f"{name} {key}: {found}, should be {expected}")
        print(f"{name:21} {len(flat(scores)):4} figures, the greatest difference {greatest[0]:.1e} {greatest[1]}")
    print(f"{compared} figures, {beyond} differ by more than 5.1e-6, {len(wrong)} by more than is allowed")
    if wrong or compared == 0:
        sys.exit("\n".join(wrong[:40]) or "no figure")


if __name__ == "__main__":
    main()
