"""Functions written for SentEval, behind what an evaluation asks of an encoder.

Used by the module `senteval` and by the encoder `python` of the program, which does without NumPy where there
is none.
"""
import inspect
import operator
import sys
import types

try:
    import numpy
except ImportError:
    numpy = None


class Error(Exception):
    """What is wrong with a call, a setting, the data, or what a script's function returned."""


class dotdict(dict):
    """Keys as attributes; what is missing reads as None."""

    __getattr__ = dict.get
    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__


def install_command(package):
    """For the Python that runs: Debian's own takes Debian's packages, one of an environment does not."""
    package = {"sklearn": "scikit-learn"}.get(package, package.replace("_", "-"))
    if sys.prefix == "/usr":
        return f"apt install python3-{package} (or activate a virtual environment that has it)"
    return f"{sys.executable} -m pip install {package}"


def absent(module):
    """A module's __getattr__ for what the original has there and this project does not."""
    def missing(name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise ImportError(f"{module}.{name} is not offered here: describe data of your own as a [[task]] of a run "
                          "file (tasks/README.md), and the program trains its classifier")
    return missing


def offer_absent():
    for name in ("senteval.tools", "senteval.tools.validation"):
        module = types.ModuleType(name)
        module.__path__ = []
        module.__getattr__ = absent(name)
        sys.modules[name] = module


def parameters(given):
    """The params of a script, with what SentEval fills in."""
    defaults = {"usepytorch": True, "seed": 1111, "batch_size": 128, "nhid": 0, "kfold": 5}
    params = dotdict({**defaults, **given})
    if not params.classifier:
        params.classifier = {"nhid": 0}
    return params


def plain(value):
    """A tensor of torch without its graph, on the CPU, of a type that NumPy has."""
    for name in ("detach", "cpu", "float"):
        if callable(getattr(value, name, None)):
            value = getattr(value, name)()
    return value


def to_matrix(value, rows, where):
    """float32, C order, one row per sentence; lists without NumPy. `where` is the function that returned `value`."""
    if value is None:
        raise Error(f"{where} returned None: it must return one vector per sentence")
    if isinstance(value, dict):
        raise Error(f"{where} returned a dict of {', '.join(map(str, value))}: it must return the one that has a vector "
                    "per sentence")
    if numpy is None:
        return to_lists(value, rows, where)
    given = value if isinstance(value, (list, tuple)) else [value]
    if any(isinstance(one, numpy.ma.MaskedArray) for one in given):
        raise Error(f"{where} returned a masked array, and what it masks has no value: fill it with .filled(...)")
    if isinstance(value, (list, tuple)):
        value = [row if isinstance(row, (list, tuple, int, float)) else numpy.asarray(plain(row))
                 for row in value]
    try:
        array = numpy.asarray(plain(value))
    except ValueError as error:  # a list of vectors that differ in length
        raise Error(f"{where} returned what NumPy makes no array of ({error}): it must return one vector "
                    "per sentence, all of one length") from None
    if array.dtype.kind not in "fiub":
        raise Error(f"{where} returned {type(value).__name__} of {array.dtype}: it must return numbers, "
                    "one vector per sentence")
    if array.ndim == 1 and rows == 1:
        array = array.reshape(1, -1)
    if array.ndim != 2 or array.shape[0] != rows or array.shape[1] == 0:
        raise Error(f"{where} returned an array of shape {array.shape} for {rows} sentences: it must "
                    "return one vector per sentence")
    with numpy.errstate(all="ignore"):  # which vector is not finite is told by the evaluation
        return numpy.ascontiguousarray(array, dtype=numpy.float32)


def to_lists(value, rows, where):
    def listed(part):
        part = plain(part)
        return part.tolist() if hasattr(part, "tolist") else part

    try:
        value = [listed(row) for row in listed(value)]
        if rows == 1 and value and not hasattr(value[0], "__iter__"):
            value = [value]
        value = [[float(number) for number in row] for row in value]
    except (TypeError, ValueError) as error:
        raise Error(f"{where} returned {type(value).__name__} ({error}): it must return one vector of numbers "
                    "per sentence") from None
    lengths = {len(row) for row in value}
    if len(value) != rows or len(lengths) != 1 or 0 in lengths:
        raise Error(f"{where} returned {len(value)} vectors of lengths {sorted(lengths)} for {rows} sentences: it "
                    "must return one vector per sentence, all of one length")
    return value


class Encoder:
    """prepare(params, samples) and batcher(params, batch), of which `name` is told where they fail."""

    def __init__(self, params, batcher, prepare, name="batcher()"):
        self.params = params
        self._batcher = batcher
        self._prepare = prepare
        self._name = name
        self._first = ["."]
        self._edited = {}
        self._width = None

    def prepare(self, task, sentences):
        self._width = None
        self.params.current_task = task
        self._edited = {}
        if self._prepare is not None:
            samples = tokens(sentences)
            self._prepare(self.params, samples)
            self._edited = edited(sentences, samples)
        if sentences:
            self._first = sentences[:self.batch_size()]
        self.dimension()

    def dimension(self):
        """Only the functions know it: that of what they make of the first sentences."""
        if self._width is None:
            self.encode(self._first)
        return self._width

    def encode(self, sentences, role=None):
        batch = tokens(sentences)
        if self._edited:
            batch = [self._edited.get(sentence, words) for sentence, words in zip(sentences, batch)]
        size = self.batch_size()
        parts = [self._checked(self._batcher(self.params, batch[at:at + size]), len(batch[at:at + size]))
                 for at in range(0, len(batch), size)]
        if len(parts) == 1:
            return parts[0]
        return [row for part in parts for row in part] if numpy is None else numpy.concatenate(parts)

    def _checked(self, value, rows):
        matrix = to_matrix(value, rows, self._name)
        width = len(matrix[0])
        if self._width is None:
            self._width = width
        if width != self._width:
            raise Error(f"{self._name} returned vectors of length {width}; before, they had length {self._width}")
        return matrix

    def batch_size(self):
        size = self.params.batch_size
        if isinstance(size, bool) or not hasattr(size, "__index__") or operator.index(size) < 1:
            raise Error(f"params.batch_size is {size!r}: it must be an integer of at least 1")
        return operator.index(size)


class WholeSentences(Encoder):
    """encode(list of str), as in sentence-transformers; `by_role` has what takes its place for a role."""

    def __init__(self, params, encode, name, by_role=None):
        super().__init__(params, None, None, name)
        self._encode = encode
        self.by_role = by_role or {}

    def encode(self, sentences, role=None):
        return self._checked(self.by_role.get(role, self._encode)(list(sentences)), len(sentences))


class Reranker(Encoder):
    """predict(list of pairs) or rank(query, documents) of a model, as sentence-transformers has them: one score for the
    query that prepare() was shown and each document."""

    def __init__(self, params, model, where):
        self._ranks = not callable(getattr(model, "predict", None))
        self._score = model.rank if self._ranks else model.predict
        super().__init__(params, None, None, f"{'rank' if self._ranks else 'predict'}() of {where}")
        self._options = asking_logits(self._score)
        self._query = None

    def prepare(self, task, sentences):
        self._query = None
        if len(sentences) != 1:
            raise Error(f"{self._name} scores documents for one query, and was given {len(sentences)}: it has no "
                        "vectors of texts, and is for --rerank")
        self._query = sentences[0]

    def dimension(self):
        return 1

    def encode(self, sentences, role=None):
        if self._query is None:
            raise Error(f"{self._name} has to be shown a query first")
        documents = list(sentences)
        if self._ranks:
            value = by_corpus_id(self._score(self._query, documents, **self._options), len(documents), self._name)
        else:
            value = self._score([[self._query, one] for one in documents], **self._options)
        return to_column(value, len(documents), self._name)


def is_reranker(thing):
    return any(callable(getattr(thing, name, None)) for name in ("predict", "rank"))


def asking_logits(function):
    """The argument with which sentence-transformers leaves logits as they are, where a function has it."""
    try:
        names = inspect.signature(function).parameters
    except (TypeError, ValueError):  # of a compiled function
        return {}
    if "activation_fn" not in names:
        return {}
    torch = sys.modules.get("torch")
    return {"activation_fn": torch.nn.Identity() if torch else lambda scores: scores}


def by_corpus_id(ranked, rows, where):
    """The scores of what rank() returns, in the order of the documents."""
    try:
        scores = {one["corpus_id"]: one["score"] for one in ranked}
    except (TypeError, KeyError) as error:
        raise Error(f"{where} returned {type(ranked).__name__} ({error!r}): it must return a list of "
                    '{"corpus_id": ..., "score": ...}') from None
    if len(ranked) != rows or set(scores) != set(range(rows)):
        raise Error(f"{where} returned {len(ranked)} scores for {rows} documents: it must return one for each "
                    "corpus_id")
    return [scores[i] for i in range(rows)]


def to_column(value, rows, where):
    """One row of one number for each document."""
    def single(one):
        return one[0] if isinstance(one, (list, tuple)) and len(one) == 1 else plain(one)

    value = plain(value)
    try:
        column = [[float(single(one))] for one in (value.tolist() if hasattr(value, "tolist") else value)]
    except (TypeError, ValueError) as error:
        raise Error(f"{where} returned {type(value).__name__} ({error}): it must return one score per "
                    "document") from None
    if len(column) != rows:
        raise Error(f"{where} returned {len(column)} scores for {rows} documents")
    if numpy is None:
        return column
    with numpy.errstate(all="ignore"):
        return numpy.array(column, dtype=numpy.float32)


def edited(sentences, samples):
    """The sentences that prepare() has changed, as batches are to show them: in SentEval they are made of the
    same lists. Of a list that is longer or shorter now nobody can say which is which."""
    if len(samples) != len(sentences):
        return {}
    return {sentence: words for sentence, words, before in
            zip(sentences, samples, tokens(sentences)) if words != before}


def tokens(sentences):
    """The words of each sentence."""
    return [sentence.split() for sentence in sentences]
