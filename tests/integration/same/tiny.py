"""A tiny transformer over bytes: its folder, its vectors in plain NumPy, and a server of them that does one thing otherwise."""
import http.server
import json
import pathlib
import re
import struct
import threading
import time
import unicodedata
import zlib

import numpy

WIDTH, HEADS, INNER, LAYERS, POSITIONS = 32, 2, 64, 2, 1200
CLS, SEP = 256, 257


def letters():
    """The letter of each byte in a byte-level vocabulary."""
    visible = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = iter(range(256, 512))
    return [chr(byte if byte in visible else next(others)) for byte in range(256)]


def tensors_of(seed):
    draw = numpy.random.default_rng(seed)

    def normal(*shape):
        return draw.normal(size=shape).astype(numpy.float32) / numpy.float32(shape[-1] ** .5)

    made = {"embeddings.word_embeddings.weight": 3 * normal(258, WIDTH), "embeddings.token_type_embeddings.weight": normal(2, WIDTH),
            "embeddings.position_embeddings.weight": 3 * normal(POSITIONS, WIDTH)}
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}."
        for part in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            made[name + part + ".weight"] = 2 * normal(WIDTH, WIDTH)
        made[name + "intermediate.dense.weight"] = 2 * normal(INNER, WIDTH)
        made[name + "output.dense.weight"] = 2 * normal(WIDTH, INNER)
    made["dense"] = normal(WIDTH, WIDTH)
    for name in [one for one in made if one.endswith("dense.weight") or "self" in one]:
        made[name.replace("weight", "bias")] = normal(made[name].shape[0])
    for name in ("embeddings", *(f"encoder.layer.{layer}.{part}" for layer in range(LAYERS) for part in ("attention.output", "output"))):
        made[name + ".LayerNorm.weight"] = 1 + normal(WIDTH)
        made[name + ".LayerNorm.bias"] = normal(WIDTH)
    return made


def safetensors(tensors):
    header, data = {}, b""
    for name, tensor in tensors.items():
        bytes_of = tensor.tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [len(data), len(data) + len(bytes_of)]}
        data += bytes_of
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


