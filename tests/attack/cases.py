"""The cases of the attack: bytes, and whether an honest result can come of them."""

import dataclasses
import json
import pathlib
import struct
import typing


@dataclasses.dataclass
class Case:
    name: str
    bytes: bytes = b""
    honest: typing.Optional[bool] = None  # True: must give a result; False: must not; None: may
    part: typing.Any = ""
    task: str = ""
    library: typing.Any = None
    settings: dict = dataclasses.field(default_factory=dict)


NUMBERS = [0, 1, -1, 2, 255, 256, 2**15 - 1, 2**31 - 1, -2**31, 2**32, 2**62, -2**63]


def mutated(data, rng):
    """One to four random changes of some bytes."""
    data = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data)) if data else 0
        kind = rng.randrange(7)
        if kind == 0:
            data[at:at] = bytes([rng.randrange(256)])
        elif kind == 1:
            del data[at:at + rng.randrange(1, 9)]
        elif kind == 2:
            del data[at:]
        elif kind in (3, 4):  # among the sizes that formats begin with, or anywhere
            at = at % 128 if kind == 3 else at
            number = rng.choice(NUMBERS)
            packed = struct.pack("<q", number)[:rng.choice((4, 8))]
            data[at:at + len(packed)] = packed
        elif kind == 5:
            data[at:at] = data[at:at + rng.randrange(1, 200)]
        elif data:
            data[at] = rng.randrange(256)
    return bytes(data)


def mutations(seeds, rng, count):
    for i in range(count):
        name, data = seeds[i % len(seeds)]
        yield Case(f"{name}, change {i}", mutated(data, rng))


def truncations(name, data, rng, count):
    """Of a format that says how long it is: never a result."""
    for size in sorted(rng.sample(range(1, len(data)), min(count, len(data) - 1))):
        yield Case(f"{name}, cut at {size}", data[:size], honest=False)


WORDS = ["the", "a", "man", "is", "playing", "of", "in", "dog", "woman", "."]


def text_vectors(header=False, dimension=5):
    lines = [f"{len(WORDS)} {dimension}"] if header else []
    lines += [" ".join([word] + [f"{(i * 7 + k * 3) % 11 / 10 - 0.5:.3f}" for k in range(dimension)])
              for i, word in enumerate(WORDS)]
    return ("\n".join(lines) + "\n").encode()


def binary_vectors(dimension=5):
    body = b"".join(word.encode() + b" " + struct.pack(f"<{dimension}f", *(
        (i * 7 + k * 3) % 11 / 10 - 0.5 for k in range(dimension))) + b"\n" for i, word in enumerate(WORDS))
    return f"{len(WORDS)} {dimension}\n".encode() + body


def vectors(rng, many):
    glove, word2vec, binary = text_vectors(), text_vectors(True), binary_vectors()
    for name, data in (("glove", glove), ("word2vec", word2vec), ("binary", binary)):
        yield Case(name, data, honest=True)
        yield Case(f"{name}, byte-order mark", b"\xef\xbb\xbf" + data, honest=True)
    yield Case("empty", b"", honest=False)
    yield Case("one line end", b"\n", honest=False)
    yield Case("words only", b"the\na\nman\n", honest=False)
    yield Case("an HTML page", b"<!DOCTYPE html><html><body>404</body></html>\n", honest=False)
    yield Case("compressed", b"\x1f\x8b\x08\x00" + bytes(100), honest=False)
    yield Case("not a number", glove.replace(b"0.", b"nan"), honest=False)
    yield Case("header that promises too much",
               b"4000000000 4000000000\n" + b"the " + bytes(64), honest=False)
    yield Case("a binary of one word of many", b"99999999999 5\n" + binary.split(b"\n", 1)[1],
               honest=False)
    yield Case("a line of a megabyte", b"the " + b"1 " * 500_000 + b"\n")
    yield Case("NUL bytes", glove.replace(b" ", b"\0"), honest=False)
    if many:
        yield Case("a line of 50 MB", b"x" * 50_000_000, honest=False)
    yield from truncations("binary", binary[:-1], rng, 60 if many else 4)
    yield from mutations([("glove", glove), ("word2vec", word2vec), ("binary", binary)], rng,
                         900 if many else 24)


def models(rng, many, corpus):
    seeds = [(file.name, file.read_bytes()) for file in sorted(pathlib.Path(corpus).iterdir())]
    for name, data in seeds:
        yield Case(name, data, honest=True)
        yield from truncations(name, data, rng, 60 if many else 3)
        for at in range(8, 64, 4):  # the arguments
            for number in NUMBERS if many else (0, -1, 2**31 - 1):
                if not many and at % 12:
                    continue
                changed = bytearray(data)
                changed[at:at + 4] = struct.pack("<q", number)[:4]
                yield Case(f"{name}, {number} at {at}", bytes(changed))
    yield from mutations(seeds, rng, 900 if many else 20)


