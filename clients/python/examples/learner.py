"""Learns to play Angels and Demons against an opponent that plays at random.

The policy is linear: of each black space it counts the neighbours that the opponent covers, that are empty
and that are its own, and chooses a space with a probability that grows with the weighted sum. REINFORCE
learns the three weights from nothing but the results of matches. It starts with weights of 0, which is
random play.

    python learner.py --server 127.0.0.1:7420 --svg learner.svg

On the same service and with the same arguments it prints the same numbers every time.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from curve import drawn
from tqdm import tqdm

from matchbook.pettingzoo import env

Numbers = npt.NDArray[np.float64]

OPTIONS = {"rows": 6, "cols": 6, "turns": 6}
# Matches between two changes of the weights, and how far they change.
BATCH, LEARNING_RATE = 20, 2.0


@dataclass
class Policy:
    """A linear softmax policy."""

    weights: Numbers = field(default_factory=lambda: np.zeros(3))

    def choose(self, observation: Any, random: np.random.Generator) -> tuple[int, Numbers]:
        """Chooses an action. Returns it, and the gradient of the logarithm of its probability."""
        rated = features(observation["observation"])
        chances = np.exp(rated @ self.weights)
        chances /= chances.sum()
        action = int(random.choice(len(chances), p=chances))
        return action, rated[action] - chances @ rated


def features(planes: npt.NDArray[np.float32]) -> Numbers:
    """Returns the neighbours of each black space: covered by the opponent, empty, own; 1 for all four."""
    own, other, black = planes[0], planes[1], planes[3]
    # Only white spaces can be covered, and the neighbours of a black space are white.
    counted = [neighbours(each)[black == 1] / 4 for each in (other, 1 - black - own - other, own)]
    return np.stack(counted, axis=1).astype(np.float64)


def neighbours(plane: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Returns the sum of the four neighbours of each space."""
    padded = np.pad(plane, 1)
    return padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]


def play(zoo: Any, policy: Policy, learner: str, random: np.random.Generator) -> tuple[float, Numbers]:
    """Plays a match. Returns the learner's reward and the sum of the gradients of its choices."""
    zoo.reset()
    score, gradient = 0.0, np.zeros(3)
    for agent in zoo.agent_iter():
        observation, reward, termination, truncation, _ = zoo.last()
        if termination or truncation:
            score += reward if agent == learner else 0
            zoo.step(None)
        elif agent == learner:
            action, step = policy.choose(observation, random)
            gradient += step
            zoo.step(action)
        else:
            zoo.step(int(random.choice(np.flatnonzero(observation["action_mask"]))))
    return score, gradient


def train(zoo: Any, policy: Policy, matches: int, random: np.random.Generator) -> list[float]:
    """Changes the weights of a policy. Returns its mean reward in each batch of matches."""
    means = []
    with tqdm(total=matches, unit="match", disable=not sys.stderr.isatty()) as bar:
        for _ in range(matches // BATCH):
            played = []
            for match in range(BATCH):
                played.append(play(zoo, policy, zoo.possible_agents[match % 2], random))
                bar.update()
            scores = np.array([score for score, _ in played])
            gradients = np.array([gradient for _, gradient in played])
            # What is better than usual becomes more likely.
            policy.weights += LEARNING_RATE * (scores - scores.mean()) @ gradients / BATCH
            means.append(float(scores.mean()))
            bar.set_postfix(reward=f"{means[-1]:+.2f}")
    return means


def evaluate(zoo: Any, policy: Policy, matches: int, random: np.random.Generator) -> list[float]:
    """Returns the rewards of a policy in matches in which it does not learn."""
    return [play(zoo, policy, zoo.possible_agents[match % 2], random)[0] for match in range(matches)]


def describe(name: str, scores: Sequence[float]) -> str:
    """Returns a line about the results of matches."""
    wins, draws = scores.count(1), scores.count(0)
    losses = len(scores) - wins - draws
    return f"{name}: {wins} won, {draws} drawn, {losses} lost; mean reward {np.mean(scores):+.2f}"


def main() -> None:
    """Parses the arguments, learns and prints the results before and after."""
    parser = argparse.ArgumentParser(description="Learn to play Angels and Demons")
    parser.add_argument("--server", default="127.0.0.1:7420", help="address of the service")
    parser.add_argument("--matches", type=int, default=600, help="matches to learn from")
    parser.add_argument("--trials", type=int, default=200, help="matches before and after, to compare")
    parser.add_argument("--seed", type=int, default=1, help="seed of all choices")
    parser.add_argument("--svg", help="file for the learning curve")
    arguments = parser.parse_args()
    random = np.random.default_rng(arguments.seed)
    policy = Policy()
    zoo: Any = env("angels-and-demons", arguments.server, options=OPTIONS)
    before = evaluate(zoo, policy, arguments.trials, random)
    print(describe("before", before))
    means = train(zoo, policy, arguments.matches, random)
    after = evaluate(zoo, policy, arguments.trials, random)
    zoo.close()
    print(describe("after", after))
    print("weights: opponent's %+.2f, empty %+.2f, own %+.2f" % tuple(policy.weights))
    if arguments.svg:
        with open(arguments.svg, "w", encoding="utf-8") as file:
            file.write(drawn(means, BATCH, float(np.mean(before))))


if __name__ == "__main__":
    main()
