"""Files of samples, as `ishi go positions` writes them: what the network sees of a position, and what is known about it.

A file is a header of 32 bytes and records of fixed length, little endian. Boards smaller than 19x19 lie in the lower
left corner. Everything known about a position is from the side to move.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Sequence

import numpy as np
import torch
from torch import Tensor

from .model import NUMBERS, PLANES, POINTS, SIDE

MAGIC = b"ishipos1"
HEADER = np.dtype([("magic", "S8"), ("record", "<u4"), ("planes", "<u4"), ("numbers", "<u4"), ("side", "<u4"), ("zero", "<u8")])
POLICY_MOVES = 20
OWNER_STEPS = 12
PASS = POINTS
NO_MOVE = 65535
BYTES_OF_PLANE = (POINTS + 7) // 8
RECORD = np.dtype(
    [
        ("planes", "u1", (PLANES, BYTES_OF_PLANE)),
        ("numbers", "<f4", NUMBERS),
        ("known", "u1"),
        ("width", "u1"),
        ("height", "u1"),
        ("to_move", "u1"),
        ("played", "<u2"),
        ("game_winner", "<f4"),
        ("judge_winner", "<f4"),
        ("lead", "<f4"),
        ("spread", "<f4"),
        ("policy", "<u2", (POLICY_MOVES, 2)),
        ("owners", "i1", POINTS),
        ("game", "<u4"),
    ]
)

# Bits of `known`.
JUDGE_POLICY, PLAYED, GAME_WINNER, JUDGE_WINNER, LEAD, SPREAD, OWNERS = (1 << bit for bit in range(7))

SYMMETRIES = 8
_TRANSPOSED, _COLUMNS_TURNED, _ROWS_TURNED = 4, 1, 2


class Batch(NamedTuple):
    """Samples as tensors, n at a time. A value that is not known is zero, and its `knows_...` is 0."""

    planes: Tensor
    """[n, 25, 19, 19], zeros and ones."""
    numbers: Tensor
    """[n, 8]."""
    judge_policy: Tensor
    """Probabilities of a strong judge's moves: [n, 362], the pass last."""
    played: Tensor
    """1 at the move played: [n, 362]."""
    game_winner: Tensor
    """1 if the side to move won the game, 0 if it lost: [n]."""
    judge_winner: Tensor
    """Probability that the side to move wins, by the judge: [n]."""
    lead: Tensor
    """Points: [n]."""
    spread: Tensor
    """Points: [n]."""
    owners: Tensor
    """-1 to 1, the side to move's are positive: [n, 361]."""
    known: Tensor
    """Bits of what is known: [n], int64."""

    def knows(self, bit: int) -> Tensor:
        """1.0 where this bit is set: [n]."""
        return ((self.known & bit) != 0).float()


def open_samples(path: Path) -> np.ndarray:
    """The records of a file, read from disk only when used. A ValueError says what is wrong with the file."""
    path = Path(path)
    size = path.stat().st_size
    if size < HEADER.itemsize:
        raise ValueError(f"{path}: must begin with a header of {HEADER.itemsize} bytes, has {size}")
    header = np.fromfile(path, dtype=HEADER, count=1)[0]
    if header["magic"] != MAGIC:
        raise ValueError(f"{path}: must begin with {MAGIC.decode()!r}: not a file of samples")
    found = tuple(int(header[name]) for name in ("record", "planes", "numbers", "side"))
    wanted = (RECORD.itemsize, PLANES, NUMBERS, SIDE)
    if found != wanted:
        raise ValueError(f"{path}: record length, planes, numbers and side must be {wanted}, not {found}")
    records, rest = divmod(size - HEADER.itemsize, RECORD.itemsize)
    if rest:
        raise ValueError(f"{path}: cut off inside record {records} ({rest} bytes after the last whole one)")
    if records == 0:
        raise ValueError(f"{path}: holds no record")
    return np.memmap(path, dtype=RECORD, mode="r", offset=HEADER.itemsize, shape=(records,))


def write_samples(path: Path, records: np.ndarray) -> None:
    """Writes records with their header."""
    header = np.zeros(1, dtype=HEADER)
    header[0] = (MAGIC, RECORD.itemsize, PLANES, NUMBERS, SIDE, 0)
    with open(path, "wb") as file:
        file.write(header.tobytes())
        file.write(np.ascontiguousarray(records, dtype=RECORD).tobytes())


def symmetry_sources(symmetries: np.ndarray, widths: np.ndarray, heights: np.ndarray) -> np.ndarray:
    """For each point of a turned board the point that it comes from: [n, 361].

    A symmetry (0 to 7) turns columns, rows, or exchanges both, inside the board: it stays in the lower left corner.
    """
    target = np.arange(POINTS)
    row, column = target // SIDE, target % SIDE
    transposed = (symmetries & _TRANSPOSED != 0)[:, None]
    row, column = np.where(transposed, column, row), np.where(transposed, row, column)
    column = _turned(column, widths[:, None], (symmetries & _COLUMNS_TURNED != 0)[:, None])
    row = _turned(row, heights[:, None], (symmetries & _ROWS_TURNED != 0)[:, None])
    return row * SIDE + column


def _turned(line: np.ndarray, lines: np.ndarray, turns: np.ndarray) -> np.ndarray:
    return np.where(turns & (line < lines), lines - 1 - line, line)


