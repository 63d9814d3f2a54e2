"""Servers on this machine, each in a thread of its test."""

import json
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from threading import Thread


class Says:
    """A mixin of request handlers that answers with JSON, text or bytes, and logs nothing."""

    def say(self, status, answer, headers=None):
        text = answer if isinstance(answer, str | bytes) else json.dumps(answer)
        data = text if isinstance(text, bytes) else text.encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(data)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


@contextmanager
def served(handler, **attributes):
    """Serve by a class of request handlers, which see the attributes at ``self.server``; yield the server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    vars(server).update(attributes)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
