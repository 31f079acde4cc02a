#!/usr/bin/env python3
"""Writes catalogue.jsonl, the text tasks of MTEB's registry, for a Python with mteb: make_catalogue.py > catalogue.jsonl

A line is a task: what is left out is usual (split "test", subset "default", train split "train", loading "plain"). `keys` are those
of a [[task]]. `benchmarks` are names, or [name, subsets, splits] of one that takes a part. Of very many subsets their number is told. `tasks` are those whose
mean it is."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tasks/custom"))
import mteb
from mteb.abstasks import AbsTask
from mteb.abstasks.retrieval import AbsTaskRetrieval
from mteb_bridge import KINDS, NotCovered, keys_of, kind_of


def few(names):
    return names if len(names) <= 60 else len(names)


def loading(task):
    """Whether rows lie in the repository as they are tested: a query beside its instruction, a subset in its config, and
    draws that do not go on over parts."""

    def is_own(name):
        made = getattr(type(task), name, None)
        return made is not None and all(made is not getattr(base, name, None) for base in (AbsTask, AbsTaskRetrieval))

    is_drawn = len(task.hf_subsets) * len(task.eval_splits) > 1 and (
        hasattr(task, "max_fraction_of_documents_to_embed") or task.metadata.type == "MultilabelClassification")
    is_other = task.metadata.type.startswith("Instruction") or getattr(task, "fast_loading", False) or is_drawn
    return "code" if is_own("load_data") else "transform" if is_own("dataset_transform") or is_other else "plain"


def row_of(task, benchmarks):
    meta = task.metadata
    if task.is_aggregate:
        return {"name": meta.name, "type": meta.type, "tasks": [one.metadata.name for one in task.tasks]} | (
            {"benchmarks": benchmarks} if benchmarks else {})
    row = {"name": meta.name, "type": meta.type, "repository": meta.dataset["path"], "revision": meta.dataset["revision"]}
    try:
        row["keys"] = keys_of(task)
        for attribute, key, usual in KINDS[kind_of(task)][2]:
            if getattr(task, attribute) != usual:
                row["keys"][key] = getattr(task, attribute)
        if meta.type == "STS" and tuple(task.column_names) != ("sentence1", "sentence2"):
            row["keys"].update(zip(("first", "second"), task.column_names))
        if "metric" not in row["keys"]:
            row["main_score"] = meta.main_score
    except NotCovered as why:
        row["left_out"] = str(why)
    given = {"splits": (list(task.eval_splits), ["test"]), "subsets": (few(list(task.hf_subsets)), ["default"]),
             "train": (getattr(task, "train_split", "train"), "train"), "loading": (loading(task), "plain"),
             "public": (meta.is_public is not False, True), "languages": (few(meta.eval_langs), ["eng-Latn"]),
             "prompt": (meta.prompt or getattr(task, "abstask_prompt", None), None), "benchmarks": (benchmarks, [])}
    return row | {name: value for name, (value, usual) in given.items() if value != usual}


def main():
    tasks = {task.metadata.name: task for task in mteb.get_tasks(exclude_superseded=False, exclude_private=False,
                                                                 exclude_beta=False)
             if set(task.metadata.modalities) == {"text"}}
    benchmarks = {name: [] for name in tasks}
    for benchmark in sorted(mteb.get_benchmarks(), key=lambda one: one.name):
        for chosen in benchmark.tasks:
            whole = tasks.get(chosen.metadata.name)
            if whole is not None:
                parts = [[] if getattr(chosen, kind) == getattr(whole, kind) else few(list(getattr(chosen, kind)))
                         for kind in ("hf_subsets", "eval_splits")]
                benchmarks[chosen.metadata.name].append([benchmark.name, *parts] if any(parts) else benchmark.name)
    aliases = {alias: one.name for one in mteb.get_benchmarks() for alias in getattr(one, "aliases", None) or ()}
    for row in [{"mteb": mteb.__version__, "aliases": aliases}] + [row_of(tasks[name], benchmarks[name]) for name in sorted(tasks)]:
        print(json.dumps(row, ensure_ascii=False, separators=(",", ":")))


if __name__ == "__main__":
    main()
