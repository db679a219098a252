"""The engine: holds the loaded parts of one index and puts the stages together."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

import numpy as np

from engine.answer import generation
from engine.answer.credentials import Credentials, find_credentials
from engine.answer.events import Event
from engine.answer.extraction import (
    Analysis,
    extract_answer,
    extract_summary,
    no_evidence,
    with_omitted,
)
from engine.answer.generation import Listener
from engine.answer.structured import make_ask
from engine.answer.validation.entailment import Entailer
from engine.answer.validation.oracle import load_entailer, validate
from engine.build import Progress, build_index, index_fingerprints, open_korean
from engine.config import Config
from engine.errors import EngineError, IndexFault
from engine.index import bm25, dense
from engine.index.encoder import make_encoder
from engine.index.manifest import Manifest, check_files, live_generation, live_name, read_manifest
from engine.index.store import SCHEMA_VERSION, Store
from engine.index.tokenizer import Tokenizer
from engine.ingest.source import PART
from engine.messages import not_held
from engine.retrieve.abstention import Silence
from engine.retrieve.candidates import Legs
from engine.retrieve.evidence import collect
from engine.retrieve.ranking import rank_sections
from engine.retrieve.retriever import Asked, Lookup
from engine.retrieve.sentences import Weighing
from engine.text.kiwi import Korean
from engine.types import (
    Answer,
    BuildReport,
    Draft,
    Encoder,
    Evidence,
    Hit,
    Mode,
    Scope,
    Validation,
)


@dataclass(frozen=True)
class Engine:
    """One opened index: retrieval, answers and summaries over it. Safe to share between threads."""

    config: Config
    manifest: Manifest
    folder: Path
    store: Store
    legs: Legs
    korean: Korean
    tokenizer: Tokenizer
    encoder: Encoder
    source: Config | Path

    @staticmethod
    def build(
        config: Config,
        *,
        force: bool = False,
        progress: Progress | None = None,
        encoder: Encoder | None = None,
    ) -> BuildReport:
        """Bring the index up to date with its corpus; see `engine.build.build_index`."""
        return build_index(config, force=force, progress=progress, encoder=encoder)

    @classmethod
    def open(cls, source: Config | str | Path, *, encoder: Encoder | None = None) -> Self:
        """Open a built index, by configuration or by its folder with the settings it was built by.

        It keeps the generation it opened, whatever is built meanwhile; see `refresh`. An
        ``encoder`` takes the place of the one that the configuration names.

        Raises:
            IndexFault: there is none, it is damaged, or it was built for other settings.
        """
        given = source if isinstance(source, Config) else None
        index = given.resolve(given.index.path) if given else Path(str(source)).absolute()
        while True:
            before = live_name(index)
            try:
                return cls._open(index, given, encoder)
            except IndexFault:
                # A build that ends now takes away the generation that is being opened.
                if live_name(index) == before:
                    raise

    def refresh(self) -> Self:
        """An engine on what was built since; this one if nothing was, and it goes on serving.

        Raises:
            IndexFault: as `open`.
        """
        if live_name(self.folder.parents[1]) == self.folder.name:
            return self
        engine = type(self).open(self.source, encoder=self.encoder)
        if engine.korean.words != self.korean.words:
            return engine
        tokenizer = Tokenizer(self.korean, engine.config.tokenizer)
        return replace(engine, korean=self.korean, tokenizer=tokenizer)

    @classmethod
    def _open(cls, index: Path, given: Config | None, encoder: Encoder | None) -> Self:
        folder = live_generation(index)
        manifest = read_manifest(folder)
        if manifest.schema_version != SCHEMA_VERSION:
            raise IndexFault(
                f"{index}: written by another version (schema {manifest.schema_version}, "
                f"expected {SCHEMA_VERSION}); rebuild with: python -m engine build --force"
            )
        faults = list(check_files(folder, manifest, digests=False))
        if faults:
            raise IndexFault(f"{faults[0]}; rebuild with: python -m engine build --force")
        config = given or _stored_config(manifest, index)
        korean = open_korean(config)
        tokenizer, encoder = Tokenizer(korean, config.tokenizer), encoder or make_encoder(config)
        _refuse_mismatch(index, manifest, index_fingerprints(config, tokenizer, encoder))
        try:
            legs = _load_legs(folder, config)
            store = Store(folder / "store.sqlite")
            _check_rows(index, manifest, legs)
        except (OSError, ValueError, sqlite3.Error) as error:
            raise IndexFault(
                f"{folder}: damaged ({error}); rebuild with: python -m engine build --force"
            ) from None
        return cls(
            config, manifest, folder, store, legs, korean, tokenizer, encoder, given or index
        )  # fmt: skip

    def retrieve(
        self,
        question: str,
        k: int | None = None,
        *,
        mode: Mode | None = None,
        scope: Scope = "global",
        document: str | None = None,
    ) -> list[Evidence]:
        """Evidence for one question.

        With ``scope="global"`` best first; with ``"section"`` the best of each section, in source
        order, of the ``k`` best sections. Empty when nothing counts as evidence.

        Raises:
            EngineError: ``document`` is not in the index, or ``k`` is no positive number.
        """
        return self._find([question], k, mode, scope, document)[0].evidence

    def retrieve_many(
        self,
        questions: Sequence[str],
        k: int | None = None,
        *,
        mode: Mode | None = None,
        scope: Scope = "global",
        document: str | None = None,
    ) -> list[list[Evidence]]:
        """Evidence for each of several questions, analysed together; see `retrieve`."""
        return [found.evidence for found in self._find(questions, k, mode, scope, document)]

    def silence(
        self,
        question: str,
        k: int | None = None,
        *,
        mode: Mode | None = None,
        scope: Scope = "global",
        document: str | None = None,
    ) -> Silence | None:
        """Why `retrieve` finds nothing; None where it finds something."""
        found = self._find([question], k, mode, scope, document)[0]
        return None if found.evidence else found.silence

    def rank_many(self, questions: Sequence[str], k: int, *, mode: Mode) -> list[list[Hit]]:
        """The best ``k`` children of each question, before any are merged into evidence."""
        _require(k, mode, "global")
        asked = self.lookup.analyse(questions, mode, self.lookup.depth(k))
        return [list(self.lookup.rank(one, k, mode).hits[:k]) for one in asked]

    def answer(
        self,
        question: str,
        k: int | None = None,
        *,
        mode: Mode | None = None,
        generate: bool = False,
        on_event: Listener | None = None,
    ) -> Answer:
        """Sentences that answer a question, each with its citation.

        Without ``generate`` they are the best sentences of the evidence, verbatim. With it a
        language model writes them, and only those that pass the checks are kept.

        Raises:
            ConfigError: ``generate`` without a model or key.
            GenerationError: the model gave no usable reply.
        """
        found = self._find([question], k, mode)[0]
        if not found.evidence:
            return found.nothing(question, "answer")
        if generate:
            return generation.generate(
                "answer", question, found.evidence, **self._generating, on_event=on_event
            )
        settings = self.config.extraction
        answer = extract_answer(question, found.evidence, self._analysis(), settings)
        return replace(answer, notices=found.notices())

    async def answer_async(
        self,
        question: str,
        k: int | None = None,
        *,
        mode: Mode | None = None,
        on_event: Listener | None = None,
    ) -> Answer:
        """As `answer` with ``generate``; nothing blocks the event loop."""
        found = (await asyncio.to_thread(self._find, [question], k, mode))[0]
        if not found.evidence:
            return found.nothing(question, "answer")
        return await generation.generate_async(
            "answer", question, found.evidence, **self._generating, on_event=on_event
        )

    def answer_stream(
        self, question: str, k: int | None = None, *, mode: Mode | None = None
    ) -> Iterator[Event]:
        """As `answer` with ``generate``, stage by stage; only the last event holds sentences."""
        found = self._find([question], k, mode)[0]
        if not found.evidence:
            yield Event("final", answer=found.nothing(question, "answer"))
            return
        yield from generation.stream("answer", question, found.evidence, **self._generating)

    def summarize(
        self,
        source: str,
        question: str,
        *,
        mode: Mode | None = None,
        generate: bool = False,
        on_event: Listener | None = None,
    ) -> Answer:
        """One paragraph of each section of one document, in source order, and what was left out.

        Without ``generate`` the best paragraph, verbatim; with it one item written from it.
        ``source`` is a document's id or the path of a file of the corpus.
        """
        doc_id = self._document_of(source)
        found = self._find([question], 1000, mode, "section", doc_id)[0]
        if not found.evidence:
            return found.nothing(question, "summary")
        blocks = self.store.blocks_of_document(doc_id)
        if generate:
            answer = generation.generate(
                "summary", question, found.evidence, **self._generating, on_event=on_event
            )
            return with_omitted(answer, blocks)
        return extract_summary(question, found.evidence, self._analysis(), blocks)

    def validate(self, draft: Draft, evidence: Sequence[Evidence]) -> Validation:
        """Check a draft against evidence, as the configuration says."""
        return validate(draft, evidence, self.korean, self.config.validation, self._entailer)

    @cached_property
    def _entailer(self) -> Entailer | None:
        settings = self.config.validation
        asks = settings.entailment_backend == "llm"
        return load_entailer(settings, make_ask(self.config, self._credentials) if asks else None)

    @cached_property
    def _credentials(self) -> Credentials:
        return find_credentials(self.config.generation)

    @property
    def _generating(self) -> dict[str, Any]:
        return {
            "korean": self.korean, "config": self.config, "validate": self.validate,
            "credentials": self._credentials,
        }  # fmt: skip

    def _within(self, document: str | None, scope: Scope) -> range | None:
        if document is None:
            return None
        rows = self.store.document_rows(document)
        if not rows:
            raise EngineError(f"no document {document!r} in the index; {self._like(document)}")
        return rows

    def _like(self, name: str) -> str:
        """Documents whose ids are nearest to a name."""
        ids = [document.doc_id for document in self.store.documents()]
        near = get_close_matches(name, ids, n=3, cutoff=0.0)
        return f"the nearest of {len(ids)}: {', '.join(map(repr, near))}"

    @cached_property
    def lookup(self) -> Lookup:
        """What a question meets: terms, legs, rankings before they become evidence."""
        return Lookup(self.config, self.store, self.legs, self.korean, self.tokenizer, self.encoder)

    def _find(
        self,
        questions: Sequence[str],
        k: int | None,
        mode: Mode | None,
        scope: Scope = "global",
        document: str | None = None,
    ) -> list[_Found]:
        k = self.config.retrieval.k if k is None else k
        mode = mode or self.config.retrieval.mode
        _require(k, mode, scope)
        within = self._within(document, scope)
        # Of a single document every child is looked at.
        depth = self.lookup.depth(k) if within is None else 0
        asked = self.lookup.analyse(questions, mode, depth)
        return [self._found(one, k, mode, scope, within) for one in asked]

    def _found(
        self, asked: Asked, k: int, mode: Mode, scope: Scope, within: range | None
    ) -> _Found:
        ranking = self.lookup.rank(asked, k, mode, scope, within)
        hits: Sequence[Hit] = ranking.hits
        if scope == "section":
            hits = rank_sections(hits, self._section_of, self.config.retrieval.per_section, k)
        evidence = collect(
            self.store, hits, len(hits) if scope == "section" else k,
            self.config.evidence.context_chars, lambda rows: self.lookup.why(ranking, rows),
            self._address,
        )  # fmt: skip
        return _Found(evidence, ranking.silence)

    def _section_of(self, row: int) -> tuple[str, str]:
        child = self.store.child_at(row)
        return child.doc_id, child.child_id.rsplit("-", 1)[0]

    def original(self, source: str) -> Path:
        """Path of a document's source, or of the PDF beside the parser output made from it."""
        path = self.config.resolve(source)
        if path.suffix.lower() != ".json":
            return path
        pdf = path.with_name(f"{PART.sub('', path.stem)}.pdf")
        return pdf if pdf.is_file() else path

    def _address(self, source: str) -> str:
        return self.original(source).as_uri()

    def _analysis(self) -> Analysis:
        weigh = Weighing(
            self.store, self.legs, self.tokenizer, self.encoder,
            self.config.extraction.similarity_weight, self.config.extraction.figure_weight,
        )  # fmt: skip
        return Analysis(weigh, self.korean.sentences)

    def _document_of(self, source: str) -> str:
        if self.store.document(source) is not None:
            return source
        wanted = Path(source).resolve()
        for document in self.store.documents():
            if self.config.resolve(document.source).resolve() == wanted:
                return document.doc_id
        raise EngineError(
            f"{source!r}: neither a document of the index nor one of its files; "
            f"{self._like(source)}; add it to corpus.paths and build"
        )


