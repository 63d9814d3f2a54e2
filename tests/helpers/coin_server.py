"""A server of sampled continuations without a model: he, she or neither, drawn by the prompt and the seed."""

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

MODEL = "coins"
SAYS = (" he said", " he was", " she said", " it")


class Coins(BaseHTTPRequestHandler):
    """Lists one model, and continues a prompt."""

    def do_GET(self):
        self.say({"data": [{"id": MODEL}]} if self.path == "/v1/models" else None)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path != "/v1/completions" or "logprobs" in body:
            return self.say(None)
        coin = random.Random(f"{body.get('seed')} {body['prompt']}")
        texts = [coin.choice(SAYS) for _ in range(body["n"])]
        return self.say({"choices": [{"index": index, "text": text} for index, text in enumerate(texts)]})

    def say(self, answer):
        data = json.dumps(answer or {"detail": "Not Found"}).encode()
        self.send_response(200 if answer else 404)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


@contextmanager
def coins_served() -> Iterator[str]:
    """Serve, and yield the address of the API."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Coins)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
