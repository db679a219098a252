"""A scripted language-model server on loopback, a small oracle, and evidence to write about."""

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from engine.answer.generation import generate
from engine.config import make_config
from engine.types import Evidence, Finding, Passage, Support, Validation

KEY = "sk-test-0123456789abcdef"


class Server:
    """Answers each request with the next entry of a script; the last entry is repeated."""

    def __init__(self, api):
        self.api = api
        self.script = []
        self.requests = []
        self.closing = threading.Event()
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"

    def say(self, content, **changes):
        """Reply with what a model wrote: an object becomes JSON."""
        text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
        if self.api == "responses":
            part = {"type": "output_text", "text": text, "annotations": []}
            reply = {"status": "completed", "output": [message(part)]}
        else:
            choice = {"index": 0, "finish_reason": "stop", "message": {"content": text}}
            reply = {"choices": [choice]}
        self.send(
            200,
            {
                "id": "r-1",
                "model": "served-model",
                "usage": {"total_tokens": 7},
                **reply,
                **changes,
            },
        )

    def send(self, status, content, **headers):
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        self.script.append(("send", status, body, headers))

    def hang(self):
        self.script.append(("hang",))

    def hang_up(self):
        """Promise a thousand bytes, send ten, close the connection."""
        self.script.append(("cut",))

    @property
    def bodies(self):
        return [body for _, _, body in self.requests]

    def prompt(self, at=-1):
        body = self.bodies[at]
        return body["input"] if self.api == "responses" else body["messages"][-1]["content"]

    def _handler(self):
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                headers = {name.lower(): value for name, value in self.headers.items()}
                outer.requests.append((self.path, headers, body))
                entry = outer.script.pop(0) if len(outer.script) > 1 else outer.script[0]
                if entry[0] == "send":
                    self.reply(*entry[1:])
                elif entry[0] == "cut":
                    self.reply(200, b'{"id": "r-', {}, promised=1000)
                else:
                    outer.closing.wait(10)
                    self.close_connection = True

            def reply(self, status, body, headers, promised=None):
                self.send_response(status)
                for name, value in {"content-type": "application/json", **headers}.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(promised or len(body)))
                self.end_headers()
                self.wfile.write(body)
                self.close_connection = promised is not None

            def log_message(self, *args):
                pass

        return Handler


def message(*parts, **changes):
    return {
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": list(parts),
        **changes,
    }


@pytest.fixture(params=["responses", "chat"])
def api(request):
    return request.param


@pytest.fixture
def server(api, monkeypatch):
    running = Server(api)
    thread = threading.Thread(target=running.http.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    for name in (
        "OPENAI_CHAT_MODEL",
        "OPENAI_ORG_ID",
        "OPENAI_PROJECT_ID",
        "OPENAI_CUSTOM_HEADERS",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", running.url)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    yield running
    running.closing.set()
    running.http.shutdown()
    running.http.server_close()
    thread.join()


@pytest.fixture
def configure(api, tmp_path):
    """A configuration for the server's interface; settings are given by section."""

    def make(validation=None, root=None, **generation):
        sections = {
            "generation": {"api": api, "model": "asked-model", "max_retries": 0, **generation},
            "validation": {"max_regenerations": 0, **(validation or {})},
        }
        return make_config(sections, root=Path(root or tmp_path))

    return make


@pytest.fixture
def run(korean, configure):
    """Generate with the small oracle: ``run("answer", evidence, policy="strict", …)``."""

    def go(kind, evidence, validation=None, on_event=None, config=None, **generation):
        return generate(
            kind, "성곽은 언제 완성되었나요?", evidence, korean=korean,
            config=config or configure(validation, **generation), validate=check, on_event=on_event,
        )  # fmt: skip

    return go


@pytest.fixture
def evidence():
    return make_evidence


@pytest.fixture
def oracle():
    return check


def make_evidence(number, text, *, core=None, section="2. 축성", **changes):
    """One evidence whose lines are its blocks; the core is one or more whole lines, or all."""
    core = core or text
    passages, at = [], 0
    for n, line in enumerate(text.split("\n"), 1):
        place = (f"성곽{number}:S{number}-P{n}", f"S{number}-P{n}", at, at + len(line))
        passages.append(Passage(*place, (n, n), (section,), "paragraph", line in core))
        at += len(line) + 1
    values = {
        "evidence_id": f"DOC_{number}", "doc_id": f"성곽{number}", "title": f"성곽 자료 {number}",
        "source": f"data/성곽{number}.md", "score": 1 / number, "rank": number,
        "child_id": f"성곽{number}:C1", "parent_id": f"성곽{number}:P1",
        "block_ids": tuple(p.block_id for p in passages),
        "source_ids": tuple(p.source_id for p in passages),
        "section_path": (section,), "pages": (1, len(passages)), "text": text, "core_text": core,
        "markers": tuple(dict.fromkeys(re.findall(r"\[(R\d+)\]", text))),
        "passages": tuple(passages),
    }  # fmt: skip
    return Evidence(**{**values, **changes})


def check(draft, evidence):
    """Existence, orphans, markers and missing items, and the best line by shared words."""
    known = {e.evidence_id: e for e in evidence}
    for e in evidence:
        known.update({} if draft.kind == "answer" else dict.fromkeys(e.source_ids, e))
    findings, verdicts, supports = [], [], []
    for at, sentence in enumerate(draft.sentences):
        names = sentence.cited if draft.kind == "answer" else (sentence.source_id,)
        wrong = [f"보내지 않은 근거: {name}" for name in names if name not in known]
        wrong += [] if names else ["인용이 없는 문장"]
        sources = [known[name] for name in names if name in known]
        markers = {m for e in sources for m in e.markers}
        written = set(re.findall(r"\[(R\d+)\]", sentence.text))
        if sources and (written - markers or (draft.kind == "summary" and markers - written)):
            wrong.append("참고문헌 표시가 다름")
        findings += [Finding("small", at, detail) for detail in wrong]
        verdicts.append("unsupported" if wrong else "supported")
        supports.append(closest(sentence.text, sources[0]) if sources else None)
    named = {known[s.source_id].evidence_id for s in draft.sentences if s.source_id in known}
    if draft.kind == "summary":
        missing = [e for e in evidence if e.evidence_id not in named]
        findings += [Finding("small", None, f"빠진 출처: {e.source_ids[0]}") for e in missing]
    return Validation(tuple(verdicts), tuple(supports), tuple(findings))


def closest(text, source):
    best = max(source.passages, key=lambda p: len(set(text) & set(source.text[p.start : p.end])))
    return Support(source.evidence_id, best.start, best.end, source.text[best.start : best.end])
