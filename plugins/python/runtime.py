"""What the encoder `python` does inside the interpreter: runs a script and calls its functions.

Loaded by interpreter.cpp as the module `_senteval_runtime`. One script is at work at a time.
"""
import ast
import gc
import hashlib
import importlib.machinery
import importlib.util
import itertools
import json
import os
import sys
import traceback
import types

from _senteval_encoding import Encoder, Error, WholeSentences, dotdict, parameters


class Cancelled(BaseException):
    """Thrown into a script whose answer nobody waits for any more."""


class Evaluated(BaseException):
    """Ends a script at se.eval(): from there on the host evaluates."""


# ---- The module `senteval` of a script --------------------------------------------------------------

_engines = []


class SE:
    """Takes the functions that a script would have evaluated."""

    def __init__(self, params, batcher, prepare=None):
        self.params = parameters(params)
        self.batcher = batcher
        self.prepare = prepare or None
        _engines.append(self)

    def eval(self, name):
        raise Evaluated


def offer_engine():
    """`import senteval` in a script gives this, whatever is installed or stands on its path."""
    package = types.ModuleType("senteval", "What the script that the encoder `python` runs sees.")
    package.__path__ = []
    for name, content in (("engine", {"SE": SE}), ("utils", {"dotdict": dotdict})):
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


# ---- What a script is made of -----------------------------------------------------------------------


def content_hash(file):
    digest = hashlib.sha256()
    with open(file, "rb") as content:
        while block := content.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def content_of(path):
    """Of a file, or of the names and contents of all files below a folder."""
    if not os.path.isdir(path):
        return content_hash(path)
    files = {os.path.relpath(os.path.join(folder, name), path): os.path.join(folder, name)
             for folder, _, names in os.walk(path) for name in names}
    lines = [f"{len(name)} {name} {content_hash(file)}\n" for name, file in sorted(files.items())
             if os.path.isfile(file)]
    return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def holds(folder, inner):
    """Whether `folder` is `inner` or one of those around it: no model, but where the user works."""
    return (os.path.realpath(inner) + os.sep).startswith(os.path.join(os.path.realpath(folder), ""))


def named_content(text):
    """Of the file or folder that a script's argument names; None where it names none."""
    if not text or "\0" in text or not os.path.exists(text) or holds(text, os.getcwd()):
        return None
    try:
        return content_of(text)
    except OSError as error:
        raise Error(f"parameter 'args': '{text}' cannot be read: {error}") from None


def imported_names(tree):
    """Of modules, with dots; of `from a import b` both a and a.b, which may be one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            yield from (f"{module}.{alias.name}".strip(".") for alias in node.names)
        elif isinstance(node, ast.Call) and is_import_call(node):
            yield node.args[0].value.strip(".")


def is_import_call(call):
    """Whether it is importlib.import_module("name") or __import__("name")."""
    called = getattr(call.func, "attr", None) or getattr(call.func, "id", None)
    return (called in ("import_module", "__import__") and len(call.args) > 0 and
            isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str))


def is_users(file):
    """Whether a module is neither of Python nor an installed package."""
    return (isinstance(file, str) and os.path.isfile(file) and "-packages" + os.sep not in file and
            not file.startswith(_standard_library))


def candidates(name, folders):
    """Files that `import name` may load: of a.b those of a, too."""
    parts = name.split(".")
    for depth in range(1, len(parts) + 1):
        loaded = sys.modules.get(".".join(parts[:depth]))
        yield getattr(loaded, "__file__", None)
        for folder in folders:
            stem = os.path.join(folder, *parts[:depth])
            yield os.path.join(stem, "__init__.py")
            yield from (stem + suffix for suffix in importlib.machinery.all_suffixes())


def imported_files(file, folder):
    """The user's files that the imports of `file` name, wherever in it they stand."""
    try:
        with open(file, "rb") as content:
            tree = ast.parse(content.read())
    except (OSError, SyntaxError, ValueError):  # a compiled module
        return set()
    folders = {folder, os.path.dirname(file)}
    return {os.path.abspath(found) for name in imported_names(tree)
            for found in candidates(name, folders) if is_users(found)}


