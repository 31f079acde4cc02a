"""An embedding server that misbehaves as the path of a request says. Prints its two ports and its process.

The vector of an input is [its bytes, 1 where the request carried a key, its place in the request]; the score of a
document is how often it holds the query, less a hundred in the form of TEI.
The second port is another host to whoever sends a key. With two arguments, files of a certificate and its key,
both speak TLS.
"""
import base64
import email.utils
import gzip
import http.server
import json
import os
import ssl
import struct
import sys
import threading
import time

counts, lock, other_port = {}, threading.Lock(), 0


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def send(self, status, body, headers=()):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def count(self):
        with lock:
            counts[self.path] = counts.get(self.path, 0) + 1
            return counts[self.path]

    def items(self, request):
        texts, has_key = request["input"], float("Authorization" in self.headers)
        items = []
        for i, text in enumerate(texts):
            vector = [float(len(text.encode())), has_key, float(i)][: request.get("dimensions", 3)]
            if request.get("encoding_format") == "base64":
                vector = base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
            items.append({"object": "embedding", "index": i, "embedding": vector})
        return items

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        how, *more = self.path.strip("/").split("/")
        getattr(self, "do_" + how)(request, *more)

    def good(self, request):
        self.send(200, {"data": self.items(request), "model": request["model"]})

    def do_good(self, request):
        self.good(request)

    def after_probe(self, request, body):
        if request["input"] == ["."]:
            return self.good(request)
        return self.send(200, body if isinstance(body, bytes) else {"data": body})

    def do_score(self, request, how, *form):
        is_tei = form == ("rerank",)
        key = "score" if is_tei else "relevance_score"
        texts = request["texts"] if is_tei and request["raw_scores"] else request["documents"]
        items = [{"index": i, key: text.count(request["query"]) - 100.0 * is_tei, "document": {"text": text}}
                 for i, text in enumerate(texts)]
        items.sort(key=lambda item: item[key], reverse=True)
        if texts != ["."]:
            change = {"fewer": items[1:], "twice": [{**item, "index": 0} for item in items],
                      "beyond": [{**item, "index": item["index"] + 1} for item in items],
                      "unnumbered": [{key: 1.0}] * len(items), "nan": [{**item, key: float("nan")} for item in items],
                      "null": [{**item, key: None} for item in items],
                      "huge": [{**item, key: 1e300} for item in items],
                      "unscored": [{"index": item["index"]} for item in items], "list": 1, "texts": ["a"] * len(items)}
            items = change.get(how, items)
        if how == "flaky" and self.count() <= 2:
            return self.send(503, {"error": "busy"})
        self.send(200, items if is_tei else {"results": items, "model": request["model"]})

    def do_shuffled(self, request):
        self.send(200, {"data": self.items(request)[::-1]})

    def do_fewer(self, request):
        self.after_probe(request, self.items(request)[1:])

    def do_more(self, request):
        self.after_probe(request, self.items(request) + self.items(request)[:1])

    def do_twice(self, request):
        self.after_probe(request, [{**item, "index": 0} for item in self.items(request)])

    def do_unnumbered(self, request):
        self.after_probe(request, [{"embedding": item["embedding"]} for item in self.items(request)])

    def do_beyond(self, request):
        self.after_probe(request, [{**item, "index": item["index"] + 1} for item in self.items(request)])

    def do_negative(self, request):
        self.after_probe(request, [{**item, "index": item["index"] - 1} for item in self.items(request)])

    def do_vector(self, request, name):
        vector = {"nan": [float("nan")] * 3, "null": [1, None, 2], "huge": [1e300, 1, 1], "short": [1, 2],
                  "empty": [], "text": "A*==", "odd": base64.b64encode(b"12345").decode(), "none": None}[name]
        self.after_probe(request, [{**item, "embedding": vector} for item in self.items(request)])

    def do_width(self, request, kind):  # of struct: d is float64, e is float16
        items = self.items({**request, "encoding_format": "float"})
        if request.get("encoding_format") == "base64":
            for item in items:
                item["embedding"] = base64.b64encode(struct.pack("<4" + kind, 1, 2, *item["embedding"][:2])).decode()
        self.send(200, {"data": items})

    def do_body(self, request, name):
        body = {"garbage": b"<html>\x1b[31m", "list": b"[1]", "deep": b"[" * 100000, "empty": b"",
                "number": b'{"data": [1e999]}', "object": b'{"data": {}}',
                "error": b'{"error": {"message": "model not loaded"}}'}[name]
        self.after_probe(request, body)

    def do_gzip(self, request):
        body = json.dumps({"data": self.items(request)}).encode()
        self.send(200, gzip.compress(body), [("Content-Encoding", "gzip")])

    def do_bomb(self, request):
        if request["input"] == ["."]:
            return self.good(request)
        self.send(200, gzip.compress(b" " * 10_000_000), [("Content-Encoding", "gzip")])

    def do_chunked(self, request):
        body = json.dumps({"data": self.items(request)}).encode()
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for at in range(0, len(body), 7):
            part = body[at : at + 7]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
        self.wfile.write(b"0\r\n\r\n")

    def do_endless(self, request):
        if request["input"] == ["."]:
            return self.good(request)
        self.send_response(200)
        self.end_headers()
        try:
            while True:
                self.wfile.write(b" " * 65536)
        except OSError:
            self.close_connection = True

    def do_status(self, request, status, text="no such model \x07"):
        self.send(int(status), {"error": {"message": text}})

    def do_plain(self, request, status):
        self.send(int(status), b"\x00<h1>Proxy</h1>\xff" + b"x" * 1000)

    def do_echo(self, request, status):
        key = self.headers.get("Authorization", "none")
        self.send(int(status), {"error": {"message": f"Incorrect API key provided: {key}"}}, [("X-Key", key)])

    def do_flaky(self, request, status, times, name, after=None):
        if self.count() <= int(times):
            if after == "date":
                after = email.utils.formatdate(time.time() - 5, usegmt=True)
            return self.send(int(status), {"error": "busy"}, [("Retry-After", after)] if after else [])
        self.good(request)

    def do_cut(self, request, times, name):
        if self.count() <= int(times):
            self.send_response(200)
            self.send_header("Content-Length", "100000")
            self.end_headers()
            self.wfile.write(b'{"data": [')
            self.close_connection = True
            return
        self.good(request)

    def do_header(self, request, times, name):
        if self.count() <= int(times):
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: appli")
            self.close_connection = True
            return
        self.good(request)

    def do_truncated(self, request, times, name):
        if self.count() <= int(times):
            return self.send(200, b'{"data": [{"index": 0, "embedding": [1.0, 2.')
        self.good(request)

    def do_hangup(self, request, times, name):
        if self.count() <= int(times):
            self.close_connection = True
            return
        self.good(request)

    def do_stall(self, request):
        if request["input"] == ["."]:
            return self.good(request)
        time.sleep(3600)

    def do_third(self, request):
        """Fails the requests that hold "bad", the later the sooner."""
        bad = [text for text in request["input"] if text.startswith("bad")]
        if not bad:
            return self.good(request)
        time.sleep(0.3 if bad[0] == "bad first" else 0)
        self.send(400, {"error": bad[0]})

    def do_moved(self, request, where):
        host = f"http://127.0.0.1:{self.server.server_port if where == 'here' else other_port}"
        path = {"here": "/good", "there": "/good", "round": self.path}[where]
        self.send(307, {}, [("Location", (host if where != "round" else "") + path)])

    def do_numbers(self, request):
        """How often a path has been asked for, as vectors."""
        self.send(200, {"data": [{"index": 0, "embedding": [float(counts.get(request["model"], 0)), 0.0, 0.0]}]})


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        pass


servers = [Server(("127.0.0.1", 0), Handler) for _ in range(2)]
other_port = servers[1].server_port
if len(sys.argv) == 3:
    secure = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    secure.load_cert_chain(sys.argv[1], sys.argv[2])
    for server in servers:
        server.socket = secure.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
for server in servers:
    threading.Thread(target=server.serve_forever, daemon=True).start()
print(servers[0].server_port, other_port, os.getpid(), flush=True)
parent = os.getppid()
while os.getppid() == parent:
    time.sleep(0.2)
