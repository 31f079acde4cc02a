"""The client's side of senteval's process protocol (../README.md). Copy it beside your script.

    from senteval_client import serve
    serve(encode, name="mine", version="1.0", dimension=300)

encode(sentences) takes a list of str and returns one row of numbers for each: a NumPy array, or lists.
prepare(task, sentences), where given, sees every sentence of a task first; with dimension=None it returns
the dimension. encode_query and encode_document, where given, take the place of encode for the texts of a search.
With reranks=True and dimension=1 prepare is given one sentence, the query, and encode returns a row of one score for each
document. What the program prints goes to senteval's log.
"""
import itertools
import json
import os
import struct
import sys
import traceback
from array import array


def split(payload):
    sentences, at = [], 0
    while at < len(payload):
        (size,) = struct.unpack_from("<I", payload, at)
        sentences.append(payload[at + 4 : at + 4 + size].decode())
        at += 4 + size
    return sentences


def float_bytes(rows):
    if any(hasattr(one, "filled") for one in (rows, *rows)):
        raise TypeError("a masked array: what it masks has no value, so fill it with .filled(...)")
    is_numpy = hasattr(rows, "astype")
    return (rows.astype("<f4") if is_numpy else array("f", itertools.chain.from_iterable(rows))).tobytes()


def serve(encode, name, version, dimension, prepare=None, batch_invariant=True, deterministic=True,
          encode_query=None, encode_document=None, similarity=None, reranks=False):
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    hello = {"protocol": 1, "name": name, "version": version, "dimension": dimension or "per task",
             "prepare": prepare is not None, "batch_invariant": batch_invariant,
             "deterministic": deterministic, "roles": bool(encode_query or encode_document), "similarity": similarity,
             "reranks": reranks}
    by_role = {"query": encode_query or encode, "document": encode_document or encode}
    for line in iter(sys.stdin.buffer.readline, b""):
        request = json.loads(line)
        sentences = split(sys.stdin.buffer.read(request.get("bytes", 0)))
        try:
            if request["request"] == "hello":
                answer = hello
            elif request["request"] == "prepare":
                told = prepare(request["task"], sentences)
                dimension = dimension or told
                answer = {"dimension": told or dimension}
            else:
                rows = by_role.get(request.get("role"), encode)(sentences)
                numbers = float_bytes(rows)
                answer = {"rows": len(rows), "dimension": len(rows[0])}
        except Exception as e:
            traceback.print_exc()
            answer = {"error": f"{type(e).__name__}: {e}"}
        answers.write(json.dumps(answer).encode() + b"\n")
        if "rows" in answer:
            answers.write(struct.pack("<Q", len(numbers)) + numbers)
        answers.flush()
