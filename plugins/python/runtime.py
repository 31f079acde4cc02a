"""What the encoder `python` does inside the interpreter: runs a script and calls its functions.

Loaded by interpreter.cpp as the module `_senteval_runtime`. One script is at work at a time.
"""
import ast
import io
import os
import sys
import traceback
import types

import numpy


class Cancelled(BaseException):
    """Thrown into a script whose answer nobody waits for any more."""


class Evaluated(BaseException):
    """Ends a script at se.eval(): from there on the host evaluates."""


class Params(dict):
    """Keys as attributes; what is missing reads as None, as in SentEval."""

    __getattr__ = dict.get
    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__


class ScriptError(Exception):
    """What the user can fix; shown without a traceback."""


# ---- What a script prints ---------------------------------------------------------------------------


class Log(io.RawIOBase):
    """Lines for the host's log; straight to the descriptor while no encoder is at work."""

    def __init__(self, descriptor):
        self._descriptor = descriptor
        self._rest = b""
        self.tell_host = None

    def writable(self):
        return True

    def fileno(self):
        return self._descriptor

    def write(self, data):
        if self.tell_host is None:
            return os.write(self._descriptor, data)
        *lines, self._rest = (self._rest + bytes(data)).split(b"\n")
        for line in lines:
            self._tell(line)
        return len(data)

    def finish_line(self):
        if self._rest and self.tell_host is not None:
            self._tell(self._rest)
        self._rest = b""

    def _tell(self, line):
        # A bar that is drawn again and again over itself: as it was left.
        self.tell_host(line.rstrip(b"\r").rpartition(b"\r")[2].decode("utf-8", "replace"))


def open_log(descriptor):
    return io.TextIOWrapper(io.BufferedWriter(Log(descriptor)), encoding="utf-8",
                            errors="backslashreplace", line_buffering=True)


def redirect(tell_host):
    """Where prints go; None: to the descriptors again."""
    for stream in (sys.stdout, sys.stderr):
        log = getattr(getattr(stream, "buffer", None), "raw", None)
        if isinstance(log, Log):  # else the script has put something else in its place
            stream.flush()
            log.finish_line()
            log.tell_host = tell_host


# ---- The module `senteval` of a script --------------------------------------------------------------

_engines = []


class SE:
    """Takes the functions that a script would have evaluated."""

    def __init__(self, params, batcher, prepare=None):
        self.params = Params(params)
        self.batcher = batcher
        self.prepare = prepare or (lambda params, samples: None)
        _engines.append(self)

    def eval(self, name):
        raise Evaluated


def offer_engine():
    """`import senteval` in a script gives this, whatever is installed or stands on its path."""
    package = types.ModuleType("senteval", "What the script that the encoder `python` runs sees.")
    package.__path__ = []
    for name, content in (("engine", {"SE": SE}), ("utils", {"dotdict": Params})):
        module = types.ModuleType("senteval." + name)
        module.__dict__.update(content)
        setattr(package, name, module)
        sys.modules["senteval." + name] = module
    sys.modules["senteval"] = package


def calls_engine(tree):
    def is_engine(function):
        return getattr(function, "attr", None) == "SE" or getattr(function, "id", None) == "SE"

    return any(isinstance(node, ast.Call) and is_engine(node.func) for node in ast.walk(tree))


def is_main_test(test):
    """Whether an expression is __name__ == "__main__"."""
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq)):
        return False
    sides = (test.left, test.comparators[0])
    return (any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides) and
            any(isinstance(side, ast.Constant) and side.value == "__main__" for side in sides))


def compiled(path):
    """The script; its part under __name__ == "__main__" is run where the script makes an SE, which may
    be there: what that part loads, the functions need."""
    with open(path, "rb") as file:
        tree = ast.parse(file.read(), path)
    if calls_engine(tree):
        for node in tree.body:
            if isinstance(node, ast.If) and is_main_test(node.test):
                node.test = ast.copy_location(ast.Constant(True), node.test)
    return compile(tree, path, "exec", dont_inherit=True)


