"""Files of samples, as `ishi go positions` writes them: what the network sees of a position, and what is known about it.

A file is a header of 32 bytes and records of fixed length, little endian. Boards smaller than 19x19 lie in the lower
left corner. Everything known about a position is from the side to move. A checksum stands behind each record. Files of the
first version have none: they are read, with a note, and `seal_samples` writes them again with checksums.
"""

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple, Sequence

import numpy as np
import torch
from torch import Tensor

from .export import FNV_FACTOR, FNV_START
from .model import NUMBERS, PLANES, POINTS, SIDE

MAGIC = b"ishipos2"
OLD_MAGIC = b"ishipos1"
"""Of files without checksums."""
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

SEALED_RECORD = np.dtype(RECORD.descr + [("checksum", "<u8")])
"""As a record stands in a file. The checksum is that of its number in the file (u64, from 0) and the bytes of `RECORD`."""
_AT_ONCE = 2048
"""Records whose checksums are computed together: about as many as a processor's cache holds."""

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
    """The records of a file, with the fields of `RECORD`, read from disk when used. All checksums are checked first.

    A ValueError says what is wrong with the file, and where. What is taken from it may have gaps between the records:
    `plain_records` gives it without.
    """
    path = Path(path)
    records = _map_records(path)
    if "checksum" not in records.dtype.names:
        print(f"{path}: has no checksums, so that damage goes unseen: `python -m ishi_train seal {path} NEW` writes it with them", file=sys.stderr)
        return records
    check_records(path, records)
    return records[list(RECORD.names)]


def _map_records(path: Path) -> np.ndarray:
    """The records of a file of either version, unchecked: `SEALED_RECORD`, or `RECORD` of the first version."""
    size = path.stat().st_size
    if size < HEADER.itemsize:
        raise ValueError(f"{path}: must begin with a header of {HEADER.itemsize} bytes, has {size}")
    header = np.fromfile(path, dtype=HEADER, count=1)[0]
    if header["magic"] not in (MAGIC, OLD_MAGIC):
        raise ValueError(f"{path}: must begin with {MAGIC.decode()!r}: not a file of samples")
    record = SEALED_RECORD if header["magic"] == MAGIC else RECORD
    found = tuple(int(header[name]) for name in ("record", "planes", "numbers", "side", "zero"))
    wanted = (record.itemsize, PLANES, NUMBERS, SIDE, 0)
    if found != wanted:
        raise ValueError(f"{path}: record length, planes, numbers and side must be {wanted[:4]}, and 0 follow, not {found}")
    records, rest = divmod(size - HEADER.itemsize, record.itemsize)
    if rest:
        raise ValueError(f"{path}: cut off inside record {records} ({rest} bytes after the last whole one)")
    if records == 0:
        raise ValueError(f"{path}: holds no record")
    return np.memmap(path, dtype=record, mode="r", offset=HEADER.itemsize, shape=(records,))


def check_records(path: Path, records: np.ndarray) -> None:
    """Has each record of `SEALED_RECORD` its checksum? A ValueError names the first that has not."""
    for first in range(0, len(records), _AT_ONCE):
        part = np.array(records[first : first + _AT_ONCE])
        checksums = record_checksums(plain_records(part), first)
        wrong = np.flatnonzero(checksums != part["checksum"])
        if len(wrong):
            number = first + int(wrong[0])
            place = f"byte {HEADER.itemsize + number * SEALED_RECORD.itemsize}: record {number}"
            raise ValueError(f"{path}: {place}: it is damaged: its checksum must be {int(checksums[wrong[0]]):016x}")


def record_checksums(records: np.ndarray, first: int) -> np.ndarray:
    """FNV-1a (64 bits) of each record's number in its file and its bytes, the first one being number `first`: [n] of u64.

    A byte of all records is taken at a time, as NumPy is quick only with many numbers at once.
    """
    numbers = np.arange(first, first + len(records), dtype="<u8").view("u1").reshape(len(records), -1)
    content = np.ascontiguousarray(records, dtype=RECORD).view("u1").reshape(len(records), -1)
    sums = np.full(len(records), FNV_START, dtype=np.uint64)
    for bytes_of_all in np.ascontiguousarray(np.concatenate([numbers, content], axis=1).T):
        sums ^= bytes_of_all
        sums *= np.uint64(FNV_FACTOR)
    return sums


def plain_records(records: np.ndarray) -> np.ndarray:
    """A copy of the records as `RECORD`: without checksums, and without gaps between them."""
    return np.array(records[list(RECORD.names)], dtype=RECORD)


def write_samples(path: Path, records: np.ndarray) -> None:
    """Writes records with their header and checksums."""
    with open(path, "wb") as file:
        _write_file(file, records)


def _write_file(file: BinaryIO, records: np.ndarray) -> None:
    header = np.zeros(1, dtype=HEADER)
    header[0] = (MAGIC, SEALED_RECORD.itemsize, PLANES, NUMBERS, SIDE, 0)
    file.write(header.tobytes())
    for first in range(0, len(records), _AT_ONCE):
        part = plain_records(records[first : first + _AT_ONCE])
        sealed = np.empty(len(part), dtype=SEALED_RECORD)
        for name in RECORD.names:
            sealed[name] = part[name]
        sealed["checksum"] = record_checksums(part, first)
        file.write(sealed.tobytes())


def seal_samples(old: Path, new: Path) -> int:
    """Writes a file of the first version again with checksums, whole or not at all. Gives the number of its records."""
    records = _map_records(old)
    if "checksum" in records.dtype.names:
        raise ValueError(f"{old}: has checksums: nothing is to be done")
    if new.exists():
        raise ValueError(f"{new}: exists: give another name")
    part = new.with_name(new.name + ".part")
    with open(part, "wb") as file:
        _write_file(file, records)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, new)
    return len(records)


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
                parts.append(plain_records(file[np.sort(deck.deal(int(start), int(count)))]))
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
        parts.append(plain_records(file[indices]))
    return np.concatenate(parts)