def npy(rows, columns, descr="<f4", data=None, version=1, fortran=False):
    width = int(descr[-1])
    code = {2: "e", 4: "f", 8: "d"}[width]
    if data is None:
        data = struct.pack(f"<{rows * columns}{code}", *((i * 7 % 13) / 13 for i in range(rows * columns)))
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': ({rows}, {columns}), }}\n".encode()
    return (b"\x93NUMPY" + bytes([version, 0]) +
            struct.pack("<H" if version == 1 else "<I", len(header)) + header + data)


def precomputed(rng, many, rows):
    right = npy(rows, 3)
    text = "".join(f"{i % 7} {i % 5} {1 + i % 3}\n" for i in range(rows)).encode()
    yield Case("npy", right, honest=True)
    yield Case("npy of halves, columns first", npy(rows, 3, "<f2", fortran=True), honest=True)
    yield Case("text", text, honest=True)
    yield Case("text with header", f"{rows} 3\n".encode() + text, honest=True)
    yield Case("a row less", npy(rows - 1, 3), honest=False)
    yield Case("a row more than there is", npy(rows + 1, 3, data=bytes(rows * 12)), honest=False)
    yield Case("trailing bytes", right + b"x", honest=False)
    yield Case("no columns", npy(rows, 0), honest=False)
    yield Case("integers", right.replace(b"<f4", b"<i4"), honest=False)
    yield Case("objects", right.replace(b"'<f4'", b"'|O' "), honest=False)
    yield Case("sizes that overflow", npy(2**62, 4, data=b""), honest=False)
    yield Case("negative sizes", right.replace(b"(%d, 3)" % rows, b"(-1, 3)".rjust(len(b"(%d, 3)" % rows))),
               honest=False)
    not_a_number = struct.pack("<f", float("nan"))
    yield Case("not a number", npy(rows, 3, data=not_a_number * (rows * 3)), honest=False)
    yield Case("infinite", npy(rows, 3, data=struct.pack("<f", float("inf")) * (rows * 3)), honest=False)
    yield Case("text, not a number", text.replace(b"1", b"nan"), honest=False)
    yield from truncations("npy", right, rng, 60 if many else 4)
    yield from mutations([("npy", right[:400]), ("npy", right), ("text", text)], rng, 300 if many else 9)


def sentences(rng, many, right):
    yield Case("right", right, honest=True)
    yield Case("Windows line ends", right.replace(b"\n", b"\r\n"))
    yield Case("a line less", right.split(b"\n", 1)[1], honest=False)
    yield Case("empty", b"", honest=False)
    yield Case("all alike", b"a\n" * right.count(b"\n"), honest=False)
    yield Case("NUL bytes", right.replace(b" ", b"\0"), honest=False)
    yield from mutations([("sentences", right)], rng, 200 if many else 5)


# A file of each reader, and the task that reads it.
DATASETS = {"CR": "downstream/CR/custrev.pos", "TREC": "downstream/TREC/train_5500.label",
            "STS14": "downstream/STS/STS14-en-test/*.input*", "SST2": "downstream/SST/binary/*train",
            "MRPC": "downstream/MRPC/*train*", "SICKEntailment": "downstream/SICK/*train*",
            "STSBenchmark": "downstream/STS/STSBenchmark/*train*", "SNLI": "downstream/SNLI/s1.train",
            "Length": "probing/sentence_length.txt", "ImageCaptionRetrieval": "downstream/COCO/*"}


def datasets(rng, many, data):
    for task, pattern in DATASETS.items():
        for file in sorted(data.glob(pattern))[:None if many else 1]:
            for case in mutations([(f"{task} {file.name}", file.read_bytes())], rng, 20 if many else 1):
                case.part, case.task = file, task
                yield case


def run_files(rng, many, data, vectors):
    head = (f'[run]\ndata = "{data}"\ntasks = ["STS12"]\nlimit = 10\n[[encoder]]\nname = "glove"\n'
            f'[encoder.parameters]\nvectors = "{vectors}"\n').encode()
    own = b'[[task]]\nname = "%s"\nprotocol = "similarity"\ntest = "x.tsv"\nfirst = 1\nsecond = 2\ntarget = 3\n'
    yield Case("right", head, honest=True)
    for name in (rb"\u0000", rb"a\u0000b", rb"a\u202eb", rb"a\u200bb", rb"\ufeffa", "..", ".", "a/b", "../../x", "", " ", r"\u001b[31m", "x" * 5000):
        name = name if isinstance(name, bytes) else name.encode()
        yield Case(f"a task called {name[:20]!r}", head.replace(b'"STS12"', b'"STS12", "custom"') +
                   own % name, honest=False)
    yield Case("lists without bottom", b"a = " + b"[" * 100_000, honest=False)
    yield Case("tables without bottom", b"a = " + b"{b = " * 100_000, honest=False)
    yield Case("no TOML", bytes(range(256)), honest=False)
    yield Case("empty", b"", honest=False)
    yield Case("a batch of a thousand million", head.replace(b"limit", b"batch_size = 1000000000\nlimit"))
    yield Case("an optimiser that is none", head + b'[classifier]\noptim = "nonsense"\n', honest=False)
    yield from mutations([("run file", head)], rng, 150 if many else 6)


