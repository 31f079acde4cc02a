"""A result of the evaluation as the dictionary that SentEval returns for the task."""
import collections
import math

import numpy

STS = ["STS12", "STS13", "STS14", "STS15", "STS16"]
RELATEDNESS = ["SICKRelatedness", "STSBenchmark"]


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
    result["all"] = {measure: {mean: number(metrics["all"][measure][mean]) for mean in ("mean", "wmean")}
                     for measure in ("pearson", "spearman")}
    return result


def relatedness(metrics, items):
    """yhat in SentEval's order of the test pairs: by length of the first, of the second, by score."""
    result = {key: number(metrics[key]) for key in ("devpearson", "pearson", "spearman", "mse")}
    ordered = sorted(items, key=lambda item: (item.tokens_first, item.tokens_second, item.gold))
    result["yhat"] = numpy.array([item.prediction for item in ordered])
    return {**result, "ndev": metrics["ndev"], "ntest": metrics["ntest"]}


def retrieval(metrics):
    return {"devacc": metrics["devacc"], "acc": [tuple(way) for way in metrics["acc"]],
            "ndev": metrics["ndev"], "ntest": metrics["ntest"]}


def dictionary(task, metrics, items):
    if task in STS:
        return similarity(metrics)
    if task in RELATEDNESS:
        return relatedness(metrics, items)
    if task == "ImageCaptionRetrieval":
        return retrieval(metrics)
    return {key: number(value) for key, value in metrics.items()}
