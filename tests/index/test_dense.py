import numpy as np
import pytest

from engine.config import DenseSettings
from engine.index import dense


def vectors(size, dim=16, seed=0):
    rows = np.random.default_rng(seed).standard_normal((size, dim)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


MANY = 2100
"""More than codes are learned from."""


@pytest.mark.parametrize("kind", ["flat", "codes"])
def test_search_is_by_inner_product_best_first_and_never_padded(kind):
    rows = vectors(MANY)
    index = dense.fit(rows, DenseSettings(index=kind))
    found, cosines = index.search(rows[7:8], MANY + 500)
    assert found.shape == (1, MANY)
    assert found[0, 0] == 7
    np.testing.assert_allclose(cosines[0], rows[found[0]] @ rows[7], atol=1e-5)
    assert (np.diff(cosines[0]) <= 0).all()


def test_size_chooses_the_kind():
    settings = DenseSettings(flat_max_children=MANY)
    names = [type(dense.fit(vectors(size), settings).index).__name__ for size in (MANY, MANY + 1)]
    assert names == ["IndexFlatIP", "IndexRefine"]


@pytest.mark.parametrize("size", [0, 1, 15, 300])
def test_too_few_vectors_to_learn_codes_from_are_all_compared(size, capfd):
    index = dense.fit(vectors(size), DenseSettings(index="codes"))
    assert index.search(vectors(3), 20)[0].shape == (3, min(size, 20))
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("dim", [3, 7, 384, 385, 768, 1024, 1536, 3072, 4096])
def test_codes_find_the_nearest_in_any_number_of_dimensions(dim):
    rows, asked = about_topics(MANY, 1, dim, 100), about_topics(20, 2, dim, 100)
    exact = dense.fit(rows, DenseSettings(index="flat")).search(asked, 20)[1]
    found = dense.fit(rows, DenseSettings(index="codes", compared=500)).search(asked, 20)[1]
    assert (found >= exact[:, -1:] - 1e-6).mean() > 0.98


@pytest.mark.parametrize("kind", ["flat", "codes"])
def test_an_index_under_a_korean_path_reads_back(kind, tmp_path):
    folder = tmp_path / "한글 폴더" / "색인 #1 100%"
    folder.mkdir(parents=True)
    rows, settings = vectors(MANY), DenseSettings(index=kind)
    dense.save(dense.fit(rows, settings), folder / "dense.faiss")
    again = dense.load(folder / "dense.faiss", settings)
    assert again.size == MANY
    np.testing.assert_array_equal(again.vectors(np.array([3, 299])), rows[[3, 299]])
    assert again.search(rows[3:4], 1)[0][0, 0] == 3


def test_codes_made_twice_are_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        dense.save(dense.fit(vectors(MANY), DenseSettings(index="codes")), tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("content", [b"", b"IxF", b"not an index at all" * 10])
def test_what_is_no_index_is_refused(content, tmp_path):
    (tmp_path / "dense.faiss").write_bytes(content)
    with pytest.raises((ValueError, OSError)):
        dense.load(tmp_path / "dense.faiss", DenseSettings())


def test_spread_is_mean_and_deviation_over_the_corpus():
    rows = vectors(100)
    mean, deviation = dense.fit(rows, DenseSettings()).spread(rows[:2])
    np.testing.assert_allclose(mean, (rows[:2] @ rows.T).mean(axis=1), atol=1e-6)
    np.testing.assert_allclose(deviation, (rows[:2] @ rows.T).std(axis=1), atol=1e-6)


def test_equal_vectors_have_a_deviation_above_zero():
    rows = np.repeat(vectors(1), 5, axis=0)
    assert dense.fit(rows, DenseSettings()).spread(rows[:1])[1][0] > 0


def about_topics(size, seed, dim=128, topics=400):
    """Vectors with neighbours: each near one of some topics, as texts are."""
    near = vectors(topics, dim)[np.arange(size) % topics] + 1.3 * vectors(size, dim, seed)
    return near / np.linalg.norm(near, axis=1, keepdims=True)


@pytest.mark.parametrize(("compared", "least", "most"), [(20, 0.9, 0.99), (1000, 0.999, 1.0)])
def test_the_more_vectors_are_compared_the_more_of_the_nearest_are_found(compared, least, most):
    rows, asked = about_topics(10_000, 1), about_topics(50, 2)
    exact = dense.fit(rows, DenseSettings(index="flat")).search(asked, 20)[0]
    settings = DenseSettings(index="codes", compared=compared)
    found = dense.fit(rows, settings).search(asked, 20)[0]
    shared = [len({*a} & {*b}) / 20 for a, b in zip(exact.tolist(), found.tolist(), strict=True)]
    assert least <= np.mean(shared) <= most
