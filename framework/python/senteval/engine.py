"""senteval.engine.SE: evaluates two functions on SentEval's tasks."""
import difflib
import json
import logging
import os
import tempfile

from senteval.encoding import Encoder, Error, parameters
from senteval.program import Model, Serving, options_of
from senteval.results import RELATEDNESS, STS, UNTRAINED, Relatedness, Untrained, dictionary, over_seeds

PROBING = ["Length", "WordContent", "Depth", "TopConstituents", "BigramShift", "Tense", "SubjNumber",
           "ObjNumber", "OddManOut", "CoordinationInversion"]
TASKS = ["CR", "MR", "MPQA", "SUBJ", "SST2", "SST5", "TREC", "MRPC", "SICKRelatedness", "SICKEntailment",
         "STSBenchmark", "SNLI", "ImageCaptionRetrieval", *STS, *PROBING]
# Of this project:
FURTHER_TASKS = [*UNTRAINED, "MultiNLIMatched", "MultiNLIMismatched"]
CLASSIFIER_OPTIONS = ["nhid", "optim", "batch_size", "tenacity", "epoch_size", "max_epoch", "dropout"]

logger = logging.getLogger("senteval")


class UnknownTask(Error, AssertionError):
    """SentEval asserts that it knows a task."""


class SE:
    """
    params      a dict: task_path, and usepytorch, seed, batch_size, kfold, classifier, similarity as in
                SentEval. `senteval` may hold further options: a dict with name and version (of the
                encoder, in results), threads, output (a folder for result files), allow_unverified, and the
                options of `senteval run` by name.
    batcher     batcher(params, batch): an array with one row for each sentence, a list of tokens
    prepare     prepare(params, samples): sees every sentence of the task that comes next

    After eval(), `results` has what is finished, and `documents` the whole result of each task: for
    each choice of settings a dictionary as described by result.schema.json.
    """

    def __init__(self, params, batcher, prepare=None):
        self.params = parameters(params)
        if "nhid" not in self.params.classifier:
            raise Error("params.classifier has no nhid: set the number of hidden units, 0 for none")
        if not callable(batcher):
            raise Error("batcher is no function")
        self.batcher = batcher
        self.prepare = prepare
        self.list_tasks = TASKS + FURTHER_TASKS
        self.results = {}
        self.documents = {}

    def eval(self, name):
        """The result of a task, or {task: result} of a list of them."""
        names = list(name) if isinstance(name, (list, tuple)) else [name]
        if not names:
            return {}
        for one in names:
            self._check(one)
        self.results = {}
        found = self._evaluate(names)
        self.results = found if isinstance(name, (list, tuple)) else found[name]
        return self.results

    def _check(self, name):
        if name not in self.list_tasks:
            near = difflib.get_close_matches(str(name), self.list_tasks, 1)
            raise UnknownTask(f"{name} not in {self.list_tasks}" +
                              (f": did you mean {near[0]}?" if near else ""))

    def _evaluate(self, names):
        """One run of the program for all tasks; what is finished stands in `results`, whatever happens."""
        encoder = Encoder(self.params, self.batcher, self.prepare)
        encoder.batch_size()
        similarity = self._similarity()
        with tempfile.TemporaryDirectory() as scratch:
            name, version, arguments = self._arguments(names, scratch)
            if similarity:
                arguments += ["--overwrite", "always"]  # nobody knows whether it is the same function
            model = Model(encoder, name, version, self.prepare is not None)
            with Serving(arguments, model, similarity) as run:
                try:
                    document = run.serve()
                except BaseException:
                    self._take(names, run.document(), partly=True)
                    raise
            if not document["results"] and not document["failures"]:
                raise Error(document["printed"])
            return self._take(names, document)

    def _take(self, names, document, partly=False):
        """{task: result}, in the order in which they were asked for, up to the first that failed."""
        failures = {one["task"]: one["error"] for one in document["failures"]}
        for name in names:
            entries = [one for one in document["results"] if one["task"] == name]
            if partly and not entries:
                break
            if name in failures or not entries:
                raise Error(f"{name}: {failures.get(name, 'it has no result')}")
            self.documents[name] = [one["document"] for one in entries]
            self.results[name] = self._result(name, entries)
        return self.results

    def _result(self, name, entries):
        for doubt in entries[0]["document"]["data"].get("doubts", []):
            logger.warning("%s: %s", name, doubt)
        whole = [one for one in entries if "resample" not in one["document"]["protocol"]["settings"]]
        settings = [but_for_the_seed(one["document"]) for one in whole]
        differing = sorted(key for key in set().union(*settings)
                           if any(one.get(key) != settings[0].get(key) for one in settings))
        if differing:
            raise Error(f"{name} has several results, which differ in {', '.join(differing)}: eval() returns one, so "
                        f"ask for one value; all are in documents['{name}']")
        result = over_seeds([dictionary(name, one["metrics"], one["file"]) for one in whole], self._has_seeds())
        if name in RELATEDNESS:
            return Relatedness(result, lambda: self._untrained(name + "Unsupervised"))
        return Untrained(result) if name in UNTRAINED else result

    def _has_seeds(self):
        further = self.params.senteval or {}
        seed = further.get("seed", self.params.seed)
        return further.get("seeds", 1) > 1 or (isinstance(seed, (list, tuple)) and len(seed) > 1)

    def _untrained(self, name):
        return SE(self.params, self.batcher, self.prepare).eval(name)

    def _similarity(self):
        function = self.params.similarity
        if function is not None and not callable(function):
            raise Error("params.similarity is no function")
        return function

    def _arguments(self, names, scratch):
        """Name and version of the encoder, and the options of `senteval run`."""
        params = self.params
        if not params.task_path:
            raise Error("params.task_path is missing: the folder that has downstream/ and probing/ in it")
        if not os.path.isdir(params.task_path):
            raise Error(f"data folder '{params.task_path}' does not exist")
        classifier = {key: params.classifier[key] for key in CLASSIFIER_OPTIONS if key in params.classifier}
        if not params.usepytorch:
            classifier = {"classifier": "logreg-newton"}
        elif classifier["nhid"]:
            classifier["classifier"] = "mlp"
        else:
            del classifier["nhid"]
            classifier.pop("dropout", None)  # as in SentEval, there is nothing to drop
        further = dict(params.senteval or {})
        name, version = str(further.pop("name", "python")), str(further.pop("version", "1"))
        settings = {"run": {"seed": params.seed}, "classifier": {"kfold": params.kfold, **classifier}}
        for section, keys in (("run", ["seed", "seeds"]), ("classifier", [*CLASSIFIER_OPTIONS, "kfold", "classifier"])):
            settings[section].update((key, further.pop(key)) for key in keys if key in further)
        file = os.path.join(scratch, "run.toml")  # of which a key may concern no task of this run
        with open(file, "w", encoding="utf-8") as written:
            for section, given in settings.items():
                print(f"[{section}]", *(f"{key} = {json.dumps(value)}" for key, value in given.items()), sep="\n", file=written)
        return name, version, [file, "--encoder", "process", "--set", "command=-", "--label", name, "--tasks", ",".join(names),
                               "--data", params.task_path, *options_of({"output": scratch, **further})]


def but_for_the_seed(document):
    return {key: value for key, value in document["protocol"]["settings"].items() if key != "seed"}