def own_data(rng, many):
    rows = [f"a man is playing .\tthe dog is in the woman {i} .\t{i % 6}\n" for i in range(12)]
    right = "".join(rows).encode()
    yield Case("right", right, honest=True)
    yield Case("byte-order mark", b"\xef\xbb\xbf" + right, honest=True)
    yield Case("Windows line ends", right.replace(b"\n", b"\r\n"), honest=True)
    yield Case("gold beyond all bounds", right.replace(b"\t3\n", b"\t1e300\n"), honest=False)
    yield Case("gold that is none", right.replace(b"\t3\n", b"\tnan\n"), honest=False)
    yield Case("a column less", right.replace(b"\t3\n", b"\n"), honest=False)
    yield Case("empty", b"", honest=False)
    yield Case("Latin-1", right.replace(b"man", b"m\xe4n"), honest=False)
    yield Case("NUL bytes", right.replace(b"man", b"m\0n"))
    yield Case("a sentence of a megabyte", b"man " * 250_000 + b"\tdog\t1\n" + right)
    yield from mutations([("own data", right)], rng, 300 if many else 8)


def stores(rng, many, document, items):
    whole = json.loads(document)

    def with_member(path, value):
        changed = json.loads(document)
        at = changed
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = value
        return json.dumps(changed).encode()

    deep = b"[" * 100_000 + b"]" * 100_000
    assert "coverage" in whole
    yield Case("right", document, honest=True, part="document")
    for name, data in (("bottomless", deep), ("empty", b""), ("a list", b"[]"), ("a number", b"1"),
                       ("bottomless member", document.rstrip()[:-1] + b', "x": ' + deep + b"}"),
                       ("a name with a NUL", with_member(["task", "name"], "\0")),
                       ("a name that climbs", with_member(["task", "name"], "../../x")),
                       ("more known than there are", with_member(["coverage", "tokens_known"], 10**9)),
                       ("metrics that are none", with_member(["metrics"], 3)),
                       ("another schema", with_member(["schema"], "something/99"))):
        yield Case(f"document: {name}", data, honest=False, part="document")
    yield Case("items: empty", b"", honest=False, part="items")
    for size in rng.sample(range(len(items)), 60 if many else 3):
        yield Case(f"items, cut at {size}", items[:size], honest=False, part="items")
    for i in range(200 if many else 5):
        changed = bytearray(items)
        changed[rng.randrange(len(items))] ^= 1 << rng.randrange(8)
        yield Case(f"items, bit {i}", bytes(changed), honest=False, part="items")
    for case in mutations([("document", document)], rng, 300 if many else 8):
        case.part = "document"
        yield case


def imports(rng, many):
    right = b'{"CR": {"devacc": 80.5, "acc": 79.25, "ndev": 3, "ntest": 3}}'
    yield Case("right", right, honest=True)
    for name, data in (("bottomless", b'{"CR": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"),
                       ("bottomless objects", b'{"CR":' * 100_000 + b"1" + b"}" * 100_000),
                       ("accuracy below 0", right.replace(b"79.25", b"-5000")),
                       ("accuracy above 100", right.replace(b"79.25", b"100.5")),
                       ("a correlation of 2", b'{"STS12": {"all": {"pearson": {"wmean": 2}}}}'),
                       ("no task", b'{"nonsense": {"acc": 1}}'), ("a list", b"[]"), ("empty", b""),
                       ("a number", b"7"), ("no UTF-8", b'{"CR": {"acc": "\xff"}}')):
        yield Case(name, data, honest=False)
    yield from mutations([("import", right)], rng, 300 if many else 8)


# What the encoder of runtime.c can be asked to do, and what must come of it.
CONDUCT = {"nothing": True, "nan": False, "infinity": False, "write_nothing": False, "error": False,
           "silent_error": False, "unknown_status": False, "cancelled": False,
           "dimension_zero": False, "dimension_changes": False, "dimension_error": False,
           "prepare_error": False, "create_error": False, "create_silent_error": False, "create_null": False,
           "constant": True, "escapes": True, "flood": True, "print": True, "chdir": True}

# What faults.cpp does to its process, and in which function.
FAULTS = {"exit": "batcher", "quick_exit": "batcher", "_exit": "create", "exec": "batcher", "message": "batcher",
          "segv": "batcher"}


def plugins(built, isolates, many):
    built = pathlib.Path(built)
    for what, honest in CONDUCT.items() if (built / "runtime.so").exists() else ():
        yield Case(what, honest=honest, library=built / "runtime.so",
                   settings={"what": what, "always": "true"})
    for fault, function in FAULTS.items() if isolates and (built / "faults.so").exists() else ():
        yield Case(fault, honest=False, library=built / "faults.so", settings={"fault": fault, "in": function})
    for library in sorted(built.glob("*.so")) if many else ():
        if library.name.startswith("crash_") and not isolates:
            continue  # without a process of its own it takes the program with it
        if library.stem in ("runtime", "stating") or library.stem.startswith("lib"):
            continue
        yield Case(library.name, library=library)