class _Found(NamedTuple):
    """Evidence, and what speaks against it."""

    evidence: list[Evidence]
    silence: Silence

    def notices(self) -> tuple[str, ...]:
        """What a reader of extracted sentences should know: no place near holds these words."""
        nouns = self.silence.nouns
        return (not_held(nouns),) if nouns else ()

    def nothing(self, question: str, kind: Literal["answer", "summary"]) -> Answer:
        return no_evidence(question, kind, self.silence.written())


def _require(k: int, mode: str, scope: str) -> None:
    if k < 1:
        raise EngineError(f"k: found {k}, expected 1 or more")
    if mode not in ("hybrid", "bm25", "dense") or scope not in ("global", "section"):
        raise EngineError(
            f"found mode {mode!r} and scope {scope!r}; expected hybrid, bm25 or dense, "
            "and global or section"
        )


def _stored_config(manifest: Manifest, index: Path) -> Config:
    """The settings an index was built by, with its own folder as its path."""
    try:
        content = {**manifest.config, "index": {"path": str(index.absolute())}}
        return Config.model_validate({**content, "root": Path.cwd()})
    except ValueError:
        raise IndexFault(
            f"{index}: its settings are of another version; open it with a config.yaml, or rebuild"
        ) from None


def _refuse_mismatch(
    index: Path, manifest: Manifest, expected: Mapping[str, Mapping[str, Any]]
) -> None:
    for part, wanted in expected.items():
        built = manifest.fingerprints.get(part, {})
        for key in sorted({*wanted, *built}):
            if wanted.get(key) != built.get(key):
                raise IndexFault(
                    f"{index}: {part}.{key}: built with {_short(built.get(key))}, configured "
                    f"{_short(wanted.get(key))}; rebuild with: python -m engine build"
                )


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _load_legs(folder: Path, config: Config) -> Legs:
    return Legs(
        bm25.load(folder / "bm25" / "children"),
        bm25.load(folder / "bm25" / "parents"),
        np.load(folder / "parents.npy", mmap_mode="r", allow_pickle=False).view(np.ndarray),
        dense.load(folder / "dense.faiss", config.dense),
    )


def _check_rows(index: Path, manifest: Manifest, legs: Legs) -> None:
    """Row i of every part must be child i: at the least, all have as many rows."""
    sizes = {
        "manifest": manifest.counts["children"],
        "bm25": legs.children.size,
        "dense": legs.dense.size,
        "parents": len(legs.parent_of),
    }
    if len(set(sizes.values())) > 1:
        raise ValueError(f"its parts have different numbers of rows: {sizes}")
