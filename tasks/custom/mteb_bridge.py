"""Tasks of MTEB as files: `senteval data fetch mteb:NAME` runs this with a Python that has the package mteb.

mteb_bridge.py DATA SUBSETS SPLITS NAME...   names of tasks, of benchmarks, of Python files whose list TASKS has tasks

Only says what there is where DATA is empty. Writes DATA/mteb/TASK/SUBSET/SPLIT/*.jsonl and DATA/mteb/TASK/mteb.json: the keys of a [[task]] for each part, what they
were made from, and the checksums. SUBSETS and SPLITS are lists with commas; empty: all."""
import hashlib
import json
import os
import re
import shutil
import sys
import warnings

# What each class of tasks is here: protocol, keys by attribute with the value that holds where they are left out, and
# columns. The most derived class of a task that stands here counts.
TEXT = [("input_column_name", "first", "text"), ("label_column_name", "target", "label")]
SENTENCES = [("input_column_name", "first", "sentences"), ("label_column_name", "target", "labels")]
LEARNED = [("samples_per_label", "samples_per_label", 8), ("n_experiments", "experiments", 10)]
KINDS = {
    "AbsTaskRetrieval": ("search", [("k_values", "cutoffs", [1, 3, 5, 10, 20, 100, 1000]), ("ignore_identical_ids",
                         "ignore_identical_ids", False), ("skip_first_result", "skip_first_result", False)], []),
    "AbsTaskMultilabelClassification": ("multilabel", LEARNED, TEXT),
    "AbsTaskClassification": ("few-shot", LEARNED, TEXT),
    "AbsTaskClustering": ("clustering", [("max_document_to_embed", "max_documents", None), ("max_depth", "levels", None), (
        "max_documents_per_cluster", "cluster_size", 16384), ("n_clusters", "clusterings", 10)], SENTENCES),
    "AbsTaskClusteringLegacy": ("clustering", [], SENTENCES),
    "AbsTaskPairClassification": ("pair-threshold", [], [("input1_column_name", "first", "sentence1"), (
        "input2_column_name", "second", "sentence2"), ("label_column_name", "target", "labels")]),
    "AbsTaskSTS": ("similarity", [], []),
    "AbsTaskSummarization": ("summarization", [], []),
    "AbsTaskBitextMining": ("bitext", [], []),
    "AbsTaskRegression": None, "AbsTaskZeroShotClassification": None, "AbsTaskAggregate": None, "AbsTask": None}
METRICS = {"few-shot": {"accuracy", "f1"}, "multilabel": {"accuracy", "f1"}, "bitext": {"f1"}, "sets": {"v_measure"},
           "pair-threshold": {"max_ap", "max_accuracy"}, "search": {"accuracy": "recall_at_1"},
           "summarization": {"cosine_spearman"}, "mteb": {"v_measure": "mteb.v_measure", "ami": "mteb.ami"},
           "similarity": {"cosine_spearman": "spearman", "cosine_pearson": "pearson"}}


class NotCovered(Exception):
    """Why there is no [[task]] that does the same."""


def kind_of(task):
    name = next(base.__name__ for base in type(task).__mro__ if base.__name__ in KINDS)
    if KINDS[name] is None:
        raise NotCovered(f"no protocol for tasks of type {task.metadata.type}")
    return name


def keys_of(task):
    """The keys of a [[task]] that differ from what holds without them, but for files and columns."""
    kind, main = kind_of(task), task.metadata.main_score
    protocol, attributes, _ = KINDS[kind]
    if "Deprecated" in getattr(getattr(task, "evaluator", None), "__name__", ""):
        raise NotCovered("MTEB's first evaluator of summaries, which mixes correlations with their p-values")
    keys = {"protocol": protocol}
    if protocol == "clustering":
        keys["sampling"] = "sets" if kind == "AbsTaskClusteringLegacy" else "mteb"
    for attribute, key, usual in attributes:
        value = getattr(task, attribute)
        value = list(value) if isinstance(value, tuple) else value
        if value != usual:
            keys[key] = value
    if kind == "AbsTaskClustering" and "max_documents" not in keys and task.max_fraction_of_documents_to_embed != 0.04:
        keys["max_fraction"] = float(task.max_fraction_of_documents_to_embed or 0)
    if getattr(task, "is_cross_validation", False):
        keys.pop("experiments", None)
        keys["folds"] = task.n_splits
    metrics = METRICS.get(keys.get("sampling", protocol), {})
    if main in metrics or protocol == "search" and re.fullmatch(r"(ndcg|map|mrr|recall|precision|hit_rate)_at_\d+", main):
        keys["metric"] = metrics.get(main, main) if isinstance(metrics, dict) else main
    return keys


