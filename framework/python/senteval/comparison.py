"""Models of Python, folders and the program's own encoders under one verdict."""
import csv
import html
import json
import os
import re
import shutil
import sys
import tempfile
import weakref
from collections.abc import Mapping

from senteval.encoding import Error, Reranker, WholeSentences, is_reranker, parameters
from senteval.program import Model, Serving, options_of, output

COLUMNS = [("text", "label"), ("sentence1", "sentence2", "score"), ("sentence1", "sentence2", "label")]


class Bundled:
    """An encoder that the program makes: one of its own, a library, a model's folder."""

    def __init__(self, name, **settings):
        self.arguments = ["--encoder", os.fspath(name)]
        for key, value in settings.items():
            for one in value if isinstance(value, (list, tuple)) else [value]:
                self.arguments += ["--set", f"{key}={str(one).lower() if isinstance(one, bool) else one}"]


def encoder(name, **settings):
    """An encoder of the program and its parameters: encoder("glove", vectors="glove.txt")."""
    return Bundled(name, **settings)


def served(thing, label):
    """An object with encode (and encode_query, encode_document), or a function of a list of str, as the program asks it;
    an object with predict or rank is a reranker."""
    encode = getattr(thing, "encode", None) or getattr(thing, "encode_document", None) or thing
    if encode is thing and not isinstance(thing, type) and is_reranker(thing):
        return Model(Reranker(parameters({}), thing, f"'{label}'"), label, "1", prepare_matters=True)
    if isinstance(thing, type) or not callable(encode):
        raise Error(f"'{label}' is {thing!r}: a model is an object with encode(sentences), a function, a folder, or "
                    "senteval.encoder(...)")
    by_role = {role: getattr(thing, "encode_" + role, None) for role in ("query", "document")}
    model = WholeSentences(parameters({}), encode, f"encode() of '{label}'",
                           {role: found for role, found in by_role.items() if callable(found)})
    said = getattr(thing, "similarity_fn_name", None)
    model.similarity = said if isinstance(said, str) else None
    return Model(model, label, "1", prepare_matters=False)


def columns_of(path):
    """The options of `senteval inspect` for a file whose columns have the usual names."""
    with open(path, encoding="utf-8-sig", errors="replace", newline="") as file:
        first = file.readline()
    if path.endswith((".json", ".jsonl")):
        names = list(json.loads(first))
    else:
        names = next(csv.reader([first], delimiter="\t" if path.endswith(".tsv") else ","))
    for columns in COLUMNS:
        if set(columns) <= set(names):
            texts = [("--text", columns[0]), ("--text2", columns[1])][:len(columns) - 1]
            return [word for pair in [*texts, ("--" + columns[-1], columns[-1])] for word in pair]
    raise Error(f"{path} has the columns {', '.join(names)}: `senteval inspect {path} --text NAME --label NAME` prints "
                "its [[task]] for a run file, which is a task here, too")


def described(tasks, scratch):
    """Tasks as arguments of runs: one for names and files, one for each folder."""
    names, run_files, folders, files = [], [], [], {}
    tasks = [tasks] if isinstance(tasks, (str, os.PathLike)) else list(tasks)
    if not tasks:
        raise Error("there is no task: name some, or give a file or folder of your own")
    for one in map(os.fspath, tasks):
        if os.path.isdir(one):
            folders.append(one)
        elif one.endswith(".toml"):
            run_files.append(one)
        elif os.path.isfile(one):
            printed = output("inspect", os.path.abspath(one), *columns_of(one))
            name = re.search('^name = "(.*)"', printed, re.M)[1]
            if files.setdefault(name, one) != one:
                raise Error(f"{files[name]} and {one} are both a task '{name}': rename one")
            run_files.append(os.path.join(scratch, f"{len(run_files)}.toml"))
            with open(run_files[-1], "w", encoding="utf-8") as file:
                file.write(printed[printed.index("[[task]]"):])
        elif os.sep in one or one.endswith((".csv", ".tsv", ".json", ".jsonl")):
            raise Error(f"there is no file or folder '{one}'")
        else:
            names.append(one)
    runs = [[one] for one in run_files] + [["--mteb", one] for one in folders]
    return runs + [["--tasks", ",".join(names)]] if names else runs


def bar(label):
    """Shows progress in a terminal and in a notebook."""
    shown = sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules)

    def show(done, total):
        if shown:
            filled = 20 * done // total
            print(f"\r{label}: {'#' * filled:20s} {done}/{total} ", end="\n" if done == total else "", file=sys.stderr)
    return show