class Tiny:
    """Settings of the folder; what encode() is given stands in their place."""

    def __init__(self, seed, **settings):
        self.tensors = tensors_of(seed)
        self.settings = {"limit": 256, "pooling": "mean", "normalize": True, "lower": False, "dense": False, **settings}

    def write(self, folder):
        folder = pathlib.Path(folder)
        (folder / "1_Pooling").mkdir(parents=True)
        (folder / "2_Dense").mkdir()

        def write(name, value):
            (folder / name).write_text(json.dumps(value))

        write("config.json", {"model_type": "bert", "hidden_size": WIDTH, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS,
                              "intermediate_size": INNER, "max_position_embeddings": POSITIONS, "hidden_act": "relu"})
        special = [{"SpecialToken": {"id": name, "type_id": 0}} for name in ("[CLS]", "[SEP]")]
        write("tokenizer.json", {
            "added_tokens": [{"content": "[CLS]", "id": CLS, "special": True}, {"content": "[SEP]", "id": SEP, "special": True}],
            "normalizer": {"type": "Lowercase"} if self.settings["lower"] else None,
            "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False},
            "post_processor": {"type": "TemplateProcessing", "single": [special[0], {"Sequence": {"id": "A", "type_id": 0}}, special[1]],
                               "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [CLS]}, "[SEP]": {"id": "[SEP]", "ids": [SEP]}}},
            "model": {"type": "BPE", "vocab": {**{letter: byte for byte, letter in enumerate(letters())}, "[CLS]": CLS, "[SEP]": SEP},
                      "merges": []}})
        kinds = ["Transformer", "Pooling"] + ["Dense"] * self.settings["dense"] + ["Normalize"] * self.settings["normalize"]
        write("modules.json", [{"idx": i, "name": str(i), "path": "" if i == 0 else f"{i}_{kind}", "type": f"sentence_transformers.models.{kind}"}
                               for i, kind in enumerate(kinds)])
        write("sentence_bert_config.json", {"max_seq_length": self.settings["limit"]})
        write("config_sentence_transformers.json", {"prompts": {"query": "ask: ", "document": "answer: "}})
        write("1_Pooling/config.json", {"word_embedding_dimension": WIDTH, "pooling_mode": self.settings["pooling"]})
        write("2_Dense/config.json", {"in_features": WIDTH, "out_features": WIDTH, "bias": False,
                                      "activation_function": "torch.nn.modules.linear.Identity"})
        (folder / "2_Dense/model.safetensors").write_bytes(safetensors({"linear.weight": self.tensors["dense"]}))
        (folder / "model.safetensors").write_bytes(safetensors({k: v for k, v in self.tensors.items() if k != "dense"}))
        return folder

    def tokens(self, ids, weights):
        def linear(rows, name):
            return rows @ weights[name + ".weight"].T + weights[name + ".bias"]

        def normalised(rows, name):
            mean, deviation = rows.mean(1, keepdims=True), rows.std(1, keepdims=True)
            return (rows - mean) / numpy.sqrt(deviation ** 2 + 1e-12) * weights[name + ".LayerNorm.weight"] + weights[name + ".LayerNorm.bias"]

        rows = (weights["embeddings.word_embeddings.weight"][ids] + weights["embeddings.position_embeddings.weight"][:len(ids)]
                + weights["embeddings.token_type_embeddings.weight"][0])
        rows = normalised(rows, "embeddings")
        for layer in range(LAYERS):
            name = f"encoder.layer.{layer}."
            heads = [linear(rows, f"{name}attention.self.{part}").reshape(len(ids), HEADS, -1).transpose(1, 0, 2)
                     for part in ("query", "key", "value")]
            scores = heads[0] @ heads[1].transpose(0, 2, 1) / (WIDTH / HEADS) ** .5
            scores = numpy.exp(scores - scores.max(2, keepdims=True))
            mixed = (scores / scores.sum(2, keepdims=True) @ heads[2]).transpose(1, 0, 2).reshape(len(ids), WIDTH)
            rows = normalised(rows + linear(mixed, name + "attention.output.dense"), name + "attention.output")
            inner = numpy.maximum(linear(rows, name + "intermediate.dense"), 0)
            rows = normalised(rows + linear(inner, name + "output.dense"), name + "output")
        return rows

    def encode(self, text, weights=None, **changes):
        said = {"prefix": "", "side": "right", "special": "both", "of_text": None, **self.settings, **changes}
        weights = self.tensors if weights is None else weights
        text = said["of_text"](text) if said["of_text"] else text
        text = said["prefix"] + text
        ids = [one for part in re.split(r"(\[CLS\]|\[SEP\])", text)
               for one in ([CLS] if part == "[CLS]" else [SEP] if part == "[SEP]" else (part.lower() if said["lower"] else part).encode())]
        room = said["limit"] - {"both": 2, "none": 0}.get(said["special"], 1)
        ids = ids[:room] if said["side"] == "right" else ids[max(len(ids) - room, 0):]
        ids = [CLS] * (said["special"] in ("both", "start")) + ids + [SEP] * (said["special"] in ("both", "end"))
        rows = self.tokens(ids or [0], weights)
        weight = numpy.arange(1, len(rows) + 1)[:, None]
        vector = {"mean": rows.mean(0), "cls": rows[0], "max": rows.max(0), "lasttoken": rows[-1],
                  "weightedmean": (rows * weight).sum(0) / weight.sum()}[said["pooling"]]
        if said["dense"]:
            vector = weights["dense"] @ vector
        return vector / numpy.linalg.norm(vector) if said["normalize"] else vector

    def rounded(self, bits):
        """Weights of so many bits, a scale for each tensor."""
        steps = 2 ** (bits - 1) - 1
        return {name: numpy.round(one / abs(one).max() * steps) * abs(one).max() / steps for name, one in self.tensors.items()}


def other_form(form):
    return lambda text: unicodedata.normalize(form, text)


class Server:
    """OpenAI's /v1/embeddings over encode(text); `mixes`: a sixteenth of texts get the vector of another request that is answered
    at the time; `pads`: vectors depend on the longest text of a request; `refuses`: texts longer than that."""

    def __init__(self, encode, mixes=False, pads=False, refuses=None):
        active, lock, known = {}, threading.Lock(), {}

        def vector_of(text):
            if text not in known:
                known[text] = encode(text)
            return known[text]

        def answer(key, texts):
            with lock:
                active[key] = texts
            time.sleep(.002 if mixes else 0)
            with lock:
                others = [one for other, list_of in active.items() if other != key for one in list_of]
                vectors = []
                for text in texts:
                    is_lost = mixes and others and zlib.crc32(text.encode()) % 16 == 0
                    vector = vector_of(others[0] if is_lost else text)
                    if pads and max(map(len, texts)) > len(text):
                        vector = vector + .02 * numpy.sin(numpy.arange(len(vector)) + max(map(len, texts)))
                    vectors.append(vector)
                del active[key]
            return vectors

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def log_message(self, *arguments):
                pass

            def do_POST(self):
                texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
                code, body = 200, {}
                if refuses and max(map(len, texts)) > refuses:
                    code, body = 400, {"error": {"message": "too long"}}
                else:
                    vectors = answer(id(self), texts)
                    body = {"data": [{"index": i, "embedding": list(map(float, one))} for i, one in enumerate(vectors)]}
                body = json.dumps(body).encode()
                self.send_response(code)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1/embeddings"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def write_vectors(folder, texts, vectors):
    """The settings of the encoder precomputed."""
    folder = pathlib.Path(folder)
    numpy.save(folder / "vectors.npy", numpy.asarray(vectors, dtype=numpy.float32))
    (folder / "texts.jsonl").write_text("".join(json.dumps({"text": text}).replace('{"text": ', '{"text":') + "\n" for text in texts))
    return ["precomputed", "--set", f"vectors={folder / 'vectors.npy'}", "--set", f"sentences={folder / 'texts.jsonl'}"]