def plain(value):
    """A label or score as JSON: True is 1 and 3.0 is 3, as classes of Python are."""
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    value = value.item() if hasattr(value, "item") else value
    return int(value) if isinstance(value, bool) or isinstance(value, float) and value.is_integer() else value


def rows_of(table):
    """The rows, read in batches."""
    for start in range(0, len(table), 1000):
        batch = table[start:start + 1000]
        yield from (dict(zip(batch, values)) for values in zip(*batch.values()))


def text_of(row, is_query):
    """What MTEB gives an encoder: title and text of a document, text and instruction of a query, the turns of a talk."""
    text, instruction = row["text"], row.get("instruction")
    if not is_query:
        return ((row.get("title") or "") + " " + text).strip()
    if isinstance(text, str):
        return text if instruction is None else f"{text} {instruction}"
    turns = "; ".join(turn if isinstance(turn, str) else f"{turn['role']}: {turn['content']}" for turn in text)
    return f"{instruction} {turns}" if "instruction" in row else turns


def tested_rows(task, table, split):
    """The rows that are tested: MTEB cuts large multilabel sets."""
    most = getattr(task, "max_eval_samples", None)
    if most is None or len(table) <= most:
        return table
    from datasets import DatasetDict
    from mteb.abstasks.abstask import _multilabel_subsampling
    return _multilabel_subsampling(DatasetDict({split: table}), seed=task.seed, splits=[split], label=task.label_column_name,
                                   n_samples=most)[split]


def levels_of(labels):
    """Lists of labels. MTEB marks a missing level by -1, which is a class like others where labels are texts."""
    labels = [list(one) if isinstance(one, (list, tuple)) else [one] for one in labels]
    depth = max(map(len, labels), default=0)
    if any(isinstance(label, str) for one in labels for label in one):
        return [one + ["-1"] * (depth - len(one)) for one in labels]
    for one in labels:
        while one and one[-1] == -1:
            one.pop()
    if any(label == -1 for one in labels for label in one):
        raise NotCovered("a text without a label at one level and with one below it")
    return plain(labels)


def write(folder, name, rows, written):
    """Writes a file, and what mteb.json says of it."""
    path, digest, count = os.path.join(folder, name), hashlib.sha256(), 0
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        for count, row in enumerate(rows, 1):
            line = (json.dumps(row, ensure_ascii=False) + "\n").encode("utf-8", "replace")
            digest.update(line)
            file.write(line)
    written[name] = {"sha256": digest.hexdigest(), "rows": count}
    return name


def files_of(task, split, subset, data, folder, written):
    """Writes the files of a part. Returns its keys that name files and fields."""
    table, kind = data[split], kind_of(task)
    protocol, _, columns = KINDS[kind]
    names = [getattr(task, attribute) for attribute, _, _ in columns]

    def put(name, rows):
        return write(folder, f"{subset}/{split}/{name}.jsonl", rows, written)

    if protocol in ("few-shot", "multilabel"):
        def labelled(rows):
            return ({"text": row[names[0]], "label": plain(row[names[1]])} for row in rows_of(rows))
        keys = {"test": put("test", labelled(tested_rows(task, table, split)))}
        return keys if task.is_cross_validation else {**keys, "train": put("train", labelled(data[task.train_split]))}
    if protocol == "clustering":
        labels = plain(list(table[names[1]])) if kind == "AbsTaskClusteringLegacy" else levels_of(table[names[1]])
        return {"test": put("test", ({"sentences": row[names[0]], "labels": one} for row, one in zip(rows_of(table), labels)))}
    if protocol == "pair-threshold":  # old sets have one row of lists
        pairs = zip(*(table[0][name] for name in names)) if len(table) == 1 else \
            ([row[name] for name in names] for row in rows_of(table))
        return {"test": put("test", ({"sentence1": a, "sentence2": b, "labels": int(label)} for a, b, label in pairs))}
    if protocol == "similarity":
        first, second = task.column_names
        return {"first": "sentence1", "second": "sentence2", "target": "score", "test": put("test", (
            {"sentence1": row[first], "sentence2": row[second], "score": plain(row["score"])} for row in rows_of(table)))}
    if protocol == "summarization":
        fields = {"text": task.text_column_name, "human_summaries": task.human_summaries_column_name,
                  "machine_summaries": task.machine_summaries_column_name, "relevance": task.relevancy_column_name}
        return {"test": put("test", ({field: row[name] for field, name in fields.items()} for row in rows_of(table)))}
    if protocol == "bitext":
        if "gold" in table.column_names:
            raise NotCovered("translations among sentences of which others have none")
        if not task.parallel_subsets:
            return {"test": put("test", ({"sentence1": row["sentence1"], "sentence2": row["sentence2"]} for row in rows_of(table)))}
        name, (first, second) = f"parallel/{split}/test.jsonl", subset.split("-")  # a column a language
        return {"test": name if name in written else write(folder, name, rows_of(table), written), "first": first, "second": second}
    judged, ranked, ids = table["relevant_docs"], table.get("top_ranked"), table["corpus"]["id"]
    if len(set(ids)) < len(ids):
        raise NotCovered("an id stands twice in the corpus")
    queries = table["queries"].select([at for at, query in enumerate(table["queries"]["id"]) if judged.get(query)])
    keys = {name: put(name, ({"_id": row["id"], "text": text_of(row, name == "queries")} for row in rows_of(rows)))
            for name, rows in (("corpus", table["corpus"]), ("queries", queries))}
    keys = {**keys, "judgements": put("qrels/test", (
        {"query-id": query, "corpus-id": document, "score": int(score)}
        for query in queries["id"] for document, score in judged[query].items()))}
    return {**keys, "protocol": "reranking", "candidates": put("top_ranked/test", (
        {"query-id": query, "corpus-ids": list(ranked[query])} for query in queries["id"] if query in ranked))} if ranked else keys


