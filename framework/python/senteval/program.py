"""The program `senteval`, run from Python, and a model of this process that it evaluates."""
import importlib.util
import json
import logging
import os
import re
import selectors
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile

from senteval.encoding import Error, Reranker
from senteval.protocol import float_bytes, split

HERE = os.path.dirname(os.path.abspath(__file__))
GRACE = 1  # seconds that a program has to end after it was told to

logger = logging.getLogger("senteval")


def path():
    """SENTEVAL_PROGRAM, or the program of this installation or build, or the first along PATH."""
    candidates = [os.environ.get("SENTEVAL_PROGRAM"), os.path.join(HERE, "bin", "senteval"),
                  *(os.path.join(HERE, *[os.pardir] * up, place) for up, place in
                    ((2, "senteval"), (4, "bin/senteval"))), shutil.which("senteval")]
    for one in candidates:
        if one and os.path.isfile(one) and os.access(one, os.X_OK):
            return os.path.realpath(one)
    raise Error("there is no program senteval here or on PATH: name it by the environment variable SENTEVAL_PROGRAM")


def environment(**more):
    """Of a program that is started: its scripts run by this Python, whose certificates it may use."""
    certifi = importlib.util.find_spec("certifi")
    ours = {"SENTEVAL_PYTHON": sys.executable}
    if certifi:
        ours["SENTEVAL_CERTIFI"] = os.path.join(os.path.dirname(certifi.origin), "cacert.pem")
    return {**ours, **os.environ, **more}


def main():
    """The command `senteval` of the wheel: becomes the program."""
    os.execve(path(), ["senteval", *sys.argv[1:]], environment())


def output(*arguments):
    """What a command prints. Raises Error with its complaint where that is nothing."""
    run = subprocess.run([path(), *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                         encoding="utf-8", env=environment())
    if run.returncode > 1 or (run.returncode == 1 and not run.stdout):
        raise Error(complaint(run.stderr))
    return run.stdout


def complaint(printed):
    """Without the places in files that were written for the run."""
    written = re.escape(tempfile.gettempdir()) + r"/tmp[^:\n]*\.toml:\d+:\d+: "
    return re.sub("^senteval: |" + written, "", printed.strip()) or "the program senteval ended without a word"


def options_of(settings):
    """Options of a command by name; True stands for a switch."""
    arguments = []
    for key, value in settings.items():
        option = "--" + key.replace("_", "-")
        if value is not None and value is not False:
            text = ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
            arguments += [option] if value is True else [option, text]
    return arguments


class Serving:
    """A run of the program whose encoder is a model of this process. The calling thread answers it: functions run where
    their caller is, and where Python delivers Ctrl-C. Leaving the `with` ends the program, whatever happened."""

    def __init__(self, arguments, model=None, similarity=None, progress=None):
        self._model = model
        self._similarity = similarity
        self._progress = progress or (lambda done, total: None)
        self._printed = b""
        self._lines = []
        self._scratch = tempfile.TemporaryDirectory()
        self._file = os.path.join(self._scratch.name, "run.json")
        ours, theirs = socket.socketpair()
        values, their_values = socket.socketpair()
        with theirs, their_values:
            caller = f"{os.getpid()}:{their_values.fileno()}" if similarity else str(os.getpid())
            self._process = subprocess.Popen(
                [path(), "run", *map(str, arguments), "--json", self._file], stdin=theirs,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
                pass_fds=[their_values.fileno()], env=environment(SENTEVAL_CALLER=caller))
        self._requests, self._answers, self._values = ours.makefile("rb"), ours, values

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self._stop()
        for one in (self._requests, self._answers, self._values, self._process.stderr):
            one.close()
        self._scratch.cleanup()

    def serve(self):
        """Answers until the program ends. Returns the document of the run, with what it complained of under "printed".
        Raises what the model raises, when the program has been ended."""
        try:
            self._serve()
        except BaseException:
            self._stop()
            raise
        return {**self.document(), "printed": complaint("\n".join(self._lines))}

    def document(self):
        """What is finished."""
        if not os.path.exists(self._file):
            return {"results": [], "failures": []}
        with open(self._file, encoding="utf-8") as file:
            return json.load(file)

    def _stop(self):
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(GRACE)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()

    def _serve(self):
        with selectors.DefaultSelector() as selector:
            selector.register(self._answers, selectors.EVENT_READ, self._answer)
            selector.register(self._values, selectors.EVENT_READ, self._compare)
            selector.register(self._process.stderr, selectors.EVENT_READ, self._read)
            while self._process.stderr in selector.get_map():
                for key, _ in selector.select():
                    if not key.data():
                        selector.unregister(key.fileobj)
        self._process.wait()

    def _answer(self):
        line = self._requests.readline()
        if not line:
            return False
        request = json.loads(line)
        sentences = split(self._requests.read(request.get("bytes", 0)))
        answer, numbers = self._model.answer(request, sentences)
        self._answers.sendall(json.dumps(answer).encode() + b"\n" + numbers)
        return True

    def _compare(self):
        import numpy

        head = self._values.recv(4, socket.MSG_WAITALL)
        if len(head) < 4:
            return False
        (dimension,) = struct.unpack("<I", head)
        both = numpy.frombuffer(self._values.recv(8 * dimension, socket.MSG_WAITALL), "<f4").copy()
        self._values.sendall(struct.pack("<d", float(self._similarity(both[:dimension], both[dimension:]))))
        return True

    def _read(self):
        block = os.read(self._process.stderr.fileno(), 65536)
        *lines, self._printed = (self._printed + block).split(b"\n")
        for line in lines + ([self._printed] if not block and self._printed else []):
            text = line.decode("utf-8", "replace")
            cell = re.match(r"\[(\d+)/(\d+)\]", text)
            if cell:
                self._progress(int(cell[1]), int(cell[2]))
            elif text.startswith("warning: "):
                logger.warning("%s", text[len("warning: "):])
            else:
                self._lines.append(text)
        return bool(block)


class Model:
    """An encoder of senteval.encoding as the protocol of sdk/clients/README.md asks for it."""

    def __init__(self, encoder, name, version, prepare_matters):
        self.encoder = encoder
        self._hello = {"protocol": 1, "name": name, "version": version, "dimension": "per task", "prepare": True,
                       "prepare_matters": prepare_matters, "batch_invariant": False, "deterministic": False,
                       "roles": bool(getattr(encoder, "by_role", None)),
                       "similarity": getattr(encoder, "similarity", None) or "",
                       "reranks": isinstance(encoder, Reranker)}

    def answer(self, request, sentences):
        """The answer, and the bytes behind it. Raises what the model raises."""
        if request["request"] == "hello":
            return self._hello, b""
        if request["request"] == "prepare":
            self.encoder.prepare(request["task"], sentences)
            return {"dimension": self.encoder.dimension()}, b""
        rows = self.encoder.encode(sentences, request.get("role"))
        numbers = float_bytes(rows)
        return {"rows": len(rows), "dimension": len(rows[0])}, struct.pack("<Q", len(numbers)) + numbers
