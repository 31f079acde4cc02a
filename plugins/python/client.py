"""The process behind the encoder `python`: runs a script and answers for it (sdk/clients/README.md).

    python3 client.py SCRIPT senteval|encode OBJECT batch_invariant|"" ARGV [KEY=VALUE ...]
"""
import ast
import hashlib
import importlib.machinery
import json
import os
import shlex
import struct
import sys
import traceback
import types

# Written beside the installed program, bytecode would outlive its package.
writes_no_bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
from senteval_client import float_bytes, split
from senteval_encoding import (Encoder, Error, Reranker, WholeSentences, absent, dotdict, install_command, is_reranker,
                               offer_absent, parameters)
sys.dont_write_bytecode = writes_no_bytecode

if sys.version_info < (3, 8):
    sys.exit(f"the encoder 'python' needs Python 3.8 or newer, and {sys.executable} is {sys.version.split()[0]}")

HERE = os.path.dirname(os.path.abspath(__file__))
STANDARD_LIBRARY = os.path.join(os.path.dirname(os.__file__), "")


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
    for name, content in (("engine", {"SE": SE}),
                          ("utils", {"dotdict": dotdict, "__getattr__": absent("senteval.utils")})):
        module = types.ModuleType("senteval." + name)
        module.__dict__.update(content)
        setattr(package, name, module)
        sys.modules["senteval." + name] = module
    sys.modules["senteval"] = package
    offer_absent()


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
        for block in iter(lambda: content.read(1 << 20), b""):
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
        raise Error(f"'{text}', which the script is given, cannot be read: {error}") from None


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
            not file.startswith(STANDARD_LIBRARY) and not is_in(HERE, file))


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


class Script:
    """A script that was run, and what it needs to be called."""

    def __init__(self, path, style, object_name, argv, arguments):
        self._path = path
        self._file = os.path.basename(path)
        self._folder = os.path.dirname(path)
        self._object_name = object_name
        self._given = dict(parse_argument(one) for one in arguments)
        self.whole_sentences = style == "encode"
        sys.path[0] = self._folder  # in place of that of this program
        sys.path.append(HERE)  # where the processes of a pool, which load this program, find its parts
        try:
            self._words = shlex.split(argv)
        except ValueError as error:  # an open quote
            raise Error(f"parameter 'argv': {argv} is no command line: {error}") from None
        sys.argv = [path, *self._words]
        engine, names = self._run()
        params = engine.params if engine else names.get("params_senteval")
        params = parameters({**(params if isinstance(params, dict) else {}), **self._given})
        functions = types.SimpleNamespace(**names)
        if not engine and not callable(names.get("batcher")) and (encodes(functions) or is_reranker(functions)):
            self.whole_sentences = True  # it has nothing else to call
        self.similarity = None
        self.reranks = False
        if self.whole_sentences:
            model = self._find_model(names, functions)
            if not encodes(model) and is_reranker(model):
                self.reranks = True
                self.encoder = Reranker(params, model, self._file)
                return
            by_role = {role: getattr(model, "encode_" + role, None) for role in ("query", "document")}
            self.encoder = WholeSentences(params, getattr(model, "encode", model), f"encode() of {self._file}",
                                          {role: found for role, found in by_role.items() if callable(found)})
            said = getattr(model, "similarity_fn_name", None)
            self.similarity = said if isinstance(said, str) else None
            return
        batcher = engine.batcher if engine else names.get("batcher")
        prepare = engine.prepare if engine else names.get("prepare")
        if not callable(batcher):
            raise Error(f"{self._file} defines neither batcher(params, batch) nor encode(sentences), and makes no "
                        "senteval.engine.SE(params, batcher, prepare) (--set style=encode calls an object's encode)")
        self.encoder = Encoder(params, batcher, prepare, f"batcher() of {self._file}")

    def _run(self):
        """Runs it from top to end, or to se.eval(); the SE that it made last, if any, and its names."""
        stem = os.path.splitext(self._file)[0]
        module = types.ModuleType("senteval_script" if stem in sys.modules else stem)
        module.__file__ = self._path
        sys.modules[module.__name__] = module  # where pickle and the processes of a pool look for it
        try:
            exec(compiled(self._path), module.__dict__)
        except Evaluated:
            pass
        return _engines[-1] if _engines else None, module.__dict__

    def _find_model(self, names, functions):
        """What encodes, and what may have its sisters encode_query and encode_document; else what reranks."""
        if self._object_name:
            if self._object_name not in names:
                raise Error(f"{self._file} has no '{self._object_name}', which parameter 'object' names")
            found = names[self._object_name]
            found = found() if isinstance(found, type) else found
            if not (encodes(found) or is_reranker(found) or callable(found)):
                raise Error(f"'{self._object_name}' of {self._file} is neither an object with encode(sentences), "
                            "predict(pairs) or rank(query, documents) nor a function")
            return found
        for serves in (encodes, is_reranker):
            if serves(functions):
                return functions
            found = [name for name, value in names.items() if not name.startswith("_") and
                     not isinstance(value, (type, types.ModuleType, str)) and serves(value)]
            classes = [value for value in names.values() if isinstance(value, type) and
                       value.__module__ == names["__name__"] and serves(value)]
            if not found and len(classes) == 1:
                return classes[0]()  # which the script leaves to who uses it
            if len(found) == 1:
                return names[found[0]]
            if found:
                break
        what = "objects " + ", ".join(sorted(found)) if found else "nothing"
        methods = "predict or rank" if found and serves is is_reranker else "encode(sentences)"
        raise Error(f"{self._file} has {what} with {methods}: name one with --set object=NAME")

    def identity(self):
        """What the host does not see, by content: the modules that are the user's, and the files and folders
        that arguments name."""
        modules = {os.path.relpath(file, self._folder): content_hash(file)
                   for file in self._module_files()}
        values = [value for value in self._given.values() if isinstance(value, str)]
        values += [word.rpartition("=")[2] for word in self._words]
        contents = {value: named_content(value) for value in values}
        files = {value: content for value, content in contents.items() if content is not None}
        stated = {"modules": modules, "files": files, "similarity": self.similarity, "reranks": self.reranks,
                  "unseen": "program"}
        return json.dumps({key: value for key, value in stated.items() if value or key == "modules"}, sort_keys=True)

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

    def _owns(self, module):
        """Whether a module was imported from a source file beside the script."""
        file = getattr(module, "__file__", None)
        return is_users(file) and file != self._path and is_in(self._folder, file) and file.endswith(".py")


