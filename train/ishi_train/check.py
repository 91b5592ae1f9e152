"""A small network, samples and what the network must answer: so that other programs can be held to this one.

`network.jdg` is a weights file, `samples.pos` a file of samples. `answers.f32` has 1088 numbers (f32, little endian)
for each sample, from the side to move: 361 logits of the judge's policy, 361 of the moves of strong people, the logits
of their passes, the winner's logit, lead and spread in points, 361 owners from -1 to 1. Points outside the board have 0.
"""

from pathlib import Path

import numpy as np
import torch

from .export import write_network
from .measures import in_batches
from .model import POINTS, SIDE, Network, Outputs, Shape
from .samples import (
    GAME_WINNER, JUDGE_POLICY, JUDGE_WINNER, LEAD, NO_MOVE, OWNERS, PASS, PLANES, PLAYED, POLICY_MOVES, RECORD, SPREAD,
    Batch, write_samples,
)

RECORDS = 12
NUMBERS_OF_ANSWER = 2 * POINTS + 2 + 3 + POINTS
SIZES = [(19, 19), (9, 9), (13, 13), (7, 7), (9, 13), (19, 19)]


def random_network(seed: int, shape: Shape = Shape(blocks=3, channels=16)) -> Network:
    """A network that was never taught, in which every part matters: normalisation and biases are random, too."""
    torch.manual_seed(seed)
    network = Network(shape)
    with torch.no_grad():
        for name, value in network.state_dict().items():
            if "norm" in name and name.endswith(("weight", "running_var")):
                value.uniform_(0.5, 1.5)
            elif name.endswith(("bias", "running_mean")):
                value.uniform_(-0.3, 0.3)
    return network.eval()


def made_records(seed: int, count: int = RECORDS) -> np.ndarray:
    """Samples that look like positions: random stones, a random answer for everything that can be known."""
    rng = np.random.default_rng(seed)
    return np.array([_made_record(rng, *SIZES[number % len(SIZES)], number) for number in range(count)], dtype=RECORD)


def _made_record(rng: np.random.Generator, width: int, height: int, game: int) -> np.ndarray:
    record = np.zeros((), dtype=RECORD)
    board = np.zeros((SIDE, SIDE), dtype=bool)
    board[:height, :width] = True
    on_board = np.flatnonzero(board)
    planes = rng.random((PLANES, POINTS)) < 0.1
    stones = rng.choice(3, size=POINTS, p=[0.5, 0.25, 0.25])
    planes[0], planes[1], planes[2] = True, stones == 1, stones == 2
    record["planes"] = np.packbits(planes & board.ravel(), axis=1, bitorder="little")
    record["numbers"] = rng.uniform(-0.5, 0.5, 8).round(2)
    record["numbers"][6] = width * height / POINTS
    record["known"] = JUDGE_POLICY | PLAYED | GAME_WINNER | JUDGE_WINNER | LEAD | SPREAD | OWNERS
    record["width"], record["height"], record["to_move"] = width, height, rng.integers(2)
    record["played"] = rng.choice([*on_board, PASS])
    record["game_winner"], record["judge_winner"] = rng.integers(2), rng.random()
    record["lead"], record["spread"] = rng.normal(0, 10), rng.uniform(2, 15)
    moves = rng.choice([*on_board, PASS], size=POLICY_MOVES - 3, replace=False)
    record["policy"][:, 0] = NO_MOVE
    record["policy"][: len(moves), 0] = moves
    record["policy"][: len(moves), 1] = np.sort(rng.integers(1, 200, len(moves)))[::-1]
    record["owners"] = np.where(board.ravel(), rng.integers(-12, 13, POINTS), 0)
    record["game"] = game
    return record


def answers(network: Network, records: np.ndarray) -> np.ndarray:
    """What the network says of each record: [n, 1088]."""
    parts = []
    with torch.no_grad():
        for batch in in_batches(records, 16):
            parts.append(flattened(network(batch.planes, batch.numbers), batch))
    return np.concatenate(parts).astype("<f4")


def flattened(outputs: Outputs, batch: Batch) -> np.ndarray:
    on_board = batch.planes[:, 0].flatten(1)
    judge, played = outputs.judge_policy, outputs.played_policy
    columns = [
        judge[:, :POINTS] * on_board,
        played[:, :POINTS] * on_board,
        judge[:, POINTS:],
        played[:, POINTS:],
        torch.stack([outputs.winner, outputs.lead, outputs.spread], dim=1),
        outputs.owners.tanh() * on_board,
    ]
    return torch.cat(columns, dim=1).numpy()


def write_fixture(folder: Path, network: Network, records: np.ndarray) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    write_network(network, folder / "network.jdg")
    write_samples(folder / "samples.pos", records)
    (folder / "answers.f32").write_bytes(answers(network, records).tobytes())
