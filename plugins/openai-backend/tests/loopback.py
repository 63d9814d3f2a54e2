"""Loopback servers of several kinds for the bundled model. Answers are computed plainly, text by text."""

import json
import ssl
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from threading import Lock

import torch
from helpers.served import Says, served
from transformers import AutoModelForCausalLM, AutoTokenizer

FOLDER = Path(__file__).parents[3] / "languages" / "en" / "bvf_en" / "models" / "en-causal"
NAME = "en-causal"
LETTERS = ("letters", "no spaces")
"""Faults of servers that name tokens by string only."""
ECHOES = ("echo", "echo of the next", "echo without log p", "echo of other tokens")
"""Faults of servers that send a text back, but for the first one, which is right."""
ONE_AT_A_TIME = Lock()


class Model:
    """The bundled model: predicts the next token after token ids."""

    def __init__(self):
        self.tokenizer = AutoTokenizer.from_pretrained(FOLDER)
        self.model = AutoModelForCausalLM.from_pretrained(FOLDER, dtype=torch.float32).eval()
        self.known = {}

    def logp(self, ids):
        """Log p of every token, shape (V,)."""
        ids = tuple(ids)
        with ONE_AT_A_TIME:
            if ids not in self.known:
                with torch.inference_mode():
                    self.known[ids] = self.model(torch.tensor([ids])).logits[0, -1].log_softmax(-1).tolist()
            return self.known[ids]

    def sampled(self, text, number, tokens, seed):
        """Sample ``number`` continuations of a text. Each has ``tokens`` tokens, or ends with the text."""
        generator = torch.Generator().manual_seed(seed)
        ids = torch.tensor([self.tokenizer(text)["input_ids"]])
        with ONE_AT_A_TIME, torch.inference_mode():
            read = self.model(ids, use_cache=True)
            cache, logits = read.past_key_values, read.logits[:, -1].expand(number, -1)
            cache.batch_repeat_interleave(number)
            drawn = []
            for _ in range(tokens):
                drawn.append(torch.multinomial(logits.softmax(-1), 1, generator=generator))
                logits = self.model(drawn[-1], past_key_values=cache, use_cache=True).logits[:, -1]
        return [self.continuation(row) for row in torch.cat(drawn, dim=1).tolist()]

    def continuation(self, ids):
        end = ids.index(self.tokenizer.eos_token_id) if self.tokenizer.eos_token_id in ids else len(ids)
        return self.tokenizer.decode([67, *ids[:end]]).removeprefix("a")