def encodes(thing):
    return callable(getattr(thing, "encode", None))


def is_in(folder, file):
    return os.path.abspath(file).startswith(os.path.join(folder, ""))


# ---- The answers ------------------------------------------------------------------------------------


def wants_argv(error, line):
    """Whether the script ended itself, or did not find in sys.argv what it reads there in its last line."""
    if isinstance(error, SystemExit):
        return error.code not in (None, 0)
    return "argv" in (line or "") or type(error).__module__ == "argparse"


def describe(error, folder):
    """What and where in the first line, then the way there."""
    if isinstance(error, Error):
        return str(error)
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error.msg} ({os.path.basename(error.filename or '?')}:{error.lineno})"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not is_in(HERE, frame.filename)]
    what = "".join(traceback.format_exception_only(type(error), error)).strip()
    if isinstance(error, SystemExit):
        what = f"it ended itself by sys.exit({error.code!r})"
        *_, (frame, _) = traceback.walk_tb(error.__traceback__)
        is_argparse = frame.f_globals.get("__name__") == "argparse"  # which prints it; click's is what it is handling
        said = str((frame.f_locals.get("message") if is_argparse else error.__context__) or "").strip()
        what += f": {said}" if said else ""
    if not frames:
        return what
    own = [frame for frame in frames if is_in(folder, frame.filename)]
    last = (own or frames)[-1]
    if wants_argv(error, last.line):
        what += "; a command line for it is given by --set argv=\"--model x\""
    where = f"({os.path.basename(last.filename)}:{last.lineno}, in {last.name})"
    lines = "".join(traceback.format_list(frames)).rstrip()
    if isinstance(error, ModuleNotFoundError):  # it may be that of another Python, or environment
        lines += f"\n  (by Python {sys.version.split()[0]}, {sys.executable})"
        package = (error.name or "").partition(".")[0]
        if package and package not in sys.modules:  # else it lacks a part
            where += f"; if it is a package: {install_command(package)}"
    return f"{what} {where}\n{lines}"


def hello(script, batch_invariant):
    """The encoder takes `version` for what the script consists of."""
    dimension = script.encoder.dimension() if script.whole_sentences else "per task"
    return {"protocol": 1, "name": "python", "version": script.identity(), "dimension": dimension,
            "prepare": script.reranks or not script.whole_sentences, "batch_invariant": batch_invariant,
            "roles": bool(getattr(script.encoder, "by_role", None))}


def main():
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # what the script prints goes to the log
    sys.stdout.reconfigure(line_buffering=True, errors="backslashreplace")
    path, style, object_name, invariant, argv, *arguments = sys.argv[1:]
    script = None
    for line in iter(requests.readline, b""):
        request = json.loads(line)
        sentences = split(requests.read(request.get("bytes", 0)))
        numbers = None
        try:
            if request["request"] == "hello":
                script = Script(path, style, object_name, argv, arguments)
                answer = hello(script, bool(invariant))
            elif request["request"] == "prepare":
                script.encoder.prepare(request["task"], sentences)
                answer = {"dimension": script.encoder.dimension()}
            else:
                rows = script.encoder.encode(sentences, request.get("role"))
                numbers = float_bytes(rows)
                answer = {"rows": len(rows), "dimension": len(rows[0])}
        except BaseException as error:
            what = describe(error, os.path.dirname(path))
            answer = {"error": what.encode("utf-8", "backslashreplace").decode()}  # it may have lone surrogates
        if hasattr(sys.stdout, "flush"):
            sys.stdout.flush()
        answers.write(json.dumps(answer).encode() + b"\n")
        if numbers is not None:
            answers.write(struct.pack("<Q", len(numbers)) + numbers)
        answers.flush()


offer_engine()  # for the processes of a pool, too, which load this file
if __name__ == "__main__":
    main()
