"""The example that learns: a short form of it."""

import importlib
import xml.etree.ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from service import Service

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture
def learner(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The example as a module."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return importlib.import_module("learner")


@pytest.mark.once
def test_a_learner_beats_random_play(service: Service, learner: Any) -> None:
    zoo = learner.env("angels-and-demons", service.address, options=learner.OPTIONS)
    random, policy = np.random.default_rng(3), learner.Policy()
    learner.train(zoo, policy, 100, random)
    scores = np.array(learner.evaluate(zoo, policy, 60, random))
    zoo.close()
    # Random play has the mean 0, and the mean of n rewards a standard deviation of at most 1 / sqrt(n).
    assert scores.mean() > 4 / np.sqrt(len(scores))
    to_take, _, to_waste = policy.weights
    assert to_take > 0 > to_waste


def test_features_count_neighbours(learner: Any) -> None:
    planes = np.zeros((5, 3, 3), np.float32)
    planes[3] = [[1, 0, 1], [0, 1, 0], [1, 0, 1]]
    # The learner covers 1,2 and the opponent 2,1 and 2,3.
    planes[0, 0, 1] = planes[1, 1, 0] = planes[1, 1, 2] = 1
    expected = [[1, 0, 1], [1, 0, 1], [2, 1, 1], [1, 1, 0], [1, 1, 0]]
    assert (learner.features(planes) * 4 == expected).all()


def test_the_curve_in_the_documentation_is_one_of_the_example(learner: Any) -> None:
    means = [-0.5, 0.0, 0.5, 1.0]
    drawn = xml.etree.ElementTree.fromstring(learner.drawn(means, 20, 0.1))
    points = next(line for line in drawn.iter() if line.get("class") == "mean").get("points", "").split()
    heights = [float(point.split(",")[1]) for point in points]
    assert len(points) == 4 and heights == sorted(heights, reverse=True)
    kept = xml.etree.ElementTree.fromstring((EXAMPLES / "learner.svg").read_text())
    assert kept.find("*").text.startswith("Mean reward in 600 matches")  # type: ignore[union-attr]