class Loopback:
    """A server of the dialect ``speaks``. ``fault`` names what it does wrong.

    Attributes:
        asked: Paths and bodies of the requests so far.
        twist: From the path of a request and its answer (status, content) to what is sent, perhaps with headers.
        got: The headers of the requests so far.
        thinks: From token ids and a seed to what it writes after them, for clients that name a mark where it ends.
        lives: It stops answering after so many requests for tokens; None: never.
    """

    temperatures = (1,)
    """Those at which continuations are drawn."""

    def __init__(self, model, speaks="vllm", fault="", key="", top=20, root=str(FOLDER), lives=None):
        self.model, self.speaks, self.fault, self.key, self.top, self.root = model, speaks, fault, key, top, root
        self.lives, self.asked, self.got = lives, [], []
        self.twist = lambda path, answer: answer
        self.thinks = lambda ids, seed: f"{seed} is what I think"

    def answer(self, path, body):
        """Return the HTTP status and JSON of the answer, and perhaps headers."""
        if self.fault == "busy" and len(self.asked) % 4 == 0:
            return 429, {"error": "slow down"}, {"Retry-After": "0"}
        if self.fault == "html":
            return 200, "<html>Welcome</html>"
        if path == "/v1/models":
            kind = {"id": NAME, "root": self.root, "max_model_len": 128}
            return 200, {"data": [kind, {"id": "other-model"}]}
        if path == "/version":
            return 200, {"version": "loopback"}
        if path == "/tokenize" and self.fault != "no tokenizer":
            special = body.get("add_special_tokens", True)
            ids = self.model.tokenizer(body["prompt"], add_special_tokens=special)["input_ids"]
            return 200, {"tokens": ids[::-1] if self.fault == "other tokenizer" else ids}
        ways = {
            "vllm": {"/v1/completions": self.vllm},
            "sglang": {"/generate": self.sglang},
            "llama.cpp": {"/completion": self.llama_cpp},
            "completions": {"/v1/completions": self.completions},
            "completions of texts": {"/v1/completions": self.completions_of_texts},
            "ollama": {"/api/generate": self.ollama},
            "tgi": {"/generate": self.tgi},
            "chat": {"/v1/chat/completions": self.chat},
            "nothing": {"/v1/completions": self.ignoring},
            "samples": {"/v1/completions": self.continuations},
            "samples of chats": {"/v1/chat/completions": self.said},
        }[self.speaks]
        if path not in ways:
            return 404, {"detail": "Not Found"}
        try:
            return 200, ways[path](body)
        except (KeyError, AssertionError) as error:
            return 400, {"error": {"message": f"bad request: {error}"}}

    def values(self, ids):
        """Log p of every token as this server reports it, faults included."""
        logp = self.model.logp([0] if self.fault == "deaf" else ids)
        wrong = {"zeros": (0.0, 0.0), "equal": (0.0, -3.0), "logits": (1.0, 12.0), "halved": (0.25, 0.0)}
        if self.fault not in wrong:
            return logp
        factor, added = wrong[self.fault]
        return [factor * value + added for value in logp]

    def usage(self, prompts):
        more = len(prompts) if self.fault == "begins twice" else 0
        return {"prompt_tokens": sum(map(len, prompts)) + more}

    def written(self, ids, body):
        """What it writes before the mark of the client, and whether it writes the mark."""
        (mark,) = body["stop"]
        text, found, _ = self.thinks(ids, body["seed"]).partition(mark)
        return text, bool(found)

    def vllm(self, body):
        assert body["model"] == NAME
        if "stop" in body:
            text, ended = self.written(*body["prompt"], body)
            return {"choices": [{"index": 0, "text": text, "stop_reason": body["stop"][0] if ended else None}]}
        assert body["max_tokens"] == 1
        asked = [] if self.fault == "ignores ids" else body.get("logprob_token_ids", [])
        assert len(asked) <= 128, "too many ids"
        assert isinstance(body["prompt"], list), "one text"
        assert body["logprobs"] <= 20, "more than --max-logprobs"
        choices = []
        for index, ids in enumerate(body["prompt"]):
            logp = self.values(ids)
            told = {*most_probable(logp, 1 if self.fault == "ignores ids" else body["logprobs"]), *asked}
            top = {f"token_id:{token}": logp[token] for token in told}
            choices.append({"index": index, "logprobs": {"top_logprobs": [top]}})
        return {"choices": choices[::-1], "usage": self.usage(body["prompt"])}

    def sglang(self, body):
        listed, asked = "output_token_ids_logprobs", body.get("token_ids_logprob")
        if asked is None:
            listed, number = "output_top_logprobs", body["top_logprobs_num"]
            asked = [most_probable(self.values(ids), number) for ids in body["input_ids"]]
        return [
            {"meta_info": {**self.usage([ids]), listed: [[[self.values(ids)[token], token, None] for token in tokens]]}}
            for ids, tokens in zip(body["input_ids"], asked, strict=True)
        ]

    def llama_cpp(self, body):
        if "stop" in body:
            text, ended = self.written(body["prompt"], body)
            return {"content": text, "stop_type": "word" if ended else "limit"}
        logp = self.values(body["prompt"])
        best = most_probable(logp, body["n_probs"])
        top = [{"id": token, "logprob": logp[token]} for token in best]
        read = self.usage([body["prompt"]])["prompt_tokens"]
        return {"completion_probabilities": [{"top_logprobs": top}], "tokens_evaluated": read}

    def best(self, ids, number):
        """The most probable tokens: id, string, log p."""
        assert number <= self.top, f"at most {self.top}"
        return [self.named(ids, token) for token in most_probable(self.values(ids), number)]

    def drawn(self, ids):
        """A token that may have been sampled. vLLM lists it in addition to the most probable ones."""
        return self.named(ids, 5 + sum(ids) % 4000)

    def named(self, ids, token):
        letters = self.anchored(token)
        return token, letters.strip() if self.fault == "no spaces" else letters, self.values(ids)[token]

    def completions(self, body):
        assert "logprob_token_ids" not in body, "unknown field"
        if "echo" in body and self.fault in ECHOES:
            return self.echo(body["prompt"], body)
        by_id = body.get("return_tokens_as_token_ids") and self.fault not in LETTERS
        assert self.fault not in LETTERS or "return_tokens_as_token_ids" not in body, "unknown field"
        choices = []
        for index, ids in enumerate(body["prompt"]):
            top = {}
            for token, letters, logp in [*self.best(ids, body["logprobs"]), self.drawn(ids)]:
                top.setdefault(f"token_id:{token}" if by_id else letters, logp)
            choices.append({"index": index, "logprobs": {"top_logprobs": [top]}})
        return {"choices": choices, "usage": self.usage(body["prompt"])}

    def completions_of_texts(self, body):
        """As that of llama-cpp-python, which lists no tokens where it draws the end of the text: here, always."""
        assert isinstance(body["prompt"], str), "no text"
        ids = self.text_ids(body["prompt"])
        if "echo" in body and self.fault in ECHOES:
            return self.echo([ids], body)
        top = {letters: logp for _, letters, logp in self.best(ids, body["logprobs"])}
        listed = [top] if body.get("min_tokens") else []
        return {"choices": [{"index": 0, "logprobs": {"top_logprobs": listed}}], "usage": self.usage([ids])}

    def echo(self, prompts, body):
        """As vLLM, and as llama-cpp-python, which leaves out the token that begins a text. A drawn token follows."""
        choices, by_id = [], "return_tokens_as_token_ids" in body
        for index, ids in enumerate(prompts):
            own, shift = range(0 if by_id else 1, len(ids)), self.fault == "echo of the next"
            names = [f"token_id:{ids[place]}" if by_id else self.anchored(ids[place]) for place in own]
            logp = [None, *(self.values(ids[: place + shift])[ids[place]] for place in own[1:])]
            if self.fault == "echo without log p":
                logp = [None] * len(own)
            if self.fault == "echo of other tokens":
                names = names[::-1]
            choices.append({"index": index, "logprobs": {"tokens": [*names, "x"], "token_logprobs": [*logp, -1.0]}})
        return {"choices": choices, "usage": self.usage(prompts)}

    def anchored(self, token):
        return self.model.tokenizer.decode([67, token]).removeprefix("a")

    def text_ids(self, text):
        return self.model.tokenizer(text)["input_ids"]

    def listed(self, ids, number):
        return [{"token": letters, "logprob": logp} for _, letters, logp in self.best(ids, number)]

    def ollama(self, body):
        assert body["raw"] is True
        return {"logprobs": [{"top_logprobs": self.listed(self.text_ids(body["prompt"]), body["top_logprobs"])}]}

    def tgi(self, body):
        best = self.best(self.text_ids(body["inputs"]), body["parameters"]["top_n_tokens"])
        return {"details": {"top_tokens": [[{"id": token, "logprob": logp} for token, _, logp in best]]}}

    def chat(self, body):
        ids = self.text_ids(said_in(body) + "\nA:")
        if "top_logprobs" not in body:
            return {"choices": [{"message": {"content": "He"}}]}
        return {"choices": [{"logprobs": {"content": [{"top_logprobs": self.listed(ids, body["top_logprobs"])}]}}]}

    def continuations(self, body):
        assert (body["model"], body["top_p"]) == (NAME, 1)
        assert body["temperature"] in self.temperatures
        assert self.fault != "strict" or not {"top_k", "generation_config", "seed"} & body.keys(), "unknown field"
        assert self.fault != "transformers serve" or not {"top_k", "min_p"} & body.keys(), "unexpected fields"
        assert self.fault != "counts tokens" or body.get("top_k", 0) >= 0, "top_k is no number of tokens"
        number = 1 if self.fault == "ignores n" else body["n"]
        texts = self.draw(body["prompt"], number, body["max_tokens"], body.get("seed", len(self.asked)))
        if self.fault == "strips":
            texts = [text.strip() for text in texts]
        return {"choices": [{"index": index, "text": text} for index, text in enumerate(texts)][::-1]}

    def said(self, body):
        texts = self.draw(said_in(body), body["n"], body["max_completion_tokens"], body["seed"])
        return {"choices": [{"index": index, "message": {"content": text}} for index, text in enumerate(texts)]}

    def draw(self, text, number, tokens, seed):
        """Sample continuations of a text from the model."""
        return self.model.sampled(text, number, tokens, seed)

    def ignoring(self, body):
        return {"choices": [{"index": index, "text": "x", "logprobs": None} for index, _ in enumerate(body["prompt"])]}


