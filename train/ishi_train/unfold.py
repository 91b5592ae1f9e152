"""From a weights file back to a network that can go on learning: the inverse of `export.py`.

The file has no batch normalisation left: it was folded into kernels and biases. Here each kernel is brought to length 1 for
each output, and the normalisation after it is set to what its inputs are on given samples, so that the network answers as the
file does and trains as a network with normalisation does.
"""

import struct
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator

import numpy as np
import torch
from torch import Tensor, nn

from .export import MAGIC, VERSION, Hidden, Normalised, fnv1a, layout
from .model import NUMBERS, PLANES, Board, BoardNorm, Network, Shape
from .samples import unpack

BATCH = 256


def network_of(content: bytes, records: np.ndarray, name: str = "weights") -> Network:
    """The network of a weights file, in evaluation, with normalisations that fit these samples."""
    network = folded_network(content, name)
    set_normalisations(network, records)
    return network


def read_network(path: Path, records: np.ndarray) -> Network:
    return network_of(path.read_bytes(), records, str(path))


def is_weights_file(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


class Parts:
    """Takes the weights of a file one after the other."""

    def __init__(self, content: bytes, name: str):
        if content[: len(MAGIC)] != MAGIC or len(content) < 24 or content[8] != VERSION:
            raise ValueError(f"{name}: must be a weights file of version {VERSION}, as `ishi_train export` writes it")
        if struct.unpack("<Q", content[-8:])[0] != fnv1a(content[:-8]):
            raise ValueError(f"{name}: is damaged: the checksum at its end must fit its content")
        blocks, channels, head, pooled, planes, numbers = content[9:15]
        if (planes, numbers) != (PLANES, NUMBERS):
            raise ValueError(f"{name}: must have {PLANES} planes and {NUMBERS} numbers, not {planes} and {numbers}")
        self.name, self.shape = name, Shape(blocks, channels, head, pooled)
        self.rest = torch.from_numpy(np.frombuffer(content[16:-8], "<f4").astype(np.float32))

    def take(self, weight: Tensor) -> None:
        """The next part becomes this weight's value."""
        if len(self.rest) < weight.numel():
            raise ValueError(f"{self.name}: must have more weights for its shape {self.shape}")
        weight.copy_(self.rest[: weight.numel()].view_as(weight))
        self.rest = self.rest[weight.numel() :]

    def end(self) -> None:
        if len(self.rest):
            raise ValueError(f"{self.name}: must have {len(self.rest)} fewer weights for its shape {self.shape}")


@torch.no_grad()
def folded_network(content: bytes, name: str = "weights") -> Network:
    """The network whose normalisations only scale and shift, as the file has them."""
    parts = Parts(content, name)
    network = Network(parts.shape)
    for part in layout(network):
        match part:
            case Normalised():
                take_normalised(parts, part)
            case Hidden():
                parts.take(part.linear.weight)
                parts.take(part.linear.bias)
                pass_through(part.norm)
            case _:
                parts.take(part)
    parts.end()
    return network.eval()


def take_normalised(parts: Parts, part: Normalised) -> None:
    """Takes a kernel, what is added before the normalisation, and the bias. The normalisation scales kernels of length 1."""
    kernel, norm = part.convolution.weight, part.norm
    added = [] if part.added is None else [part.added.weight]
    for weight in (kernel, *added, norm.bias):
        parts.take(weight)
    length = kernel.flatten(1).norm(dim=1).clamp(min=1e-6)
    kernel.div_(length.view(-1, 1, 1, 1))
    for weight in added:
        weight.div_(length[:, None])
    norm.weight.copy_(length)
    pass_through(norm)


def pass_through(norm: nn.BatchNorm2d | nn.BatchNorm1d) -> None:
    """Lets a normalisation in evaluation do nothing but its own scale and shift."""
    norm.running_mean.zero_()
    norm.running_var.fill_(1.0 - norm.eps)


class Moments:
    """Mean and variance of each channel over many batches."""

    def __init__(self, channels: int):
        self.count = 0.0
        self.sum, self.squares = (torch.zeros(channels, dtype=torch.float64) for _ in range(2))

    def add(self, values: Tensor, count: float) -> None:
        """`values` [n, c, ...], zero where they do not count; `count` of them do."""
        axes = [axis for axis in range(values.ndim) if axis != 1]
        self.count += count
        self.sum += values.double().sum(axes)
        self.squares += (values.double() ** 2).sum(axes)

    def mean_and_variance(self) -> tuple[Tensor, Tensor]:
        mean = self.sum / self.count
        return mean, (self.squares / self.count - mean**2).clamp(min=0.0)


@torch.no_grad()
def set_normalisations(network: Network, records: np.ndarray) -> None:
    """Sets all normalisations to the moments of their inputs on these samples. The network's answers stay."""
    if len(records) == 0:
        raise ValueError("there must be a sample to learn from, so that the normalisations of a weights file can be set")
    with watched(network) as moments:
        for begin in range(0, len(records), BATCH):
            part = records[begin : begin + BATCH]
            batch = unpack(part, np.zeros(len(part), dtype=np.int64))
            network(batch.planes, batch.numbers)
    for norm, seen in moments.items():
        mean, variance = seen.mean_and_variance()
        deviation = (variance + norm.eps).sqrt()
        if norm.affine:
            norm.bias.add_(norm.weight * mean)
            norm.weight.mul_(deviation)
        else:
            hidden = network.value.hidden
            hidden.bias.add_((hidden.weight.double() @ mean).float())
            hidden.weight.mul_(deviation)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)


@contextmanager
def watched(network: Network) -> Iterator[dict[nn.Module, Moments]]:
    """Takes the moments of all normalisations' inputs while it lasts."""
    pooled = network.value.pool_norm
    moments = {norm: Moments(norm.num_features) for norm in network.modules() if isinstance(norm, BoardNorm)}
    moments[pooled] = Moments(pooled.num_features)
    hook = pooled.register_forward_pre_hook(lambda _, inputs: moments[pooled].add(inputs[0], len(inputs[0])))
    for norm in moments:
        if isinstance(norm, BoardNorm):
            norm.forward_on = watching(norm, moments[norm])
            norm.after = normalising(norm)
    try:
        yield moments
    finally:
        hook.remove()
        for norm in moments:
            norm.__dict__.pop("forward_on", None)
            norm.__dict__.pop("after", None)


def normalising(norm: BoardNorm):
    """`BoardNorm.after` that does not fold the normalisation into the convolution, so that its inputs can be watched."""
    return lambda convolution, x, board: norm.forward_on(convolution(x), board)


def watching(norm: BoardNorm, moments: Moments):
    plain = norm.forward_on

    def forward_on(x: Tensor, board: Board) -> Tensor:
        moments.add(board.cut(x), float(board.points.sum()))
        return plain(x, board)

    return forward_on