def drawn_of(task, data, split):
    """What MTEB draws for a part from the one random generator of a task: the key `earlier` of later parts."""
    if kind_of(task) == "AbsTaskMultilabelClassification":
        return [[len(data[task.train_split])]]
    if kind_of(task) != "AbsTaskClustering":
        return []
    labels = data[split][task.label_column_name]
    depth = max((len(one) if isinstance(one, (list, tuple)) else 1 for one in labels), default=0)
    return [[len(labels), min(depth, task.max_depth or depth)]]


def part_of(task, subset, split, folder, written, drawn):
    part, kind = {"subset": subset, "split": split, "main_score": task.metadata.main_score}, kind_of(task)
    is_whole = getattr(task, "parallel_subsets", False) or subset not in task.dataset
    try:
        data = task.dataset if is_whole else task.dataset[subset]
        part["keys"] = {**keys_of(task), **({"earlier": list(drawn)} if drawn else {}),
                        **files_of(task, split, subset, data, folder, written)}
    except NotCovered as why:
        part["left_out"] = str(why)
    drawn += drawn_of(task, data, split)
    if kind == "AbsTaskPairClassification" and (task.input1_prompt_type or task.input2_prompt_type):
        part["note"] = "MTEB gives the two sides the roles of query and document"
    return part


def fetched_parts(folder, revision):
    """The parts that a folder has at a revision, and whether all of its files are as they were written."""
    def is_written(name, known):
        digest = hashlib.sha256()
        try:
            with open(os.path.join(folder, name), "rb") as file:
                for block in iter(lambda: file.read(1 << 20), b""):
                    digest.update(block)
            return digest.hexdigest() == known["sha256"]
        except OSError:
            return False
    try:
        with open(os.path.join(folder, "mteb.json"), encoding="utf-8") as file:
            about = json.load(file)
        parts = [(part["subset"], part["split"]) for part in about["parts"] if about["revision"] == revision]
        return parts, all(is_written(*one) for one in about["files"].items())
    except (OSError, ValueError, KeyError):
        return [], False