def said_in(body):
    return "\n".join(each["content"] for each in body["messages"])


def most_probable(logp, number):
    return sorted(range(len(logp)), key=lambda token: -logp[token])[:number]


class Handler(Says, BaseHTTPRequestHandler):
    """Passes requests to ``server.loopback``, and sends its answers."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are two packets, and the second would wait for 40 ms

    def do_GET(self):
        self.do_POST()

    def do_POST(self):
        loopback = self.server.loopback
        length = int(self.headers.get("content-length") or 0)
        body = json.loads(self.rfile.read(length)) if length else {}
        asks = "ompletion" in self.path
        loopback.asked.append((self.path, body))
        loopback.got.append({name.lower(): value for name, value in self.headers.items()})
        if loopback.lives is not None and asks:
            loopback.lives -= 1
            if loopback.lives < 0:
                self.close_connection = True
                self.server.socket.close()
                return
        if loopback.key and self.headers.get("Authorization") != f"Bearer {loopback.key}":
            self.say(401, {"error": {"message": f"wrong: {self.headers.get('Authorization')}"}})
        else:
            path = self.path.partition("?")[0]
            self.say(*loopback.twist(path, loopback.answer(path, body)))


@contextmanager
def serving(loopback, certificate=None):
    """Serve, and yield the address of the API. With a certificate and its key, over TLS."""
    with served(Handler, loopback=loopback, daemon_threads=True) as server:
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            server.socket = context.wrap_socket(server.socket, server_side=True)
            server.handle_error = lambda *_: None
        yield f"{'https' if certificate else 'http'}://127.0.0.1:{server.server_port}/v1"
