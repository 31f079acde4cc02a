"""Servers that misbehave, for `senteval data fetch --mirror`."""

import contextlib
import http.server
import threading

import cases as attack_cases


def answer(handler, status, headers, body=b""):
    handler.send_response(status)
    for key, value in headers.items():
        handler.send_header(key, value)
    handler.end_headers()
    handler.wfile.write(body)


BEHAVIOUR = {
    "not found": lambda h: answer(h, 404, {"Content-Length": "0"}),
    "forbidden": lambda h: answer(h, 403, {"Content-Length": "0"}),
    "more than it should have": lambda h: answer(h, 200, {}, b"x" * 3_000_000),
    "a redirection to itself": lambda h: answer(h, 302, {"Location": h.path, "Content-Length": "0"}),
    "a redirection to a file": lambda h: answer(h, 302, {"Location": "file:///etc/passwd",
                                                         "Content-Length": "0"}),
    "no HTTP": lambda h: h.wfile.write(b"\x00\x01\x02 hello\r\n\r\n"),
}
# These are tried again, with pauses: for the long form.
SLOW = {
    "a negative length": lambda h: answer(h, 200, {"Content-Length": "-1"}, b"x"),
    "noise": lambda h: answer(h, 200, {"Content-Length": "4000"}, bytes(range(250)) * 16),
    "empty": lambda h: answer(h, 200, {"Content-Length": "0"}),
    "an HTML page as a success": lambda h: answer(h, 200, {"Content-Length": "22"},
                                                  b"<!DOCTYPE html><html/>"),
    "an error of its own": lambda h: answer(h, 500, {"Content-Length": "0"}),
    "less than it says": lambda h: answer(h, 200, {"Content-Length": "400000"}, b"x" * 1000),
    "a line that breaks at once": lambda h: None,
}


def cases(many):
    for name in [*BEHAVIOUR, *(SLOW if many else ())]:
        yield attack_cases.Case(name, honest=False)


@contextlib.contextmanager
def serving(case):
    behaviour = {**BEHAVIOUR, **SLOW}[case.name]

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):  # noqa: N802, the name that the library calls
            with contextlib.suppress(OSError):
                behaviour(self)
            self.close_connection = True

        def log_message(self, *_arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
