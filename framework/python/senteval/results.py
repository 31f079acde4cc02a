"""A result of the evaluation as the dictionary that SentEval returns for the task."""
import collections
import json
import math
import os
import struct

import numpy

STS = ["STS12", "STS13", "STS14", "STS15", "STS16"]
RELATEDNESS = ["SICKRelatedness", "STSBenchmark"]
UNTRAINED = [task + "Unsupervised" for task in RELATEDNESS]


class PearsonRResult(collections.namedtuple("PearsonRResult", ["statistic", "pvalue"])):
    """As SciPy's: a pair, whose first has a name."""
    __slots__ = ()


class SpearmanrResult(collections.namedtuple("SpearmanrResult", ["correlation", "pvalue"])):
    """As SciPy's, with the name that newer versions give the first of the pair."""
    __slots__ = ()

    @property
    def statistic(self):
        return self.correlation


def number(value):
    """What has no value (the correlation of a constant, say) stands in documents as null."""
    return math.nan if value is None else value


def similarity(metrics):
    result = {}
    for name, of in metrics.items():
        if name == "all":
            continue
        result[name] = {"pearson": PearsonRResult(number(of["pearson"]), number(of["pearson_p"])),
                        "spearman": SpearmanrResult(number(of["spearman"]), number(of["spearman_p"])),
                        "nsamples": of["nsamples"]}
    result["all"] = {measure: {mean: number(metrics["all"][measure][mean]) for mean in ("all", "mean", "wmean")}
                     for measure in ("pearson", "spearman")}
    return result


def parts(metrics):
    """As the SentEval of SimCSE has STSBenchmark and SICKRelatedness, where nothing is trained. The training part is
    not scored, and the dev part has no p-values."""
    def part(prefix, count):
        return {"pearson": PearsonRResult(number(metrics[prefix + "pearson"]), number(metrics.get(prefix + "pearson_p"))),
                "spearman": SpearmanrResult(number(metrics[prefix + "spearman"]),
                                            number(metrics.get(prefix + "spearman_p"))),
                "nsamples": count}
    return {"dev": part("dev", metrics["ndev"]), "test": part("", metrics["ntest"])}


class Untrained(dict):
    """Of SimCSE's parts it has two, and says so."""

    def __missing__(self, key):
        raise KeyError(f"{key}: no training part is scored here, only 'dev' and 'test'" if key in ("train", "all") else key)

    def __reduce__(self):
        return dict, (dict(self),)


class Relatedness(Untrained):
    """Learned similarity. Its keys "dev" and "test" are those of the untrained task, which is evaluated when the first
    of them is read: scripts written for the SentEval of SimCSE read nothing else."""

    def __init__(self, learned, evaluate):
        super().__init__(learned)
        self._evaluate = evaluate

    def __missing__(self, key):
        if key not in ("dev", "test"):
            super().__missing__(key)
        self.update(self._evaluate())
        return self[key]


def items_of(file):
    """The columns of the items beside a result, by name (framework/results/items.hpp)."""
    with open(os.path.splitext(file)[0] + ".items", "rb") as stored:
        content = stored.read()
    (size,) = struct.unpack_from("<I", content, 8)
    count, at, columns = json.loads(content[12:12 + size])["count"], 12 + size, {}
    for names, kind in (("item group tokens_first tokens_second source_first source_second", "<u4"),
                        ("overlap unknown", "<f4"), ("gold prediction", "<f8")):
        for name in names.split():
            columns[name] = numpy.frombuffer(content, kind, count, at)
            at += columns[name].nbytes
    return columns


def relatedness(metrics, file):
    """yhat in SentEval's order of the test pairs: by length of the first, of the second, by score."""
    result = {key: number(metrics[key]) for key in ("devpearson", "pearson", "spearman", "mse")}
    items = items_of(file)
    result["yhat"] = items["prediction"][numpy.lexsort([items[key] for key in ("gold", "tokens_second", "tokens_first")])]
    return {**result, "ndev": metrics["ndev"], "ntest": metrics["ntest"]}


def retrieval(metrics):
    return {"devacc": metrics["devacc"], "acc": [tuple(way) for way in metrics["acc"]],
            "ndev": metrics["ndev"], "ntest": metrics["ntest"]}


def dictionary(task, metrics, file):
    if task in STS or task in UNTRAINED:
        metrics = {key: value for key, value in metrics.items() if key != "mteb"}  # which the original has not
    if task in STS:
        return similarity(metrics)
    if task in RELATEDNESS:
        return relatedness(metrics, file)
    if task in UNTRAINED:
        return {**{key: number(value) for key, value in metrics.items()}, **parts(metrics)}
    if task == "ImageCaptionRetrieval":
        return retrieval(metrics)
    return {key: number(value) for key, value in metrics.items()}


def over_seeds(results, several):
    """The mean over seeds of every number, and under "sd" its standard deviation; of one seed the result itself. Where
    `several` were asked for and one result is that of all, it is 0."""
    if len(results) == 1 and not several:
        return results[0]
    results = results * 2 if len(results) == 1 else results

    def each(function, values):
        if isinstance(values[0], dict):
            return {key: each(function, [value[key] for value in values]) for key in values[0]}
        if all(isinstance(value, int) and value == values[0] for value in values):
            return values[0]  # a count
        of_all = function(numpy.array(values, dtype=float), axis=0)
        return [tuple(way) for way in of_all] if isinstance(values[0], list) else of_all

    sd = each(lambda values, axis: numpy.std(values, axis=axis, ddof=1), results)
    return {**each(numpy.mean, results), "sd": {key: value for key, value in sd.items() if key not in ("ndev", "ntest")}}
