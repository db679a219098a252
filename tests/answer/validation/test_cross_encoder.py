"""A real cross-encoder, built and briefly trained here on pairs that differ by a negation."""

import itertools
import json
import subprocess
import sys

import pytest

from engine.answer.validation.cross_encoder import load_cross_encoder
from engine.answer.validation.oracle import validate
from engine.config import ValidationSettings
from engine.errors import ModelError
from tests.word_tokenizer import word_tokenizer

NOUNS = ["도서관", "시장", "병원"]
DAYS = ["월요일", "주말"]
PAIRS = list(itertools.product(NOUNS, DAYS))
YES, NO = "{}은 {}에 문을 연다", "{}은 {}에 문을 열지 않는다"
PROBES = [
    "도서관은 월요일에 문을 닫는다.", "신청서는 주민센터에 제출한다.", "이 성은 정조가 쌓았다.",
]  # fmt: skip
NEUTRAL = [(a.format(*p), b) for p in PAIRS for a, b in ((YES, "정조가 성을 쌓았다"),)]


def examples():
    """The same: entailment, 0; another matter: neutral, 1; one of the two denied: 2."""
    for pair in PAIRS:
        yes, no = YES.format(*pair), NO.format(*pair)
        yield from ((yes, yes, 0), (no, no, 0), (yes, no, 2), (no, yes, 2))
    yield from ((premise, hypothesis, 1) for premise, hypothesis in NEUTRAL for _ in range(2))
    yield from ((text, text, 0) for text in PROBES for _ in range(4))


def build(folder, labels, id2label):
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    torch.manual_seed(0)
    rows = list(examples())
    tokenizer = word_tokenizer([text for a, b, _ in rows for text in (a, b)])
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=2,
        num_attention_heads=4, intermediate_size=64, max_position_embeddings=64,
        num_labels=labels, id2label=id2label, hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )  # fmt: skip
    model = BertForSequenceClassification(config)
    if labels == 3:
        train(model, tokenizer, rows)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def train(model, tokenizer, rows):
    import torch

    batch = tokenizer(
        [a for a, _, _ in rows], [b for _, b, _ in rows], padding=True, return_tensors="pt"
    )
    labels = torch.tensor([label for *_, label in rows])
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    model.train()
    for _ in range(200):
        loss = model(**batch, labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if loss.item() < 0.02:
            break
    torch.set_num_threads(threads)


NAMES = {0: "entailment", 1: "neutral", 2: "contradiction"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return build(tmp_path_factory.mktemp("nli"), 3, NAMES)


def renamed(folder, tmp_path, names):
    for file in folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    config = json.loads((tmp_path / "config.json").read_text())
    config["id2label"] = names
    config["label2id"] = {name: int(number) for number, name in names.items()}
    (tmp_path / "config.json").write_text(json.dumps(config))
    return tmp_path


def settings(folder, **more):
    return ValidationSettings(
        entailment_backend="cross-encoder", entailment_model=str(folder), device="cpu", **more
    )


def test_a_trained_model_tells_the_three_labels_apart(folder):
    entailer = load_cross_encoder(settings(folder))
    yes, no = YES.format("병원", "주말"), NO.format("병원", "주말")
    same, denied, other = entailer.judge([(yes, yes), (yes, no), (yes, "정조가 성을 쌓았다")])
    assert same.entailment > 0.5
    assert denied.contradiction > 0.5
    assert other.neutral > 0.5
    assert same.entailment + same.neutral + same.contradiction == pytest.approx(1, abs=1e-4)


def test_its_verdicts_reach_the_oracle(folder, korean, evidence, answer):
    chosen = settings(folder)
    entailer = load_cross_encoder(chosen)
    sent = evidence("병원은 주말에 문을 연다\n시장은 주말에 문을 연다")
    verdicts = [
        validate(answer(text), sent, korean, chosen, entailer).verdicts[0]
        for text in ("병원은 주말에 문을 연다", "정조가 성을 쌓았다")
    ]
    assert verdicts[0] == "supported"
    assert verdicts[1] in {"unsupported", "contradicted"}


def test_unnamed_labels_need_an_order_from_the_settings(folder, tmp_path):
    plain = renamed(folder, tmp_path, {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"})
    with pytest.raises(
        ModelError, match=r"named LABEL_0, LABEL_1, LABEL_2; set validation.label_order"
    ):
        load_cross_encoder(settings(plain))
    order = ("entailment", "neutral", "contradiction")
    judged = load_cross_encoder(settings(plain, label_order=order)).judge([(PROBES[0], PROBES[0])])
    assert judged[0].entailment > 0.5


def test_a_wrong_order_is_noticed(folder, tmp_path):
    plain = renamed(folder, tmp_path, {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"})
    order = ("contradiction", "neutral", "entailment")
    with pytest.raises(
        ModelError, match="no sentence entails itself; correct validation.label_order"
    ):
        load_cross_encoder(settings(plain, label_order=order))


def test_an_order_that_disagrees_with_the_models_own_names_is_refused(folder):
    order = ("neutral", "entailment", "contradiction")
    with pytest.raises(ModelError, match="the model names its labels entailment, neutral"):
        load_cross_encoder(settings(folder, label_order=order))


def test_a_two_label_model_is_refused(tmp_path):
    two = build(tmp_path, 2, {0: "no", 1: "yes"})
    with pytest.raises(ModelError, match="found 2 labels, expected the three of NLI"):
        load_cross_encoder(settings(two))


def test_a_model_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ModelError, match=r"nowhere: expected a folder with a model's config.json"):
        load_cross_encoder(settings(tmp_path / "nowhere"))


def test_a_backend_without_a_model_says_what_to_set():
    with pytest.raises(
        ModelError, match=r"validation.entailment_model: expected a hub id or a folder"
    ):
        load_cross_encoder(ValidationSettings(entailment_backend="cross-encoder"))


def test_the_oracle_loads_no_torch():
    code = "import sys, engine.answer.validation.oracle as o; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
