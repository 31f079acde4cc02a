"""A client of the process protocol that misbehaves as its argument says; it also says so of itself.

Vectors have three elements: the bytes of the sentence, the request's number of sentences, the process.
"""
import json
import os
import signal
import struct
import sys
import time

how = sys.argv[1]
answers, requests = sys.stdout.buffer, sys.stdin.buffer
HELLO = {"protocol": 1, "name": "fake", "version": "1", "dimension": 3, "batch_invariant": True,
         "a field of the future": [1, {"x": None}]}


def say(answer, *more):
    answers.write(json.dumps(answer).encode() + b"\n" + b"".join(more))
    answers.flush()


def vectors(sentences):
    rows = [(float(len(s)), float(len(sentences)), float(os.getpid() % 1000)) for s in sentences]
    return b"".join(struct.pack("<3f", *row) for row in rows)


def hello():
    if how == "dies at hello":
        print("there is no model", file=sys.stderr)
        sys.exit(7)
    if how == "prints first":
        answers.write(b"Loading the model...\n")
    changes = {
        "another protocol": {"protocol": 2},
        "no protocol": {"protocol": None},
        "no name": {"name": ""},
        "no dimension": {"dimension": None},
        "dimension 0": {"dimension": 0},
        "dimension of the world": {"dimension": 1 << 40},
        "per task without prepare": {"dimension": "per task"},
        "per task": {"dimension": "per task", "prepare": True},
        "prepares": {"prepare": True},
        "dies in prepare": {"prepare": True},
        "changes dimension": {"prepare": True},
        "depends on the batch": {"batch_invariant": False},
        "keeps all": {"deterministic": True},
        "takes roles": {"roles": True, "similarity": "dot"},
        "reranks": {"reranks": True, "prepare": True},
        "reranks unprepared": {"reranks": True},
    }
    say({**HELLO, **changes.get(how, {})})
    while how == "floods":
        answers.write(b"y\n" * 4096)


def prepare(request, sentences):
    if how == "dies in prepare":
        sys.exit(9)
    if how == "per task":
        globals()["dimension"] = len(sentences)
        say({"dimension": len(sentences)})
    elif how == "changes dimension":
        say({"dimension": 4})
    else:
        say({"task": request["task"]})


def encode(sentences):
    numbers = vectors(sentences)
    good = {"rows": len(sentences), "dimension": 3}
    size = struct.pack("<Q", len(numbers))
    if how == "exits":
        print("first line\nsecond \x1b[31mline\x07", file=sys.stderr)
        sys.exit(3)
    elif how == "exits without a word":
        os._exit(0)
    elif how == "crashes":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif how == "stalls":
        time.sleep(3600)
    elif how == "stalls in a line":
        answers.write(b"\x01no line")
        answers.flush()
        time.sleep(3600)
    elif how == "writes garbage":
        answers.write(b"\xff\x00 what?\n")
        answers.flush()
    elif how == "writes no line":
        answers.write(b"x" * (3 << 20))
        answers.flush()
        time.sleep(3600)
    elif how == "nests deeply":
        answers.write(b"[" * 100000 + b"]" * 100000 + b"\n")
        answers.flush()
    elif how == "writes a list":
        say([1, 2])
    elif how == "gives another count":
        say({**good, "rows": len(sentences) - 1}, struct.pack("<Q", len(numbers) - 12), numbers[12:])
    elif how == "gives another dimension":
        say({**good, "dimension": 4}, size, numbers)
    elif how == "announces too much":
        say(good, struct.pack("<Q", 1 << 60), numbers)
    elif how == "ends in the middle":
        say(good, size, numbers[:-5])
        sys.exit(0)
    elif how == "gives NaN":
        say(good, size, numbers[:-4] + struct.pack("<f", float("nan")))
    elif how == "gives infinity":
        say(good, size, struct.pack("<f", float("inf")) + numbers[4:])
    elif how == "says an error":
        say({"error": "no \x07 such word"})
    elif how == "closes its output":
        os.close(1)
        time.sleep(3600)
    elif how == "per task":
        rows = struct.pack("<f", 1.0) * len(sentences) * dimension
        say({**good, "dimension": dimension}, struct.pack("<Q", len(rows)), rows)
    else:
        if how == "logs":
            print("half a ", end="", file=sys.stderr, flush=True)
            print("line\n50%\r100%\n" + "y" * 200000, file=sys.stderr)
        say(good, size, numbers)


def split(payload):
    sentences, at = [], 0
    while at < len(payload):
        (size,) = struct.unpack_from("<I", payload, at)
        sentences.append(payload[at + 4 : at + 4 + size])
        at += 4 + size
    return sentences


dimension = 3
for line in iter(requests.readline, b""):
    request = json.loads(line)
    if how.startswith(("takes", "logs requests")):
        print(line.decode(), end="", file=sys.stderr, flush=True)
    sentences = split(requests.read(request.get("bytes", 0)))
    if request["request"] == "hello":
        hello()
    elif request["request"] == "prepare":
        prepare(request, sentences)
    else:
        encode(sentences)