def fetch(task, root, subsets, splits):
    """Writes a task. Returns what is to be said of it."""
    import mteb
    meta, revision = task.metadata, str(task.metadata.dataset.get("revision"))
    folder, beside, old = (os.path.join(root, "mteb", name) for name in (meta.name, f".{meta.name}.new", f".{meta.name}.old"))
    wanted = [(subset, split) for split in task.eval_splits if not splits or split in splits
              for subset in task.hf_subsets if not subsets or subset in subsets]
    if not wanted:
        raise ValueError(f"its subsets are {', '.join(task.hf_subsets)}, its splits {', '.join(task.eval_splits)}")
    if not root:
        keys_of(task)
        return f"{len(wanted)} part{'s' * (len(wanted) > 1)}, {meta.dataset.get('path')} at {revision}"
    there, is_whole = fetched_parts(folder, revision)
    if is_whole and set(wanted) <= set(there):
        return "present"
    all_subsets = list(task.hf_subsets)
    in_order = [(subset, split) for split in task.eval_splits for subset in all_subsets]  # as MTEB takes them
    wanted = [part for part in there if part not in in_order] + [part for part in in_order if part in there + wanted]
    keys_of(task)  # what is not covered is not downloaded
    task.hf_subsets = list(dict.fromkeys(subset for subset, _ in wanted))
    task.load_data()
    if hasattr(task, "convert_v1_dataset_format_to_v2"):
        task.convert_v1_dataset_format_to_v2(num_proc=None)
    for leftover in (beside, old):
        shutil.rmtree(leftover, ignore_errors=True)
    try:
        written, drawn = {}, []
        parts = [part_of(task, *part, beside, written, drawn) for part in wanted]
        left_out = [part["left_out"] for part in parts if "left_out" in part]
        if len(left_out) == len(parts):
            raise NotCovered(left_out[0])
        with open(os.path.join(beside, "mteb.json"), "w", encoding="utf-8") as file:
            json.dump({"task": meta.name, "type": meta.type, "mteb": mteb.__version__, "repository": str(meta.dataset.get("path")),
                       "revision": revision, "licence": meta.license, "languages": meta.eval_langs, "all_parts": len(in_order), "parts": parts, "files": written,
                       "prompt": meta.prompt or getattr(task, "abstask_prompt", None)}, file, indent=1, ensure_ascii=False)
        if os.path.exists(folder):
            os.rename(folder, old)
        os.rename(beside, folder)
    finally:
        for leftover in (beside, old):
            shutil.rmtree(leftover, ignore_errors=True)
    said = [f"{len(parts) - len(left_out)} of {len(parts)} parts, {sum(one['rows'] for one in written.values())} rows"]
    said += [f"it has no subset {one}" for one in subsets if one not in all_subsets]
    return "\n  ".join(said + [f"{part['subset']}/{part['split']}: {part.get('left_out') or part.get('note')}"
                               for part in parts if "left_out" in part or "note" in part])


def tasks_named(name):
    """Tasks, and those that a benchmark or a mean of tasks consists of."""
    import mteb
    if name.endswith(".py"):
        import runpy
        sys.path.insert(0, os.path.dirname(os.path.abspath(name)))
        named = runpy.run_path(name).get("TASKS")
        if not isinstance(named, (list, tuple)):
            raise ValueError("it has no list TASKS of task objects")
        for one in named:
            if isinstance(one, type) or not hasattr(one, "is_aggregate"):
                raise ValueError(f"its list TASKS has {one!r}, which is no task object of mteb")
    else:
        is_benchmark = any(name in (one.name, *(getattr(one, "aliases", None) or ())) for one in mteb.get_benchmarks())
        named = mteb.get_benchmark(name).tasks if is_benchmark else [mteb.get_task(name)]
    return [one for task in named for one in (task.tasks if task.is_aggregate else [task])]


def is_offline(problem):
    """Whether the hub could not be reached."""
    while problem is not None:
        if type(problem).__name__ in ("ConnectionError", "ConnectError", "ConnectTimeout", "OfflineModeIsEnabled"):
            return True
        problem = problem.__cause__ or problem.__context__
    return False


def main(root, subsets, splits, *names):
    failed = offline = False
    for name in names:
        try:
            tasks = tasks_named(name)
        except Exception as problem:  # a name, or a task, costs itself only
            print(f"{name}: FAILED: {problem}", flush=True)
            tasks, failed = [], True
        for task in tasks:
            try:
                said = fetch(task, root, subsets, splits)
            except NotCovered as why:
                said = f"left out: {why}"
            except Exception as problem:
                said, failed = f"FAILED: {type(problem).__name__}: {problem}", True
                if is_offline(problem):  # the others: from the hub's cache, or at once not
                    offline = True
                    setattr(sys.modules.get("huggingface_hub.constants", sys), "HF_HUB_OFFLINE", True)
            print(f"{task.metadata.name}: {said}", flush=True)
            task.dataset, task.data_loaded = None, False
    if offline:
        print("The hub cannot be reached from here. Look at the network (HTTPS_PROXY), or name a mirror (HF_ENDPOINT); or copy "
              "the set's folder of the hub's cache from another machine, and type: senteval run --mteb FOLDER", flush=True)
    return failed


if __name__ == "__main__":
    if sys.path[0] == "":  # a file of the working folder is no package
        del sys.path[0]
    warnings.filterwarnings("ignore")
    try:
        import mteb as _
    except ImportError as problem:
        print(f"{sys.executable} has no package mteb ({problem}). Type: {sys.executable} -m pip install mteb\n"
              "Or name the Python that has it: --python PATH", flush=True)
        sys.exit(2)
    sys.exit(main(sys.argv[1], *(list(filter(None, given.split(","))) for given in sys.argv[2:4]), *sys.argv[4:]))