# ---- The script -------------------------------------------------------------------------------------


def parse_argument(text):
    key, equals, value = text.partition("=")
    if not equals or not key.isidentifier():
        raise Error(f"parameter 'args': '{text}' is not key=value")
    try:
        return key, ast.literal_eval(value)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return key, value


def is_imported_as(name, path):
    try:
        spec = name.isidentifier() and importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return False
    return bool(spec) and spec.origin is not None and os.path.realpath(spec.origin) == os.path.realpath(path)


def free_name(path):
    """For a script's module: that by which it is imported, as the processes of a pool do, unless another module
    is. A name is given again after its script was closed, since tables keep room for names."""
    stem = os.path.splitext(os.path.basename(path))[0]
    own = [stem] if stem not in sys.modules and is_imported_as(stem, path) else []
    names = itertools.chain(own, ["senteval_script"], (f"senteval_script_{i}" for i in itertools.count(1)))
    return next(name for name in names if name not in sys.modules)


class Script:
    """A script that was run, and what it needs to be called: its functions, params, path, modules."""

    _active = None

    def __init__(self, path, whole_sentences, object_name, arguments):
        self._path = path
        self._file = os.path.basename(path)
        self._folder = os.path.dirname(path)
        self._whole_sentences = whole_sentences
        self._object_name = object_name
        self._given = dict(parse_argument(one) for one in arguments)
        self._search_path = [self._folder] + _first_search_path
        self._modules = {}
        self._module = None

    def load(self):
        self._activate()
        engine = self._run()
        names = self._module.__dict__
        params = engine.params if engine else names.get("params_senteval")
        params = parameters({**(params if isinstance(params, dict) else {}), **self._given})
        if self._whole_sentences:
            self._encoder = WholeSentences(params, self._find_encode(names), f"encode() of {self._file}")
            return
        batcher = engine.batcher if engine else names.get("batcher")
        prepare = engine.prepare if engine else names.get("prepare")
        if not callable(batcher):
            hint = " (--set style=encode calls its encode)" if "encode" in names else ""
            raise Error(f"{self._file} defines no function batcher(params, batch), and makes no "
                        f"senteval.engine.SE(params, batcher, prepare){hint}")
        self._encoder = Encoder(params, batcher, prepare, f"batcher() of {self._file}")

    def prepare(self, *arguments):
        self._activate()
        self._encoder.prepare(*arguments)

    def dimension(self):
        self._activate()
        return self._encoder.dimension()

    def encode(self, *arguments):
        self._activate()
        return self._encoder.encode(*arguments)

    def identity(self):
        """What the host does not see, by content: the modules that are the user's, and the files and folders
        that arguments name."""
        modules = {os.path.relpath(file, self._folder): content_hash(file)
                   for file in self._module_files()}
        values = [value for value in self._given.values() if isinstance(value, str)]
        files = {value: content for value in values if (content := named_content(value)) is not None}
        stated = {"modules": modules, "files": files} if files else {"modules": modules}
        return json.dumps(stated, sort_keys=True)

    def _module_files(self):
        """Those beside the script that are loaded, those that it imports from elsewhere, and those that a
        function will import later."""
        files = {os.path.abspath(module.__file__) for module in list(sys.modules.values())
                 if self._owns(module)}
        to_read = [self._path, *files]
        while to_read:
            new = imported_files(to_read.pop(), self._folder) - files - {self._path}
            files |= new
            to_read += new
        return files

    def _find_encode(self, names):
        if self._object_name:
            if self._object_name not in names:
                raise Error(f"{self._file} has no '{self._object_name}', which parameter 'object' names")
            found = names[self._object_name]
            encode = getattr(found, "encode", None) or found
            if isinstance(found, type) or not callable(encode):
                raise Error(f"'{self._object_name}' of {self._file} is neither an object with "
                            "encode(sentences) nor a function")
            return encode
        if callable(names.get("encode")):
            return names["encode"]
        found = [name for name, value in names.items()
                 if not name.startswith("_") and not isinstance(value, (type, types.ModuleType, str)) and
                 callable(getattr(value, "encode", None))]
        if len(found) != 1:
            what = "objects " + ", ".join(sorted(found)) if found else "nothing"
            raise Error(f"{self._file} has {what} with encode(sentences): name one with "
                        "--set object=NAME")
        return names[found[0]].encode

    def _run(self):
        """Runs it from top to end, or to se.eval(); the SE that it made last, if it made any."""
        name = free_name(self._path)
        self._module = types.ModuleType(name)
        self._module.__file__ = self._path
        sys.modules[name] = self._module  # where pickle and dataclasses look for it
        sys.argv = [self._path]
        _engines.clear()
        try:
            exec(compiled(self._path), self._module.__dict__)
        except Evaluated:
            pass
        return _engines.pop() if _engines else None

    def _activate(self):
        """Each script has a path and modules beside it of its own: two may both `import model`."""
        if Script._active is self:
            return
        if Script._active is not None:
            Script._active._step_back()
        sys.path[:] = self._search_path
        sys.modules.update(self._modules)
        Script._active = self

    def _step_back(self):
        self._search_path = sys.path[:]
        self._modules = {name: module for name, module in sys.modules.items() if self._owns(module)}
        for name in self._modules:
            del sys.modules[name]
        Script._active = None

    def close(self):
        """Leaves nothing of it to other scripts."""
        if Script._active is self:
            self._step_back()
        if self._module is not None:
            sys.modules.pop(self._module.__name__, None)
        self.__dict__.clear()
        gc.collect()  # functions and their module hold each other: a model would go some day, not now

    def _owns(self, module):
        """Whether a module was imported from a source file beside the script."""
        file = getattr(module, "__file__", None)
        return is_users(file) and file != self._path and self._is_beside(file)

    def _is_beside(self, file):
        return file.endswith(".py") and os.path.abspath(file).startswith(os.path.join(self._folder, ""))

    @classmethod
    def is_beside_active(cls, file):
        return cls._active is not None and cls._active._is_beside(file)


