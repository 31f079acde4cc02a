"""What a trainer of sentence-transformers calls after each epoch."""
import csv
import importlib
import os
import sys
import tempfile

from senteval.comparison import run
from senteval.encoding import Error


def base():
    """The class of which trainers ask that an evaluator be one."""
    if "sentence_transformers" in sys.modules:
        for module, name in (("sentence_transformers.base.evaluation", "BaseEvaluator"),
                             ("sentence_transformers.evaluation", "SentenceEvaluator")):
            try:
                return getattr(importlib.import_module(module), name)
            except (ImportError, AttributeError):
                continue
    return object


def metrics_of(document):
    """The described metrics of a result by path; what the program has in % is a fraction, as trainers expect."""
    found = {}
    for metric in document["task"]["metrics"]:
        value = document["metrics"]
        for key in metric["path"].split("."):
            value = value.get(key, {}) if isinstance(value, dict) else {}
        if isinstance(value, (int, float)):
            found[metric["path"]] = value / 100 if metric["unit"] == "%" else value
    return found


class Evaluator:
    """Evaluator("faq/", primary="ndcg_at_10"): called with a model, it returns its metrics, and appends them to
    senteval_NAME_results.csv in the output folder, one row for each epoch and step.

    tasks       as in senteval.compare
    primary     the metric that chooses the best checkpoint (default: the task's headline); of several tasks TASK_METRIC
    output      a store for the results: "NAME/step-500" for each step (else "NAME/epoch-2"), a curve in the report
    options     of `senteval run`
    """

    def __new__(cls, *_args, **_options):
        found = base()
        return object.__new__(cls if issubclass(cls, found) else type("Evaluator", (cls, found), {}))

    def __init__(self, tasks, primary=None, data=None, output=None, name="", **options):
        self.greater_is_better = True
        self.primary_metric = primary
        self.name = name
        self._tasks, self._store = tasks, output
        self._options = {"data": data, **options}
        self.csv_file = f"senteval{'_' + name if name else ''}_results.csv"

    def __call__(self, model, output_path=None, epoch=-1, steps=-1, *_args, **_more):
        label = self.name or "model"
        if steps >= 0 or epoch >= 0:
            label += f"/step-{steps}" if steps >= 0 else f"/epoch-{int(epoch)}"
        with tempfile.TemporaryDirectory() as scratch:
            entries = run(model, label, self._tasks, self._store or scratch, **self._options)
        several = len({one["task"] for one in entries}) > 1
        metrics = {}
        for one in entries:
            prefix = one["task"] + "_" if several else ""
            metrics.update((prefix + path, value) for path, value in metrics_of(one["document"]).items())
        headline = (entries[0]["task"] + "_" if several else "") + entries[0]["document"]["task"]["headline"]
        self.primary_metric = self.primary_metric or headline
        if self.primary_metric not in metrics:
            raise Error(f"primary is '{self.primary_metric}': there are {', '.join(metrics)}")
        if output_path is not None:
            self._append(output_path, {"epoch": epoch, "steps": steps, **metrics})
        return metrics

    def _append(self, folder, row):
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, self.csv_file)
        is_new = not os.path.exists(path)
        with open(path, "a", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, row, lineterminator="\n")
            if is_new:
                writer.writeheader()
            writer.writerow(row)
