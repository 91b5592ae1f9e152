"""Checkpoints: everything that a run needs to go on as if it had never stopped.

A checkpoint is PyTorch's archive (ZIP), whose parts have checksums (CRC-32). PyTorch itself does not look at them.
"""

import csv
import os
import zipfile
import zlib
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from .model import Network, Shape

FILE = "checkpoint.pt"
FORMAT = "ishi-train-checkpoint 1"
"""Kept beside the parts of a checkpoint. Those that an earlier ishi wrote say nothing of their format, and are this one."""


class Checkpoint(NamedTuple):
    settings: dict[str, Any]
    shape: dict[str, int]
    network: dict[str, Tensor]
    average: dict[str, Tensor]
    average_steps: int
    optimiser: list[dict]
    steps: int
    """Batches learned from."""
    positions: int
    seconds: float
    """Time spent so far, over all sessions."""

    def averaged_network(self) -> Network:
        """The network of averaged weights, ready to judge."""
        network = Network(Shape(**self.shape))
        network.load_state_dict(self.average)
        return network.eval()


def save(checkpoint: Checkpoint, folder: Path) -> None:
    """Replaces the folder's checkpoint: whoever reads finds the old one or the new one, whole."""
    path = folder / FILE
    beside = path.with_suffix(".new")
    torch.save({"format": FORMAT, **checkpoint._asdict()}, beside)
    with beside.open("rb+") as file:
        os.fsync(file.fileno())
    os.replace(beside, path)


def load(path: Path) -> Checkpoint:
    """The checkpoint of a folder, or of a file. A ValueError says what is wrong with it."""
    path = path / FILE if path.is_dir() else path
    if not path.exists():
        raise ValueError(f"{path}: there must be a checkpoint")
    _check_parts(path)
    kept = torch.load(path, map_location="cpu", weights_only=True)
    if not isinstance(kept, dict) or kept.pop("format", FORMAT) != FORMAT:
        raise ValueError(f"{path}: the format must be {FORMAT!r}: another ishi wrote it")
    if set(kept) != set(Checkpoint._fields):
        raise ValueError(f"{path}: it must be a checkpoint of a run of learning")
    return Checkpoint(**kept)


def _check_parts(path: Path) -> None:
    """Are all parts of the archive there, each with its checksum?"""
    advice = "use a copy, or begin the run again in another folder"
    try:
        with zipfile.ZipFile(path) as archive:
            damaged = archive.testzip()
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError, ValueError) as error:
        raise ValueError(f"{path}: it is damaged or cut off, or no checkpoint ({error}); {advice}") from error
    if damaged is not None:
        raise ValueError(f"{path}: part {damaged!r} is damaged: its checksum must fit; {advice}")


class Curve:
    """A CSV file of figures over positions. Opened again after a stop, it forgets what came after the checkpoint."""

    def __init__(self, path: Path, columns: list[str], positions: int):
        self.path, self.columns = path, ["positions", "seconds", *columns]
        kept = []
        if positions and path.exists():
            with path.open(newline="") as file:
                kept = [row for row in csv.DictReader(file) if int(row["positions"]) <= positions]
        self._write("w", kept, with_header=True)

    def add(self, positions: int, seconds: float, figures: dict[str, float]) -> None:
        row = {name: f"{value:.5f}" for name, value in figures.items()}
        self._write("a", [{"positions": positions, "seconds": round(seconds), **row}])

    def _write(self, mode: str, rows: list[dict], with_header: bool = False) -> None:
        with self.path.open(mode, newline="") as file:
            writer = csv.DictWriter(file, self.columns, restval="", extrasaction="ignore")
            if with_header:
                writer.writeheader()
            writer.writerows(rows)