# ---- Vectors ----------------------------------------------------------------------------------------


def plain(value):
    """A tensor of torch without its graph, on the CPU, in a type that NumPy has."""
    for name in ("detach", "cpu", "float"):
        if callable(getattr(value, name, None)):
            value = getattr(value, name)()
    return value


def to_matrix(value, rows, where):
    """float32, one row per sentence, C order."""
    if value is None:
        raise ScriptError(f"{where} returned None: it must return one vector per sentence")
    if isinstance(value, (list, tuple)):
        value = [plain(row) for row in value]
    array = numpy.asarray(plain(value))
    if array.dtype.kind not in "fiub":
        raise ScriptError(f"{where} returned {type(value).__name__} of {array.dtype}: it must return "
                          "numbers, one vector per sentence")
    if array.ndim == 1 and rows == 1:
        array = array.reshape(1, -1)
    if array.ndim != 2 or array.shape[0] != rows or array.shape[1] == 0:
        raise ScriptError(f"{where} returned an array of shape {array.shape} for {rows} sentences: it "
                          "must return one vector per sentence")
    with numpy.errstate(all="ignore"):  # the host names the sentence whose vector is not finite
        return numpy.ascontiguousarray(array, dtype=numpy.float32)


# ---- The script -------------------------------------------------------------------------------------


def parse_argument(text):
    key, equals, value = text.partition("=")
    if not equals or not key.isidentifier():
        raise ScriptError(f"parameter 'args': '{text}' is not key=value")
    try:
        return key, ast.literal_eval(value)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return key, value


# What SentEval fills in; the host evaluates by its own options.
DEFAULTS = {"usepytorch": True, "seed": 1111, "batch_size": 128, "nhid": 0, "kfold": 5,
            "classifier": {"nhid": 0}}