def describe(error):
    """What is told of an exception, in UTF-8: an error may have lone surrogates in it."""
    return told_of(error).encode("utf-8", "backslashreplace").decode("utf-8")


def told_of(error):
    """What and where in the first line, then the way there."""
    if isinstance(error, Error):
        return str(error)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__)
              if not frame.filename.startswith("<senteval>/")]
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error.msg} ({os.path.basename(error.filename or '?')}:{error.lineno})"
    what = "".join(traceback.format_exception_only(type(error), error)).strip()
    if isinstance(error, SystemExit):
        what = f"it ended itself by sys.exit({error.code!r})"
    if not frames:
        return what
    own = [frame for frame in frames if Script.is_beside_active(frame.filename)]
    last = (own or frames)[-1]
    lines = "".join(traceback.format_list(frames)).rstrip()
    if isinstance(error, ModuleNotFoundError):  # it may be that of another Python, or environment
        lines += f"\n  (by Python {sys.version.split()[0]}, {sys.executable})"
    return f"{what} ({os.path.basename(last.filename)}:{last.lineno}, in {last.name})\n{lines}"


def flush():
    """What was printed without an end of line is seen before the host says what comes next."""
    if hasattr(sys.stdout, "flush"):
        sys.stdout.flush()


_first_search_path = sys.path[:]
_standard_library = os.path.join(os.path.dirname(os.__file__), "")
if sys.stdout is not None:  # in its place the host has put its log
    sys.stdout.reconfigure(line_buffering=True, errors="backslashreplace")
offer_engine()
