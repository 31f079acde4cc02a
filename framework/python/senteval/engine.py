"""senteval.engine.SE: evaluates two functions on SentEval's tasks."""
import difflib
import json
import logging

from senteval import _senteval
from senteval.encoding import Encoder, Error, parameters
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
        if isinstance(name, (list, tuple)):
            for one in name:
                self._check(one)
            self.results = {}
            for one in name:
                self.results[one] = self._evaluate(one)
            return self.results
        self._check(name)
        self.results = self._evaluate(name)
        return self.results

    def _check(self, name):
        if name not in self.list_tasks:
            near = difflib.get_close_matches(str(name), self.list_tasks, 1)
            raise UnknownTask(f"{name} not in {self.list_tasks}" +
                              (f": did you mean {near[0]}?" if near else ""))

    def _evaluate(self, name):
        encoder = Encoder(self.params, self.batcher, self.prepare)
        evaluated = _senteval.evaluate(
            task=name, prepare=encoder.prepare, prepare_matters=bool(self.prepare), measure=encoder.dimension, encode=encoder.encode,
            similarity=self._similarity(), warn=logger.warning, batch_size=encoder.batch_size(),
            **self._settings())
        documents = [json.loads(one.document) for one in evaluated]
        self.documents[name] = documents
        whole = [(document, one) for document, one in zip(documents, evaluated)
                 if "resample" not in document["protocol"]["settings"]]
        settings = [but_for_the_seed(document) for document, _ in whole]
        differing = sorted(key for key in set().union(*settings)
                           if any(one.get(key) != settings[0].get(key) for one in settings))
        if differing:
            raise Error(f"{name} has several results, which differ in {', '.join(differing)}: eval() returns one, so "
                        f"ask for one value; all are in documents['{name}']")
        result = over_seeds([dictionary(name, document["metrics"], one.items) for document, one in whole])
        if name in RELATEDNESS:
            return Relatedness(result, lambda: self._evaluate(name + "Unsupervised"))
        return Untrained(result) if name in UNTRAINED else result

    def _similarity(self):
        function = self.params.similarity
        if function is not None and not callable(function):
            raise Error("params.similarity is no function")
        return function

    def _settings(self):
        """What the library is told: texts, as the options of `senteval run` are."""
        params = self.params
        if not params.task_path:
            raise Error("params.task_path is missing: the folder that has downstream/ and probing/ in it")
        classifier = {key: params.classifier[key] for key in CLASSIFIER_OPTIONS if key in params.classifier}
        if not params.usepytorch:
            classifier = {"classifier": "logreg-newton"}
        elif classifier["nhid"]:
            classifier["classifier"] = "mlp"
        else:
            del classifier["nhid"]
            classifier.pop("dropout", None)  # as in SentEval, there is nothing to drop
        further = dict(params.senteval or {})
        named = {"name": str(further.pop("name", "python")), "version": str(further.pop("version", "1")),
                 "threads": threads_of(further.pop("threads", 0)), "output": str(further.pop("output", "")),
                 "allow_unverified": bool(further.pop("allow_unverified", False))}
        options = {"seed": params.seed, "kfold": params.kfold, **classifier, **further}
        return {"data": str(params.task_path), "options": [(key, text(value)) for key, value in
                                                           options.items()], **named}


def but_for_the_seed(document):
    return {key: value for key, value in document["protocol"]["settings"].items() if key != "seed"}


def threads_of(value):
    try:
        return int(value)
    except (TypeError, ValueError):
        raise Error(f"params['senteval']['threads'] is {value!r}: it is a number, 0 for all") from None


def text(value):
    if isinstance(value, (list, tuple)):
        return ",".join(text(one) for one in value)
    return str(value).lower() if isinstance(value, bool) else str(value)