class Script:
    """A script that was run, and what it needs to be called: its functions, params, path, modules."""

    _made = 0
    _active = None

    def __init__(self, path, style, object_name, arguments):
        self.path = path
        self.file = os.path.basename(path)
        self._folder = os.path.dirname(path)
        self._style = style
        self._object_name = object_name
        self._given = dict(parse_argument(one) for one in arguments)
        self._search_path = [self._folder] + _first_search_path
        self._modules = {}
        self._first_batch = None
        self.width = None

    def load(self):
        self._activate()
        engine = self._run()
        names = self._module.__dict__
        given = engine.params if engine else names.get("params_senteval") or {}
        self.params = Params({**DEFAULTS, **given, **self._given})
        if self._style == "encode":
            self._encode = self._find_encode(names)
            return
        self._batcher = engine.batcher if engine else names.get("batcher")
        self._prepare = engine.prepare if engine else names.get("prepare")
        if not callable(self._batcher):
            hint = " (--set style=encode calls its encode)" if "encode" in names else ""
            raise ScriptError(f"{self.file} defines no function batcher(params, batch), and makes no "
                              f"senteval.engine.SE(params, batcher, prepare){hint}")

    def prepare(self, task, sentences, tokenised):
        self._activate()
        self.width = None
        self.params["current_task"] = task
        samples = self._tokens(sentences, tokenised)
        if self._style != "encode" and callable(self._prepare):
            self._prepare(self.params, samples)
        self._first_batch = sentences[:self._batch_size()], tokenised
        self._measure()

    def dimension(self):
        if self.width is None:
            self._activate()
            self._measure()
        return self.width

    def encode(self, sentences, tokenised):
        self._activate()
        if self._style == "encode":
            return self._checked(self._encode(sentences), len(sentences), "encode()")
        batch = self._tokens(sentences, tokenised)
        size = self._batch_size()
        parts = [self._checked(self._batcher(self.params, batch[at:at + size]),
                               len(batch[at:at + size]), "batcher()")
                 for at in range(0, len(batch), size)]
        return parts[0] if len(parts) == 1 else numpy.concatenate(parts)

    def _measure(self):
        """The length of the vectors, which only the script knows: that of the first sentences."""
        sentences, tokenised = self._first_batch or ([], True)
        self.encode(sentences or ["."], tokenised)

    def _checked(self, value, rows, name):
        matrix = to_matrix(value, rows, f"{name} of {self.file}")
        if self.width is None:
            self.width = matrix.shape[1]
        if matrix.shape[1] != self.width:
            raise ScriptError(f"{name} of {self.file} returned vectors of length {matrix.shape[1]}; "
                              f"before, they had length {self.width}")
        return matrix

    def _batch_size(self):
        size = self.params.batch_size
        if isinstance(size, bool) or not isinstance(size, int) or size < 1:
            raise ScriptError(f"params.batch_size is {size!r}: it must be an integer of at least 1")
        return size

    @staticmethod
    def _tokens(sentences, tokenised):
        if tokenised:
            return [sentence.split(" ") if sentence else [] for sentence in sentences]
        return [sentence.split() for sentence in sentences]

    def _find_encode(self, names):
        if self._object_name:
            if self._object_name not in names:
                raise ScriptError(f"{self.file} has no '{self._object_name}', which parameter 'object' "
                                  "names")
            found = names[self._object_name]
            encode = getattr(found, "encode", None) or found
            if isinstance(found, type) or not callable(encode):
                raise ScriptError(f"'{self._object_name}' of {self.file} is neither an object with "
                                  "encode(sentences) nor a function")
            return encode
        if callable(names.get("encode")):
            return names["encode"]
        found = [name for name, value in names.items()
                 if not name.startswith("_") and not isinstance(value, (type, types.ModuleType, str)) and
                 callable(getattr(value, "encode", None))]
        if len(found) != 1:
            what = "objects " + ", ".join(sorted(found)) if found else "nothing"
            raise ScriptError(f"{self.file} has {what} with encode(sentences): name one with "
                              "--set object=NAME")
        return names[found[0]].encode

    def _run(self):
        """Runs it from top to end, or to se.eval(); the SE that it made last, if it made any."""
        name = f"senteval_script_{Script._made}" if Script._made else "senteval_script"
        Script._made += 1
        self._module = types.ModuleType(name)
        self._module.__file__ = self.path
        sys.modules[name] = self._module  # where pickle and dataclasses look for it
        sys.argv = [self.path]
        _engines.clear()
        try:
            exec(compiled(self.path), self._module.__dict__)
        except Evaluated:
            pass
        return _engines.pop() if _engines else None

    def _activate(self):
        """Each script has a path and modules beside it of its own: two may both `import model`."""
        before = Script._active
        if before is self:
            return
        if before is not None:
            before._search_path = sys.path[:]
            before._modules = {name: module for name, module in sys.modules.items()
                               if before._owns(module)}
            for name in before._modules:
                del sys.modules[name]
        sys.path[:] = self._search_path
        sys.modules.update(self._modules)
        Script._active = self

    def _owns(self, module):
        """Whether a module was imported from a source file beside the script."""
        file = getattr(module, "__file__", None)
        if not isinstance(file, str) or not file.endswith(".py") or module is self._module:
            return False
        inside = os.path.abspath(file).startswith(os.path.join(self._folder, ""))
        return inside and "-packages" + os.sep not in file


def describe(error):
    """What is told of an exception: what and where in the first line, then the way there."""
    if isinstance(error, ScriptError):
        return str(error)
    here = __file__
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == here:
        trace = trace.tb_next
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error.msg} ({os.path.basename(error.filename or '?')}:{error.lineno})"
    what = "".join(traceback.format_exception_only(type(error), error)).strip()
    if isinstance(error, SystemExit):
        what = f"it ended itself by sys.exit({error.code!r})"
    frames = traceback.extract_tb(trace)
    if not frames:
        return what
    last = frames[-1]
    lines = "".join(traceback.format_list(frames)).rstrip()
    where = f"{os.path.basename(last.filename)}:{last.lineno}"
    return f"{what} ({where}, in {last.name})\n{lines}"


_first_search_path = sys.path[:]
sys.stdout = open_log(1)
sys.stderr = open_log(2)
offer_engine()