def unpack(records: np.ndarray, symmetries: np.ndarray) -> Batch:
    """Tensors of these records, each board turned by its symmetry (0 leaves it as it is)."""
    sources = symmetry_sources(symmetries, records["width"].astype(np.int64), records["height"].astype(np.int64))
    with_pass = np.concatenate([sources, np.full((len(records), 1), PASS)], axis=1)
    bits = np.unpackbits(records["planes"], axis=2, bitorder="little")[:, :, :POINTS]
    planes = np.take_along_axis(bits, sources[:, None, :], axis=2)
    known = records["known"].astype(np.int64)
    return Batch(
        planes=torch.from_numpy(planes.reshape(-1, PLANES, SIDE, SIDE)).float(),
        numbers=_floats(records["numbers"]),
        judge_policy=torch.from_numpy(np.take_along_axis(judge_probabilities(records), with_pass, axis=1)),
        played=torch.from_numpy(np.take_along_axis(_played_one_hot(records), with_pass, axis=1)),
        game_winner=_known_floats(records, "game_winner", GAME_WINNER),
        judge_winner=_known_floats(records, "judge_winner", JUDGE_WINNER),
        lead=_known_floats(records, "lead", LEAD),
        spread=_known_floats(records, "spread", SPREAD),
        owners=torch.from_numpy(np.take_along_axis(records["owners"], sources, axis=1)).float() / OWNER_STEPS,
        known=torch.from_numpy(known),
    )


def _floats(values: np.ndarray) -> Tensor:
    return torch.from_numpy(np.array(values, dtype=np.float32))


def _known_floats(records: np.ndarray, name: str, bit: int) -> Tensor:
    return _floats(np.where(records["known"] & bit, records[name], 0))


def judge_probabilities(records: np.ndarray) -> np.ndarray:
    """The judge's moves as probabilities that sum to 1, or all zero if unknown: [n, 362] of f32."""
    moves, weights = records["policy"][:, :, 0].astype(np.int64), records["policy"][:, :, 1].astype(np.float32)
    used = (moves <= PASS) & ((records["known"] & JUDGE_POLICY) != 0)[:, None]
    dense = np.zeros((len(records), POINTS + 1), dtype=np.float32)
    np.add.at(dense, (np.arange(len(records))[:, None], np.where(used, moves, 0)), np.where(used, weights, 0))
    return dense / np.maximum(dense.sum(axis=1, keepdims=True), 1e-9)


def _played_one_hot(records: np.ndarray) -> np.ndarray:
    played = records["played"].astype(np.int64)
    rows = np.flatnonzero(((records["known"] & PLAYED) != 0) & (played <= PASS))
    dense = np.zeros((len(records), POINTS + 1), dtype=np.float32)
    dense[rows, played[rows]] = 1
    return dense


@dataclass(frozen=True)
class Split:
    """Which games are held out: those whose id leaves `remainder` when divided by `every`."""

    every: int = 20
    remainder: int = 7

    def held_out(self, games: np.ndarray) -> np.ndarray:
        return games % self.every == self.remainder


class Deck:
    """Deals the numbers of a file's records, each once before any comes again. What is dealt depends on the seed and the place only."""

    def __init__(self, indices: np.ndarray, seed: int):
        if len(indices) == 0:
            raise ValueError("there must be at least one record to learn from")
        self.indices, self.seed = indices, seed
        self._last = (-1, indices)

    def deal(self, start: int, count: int) -> np.ndarray:
        """The indices at the places `start` to `start + count` of the endless deal."""
        places = np.arange(start, start + count)
        rounds, within = np.divmod(places, len(self.indices))
        return np.concatenate([self._shuffled(r)[within[rounds == r]] for r in np.unique(rounds)])

    def _shuffled(self, round_: int) -> np.ndarray:
        """The order of a round. The last one is kept, in one assignment, as several threads may deal."""
        last, order = self._last
        if last != round_:
            order = np.random.default_rng([self.seed, int(round_)]).permutation(self.indices)
            self._last = (round_, order)
        return order


class Mixture:
    """Batches from several files, each with its share. Batch number i is always the same one."""

    def __init__(self, files: Sequence[np.ndarray], shares: Sequence[float], split: Split, batch: int, seed: int):
        self.files, self.batch, self.seed = files, batch, seed
        learned = [np.flatnonzero(~split.held_out(file["game"])) for file in files]
        self.decks = [Deck(indices, seed + 1000 * number) for number, indices in enumerate(learned)]
        self.records = sum(len(indices) for indices in learned)
        self.ends = np.cumsum(np.asarray(shares, dtype=np.float64) / np.sum(shares))

    def batch_at(self, number: int) -> Batch:
        starts = np.concatenate([[0], self._drawn(number)])
        ends = np.concatenate([[0], self._drawn(number + 1)])
        parts = []
        for file, deck, start, count in zip(self.files, self.decks, np.diff(starts), np.diff(ends) - np.diff(starts)):
            if count:
                parts.append(np.array(file[np.sort(deck.deal(int(start), int(count)))]))
        records = np.concatenate(parts)
        symmetries = np.random.default_rng([self.seed, number, 8]).integers(SYMMETRIES, size=len(records))
        return unpack(records, symmetries)

    def _drawn(self, batches: int) -> np.ndarray:
        """Records drawn from the first files together before this batch: whole numbers, the last is `batches * batch`."""
        return np.rint(self.ends * batches * self.batch).astype(np.int64)


def held_out_records(files: Sequence[np.ndarray], split: Split, most: int) -> np.ndarray:
    """Up to `most` records of the games held out, spread evenly over each file."""
    parts = []
    for file in files:
        indices = np.flatnonzero(split.held_out(file["game"]))
        if len(indices) > most:
            indices = indices[np.linspace(0, len(indices) - 1, most).astype(np.int64)]
        parts.append(np.array(file[indices]))
    return np.concatenate(parts)
