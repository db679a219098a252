"""Articles of statutes asked for by number: where whole numbers matter and no labels are needed."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from engine.config import Config, TokenizerSettings
from engine.index import bm25
from engine.index.tokenizer import Tokenizer
from engine.text.kiwi import Korean
from eval.ablation.table import Row, figure
from eval.ablation.variants import Remembering

HEADER = ("articles", "wholes", "asked", "RR", "first")
_ARTICLE = re.compile(r"^#+ (제\d+조(?:의\d+)?)[^\n]*\n.*?(?=^#+ |\Z)", re.M | re.S)
_EVERY, _ASKED, _CHARS = 150, 300, 600

Article = tuple[str, str, str]
"""Title of the statute, number, text."""


def article_rows(laws: Path, config: Config) -> Iterator[Row]:
    """Of every 150th statute: "법률 제3조의2에 뭐라고 되어 있어?" must find that article."""
    articles = list(_articles(laws))
    asked = random.Random(0).sample(range(len(articles)), min(_ASKED, len(articles)))
    branches = [at for at in asked if "의" in articles[at][1]]
    korean = Remembering(Korean())
    for wholes in (False, True):
        tokenizer = Tokenizer(korean, TokenizerSettings(wholes=wholes))
        for name, chosen in (("all", asked), ("branches: 제3조의2", branches)):
            ranks = _ranks(articles, chosen, tokenizer, config)
            found = (sum(1 / rank for rank in ranks), sum(rank == 1 for rank in ranks))
            told = [figure(value / max(1, len(ranks))) for value in found]
            yield (name, "yes" if wholes else "no", str(len(ranks)), *told)


def _articles(laws: Path) -> Iterator[Article]:
    with gzip.open(laws, "rt", encoding="utf-8") as lines:
        for line in islice(lines, 0, None, _EVERY):
            text = json.loads(line)["text"]
            title = re.search(r"^# (.+)$", text, re.M)
            for match in _ARTICLE.finditer(text):
                yield title[1] if title else "", match[1], match[0][:_CHARS]


def _ranks(
    articles: list[Article], chosen: list[int], tokenizer: Tokenizer, config: Config
) -> list[int]:
    """Rank of each article asked for; those that tie with it count as before it."""
    texts = list(tokenizer.terms([f"{title}\n{text}" for title, _, text in articles]))
    known = bm25.vocabulary(texts)
    rows = [[known[term] for term in text] for text in texts]
    index = bm25.fit(rows, len(known), config.bm25.k1, config.bm25.b)
    questions = [f"{articles[at][0]} {articles[at][1]}에 뭐라고 되어 있어?" for at in chosen]
    ranks: list[int] = []
    for at, terms in zip(chosen, tokenizer.terms(questions), strict=True):
        scores = index.scores(bm25.tally(terms, known)[0])
        ranks.append(int((scores >= scores[at]).sum()))
    return ranks
