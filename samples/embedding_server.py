"""A small server with OpenAI's /v1/embeddings: the mean of word vectors, like the encoder glove.

    python3 samples/embedding_server.py VECTORS.txt [PORT]

Without a port it takes a free one. Prints its URL.
"""
import base64
import http.server
import json
import struct
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    rows = (line.rstrip().split(" ") for line in file)
    vectors = {word: [float(value) for value in values] for word, *values in rows}
dimension = len(next(iter(vectors.values())))


def embed(sentence):
    total, known = [0.0] * dimension, 0
    for word in (sentence or ".").split(" "):
        if word in vectors:
            total, known = [a + b for a, b in zip(total, vectors[word])], known + 1
    return [value / known for value in total] if known else total


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or the end of each answer waits 40 ms for the beginning to be acknowledged

    def log_message(self, *arguments):
        pass

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        data = []
        for index, sentence in enumerate(request["input"]):
            embedding = embed(sentence)
            if request.get("encoding_format") == "base64":
                embedding = base64.b64encode(struct.pack(f"<{dimension}f", *embedding)).decode()
            data.append({"object": "embedding", "index": index, "embedding": embedding})
        body = json.dumps({"object": "list", "model": request["model"], "data": data}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


port = int(sys.argv[2]) if len(sys.argv) > 2 else 0
server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
print(f"http://127.0.0.1:{server.server_port}/v1/embeddings", flush=True)
server.serve_forever()