def run(model, label, tasks, store, progress=None, **options):
    """Evaluates one model into a store. Returns the documents of the runs, one after the other."""
    entries = []
    with tempfile.TemporaryDirectory() as scratch:
        for arguments in described(tasks, scratch):
            is_path = isinstance(model, (str, os.PathLike))
            bundled = model if isinstance(model, Bundled) else Bundled(model) if is_path else None
            given = bundled.arguments if bundled else ["--encoder", "process", "--set", "command=-"]
            answers = None if bundled else served(model, label)
            with Serving([*given, "--label", label, *arguments, "--output", store, *options_of(options)], answers,
                         progress=progress) as running:
                document = running.serve()
            for failure in document["failures"]:
                raise Error(f"{label} on {failure['task']}: {failure['error']}")
            if not document["results"]:
                raise Error(document["printed"])
            entries += document["results"]
    return entries


def compare(models, tasks, data=None, output=None, **options):
    """Evaluates {label: model} on tasks and compares them.

    models      an object with encode (and encode_query, encode_document), a function of a list of str, a folder, or
                encoder(...)
    tasks       names, patterns and groups; folders of sets; CSV, TSV and JSON lines with text and label, or sentence1,
                sentence2 and score or label; run files
    data        the folder of the named datasets
    output      the store, where results that are there are kept; a folder of this process where it is not given. What is
                compared is what these models have on these tasks, not what else the store has
    options     of `senteval run`, such as seeds=5, variants=["int8"]
    """
    if not isinstance(models, dict) or not models or not all(isinstance(one, str) and one for one in models):
        raise Error("models are {label: model}, with at least one; a label is a text")
    own = tempfile.mkdtemp(prefix="senteval-")
    try:
        store = os.fspath(output) if output else own
        entries = [one for label, model in models.items()
                   for one in run(model, label, tasks, store, bar(label), data=data, **options)]
        if output:
            copy_results(entries, own)
        found = Comparison(own)
    except BaseException:
        shutil.rmtree(own)
        raise
    weakref.finalize(found, shutil.rmtree, own)
    return found


def copy_results(entries, store):
    """Puts results of runs into a store of their own, under the labels that the runs gave them."""
    for one in entries:
        folder, name = os.path.split(one["file"])
        folder = os.path.join(store, os.path.basename(folder))
        os.makedirs(folder, exist_ok=True)
        shutil.copy(one["file"][:-len(".json")] + ".items", folder)
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            json.dump(one["document"], file)


class Comparison(Mapping):
    """The results of a store, {label: row}: as text the verdict, in a notebook the table."""

    def __init__(self, store):
        self.store = os.fspath(store)
        self.document = json.loads(output("compare", self.store, "--format", "json"))
        self.cells = self.document["cells"]

    def __str__(self):
        return output("compare", self.store)

    __repr__ = __str__

    def _repr_html_(self):
        rows, rest = [], []
        for line in output("compare", self.store, "--format", "markdown").splitlines():
            if re.fullmatch(r"\|[:|-]+\|", line):
                continue
            line = html.escape(html.unescape(line), quote=False)  # Markdown has escaped some of it
            text = re.sub(r"\\(.)", r"\1", re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", line))
            if line.startswith("|"):
                rows.append("<tr><td>" + "</td><td>".join(one.strip() for one in text.strip("|").split("|")) + "</td></tr>")
            elif line:
                rest.append(f"<p>{text}</p>")
        return f"<table>{''.join(rows)}</table>{''.join(rest)}"

    def frame(self):
        """A pandas.DataFrame with one row for each encoder and task: framework/compare/README.md has its columns."""
        import pandas

        return pandas.DataFrame(self.cells)

    def report(self, path):
        """Writes the HTML report."""
        output("report", self.store, "-o", path)
        return path

    def __getitem__(self, label):
        if label not in self.document["encoders"]:
            raise KeyError(f"{label}: there are {', '.join(self.document['encoders'])}")
        return Row(self, label)

    def __iter__(self):
        return iter(self.document["encoders"])

    def __len__(self):
        return len(self.document["encoders"])


class Row(Mapping):
    """One encoder of a comparison, {task: value}."""

    def __init__(self, comparison, label):
        self._comparison = comparison
        self.label = label

    def __getitem__(self, task):
        """Its value on a task."""
        return self._cell(self._comparison.cells, task)["value"]

    def __iter__(self):
        return (one["task"] for one in self._comparison.cells if one["encoder"] == self.label)

    def __len__(self):
        return sum(1 for _ in self)

    def __repr__(self):
        return repr(dict(self))

    def _cell(self, cells, task):
        for one in cells:
            if one["encoder"] == self.label and one["task"] == task:
                return one
        raise KeyError(f"{task}: '{self.label}' has no result of it")

    def better_than(self, other, task):
        """Whether it is significantly better than another encoder; None where there is no verdict."""
        printed = output("compare", self._comparison.store, "--baseline", other, "--format", "json")
        cell = self._cell(json.loads(printed)["cells"], task)
        return None if cell["why_no_verdict"] else cell["verdict"] == "better"
